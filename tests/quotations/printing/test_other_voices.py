"""A sentence next to a span may say that its words are another's: then the reader is asked to look."""

import pytest

from quotations.grammar.passages import read_passage
from quotations.printing.other_voices import find_other_voice
from quotations.printing.print_spans import PrintSpan

MARKED = "The bridge cannot be saved."


def shown(text, preceding=""):
    start = text.index(MARKED)
    passage = read_passage(text, "Ada Lee")
    flaw = find_other_voice(PrintSpan(passage, start, start + len(MARKED), preceding=preceding))
    return flaw and text[flaw.start_char : flaw.end_char]


@pytest.mark.parametrize(
    "before",
    [
        "The engineers had their answer ready.",
        "You know their slogan by now.",
        "Imagine for a moment that we had said no.",
        "A caller warned the mayor.",
        "The company met on Tuesday.",
        "Had the vote gone the other way, we would know it.",
    ],
)
def test_the_sentence_before_may_say_whose_words_they_are(before):
    assert shown(f"{before} {MARKED} We will see.") == before


@pytest.mark.parametrize(
    "after",
    [
        "That was not true.",
        "Do not believe it.",
        "I know better.",
        "But they were wrong about us.",
        "So ran the pamphlet.",
    ],
)
def test_the_sentence_after_may_deny_them(after):
    assert shown(f"We came to the river. {MARKED} {after}") == after


@pytest.mark.parametrize(
    "text",
    [
        MARKED,
        f"We walked over it for the last time. {MARKED} We will build another.",
        f"{MARKED} It is a crossing for the few, not for the many, and we know it.",
        f"I said so in the spring. {MARKED} Let us build another.",
    ],
)
def test_the_speakers_own_voice_raises_no_doubt(text):
    assert shown(text) is None


def test_a_long_sentence_is_shown_in_part():
    before = "The company met on Tuesday, " + "and on the day after that, " * 8 + "and on Friday."
    assert shown(f"{before} {MARKED}") == before[:120]


def test_a_paragraph_before_that_ends_with_a_colon_announces_the_words():
    assert shown(MARKED, preceding="I have the letter of the engineers here:") == "The"
    assert shown(MARKED, preceding="I have seen the engineers.") is None
