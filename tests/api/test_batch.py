"""Several drafts in one request."""

from .conftest import MOON

OVERCOME = {"left": "We shall overcome, he said to the crowd.", "limit": 1, "candidates": 3}


def untimed(answer: dict) -> dict:
    return {name: value for name, value in answer.items() if name != "timings_s"}


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
    misspelt = client.post("/v1/recommend/batch", json={"drafts": [{"lefft": "x"}]})
    assert (misspelt.status_code, misspelt.json()["error"]["field"]) == (422, "drafts.0.lefft")
