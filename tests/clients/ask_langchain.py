"""LangChain's compressor of documents by Cohere: address and key are the arguments."""

import sys

from drafts import QUERY, TEXTS, told
from langchain_cohere import CohereRerank
from langchain_core.documents import Document

address, key = sys.argv[1:]
ranker = CohereRerank(model="rostrum", base_url=address, cohere_api_key=key, top_n=2)
documents = [Document(text, metadata={"place": i}) for i, text in enumerate(TEXTS)]
found = ranker.compress_documents(documents, QUERY)
told("compressor", [(each.metadata["place"], each.metadata["relevance_score"]) for each in found])
