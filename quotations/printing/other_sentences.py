"""Find a nearby sentence that is fit for print, to replace a flawed span."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quotations.grammar.cut_vocabulary import COORDINATORS
from quotations.grammar.passages import Sentence
from quotations.printing.cut_places import list_ends
from quotations.printing.nearby_ranges import FURTHEST, rank_worst
from quotations.printing.opening_words import is_causal
from quotations.printing.print_rules import find_flaws, find_lesser_flaws
from quotations.printing.print_spans import Flaw, FlawKind, PrintSpan
from quotations.printing.self_contained import is_opened, is_self_contained


def choose_other(cut: PrintSpan, span: PrintSpan, flaws: Sequence[Flaw]) -> PrintSpan | None:
    """Return a nearby sentence that is fit for print, to replace the flawed `span`; `None` to keep `span`.

    The nearest sentence that is fit is taken; of two equally near sentences, the one before the span. It
    overlaps `span` or is at most `FURTHEST` sentences away. `cut` is the span that was chosen first, before
    it was mended.

    `span` is kept if it is fit or a joke, or if no sentence is fit. It is also kept if the meaning of `span`
    or `cut` depends on the words around it.
    """
    if not FlawKind.CONTEXT <= rank_worst(flaws) < FlawKind.MEANING:
        return None
    is_late = is_tolerable(span, flaws)
    if is_late and (flaws[0].rule == "joke" or flaws[0].kind != FlawKind.CONTEXT):
        return None
    furthest = NEXT if is_late else FURTHEST
    if cut is not span and rank_worst(find_flaws(cut)) == FlawKind.MEANING:
        return None
    sentences = span.passage.sentences
    touched = [
        i for i, s in enumerate(sentences) if s.start_char < span.end_char and s.end_char > span.start_char
    ]
    if not touched:
        return None
    away = {i: max(0, touched[0] - i, i - touched[-1]) for i in range(len(sentences))}
    for i in sorted((i for i in away if away[i] <= furthest), key=lambda i: (away[i], i)):
        for option in _list_wholes(span, sentences[i]):
            if (
                has_content(option)
                and is_opened(option)
                and find_lesser_flaws(option, FlawKind.LENGTH, is_self_contained) is not None
            ):
                return option
    return None


NEXT = 1
OPENING_WORDS = 6
"""Number of first words in which an unresolved reference misleads a reader most."""


def is_tolerable(span: PrintSpan, flaws: Sequence[Flaw]) -> bool:
    """Return whether a span with these flaws should be kept with warnings instead of being replaced.

    This applies to a joke, to a span whose worst flaw is a late reference to other sentences ("that plan"),
    and to a whole sentence without a verb, because the tagger may have missed the verb.
    """
    worst = flaws[0]
    if (worst.rule == "joke" and worst.kind == FlawKind.CONTEXT) or (
        worst.rule == "subject without a verb" and span.parts[0].is_whole
    ):
        return True
    before = span.passage.text[span.start_char : worst.start_char].split()
    return worst.kind == FlawKind.CONTEXT and len(before) >= OPENING_WORDS


FEWEST_CONTENT_WORDS = 4


def has_content(option: PrintSpan) -> bool:
    """Return whether a span has enough content to be quoted on its own, and is not just thanks."""
    words = [word for part in option.parts for word in part.words]
    content = [word for word in words if word.tag in ("NOUN", "PROPN", "ADJ", "NUM", "VERB")]
    return len(content) >= FEWEST_CONTENT_WORDS and not {"thank", "thanks"} & {word.lower for word in words}


def _list_wholes(span: PrintSpan, sentence: Sentence) -> Iterator[PrintSpan]:
    """Yield a whole sentence, then each of its ends that may be printed alone, longest first.

    Such an end begins after an opening "And" or "For", or at a semicolon or colon.
    """
    words = sentence.words
    if not words:
        return
    end = max(sentence.compute(list_ends))
    starts = [0, *(i for i in range(1, len(words)) if ";" in sentence.gaps[i] or ":" in sentence.gaps[i])]
    if words[0].lower in COORDINATORS or is_causal(sentence):
        starts.insert(1, 1)
    for i in sorted(starts):
        if i < len(words):
            yield replace(span, start_char=words[i].start_char, end_char=end)
