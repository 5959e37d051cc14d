"""A clause that has most of a claim's words says so, or the opposite."""

import pytest

from jobs.evidence.clauses import is_norm_for_past, match_clause
from reranker.evidence_calibration import EvidenceCalibration

CLAIM = "The sanctions on Russia were lifted in March."


def choose(claim: str, sentence: str) -> str:
    match = match_clause(claim, sentence)
    coverage, differs = (None, False) if match is None else (match.coverage, match.differs)
    return EvidenceCalibration().choose_stance(0.5, [0.1, 0.2, 0.7], coverage, differs)[0]


@pytest.mark.parametrize(
    ("sentence", "stance"),
    [
        ("The sanctions on Russia were lifted in March, he said.", "supports"),
        ("The sanctions on Russia were never lifted in March.", "contradicts"),
        ("It is not cheap, but the sanctions on Russia were lifted in March.", "supports"),
        ("We did not lift the tariffs; the sanctions on Russia stay.", "neutral"),
        ("No one was there.", "neutral"),
        ("", "neutral"),
    ],
)
def test_only_the_clause_that_says_most_of_the_claim_is_compared(sentence: str, stance: str) -> None:
    assert choose(CLAIM, sentence) == stance


def test_an_opposite_contradicts() -> None:
    assert (
        choose("Crime in our cities increased last year.", "Crime in our cities decreased last year.")
        == "contradicts"
    )


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "We should not ban assault weapons.",
            "In the 1990s we passed a ban on assault weapons.",
        ),
        ("The sanctions on Russia were lifted.", "The sanctions on Russia must not be lifted."),
        ("Secession of a state is lawful.", "But if the secession of a state be unlawful, we stay."),
        (
            "The sanctions on Russia were lifted.",
            "We will act unless the sanctions on Russia are not lifted.",
        ),
        ("The sanctions on Russia were lifted.", "Were the sanctions on Russia not lifted?"),
        ("The sanctions on Russia were lifted.", "Some say the sanctions on Russia were never lifted."),
    ],
)
def test_a_wish_a_condition_a_question_and_the_words_of_others_contradict_nothing(
    claim: str, sentence: str
) -> None:
    assert choose(claim, sentence) == "neutral"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "The nation does not keep its space program secret.",
            "The nation's space program has done just that.",
        ),
        ("The college lied to students about jobs.", "The college degrees didn't help students get jobs."),
        ("Black people do not have the right to vote.", "Attacks on black people who count the vote go on."),
    ],
)
def test_a_negation_of_a_word_that_the_other_lacks_contradicts_nothing(claim: str, sentence: str) -> None:
    assert choose(claim, sentence) == "neutral"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("We should not ban assault weapons.", "We need to ban assault weapons, and we need it now."),
        ("We should not ban assault weapons.", "And we will ban assault weapons again."),
        ("The ban will apply to the kingdom.", "The ban does not apply to the kingdom."),
        ("If we fail, the sanctions on Russia end.", "If we fail, the sanctions on Russia do not end."),
        ("The sanctions on Russia were lifted.", "If you ask me, the sanctions on Russia were never lifted."),
    ],
)
def test_what_is_wished_or_said_without_a_condition_contradicts(claim: str, sentence: str) -> None:
    assert choose(claim, sentence) == "contradicts"


def test_who_says_so_is_no_part_of_the_claim() -> None:
    claim = "Roosevelt said that the attack on Pearl Harbor did not cause severe damage."
    assert choose(claim, "The attack on Pearl Harbor caused severe damage.") == "contradicts"


def test_a_claim_of_two_words_is_not_compared() -> None:
    assert match_clause("Crime rose.", "Crime did not rise.") is None


def test_the_model_alone_never_says_contradicts() -> None:
    assert EvidenceCalibration().choose_stance(0.9, [0.0, 1.0, 0.0], None, differs=False)[0] == "neutral"


@pytest.mark.parametrize(("score", "stance"), [(0.39, "neutral"), (0.4, "supports")])
def test_the_model_is_believed_only_of_likely_evidence(score: float, stance: str) -> None:
    assert EvidenceCalibration().choose_stance(score, [0.9, 0.0, 0.1], None, differs=False)[0] == stance


def test_a_sentence_that_repeats_a_whole_claim_supports_it() -> None:
    claim = "I have never been a quitter."
    assert choose(claim, "I have never been a quitter.") == "supports"
    assert choose(claim, "If I have never been a quitter, I stay.") == "neutral"
    assert choose(claim, "They say I have never been a quitter.") == "neutral"
    assert choose(claim, "It is not that I have never been a quitter.") == "neutral"


@pytest.mark.parametrize(
    ("claim", "sentence", "is_norm"),
    [
        ("The president defended the border.", "We must defend the border.", True),
        ("The border was defended.", "We must defend the border; we should not wait.", True),
        ("The president defended the border.", "We defended the border, and must defend it again.", False),
        ("The president asked Congress to defend the border.", "We must defend the border.", False),
        ("The president wanted to defend the border.", "We must defend the border.", False),
        ("The border is open.", "We must defend the border.", False),
        ("The border must be defended.", "We must defend the border.", False),
        ("The president defended the border.", "Must we defend the border?", False),
    ],
)
def test_what_should_be_done_is_no_evidence_of_what_was_done(
    claim: str, sentence: str, is_norm: bool
) -> None:
    assert is_norm_for_past(claim, sentence) is is_norm
