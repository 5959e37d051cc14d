"""LiteLLM, by the services whose forms it knows: the key is the argument."""

import sys

import litellm
from drafts import QUERY, TEXTS, address_of, print_ranking

key = sys.argv[1]
litellm.telemetry = False
for service in ("cohere", "jina_ai", "infinity", "huggingface", "voyage", "hosted_vllm"):
    name = f"litellm {service}/"
    answer = litellm.rerank(
        model=f"{service}/rostrum",
        query=QUERY,
        documents=TEXTS,
        top_n=2,
        api_base=address_of(name),
        api_key=key,
    )
    best = answer.results[:2]  # text-embeddings-inference has no number of results to ask for
    print_ranking(name, [(each["index"], each["relevance_score"]) for each in best])
