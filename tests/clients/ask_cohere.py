"""Cohere's own client, both versions of its interface: address and key are the arguments."""

import sys

import cohere
from cohere.errors import UnauthorizedError, UnprocessableEntityError
from drafts import QUERY, TEXTS, refused, told

address, key = sys.argv[1:]
client = cohere.ClientV2(key, base_url=address)
found = client.rerank(model="rostrum", query=QUERY, documents=TEXTS, top_n=2, max_tokens_per_doc=200)
told("v2", [(each.index, each.relevance_score) for each in found.results])

first = cohere.Client(key, base_url=address)
documents = [{"text": text} for text in TEXTS]
found = first.rerank(model="rostrum", query=QUERY, documents=documents, top_n=2, return_documents=True)
assert [each.document.text for each in found.results] == [TEXTS[each.index] for each in found.results]
assert found.meta.api_version.version == "1"
told("v1", [(each.index, each.relevance_score) for each in found.results])

try:
    client.rerank(model="rostrum", query=QUERY, documents=TEXTS, top_n=0)
except UnprocessableEntityError as error:
    refused("v2", error.body["message"])

try:
    cohere.ClientV2("wrong", base_url=address).rerank(model="rostrum", query=QUERY, documents=TEXTS)
except UnauthorizedError as error:
    refused("v2", error.body["message"])
