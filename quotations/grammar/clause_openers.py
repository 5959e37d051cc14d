"""Decide where a clause opens in an English sentence, and of which kind it is.

A clause opens with a word such as "if", "that" or "who", or without one: "we can" in "I think we can".
"""

from __future__ import annotations

from typing import Literal

from quotations.grammar.cut_vocabulary import (
    ADVERBIALS,
    BE_FORMS,
    BEFORE_OPENERS,
    CLAUSE_TAKERS,
    CONTENT_NOUNS,
    QUESTION_WORDS,
    RELATIVES,
    THOUGHTS,
    TIMES,
)
from quotations.grammar.gaps import is_hard
from quotations.grammar.sentence_words import LOOK_AHEAD, NOMINALS, SUBJECT_TAGS, SentenceWords

ClauseKind = Literal["main", "adverbial", "content", "relative"]
OPENERS = RELATIVES | QUESTION_WORDS | ADVERBIALS | BEFORE_OPENERS | {"as", "that"}
"""Words that can begin a clause with an opener."""

AFTER_OPENERS = ADVERBIALS | {"that"}
GOVERNING = THOUGHTS | CLAUSE_TAKERS
DESCRIBED_TAGS = SUBJECT_TAGS | {"ADJ"}


def find_opener(text: SentenceWords, at: int, verb: int | None) -> tuple[ClauseKind, int] | None:
    """Return the kind of the clause that opens at `at`, and how many words open it.

    `verb` is the index of the verb of the clause that is open there; `None` if it has no verb yet. For "even
    if", the result is ("adverbial", 2). It is `None` if no clause opens there.
    """
    if text.is_as_long_as(at) and text.is_clause_start(at + 3):
        return "adverbial", 3
    extra = 0
    while extra < 2 and at + extra + 1 < len(text.words) and text.words[at + extra].lower in BEFORE_OPENERS:
        following = text.words[at + extra + 1]
        if text.gaps[at + extra + 1].strip() or following.lower not in AFTER_OPENERS:
            break
        extra += 1
    head = at + extra
    if extra and text.words[head].lower == "that":
        pair = text.words[head - 1].lower
        return (
            ("adverbial", extra + 1) if pair in ("so", "except") and text.has_verb_ahead(head + 1) else None
        )
    kind = _classify_opener(text, head, verb)
    return None if kind is None else (kind, extra + 1)


def _classify_opener(text: SentenceWords, at: int, verb: int | None) -> ClauseKind | None:
    word = text.words[at]
    if word.lower == "that":
        return _classify_that(text, at, verb)
    if not text.has_verb_ahead(at + 1):
        return None
    if word.lower in RELATIVES:
        return "relative" if at and (text.is_after_nominal(at) or "," in text.gaps[at]) else "content"
    if word.lower in QUESTION_WORDS:
        return "content" if at and not is_hard(text.gaps[at]) and word.tag != "DET" else None
    if word.lower in ADVERBIALS and word.tag in ("SCONJ", "ADV", "ADP", "VERB", "CCONJ"):
        return _classify_adverbial(text, at)
    return None


def _classify_adverbial(text: SentenceWords, at: int) -> ClauseKind | None:
    """Return "adverbial" if an adverbial clause opens at `at`, or else `None`.

    A question ("When will we act?") and a phrase without a subject and a verb ("as far as") do not count.
    """
    following = text.words[at + 1] if at + 1 < len(text.words) else None
    if following is None or (not at and following.tag == "AUX"):
        return None
    word = text.words[at]
    if word.lower in PREPOSITION_LIKE and not text.is_clause_start(at + 1):
        return None
    return None if word.lower in WITH_THAT and following.lower != "that" else "adverbial"


PREPOSITION_LIKE = frozenset(("as", "than", "before", "after", "since", "until", "till", "once", "like"))
"""Openers that are prepositions unless a clause follows: "before we came", but "before the war"."""

WITH_THAT = frozenset(("provided", "providing", "assuming", "supposing", "suppose"))
"""Verbs that open a clause only with "that": "provided that it rains"."""


def _classify_that(text: SentenceWords, at: int, verb: int | None) -> ClauseKind | None:
    word, previous = text.words[at], text.words[at - 1] if at else None
    following_tag = text.words[at + 1].tag if at + 1 < len(text.words) else ""
    points = previous is None or previous.lower in ADVERBIALS or previous.tag in ("ADP", "VERB")
    if word.tag == "DET" and following_tag in ("NOUN", "ADJ", "PROPN") and points:
        return None
    if not text.has_verb_ahead(at + 1):
        return None
    following = text.words[at + 1]
    if "," in text.gaps[at + 1] and following.lower not in ADVERBIALS and following.tag != "ADP":
        return None
    if previous is None:
        return None if following.is_finite or "'" in following.lower else "content"
    if previous.lower in CONTENT_NOUNS and not following.is_finite:
        return "content"
    if previous.tag in NOMINALS and not text.gaps[at].strip():
        if following.is_finite or following.tag in ("ADV", "PART"):
            return "relative"
        governor = verb is not None and any(
            text.words[i].lower in CLAUSE_TAKERS for i in range(max(0, at - 4), at)
        )
        return "content" if governor and previous.tag == "PRON" else _classify_noun_clause(text, at)
    if word.tag == "PRON" and following.is_finite:
        return None
    if previous.tag == "ADJ" and at > 1 and text.words[at - 2].tag == "DET":
        return "relative"  # "the best that they will permit"
    return "content" if word.tag != "DET" or text.is_clause_start(at + 1) else None


def _classify_noun_clause(text: SentenceWords, at: int) -> ClauseKind:
    """Return the kind of a "that" clause after a noun.

    It is "content" in "told the people that we ...", and "relative" in "the work that we ...".
    """
    nearby = text.words[max(0, at - 5) : at]
    return "content" if any(word.lower in TELLING_VERBS for word in nearby) else "relative"


TELLING_VERBS = frozenset(("tell", "tells", "told", "remind", "show", "assure", "inform", "pledge"))


def _is_after_thought(text: SentenceWords, at: int, verb: int) -> bool:
    """Return whether "think", "believe" or the like is right before `at`.

    Adverbs between commas are ignored: "we" in "I think, frankly, we" is right after "think".
    `verb` is the index of the verb of the open clause.
    """
    i = at - 1
    while i > 0 and text.words[i].tag == "ADV" and at - i < 4:
        i -= 1
    if text.words[i].lower not in THOUGHTS or text.words[i].tag != "VERB" or verb != i:
        return False
    return i < at - 1 or "," not in text.gaps[at]


def is_content_start(text: SentenceWords, at: int, verb: int | None) -> bool:
    """Return whether a content clause without "that" begins at `at`: "we can" in "I think we can".

    `verb` is the index of the verb of the clause that is open at `at`.
    """
    previous = text.words[at - 1]
    if not at or (previous.lower not in GOVERNING and previous.tag != "ADV") or verb is None:
        return False
    if _is_after_thought(text, at, verb):
        word = text.words[at]
        is_nominal = word.tag in DESCRIBED_TAGS and word.lower not in ("so", "it's")
        if is_nominal and text.has_verb_ahead(at + 1, 2 * LOOK_AHEAD):
            return True
    if (
        previous.lower not in CLAUSE_TAKERS
        or previous.tag not in ("VERB", "ADJ", "AUX")
        or text.gaps[at].strip(' "“”,:')
    ):
        return False
    if previous.tag == "AUX" or previous.lower in BE_FORMS or "," in text.gaps[at]:
        return False
    if text.words[at].tag in SUBJECT_TAGS:
        return text.is_clause_start(at)
    is_thought = previous.lower in THOUGHTS and text.words[at].tag == "ADP"
    return is_thought and text.has_clause_after_comma(at)


def is_relative_start(text: SentenceWords, at: int, verb: int | None) -> bool:
    """Return whether the pronoun at `at` begins a relative clause without "that": "they" in "colors they
    bore".

    `verb` is the index of the verb of the clause that is open at `at`.
    """
    if not at or text.gaps[at].strip():
        return False
    previous = text.words[at - 1]
    if previous.tag not in ("NOUN", "PROPN") or previous.lower in TIMES or not text.is_clause_start(at):
        return False
    return verb is not None or text.words[0].tag != "ADP"
