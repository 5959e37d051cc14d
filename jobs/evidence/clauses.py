"""Compare a claim with the clause of a sentence that matches the claim best, to decide whether the clause
agrees with the claim or contradicts it.

The shipped model does not recognize contradictions reliably: of the SciFact test rows that it calls a
contradiction with a probability of 0.5 or more, only 31 % are contradictions. The comparison here requires
that one clause has most of the claim's words. The clause can contradict the claim only if one of the two has
a negation that the other lacks, or if they have words of opposite meaning, such as "rise" and "fall".

Some clauses are not compared: conditions ("if the Union be destroyed") and questions, because they assert
nothing. A wish is not compared with a report: "we should not ban them" and "we banned them" can both be true.
A negation in one of the two texts counts only if the other text has the negated word. Figures:
docs/lab/evidence.md.

A clause that denies its words ("I deny that", "The idea that ... is wrong"; see `denials`) is not compared
with a claim that states them, nor the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jobs.evidence.denials import drop_cancelled, drop_unseen, is_denied_by_one, is_denying_attribution
from jobs.verify.paraphrases import find_contradiction, stem_words
from quotations.grammar.tagging import tag_words
from quotations.text.meaning import (
    FUNCTION,
    MODAL_WORDS,
    NEGATIONS,
    MeaningClass,
    count_modals,
    count_negations,
    make_word_set,
    normalise_word,
)
from quotations.text.words import split_words

CUT = re.compile(
    r"""[;:–—()]|,?\s+(?:but|although|though|while|whereas|however|because|since|if|(?<!lied[ ])when|unless
    |except|despite|rather[ ]than|in[ ]contrast)\b|[.,]\s""",
    re.VERBOSE | re.IGNORECASE,
)
ATTRIBUTION = re.compile(
    r"^[^.,;:]{1,60}?\b(?:said|says|claimed|claims|argued|insisted|warned|promised|wrote|thought)\s+(?:that\s+)?"
)
"""Match the beginning of a claim that names its speaker. The speaker's own sentence has no such words."""

CONDITION = re.compile(
    r"^\W*(?:(?:and|but|or|so|even|then|now)\s+)*"
    r"(?:if|unless|whether|suppos(?:e|ing)|assuming|provided|in case|as long as|were it|had it|should it)\b",
    re.IGNORECASE,
)
"""Match the beginning of a conditional clause."""

THINKING = (
    r"\b(?:(?!\b(?:I|we)\b)[^.,;:]){0,30}?"
    r"\b(?:say|says|said|claims?|claimed|argues?|argued|insists?|insisted|alleges?|alleged|thinks?|thought"
    r"|believes?|believed|told)\b"
)
OPPONENTS = re.compile(rf"\b(?:critics?|opponents?|other side|enem(?:y|ies)){THINKING}", re.IGNORECASE)
"""Match words that attribute a statement to people who disagree with the speaker."""

OTHERS = re.compile(
    rf"{OPPONENTS.pattern}|\b(?:they|some|others|many|those|people|you){THINKING}", re.IGNORECASE
)
"""Match words that attribute a statement to others, not to the speaker."""

THAT = re.compile(r"\s*that\b", re.IGNORECASE)

OBLIGATIONS = frozenset(("must", "should"))  # classes of modals
INTENTIONS = frozenset(("will", "would"))
OBLIGING = make_word_set("need needs let let's lets")
INTENDING = make_word_set("""
    want wants ask asks call calls urge urges propose proposes plan plans demand demands intend intends
    refuse refuses vow vows pledge pledges promise promises hope hopes""")
"""Words that show that a sentence is about what should be done, not about what is or was."""

DEMANDING = re.compile(
    r"\b(?:ask|call|urg|want|demand|propos|support|oppos|appeal|challeng|invit|offer|commit|sa(?:id|ys?)\b|told|tell|argu|promis"
    r"|vow|pledg|warn|insist|believ|thought|hop(?:ed|es)|recommend|advocat|favou?r|plan|requir|intend|seek|sought)",
    re.IGNORECASE,
)
"""Match verbs of a claim that a demand can support: "Lee asked Congress to act" and "We must act"."""

PAST = make_word_set("""
    was were had did went came took made gave got saw won lost led left kept held met built fought
    stood fell rose broke brought sent spent cut put set ran grew began became chose drove drew knew
    threw wrote spoke sank struck swore""")
"""Irregular verbs in the past."""

EMPTY = FUNCTION | MODAL_WORDS | {"because"}
"""Words that are skipped to find the word that a negation negates; "cause" is read as "because"."""

SIDE = re.compile(r"\b(?:([^\W\d_]+)\s+)?(?:for|against)\b", re.IGNORECASE)

LEAST_STEMS = 3  # that both share: fewer words stand in any sentence about the matter
LEAST_REPEATED = 4  # words of a claim that a clause repeats as they are, whatever their sense


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """Hold how well the best matching clause of a sentence matches a claim.

    `coverage` is the share of the claim's content words that occur in the clause. `differs` is true if only
    the claim or only the clause has a negation, or if one of them has the opposite of a word in the other
    ("rise" and "fall").
    """

    coverage: float
    differs: bool


class Clause(NamedTuple):
    """Hold a clause, and `frame`, the clause with the words that may deny it.

    The frame of a clause that begins with "that" is the sentence up to the end of the clause: "I doubt, as
    you know, that they left". Other clauses are their own frame.
    """

    text: str
    frame: str

    def is_asserted(self, claim: str) -> bool:
        """Return whether the speaker asserts the clause, and does not deny it or only state a condition or
        the opinion of others.

        If the claim itself is conditional, reports what others say or denies the same, such a clause counts
        as asserted.

        >>> Clause(" if the Union be destroyed", "").is_asserted("The Union is destroyed.")
        False
        """
        if is_conditional(self.text) and not is_conditional(claim):
            return False
        return not self.is_by_others(claim, OTHERS) and not is_denied_by_one(claim, self.frame)

    def is_disowned(self, claim: str) -> bool:
        """Return whether the clause denies a claim or ascribes it to opponents.

        This is also true if the claim denies what the clause states.

        >>> clause = "My opponents say that the Union is destroyed"
        >>> Clause(clause, clause).is_disowned("The Union is destroyed.")
        True
        """
        return self.is_by_others(claim, OPPONENTS) or is_denied_by_one(claim, self.frame)

    def is_by_others(self, claim: str, others: re.Pattern[str]) -> bool:
        """Return whether the clause, but not the claim, ascribes words to others."""
        return others.search(self.text) is not None and others.search(claim) is None


def match_clause(claim: str, sentence: str) -> ClauseMatch | None:
    """Compare a claim with the clause of a sentence that matches it best; `None` if no clause can be
    compared.

    The clause must assert something. Claim and clause must share at least `LEAST_STEMS` words, unless the
    clause repeats the whole claim. If one of the two says what should be done and the other what is or was,
    they cannot be compared; nor can they if only one of them denies its words ("I deny that").

    >>> match_clause("The sanctions were lifted in May.", "The sanctions were not lifted in May, he said.")
    ClauseMatch(coverage=1.0, differs=True)
    >>> match_clause("Lee said that the sanctions were lifted in May.", "The sanctions were lifted in May.")
    ClauseMatch(coverage=1.0, differs=False)
    >>> match_clause("The sanctions were lifted.", "But the old sanctions were lifted.") is None
    True
    >>> match_clause("The sanctions were lifted in May.", "If sanctions were lifted in May, we left.") is None
    True
    """
    claim, clauses = prepare_clauses(claim, sentence)
    if any(is_repeated(claim, one.text) and one.is_asserted(claim) for one in clauses):
        return ClauseMatch(1.0, differs=False)
    nearest, stems = find_nearest_clause(claim, clauses), stem_words(claim)
    part = nearest.text
    shared = len(stems & stem_words(part))
    differences = find_contradiction(*drop_sides(claim, part))
    if differences == {MeaningClass.NEGATION} and not is_shared_word_negated(claim, part):
        return None
    shared += MeaningClass.OPPOSITE in differences  # it stands where the claim's word would
    if shared < LEAST_STEMS or not nearest.is_asserted(claim) or is_wish_against_report(claim, part):
        return None
    return ClauseMatch(shared / len(stems), bool(differences))


def prepare_clauses(claim: str, sentence: str) -> tuple[str, list[Clause]]:
    """Return a claim without its attribution, and the clauses of a sentence, both without denials that a
    negation cancels ("nobody doubts that").

    An attribution that denies that somebody said so ("Kennedy never said that") stays.

    >>> prepare_clauses("Lee said that we will win.", "No one can deny that we will win.")
    ('we will win.', [Clause(text='that we will win', frame='that we will win')])
    """
    claim = drop_cancelled(claim, sentence)
    attribution = ATTRIBUTION.match(claim)
    if attribution is not None and not is_denying_attribution(attribution[0]):
        claim = claim[attribution.end() :]
    clauses = []
    for part in cut_clauses(sentence):
        frame = sentence[: sentence.find(part) + len(part)] if THAT.match(part) else part
        clauses.append(Clause(*(drop_unseen(drop_cancelled(text, claim), claim) for text in (part, frame))))
    return claim, clauses


def find_nearest_clause(claim: str, clauses: Sequence[Clause]) -> Clause:
    """Return the clause that shares most words with a claim, the first one if there are several."""
    stems = stem_words(claim)
    return max(clauses, key=lambda one: len(stems & stem_words(one.text)), default=Clause("", ""))


def is_disowned(claim: str, sentence: str) -> bool:
    """Return whether the clause of a sentence that is nearest to a claim denies it, or ascribes it to
    opponents.

    This is also true if the claim denies what the clause states.

    >>> is_disowned("We will cut taxes.", "It is a myth that we will cut taxes.")
    True
    >>> is_disowned("We will cut taxes.", "I believe that we will cut taxes.")
    False
    """
    claim, clauses = prepare_clauses(claim, sentence)
    return find_nearest_clause(claim, clauses).is_disowned(claim)


def is_repeated(claim: str, clause: str) -> bool:
    """Return whether a clause repeats all words of a claim in a row, with no negation before them.

    A claim of fewer than `LEAST_REPEATED` words never counts as repeated.

    >>> is_repeated("I have never been a quitter.", "and I have never been a quitter")
    True
    >>> is_repeated("I have never been a quitter.", "I have been called a quitter")
    False
    """
    words, others = _list_words(claim), _list_words(clause)
    starts = range(len(others) - len(words) + 1)
    return len(words) >= LEAST_REPEATED and any(
        others[at : at + len(words)] == words and not set(others[:at]) & NEGATIONS for at in starts
    )


def drop_sides(claim: str, clause: str) -> tuple[str, str]:
    """Remove the words "for" and "against" from a claim and a clause, unless these words are opposites there.

    They are opposites if both texts have the same word before them, as in "voted for" and "voted against".

    >>> drop_sides("They voted against it.", "We voted for it.")
    ('They voted against it.', 'We voted for it.')
    >>> drop_sides("We warn against it.", "ready for it")
    ('We warn it.', 'ready it')
    """
    mine, theirs = (stem_words(" ".join(SIDE.findall(text))) for text in (claim, clause))
    if mine & theirs:
        return claim, clause
    return SIDE.sub(r"\1", claim), SIDE.sub(r"\1", clause)


def is_shared_word_negated(claim: str, clause: str) -> bool:
    """Return whether a negation in a claim or a clause negates a word that the other text also has.

    Only the text with more negations is examined. The negated word is the first word after a negation, not
    counting words such as "be" or "the" (see `EMPTY`): in "We do not keep the program secret", it is "keep".
    If the other text lacks this word, the texts share a topic, but not the statement that is negated.

    >>> is_shared_word_negated("We do not keep the program secret.", "We keep the program secret.")
    True
    >>> is_shared_word_negated("We do not keep the program secret.", "The program does just that.")
    False
    """
    texts = sorted((claim, clause), key=lambda text: count_negations(_list_words(text)))
    words, others, stems = _list_words(texts[1]), set(_list_words(texts[0])), stem_words(texts[0])
    for at, word in enumerate(words):
        if word in NEGATIONS:
            negated = next((following for following in words[at + 1 :] if following not in EMPTY), "")
            if negated in others or stem_words(negated) & stems:
                return True
    return False


def _list_words(text: str) -> list[str]:
    return [normalise_word(word.key) for word in split_words(text)]


def cut_clauses(sentence: str) -> list[str]:
    """Split a sentence into its clauses; a question gives an empty list.

    A conditional clause begins with its "if" or "unless".

    >>> cut_clauses("We stay if they go, and we go if they stay.")
    ['We stay', ' if they go', 'and we go', ' if they stay.']
    >>> cut_clauses("Did they go?")
    []
    """
    if sentence.rstrip(" \"'”’)").endswith("?"):
        return []
    clauses, start = [], 0
    for cut in CUT.finditer(sentence):
        clauses.append(sentence[start : cut.start()])
        start = (
            cut.start() + (1 if cut[0][0] == "," else 0) if CONDITION.match(cut[0].lstrip(",")) else cut.end()
        )
    return [*clauses, sentence[start:]]


def is_conditional(clause: str) -> bool:
    """Return whether a clause states a condition, such as one that begins with "if".

    >>> is_conditional("But if the Union be destroyed")
    True
    """
    return CONDITION.match(clause) is not None


def is_wish_against_report(claim: str, clause: str) -> bool:
    """Return whether the claim says what should be done and the clause reports what is or was, or vice versa.

    >>> is_wish_against_report("We should not ban them.", "In the 1990s we passed a ban.")
    True
    >>> is_wish_against_report("We should not ban them.", "We will ban them.")
    False
    """
    mine, theirs = read_mood(claim), read_mood(clause)
    return {mine, theirs} == {"obligation", "report"}


def is_norm_for_past(claim: str, sentence: str) -> bool:
    """Return whether a claim says what was done, while a sentence says only what should be done.

    A claim that itself reports a demand ("asked us to") does not say what was done.

    >>> is_norm_for_past("The president defended the border.", "We must defend the border.")
    True
    >>> is_norm_for_past("The president asked us to defend the border.", "We must defend the border.")
    False
    """
    if read_mood(claim) != "report" or DEMANDING.search(claim):
        return False
    verbs = (word.lower for word in tag_words(claim) if word.is_finite)
    if not any(verb in PAST or verb.endswith("ed") for verb in verbs):
        return False
    clauses = [clause for clause in cut_clauses(sentence) if len(clause.split()) > 2]
    return bool(clauses) and all(read_mood(clause) == "obligation" for clause in clauses)


def read_mood(text: str) -> str:
    """Classify a text as `obligation` ("we need to"), `intention` ("we will"), or else `report`.

    >>> read_mood("We need to pass it."), read_mood("We will pass it."), read_mood("We passed it.")
    ('obligation', 'intention', 'report')
    """
    words = _list_words(text)
    modals = set(count_modals(words))
    if modals & OBLIGATIONS or OBLIGING.intersection(words):
        return "obligation"
    return "intention" if modals & INTENTIONS or INTENDING.intersection(words) else "report"
