"""The estimate of what can be printed agrees with the judged spans, and with what an editor sees first."""

import pytest

from quotations.grammar.passages import read_passage
from quotations.printing.doubts import READY_FROM
from quotations.printing.print_rules import find_flaws
from quotations.printing.print_spans import PrintSpan
from quotations.printing.printability import estimate_printability, read_features

PLAIN = "We will rebuild every bridge between the mountains and the sea."


def estimate(text, words=None):
    passage = read_passage(text, "Ada Lee")
    start = text.index(words or text)
    span = PrintSpan(passage, start, start + len(words or text))
    return estimate_printability(span, find_flaws(span))


def test_a_plain_sentence_can_be_printed():
    assert estimate(PLAIN) > READY_FROM


@pytest.mark.parametrize(
    "worse",
    [
        "We will rebuild this bridge between the mountains and the sea.",
        "It will rebuild every bridge between the mountains and the sea.",
        "We will — we will rebuild every bridge between the mountains and the sea.",
        "You know, we will rebuild every bridge between the mountains and the sea.",
        "We will rebuild.",
    ],
)
def test_what_an_editor_stumbles_over_lowers_the_estimate(worse):
    assert estimate(worse) < estimate(PLAIN)


def test_a_span_without_words_has_features():
    span = PrintSpan(read_passage("...", ""), 0, 3)
    assert 0 < estimate_printability(span, find_flaws(span)) < 0.5
    assert all(value >= 0 for value in read_features(span, ()).values())
