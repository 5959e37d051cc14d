"""A clause that has most of a claim's words says so, or the opposite."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from jobs.evidence.clauses import is_norm_for_past, match_clause
from jobs.evidence.job import Ranker
from jobs.evidence.passages import Passage
from reranker.evidence_calibration import EvidenceCalibration
from rostrum_core.evidence import Claim

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


TAXES = "We will cut taxes on workers."
MOON = "We will send a man to the moon in this decade."


class BelievingRunner:
    """A runner whose model takes every sentence for support, with a probability of 0.9."""

    def run(
        self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float
    ) -> list[Mapping[str, Any]]:
        return [
            {
                "scores": np.array([5.0], np.float32),
                "stances": np.array([[0.9, 0.05, 0.05]], np.float32),
                "read": np.array([True]),
            }
            for _ in payloads
        ]


def rank(claim: str, sentence: str) -> str:
    ranker = Ranker(BelievingRunner(), EvidenceCalibration(), 1000)
    passage = Passage("a", sentence, ((0, len(sentence)),))
    return ranker.rank(Claim(claim), [passage], limit=1, timeout_s=60)[0].stance


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a myth that we will cut taxes on workers.",
        "It is a lie, and they know it, that we will cut taxes on workers.",
        "It is false that we will cut taxes on workers.",
        "I deny, as you know, that we will cut taxes on workers.",
        "I doubt that we will cut taxes on workers.",
        "We refuse to cut taxes on workers.",
        "We will fail to cut taxes on workers.",
        "We rule out that we will cut taxes on workers.",
        "It is far from certain that we will cut taxes on workers.",
        "It is impossible to cut taxes on workers.",
        "I do not pretend that we will cut taxes on workers.",
        "They pretend that we will cut taxes on workers.",
        "He lied when he said we will cut taxes on workers.",
        "“We will cut taxes on workers,” he lied.",
        "My opponent claims that we will cut taxes on workers.",
        "The other side wants us to say that we will cut taxes on workers.",
        "The idea that we will cut taxes on workers is simply wrong.",
        "We reject the idea that we will cut taxes on workers.",
        "To say that we will cut taxes on workers is a lie.",
        "We will cut taxes on workers under no circumstances.",
        "That does not mean that we will cut taxes on workers.",
        "I never said that we will cut taxes on workers.",
        "I do not believe that we will cut taxes on workers.",
        "Nobody in this house of ours ever said that we will cut taxes on workers.",
        "A few deny that we will cut taxes on workers.",
        "We not only deny that we will cut taxes on workers.",
    ],
)
def test_a_sentence_that_denies_the_claim_is_neutral_even_if_the_model_believes_it(sentence: str) -> None:
    assert rank(TAXES, sentence) == "neutral"


@pytest.mark.parametrize(
    "claim",
    [
        "Kennedy never said that we will send a man to the moon in this decade.",
        "Kennedy has not promised that we will send a man to the moon in this decade.",
        "Kennedy did not say that we will send a man to the moon in this decade.",
        "Kennedy denied that we will send a man to the moon in this decade.",
        "Kennedy doubted that we will send a man to the moon in this decade.",
        "Kennedy falsely claimed that we will send a man to the moon in this decade.",
        "Kennedy refused to say that we will send a man to the moon in this decade.",
        "Kennedy said that it is a lie that we will send a man to the moon in this decade.",
        "Nobody ever said that we will send a man to the moon in this decade.",
        "We will send a man to the moon in this decade, Kennedy never said.",
    ],
)
def test_a_claim_that_denies_what_a_sentence_states_is_not_supported(claim: str) -> None:
    assert rank(claim, MOON) == "neutral"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (TAXES, "I believe that we will cut taxes on workers."),
        (TAXES, "We will cut taxes on workers, whatever they pretend."),
        (TAXES, "We will cut taxes on workers and refuse to wait."),
        (TAXES, "We refuse to wait and we will cut taxes on workers."),
        (TAXES, "We will cut taxes on workers; that is no lie."),
        (TAXES, "We will cut taxes on workers without delay."),
        (TAXES, "It is no lie that we will cut taxes on workers."),
        (TAXES, "There is no doubt, my friends, that we will cut taxes on workers."),
        (TAXES, "Nobody doubts that we will cut taxes on workers."),
        (TAXES, "I don't doubt for a moment that we will cut taxes on workers."),
        (TAXES, "No one can deny that we will cut taxes on workers."),
        (TAXES, "We will not fail to cut taxes on workers."),
        (TAXES, "I will never fail to mention that we will cut taxes on workers."),
        (TAXES, "The idea that we will cut taxes on workers is not wrong."),
        (MOON, MOON),
        ("Kennedy said that we will send a man to the moon in this decade.", MOON),
        ("Kennedy not only said that we will send a man to the moon in this decade.", MOON),
        ("Nobody denied that we will send a man to the moon in this decade.", MOON),
        ("Lee denied that the sanctions on Russia end.", "I deny that the sanctions on Russia end."),
        (
            "Lee never said that the sanctions on Russia end.",
            "I never said that the sanctions on Russia end.",
        ),
        ("We will not raise taxes on workers.", "I do not think that we will raise taxes on workers."),
        ("He refused to sign the treaty.", "I refused to sign the treaty."),
        ("Children go hungry in this rich land.", "It is wrong that children go hungry in this rich land."),
        (
            "A great task lies before us in Europe.",
            "A great task lies before us in Europe, as it always has.",
        ),
    ],
)
def test_a_denial_of_something_else_or_a_denied_denial_hides_no_support(claim: str, sentence: str) -> None:
    assert choose(claim, sentence) == "supports"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("They deny our children health care.", "They do not deny our children health care."),
        ("Congress accepted the treaty in May.", "Congress rejected the treaty in May."),
        ("It is true that taxes on workers rose.", "It is false that taxes on workers rose."),
        ("We cannot afford to cut taxes.", "We cannot afford not to cut taxes."),
        ("Lee never said that sanctions on Russia end.", "I said that sanctions on Russia end."),
    ],
)
def test_a_denying_word_that_both_have_or_its_opposite_still_contradicts(claim: str, sentence: str) -> None:
    assert choose(claim, sentence) == "contradicts"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The charge of corruption is false.", "I tell you that the charge of corruption is false."),
        (TAXES, "Those who doubt us should know that we will cut taxes on workers."),
        (TAXES, "To those who still doubt us I say we will cut taxes on workers."),
        ("Children starve in Yemen.", "They refuse to see that children starve in Yemen."),
        ("Children starve in Yemen.", "We fail to see that children starve in Yemen."),
        ("The economy is growing.", "The media refuses to tell you that the economy is growing."),
        ("The ground has shifted.", "What the cynics fail to understand is that the ground has shifted."),
        ("Immigrants built this country.", "Some forget to mention that immigrants built this country."),
        ("Immigrants built this country.", "Too few know that immigrants built this country."),
        ("Immigrants built this country.", "Too few leaders say that immigrants built this country."),
        ("We will defend our allies.", "Nobody knows better than I that we will defend our allies."),
        ("We must raise wages.", "We must raise wages and nobody can say that we lied."),
        ("I would stand here today.", "I never thought then, as a boy, that I would stand here today."),
        ("I think it probable that I erred.", "I am too weak not to think it probable that I erred."),
        ("We may be called to meet it.", "No one can tell the exact character of the need that we may meet."),
        ("Our climate is changing.", "You and I believe that our climate is changing."),
        ("Our climate is changing.", "My opponent and I both believe that our climate is changing."),
        ("Our climate is changing.", "Those who say that our climate is changing are right."),
        ("Our climate is changing.", "I know from what people told me that our climate is changing."),
        ("Our climate is changing.", "It is to you that I believe our climate is changing."),
    ],
)
def test_a_sentence_that_denies_nothing_keeps_the_support_of_the_model(claim: str, sentence: str) -> None:
    assert rank(claim, sentence) == "supports"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Children must learn Latin.", "I deny that children must learn Latin in school."),
        ("Immigrants must learn English.", "It is a myth that immigrants must learn English."),
        ("We should remember their sins.", "I reject the idea that we should remember their sins."),
        ("We tell the truth about taxes.", "Nobody believes that we tell the truth about taxes."),
        (TAXES, "I fail to see how we will cut taxes on workers."),
        (TAXES, "I fail to see that we will cut taxes on workers."),
        (TAXES, "We do not know whether we will cut taxes on workers."),
        (TAXES, "I don't know that we will cut taxes on workers."),
        (TAXES, "I never told anybody that we will cut taxes on workers."),
        (TAXES, "I never told the people of this great nation that we will cut taxes on workers."),
        (TAXES, "I never thought that we would cut taxes on workers."),
        (TAXES, "Those who deny that we will cut taxes on workers should know better."),
        (TAXES, "I am one of those who doubt the plan to cut taxes on workers."),
        (TAXES, "Those who refuse to cut taxes on workers should go."),
        (TAXES, "The enemies of reform say that we will cut taxes on workers."),
        ("We will recognize the state of Taiwan.", "We refuse to recognize the state of Taiwan."),
        ("Lee refused to tell Congress that we will cut taxes on workers.", TAXES),
        ("Lee forgot to mention that we will cut taxes on workers.", TAXES),
    ],
)
def test_a_denial_in_other_words_is_neutral(claim: str, sentence: str) -> None:
    assert rank(claim, sentence) == "neutral"


def test_words_of_others_are_not_compared_and_left_to_the_model() -> None:
    sentence = "Some say that we will cut taxes on workers."
    assert match_clause(TAXES, sentence) is None
    assert rank(TAXES, sentence) == "supports"


def test_a_negation_repeated_thousands_of_times_is_read_at_once() -> None:
    before = time.process_time()
    assert match_clause("hardly " * 4000, TAXES) is None
    assert match_clause(TAXES, "hardly " * 4000) is None
    assert time.process_time() - before < 2


def test_two_negations_do_not_contradict() -> None:
    assert choose(TAXES, "We cannot afford not to cut taxes on workers.") == "supports"
