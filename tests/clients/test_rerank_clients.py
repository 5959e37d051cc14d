"""The clients of Cohere, LangChain, LlamaIndex and Haystack, unchanged, against a real service.

They need versions of their own of what we use too, and 430 MB: `make check-clients` gives them an environment
and names its Python in CLIENTS_PYTHON.
"""

import json
import os
import subprocess
from pathlib import Path

import httpx2
import pytest

from rostrum.api.edge.keys import KeyScope, add_key
from tools.service_process import ServiceProcess

from .drafts import QUERY, TEXTS

HERE = Path(__file__).parent
CLIENTS = {
    "ask_cohere.py": ["v2", "v1"],
    "ask_langchain.py": ["compressor"],
    "ask_llamaindex.py": ["cohere", "jina", "tei"],
    "ask_haystack.py": ["cohere", "jina", "tei"],
}
REFUSED = {
    "ask_cohere.py": ["top_n: Input should be greater than or equal to 1", "a key is needed"],
    "ask_langchain.py": [],
    "ask_llamaindex.py": ["a key is needed"],
    "ask_haystack.py": ["a key is needed"],
}
"""What a client says of each request that is refused."""
QUIET = {"HAYSTACK_TELEMETRY_ENABLED": "False", "LANGSMITH_TRACING": "false"}


@pytest.fixture(scope="module")
def python() -> str:
    """The Python that has the clients."""
    if "CLIENTS_PYTHON" not in os.environ:
        pytest.skip("the clients are in an environment of their own: make check-clients")
    return os.environ["CLIENTS_PYTHON"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory):
    """Address and key of a service without an archive."""
    folder = tmp_path_factory.mktemp("served")
    key = add_key(folder / "keys.json", "client", KeyScope.READ)
    settings = {"api_keys": str(folder / "keys.json"), "timeout_s": "280"}
    process = ServiceProcess(folder / "log", "--archive", str(folder / "archive"), **settings)
    yield process.wait_serving().url, key
    process.kill()


@pytest.mark.parametrize("program", CLIENTS)
def test_a_client_gets_the_two_best_texts_with_their_scores(python, served, program) -> None:
    url, key = served
    asked = {"query": QUERY, "documents": TEXTS, "top_n": 2}
    answer = httpx2.post(
        f"{url}/v2/rerank", json=asked, headers={"Authorization": f"Bearer {key}"}, timeout=280
    )
    expected = [[each["index"], each["relevance_score"]] for each in answer.json()["results"]]
    line = [python, str(HERE / program), url, key]
    ran = subprocess.run(line, capture_output=True, text=True, env={**os.environ, **QUIET})
    assert ran.returncode == 0, ran.stderr
    lines = [json.loads(each) for each in ran.stdout.splitlines() if each.startswith('{"client"')]
    answered = [each for each in lines if "found" in each]
    assert [each["client"] for each in answered] == CLIENTS[program]
    for each in answered:
        assert [place for place, _ in each["found"]] == [place for place, _ in expected]
        for (_, score), (_, right) in zip(each["found"], expected, strict=True):
            assert score == pytest.approx(right, rel=1e-4)
    reasons = [each["refused"] for each in lines if "refused" in each]
    assert len(reasons) == len(REFUSED[program])
    for reason, told in zip(reasons, REFUSED[program], strict=True):
        assert told in reason
