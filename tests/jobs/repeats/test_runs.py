"""Texts share runs of six words or more that carry sense."""

from dataclasses import replace

import pytest

from jobs.repeats.freshness import judge_freshness
from jobs.repeats.runs import SharedRun, find_runs
from quotations.text.words import split_words
from rostrum_core.companions import Repeat
from rostrum_core.types import Answer, DocumentInfo, Paragraph, Recommendation, Span

LINE = "Ask not what your country can do for you, ask what you can do for your country."


@pytest.mark.parametrize(
    ("other", "runs"),
    [
        (LINE, [SharedRun(0, 0, 17)]),
        ("“Ask not what your country can do for you,” he said.", [SharedRun(0, 0, 9)]),
        ("Ask what your country can do.", []),  # four words, then another
        (
            "He will ask what you can do for your country, and ask not what your country can do for you.",
            [SharedRun(0, 11, 9), SharedRun(9, 2, 8)],
        ),
        ("", []),
    ],
)
def test_runs_are_the_longest_first_and_do_not_overlap(other, runs) -> None:
    assert find_runs(split_words(LINE), split_words(other)) == runs


def test_six_words_without_sense_are_no_quote() -> None:
    assert (
        find_runs(split_words("It is what it is to be in it."), split_words("It is what it is to be in it."))
        == []
    )


def make_recommendation(rank: int, text: str, start: int, end: int) -> Recommendation:
    paragraph = Paragraph(f"p{rank}", f"d{rank}", 0, text, 0, len(text))
    return Recommendation(rank, paragraph, DocumentInfo(f"d{rank}", ""), (Span(start, end, 1.0),), {})


def make_repeat(day: str, start: int, end: int) -> Repeat:
    return Repeat("articles", "a", 0, 0, 1, start, end, "", day=day)


PRINTED = {
    "one": [make_repeat("2020-01-01", 0, 3), make_repeat("2024-01-01", 0, 3)],
    "two": [make_repeat("2021-01-01", 0, 3)],
    "three": [make_repeat("2021-01-01", 4, 5)],  # other words of the paragraph
}
ANSWER = Answer(tuple(make_recommendation(rank, text, 0, 3) for rank, text in enumerate(PRINTED, 1)), 3)


@pytest.mark.parametrize(
    ("freshness", "order", "counts"),
    [
        ("show", ["one", "two", "three"], [2, 1, 0]),
        ("last", ["three", "two", "one"], [0, 1, 2]),
        ("leave-out", ["three"], [0]),
    ],
)
def test_printed_words_are_shown_or_put_last_or_left_out(freshness, order, counts) -> None:
    fresh = judge_freshness(ANSWER, PRINTED.__getitem__, freshness, 3)
    recommendations = fresh.answer.recommendations
    assert [item.paragraph.text for item in recommendations] == order
    assert [item.rank for item in recommendations] == list(range(1, len(order) + 1))
    assert [len(repeats) for repeats in fresh.printed] == counts


def test_what_was_left_out_is_named_and_the_fit_of_the_first_goes_with_it() -> None:
    answer = replace(ANSWER, fit=0.9, remarks=("one",))
    fresh = judge_freshness(answer, PRINTED.__getitem__, "leave-out", 3).answer
    assert (fresh.fit, fresh.remarks) == (
        None,
        ("one", "left out 2 of the best, as articles printed their words"),
    )


@pytest.mark.parametrize(
    ("freshness", "limit", "fit"), [("show", 1, 0.9), ("last", 3, 0.9), ("last", 1, None)]
)
def test_the_fit_stays_with_the_answer_that_it_describes(freshness, limit, fit) -> None:
    fresh = judge_freshness(replace(ANSWER, fit=0.9), PRINTED.__getitem__, freshness, limit).answer
    assert (fresh.fit, fresh.remarks) == (fit, ())
