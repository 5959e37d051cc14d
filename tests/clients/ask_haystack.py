"""Haystack's rankers by Cohere, Jina and text-embeddings-inference: the key is the argument."""

import sys

from drafts import QUERY, TEXTS, address_of, print_ranking, refused
from haystack import Document
from haystack.utils import Secret
from haystack_integrations.components.rankers.cohere import CohereRanker
from haystack_integrations.components.rankers.huggingface_api import HuggingFaceTEIRanker
from haystack_integrations.components.rankers.jina import JinaRanker

key = Secret.from_token(sys.argv[1])
COHERE, JINA, TEI = (f"haystack {name}" for name in ("CohereRanker", "JinaRanker", "HuggingFaceTEIRanker"))
rankers = {
    COHERE: CohereRanker("rostrum", api_key=key, api_base_url=address_of(COHERE), top_k=2),
    JINA: JinaRanker("rostrum", api_key=key, base_url=address_of(JINA), top_k=2),
    TEI: HuggingFaceTEIRanker(url=address_of(TEI), top_k=2, token=key),
}
for name, ranker in rankers.items():
    documents = [Document(id=str(i), content=text) for i, text in enumerate(TEXTS)]
    found = ranker.run(query=QUERY, documents=documents)
    print_ranking(name, [(int(each.id), each.score) for each in found["documents"]])

try:
    HuggingFaceTEIRanker(url=address_of(TEI), token=Secret.from_token("wrong")).run(
        query=QUERY, documents=documents
    )
except RuntimeError as error:
    refused(TEI, str(error))
