"""Haystack's rankers by Cohere, Jina and text-embeddings-inference: address and key are the arguments."""

import sys

from drafts import QUERY, TEXTS, refused, told
from haystack import Document
from haystack.utils import Secret
from haystack_integrations.components.rankers.cohere import CohereRanker
from haystack_integrations.components.rankers.huggingface_api import HuggingFaceTEIRanker
from haystack_integrations.components.rankers.jina import JinaRanker

address, key = sys.argv[1], Secret.from_token(sys.argv[2])
rankers = {
    "cohere": CohereRanker("rostrum", api_key=key, api_base_url=address, top_k=2),
    "jina": JinaRanker("rostrum", api_key=key, base_url=f"{address}/v1/rerank", top_k=2),
    "tei": HuggingFaceTEIRanker(url=address, top_k=2, token=key),
}
for name, ranker in rankers.items():
    documents = [Document(id=str(i), content=text) for i, text in enumerate(TEXTS)]
    found = ranker.run(query=QUERY, documents=documents)
    told(name, [(int(each.id), each.score) for each in found["documents"]])

try:
    HuggingFaceTEIRanker(url=address, token=Secret.from_token("wrong")).run(query=QUERY, documents=documents)
except RuntimeError as error:
    refused("tei", str(error))
