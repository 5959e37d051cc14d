"""Find doubts about a span that breaks no rule: what a reader should check before it is printed.

A span is the words of a speech that are to be printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial

from quotations.grammar.cut_vocabulary import NEGATORS, THIRD_PERSONS
from quotations.grammar.tagging import Word
from quotations.printing.other_voices import find_other_voice
from quotations.printing.pointing import DEMONSTRATIVES, find_pointer, list_words
from quotations.printing.print_spans import Flaw, FlawKind, PrintSpan
from quotations.printing.printability import COMPARING, WEIGHTS, read_features
from quotations.text.meaning import DETERMINERS

READY_FROM = 0.8
"""Printability from which a span without flaws is ready to print."""

LONGEST_LEAD = 2
"""Number of words of its sentence that may stand before a span that is ready to print: "And", "But today"."""

PREMODIFIERS = frozenset(("ADJ", "VERB", "NUM", "ADV"))
OPENING_DETERMINERS = DETERMINERS | {"this", "that", "these", "those", "no"}
SHOWN_WORDS = 12  # words of the sentence outside the span that a doubt is about
SPOKEN_DASH = " — "  # one alone, as a transcript writes where a speaker stops


def find_doubt(span: PrintSpan, flaws: Sequence[Flaw], printability: float) -> Flaw | None:
    """Return the doubt that a reader should check before a span is printed; `None` if there is no doubt.

    A span is the words of a speech that are to be printed. A doubt is milder than a flaw: most spans with a
    doubt can be printed. A span with a flaw gets no doubt, unless its only flaw is its length. If a span
    begins or ends inside a sentence, the doubt marks words of this sentence that are outside the span.
    """
    if not span.parts or any(flaw.kind > FlawKind.LENGTH for flaw in flaws):
        return None
    return (
        _find_rest(span)
        or find_other_voice(span)
        or _find_series(span)
        or _find_announcement(span)
        or _find_infinitives(span)
        or find_pointer(span)
        or _find_unlikely(span, flaws, printability)
    )


def is_ready(flaws: Sequence[Flaw]) -> bool:
    """Return whether a span with these flaws and doubts is ready to print; its length does not matter."""
    return all(flaw.kind == FlawKind.LENGTH for flaw in flaws)


def _find_rest(span: PrintSpan) -> Flaw | None:
    """Return a doubt if the span leaves out words of its first or last sentence.

    These are words at the beginning of its first sentence, or at the end of its last sentence.
    """
    first, last = span.parts[0], span.parts[-1]
    lead = first.sentence.words[: first.first]
    is_phrase = len(lead) == 2 and lead[0].lower in OPENING_DETERMINERS and lead[1].tag in PREMODIFIERS
    if first.first > LONGEST_LEAD or is_phrase:  # "That sacred | flame"
        lead = first.sentence.words[max(0, first.first - SHOWN_WORDS) : first.first]
        return span.make_flaw(FlawKind.DOUBT, "after words of its sentence", lead[0], lead[-1])
    if rest := last.sentence.words[last.last + 1 :][:SHOWN_WORDS]:
        return span.make_flaw(FlawKind.DOUBT, "before words of its sentence", rest[0], rest[-1])
    return None


def _find_series(span: PrintSpan) -> Flaw | None:
    """Return a doubt if the last sentence of the span denies something and the next one begins with the same
    words.

    Such sentences form a contrast: "There is no North. There is only one valley."
    """
    last, sentences = span.parts[-1].sentence, span.passage.sentences
    following = sentences[sentences.index(last) + 1 :][:1]
    opening, denied = [word.lower for word in last.words[:2]], [word.lower for word in last.words[:4]]
    if not following or opening[:1] not in STATING or NEGATORS.isdisjoint(denied):
        return None
    if [word.lower for word in following[0].words[:2]] != opening:
        return None
    words = following[0].words[:SHOWN_WORDS]
    return span.make_flaw(FlawKind.DOUBT, "before a contrast", words[0], words[-1])


STATING = (["there"], ["it"], ["this"], ["that"])
"""First words of sentences that say what there is, or is not."""


def _find_announcement(span: PrintSpan) -> Flaw | None:
    """Return a doubt if the span announces what the speaker says after it, instead of saying it.

    Examples: "Let me turn to the budget.", "I asked a nurse what it is like.", "But here's what I believe."
    """
    words = list_words(span)
    is_subject = len(span.parts) == 1 and ANNOUNCEMENT.match(span.text) is not None
    last = span.parts[-1].words
    if not is_subject and not ASKING.search(span.text, last[0].start_char - span.start_char):
        return None
    return span.make_flaw(FlawKind.DOUBT, "announces what follows", words[0], words[-1])


def _find_infinitives(span: PrintSpan) -> Flaw | None:
    """Return a doubt if the first sentence of a span has only an infinitive: "To defend us. To vote.".

    A single such sentence gets no doubt, because an article can print it after a verb: they promised "to
    defend us". If it begins with "Not to", as in "Not to meet your need, but theirs", it gets a doubt.
    """
    first = span.parts[0].words
    lowers = [word.lower for word in first[:2]]
    is_alone = lowers == ["not", "to"] or (len(span.parts) > 1 and lowers[0] == "to")
    if not is_alone or any(word.is_finite for word in first):
        return None
    return span.make_flaw(FlawKind.DOUBT, "no main verb", first[0], first[-1])


ANNOUNCEMENT = re.compile(
    r"let\s+me\s+(?:be\s+(?:\w+\s+)?(?:clear|direct|honest|frank|blunt|specific|candid)\s+(?:about|on|with)"
    r"|(?:speak|talk|turn|say\s+a\s+(?:few\s+)?words?)\s+(?:about|on|to|of)"
    r"|(?:begin|start|close|end)\s+(?:by|with))\b[^,:;—]*\Z",
    re.IGNORECASE,
)
"""Match a sentence that only leads to what the speaker is about to say."""

ASKING = re.compile(
    r"\bhere(?:['’]s|\s+is)\s+(?:what|how|why|who|where)\b[^.?!]*\.?\Z|"
    r"\bI\s+(?:have\s+)?(?:asked|wondered)\b[^.?!]*\b(?:what|how|why|who|where|whether|if)\b[^.?!]*\.?\Z"
)
"""Match the end of a sentence after which the speaker says what the sentence announces or asks."""


def _find_unlikely(span: PrintSpan, flaws: Sequence[Flaw], printability: float) -> Flaw | None:
    """Return a doubt about what speaks most against printing a span; `None` if nothing does.

    If the span has exactly one dash as transcripts write it (`SPOKEN_DASH`), the doubt is about this dash.
    Otherwise, if `printability` is below `READY_FROM`, the doubt is about the feature that lowers
    `printability` most. `printability` is the estimated probability, 0 to 1, that a copy editor prints the
    span.
    """
    if span.text.count(SPOKEN_DASH) == 1:
        worst = "dashes"
    elif printability < READY_FROM:
        features = read_features(span, flaws)
        worst = min(features, key=lambda name: WEIGHTS[name] * features[name])
    else:
        return None
    rule, find_words = UNLIKELY.get(worst, ("unlike printed quotes", list_words))
    words = find_words(span)
    return span.make_flaw(FlawKind.DOUBT, rule, words[0], words[-1])


def _find_first_of(lowers: Collection[str], span: PrintSpan) -> Sequence[Word]:
    """Return the first word of the span that is one of `lowers`, as a list; empty if there is no such
    word.
    """
    return [word for word in list_words(span) if word.lower in lowers][:1]


UNLIKELY: dict[str, tuple[str, Callable[[PrintSpan], Sequence[Word]]]] = {
    "this": ("perhaps 'this' of something outside", partial(_find_first_of, DEMONSTRATIVES)),
    "early pronoun": ("perhaps a pronoun for something outside", partial(_find_first_of, THIRD_PERSONS)),
    "comparison": ("perhaps a comparison with something outside", partial(_find_first_of, COMPARING)),
    "that": ("words with 'that'", partial(_find_first_of, {"that"})),
    "dashes": ("dashes", list_words),
    "colon": ("colon or semicolon", list_words),
    "spoken": ("spoken rather than written", list_words),
}
"""For a feature of the estimate: the rule whose message says it, and the words that it is about."""
