"""Tag English words with their parts of speech.

The averaged perceptron of `denckring-en-pos` was trained on the Universal Dependencies English Web
Treebank. It reads words without punctuation, needs no download, and finds finite verbs with an F1 of 0.949
(docs/decisions/0037).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from sys import intern
from typing import NamedTuple

from quotations.grammar.perceptron import load_perceptron

# Most words are letters without an apostrophe, and match the first line. The possessive "++" does not go back
# letter by letter where an apostrophe is missing.
# The treebank splits contractions, so the tagger knows "n't", "'re" and "'s" as words: "ca n't", "we 're".
WORD = re.compile(
    r"""(?!cannot\b)[^\W\d_]++(?![\w'’])
    | \d+(?:[.,]\d+)+
    | can(?=not\b)
    | (?=[^\W_]++['’])[^\W_]+?(?=n['’]t\b)
    | n['’]t\b
    | (?<=\w)['’](?:s|re|ve|ll|d|m)\b
    | [^\W_]++(?=['’](?:s|re|ve|ll|d|m)\b)
    | [^\W_]+(?:['’][^\W_]+)*""",
    re.VERBOSE | re.IGNORECASE,
)
CACHED_SENTENCES = 1 << 14  # some 700 bytes each; a speech has some 200
LONGEST = 400  # words that are tagged in one pass; a sentence has rarely more than 100


class Word(NamedTuple):
    """Hold one word of a text: `text[start_char:end_char]`.

    `lower` is its lower-case form with straight apostrophes; `tag` is a universal part of speech ("NOUN",
    "VERB", ...). `form` is a verb form: "Fin", "Inf", "Part", "Ger", or "-" for other words.
    """

    start_char: int
    end_char: int
    lower: str
    tag: str
    form: str
    is_capital: bool

    @property
    def is_finite(self) -> bool:
        """Return whether the word is a finite verb."""
        return self.form == "Fin"


def tag_words(text: str, start_char: int = 0, end_char: int | None = None) -> list[Word]:
    """Return the tagged words of `text[start_char:end_char]`, in order; offsets are those of `text`.

    >>> [f"{word.lower}/{word.tag}/{word.form}" for word in tag_words("They’re told it won’t end.")]
    ['they/PRON/-', "'re/AUX/Fin", 'told/VERB/Part', 'it/PRON/-', 'wo/AUX/Fin', "n't/PART/-", 'end/VERB/Inf']
    """
    end = len(text) if end_char is None else end_char
    spans = [match.span() for match in WORD.finditer(text, start_char, end)]
    return [word for at in range(0, len(spans), LONGEST) for word in _tag(text, spans[at : at + LONGEST])]


def _tag(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Word]:
    written = [text[start:end].replace("’", "'") for start, end in spans]
    labels = label_words(tuple(map(intern, written)))
    for i, ((start, end), word, (tag, form)) in enumerate(zip(spans, written, labels, strict=True)):
        if form == "Inf" and tag == "VERB" and _is_alone(labels, written, i):
            form = "Fin"
        yield Word(start, end, word.lower(), tag, form, word[0].isupper())


@lru_cache(CACHED_SENTENCES)
def label_words(words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return part of speech and verb form of each word of a sentence.

    Results are cached, because the same paragraphs are tagged again and again.

    >>> label_words(("We", "won"))
    (('PRON', '-'), ('VERB', 'Fin'))
    """
    return tuple(map(_split_label, load_perceptron().label(words)))


@cache
def _split_label(label: str) -> tuple[str, str]:
    """Return part of speech and verb form of a label of the perceptron: ("VERB", "Fin") for "VERB|Fin"."""
    tag, _, verb_form = label.partition("|")
    return tag, verb_form


def _is_alone(labels: Sequence[tuple[str, str]], forms: list[str], at: int) -> bool:
    """Return whether a verb that is labelled as an infinitive has a subject: "surround" in "graves surround".

    A noun must come right before the verb, and no other verb, auxiliary or "to" shortly
    before it.
    """
    if not at or labels[at - 1][0] not in ("NOUN", "PROPN"):
        return False
    for i in range(at - 1, max(-1, at - 7), -1):
        if labels[i][0] in ("AUX", "VERB", "CCONJ") or (
            forms[i].lower() == "to" and labels[i + 1][0] == "VERB"
        ):
            return labels[i][0] == "VERB" and i < at - 3
    return True
