"""The ranker in the forms of Cohere, Jina, text-embeddings-inference and OpenSearch."""

import base64
import json
import math
import time
from copy import copy
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from jobs.rerank.job import parse_query, rerank
from rostrum.api.app import TEXTS, make_app
from rostrum.api.edge.capacity import Capacity
from rostrum.api.routes.drafts import LONGEST_TEXT
from rostrum.api.routes.rerank import texts as rerank_texts
from rostrum.api.routes.rerank.texts import MOST_TEXTS
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings

from .conftest import LOOPBACK, PATIENCE_S

QUERY = "Why a rocket to the moon is worth its price\nThe president told the crowd in Houston"
TEXTS_SENT = [
    "Four score and seven years ago our fathers brought forth a new nation.",
    "We choose to go to the moon in this decade and do the other things.",
    "",
    "Ask not what your country can do for you.",
]
COHERE = ["/v1/rerank", "/v2/rerank", "/rerank"]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A service without an archive: none is needed."""
    folder = tmp_path_factory.mktemp("none")
    return assemble(replace(read_settings({}), archive=folder, timeout_s=PATIENCE_S))


@pytest.fixture(scope="module")
def client(service):
    with TestClient(make_app(service), base_url=LOOPBACK) as client:
        yield client


@pytest.fixture(scope="module")
def judged(service):
    """What the ranker says of the texts: their scores and spans."""
    runner, models = service.runner, service.models
    return rerank(parse_query(QUERY), TEXTS_SENT, runner=runner, models=models, timeout_s=PATIENCE_S).texts


@pytest.fixture(scope="module")
def order(judged):
    return sorted(range(4), key=lambda i: -judged[i].score)


def logistic(score: float) -> float:
    return 1 / (1 + math.exp(-score))


@pytest.mark.parametrize("path", COHERE)
def test_documents_come_in_the_order_of_merit_with_scores_and_spans(client, judged, order, path) -> None:
    answer = client.post(path, json={"model": "any", "query": QUERY, "documents": TEXTS_SENT}).json()
    assert answer.keys() == {"id", "model", "results", "usage", "meta"}
    assert [each["index"] for each in answer["results"]] == order
    assert order[-1] == 2  # the text without words
    for each in answer["results"]:
        found = judged[each["index"]]
        assert each["relevance_score"] == pytest.approx(logistic(found.score), rel=1e-4)
        assert 0 <= each["relevance_score"] <= 1
        if found.span is None:
            assert each.keys() == {"index", "relevance_score"}
        else:
            span = {"start_char": found.span.start_char, "end_char": found.span.end_char}
            assert each["span"] == span
    assert answer["meta"]["api_version"]["version"] == ("2" if path == "/v2/rerank" else "1")
    assert isinstance(answer["usage"]["total_tokens"], int)


def test_a_document_may_be_an_object_and_comes_back_where_it_is_asked_for(client, order) -> None:
    documents = [{"text": text, "more": 1} for text in TEXTS_SENT]
    asked = {"query": QUERY, "documents": documents, "top_n": 2, "return_documents": True}
    results = client.post("/v1/rerank", json=asked).json()["results"]
    assert [each["index"] for each in results] == order[:2]
    assert [each["document"] for each in results] == [documents[i] for i in order[:2]]


def test_what_the_originals_take_is_taken(client) -> None:
    asked = {"query": QUERY, "documents": ["a"], "rank_fields": ["text"], "priority": 0, "top_n": None}
    asked |= {"max_chunks_per_doc": 10, "truncation": True, "return_embeddings": False}
    assert client.post("/v1/rerank", json=asked).status_code == 200


@pytest.mark.parametrize("path", [*COHERE, "/jina/v1/rerank", "/infinity/rerank", "/voyage/v1/rerank"])
@pytest.mark.parametrize("field", ["topn", "retrun_documents", "texts", "top_k"])
def test_a_field_that_the_original_does_not_have_is_refused(client, path, field) -> None:
    if (path, field) == ("/voyage/v1/rerank", "top_k"):
        pytest.skip("Voyage has it")
    answer = client.post(path, json={"query": QUERY, "documents": ["a"], field: 1})
    assert answer.status_code == 422
    assert f"{field}: there is no such field" in answer.json()["message"]


def test_texts_that_are_to_be_cut_at_their_start_are_refused(client) -> None:
    asked = {"query": QUERY, "texts": ["a"], "truncation_direction": "Left"}
    assert client.post("/rerank", json=asked).status_code == 422
    assert client.post("/rerank", json=asked | {"truncation_direction": "Right"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "more", "returned"),
    [
        ("/v1/rerank", {}, False),
        ("/v2/rerank", {}, False),
        ("/v1/rerank", {"model": "jina-reranker-v2-base-multilingual"}, True),
        ("/v1/rerank", {"model": "jina-reranker-v2-base-multilingual", "return_documents": False}, False),
        ("/jina/v1/rerank", {}, True),
        ("/jina/v1/rerank", {"return_documents": False}, False),
        ("/v2/rerank", {"return_documents": True}, True),
    ],
)
def test_documents_come_back_as_the_original_has_it(client, path, more, returned) -> None:
    result = client.post(path, json={"query": QUERY, "documents": ["a"]} | more).json()["results"][0]
    assert ("document" in result) is returned
    assert not returned or result["document"] == {"text": "a"}


def test_the_search_that_clients_count_is_there(client) -> None:
    meta = client.post("/v2/rerank", json={"query": QUERY, "documents": ["a"]}).json()["meta"]
    assert meta == {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}}


def test_infinity_and_voyage_get_their_own_answers(client, order) -> None:
    asked = {"query": QUERY, "documents": TEXTS_SENT, "return_documents": True}
    infinity = client.post("/infinity/rerank", json=asked | {"top_n": 2}).json()
    assert [each["index"] for each in infinity["results"]] == order[:2]
    assert [each["document"] for each in infinity["results"]] == [TEXTS_SENT[i] for i in order[:2]]
    voyage = client.post("/voyage/v1/rerank", json=asked | {"top_k": 2}).json()
    assert voyage["data"] == infinity["results"]
    assert voyage["usage"]["total_tokens"] > 0


@pytest.mark.parametrize("path", ["//rerank", "/rerank/", "/v1/rerank/", "/v1//rerank", "//v2/rerank//"])
def test_a_slash_too_many_is_passed_over(client, path) -> None:
    asked = {"query": QUERY, "texts" if "v" not in path else "documents": ["a"]}
    assert client.post(LOOPBACK + path, json=asked).status_code == 200


@pytest.mark.parametrize("path", ["/", "/v1", "/v3/rerank", "/v1/recommend/x"])
def test_who_posts_to_a_wrong_address_reads_so_where_its_client_looks(client, path) -> None:
    answer = client.post(path, json={"query": QUERY, "documents": ["a"]})
    assert answer.status_code in (404, 405)
    assert answer.json()["detail"] == answer.json()["message"] == answer.json()["error"]["message"]


def test_fewer_documents_than_top_n_are_all_returned(client) -> None:
    answer = client.post("/v1/rerank", json={"query": QUERY, "documents": ["a", "b"], "top_n": 99})
    assert len(answer.json()["results"]) == 2


@pytest.mark.parametrize(("path", "name"), [("/v1/rerank", "documents"), ("/rerank", "texts")])
def test_nothing_to_rank_is_an_empty_list(client, path, name) -> None:
    answer = client.post(path, json={"query": QUERY, name: []}).json()
    assert (answer if name == "texts" else answer["results"]) == []


def test_texts_are_answered_as_a_bare_list_sorted_by_score(client, judged, order) -> None:
    answer = client.post("/rerank", json={"query": QUERY, "texts": TEXTS_SENT}).json()
    assert [each["index"] for each in answer] == order
    for each in answer:
        assert each.keys() == {"index", "score"}
        assert each["score"] == pytest.approx(logistic(judged[each["index"]].score), rel=1e-4)


def test_raw_scores_are_logits_and_texts_come_back_where_they_are_asked_for(client, judged, order) -> None:
    asked = {"query": QUERY, "texts": TEXTS_SENT, "raw_scores": True, "return_text": True, "truncate": True}
    answer = client.post("/rerank", json=asked).json()
    assert [each["text"] for each in answer] == [TEXTS_SENT[i] for i in order]
    for each in answer:
        assert each["score"] == pytest.approx(judged[each["index"]].score, abs=1e-4)


def test_the_first_line_of_a_query_is_the_title(client, service) -> None:
    title, left = QUERY.split("\n")
    expected = service.runner.run(
        "rank",
        [rank_payload(service, title, left)],
        timeout_s=PATIENCE_S,
    )[0]["scores"][0]
    asked = {"query": QUERY, "texts": TEXTS_SENT[1:2], "raw_scores": True}
    [found] = client.post("/rerank", json=asked).json()
    assert found["score"] == pytest.approx(float(expected), abs=1e-4)
    one_line = client.post("/rerank", json={**asked, "query": QUERY.replace("\n", " ")}).json()
    assert one_line[0]["score"] != pytest.approx(float(expected), abs=1e-4)


def rank_payload(service, title: str, left: str) -> dict:
    from workers.runner.payloads import join_tokens

    pieces = service.models.wordpieces
    return {
        "query": pieces.tokenise_query(title, left),
        "texts": TEXTS_SENT[1:2],
        "tokens": join_tokens(pieces.tokenise(TEXTS_SENT[1:2])),
    }


def test_a_lone_surrogate_in_a_document_is_read_as_a_question_mark(client) -> None:
    body = json.dumps({"query": QUERY, "texts": ["moon \ud800", "moon ?"], "raw_scores": True})
    answer = client.post("/rerank", content=body, headers={"content-type": "application/json"}).json()
    assert answer[0]["score"] == pytest.approx(answer[1]["score"], abs=1e-4)


@pytest.mark.parametrize(
    ("path", "sent", "read_text"),
    [
        ("/rerank", {"texts": ["moon \ud800"], "return_text": True}, lambda answer: answer[0]["text"]),
        (
            "/v2/rerank",
            {"documents": [{"text": "moon \ud800"}], "return_documents": True},
            lambda answer: answer["results"][0]["document"]["text"],
        ),
        (
            "/v1/rerank/opensearch",
            {"documents": [None], "ids": [{"\udc00": ["moon \ud800"]}]},
            lambda answer: answer["results"][0]["id"]["?"][0],
        ),
        (
            "/v1/rerank/opensearch",
            {"documents": ["\ud800"]},
            lambda answer: answer["results"][0]["span"].replace("?", "moon ?"),
        ),
    ],
)
def test_a_lone_surrogate_comes_back_as_a_question_mark(client, path, sent, read_text) -> None:
    body = json.dumps({"query": QUERY, **sent})
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200
    assert read_text(answer.json()) == "moon ?"


def test_ids_within_ids_within_ids_come_back_or_are_refused(client) -> None:
    for depth in (1, 90, *range(95, 105), 250, 400):
        body = f'{{"query": "moon", "documents": [null], "ids": [{"[" * depth}{"]" * depth}]}}'
        answer = client.post(
            "/v1/rerank/opensearch", content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code in ((200,) if depth <= 90 else (200, 413)), depth
    assert answer.status_code == 413


@pytest.mark.parametrize("path", COHERE)
@pytest.mark.parametrize("body", ["[]", '"x"', "5"])
def test_a_body_that_is_no_object_names_no_field(client, path, body) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["message"].startswith("an object of JSON is expected")


@pytest.mark.parametrize("path", COHERE)
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"documents": ["a", 5]}, "documents.1"),
        ({"documents": ["a", {"n": 1}]}, "documents.1"),
        ({"documents": ["a", None]}, "documents.1"),
        ({"documents": "a"}, "documents"),
        ({"documents": ["a"] * (MOST_TEXTS + 1)}, "documents"),
        ({"top_n": 0}, "top_n"),
        ({"top_n": -1}, "top_n"),
        ({"top_n": "2"}, "top_n"),
        ({"max_tokens_per_doc": 0}, "max_tokens_per_doc"),
        ({"query": ""}, "query"),
        ({"query": 5}, "query"),
        ({"query": "x" * (LONGEST_TEXT + 1)}, "query"),
    ],
)
def test_bad_input_is_told_where_clients_of_cohere_jina_and_tei_look(client, path, wrong, field) -> None:
    body = json.dumps({"query": QUERY, "documents": ["a"], **wrong})
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    error = answer.json()
    assert field in error["message"]
    assert error["detail"] == error["message"]
    if path == "/rerank":
        assert (error["error"], error["error_type"]) == (error["message"], "Validation")
    else:
        assert error["error"]["field"] == field


@pytest.mark.parametrize(
    "asked",
    [
        {"query": QUERY},
        {"query": QUERY, "texts": ["a", None]},
        {"query": QUERY, "texts": ["a"] * (MOST_TEXTS + 1)},
        {"query": " ", "texts": ["a"]},
        {"query": QUERY, "texts": ["moon " * 5000], "truncate": False},
    ],
)
def test_a_bad_request_is_told_in_tei_s_shape(client, asked) -> None:
    answer = client.post("/rerank", json=asked)
    assert (answer.status_code, answer.json()["error_type"]) == (422, "Validation")
    assert isinstance(answer.json()["error"], str)


@pytest.mark.parametrize("path", COHERE)
def test_an_object_is_ranked_by_the_fields_that_are_named_in_their_order(client, path) -> None:
    objects = [{"title": "The moon", "body": text, "n": 1} for text in TEXTS_SENT]
    joined = [f"{text}\nThe moon" for text in TEXTS_SENT]
    asked = {"query": QUERY, "documents": objects, "rank_fields": ["body", "title", "author", "n"]}
    by_fields = client.post(path, json=asked).json()["results"]
    assert by_fields == client.post(path, json={"query": QUERY, "documents": joined}).json()["results"]


def test_an_object_without_a_text_is_ranked_by_all_that_it_has(client) -> None:
    objects = [{"title": "The moon", "body": "We choose to go."}]
    found = client.post("/v1/rerank", json={"query": QUERY, "documents": objects}).json()["results"]
    whole = client.post("/v1/rerank", json={"query": QUERY, "documents": ["The moon\nWe choose to go."]})
    assert found == whole.json()["results"]


@pytest.mark.parametrize("path", [*COHERE, "/v1/rerank/opensearch"])
@pytest.mark.parametrize("kind", ["text/plain", ""])
def test_what_is_not_said_to_be_json_is_not_taken_for_it(client, path, kind) -> None:
    body = json.dumps({"query": QUERY, "documents": ["a"]})
    answer = client.post(path, content=body, headers={"content-type": kind} if kind else {})
    assert answer.status_code == 415


@pytest.mark.parametrize("path", COHERE)
def test_a_body_that_is_too_large_is_refused_before_it_is_read_in_the_shape_of_the_route(
    client, path
) -> None:
    answer = client.post(path, content=b" " * (TEXTS.size_bytes + 1))
    assert answer.status_code == 413
    assert "larger than" in answer.json()["message"]


def test_too_many_requests_are_told_in_tei_s_words(client) -> None:
    full = Capacity(0, "requests", most_waiting=0, wait_s=0)
    assembly = client.app.state.assembly
    places = replace(assembly.places, ranking=full)
    client.app.state.assembly = replace(assembly, places=places)
    try:
        answer = client.post("/rerank", json={"query": QUERY, "texts": ["a"]})
    finally:
        client.app.state.assembly = assembly
    assert (answer.status_code, answer.json()["error_type"]) == (429, "Overloaded")
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("path", ["/v1/rerank", "/v1/rerank/opensearch"])
def test_a_limit_of_the_client_that_is_too_short_is_named_and_not_to_be_repeated(client, path) -> None:
    documents = ["moon " * 190] * 40  # four parts, of which the first alone takes longer
    answer = client.post(path, json={"query": QUERY, "documents": documents, "timeout_ms": 1})
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "deadline_exceeded")
    assert answer.json()["error"]["field"] == "timeout_ms"
    assert "retry-after" not in answer.headers


@pytest.mark.parametrize("path", ["/v1/rerank", "/rerank"])
def test_the_limit_of_the_service_is_named_and_worth_another_try(service, path) -> None:
    hurried = copy(service)
    hurried.settings = replace(service.settings, timeout_s=0.001)
    with TestClient(make_app(hurried), base_url=LOOPBACK) as client:
        answer = client.post(path, json={"query": QUERY, "documents": ["moon " * 190] * 40})
    assert answer.status_code == 504
    assert "this service" in answer.text
    assert answer.headers["retry-after"] == "5"


def test_a_thousand_long_texts_are_given_up_when_their_time_is_up(client) -> None:
    documents = ["the moon and the hardness of the task " * 430] * 1000  # 16 KB each
    body = json.dumps({"query": QUERY, "documents": documents, "timeout_ms": 1000})
    began = time.process_time()
    answer = client.post("/v1/rerank", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "deadline_exceeded")
    assert time.process_time() - began < 5  # of all threads; tokenising alone would take 9 s


def test_hits_get_one_result_each_in_the_order_sent(client, judged) -> None:
    asked = {"query": QUERY, "documents": TEXTS_SENT, "ids": ["a", 2, None, [4]]}
    results = client.post("/v1/rerank/opensearch", json=asked).json()["results"]
    assert [each.get("id") for each in results] == ["a", 2, None, [4]]
    for text, each, found in zip(TEXTS_SENT, results, judged, strict=True):
        assert each["score"] == pytest.approx(found.score, abs=1e-4)
        assert each["span"] == text[each["start"] : each["end"]]
        if found.span:
            assert (each["start"], each["end"]) == (found.span.start_char, found.span.end_char)
    assert results[2]["span"] == ""


def test_hits_without_a_text_have_no_words_and_the_least_score(client) -> None:
    documents = ["We choose to go.", None, 7, ["a", "b"], {"a": 1}, True, "\ud800 moon"]
    body = json.dumps({"query": QUERY, "documents": documents})
    answer = client.post("/v1/rerank/opensearch", content=body, headers={"content-type": "application/json"})
    results = answer.json()["results"]
    assert [each["score"] == -100.0 for each in results] == [False, True, True, True, True, True, False]
    assert all(isinstance(each["score"], float) for each in results)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"ids": [1, 2]}, "ids"),
        ({"documents": ["a"] * (MOST_TEXTS + 1)}, "documents"),
        ({"query": "\n"}, "query"),
        ({"text": "a"}, "text"),
    ],
)
def test_what_is_wrong_with_hits_is_told_in_our_own_shape(client, wrong, field) -> None:
    answer = client.post("/v1/rerank/opensearch", json={"query": QUERY, "documents": ["a"], **wrong})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
    assert answer.json().keys() == {"error"}


@pytest.mark.parametrize("form", ["CohereForm", "TeiForm", "HitsForm"])
def test_every_example_of_the_openapi_document_is_answered(client, form) -> None:
    path = {"CohereForm": "/v2/rerank", "TeiForm": "/rerank", "HitsForm": "/v1/rerank/opensearch"}[form]
    [example] = client.get("/openapi.json").json()["components"]["schemas"][form]["examples"]
    assert client.post(path, json=example).status_code == 200


def encode(query: str, documents: object, ids: object = None) -> dict[str, str]:
    """Return what the script of OpenSearch's connector makes of these."""
    texts = {
        "query": query,
        "documents": json.dumps(documents),
        "ids": "" if ids is None else json.dumps(ids),
    }
    return {name: base64.b64encode(text.encode()).decode() for name, text in texts.items()}


def test_encoded_hits_are_ranked_as_the_same_in_plain_json(client) -> None:
    texts = ["We choose to go to the moon. ${parameters.query}", None, "The weather was fine."]
    plain = {"query": QUERY, "documents": texts, "ids": ["a", None, 2]}
    encoded = encode(QUERY, [[texts[0]], [], [texts[2]]], [["a"], [], [2]])
    answers = [client.post("/v1/rerank/opensearch", json=body) for body in (plain, {"encoded": encoded})]
    assert answers[0].json() == answers[1].json()
    assert [each.get("id") for each in answers[1].json()["results"]] == ["a", None, 2]


def test_of_a_long_encoded_draft_title_and_end_are_read(client) -> None:
    start, end = "The moon\n", "He told the crowd in Houston:"
    documents = [["We choose to go to the moon."], ["The weather was fine."]]
    drafts = (start + "word " * 60_000 + end, start + "word " * 1_000 + end)
    bodies = [{"encoded": encode(draft, documents)} for draft in drafts]
    answers = [client.post("/v1/rerank/opensearch", json=body).json()["results"] for body in bodies]
    assert [each["score"] for each in answers[0]] == pytest.approx([each["score"] for each in answers[1]])


@pytest.mark.parametrize(
    "encoded",
    [
        "x",
        None,
        7,
        ["query"],
        {},
        {"query": "x"},
        {"query": "TW9vbg==", "documents": "!"},
        {"query": "TW9vbg==", "documents": "gICA"},
        encode("Moon", ["a"]),
        encode("Moon", [["a", "b"]]),
        encode("Moon", 5),
        encode("Moon", {"a": 1}),
        encode("Moon", [["a"]], 5),
        encode("Moon", []),
        encode("Moon", [[], []]),
        encode("Moon", [[5]]),
        encode("Moon", [["a"]]) | {"documents": base64.b64encode(b"[" * 100_000).decode()},
    ],
)
def test_what_the_connector_does_not_send_is_refused(client, encoded) -> None:
    answer = client.post("/v1/rerank/opensearch", json={"encoded": encoded})
    assert answer.status_code == 422
    assert "encoded" in answer.json()["error"]["message"]


def test_one_long_hit_takes_a_bounded_share_of_the_time(client, monkeypatch) -> None:
    read = []

    def note(*arguments, most_pieces, **options):
        read.append(most_pieces)
        return rerank(*arguments, most_pieces=most_pieces, **options)

    monkeypatch.setattr(rerank_texts, "rerank", note)
    documents = ["moon " * 500_000, *["We choose to go to the moon."] * 99]
    results = client.post("/v1/rerank/opensearch", json={"query": QUERY, "documents": documents}).json()
    assert len(results["results"]) == 100
    assert read == [200]
