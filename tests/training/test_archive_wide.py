"""What an archive answers, measured by the product's own path."""

from dataclasses import replace

import pytest

from evaluation.archive_wide import (
    AnswerRanks,
    find_quoted,
    judge_answer,
    judge_answers,
    list_settings,
    summarise_outcomes,
)
from evaluation.fit import fit_archive
from evaluation.pairs import Pair, QuotedPart
from evaluation.row_file import RowFile
from quotations.text.transcript import Transcript
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import (
    Answer,
    Document,
    DocumentInfo,
    Draft,
    Filter,
    Paragraph,
    Recommendation,
    Span,
)

SUPPLIED = "We choose to go to the moon. We choose to go in this decade."
TRANSCRIPT = Transcript("d", "Space", "K", "1962-09-12", None, ("Thank you.", SUPPLIED))
PAIR = Pair("p", "The moon", "Kennedy named a goal.", "1962-09-13", "d", (QuotedPart(1, 3, 28),), False)


def paragraph(id: str, text: str, ordinal: int = 0) -> Paragraph:
    return Paragraph(id, "d", ordinal, text, 0, len(text))


def recommended(rank: int, id: str, first_stage: float, start: int = 0, end: int = 5) -> Recommendation:
    info = DocumentInfo("d", "Space")
    span = Span(start, end, 0.0)
    return Recommendation(rank, paragraph(id, SUPPLIED), info, (span,), {"first_stage": first_stage})


def test_a_paragraph_of_the_archive_holds_a_quote_if_it_has_characters_of_it():
    pieces = [paragraph("c", "Thank you."), paragraph("a", SUPPLIED[:28]), paragraph("b", SUPPLIED[29:])]
    assert find_quoted(PAIR, TRANSCRIPT, pieces) == {"a"}
    across = Pair("p", "", "", "", "d", (QuotedPart(1, 20, 40),), False)
    assert find_quoted(across, TRANSCRIPT, pieces) == {"a", "b"}
    assert find_quoted(PAIR, TRANSCRIPT, [paragraph("e", SUPPLIED)]) == {"e"}
    assert find_quoted(PAIR, TRANSCRIPT, [paragraph("f", "Another speech.")]) == set()


def test_what_is_said_twice_is_quoted_where_it_was():
    supplied = ("Yes.", "We said yes. Yes. And then we went.", "Yes.")
    spoken = Transcript("d", "Space", "K", None, None, supplied)
    stored = [paragraph(str(i), text, i) for i, text in enumerate(supplied)]
    second = Pair("p", "", "", "", "d", (QuotedPart(1, 3, 30),), False)
    assert find_quoted(second, spoken, stored) == {"1"}
    assert find_quoted(replace(second, parts=(QuotedPart(2, 0, 4),)), spoken, stored) == {"2"}


def test_a_quote_in_a_paragraph_that_cleaning_changed_is_where_its_words_are():
    supplied = ("Thank you.", "We choose (applause) to go to the moon\xa0in this decade.", "So. We choose.")
    spoken = Transcript("d", "Space", "K", None, None, supplied)
    cleaned = ("Thank you.", "We choose to go to the moon in this decade.", "So. We choose.")
    stored = [paragraph(str(i), text, i) for i, text in enumerate(cleaned)]
    said = Pair("p", "", "", "", "d", (QuotedPart(1, supplied[1].index("to go"), len(supplied[1])),), False)
    assert find_quoted(said, spoken, stored) == {"1"}
    few = Pair("p", "", "", "", "d", (QuotedPart(1, 0, len("We choose")),), False)
    assert find_quoted(few, spoken, stored) == set()


def test_a_paragraph_that_stands_elsewhere_is_not_where_changed_words_are():
    song = "We shall overcome, we shall overcome some day soon."
    supplied = (song, "So it was.", f"{song} (Applause.) Thank you.")
    spoken = Transcript("d", "Space", "K", None, None, supplied)
    cleaned = (song, "So it was.", f"{song} Thank you.")
    stored = [paragraph(str(i), text, i) for i, text in enumerate(cleaned)]
    said = Pair("p", "", "", "", "d", (QuotedPart(2, 0, len(song)),), False)
    assert find_quoted(said, spoken, stored) == {"2"}


def test_short_paragraphs_that_were_changed_do_not_hide_the_next_one():
    supplied = (*(f"{letter} (applause) too." for letter in "ABC"), "We go.")
    spoken = Transcript("d", "Space", "K", None, None, supplied)
    cleaned = (*(f"{letter} too." for letter in "ABC"), "We go.")
    stored = [paragraph(str(i), text, i) for i, text in enumerate(cleaned)]
    assert find_quoted(Pair("p", "", "", "", "d", (QuotedPart(3, 0, 6),), False), spoken, stored) == {"3"}


def test_a_short_paragraph_far_ahead_does_not_hide_those_between():
    goal = "That goal will serve to organize and measure the best of our energies and skills."
    supplied = ("Thank (applause) you.", "We choose to go.", goal, "It is hard.", "Thank you. Good night.")
    spoken = Transcript("d", "Space", "K", None, None, supplied)
    cleaned = ("Thank you.", *supplied[1:4], "Thank you. Good night.")
    stored = [paragraph(str(i), text, i) for i, text in enumerate(cleaned)]
    for ordinal in (1, 2, 3, 4):
        said = Pair("p", "", "", "", "d", (QuotedPart(ordinal, 0, 8),), False)
        assert find_quoted(said, spoken, stored) == {str(ordinal)}


def test_an_outcome_has_the_ranks_of_both_stages_and_the_span_of_what_was_quoted():
    answer = Answer(
        (recommended(1, "x", 0.5), recommended(2, "q", 2.0, 3, 28), recommended(3, "y", 1.0)), candidates=3
    )
    found = judge_answer(answer, [paragraph("q", SUPPLIED)], "choose to go to the moon")
    assert found == AnswerRanks(quoted=1, answer=[2], candidates=[1], spans=(True, 1.0), degraded=[])


def test_a_quoted_paragraph_is_found_where_another_speech_says_the_same():
    answer = Answer((recommended(1, "twin", 1.0, 3, 28), recommended(2, "y", 2.0)), candidates=2)
    quoted = [paragraph("q", SUPPLIED.replace(" ", "\n"))]
    assert judge_answer(answer, quoted, "choose to go to the moon").answer == [1]
    itself = [paragraph("y", SUPPLIED)]
    assert judge_answer(answer, itself, "words").answer == [2]


def test_what_is_not_in_the_answer_has_no_span():
    answer = Answer((recommended(1, "x", 0.5),), candidates=1, degraded=("rank: late",))
    assert judge_answer(answer, [paragraph("q", "Thank you.")], "words") == AnswerRanks(
        1, [], [], None, ["rank: late"]
    )


def test_what_was_ranked_by_no_model_has_no_span_to_count():
    found = replace(recommended(1, "q", 0.5), spans=())
    answer = Answer((found,), candidates=1, degraded=("rank: late",))
    assert judge_answer(answer, [paragraph("q", SUPPLIED)], "words") == AnswerRanks(
        1, [1], [1], None, ["rank: late"]
    )


def test_figures_count_what_was_missed_and_what_the_archive_does_not_hold():
    some = [
        AnswerRanks(1, [2], [11], (True, 1.0), []),
        AnswerRanks(2, [1], [3], None, ["rank: late"]),
        AnswerRanks(0, [], [], None, []),
        AnswerRanks(1, [], [], None, []),
    ]
    found = summarise_outcomes({"archive": some})["archive"]
    assert found["recall@10"] == 25.0
    assert found["recall@100"] == 50.0
    assert found["acc@1"] == 25.0
    assert found["acc@3"] == 50.0
    assert found["map"] == 25.0  # (1/2 + 1/2 + 0 + 0) / 4: of two quoted ones, one at rank 1
    assert found["mrr"] == 37.5  # (1/2 + 1 + 0 + 0) / 4
    assert (found["em"], found["f1"]) == (100.0, 100.0)
    assert (found["n"], found["cut"]) == (4, 1)
    assert (found["absent"], found["degraded"]) == (25.0, 25.0)


def test_a_draft_is_asked_without_its_day_and_with_it_and_one_of_unknown_day_without():
    found = list_settings(PAIR)
    assert {setting: draft.written_on for setting, (draft, _) in found.items()} == {
        "archive": None,
        "so far": None,
        "archive, dated": "1962-09-13",
        "30 days": None,
        "source": None,
    }
    assert found["so far"][1] == Filter(until="1962-09-15")
    assert found["30 days"][1] == Filter(since="1962-08-14", until="1962-09-13")
    undated = Pair("p", "T", "L", "", "d", PAIR.parts, False)
    assert list(list_settings(undated)) == ["archive", "source"]


@pytest.fixture
def archive(tmp_path, models):
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    text = f"Thank you.\n\n{SUPPLIED}"
    service.refresh([Document("d", "Space", text, spoken_on="1962-09-12", breaks=((0, 10), (12, len(text))))])
    return service


def test_the_product_answers_in_every_setting_and_is_not_asked_twice(archive, tmp_path):
    path = tmp_path / "answers.jsonl.gz"
    found = judge_answers([PAIR], {"d": TRANSCRIPT}, archive, RowFile(path))
    assert {setting: each[0].quoted for setting, each in found.items()} == {
        "archive": 1,
        "so far": 1,
        "archive, dated": 1,
        "30 days": 1,
        "source": 1,
    }
    assert found["source"][0].answer == [1]
    assert found["source"][0].spans is not None
    assert judge_answers([PAIR], {"d": TRANSCRIPT}, None, RowFile(path)) == found


def test_a_draft_without_a_word_finds_nothing(archive):
    silent = replace(PAIR, title="", left=" ", right="the president said.")
    found = judge_answers([silent], {"d": TRANSCRIPT}, archive, RowFile(None))
    assert all(each[0] == AnswerRanks(1, [], [], None, []) for each in found.values())


def test_weights_for_an_archive_are_fitted_on_speeches_without_dates_too(tmp_path, models):
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    text = f"Thank you.\n\n{SUPPLIED}"
    service.refresh([Document("d", "Space", text, breaks=((0, 10), (12, len(text))))])
    found = fit_archive([PAIR], service.store, service.models, service.models.fusion, 1)
    assert found.candidates["recency"] == found.paragraph["recency"] == 0.0  # all are as old


def test_a_degraded_answer_is_asked_for_again(archive):
    file = RowFile(None)
    late = {"quoted": 1, "answer": [], "candidates": [], "spans": None, "degraded": ["rank: late"]}
    file.add({"id": "p source", **late})
    (found,) = judge_answers([PAIR], {"d": TRANSCRIPT}, archive, file)["source"]
    assert (found.answer, found.degraded) == ([1], [])
    assert file["p source"]["degraded"] == []


def test_the_span_of_a_picked_paragraph_is_what_the_product_marks(archive):
    answer = archive.recommend(Draft(PAIR.title, PAIR.left), filter=Filter(documents=("d",)))
    picked = next(r for r in answer.recommendations if r.paragraph.text == SUPPLIED)
    marked = picked.paragraph.text[picked.spans[0].start_char : picked.spans[0].end_char]
    (found,) = judge_answers([PAIR], {"d": TRANSCRIPT}, archive, RowFile(None))["source"]
    assert found.spans is not None
    assert found.spans[0] == (marked == SUPPLIED[3:28])
