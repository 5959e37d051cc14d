"""Find words outside a cut (the words that are quoted) that change its meaning, such as "not" or "if"."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quotations.cuts.cuts import Cut, Loss, LossKind
from quotations.cuts.lost_conditions import find_lost_alternative, find_lost_condition, find_lost_exception
from quotations.cuts.lost_hedges import find_lost_hedge, find_lost_limit, find_lost_question
from quotations.cuts.lost_negations import find_lost_denial, find_lost_negation
from quotations.cuts.lost_reports import find_lost_label, find_lost_promise, find_lost_report
from quotations.cuts.lost_sources import find_lost_aside, find_lost_quotation, find_lost_source
from quotations.grammar.passages import Passage


def find_losses(passage: Passage, start_char: int, end_char: int) -> list[Loss]:
    """Return the losses of a cut: words outside it, such as "not", that change the meaning of those inside.

    The cut is the words that a quotation takes: `passage.text[start_char:end_char]`. The gravest losses come
    first; equally grave ones are in text order. Words in quotation marks count as somebody else's words,
    unless the passage is marked as a statement of the speaker.
    """
    losses: dict[tuple[LossKind, int, int], Loss] = {}
    for sentence, words in passage.list_overlapping(start_char, end_char):
        cut = Cut(passage, sentence, words[0], words[-1])
        for rule in RULES:
            for loss in rule(cut):
                if not (loss.start_char >= start_char and loss.end_char <= end_char):
                    earlier = losses.get((loss.kind, loss.start_char, loss.end_char))
                    if earlier is None or earlier.severity < loss.severity:
                        losses[loss.kind, loss.start_char, loss.end_char] = loss
    return sorted(losses.values(), key=lambda loss: (-loss.severity, loss.start_char))


RULES: tuple[Callable[[Cut], Iterator[Loss]], ...] = (
    find_lost_negation,
    find_lost_denial,
    find_lost_condition,
    find_lost_exception,
    find_lost_report,
    find_lost_label,
    find_lost_promise,
    find_lost_source,
    find_lost_alternative,
    find_lost_aside,
    find_lost_hedge,
    find_lost_limit,
    find_lost_question,
    find_lost_quotation,
)
