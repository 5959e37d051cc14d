"""LlamaIndex's rankers by Cohere, Jina and text-embeddings-inference: address and key are the arguments."""

import sys

from drafts import QUERY, TEXTS, refused, told
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.postprocessor.cohere_rerank import CohereRerank
from llama_index.postprocessor.jinaai_rerank import JinaRerank
from llama_index.postprocessor.tei_rerank import TextEmbeddingInference

address, key = sys.argv[1:]
rankers = {
    "cohere": CohereRerank(top_n=2, model="rostrum", api_key=key, base_url=address, max_retries=1),
    "jina": JinaRerank(top_n=2, model="rostrum", api_key=key, base_url=f"{address}/v1"),
    "tei": TextEmbeddingInference(top_n=2, base_url=address, auth_token=f"Bearer {key}"),
}
for name, ranker in rankers.items():
    nodes = [NodeWithScore(node=TextNode(text=text, id_=str(i)), score=0.0) for i, text in enumerate(TEXTS)]
    found = ranker.postprocess_nodes(nodes, query_str=QUERY)
    told(name, [(int(each.node.node_id), each.score) for each in found])

try:
    nodes = [NodeWithScore(node=TextNode(text=text)) for text in TEXTS]
    JinaRerank(api_key="wrong", base_url=f"{address}/v1").postprocess_nodes(nodes, query_str=QUERY)
except RuntimeError as error:
    refused("jina", str(error))
