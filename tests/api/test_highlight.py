"""`/v1/highlight/opensearch`: ranges of whole sentences, counted as Java counts."""

import base64
import json

import pytest

QUESTION = "Why should we go to the moon?"
TEXT = "We met in Houston 🎉. We choose to go to the moon because it is hard 👩🏽‍🚀. It rained."


def ask(client, **form):
    response = client.post("/v1/highlight/opensearch", json=form)
    assert response.status_code == 200, response.text
    assert response.json()["type"] == "semantic"
    return response.json()["highlights"]


def cut(text, ranges):
    """The ranges of a text as Java cuts them: by UTF-16 code units."""
    units = text.encode("utf-16-le", "surrogatepass")
    return [units[2 * row["start"] : 2 * row["end"]].decode("utf-16-le") for row in ranges]


def test_the_sentence_that_answers_is_cut_as_java_cuts_it(client) -> None:
    assert cut(TEXT, ask(client, question=QUESTION, context=TEXT)) == [
        "We choose to go to the moon because it is hard 👩🏽‍🚀."
    ]


def test_each_of_several_inputs_has_ranges_in_order_that_do_not_overlap(client) -> None:
    long = "We go to the moon. 🌕 The moon is far. " * 400
    contexts = [TEXT, "", "   ", "moon", long, "e\u0301 We went to the moon e\u0301. No."]
    highlights = ask(client, inputs=[{"question": QUESTION, "context": text} for text in contexts])
    assert len(highlights) == len(contexts)
    assert highlights[1] == highlights[2] == []
    for text, ranges in zip(contexts, highlights, strict=True):
        ends = [0, *(row["end"] for row in ranges)]
        assert all(end <= row["start"] < row["end"] for end, row in zip(ends, ranges, strict=False))
        assert ends[-1] <= len(text.encode("utf-16-le")) // 2
    assert cut(contexts[5], highlights[5])[0].endswith("e\u0301.")


def test_what_the_connector_encodes_is_the_same_request(client) -> None:
    pack = lambda text: base64.b64encode(text.encode()).decode()  # noqa: E731
    alone = ask(client, encoded={"question": pack(QUESTION), "context": pack(TEXT), "inputs": ""})
    assert alone == ask(client, question=QUESTION, context=TEXT)
    inputs = json.dumps([{"question": QUESTION, "context": TEXT}])
    assert ask(client, encoded={"question": "", "context": "", "inputs": pack(inputs)}) == [alone]


def test_a_request_without_a_question_or_a_text_has_no_highlights(client) -> None:
    assert ask(client, question="unified") == []
    assert ask(client, context=TEXT) == []
    assert ask(client, inputs=[]) == []


def test_a_model_that_does_not_answer_in_time_costs_the_highlights_alone(client, monkeypatch) -> None:
    monkeypatch.setattr("rostrum.api.routes.highlight.SHARE", -1.0)
    assert ask(client, question=QUESTION, context=TEXT) == []
    assert ask(client, inputs=[{"question": QUESTION, "context": TEXT}]) == [[]]


@pytest.mark.parametrize(
    "form", [{"encoded": {}}, {"encoded": {"question": "%", "context": "", "inputs": ""}}, {"inputs": [{}]}]
)
def test_what_no_highlighter_sends_is_refused(client, form) -> None:
    assert client.post("/v1/highlight/opensearch", json=form).status_code == 422
