"""Apply a copy editor's rules to a span before it is printed between quotation marks.

Each rule reads a span of a passage and yields flaws. Kinds, from the gravest: `MEANING` (the speaker's
meaning, or the source of the words), `GRAMMAR` (broken, or neither a sentence nor a phrase), `BOUNDARY`
(cut at a bad place), `CONTEXT` (not understandable alone), `LENGTH`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from itertools import pairwise

from quotations.clauses import KEPT_GAPS, Clause, is_hard
from quotations.cut_rules import Severity, find_losses
from quotations.cut_vocabulary import (
    ADVERBIALS,
    BE_FORMS,
    BROKEN_OFF,
    COLLECTIVES,
    COMPOUND_HEADS,
    CONNECTIVES,
    CONTRASTS,
    COORDINATORS,
    DEICTIC,
    ENUMERATORS,
    FILLERS,
    IRREGULAR_PLURALS,
    NOMINATIVES,
    PERSONS,
    RELATIVES,
    SUMMING_NOUNS,
    TAKING_VERBS,
    THINGS,
    THIRD_PERSONS,
    TIMES,
)
from quotations.passages import Passage, Sentence
from quotations.tagging import Word

SHORTEST, LONGEST = 6, 40
"""Least and greatest number of words of a span for print (printable.md, criterion 7)."""


class FlawKind(IntEnum):
    """Name a kind of flaw; a greater value is graver."""

    LENGTH = 1
    CONTEXT = 2
    BOUNDARY = 3
    GRAMMAR = 4
    MEANING = 5


@dataclass(frozen=True, slots=True)
class Flaw:
    """Describe a flaw of a span: its rule, and its place in the paragraph."""

    kind: FlawKind
    rule: str
    start_char: int
    end_char: int

    @property
    def message(self) -> str:
        """Return one plain clause for the writer."""
        return MESSAGES[self.rule]


@dataclass(frozen=True)
class Part:
    """Hold the words `first` to `last` (inclusive) of one sentence, as a part of a span."""

    passage: Passage
    sentence: Sentence
    first: int
    last: int

    @property
    def words(self) -> Sequence[Word]:
        """Return the words of the part."""
        return self.sentence.words[self.first : self.last + 1]

    @property
    def is_whole(self) -> bool:
        """Return whether the part is a sentence from its first to its last word."""
        return self.first == 0 and self.last == len(self.sentence.words) - 1

    @cached_property
    def gaps(self) -> list[str]:
        """Return the text before each word of the part since the one before it; "" before the first."""
        return ["", *self.sentence.gaps[self.first + 1 : self.last + 1]]

    @property
    def clauses(self) -> Sequence[Clause]:
        """Return the clauses of the part, read without the rest of its sentence."""
        return self.sentence.parse_part(self.first, self.last)

    @property
    def gap_before(self) -> str:
        """Return the text before the part since the word before it; "" at the head of a sentence."""
        return self.sentence.gaps[self.first] if self.first else ""

    @property
    def gap_after(self) -> str:
        """Return the text after the part up to the next word, or to the end of the sentence."""
        if self.last + 1 < len(self.sentence.words):
            return self.sentence.gaps[self.last + 1]
        return self.passage.text[self.sentence.words[-1].end_char : self.sentence.end_char]

    def get_word(self, at: int) -> Word | None:
        """Return the word `at` of the sentence, `None` outside it."""
        return self.sentence.words[at] if 0 <= at < len(self.sentence.words) else None


@dataclass(frozen=True)
class Span:
    """Hold a span of a passage with its parts, one for each sentence that it shares words with."""

    passage: Passage
    start_char: int
    end_char: int
    laughter: Sequence[int] = ()
    following: str = ""

    @property
    def text(self) -> str:
        """Return the words of the span."""
        return self.passage.text[self.start_char : self.end_char]

    @cached_property
    def parts(self) -> list[Part]:
        """Return the parts of the span, in order."""
        return [
            Part(self.passage, sentence, words[0], words[-1])
            for sentence, words in self.passage.list_overlapping(self.start_char, self.end_char)
        ]

    def make_flaw(self, kind: FlawKind, rule: str, first: Word, last: Word | None = None) -> Flaw:
        """Return a flaw at the words `first` to `last`."""
        return Flaw(kind, rule, first.start_char, (last or first).end_char)


MESSAGES = {
    "negation": "a negation stands outside the quote",
    "condition": "the speaker said this under a condition",
    "hedge": "the speaker was less certain",
    "reported_speech": "the speaker reports what others say or think",
    "wish": "the speaker wishes for this and does not state it",
    "question": "the speaker asks this and does not state it",
    "quoted_words": "these words are quoted or read out by the speaker",
    "unnamed opinion": "the speaker reports an opinion of others, perhaps to answer it",
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
    "item of an enumeration": "the quote is one item of an enumeration",
    "pronoun without referent": "a pronoun refers to something outside the quote",
    "demonstrative without referent": "'this' or 'that' refers to something outside the quote",
    "form of address": "the quote opens with a form of address",
    "concession": "the speaker concedes this and goes on with 'but'",
    "long": "the quote has more than 40 words",
    "short": "the quote has fewer than 6 words",
}


def find_flaws(span: Span) -> list[Flaw]:
    """Return the flaws of a span, the gravest first, then in order; none if it is fit for print."""
    if not span.parts:
        return [Flaw(FlawKind.GRAMMAR, "no word", span.start_char, span.end_char)]
    return _sort_flaws({flaw for rule in RULES for flaw in rule(span)})


def find_lesser_flaws(span: Span, unfit: int) -> list[Flaw] | None:
    """Return the flaws as `find_flaws` does; `None` as soon as one is of the kind `unfit` or graver."""
    if not span.parts:
        return None if unfit <= FlawKind.GRAMMAR else find_flaws(span)
    flaws: set[Flaw] = set()
    for rule in CHEAPEST_FIRST:
        for flaw in rule(span):
            if flaw.kind >= unfit:
                return None
            flaws.add(flaw)
    return _sort_flaws(flaws)


def _sort_flaws(flaws: Collection[Flaw]) -> list[Flaw]:
    return sorted(flaws, key=lambda flaw: (-flaw.kind, flaw.start_char, flaw.rule))


def find_lost_meaning(span: Span) -> Iterator[Flaw]:
    """Report the losses that `cut_rules` finds; a question without its mark is a bad place to cut."""
    for loss in find_losses(span.passage, span.start_char, span.end_char):
        is_reported = loss.kind == "reported_speech" and _is_complement(span.parts[0])
        if loss.severity >= Severity.WARNING or is_reported:
            yield Flaw(FlawKind.MEANING, loss.kind.value, loss.start_char, loss.end_char)
        elif loss.kind == "question":
            yield Flaw(FlawKind.BOUNDARY, "question mark outside", loss.start_char, loss.end_char)


EXCEPTIONS = frozenset(("except", "excepting", "unless", "barring", "excluding"))
INVERTING = frozenset(("neither", "nor", "never", "hardly", "seldom", "rarely", "scarcely"))
SAYING = frozenset(("say", "says", "said", "saying", "ask", "asks", "asked", "claim", "claims", "claimed"))
SPEAKERS = frozenset(("i", "we", "me", "us", "my", "our"))


def find_lost_frame(span: Span) -> Iterator[Flaw]:
    """Find what stands before a part of a sentence and governs it, though the clauses do not show it.

    An exception ("Except in war, [no power ...]"), a verb of saying and a colon ("men will say: It was then
    that [man ...]"), a negation with its verb before the subject ("neither can two great and [powerful ...").
    """
    part = span.parts[0]
    words, gaps = part.sentence.words, part.sentence.gaps
    for at in range(part.first):
        rule = ""
        if at < 2 and words[at].lower in EXCEPTIONS:
            rule = "condition"
        elif words[at].lower in SAYING and ":" in gaps[at + 1]:
            before = {word.lower for word in words[max(0, at - 8) : at]}
            rule = "" if before & SPEAKERS else "reported_speech"
        elif at == part.first - 2 and _is_view_of_others(words, gaps, at):
            rule = "reported_speech"
        elif words[at].lower in INVERTING and words[at + 1].tag == "AUX":
            is_near = not any(gap.strip() for gap in gaps[at + 1 : part.first + 1])
            rule = "negation" if is_near else ""
        if rule:
            yield span.make_flaw(FlawKind.MEANING, rule, words[at], words[part.first - 1])


def find_lost_reason(span: Span) -> Iterator[Flaw]:
    """Find a denial whose reason is outside, so that more is denied: "I didn't run | because it was easy".

    The like of a denial that goes on: "I'm not signing it | and forgetting the rest".
    """
    part = span.parts[-1]
    following = part.get_word(part.last + 1)
    if following is None or part.gap_after.strip():
        return
    after = part.get_word(part.last + 2)
    if following.lower in ("until", "unless", "without") and _is_denied(part):
        yield span.make_flaw(FlawKind.MEANING, "condition", following)
        return
    is_joined = (
        following.lower in ("and", "or") and after is not None and after.form in ("Part", "Ger", "Inf")
    )
    if following.lower not in ("because", "just", "simply", "only") and not is_joined:
        return
    if _is_denied(part):
        yield span.make_flaw(FlawKind.MEANING, "negation", following)


def _is_denied(part: Part) -> bool:
    """Return whether the clause in which a part ends has a negation."""
    clause = part.sentence.clause_of[part.last]
    return any(part.sentence.words[i].lower in ("not", "n't", "never") for i in clause.words)


def _is_view_of_others(words: Sequence[Word], gaps: Sequence[str], at: int) -> bool:
    """Return whether "for many," or "to some," stands at the word `at`."""
    pair = (words[at].lower, words[at + 1].lower)
    return pair[0] in ("for", "to") and pair[1] in OTHERS and "," in gaps[at + 2]


OTHERS = frozenset(("many", "some", "others", "most", "them", "critics"))


def _is_complement(part: Part) -> bool:
    """Return whether a part says what somebody is: "he said he was [more afraid than in the war]"."""
    before = part.get_word(part.first - 1)
    return before is not None and before.lower in BE_FORMS


REFUTED = re.compile(
    r"""\b(?:there\s+(?:is|was|are|were)\s+(?:an?|the|some|those|many|people)\b[^.,;]{0,30}?
        (?:opinion|notion|view|belief|idea|theory|argument|feeling
            |who\s+(?:say|said|claim|believe|argue|think|would|question|suggest|doubt|insist|tell))
    | \b(?:some|many|others|critics|skeptics|cynics|pundits|opponents|people|folks|they)\s+(?:\w+\s+){0,3}?
        (?:say|says|said|claim|claims|argue|argues|insist|tell\s+us|told\s+us|would\s+have\s+us)\b
    | \bit\s+(?:is|was|has\s+been)\s+(?:often\s+|sometimes\s+)?(?:said|argued|claimed|alleged)
    | \bwe\s+(?:are|were|have\s+been)\s+(?:often\s+)?told\b)""",
    re.VERBOSE | re.IGNORECASE,
)


def find_unnamed_opinion(span: Span) -> Iterator[Flaw]:
    """Find an opinion of unnamed people that opens a part: "There is an opinion that ...", "Some say ..."."""
    for part in span.parts:
        start = part.words[0].start_char
        match = REFUTED.match(span.passage.text, start) or REFUTED.match(
            span.passage.text, min(start + len(_read_connective(part)), part.words[-1].end_char)
        )
        if match and not _is_answered(span, part):
            yield Flaw(FlawKind.MEANING, "unnamed opinion", match.start(), match.end())


def _read_connective(part: Part) -> str:
    """Return the connective that opens a part, with the space after it: "But ", "Now, "."""
    word = part.words[0]
    if word.lower in CONNECTIVES | {"now", "well"} and len(part.words) > 1:
        return part.passage.text[word.start_char : part.words[1].start_char]
    return ""


def _is_answered(span: Span, part: Part) -> bool:
    """Return whether the span holds the speaker's answer to the opinion: "..., but I say ..."."""
    later = [
        w.lower for p in span.parts if p.sentence.start_char >= part.sentence.start_char for w in p.words
    ]
    return any(later[i] in CONTRASTS for i in range(3, len(later)))


def find_lost_laughter(span: Span) -> Iterator[Flaw]:
    """Find a joke from the transcript's laughter within the span, right before it or right after it."""
    for at in span.laughter:
        if span.start_char <= at <= _find_sentence_end(span):
            yield Flaw(FlawKind.CONTEXT, "joke", at, at)


def _find_sentence_end(span: Span) -> int:
    end = span.parts[-1].sentence.end_char
    text = span.passage.text
    while end < len(text) and text[end].isspace():
        end += 1
    return end


def find_unbalanced_marks(span: Span) -> Iterator[Flaw]:
    """Find a quotation mark or bracket whose other half is outside the span."""
    text = span.text
    for opening, closing in (("“", "”"), ("(", ")"), ("[", "]")):
        if text.count(opening) != text.count(closing):
            yield Flaw(FlawKind.GRAMMAR, "unbalanced marks", span.start_char, span.end_char)
            return
    start, end = span.start_char, span.end_char
    crosses = any(
        (opens <= start < closes and end > closes + 1) or (opens < end <= closes and start < opens - 1)
        for opens, closes in span.passage.quoted
    )
    if text.count('"') % 2 or crosses:
        yield Flaw(FlawKind.GRAMMAR, "unbalanced marks", span.start_char, span.end_char)


BROKEN_WORD = re.compile(r"\w-\s+[—–]|[—–]\s*[.?!]")


def find_false_start(span: Span) -> Iterator[Flaw]:
    """Find where the speaker broke off and began again: "what it means that — it means that"."""
    for part in span.parts:
        words, gaps = part.words, part.gaps
        if BROKEN_WORD.search(span.passage.text, words[0].start_char, words[-1].end_char):
            yield span.make_flaw(FlawKind.GRAMMAR, "false start", words[0], words[-1])
        for i in range(1, len(words)):
            if _is_dash(gaps[i]) and (
                _is_broken_off(words, gaps, i)
                or _is_repetition(words, gaps, i)
                or _is_corrected_verb(words, i)
            ):
                yield span.make_flaw(FlawKind.GRAMMAR, "false start", words[i - 1], words[i])
            elif _is_stutter(words, gaps, i):
                yield span.make_flaw(FlawKind.GRAMMAR, "repeated word", words[i - 1], words[i])
        yield from _find_doubled_preposition(span, part)


@lru_cache(KEPT_GAPS)
def _is_dash(gap: str) -> bool:
    return any(mark in gap for mark in "—–…") or "--" in gap or " - " in gap or ". . ." in gap


def _is_broken_off(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    """Return whether the words before the dash at `i` cannot end a phrase."""
    last = words[i - 1].lower
    if last in (
        "this",
        "that",
        "those",
        "these",
        "it",
        "they",
        "you",
        "we",
        "i",
        "so",
        "have",
        "do",
        "will",
        "can",
        "not",
        "is",
        "are",
        "her",
        "in",
        "on",
        "been",
    ):
        following = [word.lower for word in words[i : i + 4]]
        before = [word.lower for word in words[max(0, i - 3) : i]]
        return bool(set(following[:1]) & set(before)) or (
            last in ("i", "we", "they")
            and gaps[i].strip() in ("—", "--", "–")
            and "not" not in (words[i].lower, words[i - 2].lower if i > 1 else "")
        )
    if last == "that" and words[i].tag == "PART":
        return True  # "the kind of actions that — to unite the world"
    closes = any(_is_dash(gaps[k]) for k in range(i + 1, min(len(gaps), i + 12)))
    if last in ("and", "but", "or", "because", "that", "as", "with") and closes:
        return False  # an aside: "and — as you know — we ..."
    return last in BROKEN_OFF


def _is_repetition(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    """Return whether the words after the dash at `i` repeat those before it, as a slip of the tongue does.

    A full sentence said twice is rhetoric, and so is one repeated word ("much deeper—deeper than").
    """
    for length in range(min(6, i, len(words) - i), 1, -1):
        if [w.lower for w in words[i - length : i]] == [w.lower for w in words[i : i + length]]:
            is_rest = i + length == len(words) or gaps[i + length].strip()
            return not (i == length and is_rest)
    again = [word.lower for word in words[i + 1 : i + 4]]
    if _is_open(words[i - 1]) and words[i - 1].tag != "VERB" and words[i - 1].lower in again:
        return True  # "for a presidential — in a presidential election"
    same = words[i - 1].lower == words[i].lower
    is_name = words[i].tag == "PROPN" and gaps[i] != gaps[i].strip()
    return same and (
        is_name or words[i].tag not in ("NOUN", "ADJ", "ADV", "VERB", "PROPN") or words[i].lower in BROKEN_OFF
    )


def _is_corrected_verb(words: Sequence[Word], i: int) -> bool:
    """Return whether the words after the dash at `i` say its verb again.

    As it was or in another form: "is falling — began falling", "is committing to — committed to".
    """
    verb = words[i - 1]
    again = [word.lower for word in words[i + 1 : i + 4]]
    if verb.tag == "VERB" and words[i].tag in ("VERB", "AUX") and verb.lower in again:
        return True
    mine, theirs = verb.lower, words[i].lower
    if mine != theirs and mine[:STEM_LETTERS] == theirs[:STEM_LETTERS] and len(mine) >= STEM_LETTERS:
        return True  # "the norms of responsibility — responsible behavior"
    before = [word.lower[:CORRECTED_LETTERS] for word in words[max(0, i - 4) : i] if word.tag == "VERB"]
    is_long = len(words[i].lower) >= CORRECTED_LETTERS
    is_other_form = words[i].lower not in {word.lower for word in words[max(0, i - 4) : i]}
    return (
        is_long
        and is_other_form
        and words[i].tag in ("VERB", "ADJ")
        and words[i].lower[:CORRECTED_LETTERS] in before
    )


def _is_stutter(words: Sequence[Word], gaps: Sequence[str], i: int) -> bool:
    """Return whether a small word is said twice: "the the", "we, we"."""
    word = words[i].lower
    if word != words[i - 1].lower or word in (
        "that",
        "had",
        "very",
        "no",
        "never",
        "now",
        "is",
        "more",
        "many",
        "long",
        "all",
    ):
        return False
    return gaps[i].strip() in ("", ",") and words[i].tag in (
        "DET",
        "PRON",
        "ADP",
        "AUX",
        "CCONJ",
        "SCONJ",
        "PART",
    )


def _find_doubled_preposition(span: Span, part: Part) -> Iterator[Flaw]:
    lowers = [word.lower for word in part.words]
    for i in range(len(lowers) - 3):
        if (
            lowers[i] == lowers[i + 3]
            and lowers[i + 1 : i + 3] in (["not", "only"], ["not", "just"])
            and part.words[i].tag == "ADP"
        ):
            yield span.make_flaw(FlawKind.GRAMMAR, "repeated word", part.words[i], part.words[i + 3])


STEM_LETTERS = 7
CORRECTED_LETTERS = 5
"""Letters by which a verb is known again in another form."""

ANNOUNCED_WITHIN = 14
"""Words before a colon among which a number announces a list."""

STRAY_DASHES = re.compile(r"[—–]\s+[—–]")


def find_filler(span: Span) -> Iterator[Flaw]:
    """Find sounds and fillers: "uh", "you know,"."""
    for part in span.parts:
        for i, word in enumerate(part.words):
            if word.lower in FILLERS:
                yield span.make_flaw(FlawKind.CONTEXT, "filler", word)
            elif (
                (
                    i
                    and word.lower == "know"
                    and part.words[i - 1].lower == "you"
                    and "," in (part.gaps[i - 1] or ",")
                )
                and i + 1 < len(part.words)
                and ("," in part.gaps[i + 1] or _is_dash(part.gaps[i + 1]))
            ):
                yield span.make_flaw(FlawKind.CONTEXT, "filler", part.words[i - 1], word)
        if STRAY_DASHES.search(span.passage.text, part.words[0].start_char, part.words[-1].end_char):
            yield span.make_flaw(FlawKind.GRAMMAR, "stray dash", part.words[0], part.words[-1])
        if CORRECTION.search(span.passage.text, part.words[0].start_char, part.words[-1].end_char):
            yield span.make_flaw(FlawKind.GRAMMAR, "marks of the transcript", part.words[0], part.words[-1])
        if " ," in span.passage.text[part.words[0].start_char : part.words[-1].end_char]:
            yield span.make_flaw(FlawKind.CONTEXT, "stray space", part.words[0], part.words[-1])


def find_incomplete(span: Span) -> Iterator[Flaw]:
    """Find parts that are neither a sentence nor a phrase that a writer can embed."""
    several = len(span.parts) > 1
    for part in span.parts:
        rule = _name_incompleteness(part, several)
        if rule:
            yield span.make_flaw(FlawKind.GRAMMAR, rule, part.words[0], part.words[-1])


def _name_incompleteness(part: Part, several: bool) -> str:
    """Name what makes a part incomplete; "" if it is complete."""
    words = part.words
    main = part.clauses[0]
    mains = [
        clause
        for clause in part.clauses
        if clause.kind == "main" and clause.verb is not None and not _is_aside(part, clause)
    ]
    if not mains and main.verb is not None:
        return "no verb"
    opening = _find_opening(part)
    word = words[opening]
    if part.first and words[0].lower in RELATIVES and not is_hard(part.gap_before):
        return "subordinate clause alone"
    if part.first and words[0].lower in ("why", "how") and not part.gap_after.startswith("?"):
        return "subordinate clause alone"
    if mains:
        head = mains[0]
        if head.number == 0 and head.verb is not None and _is_without_subject(part, head, opening):
            return "no subject" if word.is_finite and (several or not _is_predicate(part)) else ""
        return ""
    if part.clauses[-1].number and not main.words and _is_question_word(part):
        return ""
    if not main.words:
        if (
            part.clauses[1].kind == "content"
            and words[0].lower in ("what", "how", "why", "who")
            and part.is_whole
        ):
            return ""
        return "subordinate clause alone"
    if word.lower in ADVERBIALS and word.tag != "ADP" and any(w.tag in ("VERB", "AUX") for w in words):
        return "subordinate clause alone"
    if word.form in ("Ger", "Part") and word.lower.endswith("ing") and word.tag == "VERB":
        return "gerund alone"
    if word.tag == "VERB" and word.form == "Inf":
        return ""
    if several and part.is_whole and len(words) <= 12:
        return ""  # "No more. Not here." between other sentences
    return _name_phrase_fault(part, opening)


def _is_predicate(part: Part) -> bool:
    """Return whether a part begins with the verb of a subject outside: a writer can embed "fan the flames".

    A pronoun in it might then refer to another word, so a part with one is no such predicate.
    """
    clause, first, words = part.sentence.clause_of[part.first], part.words[0], part.sentence.words
    is_joined = part.first > 0 and words[part.first - 1].lower in ("and", "or")
    is_verb = clause.verb == part.first or (
        is_joined and clause.verb is not None and clause.verb < part.first
    )
    has_subject = is_verb and clause.subject is not None and clause.subject < part.first
    is_bound = any(word.lower in THIRD_PERSONS and word.tag == "PRON" for word in part.words)
    return has_subject and first.tag == "VERB" and not is_bound


def _is_aside(part: Part, clause: Clause) -> bool:
    """Return whether a clause is inserted between commas after other words: "so far, I mean, as we ..."."""
    verb = clause.verb or 0
    if not verb or part.words[verb].lower not in ("mean", "know", "say", "suppose", "guess"):
        return False
    follows = verb + 1 < len(part.words) and "," in part.gaps[verb + 1]
    return verb > 1 and follows and "," in part.gaps[verb - 1] and part.words[verb - 1].tag == "PRON"


def _is_question_word(part: Part) -> bool:
    return part.is_whole and part.gap_after.strip().startswith("?")


def _find_opening(part: Part) -> int:
    """Return the index in the part of its first word that is not a connective, adverb or particle."""
    words = part.words
    for i, word in enumerate(words[:4]):
        if word.lower in COORDINATORS or (
            word.tag == "ADV" and word.lower not in ADVERBIALS | {"how", "why"}
        ):
            continue
        return i
    return 0


def _is_without_subject(part: Part, clause: Clause, opening: int) -> bool:
    """Return whether a main clause begins with its verb, and is neither an order nor a question."""
    words = part.words
    first = next((i for i in sorted(clause.words) if i >= opening), opening)
    if clause.verb != first:
        return False
    word = words[first]
    is_head = part.first == 0 or ":" in part.gap_before
    if word.tag == "AUX":
        following = words[first + 1] if first + 1 < len(words) else None
        is_order = word.lower in ("do", "be", "have", "let") or (
            following is not None and following.tag in ("PRON", "NOUN", "PROPN", "DET", "PART")
        )
        return not (is_order and (is_head or word.lower in ("do", "let")))
    if word.lower in VOCATIVES or word.lower == "let":
        return False  # "Folks, the system is rigged", "So | let us go"
    is_participle = first + 1 < len(words) and words[first + 1].tag not in ("VERB", "DET")
    if (
        part.first == 0
        and is_participle
        and word.lower.endswith("ed")
        and any(w.is_finite for w in words[first + 1 :])
    ):
        return False  # a participle: "Developed and developing economies have to ..."
    is_bare = not word.lower.endswith(("s", "ed")) or word.lower.endswith("ss")
    return not (is_bare and (part.first == 0 or part.gap_before.strip() not in ("", ",")))


VOCATIVES = frozenset(("folks", "friends", "guys"))

ADDRESSED = frozenset(
    (
        "president",
        "mr",
        "mrs",
        "ms",
        "madam",
        "secretary",
        "senator",
        "governor",
        "chairman",
        "speaker",
        "vice",
    )
)
"""Titles that open a list of those who are addressed: "President Macron, Mrs. Macron, ..."."""


def _name_phrase_fault(part: Part, opening: int) -> str:
    """Name the reason why a phrase without a main verb cannot be embedded."""
    word = part.words[opening]
    if word.lower in ADDRESSED and sum("," in gap for gap in part.gaps) > 1:
        return "no verb"
    following = part.get_word(part.last + 1)
    is_subject = (
        part.first <= 1
        and following is not None
        and any(w.is_finite for w in part.sentence.words[part.last + 1 : part.last + 4])
    )
    if is_subject:
        return "subject without a verb"
    relatives = [clause for clause in part.clauses if clause.kind == "relative"]
    if part.is_whole and relatives and word.tag in ("DET", "NOUN", "PROPN", "PRON"):
        return "subject without a verb"
    if part.is_whole and len(part.words) > 3 and word.tag in ("ADP", "SCONJ"):
        return "no verb"
    if (
        part.first == 0
        and relatives
        and word.lower in ("every", "each", "all", "those", "anyone", "everyone", "whoever")
    ):
        return "subject without a verb"
    if word.tag in ("DET", "NOUN", "PROPN", "ADJ", "NUM", "PRON", "PART"):
        return ""
    if word.tag == "ADP" and not part.is_whole:
        return "phrase without a head"
    return "" if word.tag in ("VERB", "ADV") else "no verb"


def find_bad_start(span: Span) -> Iterator[Flaw]:
    """Find a span that begins inside a phrase or clause."""
    part = span.parts[0]
    if not part.first:
        return
    word, previous = part.words[0], part.sentence.words[part.first - 1]
    gap = part.gap_before
    rule = ""
    if gap in ("", "-") or (gap in "—–" and previous.lower in COMPOUND_HEADS):
        rule = "inside a word"
    elif MARKUP.search(gap):
        rule = "inside a noun phrase"
    elif not gap.strip():
        rule = _name_phrase_inside(previous, word) or _name_pair_fault(part)
        if not rule and _is_inside_subject(part):
            rule = "inside a list"
        before = part.get_word(part.first - 2)
        if previous.lower == "that" and before is not None and before.lower in TAKING_VERBS:
            rule = "inside a noun phrase" if word.tag == "NOUN" else rule
        if not rule and (_is_number_wrong(part) or (previous.lower == "that" and _has_relative_only(part))):
            rule = "inside a noun phrase"
        if not rule and previous.lower in MAKING_VERBS and _has_own_predicate(part):
            rule = "inside a clause"
    elif gap.strip() == "," and _is_list_item(part.sentence, part.first):
        rule = "inside a list"
    elif (
        (gap.strip() in (",", "") and _is_inside_subject(part))
        or _is_before_outer_verb(part)
        or (len(span.parts) > 1 and len(part.words) < FEWEST_OPENING_WORDS and not is_hard(gap))
        or (
            previous.lower in RELATIVES
            or (previous.lower == "that" and word.is_finite)
            or (previous.tag == "AUX" and _is_dash(gap) and not _is_restart(part))
        )
    ):
        rule = "inside a clause"
    is_reason = part.first == 1 and previous.lower == "because" and word.lower in ADVERBIALS
    if (
        not rule
        and not is_hard(gap)
        and not is_reason
        and (_is_mid_clause(part) or _is_after_concession(part))
    ):
        rule = "inside a clause"
    if rule:
        yield span.make_flaw(FlawKind.BOUNDARY, rule, previous, word)


def _is_inside_subject(part: Part) -> bool:
    """Return whether the words before the part begin its subject: "The blow that fell, | the might that ...".

    They have no main verb and no other office: no preposition before them, no time that they name.
    """
    sentence, verb = part.sentence, part.clauses[0].verb
    start = max((i for i in range(part.first) if i and is_hard(sentence.gaps[i])), default=0)
    before = sentence.words[start : part.first]
    if verb is None or not before or before[0].lower in TIMES | {"this", "that", "it", "you", "we", "i"}:
        return False
    opens = before[0].tag in ("DET", "NOUN") and before[0].lower not in ("all",)
    if before[-1].lower in ("and", "or"):
        is_bare = (
            part.words[0].tag == "NOUN" and sum("," in gap for gap in sentence.gaps[start : part.first]) > 1
        )
        return is_bare and not any(word.is_finite for word in before)
    verbs = [i for i in range(start, part.first) if sentence.words[i].is_finite]
    is_relative = all(sentence.clause_of[i].kind == "relative" for i in verbs)
    has_time = any(word.lower in TIMES | {"ago", "after", "later"} for word in before)
    return opens and bool(verbs) and is_relative and not has_time and part.words[0].tag == "DET"


def _is_before_outer_verb(part: Part) -> bool:
    """Return whether an aside that ends within the part stands before the verb: "War — | a long one — is"."""
    verb = part.clauses[0].verb
    return verb is not None and verb > 0 and _is_dash(part.gap_before) and _is_dash(part.gaps[verb])


def _is_number_wrong(part: Part) -> bool:
    """Return whether a singular noun has a plural verb, since half of the subject is outside.

    "the crime rate and | the incarceration rate have come down".
    """
    main = part.clauses[0]
    if main.verb is None or main.subject is None or main.verb != main.subject + 1:
        return False
    subject, verb = part.words[main.subject], part.words[main.verb]
    is_singular = subject.tag == "NOUN" and not subject.lower.endswith("s")
    is_collective = subject.lower in IRREGULAR_PLURALS | COLLECTIVES
    is_plain = all(word.tag in ("DET", "ADJ", "NOUN", "PROPN") for word in part.words[: main.subject])
    return is_singular and not is_collective and is_plain and verb.lower in ("have", "are", "were")


def _has_relative_only(part: Part) -> bool:
    """Return whether a noun and a relative clause begin the part: "that | decency that has been ..."."""
    nouns = next((i for i, w in enumerate(part.words) if w.tag not in ("ADJ", "NOUN", "PROPN")), 0)
    return 0 < nouns < 4 and part.words[nouns].lower in ("that", "which", "who")


def _is_restart(part: Part) -> bool:
    """Return whether the part begins as the words before it did: "it is— | it's good that ..."."""
    before = part.sentence.words[max(0, part.first - 3) : part.first]
    return part.words[0].lower in {word.lower for word in before}


def _is_after_concession(part: Part) -> bool:
    """Return whether "despite the fact that" stands right before the part."""
    before = [word.lower for word in part.sentence.words[max(0, part.first - 4) : part.first]]
    return before[1:] == ["the", "fact", "that"] and before[0] in ("despite", "of", "to", "notwithstanding")


FEWEST_OPENING_WORDS = 4
"""Words of a first sentence below which a span of several may not begin inside it."""

CORRECTION = re.compile(r"[\\<>]|[(\[](?:inaudible|unintelligible|crosstalk|ph|sic)\b", re.IGNORECASE)
MARKUP = re.compile(r"[\\\[\]<>]")
"""Marks of a transcript that corrects a word: "demastation \\ — [devastation"."""

MAKING_VERBS = frozenset(
    ("make", "makes", "made", "making", "render", "renders", "keep", "keeps", "leave", "leaves")
)


def _has_own_predicate(part: Part) -> bool:
    """Return whether a noun phrase goes on with what it is made: "makes [the nation subservient to ...]"."""
    if part.clauses[0].verb is not None:
        return False
    pairs = zip(part.words, part.words[1:], part.gaps[1:], strict=False)
    return any(
        word.tag in ("NOUN", "PROPN") and following.tag in ("ADJ", "DET") and not gap.strip()
        for word, following, gap in pairs
    )


def _is_mid_clause(part: Part) -> bool:
    """Return whether a part that reads as a clause begins in the middle of one of its sentence."""
    main, sentence = part.clauses[0], part.sentence
    if main.verb is None or not part.words[main.verb].is_finite or main.verb == 0:
        return False
    clause = sentence.clause_of[part.first]
    if _is_without_outer_verb(part):
        return True
    outer = clause
    while outer.parent is not None:
        outer = sentence.clauses[outer.parent]
        is_outside = any(sentence.words[i].lower not in COORDINATORS for i in range(outer.first, part.first))
        if outer.verb is not None and part.first < outer.verb <= part.last and is_outside:
            return True  # the verb of a clause whose subject is outside
    if clause.kind == "relative" and (clause.opener or 0) <= part.first:
        return clause.verb is not None and clause.verb <= part.last
    if clause.verb is not None and clause.verb < part.first:
        return sentence.clause_of[part.first + main.verb] is clause
    before = [i for i in clause.words if i < part.first]
    if not before or part.gap_before.strip():
        return False  # a phrase and a comma may stand before the subject
    openers = range(clause.opener, _skip_opener(sentence, clause)) if clause.opener is not None else range(0)
    return any(
        i not in openers
        and not (i == 0 and is_causal(sentence))
        and sentence.words[i].lower not in COORDINATORS
        and sentence.words[i].tag not in ("ADV", "INTJ")
        for i in before
    )


def _is_without_outer_verb(part: Part) -> bool:
    """Return whether the part follows "noun that" and its sentence has no other main verb.

    The part then holds that verb: "The hope that | we have always had is not a dream".
    """
    words, first = part.sentence.words, part.first
    follows = first > 1 and words[first - 1].lower == "that" and words[first - 2].tag in ("NOUN", "PROPN")
    verbs = [word for word in part.words if word.is_finite]
    return follows and part.sentence.clauses[0].verb is None and len(verbs) > 1


def _name_pair_fault(part: Part) -> str:
    """Name the flaw of a start within a pair: "great and [powerful groups]", "men and [women protested]"."""
    words, first = part.sentence.words, part.first
    if first < 3 or words[first - 1].tag != "CCONJ":
        return ""
    before, earlier, word = words[first - 3], words[first - 2], words[first]
    is_bare = before.tag not in ("DET", "PRON", "NUM") and earlier.lower.endswith(("s", "men", "children"))
    is_pair = earlier.tag == word.tag == "ADJ" or (earlier.tag == word.tag == "NOUN" and is_bare)
    return "inside a noun phrase" if is_pair else ""


def _name_phrase_inside(previous: Word, word: Word) -> str:
    if previous.tag in ("DET", "NUM") and word.tag in ("NOUN", "ADJ", "PROPN", "NUM", "ADV", "VERB"):
        return "inside a noun phrase"
    if (
        previous.lower in ("my", "our", "your", "his", "her", "its", "their", "'s")
        and word.tag in ("NOUN", "ADJ", "PROPN", "NUM", "VERB", "ADV")
        and previous.tag in ("PRON", "PART", "DET")
    ):
        return "inside a noun phrase"
    if previous.tag == "ADJ" and word.tag in ("NOUN", "PROPN", "ADJ"):
        return "inside a noun phrase"
    if previous.lower in ("so", "too", "very", "as") and word.lower in ("many", "much", "few", "little"):
        return "inside a noun phrase"
    if (
        previous.tag in ("NOUN", "PROPN")
        and word.tag in ("NOUN", "PROPN")
        and previous.is_capital == word.is_capital
    ):
        return "inside a noun phrase"
    if previous.tag == "AUX" and word.lower in NOMINATIVES | {"n't", "not", "been"}:
        return "inside a verb"
    return ""


def _skip_opener(sentence: Sentence, clause: Clause) -> int:
    """Return the index of the first word after the opener of a clause, as after "even if"."""
    at = clause.opener or 0
    for i in range(at, min(at + 3, len(sentence.words))):
        if sentence.words[i].lower == clause.conjunction:
            return i + 1
    return at


def find_bad_end(span: Span) -> Iterator[Flaw]:
    """Find a span that ends inside a phrase, or before a dash or colon that introduces the content."""
    part = span.parts[-1]
    following = part.get_word(part.last + 1)
    last, gap = part.words[-1], part.gap_after
    is_question = span.passage.text.startswith("?", span.end_char)
    if is_question and part.clauses[0].verb is not None:
        yield span.make_flaw(FlawKind.BOUNDARY, "question mark outside", last)
    if following is None:
        if gap.strip() == ":":
            yield span.make_flaw(FlawKind.BOUNDARY, "before what follows the dash or colon", last)
        return
    rule = ""
    if not gap or gap in "-’'" or gap.startswith(("\\", "[")):
        rule = "inside a word"
    elif STRAY_DASHES.search(gap):
        goes_on = following.tag in ("ADP", "PART", "AUX") or (
            _is_resuming(part, following) and _is_open(last)
        )
        rule = "inside a clause" if goes_on else ""
    elif (
        (_is_dash(gap) and last.lower in BROKEN_OFF)
        or (_is_dash(gap) and (_is_open(last) or (last.tag == "VERB" and _is_resuming(part, following))))
        or (_is_dash(gap) and _is_closing_aside(part) and following.tag in ("ADP", "PART"))
        or _is_dangling(part, following)
    ):
        rule = "inside a clause"
    elif (":" in gap or _is_dash(gap)) and not (_is_closing_aside(part) or _is_resuming(part, following)):
        rule = "before what follows the dash or colon"
    elif gap.rstrip().endswith(("“", '"', "‘")) and not gap.strip().startswith((",", ".")):
        rule = "before a quotation"
    elif not gap.strip():
        rule = _cut_short(part, last, following)
    elif (
        gap.strip() == "," and (_is_list_item(part.sentence, part.last + 1) or _is_parallel(part, following))
    ) or (gap.strip()[:1] in (",", ";") and _is_announcing_list(part)):
        rule = "inside a list"
    if not rule and gap.strip() == "," and _is_inside_aside(part):
        rule = "inside a clause"
    if not rule and gap.strip() == "," and _is_infinitive_item(part):
        rule = "inside a list"
    if not rule and gap.strip()[:1] in (",", ";") and _is_cut_list(part):
        rule = "inside a list"
    if not rule and (last.tag == "CCONJ" or _is_interrupted(part)):
        rule = "inside a series"
    if not rule and last.tag == "ADV" and len(part.words) > 1 and part.words[-2].tag == "CCONJ":
        rule = "inside a series"
    if not rule and _is_without_infinitive(part):
        rule = "inside a clause"
    if not rule and following.lower == "but" and _is_half_a_contrast(part):
        rule = "inside a series"
    if not rule and _is_without_main_clause(part):
        rule = "before the main clause"
    if rule:
        yield span.make_flaw(FlawKind.BOUNDARY, rule, last, following)


ORDERING_VERBS = frozenset(
    (
        "urge",
        "ask",
        "invite",
        "call",
        "challenge",
        "encourage",
        "implore",
        "direct",
        "instruct",
        "order",
        "beg",
        "want",
    )
)


def _is_without_infinitive(part: Part) -> bool:
    """Return whether what somebody is asked to do follows the part: "I urge you, | to join me"."""
    verb = part.clauses[0].verb
    if verb is None or part.words[verb].lower not in ORDERING_VERBS:
        return False
    inside, after = part.words[verb + 1 :], part.sentence.words[part.last + 1 :]
    return not _has_infinitive(inside) and _has_infinitive(after)


def _is_interrupted(part: Part) -> bool:
    """Return whether what follows the last "and" of a part is only inserted: "and, if need be, | mend it"."""
    joins = [i for i, word in enumerate(part.words[:-1]) if word.tag == "CCONJ"]
    if not joins or "," not in part.gaps[joins[-1] + 1] or "," not in part.gap_after:
        return False
    return not any(word.tag in ("VERB", "AUX") for word in part.words[joins[-1] :])


def _is_inside_aside(part: Part) -> bool:
    """Return whether a dash soon closes what a dash within the part has opened."""
    closes = any(_is_dash(gap) for gap in part.sentence.gaps[part.last + 2 : part.last + 8])
    return closes and sum(_is_dash(gap) for gap in part.gaps) % 2 == 1


def _is_cut_list(part: Part) -> bool:
    """Return whether a list goes on: a phrase with a colon and no verb, or adjectives before their noun."""
    has_colon = any(":" in gap for gap in part.gaps)
    if has_colon and not any(word.is_finite for word in part.words):
        return True
    last, earlier = part.words[-1], part.words[-2] if len(part.words) > 1 else None
    return last.tag == "ADJ" and earlier is not None and earlier.tag == "ADJ" and "," in part.gaps[-1]


def _is_infinitive_item(part: Part) -> bool:
    """Return whether another infinitive follows one that ends the part: "to rest, | to wait"."""
    following = part.sentence.words[part.last + 1 : part.last + 3]
    return _has_infinitive(following) and _has_infinitive(part.words[-6:])


def _has_infinitive(words: Sequence[Word]) -> bool:
    pairs = pairwise(words)
    return any(word.lower == "to" and following.form == "Inf" for word, following in pairs)


def _is_announcing_list(part: Part) -> bool:
    """Return whether the words before the part's last colon count what follows: "two safeguards: ..."."""
    colons = [i for i in range(1, len(part.words)) if ":" in part.gaps[i]]
    if not colons:
        return False
    before = part.words[max(0, colons[-1] - ANNOUNCED_WITHIN) : colons[-1]]
    return any(word.tag == "NUM" or word.lower in ("following", "several", "these") for word in before)


def _is_parallel(part: Part, following: Word) -> bool:
    """Return whether the next words begin as an item after the last dash or colon does: "in our ..."."""
    hard = [i for i in range(1, len(part.words)) if is_hard(part.gaps[i])]
    if not hard:
        return False
    items = {
        part.words[i].lower for i in range(hard[-1], len(part.words)) if i == hard[-1] or "," in part.gaps[i]
    }
    return following.lower in items and not any(word.is_finite for word in part.words[hard[-1] :])


def _is_half_a_contrast(part: Part) -> bool:
    """Return whether "not X" is in the part and "but Y" after it: "not days, [but years]"."""
    after = part.sentence.words[part.last + 1 : part.last + 10]
    denied = any(word.lower in ("not", "n't") for word in part.words[-14:])
    return denied and not any(word.is_finite for word in after)


def _is_without_main_clause(part: Part) -> bool:
    """Return whether the part ends with a subordinate clause whose main clause follows outside."""
    clause = part.sentence.clause_of[part.last]
    while clause.kind != "main" and clause.parent is not None:
        if clause.kind == "adverbial" and clause.first >= part.first:
            parent = part.sentence.clauses[clause.parent]
            return parent.verb is not None and parent.verb > part.last
        clause = part.sentence.clauses[clause.parent]
    return False


def _is_closing_aside(part: Part) -> bool:
    """Return whether the dash after the part ends an aside that began within it."""
    return sum(_is_dash(gap) for gap in part.gaps) % 2 == 1 and _is_dash(part.gap_after)


def _is_resuming(part: Part, following: Word) -> bool:
    """Return whether the words after the dash repeat words before it: "the war — the war of ..."."""
    return (
        ":" not in part.gap_after
        and following.tag != "VERB"
        and following.lower in {word.lower for word in part.words[-9:]}
    )


def _is_dangling(part: Part, following: Word) -> bool:
    """Return whether a phrase after a semicolon is begun again: "; their children | — their children"."""
    marks = [i for i in range(1, len(part.words)) if ";" in part.gaps[i]]
    tail = part.words[marks[-1] :] if marks else ()
    is_phrase = bool(tail) and not any(word.is_finite for word in tail)
    return is_phrase and _is_dash(part.gap_after) and following.lower in {word.lower for word in tail}


def _is_open(last: Word) -> bool:
    """Return whether a word asks for another before a dash: "so much to this devastating | — this ..."."""
    return last.tag in ("DET", "ADP", "CCONJ") or (
        last.tag in ("ADJ", "VERB", "NOUN") and last.lower.endswith(("ing", "al", "ous", "ive", "ic"))
    )


def _cut_short(part: Part, last: Word, following: Word) -> str:
    """Name the reason why a part cannot end before `following` without punctuation; "" if it can."""
    if last.tag in ("DET", "ADP", "SCONJ", "CCONJ", "AUX") or last.lower in (
        "to",
        "my",
        "our",
        "your",
        "their",
        "its",
        "not",
    ):
        return "inside a clause"
    if following.lower in ADVERBIALS and following.tag in ("SCONJ", "ADV"):
        return ""
    after = part.get_word(part.last + 2)
    if following.tag == "CCONJ" and after is not None and after.lower in ("what", "how", "that", "why"):
        return ""
    if following.tag == "CCONJ":
        return (
            "" if _is_followed_by_clause(part) or _is_followed_by_predicate(part, last) else "inside a series"
        )
    if following.lower in RELATIVES or following.lower == "that":
        return "inside a noun phrase" if last.tag in ("NOUN", "PROPN", "PRON") else "inside a clause"
    if _is_followed_by_clause(part) and last.tag not in ("VERB", "AUX"):
        return ""
    return "inside a clause"


def _is_followed_by_predicate(part: Part, last: Word) -> bool:
    """Return whether a coordinated verb with words of its own follows: "cut waste | and raise wages"."""
    verb = part.get_word(part.last + 2)
    return verb is not None and verb.tag == "VERB" and last.tag in ("NOUN", "PROPN", "NUM")


def _is_followed_by_clause(part: Part) -> bool:
    """Return whether another main clause begins with the next word, or after "and"."""
    after = part.last + 1
    clause = part.sentence.clause_of[after]
    if clause is part.sentence.clause_of[part.last]:
        following = part.get_word(after + 1)
        return (
            part.sentence.words[after].lower in COORDINATORS and following is not None and following.is_finite
        )
    return clause.first >= after - 1 and clause.kind in ("main", "content") and clause.verb is not None


def _is_list_item(sentence: Sentence, at: int) -> bool:
    """Return whether the words from `at` continue a list: "men, | women, and children"."""
    words, gaps = sentence.words, sentence.gaps
    if words[at].lower in ("and", "or") and not any(w.is_finite for w in words[at : at + 8]):
        return True
    if words[at].tag not in ("NOUN", "PROPN", "ADJ", "NUM", "DET"):
        return False
    if _is_after_colon(sentence, at):
        return True
    for i in range(at, min(len(words), at + 12)):
        if words[i].is_finite or (i > at and is_hard(gaps[i])):
            return False
        if i > at and words[i].lower in ("and", "or") and ("," in gaps[i] or not gaps[i].strip()):
            return any("," in gaps[k] for k in range(at, i + 1)) or at == 0
    return False


def _is_after_colon(sentence: Sentence, at: int) -> bool:
    """Return whether the word `at` begins a further item of a list that a colon opened."""
    for i in range(at - 1, max(0, at - 25), -1):
        word = sentence.words[i]
        if word.is_finite and word.lower != "'s" and not word.is_capital:
            return False
        if ":" in sentence.gaps[i]:
            return True
    return False


def find_opening_word(span: Span) -> Iterator[Flaw]:
    """Find a span that opens with "And", "But", "This", "They" or another word that refers back."""
    part = span.parts[0]
    words = part.words
    word = words[0]
    following = words[1] if len(words) > 1 else None
    is_phrase = word.lower == "instead" and following is not None and following.lower == "of"
    if (
        word.lower in CONNECTIVES and not (word.lower in ("then", "so") and part.first) and not is_phrase
    ) or (not part.first and is_causal(part.sentence)):
        yield span.make_flaw(FlawKind.CONTEXT, "opening connective", word)
    elif _is_resolved_opening(word, following) or (word.lower == "there" and "," in "".join(part.gaps[1:2])):
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


def is_causal(sentence: Sentence) -> bool:
    """Return whether a sentence opens with "for" that means because: "For space science has no conscience".

    The subject then follows "for". In "For years, we have waited" it follows the phrase.
    """
    words, verb = sentence.words, sentence.clauses[0].verb
    if not words or words[0].lower != "for" or verb is None or verb < 2:
        return False
    if words[0].tag == "SCONJ" or words[1].lower in NOMINATIVES - {"it", "you"}:
        return True
    if "," in sentence.gaps[verb]:
        return True
    is_phrase = all(word.tag in SUBJECT_TAGS for word in words[1:verb])
    has_comma = any("," in gap for gap in sentence.gaps[1:verb])
    heads = [i for i in range(2, verb) if words[i].tag in ("DET", "NUM")]
    return is_phrase and not has_comma and all(words[i - 1].tag in ("ADP", "CCONJ") for i in heads)


SUBJECT_TAGS = frozenset(("DET", "ADJ", "NUM", "NOUN", "PROPN", "ADP", "CCONJ"))


def _is_resolved_opening(word: Word, following: Word | None) -> bool:
    """Return whether a part opens with "Neither expected ..." or with "There", of a place."""
    if following is None:
        return False
    if word.lower in ("neither", "each", "both", "none", "others", "another", "one"):
        return following.is_finite
    return word.lower == "there" and following.tag in ("PRON", "DET", "NOUN", "PROPN")


def _is_first_of_several(part: Part) -> bool:
    """Return whether a part begins with "The first is ..."."""
    words = part.words
    return len(words) > 2 and words[1].lower in ("first", "one") and words[2].is_finite


def find_unresolved_reference(span: Span) -> Iterator[Flaw]:
    """Find pronouns and demonstratives whose referent is outside the span.

    In later sentences of the span they refer to the earlier ones.
    """
    if not span.parts:
        return
    part = span.parts[0]
    for i, word in enumerate(part.words):
        rule = _name_reference_fault(part, i, part.words[:i])
        if rule:
            yield span.make_flaw(FlawKind.CONTEXT, rule, word)
            return
    seen = list(part.words)
    for later in span.parts[1:]:
        for word in later.words:
            if word.tag == "PRON" and word.lower in SINGULARS and not _list_persons(seen):
                yield span.make_flaw(FlawKind.CONTEXT, "pronoun without referent", word)
                return
            seen.append(word)


SINGULARS = frozenset(("he", "she", "him", "his", "her", "himself", "herself"))


def _name_reference_fault(part: Part, i: int, seen: Sequence[Word]) -> str:
    word = part.words[i]
    following = part.words[i + 1] if i + 1 < len(part.words) else None
    nominals = [
        w
        for w in seen
        if (w.tag in ("NOUN", "PROPN") and w.lower not in ADVERBIAL_NOUNS | TIMES)
        or w.lower
        in ("whoever", "who", "everyone", "anyone", "someone", "nobody", "each", "those", "people", "one")
    ]
    if following is not None and following.lower in ("who", "whose", "whom"):
        return ""  # "him who shall have borne the battle"
    if word.lower in THIRD_PERSONS and word.tag in ("PRON", "DET"):
        if word.lower in ("it", "its", "itself"):
            return (
                ""
                if nominals or _is_expletive(part, i) or _has_later_nominal(part, i)
                else "pronoun without referent"
            )
        referents = _list_plurals(seen) if word.lower in PLURALS else _list_persons(seen)
        return "" if referents or _has_later_nominal(part, i) else "pronoun without referent"
    if word.lower in ("this", "that", "these") and _is_clause_end(part, i) and not _list_nouns(seen):
        return "demonstrative without referent"  # "we are committed to this"
    if word.lower in ("this", "that") and _is_compared(part, i, following):
        return "demonstrative without referent"
    if word.lower == "that" and i and following is not None and _is_pointing(part, i, following):
        return "demonstrative without referent"
    if (
        word.lower in ("this", "that", "these", "those", "such")
        and word.tag in ("DET", "PRON", "ADJ")
        and following is not None
    ):
        return _name_demonstrative_fault(part, i, following, seen)
    return ""


ADVERBIAL_NOUNS = frozenset(("fact", "course", "example", "instance", "contrast", "addition", "mr", "turn"))
"""Nouns of set phrases, which no pronoun stands for: "In fact, we warned it was coming"."""


def _is_compared(part: Part, i: int, following: Word | None) -> bool:
    """Return whether "this" or "that" closes "more than that", "doing this", or opens "For this you have"."""
    if not i:
        return False
    previous = part.words[i - 1].lower
    is_last = following is None or part.gaps[i + 1].strip() != ""
    if is_last and previous in ("than", "doing"):
        return True
    is_head = i == 1 and part.words[0].tag in ("ADP", "SCONJ")
    return is_head and following is not None and following.lower in NOMINATIVES


def _list_nouns(words: Sequence[Word]) -> list[Word]:
    """Return the common nouns among words, but not those that name a time."""
    return [word for word in words if word.tag == "NOUN" and word.lower not in TIMES | ADVERBIAL_NOUNS]


def _is_clause_end(part: Part, i: int) -> bool:
    """Return whether a pronoun after a preposition or verb is the last word of the part or before a mark."""
    is_last = i + 1 == len(part.words) or part.gaps[i + 1].strip() != ""
    return i > 0 and is_last and part.words[i - 1].tag in ("ADP", "VERB", "SCONJ", "PART")


def _is_pointing(part: Part, i: int, following: Word) -> bool:
    """Return whether "that" points at something, though it is tagged as a conjunction.

    "We face that point", "use that wealth to ...", "why that should slow up".
    """
    previous = part.words[i - 1]
    if previous.lower in ("why", "how") and following.is_finite:
        return True
    is_noun = following.tag == "NOUN" and not following.lower.endswith("s")
    after = part.words[i + 2] if i + 2 < len(part.words) else None
    goes_on = after is not None and (after.is_finite or after.lower in RELATIVES | {"that", "of"})
    if following.lower in TIMES and not goes_on:
        return after is None or after.tag not in ("PRON", "DET")
    return previous.lower in TAKING_VERBS and is_noun and not goes_on


PLURALS = frozenset(("they", "them", "their", "theirs", "themselves"))


def _list_plurals(seen: Sequence[Word]) -> list[Word]:
    """Return the words that "they" may stand for: plurals, coordinations, "everyone"."""
    return [
        word
        for i, word in enumerate(seen)
        if (
            word.tag in ("NOUN", "PROPN")
            and word.lower != "thanks"
            and (word.lower.endswith("s") or word.lower in IRREGULAR_PLURALS)
        )
        or word.lower
        in ("and", "who", "whoever", "everyone", "everybody", "anyone", "someone", "nobody", "each")
        or (word.lower in COLLECTIVES and not _is_before_of(seen, i))
    ]


def _is_before_of(words: Sequence[Word], i: int) -> bool:
    is_part = words[i].lower in ("some", "many", "one", "all", "both", "few", "most", "those", "these")
    return is_part and i + 1 < len(words) and words[i + 1].lower == "of"  # "some of them"


def _list_persons(seen: Sequence[Word]) -> list[Word]:
    """Return the words that "he" and "she" may stand for."""
    return [
        word
        for word in seen
        if word.tag == "PROPN"
        or word.lower in PERSONS
        or (word.tag == "NOUN" and word.lower.endswith(AGENTS) and word.lower not in THINGS)
    ]


AGENTS = ("man", "woman", "person", "ist", "ian", "er", "or")


def _has_later_nominal(part: Part, i: int) -> bool:
    """Return whether the pronoun opens a subordinate clause before its noun: "Before he spoke, Lee wept"."""
    return i == 1 and part.words[0].lower in ADVERBIALS and any(w.tag in ("PROPN",) for w in part.words[i:])


EXPLETIVE_WORDS = 20
"""Words after "it" among which what it announces begins."""


def _is_expletive(part: Part, i: int) -> bool:
    """Return whether "it" refers to nothing before it: "It is time to ...", "It was there that ..."."""
    stop = next((k for k in range(i + 1, len(part.words)) if is_hard(part.gaps[k])), len(part.words))
    following = [w.lower for w in part.words[i + 1 : min(stop, i + EXPLETIVE_WORDS)]]
    if not following or following[0] not in BEGIN_EXPLETIVES:
        return False
    if following[1:2] in (["why"], ["because"], ["about"]) or following[1:3] == ["one", "of"]:
        return False  # "It's why we reject stereotypes"
    if following[0] in ("takes", "seems", "took", "appears"):
        return True
    if following[0] not in ("matters", "means", "becomes") and not _is_copula(part, i + 1):
        return False
    verbs = [
        k for k, w in enumerate(part.words[i + 1 : i + 5], i + 1) if w.tag == "VERB" and w.form == "Part"
    ]
    if verbs and not part.words[verbs[0]].lower.endswith("ing"):
        after = {w.lower for w in part.words[verbs[0] + 1 : verbs[0] + 4]}
        return bool(after & {"to", "that", "how"})  # "It was said that", but not "It was paid by those who"
    return bool(set(following[1:]) & {"to", "that", "who", "when", "time", "if", "because"})


EXPLETIVE_VERBS = (
    "is 's was will has would may takes seems matters 'll 'd becomes took can does appears means"
)
BEGIN_EXPLETIVES = frozenset(EXPLETIVE_VERBS.split())


def _is_copula(part: Part, at: int) -> bool:
    """Return whether the verb at `at` is one of being, alone or after an auxiliary: "is", "would be"."""
    verbs = [w for w in part.words[at : at + 4] if w.tag in ("AUX", "VERB")]
    main = next((w for w in verbs if w.tag == "VERB"), None)
    is_be = any(w.lower in BE_FORMS for w in verbs) or any(
        w.lower in ("take", "seem", "matter") for w in verbs
    )
    is_progressive = main is not None and main.form == "Part" and main.lower.endswith("ing")
    return is_be and (not is_progressive or any(word.lower == "that" for word in part.words[at + 1 : at + 4]))


def _name_demonstrative_fault(part: Part, i: int, following: Word, seen: Sequence[Word]) -> str:
    word = part.words[i]
    if (
        word.tag == "SCONJ"
        or following.lower in ("who", "which", "that", "whose")
        or (following.tag == "PRON" and word.lower == "that")
    ):
        return ""
    if word.lower == "such" and following.lower == "as":
        return ""
    if word.lower in ("these", "those") and following.lower in ("last", "past", "next", "coming"):
        return ""  # "within these last 19 months"
    if word.lower == "that" and following.lower in ("a", "an") and i and part.words[i - 1].tag == "VERB":
        return "demonstrative without referent"  # "consider that an accomplishment"
    if word.lower in ("this", "that") and i and _is_doing(part.words[i - 1], following, seen):
        return "demonstrative without referent"  # "my inclination to do this"
    if word.lower == "this" and ":" in part.gaps[i] and following.is_finite:
        return "demonstrative without referent"  # "I said last night: This is ..."
    if word.lower == "this" and following.lower in SPEAKERS and i == 0:
        return "demonstrative without referent"  # "This I propose to offer"
    if word.lower == "such" and following.lower in ("a", "an") and i and part.words[i - 1].lower in BE_FORMS:
        return "demonstrative without referent"  # "is such an issue"
    if word.lower == "this" and i == 1 and part.words[0].lower == "with" and following.lower not in DEICTIC:
        return "demonstrative without referent"  # "With this pledge taken"
    if following.lower == "matter" and i and part.words[i - 1].lower == "for":
        return ""  # "for that matter"
    clause_word = (
        word.lower == "that"
        and word.tag == "PRON"
        and i
        and part.words[i - 1].tag in ("NOUN", "PROPN", "PRON")
    )
    if clause_word:
        return ""
    if word.lower == "this" and i == 0 and following.lower in BE_FORMS and _has_time_name(part):
        return ""  # "This is the 37th time I have spoken to you"
    if following.is_finite or following.tag in ("ADV", "ADP", "CCONJ", "PUNCT") or (following.tag == "AUX"):
        if word.lower in ("those", "such", "that") and following.tag == "ADP":
            return ""
        return "demonstrative without referent" if not [w for w in seen if w.tag == "NOUN"] or i == 0 else ""
    if word.tag == "PRON" and following.tag not in ("NOUN", "ADJ", "PROPN", "NUM"):
        return ""
    noun = next((w for w in part.words[i + 1 : i + 6] if w.tag in ("NOUN", "PROPN")), None)
    head = noun
    for w in part.words[i + 1 : i + 7]:
        if w.tag in ("NOUN", "PROPN"):
            head = w
        elif head is not None:
            break
    if head is None:
        return ""
    mentioned = {w.lower.rstrip("s") for w in seen}
    if head.lower.rstrip("s") in mentioned:
        return ""
    if word.lower == "that" and head.lower in ("kind", "sort", "type"):
        return "demonstrative without referent"
    if word.lower == "this" and _is_described(part, i):
        return ""
    if word.lower == "this" and head.lower not in DEICTIC and head.lower.endswith(ABSTRACT):
        return "demonstrative without referent"
    if word.lower == "this" and (head.lower in DEICTIC or ((i or seen) and head.lower not in SUMMING_NOUNS)):
        return ""
    if word.lower == "those" and _is_described(part, i):
        return ""
    if word.lower in ("that", "such", "these") and _is_described(part, i) and word.lower != "these":
        return ""
    return "demonstrative without referent"


def _has_time_name(part: Part) -> bool:
    """Return whether a part says what the day or hour of the speech is."""
    return any(word.lower in TIMES and word.tag == "NOUN" for word in part.words[2:6])


def _is_doing(previous: Word, following: Word, seen: Sequence[Word]) -> bool:
    """Return whether "this" or "that" is what is done, and no clause before it says what."""
    is_object = previous.lower in ("do", "does", "did", "done", "doing") and following.tag not in (
        "NOUN",
        "PROPN",
    )
    return is_object and not any(word.is_finite for word in seen[:-1])


ABSTRACT = ("bination", "vantage", "angement", "ituation", "umstance", "osition", "trine", "erence", "posal")
"""Endings of nouns by which "this" sums up what was said before."""


def _is_described(part: Part, i: int) -> bool:
    """Return whether a relative clause or phrase after the noun identifies it: "those men who ..."."""
    for word in part.words[i + 2 : i + 6]:
        if word.lower in RELATIVES | {"that", "of"}:
            return True
        if word.is_finite:
            return False  # "That experience guides my conviction that ..."
    return False


VOCATIVE = re.compile(
    r"""(?:(?:my|and|ladies|gentlemen|dear|fellow|friends?|americans?|citizens?|countrymen|colleagues|brothers
    |sisters|folks|mr|mrs|madam|president|speaker|vice|chief|justice|members?|congress|of|the|senator|minister
    |prime|mayor|chairman|distinguished|guests|leaders|people|to)\b[.,]?\s*){2,}""",
    re.VERBOSE | re.IGNORECASE,
)


def find_vocative(span: Span) -> Iterator[Flaw]:
    """Find an address at the head of a span that a dash or colon separates from the sentence."""
    match = VOCATIVE.match(span.passage.text, span.start_char)
    if not match or match.end() >= span.end_char:
        return
    rest = span.passage.text[match.end() - 1 : match.end() + 2]
    if any(mark in rest for mark in "—–:") or len(match[0].split()) > 4:
        yield Flaw(FlawKind.CONTEXT, "form of address", match.start(), match.end())


def find_length(span: Span) -> Iterator[Flaw]:
    """Find spans of fewer than 6 and of more than 40 words."""
    count = len(span.text.split())
    if count > LONGEST:
        yield Flaw(FlawKind.LENGTH, "long", span.start_char, span.end_char)
    elif count < SHORTEST:
        yield Flaw(FlawKind.LENGTH, "short", span.start_char, span.end_char)


CONCESSIVE = re.compile(
    r"""(?:it\s+is\s+true|it['’]s\s+true|it['’]s\s+tempting|it\s+is\s+tempting|of\s+course|to\s+be\s+sure
    |admittedly|granted|yes,)""",
    re.VERBOSE | re.IGNORECASE,
)


def find_concession(span: Span) -> Iterator[Flaw]:
    """Find a concession whose "But" follows outside the span."""
    part = span.parts[-1]
    is_granted = any(word.lower == "may" for word in part.sentence.words)
    if not is_granted and not CONCESSIVE.match(span.passage.text, part.sentence.start_char):
        return
    rest = (span.passage.text[part.sentence.end_char :] + " " + span.following).split()
    inside = part.sentence.words[part.last + 1 : part.last + 2]
    opens = (rest[0].strip(",.—").lower() if rest else "", inside[0].lower if inside else "")
    if set(opens) & CONTRASTS:
        yield span.make_flaw(FlawKind.CONTEXT, "concession", part.words[0], part.words[-1])


Rule = Callable[[Span], Iterator[Flaw]]
RULES: tuple[Rule, ...] = (
    find_lost_meaning,
    find_lost_frame,
    find_lost_reason,
    find_unnamed_opinion,
    find_lost_laughter,
    find_unbalanced_marks,
    find_false_start,
    find_filler,
    find_incomplete,
    find_bad_start,
    find_bad_end,
    find_opening_word,
    find_unresolved_reference,
    find_vocative,
    find_concession,
    find_length,
)
CHEAPEST_FIRST = sorted(RULES, key=lambda rule: rule in (find_lost_meaning, find_incomplete))
