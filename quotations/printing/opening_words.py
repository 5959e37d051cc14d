"""Find spans that open with a word that refers to what was said before: "And", "They", "The first"."""

from __future__ import annotations

from collections.abc import Iterator

from quotations.grammar.cut_vocabulary import CONNECTIVES, ENUMERATORS, NOMINATIVES
from quotations.grammar.passages import Sentence
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import Flaw, FlawKind, Part, PrintSpan


def find_opening_word(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span opens with "And", "But", "This", "They" or another word that refers back."""
    part = span.parts[0]
    words = part.words
    word = words[0]
    following = words[1] if len(words) > 1 else None
    is_phrase = following is not None and (word.lower, following.lower) in OPENING_PHRASES
    if (
        word.lower in CONNECTIVES and not (word.lower in ("then", "so") and part.first) and not is_phrase
    ) or (not part.first and (is_causal(part.sentence) or _is_answer(part))):
        yield span.make_flaw(FlawKind.CONTEXT, "opening connective", word)
    elif _is_unresolved_opening(word, following) or (
        word.lower == "there" and "," in "".join(part.gaps[1:2])
    ):
        yield span.make_flaw(FlawKind.CONTEXT, "pronoun without referent", word)
    elif (
        word.lower in ENUMERATORS
        or (word.lower == "first" and "," in "".join(part.gaps[1:2]))
        or (
            word.lower in ("a", "the", "another")
            and following is not None
            and (following.lower in ENUMERATORS - {"same"} or _is_first_of_several(part))
        )
    ):
        yield span.make_flaw(FlawKind.CONTEXT, "item of an enumeration", word)


OPENING_PHRASES = frozenset((("instead", "of"), ("so", "long"), ("so", "far"), ("yet", "another")))


def _is_answer(part: Part) -> bool:
    """Return whether the printed words answer what comes before them: "Yes, there was a quarrel"."""
    return part.words[0].lower in ("yes", "yeah", "no") and "," in "".join(part.gaps[1:2])


def is_causal(sentence: Sentence) -> bool:
    """Return whether a sentence opens with "for" in the sense of because: "For space science has no
    conscience".

    The subject follows "for" in such a sentence. "For years, we have waited" does not count, because there
    the subject follows the phrase "for years".
    """
    words, verb = sentence.words, sentence.clauses[0].verb
    if not words or words[0].lower != "for" or verb is None or verb < 2:
        return False
    if words[0].tag == "SCONJ" or words[1].lower in PLAIN_NOMINATIVES or words[1].lower in FRONTED:
        return True
    if "," in sentence.gaps[verb]:
        return True
    is_phrase = all(word.tag in SUBJECT_TAGS for word in words[1:verb])
    has_comma = any("," in gap for gap in sentence.gaps[1:verb])
    heads = [i for i in range(2, verb) if words[i].tag in ("DET", "NUM")]
    return is_phrase and not has_comma and all(words[i - 1].tag in ("ADP", "CCONJ") for i in heads)


FRONTED = frozenset(("without", "if", "when", "though", "although", "because", "unless"))
"""Words that open a phrase or clause after "for": "For without trust, there is no trade"."""


PLAIN_NOMINATIVES = NOMINATIVES - {"it", "you"}


SUBJECT_TAGS = frozenset(("DET", "ADJ", "NUM", "NOUN", "PROPN", "ADP", "CCONJ"))


def _is_unresolved_opening(word: Word, following: Word | None) -> bool:
    """Return whether a span begins with a word that refers to something said before.

    `word` and `following` are the first two words of the span. The result is true for a word such as
    "neither" or "both" before a verb: "Neither expected ...". It is also true for "there" if it means a
    place: "There the river ...".
    """
    if following is None:
        return False
    if word.lower in ("neither", "each", "both", "none", "others", "another", "one"):
        return following.is_finite
    return word.lower == "there" and following.tag in ("PRON", "DET", "NOUN", "PROPN")


def _is_first_of_several(part: Part) -> bool:
    """Return whether the printed words begin like an enumeration: "The first is ..."."""
    words = part.words
    return len(words) > 2 and words[1].lower in ("first", "one") and words[2].is_finite
