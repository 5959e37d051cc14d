"""LlamaIndex's rankers by Cohere, Jina and text-embeddings-inference: the key is the argument."""

import sys

from drafts import QUERY, TEXTS, address_of, print_ranking, refused
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.postprocessor.cohere_rerank import CohereRerank
from llama_index.postprocessor.jinaai_rerank import JinaRerank
from llama_index.postprocessor.tei_rerank import TextEmbeddingInference

key = sys.argv[1]
COHERE, JINA, TEI = (
    f"llama_index {name}" for name in ("CohereRerank", "JinaRerank", "TextEmbeddingInference")
)
rankers = {
    COHERE: CohereRerank(top_n=2, model="rostrum", api_key=key, base_url=address_of(COHERE), max_retries=1),
    JINA: JinaRerank(top_n=2, model="rostrum", api_key=key, base_url=address_of(JINA)),
    TEI: TextEmbeddingInference(top_n=2, base_url=address_of(TEI), auth_token=f"Bearer {key}"),
}
for name, ranker in rankers.items():
    nodes = [NodeWithScore(node=TextNode(text=text, id_=str(i)), score=0.0) for i, text in enumerate(TEXTS)]
    found = ranker.postprocess_nodes(nodes, query_str=QUERY)
    print_ranking(name, [(int(each.node.node_id), each.score) for each in found])

try:
    nodes = [NodeWithScore(node=TextNode(text=text)) for text in TEXTS]
    JinaRerank(api_key="wrong", base_url=address_of(JINA)).postprocess_nodes(nodes, query_str=QUERY)
except RuntimeError as error:
    refused(JINA, str(error))
