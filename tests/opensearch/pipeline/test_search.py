"""`rostrum opensearch` end to end: a plain `_search` of a user's own index comes back reranked by us.

The tests run in their order, against one installation.
"""

import json
import shutil
import subprocess
import time

import httpx2
import pytest

from rostrum.api.routes.rerank.encoded import decode_hits
from rostrum.cli import run

from .conftest import SPEECH
from .road import SLOW_S

TITLE, LEFT = "Why a rocket to the moon is worth its price", "The president told the crowd in Houston"
DRAFT = f'{TITLE}\n{LEFT}, "quoting" \\ himself:\n'
OPTIONS = ("--text-field", "body", "--id-field", "number", "--timeout-s", "120", "--connect-timeout-s", "5")


@pytest.fixture
def rostrum(ml_url, key_file, monkeypatch, capfd):
    """Runs `rostrum opensearch` with the key in a variable; exit code, standard output and error."""
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", ml_url)
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_TIMEOUT_S", "60")
    monkeypatch.setenv("RERANK_KEY", key_file[1])

    def act(*arguments: str):
        capfd.readouterr()
        code = run(["opensearch", *arguments])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return act


@pytest.fixture
def install(rostrum, road):
    """Installs for the user's index, with more options where they are told."""

    def act(*more: str):
        return rostrum("install", "--address", road.url, *OPTIONS, "--key-from", "RERANK_KEY", "--yes", *more)

    return act


@pytest.fixture
def search(client, index):
    """The hits of a search through the pipeline, by opensearch-py."""

    def act(query=None, *, size=3, text=DRAFT, **more):
        body = {"size": size, "query": query or {"match": {"body": "moon space"}}, **more}
        if text is not None:
            body["ext"] = {"ml_inference": {"query_text": text}}
        found = client.search(index=index, body=body, params={"search_pipeline": "rostrum"})
        return found["hits"]["hits"]

    return act


@pytest.fixture
def plain(client, index):
    """The ids of the hits of a search without the pipeline."""

    def act(query=None, *, size=3):
        query = query or {"match": {"body": "moon space"}}
        return ids(client.search(index=index, body={"size": size, "query": query})["hits"]["hits"])

    return act


@pytest.fixture
def recommended(service_process, key_file):
    """Return the recommendations of all paragraphs of the speech by number, in the order of `final`."""
    asked = {
        "title": TITLE,
        "left": DRAFT.partition("\n")[2],
        "filter": {"documents": [SPEECH]},
        "limit": 100,
    }
    headers = {"Authorization": f"Bearer {key_file[1]}"}
    answer = httpx2.post(
        f"{service_process.url}/v1/recommend", json=asked, headers=headers, timeout=280
    ).json()
    assert answer["degraded"] == []
    ranked = sorted(answer["recommendations"], key=lambda each: -each["scores"]["final"])
    return {str(each["paragraph"]["ordinal"]): each for each in ranked}


def ids(hits) -> list[str]:
    return [hit["_id"] for hit in hits]


@pytest.fixture(scope="module", autouse=True)
def before(client) -> dict:
    """What the cluster holds before the first installation."""
    return registered(client)


def registered(client) -> dict:
    """All that an installation may leave in a cluster."""
    kinds = ("connectors", "models", "model_groups", "tasks")
    counts = {
        kind: client.http.post(f"/_plugins/_ml/{kind}/_search", body=ALL)["hits"]["hits"] for kind in kinds
    }
    settings = client.cluster.get_settings(params={"flat_settings": "true"})
    return counts | {"pipelines": pipelines(client), "settings": settings}


def settled(client, within_s: float = 60.0) -> dict:
    """Read what is registered until no task is left and nothing changes; searches see a change later."""
    until, seen = time.monotonic() + within_s, registered(client)
    while True:
        time.sleep(1.5)  # longer than the plug-in's indexes take to show a change
        last, seen = seen, registered(client)
        states = {task["_source"]["state"] for task in seen["tasks"]}
        if (seen == last and not states & {"CREATED", "RUNNING"}) or time.monotonic() > until:
            return seen


ALL = {"size": 100, "query": {"match_all": {}}}


def pipelines(client) -> dict:
    return client.http.get("/_search/pipeline", params={"ignore": 404})


def test_what_changes_is_told_and_done_only_where_that_is_allowed(rostrum, road, client, before) -> None:
    code, _, printed = rostrum("install", "--address", road.url, *OPTIONS, "--key-from", "RERANK_KEY")
    assert code == 2
    assert "trusted_connector_endpoints_regex" in printed
    assert "private_ip_enabled" in printed
    assert "--yes" in printed
    assert registered(client) == before


def test_it_installs_and_says_that_opensearch_gets_an_answer(install, client) -> None:
    code, printed, done = install()
    assert code == 0, printed + done
    assert [line[:4] for line in printed.splitlines()] == ["ok  "] * 5
    assert "route: answered OpenSearch in" in printed
    settings = client.cluster.get_settings(params={"flat_settings": "true"})["persistent"]
    trusted = settings["plugins.ml_commons.trusted_connector_endpoints_regex"]
    assert r"^https://api\.openai\.com/.*$" in trusted  # what was trusted before still is


def test_installing_twice_changes_nothing(install, client) -> None:
    before = settled(client)
    code, _, done = install()
    assert code == 0
    assert "nothing: all was there" in done
    assert settled(client) == before


def test_a_model_that_is_not_deployed_any_more_is_by_installing_again(install, client, before) -> None:
    install()
    ours = [each for each in registered(client)["models"] if each not in before["models"]]
    [model_id] = [each["_id"] for each in ours]
    client.transport.perform_request("POST", f"/_plugins/_ml/models/{model_id}/_undeploy")
    code, printed, done = install()
    assert code == 0, printed + done
    assert "done: model" in done
    assert "ok  model: deployed" in printed


def test_the_key_is_in_the_connector_s_credential_only(client, key_file, road) -> None:
    assert key_file[1] not in json.dumps(registered(client))
    assert key_file[1] not in json.dumps(road.requests)


def test_a_wrong_key_is_told_and_replaced(
    install, search, plain, key_file, monkeypatch, client, before
) -> None:
    monkeypatch.setenv("RERANK_KEY", "wrong")
    assert "nothing: all was there" in install()[2]  # the key that is there is kept
    code, printed, done = install("--new-key")
    assert (code, "done: connector" in done) == (1, True)
    assert "bad route" in printed
    assert ids(search()) == plain()
    monkeypatch.setenv("RERANK_KEY", key_file[1])
    assert install("--new-key")[0] == 0
    assert [len(registered(client)[kind]) - len(before[kind]) for kind in ("connectors", "models")] == [1, 1]


def test_scores_spans_and_order_are_those_of_a_recommendation(search, recommended) -> None:
    hits = search({"match_all": {}}, size=100)
    assert len(hits) == len(recommended) == 33
    assert ids(hits) == list(recommended)
    for hit in hits:
        expected, found = recommended[hit["_id"]], hit["_source"]["rostrum"]
        assert found["score"] == pytest.approx(expected["scores"]["model"], abs=1e-4)
        assert hit["_score"] == pytest.approx(found["score"], abs=1e-5)
        span = expected["cut"]  # the model's own, before it is mended for print
        assert (found["start"], found["end"]) == (span["start_char"], span["end_char"])
        assert found["span"] == hit["_source"]["body"][found["start"] : found["end"]]
        assert str(found["id"]) == hit["_id"]


def test_the_hits_of_the_search_are_ranked_and_no_more(search, plain, recommended, road) -> None:
    candidates = plain(size=3)
    road.requests.clear()
    hits = search(size=3)
    assert ids(hits) == [each for each in recommended if each in candidates]
    [request] = road.requests
    assert request["timeout_ms"] == 120_000
    sent = decode_hits(request["encoded"])
    assert sent["query"] == DRAFT
    assert sorted(map(str, sent["ids"])) == sorted(candidates)
    assert [hit["_source"]["body"] for hit in sorted(hits, key=lambda hit: candidates.index(hit["_id"]))] == (
        sent["documents"]
    )
    assert all(isinstance(hit["_source"]["previous_score"], float) for hit in hits)


@pytest.mark.parametrize(
    "query",
    [
        {"knn": {"vector": {"vector": [1.0, 5.0], "k": 20}}},
        {"hybrid": {"queries": [{"match": {"body": "moon"}}, {"match_phrase": {"body": "we choose"}}]}},
    ],
    ids=["knn", "hybrid"],
)
def test_other_queries_are_reranked_too(search, recommended, query) -> None:
    found = ids(search(query, size=3))
    assert len(found) == 3
    assert found == [each for each in recommended if each in found]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_gets_the_same_hits(ml_url, index, search) -> None:
    body = {
        "size": 3,
        "query": {"match": {"body": "moon space"}},
        "ext": {"ml_inference": {"query_text": DRAFT}},
    }
    line = [
        "curl",
        "-s",
        f"{ml_url}/{index}/_search?search_pipeline=rostrum",
        "-H",
        "Content-Type: application/json",
    ]
    ran = subprocess.run([*line, "-d", json.dumps(body)], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["hits"]["hits"] == search(size=3)


def test_a_search_that_names_no_draft_comes_back_as_it_was(search, plain) -> None:
    assert ids(search(text=None)) == plain()


def test_a_hit_that_lacks_both_fields_comes_last(client, index, search, recommended) -> None:
    client.index(index=index, id="none", body={}, params={"refresh": "true"})
    try:
        found = search({"match_all": {}}, size=50)
    finally:
        client.delete(index=index, id="none", params={"refresh": "true"})
    assert ids(found) == [*recommended, "none"]
    assert "id" not in found[-1]["_source"]["rostrum"]


@pytest.mark.parametrize("source", [["body"], {"excludes": ["number"]}])
def test_a_search_that_leaves_out_the_id_field_is_ranked(search, recommended, source) -> None:
    found = search({"match_all": {}}, size=50, _source=source)
    assert ids(found) == list(recommended)


def test_no_hits_are_no_error(search) -> None:
    assert search({"match": {"body": "zeppelin"}}) == []


@pytest.mark.parametrize("fault", ["error", "junk", "other", "short"])
def test_a_route_that_answers_wrongly_leaves_the_hits_as_they_were(search, plain, road, fault) -> None:
    road.fault = fault
    try:
        found = ids(search())
    finally:
        road.fault = "none"
    assert found == plain()


def test_an_address_that_is_asked_no_more_is_trusted_no_more(install, service_process, road, client) -> None:
    def trusted() -> list[str]:
        persistent = client.cluster.get_settings(params={"flat_settings": "true"})["persistent"]
        return persistent["plugins.ml_commons.trusted_connector_endpoints_regex"]

    first = trusted()
    assert install("--address", service_process.url)[0] == 0
    ours = [each for each in trusted() if "rerank/opensearch" in each]
    assert len(ours) == 1
    assert service_process.url.rpartition(":")[2] in ours[0]
    assert install()[0] == 0
    assert trusted() == first


def test_another_plan_takes_the_place_of_the_one_before(
    install, rostrum, client, search, road, before
) -> None:
    code, printed, _ = rostrum("install", "--address", road.url, *OPTIONS[:4], "--timeout-s", "1")
    assert (code, printed) == (2, "")  # the connector is replaced, and nobody tells its key
    code, printed, done = install("--timeout-s", "1")
    assert code == 0, printed + done
    assert "done: connector" in done
    assert [len(registered(client)[kind]) - len(before[kind]) for kind in ("connectors", "models")] == [1, 1]
    road.requests.clear()
    assert len(search(size=4)) == 4
    assert road.requests[0]["timeout_ms"] == 1000


def test_a_route_that_is_slow_leaves_the_hits_as_they_were_when_the_time_is_up(search, plain, road) -> None:
    road.fault = "slow"
    began = time.monotonic()
    try:
        found = ids(search())
    finally:
        road.fault = "none"
    assert found == plain()
    assert time.monotonic() - began < SLOW_S


def test_a_second_pipeline_keeps_working_when_the_first_is_removed(install, rostrum, client) -> None:
    assert install("--pipeline", "second")[0] == 0
    assert rostrum("uninstall")[0] == 0
    assert list(pipelines(client)) == ["second"]
    code, printed, _ = rostrum("status", "--pipeline", "second")
    assert code == 0, printed
    assert install()[0] == 0
    assert rostrum("uninstall", "--pipeline", "second")[0] == 0


def test_a_pipeline_of_somebody_else_is_left_alone(install, rostrum, client) -> None:
    theirs = {"response_processors": [{"truncate_hits": {"target_size": 5}}]}
    client.http.put("/_search/pipeline/theirs", body=theirs)
    for code, _, printed in (install("--pipeline", "theirs"), rostrum("uninstall", "--pipeline", "theirs")):
        assert code == 2
        assert "not Rostrum's" in printed
    assert pipelines(client)["theirs"] == theirs
    client.http.delete("/_search/pipeline/theirs")


def test_a_service_that_was_killed_leaves_the_hits_as_they_were(
    search, plain, service_process, rostrum
) -> None:
    service_process.kill()
    assert ids(search()) == plain()
    code, printed, _ = rostrum("status")
    assert code == 1
    assert "bad route" in printed


def test_uninstalling_leaves_nothing(rostrum, client, plain, before) -> None:
    code, _, done = rostrum("uninstall")
    assert code == 0
    assert "removed: pipeline" in done
    assert settled(client) == before
    assert len(plain()) == 3
    code, printed, _ = rostrum("status")
    assert code == 1
    assert "not installed" in printed
    assert "nothing: there was none" in rostrum("uninstall")[2]
