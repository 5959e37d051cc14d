"""Detect drafts that the models do not expect: another language, e-mail headers, a single word."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from indexer.language import guess_language
from jobs.recommend.english_words import is_english_word
from reranker.signals.compared_texts import split_words
from reranker.signals.exact_words import CACHED_DRAFTS
from rostrum_core.types import Answer, Draft

FREQUENT = (
    "the and to that for with this they have has been are were would which who what from by not his her our"
    " their you there when it its as could should"
)
"""Frequent English words that no other language spells the same way."""

ENGLISH = frozenset(FREQUENT.split())

LEAST_WORDS = 20
"""Minimum number of words to recognise a language by its letters."""

LEAST_SHORT = 6
"""Minimum number of words to recognise another language in a shorter text: it has no word of `ENGLISH`, and
half of its words are in no list of English. Of 12,075 short texts in English, 2 are mistaken.
"""

LEAST_ENGLISH = 0.08
"""Share of `ENGLISH` words below which the letters decide. A title alone may have no such word."""

WORD = re.compile(r"[^\W\d_]+")
LATIN = re.compile("[A-Za-z\u00aa-\u024f\u1e00-\u1eff]")
HEADER = re.compile(r"(?:From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Re|Fwd?|AW|WG): ?(.*)", re.IGNORECASE)
SUBJECT = re.compile(r"(?:(?:Subject|Re|Fwd?|AW|WG): ?)+", re.IGNORECASE)


def take_headers(draft: Draft) -> Draft:
    r"""Return the draft without the headers of an e-mail; its subject becomes the title.

    >>> take_headers(Draft("Fwd: homily for sunday??", "hey Ann"))
    Draft(title='homily for sunday??', left='hey Ann', right='', written_on=None)
    >>> take_headers(Draft(left="Re: the bridge")).title
    'the bridge'
    >>> take_headers(Draft(left="From: Tom\nSubject: Re: a quote\n\nHi Ann")).title
    'a quote'
    """
    title = SUBJECT.sub("", draft.title, count=1) if HEADER.match(draft.title) else draft.title
    lines = draft.left.lstrip().splitlines(keepends=True)
    count = next((i for i, line in enumerate(lines) if not HEADER.match(line)), len(lines))
    subjects = [SUBJECT.sub("", line).strip() for line in lines[:count] if SUBJECT.match(line)]
    if not count or (count == len(lines) and not any(subjects)):
        return replace(draft, title=title)
    return replace(draft, title=title or next(iter(subjects), ""), left="".join(lines[count:]).lstrip())


@lru_cache(CACHED_DRAFTS)
def is_english(draft: Draft) -> bool:
    """Return whether a draft looks like English, or is too short to judge.

    >>> is_english(Draft(left="Realistic Americans expect neither generosity nor disarmament nor freedom of"
    ...     " religion, nor even good business, from a dictator's peace: no, never, said Roosevelt."))
    True
    >>> is_english(Draft(left="Die Brücke wurde im Mai eröffnet")), is_english(Draft(left="다리가 열렸다"))
    (False, False)
    """
    text = f"{draft.title}\n{draft.left}"
    words = [word.casefold() for word in WORD.findall(text)]
    if words and 2 * sum(LATIN.match(word) is not None for word in words) < len(words):
        return False
    if sum(map(ENGLISH.__contains__, words)) >= LEAST_ENGLISH * len(words) or len(words) < LEAST_SHORT:
        return True
    if len(words) < LEAST_WORDS and 2 * sum(map(is_english_word, words)) >= len(words):
        return True
    return guess_language(text) == "en"


def describe_draft(draft: Draft) -> list[str]:
    """Return a sentence for each property of a draft that makes the answer to it worse.

    >>> describe_draft(Draft("Challenger"))
    ['draft: one word is little to search by']
    >>> describe_draft(Draft("1,000 days"))
    []
    >>> describe_draft(Draft(left="Er schloss mit dem Satz, den heute jedes Kind in Berlin kennt: " * 2))
    ['draft: it does not look like English: only names and shared words can match']
    """
    notes = []
    if take_headers(draft) != draft:
        notes.append("draft: it begins with headers of an e-mail; the subject is read as the title")
    count = len(split_words(f"{draft.title}\n{draft.left}"))
    if count < 2:
        notes.append(f"draft: {'one word is little' if count else 'there is no word'} to search by")
    if not is_english(draft):
        notes.append("draft: it does not look like English: only names and shared words can match")
    return notes


def list_skipped(answer: Answer) -> tuple[str, ...]:
    """Return the reasons why stages of an answer were skipped, such as "dense: no vectors".

    `Answer.degraded` also has remarks on the draft (see `describe_draft`), which are left out here.

    >>> list_skipped(Answer((), 0, ("draft: one word is little to search by", "dense: no vectors")))
    ('dense: no vectors',)
    """
    return tuple(reason for reason in answer.degraded if not reason.startswith("draft: "))
