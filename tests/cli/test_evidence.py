"""`rostrum evidence` with the shipped models over small documents and over the sample archive."""

import json

import pytest

DOCUMENTS = [
    {
        "id": "trial",
        "sentences": [
            "The trial enrolled 300 patients.",
            "Vaccination reduced hospital admissions by 60 percent.",
            "",
            "Funding came from the state. 🎉",
        ],
    },
    {"id": "weather", "sentences": ["It rained all day in Paris.", "The authors declare no conflict."]},
]
CLAIM = "Vaccination lowers the number of people in hospital."


@pytest.fixture
def documents(tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text("\n".join(map(json.dumps, DOCUMENTS)), "utf-8")
    return path


def test_the_supporting_sentence_comes_first(rostrum, documents):
    outcome = rostrum("evidence", CLAIM, "--documents", documents)
    assert outcome.code == 0
    assert "Vaccination reduced hospital admissions" in outcome.out.splitlines()[0]
    assert outcome.out.splitlines()[1].strip() == "trial"


def test_many_claims_are_answered_in_their_order(rostrum, documents, tmp_path):
    rows = tmp_path / "claims.jsonl"
    claims = [{"id": "a", "claim": CLAIM}, {"id": 2, "claim": CLAIM, "document": "weather"}]
    rows.write_text("\n".join(map(json.dumps, claims)), "utf-8")
    outcome = rostrum("evidence", "--claims", rows, "--documents", documents, "--json")
    everywhere, weather = map(json.loads, outcome.out.splitlines())
    assert [everywhere["id"], weather["id"]] == ["a", "2"]
    best = everywhere["sentences"][0]
    assert (best["document"], best["sentence"]) == ("trial", 1)
    assert {row["sentence"] for row in everywhere["sentences"] if row["document"] == "trial"} == {0, 1, 3}
    assert {row["document"] for row in weather["sentences"]} == {"weather"}
    scores = [row["score"] for row in everywhere["sentences"]]
    assert scores == sorted(scores, reverse=True)
    assert all(row["stance"] in ("supports", "contradicts", "neutral") for row in everywhere["sentences"])


@pytest.mark.parametrize("blank", ["", " ", None])
def test_a_blank_document_of_a_row_means_any_document(rostrum, documents, tmp_path, blank):
    rows = tmp_path / "claims.jsonl"
    rows.write_text(json.dumps({"claim": CLAIM, "document": blank}), "utf-8")
    outcome = rostrum("evidence", "--claims", rows, "--documents", documents, "--json")
    assert outcome.code == 0
    [line] = map(json.loads, outcome.out.splitlines())
    assert {row["document"] for row in line["sentences"]} == {"trial", "weather"}


def test_sentences_of_an_archive_have_places_in_their_paragraphs(rostrum, sample_archive):
    claim = "Gorbachev should open the gate and tear down the wall."
    outcome = rostrum("evidence", claim, "--archive", sample_archive, "--json")
    best = json.loads(outcome.out)["sentences"][0]
    assert best["text"] == "Mr. Gorbachev, tear down this wall!"
    assert best["end_char"] - best["start_char"] == len(best["text"])
    one = rostrum("evidence", claim, "--archive", sample_archive, "--document", best["document"], "--json")
    ranked = json.loads(one.out)["sentences"]
    assert {row["document"] for row in ranked} == {best["document"]}
    assert ranked[0]["paragraph"] == best["paragraph"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "no document in it"),
        ('{"sentences": []}', "row 1: id is missing"),
        ('{"id": 1, "sentences": "We go."}', "row 1: sentences is not a list of texts"),
        ('{"id": 1, "sentences": []}\n{"id": "1", "sentences": []}', "a second document 1"),
    ],
)
def test_documents_that_cannot_be_used_are_bad_input(rostrum, tmp_path, content, complaint):
    path = tmp_path / "documents.jsonl"
    path.write_text(content, "utf-8")
    outcome = rostrum("evidence", CLAIM, "--documents", path)
    assert outcome.code == 2
    assert complaint in outcome.complaint


def test_an_unknown_document_is_bad_input(rostrum, documents):
    outcome = rostrum("evidence", CLAIM, "--documents", documents, "--document", "nowhere")
    assert outcome.code == 2
    assert "there is no document nowhere" in outcome.complaint


def test_an_archive_is_filtered_and_a_file_is_not(rostrum, sample_archive, documents):
    claim = "We should land people on the moon."
    outcome = rostrum("evidence", claim, "--archive", sample_archive, "--speaker", "Jimmy Carter", "--json")
    assert {row["speaker"] for row in json.loads(outcome.out)["sentences"]} == {"Jimmy Carter"}
    refused = rostrum("evidence", CLAIM, "--documents", documents, "--speaker", "Jimmy Carter")
    assert (refused.code, "not for --documents" in refused.err) == (2, True)


def test_the_person_whom_a_claim_quotes_is_said(rostrum, sample_archive):
    claim = "Kennedy said that we should go to the moon because it is hard."
    outcome = rostrum("evidence", claim, "--archive", sample_archive, "--limit", "3")
    assert "Kennedy: sentences by others count for less" in outcome.err
    assert "not because they are easy, but because they are hard" in outcome.out
    assert (
        "count for less" not in rostrum("evidence", claim, "--archive", sample_archive, "--ignore-names").err
    )
