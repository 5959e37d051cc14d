"""What `rostrum opensearch` says where it cannot work."""

import pytest

from opensearch import Connection
from opensearch.pipeline import parts
from opensearch.pipeline.installation import Installation
from opensearch.pipeline.plan import Plan
from opensearch.server import Server
from rostrum.cli import run
from rostrum_core.errors import StoreError


def node(**processors: list[str]) -> dict:
    known = {kind: [{"type": name} for name in names] for kind, names in processors.items()}
    return {"nodes": {"a": {"name": "node-1", "search_pipelines": known}}}


def test_a_node_without_the_plugins_is_named_with_what_it_lacks(serve) -> None:
    answers = {
        "/": {"version": {"number": "3.6.0", "distribution": "opensearch"}},
        "/_nodes/search_pipelines": node(
            request_processors=["oversample"],
            phase_results_processors=["score-ranker-processor"],
            response_processors=["rerank", "truncate_hits"],
        ),
    }
    url = serve(lambda request: (200, answers.get(request.path, [{"component": "opensearch-knn"}])))
    with pytest.raises(StoreError, match=r"node-1 .* lacks the processors ml_inference: .*opensearch-ml"):
        Installation(Server(Connection(url)), Plan()).list_changes()


def test_a_command_without_a_cluster_says_what_to_set(capfd, monkeypatch) -> None:
    monkeypatch.delenv("ROSTRUM_OPENSEARCH_URL", raising=False)
    for command in (["install", "--yes"], ["status"], ["uninstall"]):
        assert run(["opensearch", *command]) == 2
        assert "ROSTRUM_OPENSEARCH_URL" in capfd.readouterr().err


def test_a_variable_that_is_not_set_is_no_key(capfd, monkeypatch) -> None:
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", "http://127.0.0.1:1")
    monkeypatch.delenv("RERANK_KEY", raising=False)
    assert run(["opensearch", "install", "--key-from", "RERANK_KEY"]) == 2
    assert "RERANK_KEY is not set" in capfd.readouterr().err


def test_a_language_that_the_ranker_does_not_read_is_refused(capfd) -> None:
    assert run(["opensearch", "install", "--language", "de"]) == 2
    assert "'de' is not 'en'" in capfd.readouterr().err


NODE = {"/": {"version": {"number": "3.6.0", "distribution": "opensearch"}}}
USED = "1 models are still using this connector, please delete or update the models first: [model]"


MODEL = {"_id": "model", "_source": {"connector_id": "connector"}}


@pytest.fixture
def remove(serve, monkeypatch):
    """Removes a connector whose removal is refused twice.

    Searches show the model as in `shown`, and it is there until it was removed `lives` times.
    """

    def act(shown, lives):
        refused, removed = [USED, USED], []

        def answer(request):
            if request.command == "DELETE":
                removed.append(request.path.removeprefix("/_plugins/_ml/"))
                if removed[-1] == "connectors/connector" and refused:
                    return 409, {"error": {"type": "status_exception", "reason": refused.pop()}}
            if request.path.endswith("_search"):
                return 200, {"hits": {"hits": shown.pop(0) if "models" in request.path else []}}
            if request.command == "GET" and request.path.endswith("models/model"):
                is_gone = removed.count("models/model") == lives
                return (
                    (404, {"error": {"type": "x", "reason": "Failed to find model"}})
                    if is_gone
                    else (200, {})
                )
            return 200, NODE.get(request.path, [{"component": "opensearch-knn"}])

        monkeypatch.setattr(parts, "PAUSE_S", 0.0)
        parts.remove_connector(Server(Connection(serve(answer))), "connector")
        assert (shown, refused) == ([], [])
        return removed

    return act


def test_a_connector_is_removed_once_searches_show_how_its_models_are(remove) -> None:
    """As on a busy cluster: its first search does not show the new model yet, and its last still shows it."""
    removed = remove([[], [MODEL], [MODEL]], lives=1)
    assert removed == ["connectors/connector", "models/model", *["connectors/connector"] * 2]


def test_a_model_that_is_written_anew_while_it_is_removed_is_removed_again(remove) -> None:
    """Our search does not show it any more, but the refusal names it, and it can be read."""
    removed = remove([[MODEL], [], []], lives=2)
    assert removed == [*["models/model", "connectors/connector"] * 2, "connectors/connector"]


def test_another_refusal_to_remove_a_connector_is_an_error_at_once(serve) -> None:
    def answer(request):
        if request.command == "DELETE":
            return 403, {"error": {"type": "status_exception", "reason": "not allowed"}}
        if request.path.endswith("_search"):
            return 200, {"hits": {"hits": []}}
        return 200, NODE.get(request.path, [{"component": "opensearch-knn"}])

    with pytest.raises(StoreError, match="not allowed"):
        parts.remove_connector(Server(Connection(serve(answer))), "connector")
