"""`/v1/evidence`: over the archive, over documents, with a heat map, and what is refused."""

import pytest

GATE = "1987-06-12-address-brandenburg-gate-berlin-wall"
WALL = "Gorbachev should open the gate and tear down the wall."


def ask(client, **form):
    return client.post("/v1/evidence", json={"claim": WALL} | form)


def test_the_sentence_that_supports_a_claim_is_the_first_of_the_archive(client) -> None:
    response = ask(client, limit=3)
    assert response.status_code == 200, response.text
    answer = response.json()
    best = answer["sentences"][0]
    assert (best["document"], best["rank"], best["speaker"]) == (GATE, 1, "Ronald Reagan")
    assert best["text"] == "Mr. Gorbachev, tear down this wall!"
    assert len(answer["sentences"]) == 3
    assert answer["heat"] == []
    assert {"evidence", "encoder", "tokenizer"} <= set(answer["models"])
    assert answer["degraded"] == []


def test_places_are_those_of_the_paragraphs_of_the_archive(client) -> None:
    paragraphs = {
        (GATE, item["ordinal"]): item for item in client.get(f"/v1/documents/{GATE}").json()["paragraphs"]
    }
    for sentence in ask(client, documents=[GATE], limit=100).json()["sentences"]:
        paragraph = paragraphs[sentence["document"], sentence["paragraph"]]
        assert paragraph["id"] == sentence["paragraph_id"]
        assert paragraph["text"][sentence["start_char"] : sentence["end_char"]] == sentence["text"]
        assert 0 <= sentence["score"] <= 1


def test_the_best_of_several_documents_come_first_and_all_their_sentences_have_a_heat(client) -> None:
    other = "1962-09-12-address-space-effort"
    answer = ask(client, documents=[other, GATE], heat=True, limit=1000).json()
    assert answer["sentences"][0]["document"] == GATE
    scores = [sentence["score"] for sentence in answer["sentences"]]
    assert scores == sorted(scores, reverse=True)
    assert {row["document"] for row in answer["heat"]} == {GATE, other}
    assert len(answer["heat"]) == answer["read"] >= len(scores)
    places = [(row["document"], row["paragraph"], row["start_char"]) for row in answer["heat"]]
    assert [row for row in places if row[0] == GATE] == sorted(row for row in places if row[0] == GATE)
    hottest = max(answer["heat"], key=lambda row: row["heat"])
    best = answer["sentences"][0]
    assert hottest["heat"] == 1
    assert all(hottest[name] == best[name] for name in ("document", "paragraph", "start_char", "end_char"))


def test_a_filter_restricts_the_archive(client) -> None:
    answer = ask(client, filter={"speakers": ["John F. Kennedy"]}).json()
    assert {sentence["speaker"] for sentence in answer["sentences"]} == {"John F. Kennedy"}


def test_a_claim_about_somebody_s_words_is_supported_by_that_person(client) -> None:
    claim = "Nixon said that he had never been a quitter."
    answer = ask(client, claim=claim).json()
    best = answer["sentences"][0]
    assert (answer["speaker"], best["speaker"]) == ("Nixon", "Richard Nixon")
    assert best["text"] == "I have never been a quitter."
    scores = [sentence["score"] for sentence in answer["sentences"]]
    assert scores == sorted(scores, reverse=True)
    others = [
        row for row in answer["sentences"] if row["speaker"] != "Richard Nixon" and "Nixon" not in row["text"]
    ]
    assert {row["stance"] for row in others} <= {"neutral"}
    assert ask(client, claim=claim, names=False).json()["speaker"] is None


def test_a_claim_about_the_words_of_nobody_in_the_archive_is_searched_as_any_other(client) -> None:
    claim = "Cleopatra said that " + WALL
    answer = ask(client, claim=claim).json()
    assert answer["speaker"] is None
    assert answer["sentences"][0]["document"] == GATE


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"claim": " "}, "claim"),
        ({"claim": None}, "claim"),
        ({"documents": ["nowhere"]}, "documents"),
        ({"heat": True}, "heat"),
        ({"documents": [GATE], "filter": {"since": "1980"}}, "documents"),
        ({"limit": 0}, "limit"),
        ({"claim": "word " * 1000}, "claim"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_its_field(client, form, field) -> None:
    response = ask(client, **form)
    assert response.status_code == 422, response.text
    assert response.json()["error"]["field"] == field


def test_without_time_the_words_of_the_claim_order_sentences_and_the_answer_says_so(
    client, monkeypatch
) -> None:
    monkeypatch.setattr("jobs.evidence.finder.RANK_SHARE", -1.0)
    answer = ask(client, documents=[GATE], limit=1).json()
    (best,) = answer["sentences"]
    assert (best["score"], best["share"], best["stance"]) == (None, None, "neutral")
    assert "wall" in best["text"] or "gate" in best["text"]
    assert [reason.split(":")[0] for reason in answer["degraded"]] == ["evidence"]
