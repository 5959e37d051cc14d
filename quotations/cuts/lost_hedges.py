"""Find hedges ("perhaps"), limits ("only") and question marks that a quotation leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from quotations.cuts.cuts import Cut, Loss, LossKind, Severity
from quotations.cuts.lost_negations import is_negator
from quotations.grammar.cut_vocabulary import (
    COORDINATORS,
    HEDGE_ADVERBS,
    QUESTION_OPENERS,
    TAG_WORDS,
    WEAK_MODALS,
)

LIMITS = frozenset(("only", "merely", "barely", "rarely", "seldom", "hardly", "scarcely"))

AFTERTHOUGHTS = frozenset((
    "relatively speaking", "generally speaking", "so to speak", "as it were", "in a sense", "in a way",
    "in some sense", "in some ways", "more or less", "in theory", "on paper", "up to a point",
    "to some extent",
    "to some degree", "to a degree", "at least in theory", "in my opinion", "in my view", "in my judgment",
    "if i remember correctly", "if i recall correctly", "as far as i know", "to my knowledge", "for now",
))  # fmt: skip
LONGEST_AFTERTHOUGHT = 5


def find_lost_hedge(cut: Cut) -> Iterator[Loss]:
    """Yield a loss for each hedge that the quoted words (the cut) leave out.

    A hedge is "perhaps" or the like in a clause of the quoted words, or "may", "almost" or the like right
    before them. Words such as ", relatively speaking" right after them are also a hedge.
    """
    for head in cut.heads:
        for at in head.words:
            if cut.lower(at) not in HEDGE_ADVERBS or cut.has(at) or cut.lower(at - 1) == "not":
                continue
            if at < cut.first or (at <= cut.last + 2 and _is_aside(cut, at)):
                severity = cut.grade_hedge() if not cut.get_word(cut.first).is_finite else Severity.WARNING
                yield cut.make_loss(LossKind.HEDGE, severity, at, at)
    if afterthought := _find_afterthought(cut):
        yield cut.make_loss(LossKind.HEDGE, Severity.WARNING, *afterthought)
    before = cut.first - 1
    opens = before in (0, 1) and cut.lower(before) in HEDGE_ADVERBS
    if opens and any(cut.get_word(i).is_finite for i in cut.words):
        yield cut.make_loss(LossKind.HEDGE, Severity.WARNING, before, before)
    if before < 0 or cut.sentence.gaps[cut.first].strip():
        return
    if cut.lower(before) in WEAK_MODALS and cut.get_word(cut.first).tag in ("VERB", "AUX"):
        severity = Severity.WARNING if cut.lower(cut.first) == "have" else Severity.NOTE
        yield cut.make_loss(LossKind.HEDGE, severity, before, before)
    elif cut.lower(before) == "have" and cut.lower(before - 1) in WEAK_MODALS:
        yield cut.make_loss(LossKind.HEDGE, Severity.WARNING, before - 1, before)
    elif cut.lower(before) in ("almost", "nearly", "few"):
        yield cut.make_loss(LossKind.HEDGE, Severity.WARNING, before, before)


def _find_afterthought(cut: Cut) -> tuple[int, int] | None:
    """Return the indices of the first and last word of a hedge right after the cut: ", relatively speaking".

    The cut is the quoted words. Return `None` if it is not a statement or no such hedge follows it. A hedge
    stands after a comma or dash, and before punctuation or the end of the sentence.
    """
    first, gaps = cut.last + 1, cut.sentence.gaps
    count = len(cut.sentence.words)
    if not cut.is_statement or first >= count or gaps[first].strip() not in (",", "—", "--", "–"):
        return None
    for last in range(first, min(first + LONGEST_AFTERTHOUGHT, count)):
        ends = last + 1 == count or gaps[last + 1].strip() != ""
        if ends and " ".join(cut.lower(at) for at in range(first, last + 1)) in AFTERTHOUGHTS:
            return first, last
    return None


def find_lost_limit(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if the quotation leaves out a limiting word, such as "only", right before its words.

    Example, with the quoted words in brackets: "only [an alert citizenry can do it]".
    """
    at = cut.first - 1
    if cut.lower(at) not in LIMITS or cut.sentence.gaps[cut.first].strip():
        return
    if is_negator(cut, at - 1) or cut.lower(at - 1) in ("not", "n't"):
        return  # "not only"
    severity = Severity.WARNING if cut.is_statement or cut.lower(at) != "only" else Severity.NOTE
    yield cut.make_loss(LossKind.LIMIT, severity, at, at)


def _is_aside(cut: Cut, at: int) -> bool:
    """Return whether the word `at` ends an aside: it is before punctuation or the end of the sentence."""
    return at + 1 == len(cut.sentence.words) or cut.sentence.gaps[at + 1].strip() != ""


def find_lost_question(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if words of a question are quoted without the question mark.

    They may then read like a statement.
    """
    tail = cut.passage.text[cut.get_word(len(cut.sentence.words) - 1).end_char : cut.sentence.end_char]
    mark = tail.find("?")
    if mark < 0 or not cut.is_statement or cut.lower(len(cut.sentence.words) - 1) in TAG_WORDS:
        return
    if not any(head.kind in ("main", "content") for head in cut.heads):
        return
    at = cut.get_word(len(cut.sentence.words) - 1).end_char + mark
    asks = any(cut.has(head.verb) and head.kind in ("main", "content") for head in cut.heads)
    severity = Severity.NOTE if _is_interrogative(cut) else Severity.GRAVE if asks else Severity.WARNING
    yield Loss(LossKind.QUESTION, severity, at, at + 1)


def _is_interrogative(cut: Cut) -> bool:
    """Return whether readers recognise the quoted words as a question without its mark: "will we go"."""
    if cut.last == len(cut.sentence.words) - 1:
        mains = [clause for clause in cut.sentence.clauses if clause.kind == "main" and clause.words]
        if mains and mains[-1].first >= cut.first:
            return True
    for i in cut.words:
        opens = i == cut.first or cut.sentence.gaps[i].strip() != "" or cut.lower(i - 1) in COORDINATORS
        following = cut.get_word(i + 1) if i < cut.last else None
        is_inverted = (
            cut.get_word(i).tag == "AUX"
            and following is not None
            and following.tag in ("PRON", "DET", "NOUN")
        )
        if opens and (is_inverted or cut.lower(i) in QUESTION_OPENERS):
            return True
    return False
