"""Decide whether the words of a span can stand alone between quotation marks."""

from __future__ import annotations

from quotations.grammar.cut_vocabulary import ADVERBIALS, CONNECTIVES, COORDINATORS, RELATIVES
from quotations.grammar.gaps import is_hard
from quotations.printing.opening_words import is_causal
from quotations.printing.print_spans import Part, PrintSpan

OPENED_STARTS = ADVERBIALS | {"to", "what", "how", "why"}
NO_STARTS = OPENED_STARTS | RELATIVES | COORDINATORS | {"that"}


def is_self_contained(span: PrintSpan) -> bool:
    """Return whether a span has, in each of its sentences, a main clause with its subject, a command or a
    question.
    """
    parts = span.parts
    if not is_opened(span):
        return False
    is_order = parts[0].words[0].lower == "let" and _is_after_opening(parts[0])
    for number, part in enumerate(parts):
        main = part.clauses[0]
        if main.verb is None or (len(main.words) == 2 and part.words[main.verb].lower in ("mean", "know")):
            return False
        if (
            number == 0
            and part.first > 0
            and not is_order
            and (main.subject is None or main.subject > main.verb)
        ):
            return False
    return True


def is_opened(span: PrintSpan) -> bool:
    """Return whether a span begins where a sentence begins, or with a clause that can stand alone."""
    return bool(span.parts) and not (span.parts[0].first > 0 and _is_dependent_start(span))


def _is_dependent_start(span: PrintSpan) -> bool:
    """Return whether a span that begins inside a sentence depends on the words before it.

    It begins with a word such as "that" or "who", or it lacks the question word of its question.
    """
    opening, gap = span.parts[0].words[0], span.parts[0].gap_before
    is_opened = is_hard(gap) or _is_after_connective(span.parts[0])
    if is_opened and opening.lower in OPENED_STARTS:
        return False
    is_dependent = (
        opening.lower in NO_STARTS or opening.tag == "SCONJ" or (not is_opened and opening.tag == "ADP")
    )
    return is_dependent or (not is_hard(gap) and span.text.endswith("?"))


def _is_after_opening(part: Part) -> bool:
    """Return whether the printed words follow a connective and a comma: "So, first of all, [let me]"."""
    if _is_after_connective(part):
        return True
    return part.sentence.words[0].lower in CONNECTIVES | COORDINATORS and "," in part.gap_before


def _is_after_connective(part: Part) -> bool:
    """Return whether only a connective comes before the printed words in their sentence: "However, [to avoid
    ...]".
    """
    return part.first == 1 and (part.sentence.words[0].lower in CONNECTIVES or is_causal(part.sentence))
