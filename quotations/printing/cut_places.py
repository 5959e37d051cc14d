"""List the places in a sentence where a quote for print may begin or end: at clauses and at punctuation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import COORDINATORS
from quotations.grammar.gaps import is_hard
from quotations.grammar.passages import Sentence
from quotations.grammar.tagging import Word
from quotations.printing.opening_words import is_causal
from quotations.printing.print_spans import is_dash
from quotations.printing.span_starts import find_printed_start

FEWEST_ATTRIBUTING_WORDS = 3


def list_starts(sentence: Sentence) -> list[int]:
    """Return the offsets in the text where a quote from `sentence` may begin.

    These are the start of the sentence, the starts of clauses, and the places after commas and stronger
    marks.
    """
    return list(_find_starts(sentence))


def _find_starts(sentence: Sentence) -> Iterator[int]:
    words = sentence.words
    if not words:
        return
    yield find_printed_start(sentence.text, words[0])
    if (opens := _find_quotation_start(sentence)) is not None:
        yield opens
    if (_is_joining(sentence, 0) or is_causal(sentence)) and len(words) > 1:
        yield words[1].start_char
    for i in range(1, len(words)):
        if is_hard(sentence.gaps[i]) or "," in sentence.gaps[i]:
            yield find_printed_start(sentence.text, words[i])
            if words[i].lower in COORDINATORS and i + 1 < len(words):
                yield words[i + 1].start_char
    for clause in sentence.clauses:
        if clause.verb is None or not clause.words:
            continue
        yield from (words[i].start_char for i in _list_clause_starts(sentence, clause))


def _is_joining(sentence: Sentence, at: int) -> bool:
    """Return whether the word `at` is "and", "but", "so" or the like; the "so" of "so long as" does not
    count.
    """
    following = sentence.words[at + 1].lower if at + 1 < len(sentence.words) else ""
    return sentence.words[at].lower in COORDINATORS and following not in ("long", "far")


def _find_quotation_start(sentence: Sentence) -> int | None:
    """Return the offset of the quotation mark before the first word of a sentence: '"Go on," she told us.'.

    Return `None` if there is no such mark, if the quotation does not end in the sentence, or if fewer than
    three words follow the quotation.
    """
    text, first = sentence.text, sentence.words[0].start_char
    closes = max(text.find(mark, first, sentence.end_char) for mark in '”"')
    outside = [word for word in sentence.words if word.start_char > closes]
    is_opened = first > 0 and text[first - 1] in '“"'
    return first - 1 if is_opened and closes > 0 and len(outside) >= FEWEST_ATTRIBUTING_WORDS else None


def _list_clause_starts(sentence: Sentence, clause: Clause) -> Iterator[int]:
    first = clause.first
    yield first
    openers = [
        i for i in sorted(clause.words)[:3] if sentence.words[i].lower == "that" or _is_joining(sentence, i)
    ]
    if openers and openers[-1] + 1 < len(sentence.words):
        yield openers[-1] + 1


def list_ends(sentence: Sentence) -> list[int]:
    """Return the offsets in the text where a quote from `sentence` may end.

    These are the places before punctuation and before clauses, and the end of the sentence.
    """
    return list(_find_ends(sentence))


def _find_ends(sentence: Sentence) -> Iterator[int]:
    words = sentence.words
    if not words:
        return
    tail = sentence.text[words[-1].end_char : sentence.end_char]
    yield words[-1].end_char
    for mark in '?”"’)]!%':
        if mark in tail:
            yield words[-1].end_char + tail.rindex(mark) + 1
    for i in range(1, len(words)):
        gap = sentence.gaps[i]
        if gap.strip(" -'’"):
            yield words[i - 1].end_char
            for mark in '”")%':
                if mark in gap:
                    yield words[i - 1].end_char + gap.rindex(mark) + 1
        if _is_joining_predicate(words, i) or _is_resumed(sentence, i):
            yield words[i - 1].end_char
    for clause in sentence.clauses:
        if clause.words and clause.verb is not None and 0 < clause.first < len(words):
            yield words[clause.first - 1].end_char


def _is_joining_predicate(words: Sequence[Word], at: int) -> bool:
    """Return whether the word `at` joins a second verb to the first: "and" in "cut waste and raise wages".

    A quote may end before this word.
    """
    follows = at + 1 < len(words) and words[at + 1].tag == "VERB"
    return words[at].tag == "CCONJ" and follows and words[at - 1].tag in ("NOUN", "PROPN", "NUM")


def _is_resumed(sentence: Sentence, at: int) -> bool:
    """Return whether the word `at` is a preposition that is said again after a dash.

    In "the room off my — off the hall", this is the first "off". A quote may end before it.
    """
    if sentence.words[at].tag != "ADP":
        return False
    nearby = range(at + 1, min(len(sentence.words), at + 5))
    return any(
        is_dash(sentence.gaps[i]) and sentence.words[i].lower == sentence.words[at].lower for i in nearby
    )
