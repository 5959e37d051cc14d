"""Describe a span, words of a paragraph chosen for print: its part in each sentence, and its flaws."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache

from quotations.grammar.clauses import Clause
from quotations.grammar.gaps import KEPT_GAPS
from quotations.grammar.passages import Passage, Sentence
from quotations.grammar.tagging import Word

SHORTEST, LONGEST = 6, 40
"""Minimum and maximum number of words of a span for print."""


class FlawKind(IntEnum):
    """Name the kinds of flaws, reasons not to print a span as it is; a greater value is graver."""

    DOUBT = 0
    LENGTH = 1
    CONTEXT = 2
    BOUNDARY = 3
    GRAMMAR = 4
    MEANING = 5


@dataclass(frozen=True, slots=True)
class Flaw:
    """Describe a flaw, a reason not to print a span: the rule that found it, and its place in the
    paragraph.
    """

    kind: FlawKind
    rule: str
    start_char: int
    end_char: int

    @property
    def message(self) -> str:
        """Return one plain clause that explains the flaw to the writer: "a word is repeated"."""
        return MESSAGES[self.rule]


@dataclass(eq=False, slots=True)
class Part:
    """Hold the part of a span that lies in one sentence: the sentence's words `first` to `last` (inclusive).

    `gaps` has, for each of these words, the text between the previous word and this word. The first gap is
    "".
    """

    passage: Passage
    sentence: Sentence
    first: int
    last: int
    words: Sequence[Word] = field(init=False)
    gaps: list[str] = field(init=False)

    def __post_init__(self) -> None:
        """Select the printed words of the sentence, and the text between them."""
        self.words = self.sentence.words[self.first : self.last + 1]
        self.gaps = ["", *self.sentence.gaps[self.first + 1 : self.last + 1]]

    @property
    def is_whole(self) -> bool:
        """Return whether the printed words are the whole sentence."""
        return self.first == 0 and self.last == len(self.sentence.words) - 1

    @property
    def clauses(self) -> Sequence[Clause]:
        """Return the clauses of the printed words, parsed without the rest of their sentence."""
        return self.sentence.parse_part(self.first, self.last)

    @property
    def previous(self) -> Word:
        """Return the word of the sentence right before the printed words.

        Raises:
            IndexError: the printed words begin the sentence.
        """
        if not self.first:
            raise IndexError("no word of the sentence comes before the printed words")
        return self.sentence.words[self.first - 1]

    @property
    def following(self) -> Word:
        """Return the word of the sentence right after the printed words.

        Raises:
            IndexError: the printed words end the sentence.
        """
        return self.sentence.words[self.last + 1]

    @property
    def gap_before(self) -> str:
        """Return the text between the printed words and the word before them; "" at the beginning of the
        sentence.
        """
        return self.sentence.gaps[self.first] if self.first else ""

    @property
    def gap_after(self) -> str:
        """Return the text between the printed words and the word after them.

        If no word follows, return the text up to the end of the sentence.
        """
        if self.last + 1 < len(self.sentence.words):
            return self.sentence.gaps[self.last + 1]
        return self.passage.text[self.sentence.words[-1].end_char : self.sentence.end_char]

    def list_inside(self, function: Callable[[Sentence], list[int]]) -> list[int]:
        """Apply `function` to the whole sentence, and return those of the listed words that are printed.

        `function` returns indices of words in the sentence. The result has indices in the printed words.
        """
        return [at - self.first for at in self.sentence.compute(function) if self.first <= at <= self.last]

    def get_word(self, at: int) -> Word | None:
        """Return the word with index `at` in the sentence; `None` if there is no such word."""
        return self.sentence.words[at] if 0 <= at < len(self.sentence.words) else None


@dataclass
class PrintSpan:
    """Hold words of a paragraph that may be printed: the characters from `start_char` to `end_char`.

    `laughter` are the offsets in the paragraph where the audience laughed. `following` and `preceding` are
    the beginning of the next paragraph and the end of the one before. `turn` is the speaker tag of the
    paragraph ("MR. KIRBY:"), if it has one.
    """

    passage: Passage
    start_char: int
    end_char: int
    laughter: Sequence[int] = ()
    following: str = ""
    preceding: str = ""
    turn: str = ""

    @property
    def text(self) -> str:
        """Return the words of the span, as the paragraph has them."""
        return self.passage.text[self.start_char : self.end_char]

    @property
    def length(self) -> int:
        """Return the number of words of the span, as they are separated by blanks."""
        return self.passage.count_words(self.start_char, self.end_char)

    @cached_property
    def parts(self) -> list[Part]:
        """Return the parts of the span, in order: its words in each sentence."""
        return [
            Part(self.passage, sentence, words[0], words[-1])
            for sentence, words in self.passage.list_overlapping(self.start_char, self.end_char)
        ]

    def make_flaw(self, kind: FlawKind, rule: str, first: Word, last: Word | None = None) -> Flaw:
        """Return a flaw that covers the words `first` to `last`, or `first` alone."""
        return Flaw(kind, rule, first.start_char, (last or first).end_char)


Rules = Sequence[tuple[str, Callable[[Part], bool]]]
"""Flaws by name, each with a rule that returns whether a part of a sentence has it."""

IN_WORD, IN_VERB, IN_PHRASE = "inside a word", "inside a verb", "inside a noun phrase"
IN_LIST, IN_CLAUSE, IN_SERIES = "inside a list", "inside a clause", "inside a series"


def name_first(rules: Rules, part: Part) -> str:
    """Return the name of the first flaw in `rules` that a part of a span has; "" if it has none."""
    return next((name for name, is_broken in rules if is_broken(part)), "")


MESSAGES = {
    "negation": "a negation stands outside the quote",
    "condition": "the speaker said this under a condition",
    "hedge": "the speaker was less certain",
    "reported_speech": "the speaker reports what others say or think",
    "wish": "the speaker wishes for this and does not state it",
    "question": "the speaker asks this and does not state it",
    "quoted_words": "these words are quoted or read out by the speaker",
    "unnamed opinion": "the speaker reports an opinion of others, perhaps to answer it",
    "read out": "the speaker may be reading this out from a law, a letter or scripture",
    "mockery": "the speaker may say this in mockery",
    "described": "the speaker describes this as wished for or imagined",
    "question of another": "this may be somebody else's question to the speaker",
    "joke": "the audience laughed here",
    "no word": "there is no word to quote",
    "unbalanced marks": "the other half of a quotation mark or bracket is outside the quote",
    "false start": "the speaker broke off and began again",
    "repeated word": "a word is repeated",
    "filler": "the quote holds a filler",
    "stray dash": "a note of the transcript was taken out between two dashes",
    "marks of the transcript": "the transcript corrects a word inside the quote",
    "stray space": "the transcript has a space before a comma",
    "no subject": "the quote begins with a verb and has no subject",
    "no verb": "the quote has no verb",
    "subject without a verb": "the quote is a subject without its verb",
    "subordinate clause alone": "the quote is a subordinate clause alone",
    "gerund alone": "the quote is a gerund alone",
    "phrase without a head": "the quote begins with a preposition",
    "inside a word": "the quote begins or ends inside a word",
    "inside a verb": "the quote begins inside a verb",
    "inside a noun phrase": "the quote begins or ends inside a noun phrase",
    "inside a clause": "the quote begins or ends inside a clause",
    "before the main clause": "the main clause is left out",
    "inside a list": "the quote cuts a list",
    "inside a series": "the quote cuts a series",
    "before what follows the dash or colon": "what follows the dash or colon is left out",
    "before a quotation": "the quotation that follows is left out",
    "question mark outside": "the question mark is outside the quote",
    "opening connective": "the quote opens with a word that refers to the sentence before",
    "opening fragment": "the quote opens with a few words about something outside",
    "item of an enumeration": "the quote is one item of an enumeration",
    "pronoun without referent": "a pronoun refers to something outside the quote",
    "demonstrative without referent": "'this' or 'that' refers to something outside the quote",
    "back reference": "the quote refers to another place of the speech",
    "form of address": "the quote opens with a form of address",
    "concession": "the speaker concedes this and goes on with 'but'",
    "long": "the quote has more than 40 words",
    "scrap": "the quote is a scrap of a sentence",
    "short": "the quote has fewer than 6 words",
    "after words of its sentence": "the quote begins inside a sentence: read the words before it",
    "before words of its sentence": "the quote ends inside a sentence: read the words after it",
    "perhaps the words of another": "the sentence before may say that these are another's words, or supposed",
    "perhaps denied afterwards": "the sentence after may deny this, or say that it is another's",
    "perhaps a quotation": "a part of the quote is in quotation marks, and may be another's",
    "perhaps hearsay": "the speaker repeats what others say, perhaps to answer it",
    "before a contrast": "the next sentence goes on with this, perhaps to say the contrary",
    "announces what follows": "the quote only says what the speaker will speak about",
    "no main verb": "the first sentence has no verb of its own",
    "perhaps something named outside": "the speech may say earlier what this is",
    "perhaps 'this' of something outside": "'this' may refer to something outside the quote",
    "perhaps a pronoun for something outside": "a pronoun may refer to somebody outside the quote",
    "perhaps a comparison with something outside": "a word may refer to something outside the quote",
    "words with 'that'": "'that' may refer to something outside, or make the sentence hard to read alone",
    "dashes": "a dash may mark a broken sentence",
    "colon or semicolon": "an editor may cut at the colon or semicolon",
    "spoken rather than written": "the words are spoken language: an editor may change them",
    "unlike printed quotes": "an editor may want other words",
}


SPEAKERS = frozenset(("i", "we", "me", "us", "my", "our"))


def skip_abbreviation(gap: str) -> str:
    """Return the text between two words of one sentence, without the period of an abbreviation.

    >>> skip_abbreviation(". "), skip_abbreviation(", ")
    (' ', ', ')
    """
    return " " if gap == ". " else gap


@lru_cache(KEPT_GAPS)
def is_dash(gap: str) -> bool:
    """Return whether a gap between two words has a dash or an ellipsis."""
    return any(mark in gap for mark in "—–…") or "--" in gap or " - " in gap or ". . ." in gap


STRAY_DASHES = re.compile(r"[—–]\s+[—–]")


def is_open(last: Word) -> bool:
    """Return whether a word requires another word after it: "the", "of", "devastating".

    A dash after such a word interrupts a phrase: "so much to this devastating — this ...".
    """
    return last.tag in ("DET", "ADP", "CCONJ") or (
        last.tag in ("ADJ", "VERB", "NOUN") and last.lower.endswith(("ing", "al", "ous", "ive", "ic"))
    )
