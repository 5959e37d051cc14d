"""Cohere's own client, both versions of its interface: the key is the argument."""

import sys

import cohere
from cohere.errors import UnauthorizedError, UnprocessableEntityError
from drafts import QUERY, TEXTS, address_of, print_ranking, refused

key = sys.argv[1]
address = address_of("cohere.ClientV2")
client = cohere.ClientV2(key, base_url=address)
found = client.rerank(model="rostrum", query=QUERY, documents=TEXTS, top_n=2, max_tokens_per_doc=200)
assert found.meta.billed_units.search_units == 1
print_ranking("cohere.ClientV2", [(each.index, each.relevance_score) for each in found.results])

first = cohere.Client(key, base_url=address_of("cohere.Client"))
documents = [{"text": text, "title": "T"} for text in TEXTS]
found = first.rerank(
    model="rostrum", query=QUERY, documents=documents, top_n=2, return_documents=True, rank_fields=["text"]
)
assert [each.document.text for each in found.results] == [TEXTS[each.index] for each in found.results]
assert found.meta.api_version.version == "1"
print_ranking("cohere.Client", [(each.index, each.relevance_score) for each in found.results])

try:
    client.rerank(model="rostrum", query=QUERY, documents=TEXTS, top_n=0)
except UnprocessableEntityError as error:
    refused("cohere.ClientV2", error.body["message"])

try:
    cohere.ClientV2("wrong", base_url=address).rerank(model="rostrum", query=QUERY, documents=TEXTS)
except UnauthorizedError as error:
    refused("cohere.ClientV2", error.body["message"])
