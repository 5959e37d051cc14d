"""Clients of other rerank services, unchanged, against a real service by the table of docs/api.md.

They need versions of their own of what we use too, and 430 MB: `make check-clients` gives them an environment
and names its Python in CLIENTS_PYTHON.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import httpx2
import pytest

from rostrum.api.edge.keys import KeyScope, add_key
from tests.engines import QUICK
from tools.service_process import ServiceProcess

from .drafts import QUERY, TEXTS

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "api.md"
CLIENTS = {
    "ask_cohere.py": ["cohere.ClientV2", "cohere.Client"],
    "ask_langchain.py": ["langchain_cohere.CohereRerank"],
    "ask_llamaindex.py": [
        "llama_index CohereRerank",
        "llama_index JinaRerank",
        "llama_index TextEmbeddingInference",
    ],
    "ask_haystack.py": ["haystack CohereRanker", "haystack JinaRanker", "haystack HuggingFaceTEIRanker"],
    "ask_litellm.py": [
        "litellm cohere/",
        "litellm jina_ai/",
        "litellm infinity/",
        "litellm huggingface/",
        "litellm voyage/",
        "litellm hosted_vllm/",
    ],
    "ask_node.mjs": ["cohere-ai CohereClientV2", "cohere-ai CohereClient", "@ai-sdk/cohere"],
}
REFUSED = {
    "ask_cohere.py": ["top_n: Input should be greater than or equal to 1", "a key is needed"],
    "ask_llamaindex.py": ["a key is needed"],
    "ask_haystack.py": ["a key is needed"],
}
"""What a client says of each request that is refused."""
QUIET = {"HAYSTACK_TELEMETRY_ENABLED": "False", "LANGSMITH_TRACING": "false"}


def addresses(url: str) -> dict[str, str]:
    """The addresses of the table in docs/api.md, by client."""
    table = PAGE.read_text("utf-8").partition("| client | parameter | address |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([^`]+)` \|[^|]*\| `([^`]+)` \|$", table, re.MULTILINE)
    return {client: address.replace("http://127.0.0.1:8000", url) for client, address in rows}


def test_every_row_of_the_table_of_clients_is_tried() -> None:
    assert set(addresses("")) == {client for clients in CLIENTS.values() for client in clients}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory):
    """Address and key of a service without an archive."""
    folder = tmp_path_factory.mktemp("served")
    key = add_key(folder / "keys.json", "client", KeyScope.READ)
    settings = QUICK | {"api_keys": str(folder / "keys.json"), "timeout_s": "280"}
    process = ServiceProcess(folder / "log", "--archive", str(folder / "archive"), **settings)
    yield process.wait_serving().url, key
    process.kill()


def interpreter(request: pytest.FixtureRequest, program: str) -> list[str]:
    """What runs a program that asks; a script of Node looks for modules where it lies itself."""
    if program.endswith(".py"):
        return [request.getfixturevalue("python"), str(HERE / program)]
    script = request.getfixturevalue("node") / program
    shutil.copy(HERE / program, script)
    return ["node", str(script)]


@pytest.mark.parametrize("program", CLIENTS)
def test_a_client_gets_the_two_best_texts_with_their_scores(request, served, program) -> None:
    url, key = served
    asked = {"query": QUERY, "documents": TEXTS, "top_n": 2}
    answer = httpx2.post(
        f"{url}/v2/rerank", json=asked, headers={"Authorization": f"Bearer {key}"}, timeout=280
    )
    expected = [[each["index"], each["relevance_score"]] for each in answer.json()["results"]]
    own = {"ADDRESSES": json.dumps(addresses(url)), "QUERY": QUERY, "TEXTS": json.dumps(TEXTS)}
    line = [*interpreter(request, program), key]
    ran = subprocess.run(line, capture_output=True, text=True, env={**os.environ, **QUIET, **own})
    assert ran.returncode == 0, ran.stderr
    lines = [json.loads(each) for each in ran.stdout.splitlines() if each.startswith('{"client"')]
    answered = [each for each in lines if "found" in each]
    assert [each["client"] for each in answered] == CLIENTS[program]
    for each in answered:
        assert [place for place, _ in each["found"]] == [place for place, _ in expected]
        for (_, score), (_, right) in zip(each["found"], expected, strict=True):
            assert score == pytest.approx(right, rel=1e-4)
    reasons = [each["refused"] for each in lines if "refused" in each]
    for reason, told in zip(reasons, REFUSED.get(program, []), strict=True):
        assert told in reason
