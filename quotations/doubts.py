"""Tell which spans are ready to print, and what to look at in those that no rule objects to."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial

from quotations.cut_vocabulary import DEICTIC, NEGATORS, THIRD_PERSONS, TIMES
from quotations.meaning import make_word_set
from quotations.other_voices import find_other_voice
from quotations.print_spans import Flaw, FlawKind, PrintSpan
from quotations.printability import COMPARING, DEMONSTRATIVES, OPENING_WORDS, WEIGHTS, read_features
from quotations.tagging import Word

READY_FROM = 0.8
"""Printability from which a span without flaws is ready to print."""

LONGEST_LEAD = 2
"""Number of words of its sentence that may stand before a span that is ready to print: "And", "But today"."""

PREMODIFIERS = frozenset(("ADJ", "VERB", "NUM", "ADV"))
DETERMINERS = frozenset(("the", "a", "an", "this", "that", "these", "those", "my", "our", "your", "no"))
SHOWN_WORDS = 12  # words of the sentence outside the span that a doubt is about
SPOKEN_DASH = " — "  # one alone, as a transcript writes where a speaker stops


def find_doubt(span: PrintSpan, flaws: Sequence[Flaw], printability: float) -> Flaw | None:
    """Return what a reader has to look at in a span, `None` if it is ready to print.

    A span with flaws has its reasons already, except that a long one can be ready. A doubt is less than a
    flaw: most spans that have one can be printed. The words outside a span that begins or ends inside a
    sentence are shown, because they change its meaning more often than others.
    """
    if not span.parts or any(flaw.kind > FlawKind.LENGTH for flaw in flaws):
        return None
    return (
        _find_rest(span)
        or find_other_voice(span)
        or _find_series(span)
        or _find_announcement(span)
        or _find_pointer(span)
        or _find_unlikely(span, flaws, printability)
    )


def is_ready(flaws: Sequence[Flaw]) -> bool:
    """Return whether a span with these flaws and doubts is ready to print, long or not."""
    return all(flaw.kind == FlawKind.LENGTH for flaw in flaws)


def _find_rest(span: PrintSpan) -> Flaw | None:
    """Find words of its sentence before the span, or after it."""
    first, last = span.parts[0], span.parts[-1]
    lead = first.sentence.words[: first.first]
    is_phrase = len(lead) == 2 and lead[0].lower in DETERMINERS and lead[1].tag in PREMODIFIERS
    if first.first > LONGEST_LEAD or is_phrase:  # "That sacred | flame"
        lead = first.sentence.words[max(0, first.first - SHOWN_WORDS) : first.first]
        return span.make_flaw(FlawKind.DOUBT, "after words of its sentence", lead[0], lead[-1])
    if rest := last.sentence.words[last.last + 1 :][:SHOWN_WORDS]:
        return span.make_flaw(FlawKind.DOUBT, "before words of its sentence", rest[0], rest[-1])
    return None


def _find_series(span: PrintSpan) -> Flaw | None:
    """Find a denial that the next sentence goes on with: "There is no North. | There is only one valley."."""
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
    """Find a sentence that only says what the speaker will speak about."""
    words = _list_words(span)
    if len(span.parts) > 1 or not ANNOUNCEMENT.match(span.text):
        return None
    return span.make_flaw(FlawKind.DOUBT, "announces what follows", words[0], words[-1])


ANNOUNCEMENT = re.compile(
    r"let\s+me\s+(?:be\s+(?:\w+\s+)?(?:clear|direct|honest|frank|blunt|specific|candid)\s+(?:about|on|with)"
    r"|(?:speak|talk|turn|begin|start|close|end|say\s+a\s+(?:few\s+)?words?)\b)[^,:;—]*\Z",
    re.IGNORECASE,
)
"""Match a sentence that only leads to what the speaker is about to say."""


def _find_pointer(span: PrintSpan) -> Flaw | None:
    """Find a word that may point to something outside: "this bill", "that day", "she", "both"."""
    words = _list_words(span)
    for at, word in enumerate(words):
        is_person = word.lower in SINGULAR_PRONOUNS and not any(one.lower in ANYBODY for one in words[:at])
        is_group = word.lower in PLURAL_PRONOUNS and not any(_may_be_they(one) for one in words[:at])
        if is_person or is_group or (word.lower in PLURAL_PRONOUNS and at < OPENING_WORDS):
            return span.make_flaw(FlawKind.DOUBT, "perhaps a pronoun for something outside", word)
        if word.lower in BACK_REFERENCES or (not at and BACK_OPENINGS.match(span.text)):
            return span.make_flaw(FlawKind.DOUBT, "perhaps a comparison with something outside", word)
        if word.lower == "it" and _is_object(words, at) and not any(o.tag == "NOUN" for o in words[:at]):
            return span.make_flaw(FlawKind.DOUBT, "perhaps a pronoun for something outside", word)
        if _is_something_known(words, at):
            return span.make_flaw(FlawKind.DOUBT, "perhaps something named outside", word, words[at + 1])
        if _is_demonstrative(word) and not _is_clear(words[at + 1 : at + 3]):
            return span.make_flaw(FlawKind.DOUBT, "perhaps 'this' of something outside", word)
    return None


def _is_object(words: Sequence[Word], at: int) -> bool:
    """Return whether the word at `at` is an object: "send it to my desk", but not "make it clear"."""
    is_governed = at > 0 and words[at - 1].tag in ("VERB", "ADP")
    return is_governed and (at + 1 == len(words) or words[at + 1].tag in ("ADP", "CCONJ", "ADV"))


def _may_be_they(word: Word) -> bool:
    """Return whether "they" may stand for a word: a plural, or a word for several people."""
    return (word.tag in ("NOUN", "PROPN") and word.lower.endswith("s")) or word.lower in GROUPS


def _is_something_known(words: Sequence[Word], at: int) -> bool:
    """Return whether "the bill" or "the parties" stands without a word that says which one."""
    following = [word.lower for word in words[at + 1 : at + 3]]
    if words[at].lower != "the" or not following or following[0] not in NAMED_BEFORE:
        return False
    return len(following) < 2 or following[1] not in DESCRIBING | EXPLAINING


NAMED_BEFORE = make_word_set(
    """bill bills measure measures proposal resolution amendment parties legislation act agreement treaty deal
    plan program"""
)
"""Nouns of things that a speech has named before it says "the bill"."""
EXPLAINING = make_word_set("to for in on against between from under we i by with which yesterday today")


def _is_demonstrative(word: Word) -> bool:
    return word.lower in POINTING or (word.lower == "that" and word.tag == "DET")


def _is_clear(following: Sequence[Word]) -> bool:
    """Return whether the words after "this" say what it is: "this country", "those who ask"."""
    return any(word.lower in DEICTIC or word.lower in TIMES | DESCRIBING for word in following)


POINTING = DEMONSTRATIVES | {"such"}
DESCRIBING = frozenset(("who", "whose", "whom", "of", "that", "as"))
SINGULAR_PRONOUNS = frozenset(("he", "she", "him", "his", "her", "hers"))
ANYBODY = frozenset(
    ("no", "every", "each", "any", "anyone", "everyone", "nobody", "whoever", "who", "man", "woman", "person")
)
"""Words before "his" that say whose: "no person shall be kept from voting because of his race"."""

PLURAL_PRONOUNS = frozenset(("they", "them", "their", "theirs", "themselves"))
GROUPS = make_word_set(
    """people men women children everyone everybody anyone those who all both many some few others folks
    police family team crew couple mob army crowd congress government public majority each every"""
)
BACK_OPENINGS = re.compile(
    r"(?:in\s+(?:response|addition|turn|contrast)|for\s+(?:one\s+thing|example|instance)|as\s+a\s+result"
    r"|by\s+contrast|still(?=,)|on\s+the\s+other\s+hand|at\s+the\s+same\s+time|finally|lastly|in\s+fact|indeed)\b",
    re.IGNORECASE,
)
BACK_REFERENCES = frozenset(("both", "then", "rest", "otherwise", "likewise", "similarly", "meanwhile"))


def _find_unlikely(span: PrintSpan, flaws: Sequence[Flaw], printability: float) -> Flaw | None:
    """Find the feature that lowers the printability most, if that is low."""
    if span.text.count(SPOKEN_DASH) == 1:
        worst = "dashes"
    elif printability < READY_FROM:
        features = read_features(span, flaws)
        worst = min(features, key=lambda name: WEIGHTS[name] * features[name])
    else:
        return None
    rule, find_words = UNLIKELY.get(worst, ("unlike printed quotes", _list_words))
    words = find_words(span)
    return span.make_flaw(FlawKind.DOUBT, rule, words[0], words[-1])


def _list_words(span: PrintSpan) -> Sequence[Word]:
    return [word for part in span.parts for word in part.words]


def _find_first_of(lowers: Collection[str], span: PrintSpan) -> Sequence[Word]:
    """Find the first word of the span that is one of `lowers`, as a sequence of one."""
    return [word for word in _list_words(span) if word.lower in lowers][:1]


UNLIKELY: dict[str, tuple[str, Callable[[PrintSpan], Sequence[Word]]]] = {
    "this": ("perhaps 'this' of something outside", partial(_find_first_of, DEMONSTRATIVES)),
    "early pronoun": ("perhaps a pronoun for something outside", partial(_find_first_of, THIRD_PERSONS)),
    "comparison": ("perhaps a comparison with something outside", partial(_find_first_of, COMPARING)),
    "dashes": ("dashes", _list_words),
    "colon": ("colon or semicolon", _list_words),
    "spoken": ("spoken rather than written", _list_words),
}
"""For a feature of the estimate: the rule whose message says it, and the words that it is about."""
