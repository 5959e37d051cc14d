"""Order answers: words that can be printed come before others, unless they fit much worse."""

from dataclasses import replace

import pytest

from jobs.recommend.print_order import UNPRINTABLE_COST, estimate_worth, prepare_best
from rostrum_core.types import DocumentInfo, Paragraph, Recommendation, Span

TEXT = "We built this road with our own hands."


def rank(*finals):
    """Return recommendations in the order of their scores, not yet prepared."""
    return [
        Recommendation(
            number,
            Paragraph(f"p{number}", "s", number, TEXT, 0, len(TEXT)),
            DocumentInfo("s", "The road"),
            (Span(0, len(TEXT), 1.0),),
            {"final": final},
        )
        for number, final in enumerate(finals, 1)
    ]


class Editor:
    """Give each paragraph its printability, and record which ones were prepared."""

    def __init__(self, *printabilities, time_for=100):
        self.printabilities, self.time_for, self.seen = printabilities, time_for, []

    def prepare(self, recommendation):
        number = recommendation.paragraph.ordinal
        if len(self.seen) == self.time_for:
            return None
        self.seen.append(number)
        (span,) = recommendation.spans
        spans = (replace(span, printability=self.printabilities[number - 1]),)
        return replace(recommendation, spans=spans, cut=span)


def order(answer):
    assert [one.rank for one in answer] == list(range(1, len(answer) + 1))
    return [one.paragraph.ordinal for one in answer]


def test_words_for_print_overtake_a_little_better_ones():
    editor = Editor(0.1, 0.9)
    assert order(prepare_best(rank(-1.0, -1.5), editor.prepare, 2)) == [2, 1]


def test_words_that_fit_much_better_stay_first():
    editor = Editor(0.1, 0.9)
    assert order(prepare_best(rank(-1.0, -1.1 - UNPRINTABLE_COST), editor.prepare, 2)) == [1, 2]


def test_words_that_the_model_did_not_mark_are_worth_less():
    model_span = Span(0, 18, 1.0)
    kept, replaced = Span(0, 18, 1.0, (), 0.9), Span(19, len(TEXT), 1.0, (), 0.9)
    assert estimate_worth(kept, model_span) == pytest.approx(0.9)
    assert estimate_worth(replaced, model_span) == pytest.approx(0.45)


def test_a_further_one_takes_the_place_of_one_that_cannot_be_printed():
    editor = Editor(0.95, 0.05, 0.9)
    assert order(prepare_best(rank(-1.0, -1.2, -1.4), editor.prepare, 2)) == [1, 3]


def test_none_is_prepared_that_cannot_be_among_the_best():
    editor = Editor(1.0, 0.5, 1.0)
    far = -1.0 - UNPRINTABLE_COST
    assert order(prepare_best(rank(-0.5, -1.0, far), editor.prepare, 2)) == [1, 2]
    assert editor.seen == [1, 2]


def test_answers_to_words_keep_their_order():
    editor = Editor(0.1, 0.9)
    assert order(prepare_best(rank(-1.0, -1.5), editor.prepare, 2, is_ordered=True)) == [1, 2]


@pytest.mark.parametrize("time_for", [0, 1, 2])
def test_without_time_the_rest_follows_as_ranked(time_for):
    editor = Editor(0.1, 0.9, 0.9, time_for=time_for)
    answer = prepare_best(rank(-1.0, -1.5, -2.0), editor.prepare, 3)
    assert order(answer) == {0: [1, 2, 3], 1: [1, 2, 3], 2: [2, 1, 3]}[time_for]


def test_no_answer_stays_none():
    assert prepare_best([], Editor().prepare, 3) == ()
