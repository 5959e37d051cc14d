"""LangChain's compressor of documents by Cohere: the key is the argument."""

import sys

from drafts import QUERY, TEXTS, address_of, print_ranking
from langchain_cohere import CohereRerank
from langchain_core.documents import Document

NAME = "langchain_cohere.CohereRerank"
key = sys.argv[1]
ranker = CohereRerank(model="rostrum", base_url=address_of(NAME), cohere_api_key=key, top_n=2)
documents = [Document(text, metadata={"place": i}) for i, text in enumerate(TEXTS)]
found = ranker.compress_documents(documents, QUERY)
print_ranking(NAME, [(each.metadata["place"], each.metadata["relevance_score"]) for each in found])
