"""Replace a span, words of a speech chosen for print, by a nearby range of words that can be printed.

Candidates begin and end at the bounds of sentences and clauses. The nearest candidate that overlaps the span
and is fit for print is chosen, or else the whole sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from quotations.grammar.cut_vocabulary import ADVERBIALS, COORDINATORS, RELATIVES
from quotations.grammar.gaps import is_hard
from quotations.grammar.passages import Sentence
from quotations.printing.cut_places import list_ends
from quotations.printing.embeddable_phrases import drop_subject, find_phrase, is_noun_phrase
from quotations.printing.nearby_ranges import find_nearest, is_overlapping, list_candidates, rank_worst
from quotations.printing.other_sentences import choose_other
from quotations.printing.print_rules import find_flaws, find_lesser_flaws
from quotations.printing.print_spans import LONGEST, SHORTEST, Flaw, FlawKind, Part, PrintSpan
from quotations.printing.self_contained import is_opened, is_self_contained

FAR_TOO_LONG = 75
"""Number of words above which a span is shortened. Below it, a shorter span is offered in addition."""


def mend(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]]:
    """Return the span to print instead of `span`, and its remaining flaws.

    If no span that shares words with `span` is fit for print, take a sentence nearby that is fit (see
    `choose_other`), or else a phrase (see `find_phrase`).
    """
    near, flaws = mend_near(span)
    other = choose_other(span, near, flaws) or find_phrase(span, near, flaws)
    return (near, flaws) if other is None else (other, [])


def mend_near(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]]:
    """Return the most printable span that shares words with `span`, and its flaws.

    A span is kept if it has no flaws except of length. Otherwise it is replaced by the best candidate: a
    range that begins and ends at clauses. A candidate's score is its overlap with the span, minus penalties
    for flaws and for a bad length. The result is extended to the end of its sentence if the rest changes what
    it says: "[a town of builders], not of brokers". If the result then has more than `FAR_TOO_LONG` words, it
    is shortened to its longest part that is fit for print, if there is one.
    """
    mended, flaws = _widen(*_move(span))
    shorter = shorten(mended, span) if mended.length > FAR_TOO_LONG else None
    return (mended, flaws) if shorter is None else shorter


def _move(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]]:
    flaws = find_flaws(span)
    if rank_worst(flaws) <= FlawKind.LENGTH:
        return span, flaws
    best, best_flaws = find_nearest(span, flaws, is_opened, is_self_contained)
    if best is span and flaws[0].kind == FlawKind.GRAMMAR:
        best, best_flaws = find_nearest(span, flaws, is_noun_phrase)
    if best is span and rank_worst(flaws) >= FlawKind.BOUNDARY:
        best, best_flaws = _fall_back(span, flaws)
    if rank_worst(best_flaws) == FlawKind.CONTEXT:
        return drop_subject(best) or _prepend_sentences(best) or (best, best_flaws)
    return best, best_flaws


def _widen(span: PrintSpan, flaws: list[Flaw]) -> tuple[PrintSpan, list[Flaw]]:
    """Extend a span to the end of its sentence, if the rest of the sentence changes what the span says.

    Example: "[a town of builders], not of brokers", where the brackets are the span. The span stays as it is
    if it would get longer than `LONGEST` words, or would get a graver flaw.
    """
    part = span.parts[-1] if span.parts else None
    if part is None or part.last == len(part.sentence.words) - 1 or not _is_going_on(part):
        return span, flaws
    if part.clauses[0].verb is None:
        return span, flaws
    wider = replace(span, end_char=max(part.sentence.compute(list_ends)))
    if wider.length > LONGEST:
        return span, flaws
    wider_flaws = find_lesser_flaws(wider, max(rank_worst(flaws), FlawKind.LENGTH) + 1)
    return (span, flaws) if wider_flaws is None else (wider, wider_flaws)


def _is_going_on(part: Part) -> bool:
    """Return whether a part of a sentence would mean something else without the words after it.

    These words follow a comma. They begin with "not", "only to", "unless" or the like: "[a town of builders],
    not of brokers". Or they are a main clause without "and": "[I know, as you said], it was late". The
    brackets are the part.
    """
    words, after = part.sentence.words, part.last + 1
    if part.gap_after.strip() != ",":
        return False
    if words[after].lower in LIMITING:
        return True
    clause = part.sentence.clause_of[after]
    if clause.first != after or clause.verb is None or clause.subject is None or clause.kind == "relative":
        return False
    return words[after].lower not in CLAUSE_OPENERS and after <= clause.subject < clause.verb


CLAUSE_OPENERS = COORDINATORS | ADVERBIALS | RELATIVES
LIMITING = frozenset(("not", "only", "nor", "unless", "until", "except", "though", "although", "rather"))
"""Words after a comma that limit or contradict what is said before it."""


def _prepend_sentences(span: PrintSpan) -> tuple[PrintSpan, list[Flaw]] | None:
    """Extend a span by the fewest sentences before it that make it fit for print; `None` if this is not
    possible.

    These sentences contain what the first pronoun or "this" of the span refers to. The result has at most
    `LONGEST` words.
    """
    for sentence in _list_before(span):
        longer = replace(span, start_char=sentence.words[0].start_char)
        if longer.length > LONGEST:
            return None
        if (flaws := find_lesser_flaws(longer, FlawKind.LENGTH)) is not None:
            return longer, flaws
    return None


def _list_before(span: PrintSpan) -> Iterator[Sentence]:
    """Yield the sentences that begin before a span, nearest first.

    If the span begins inside a sentence, this sentence is the first.
    """
    start = span.parts[0].words[0].start_char
    for sentence in reversed(span.passage.sentences):
        if sentence.start_char < start and sentence.words and sentence.words[0].start_char < start:
            yield sentence


def shorten(span: PrintSpan, cut: PrintSpan | None = None) -> tuple[PrintSpan, list[Flaw]] | None:
    """Return the longest span without flaws inside a span of more than `LONGEST` words; `None` without one.

    The result has at most `LONGEST` words. If `cut` is set, spans that share words with `cut` are preferred,
    for example with the span before it was mended.
    """
    if span.length <= LONGEST:
        return None
    inside = [
        c for c in list_candidates(span) if c.start_char >= span.start_char and c.end_char <= span.end_char
    ]

    def rank(option: PrintSpan) -> tuple[bool, int, int]:
        is_apart = cut is not None and not is_overlapping(cut, option.start_char, option.end_char)
        return (is_apart, option.start_char - option.end_char, option.start_char)

    for option in sorted(inside, key=rank):
        is_printable = SHORTEST <= option.length <= LONGEST and is_opened(option)
        if is_printable and find_lesser_flaws(option, FlawKind.LENGTH, is_self_contained) is not None:
            return option, []
    return None


def _fall_back(span: PrintSpan, flaws: list[Flaw]) -> tuple[PrintSpan, list[Flaw]]:
    """Extend a span to whole sentences if it is badly cut, and return the result with its flaws.

    A span whose flaws are all less grave than `BOUNDARY` (a bad cut) is returned unchanged. If the gravest
    flaw of the whole sentences is broken grammar, such as a false start, a better span nearby is returned
    instead, if there is one.
    """
    if rank_worst(flaws) < FlawKind.BOUNDARY or not span.parts:
        return span, flaws
    first, last = span.parts[0].sentence, span.parts[-1].sentence
    whole = replace(span, start_char=first.words[0].start_char, end_char=max(last.compute(list_ends)))
    whole_flaws = find_flaws(whole)
    rest = _find_fit_rest(span) if rank_worst(whole_flaws) == FlawKind.GRAMMAR else None
    return (whole, whole_flaws) if rest is None else (rest, find_flaws(rest))


def _find_fit_rest(span: PrintSpan) -> PrintSpan | None:
    """Return, of the ranges that may replace a span, the fit one that shares most text with the span.

    The result is `None` if no such range is fit for print.
    """

    def measure_share(option: PrintSpan) -> int:
        return min(span.end_char, option.end_char) - max(span.start_char, option.start_char)

    options = [c for c in list_candidates(span) if SHORTEST <= c.length <= LONGEST]
    options.sort(key=lambda c: (-measure_share(c), c.end_char - c.start_char))
    for option in filter(is_opened, options):
        if find_lesser_flaws(option, FlawKind.CONTEXT, is_self_contained) is not None:
            return option
    for option in filter(_is_phrase_after_dash, options):
        if find_lesser_flaws(option, FlawKind.CONTEXT) is not None:
            return option
    return None


def _is_phrase_after_dash(span: PrintSpan) -> bool:
    """Return whether a span begins with an infinitive right after a dash: "to — [keep the mill open]"."""
    if len(span.parts) != 1:
        return False
    part = span.parts[0]
    return is_hard(part.gap_before) and part.words[0].form == "Inf"
