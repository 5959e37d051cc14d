"""Test words that a speaker repeats from another: whose are they, and is the cut fair?"""

import pytest

from jobs.verify.job import Verifier
from jobs.verify.quote_lists import make_row
from rostrum_core.types import Draft

DEBATE = {
    "id": "debate",
    "title": "Debate",
    "speaker": "Donald Rivers",
    "date": "2016-10-09",
    "paragraphs": [
        "You know what, Hillary Marsh said my dream is a hemispheric common market with open trade and "
        "open borders, and that would be a disaster for our workers.",
        "This from a young woman in Pennsylvania: “I feel like ordinary people have no political power.”",
        "It is as with a person: “What is a man profited, if he shall gain the whole wide world?”",
        "Some say that our harbors cannot be rebuilt in a single decade, and they are wrong about us.",
        "On the old wall a boy painted with a broad brush: “The old bridge will carry us.” "
        "Yes, the old bridge will carry us, for it was built by our own hands.",
    ],
}


OTHER = {
    "id": "other",
    "title": "Other",
    "speaker": "Abraham Stone",
    "date": "2016-10-10",
    "paragraphs": ["I came."],
}


@pytest.fixture(scope="module")
def verifier(make_verifier) -> Verifier:
    return make_verifier([DEBATE, OTHER])


REPEATED = "my dream is a hemispheric common market with open trade"
OWN = "that would be a disaster for our workers"
READ_OUT = "I feel like ordinary people have no political power"
SCRIPTURE = "What is a man profited, if he shall gain the whole wide world?"
REPORTED = "our harbors cannot be rebuilt in a single decade"


@pytest.mark.parametrize(
    ("quote", "speaker", "verdict"),
    [
        (REPEATED, "Hillary Marsh", "verbatim"),
        (REPEATED, None, "verbatim"),
        (REPEATED, "Donald Rivers", "out_of_context"),
        (REPEATED, "Abraham Stone", "said_by_another"),
        (READ_OUT, None, "verbatim"),
        (READ_OUT, "Rivers", "out_of_context"),
        (REPORTED, None, "out_of_context"),
        (REPORTED, "Rivers", "out_of_context"),
    ],
)
def test_repeated_words_are_those_of_the_one_who_is_named(verifier, quote, speaker, verdict) -> None:
    [check] = verifier.verify([make_row("1", quote, speaker)]).checks
    assert check.verdict == verdict
    assert any(item.kind in ("context", "quoted") for item in check.warnings)


def test_words_that_a_speaker_reads_out_and_then_says_are_his(verifier) -> None:
    [check] = verifier.verify([make_row("1", "the old bridge will carry us", "Rivers")]).checks
    assert (check.verdict, check.warnings) == ("verbatim", ())
    assert check.after.startswith(", for it was built")


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        (f"Rivers said: “{READ_OUT}.”", "out_of_context"),
        (f"Rivers read from a letter: “{READ_OUT}.”", "verbatim"),
        (f"Rivers, quoting a voter: “{READ_OUT}.”", "verbatim"),
        (f"“{SCRIPTURE}” Rivers asked.", "verbatim"),
    ],
)
def test_a_speaker_may_read_out_the_words_of_others_if_the_draft_says_so(verifier, draft, verdict) -> None:
    [check] = verifier.verify_draft(Draft(left=draft)).checks
    assert check.verdict == verdict
    assert any(item.kind == "quoted" for item in check.warnings)


@pytest.mark.parametrize(
    ("draft", "verdict", "note"),
    [
        (f"Rivers met Abraham Stone. “{OWN},” he said.", "verbatim", "speaker"),
        (f"Abraham Stone came. “{OWN},” he said.", "said_by_another", "speaker"),
    ],
)
def test_words_of_another_who_may_be_meant_by_he_are_no_mistake(verifier, draft, verdict, note) -> None:
    [check] = verifier.verify_draft(Draft(left=draft)).checks
    assert (check.verdict, check.warnings[0].kind) == (verdict, note)


@pytest.mark.parametrize(
    ("opening", "verdict"),
    [
        ("The harbor debate\n\nPeople met in the hall.", "verbatim"),
        ("Housing\n\nThe hall was full.", "verbatim"),
        ("The harbor debate\n\nPeter Kovacs met voters in the hall.", "said_by_another"),
        ("The harbor debate\n\nStone met voters in the hall.", "said_by_another"),
    ],
)
def test_only_a_person_is_said_to_have_other_words(verifier, opening, verdict) -> None:
    title, _, left = opening.partition("\n\n")
    quote = "The old bridge will carry us, for it was built by our own hands"
    draft = Draft(title, f"{left} “{quote},” he said.")
    [check] = verifier.verify_draft(draft).checks
    assert check.verdict == verdict
