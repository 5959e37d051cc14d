"""A sentence next to a span may say that its words are another's: then the reader is asked to look."""

import pytest

from quotations.grammar.passages import read_passage
from quotations.printing.other_voices import find_other_voice
from quotations.printing.print_spans import PrintSpan

MARKED = "The bridge cannot be saved."


def shown(text, preceding="", following=""):
    start = text.index(MARKED)
    span = PrintSpan(
        read_passage(text, "Ada Lee"),
        start,
        start + len(MARKED),
        following=following,
        preceding=preceding,
    )
    flaw = find_other_voice(span)
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
        "At least that was my plan until last night.",
        "Or so I thought when I came here.",
        "Except, of course, that we have no bridge.",
        "In theory.",
        "On paper, that is.",
        "Far from it.",
        "Just kidding.",
        "No, I’m joking.",
        "If only that were true!",
        "We have heard that lie too often in this house.",
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
        f"{MARKED} At least a third of us live on the other bank.",
        f"{MARKED} If only we listen, we will hear why.",
        f"{MARKED} Our kids walk over it.",
        f"{MARKED} In theories of steel I am a layman.",
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


@pytest.mark.parametrize(
    "before",
    [
        "A man in Linz told me what he thinks of us.",
        "I have listened to my opponents for a whole year.",
        "My critics have a slogan.",
        "Imagine a different president.",
    ],
)
def test_a_short_paragraph_before_may_say_whose_words_follow(before):
    assert shown(MARKED, preceding=before) == "The"
    assert shown(f"We know better. {MARKED}", preceding=before) is None


@pytest.mark.parametrize(
    "before",
    [
        "Think about the men who built this harbor.",
        "We walked over it for the last time.",
        "The company met on Tuesday.",  # a sign only in the same paragraph
        "We went to Linz. A man told me what he thinks of us.",
        "A man in Linz told me, " + "and told me again, " * 8 + "what he thinks of us.",
    ],
)
def test_a_paragraph_before_without_a_view_or_longer_than_a_short_sentence_raises_no_doubt(before):
    assert shown(MARKED, preceding=before) is None


def test_after_a_paragraph_about_no_other_person_the_speakers_own_voice_goes_on():
    text = "We will save it. " + MARKED
    span = PrintSpan(read_passage(text, "Ada Lee"), 0, len(text), preceding="You know my answer.")
    assert find_other_voice(span) is None


def test_a_paragraph_after_may_deny_the_words_at_the_end_of_the_one_before():
    assert shown(MARKED, following="That is a lie, and I answered him by hand.") == "saved"
    assert shown(f"{MARKED} We will build another.", following="That is a lie.") is None
    assert shown(MARKED, following="That was long ago, and we know it.") is None
