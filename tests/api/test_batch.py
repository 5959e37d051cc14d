"""Several drafts in one request."""

import json

from .conftest import MOON

OVERCOME = {"left": "We shall overcome, he said to the crowd.", "limit": 1, "candidates": 3}


def untimed(answer: dict) -> dict:
    return {name: value for name, value in answer.items() if name != "timings_s"}


def post(client, path: str, body: object):
    """Sends JSON that may have lone surrogates, which the client itself cannot encode."""
    return client.post(path, content=json.dumps(body), headers={"Content-Type": "application/json"})


def test_each_draft_is_answered_as_by_itself_in_the_order_of_the_drafts(client) -> None:
    moon = MOON | {"limit": 1, "candidates": 3}
    answers = client.post("/v1/recommend/batch", json={"drafts": [OVERCOME, moon, OVERCOME]}).json()[
        "answers"
    ]
    assert [entry["error"] for entry in answers] == [None] * 3
    for entry, draft in zip(answers, [OVERCOME, moon, OVERCOME], strict=True):
        assert untimed(entry["answer"]) == untimed(client.post("/v1/recommend", json=draft).json())


def test_a_draft_that_cannot_be_answered_has_an_error_and_the_others_an_answer(client) -> None:
    nobody = OVERCOME | {"filter": {"documents": ["none"]}}
    response = client.post("/v1/recommend/batch", json={"drafts": [{}, OVERCOME, nobody]})
    assert response.status_code == 200
    empty, answered, unknown = response.json()["answers"]
    assert (empty["answer"], empty["error"]["code"]) == (None, "bad_input")
    assert len(answered["answer"]["recommendations"]) == 1
    assert unknown["error"]["field"] == "filter.documents"


def test_how_many_drafts_there_are_is_bounded(client) -> None:
    for drafts in ([], [OVERCOME] * 17):
        answer = client.post("/v1/recommend/batch", json={"drafts": drafts})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, "drafts")
    for form in ({"drafts": OVERCOME}, {"drafts": [OVERCOME], "drafs": []}):
        assert client.post("/v1/recommend/batch", json=form).status_code == 422


def test_an_invalid_draft_has_the_error_of_a_single_one_and_the_others_an_answer(client) -> None:
    invalid = [
        {"lefft": "x"},
        {"left": "a" * 300_000},
        {"left": "x", "limit": "3"},
        {"left": "x", "filter": {"speakers": "A"}},
        {"left": "x", "\ud800": 1},
        "We shall overcome",
        [],
    ]
    response = post(client, "/v1/recommend/batch", {"drafts": [*invalid, OVERCOME, None]})
    assert response.status_code == 200, response.text
    *refused, answered, absent = response.json()["answers"]
    assert len(answered["answer"]["recommendations"]) == 1
    assert (absent["answer"], absent["error"]["code"]) == (None, "bad_input")
    for entry, draft in zip(refused, invalid, strict=True):
        alone = post(client, "/v1/recommend", draft)
        assert (alone.status_code, entry["answer"]) == (422, None)
        assert {"field": None} | alone.json()["error"] == {"field": None} | entry["error"]
    assert [entry["error"].get("field") for entry in refused[:4]] == [
        "lefft",
        "left",
        "limit",
        "filter.speakers",
    ]


def test_companions_are_added_as_for_a_single_draft(client) -> None:
    choice = OVERCOME | {"limit": 3}
    drafts = [choice | {"counter": True}, choice | {"printed": "show"}, choice]
    answers = client.post("/v1/recommend/batch", json={"drafts": drafts}).json()["answers"]
    for entry, draft in zip(answers, drafts, strict=True):
        alone = client.post("/v1/recommend", json=draft).json()
        if "error" in alone:
            assert entry == {"answer": None, "error": alone["error"]}
        else:
            assert untimed(entry["answer"]) == untimed(alone)
    assert len(answers[0]["answer"]["counter"]) == 3
    assert "counter" not in answers[2]["answer"]


def test_the_description_of_a_batch_shows_the_fields_of_a_draft(client) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert schemas["BatchForm"]["properties"]["drafts"]["items"] == {
        "$ref": "#/components/schemas/RecommendForm"
    }
    assert "left" in schemas["RecommendForm"]["properties"]
