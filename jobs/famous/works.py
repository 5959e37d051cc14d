"""Check quotes against texts of works that the user supplies, to see whether the author really wrote the
words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from indexer.formats import Refused
from indexer.paragraphs import CountTokens
from jobs.align.transcripts import read_transcripts
from jobs.famous.authors import is_same_author, list_keys, may_be_same_author
from quotations.grammar.passages import find_quoted
from quotations.matching.difference_kinds import Difference, DifferenceKind, Excuse
from quotations.matching.differences import find_differences
from quotations.matching.fitting import Fit, fit
from quotations.matching.printed_quote import Quoted, read_printed
from quotations.matching.quotation_matches import SHORTEST_WORDS
from quotations.matching.verification import Match, verify_window
from quotations.matching.windows import find_windows
from quotations.matching.word_index import Ints, Place, WordIndex
from quotations.text.spoken import Spoken
from quotations.text.transcript import Transcript
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import AttributionStatus, FamousQuote
from rostrum_core.names import name_words

LEAST_COVERAGE_ELSEWHERE = 0.9
"""Minimum share of a quote's words that another author's work must have, to attribute the quote to it."""

MOST_PLACES = 1000
"""Maximum number of exact places of a quote that are read, to find one outside quotation marks."""


class WorkVerdict(StrEnum):
    """Verdict on a quote after its words were looked up in works that the user supplied.

    `VERIFIED`: a work of the quote's author has the words. `ALTERED`: a work of the quote's author has the
    words with differences. `MISATTRIBUTED`: only a work of another author has the words. `NOT_FOUND`: the
    works of the quote's author lack the words. `UNCHECKED`: no work is certainly by the quote's author.
    """

    VERIFIED = "verified"
    ALTERED = "altered"
    MISATTRIBUTED = "misattributed"
    NOT_FOUND = "not_found"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class WorkPlace:
    """Locate words in a work: from `start_char` of paragraph `paragraph` to `end_char` of paragraph
    `last_paragraph`.

    Paragraphs are counted from 0, and characters from the start of their paragraph.
    """

    document: str
    title: str
    author: str
    paragraph: int
    start_char: int
    last_paragraph: int
    end_char: int
    words: str


@dataclass(frozen=True, slots=True)
class WorkCheck:
    """Hold the verdict on a quote, the place of its words in a work, and how the words differ there.

    `is_quoted` is true if the words stand within quotation marks at this place.
    """

    quote: FamousQuote
    verdict: WorkVerdict
    place: WorkPlace | None = None
    differences: tuple[Difference, ...] = ()
    is_quoted: bool = False


def read_works(folder: Path, *, count_tokens: CountTokens, refused: Refused) -> Iterator[Transcript]:
    """Yield the works in a folder, each as a transcript whose `speaker` is the author of the work, if known.

    A subfolder holds the works of one author and is named after that author. Other files name their author in
    their metadata, as transcripts name a speaker. If two files give the same id, the second id gets the
    name of its file as a prefix. `refused` is called for files that cannot be read.

    Raises:
        BadInput: there is no such folder.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder of works", field="works")
    seen: set[str] = set()
    for path in sorted(folder.iterdir()):
        author = path.name.replace("_", " ") if path.is_dir() else None
        for work in read_transcripts([path], count_tokens=count_tokens, refused=refused):
            identity = f"{path.name}/{work.id}" if author else work.id
            while identity in seen:  # such as hamlet.txt after hamlet.md
                identity = f"{path.name}/{identity}"
            seen.add(identity)
            yield replace(work, id=identity, speaker=author or work.speaker)


class Works:
    """Hold an index of works (books, plays), and check whether quotes are in them and by whom."""

    def __init__(self, works: Sequence[Transcript]) -> None:
        self._works = list(works)
        self._index = WordIndex(self._works)
        self._by_id = {work.id: work for work in self._works}
        self._has_author = np.array([bool(work.speaker) for work in self._works], np.bool_)
        self._by_key = defaultdict[str, list[int]](list)  # the works by each key of their author's name
        for at, work in enumerate(self._works):
            for key in list_keys(work.speaker or ""):
                self._by_key[key].append(at)

    def __len__(self) -> int:
        return len(self._works)

    def check(self, quote: FamousQuote) -> WorkCheck:
        """Return the verdict on a quote.

        The author's own works are searched first. If one of these works has the words in a changed wording,
        the quote is altered, even if another author's work has the exact words. If only another author's work
        has the words, the verdict is `MISATTRIBUTED`, with two exceptions. If all places are in quotation
        marks, the works quote somebody. If the other author may be the quote's, as "John Quincy Adams" may be
        "John Adams", nothing is proved. The check then has only the place of the words. A quote of fewer than
        six words must match exactly.
        """
        printed = read_printed((quote.text,))
        ids = self._index.get_numbers(printed.keys)
        own = self._mark(is_by, quote)
        if matches := self._find(printed, ids, own):
            return self._judge(quote, printed, matches[0])
        absent = WorkCheck(quote, WorkVerdict.NOT_FOUND if own.any() else WorkVerdict.UNCHECKED)
        doubtful = ~own & self._mark(may_be_by, quote)
        match = self._find_elsewhere(printed, ids, (doubtful, ~own & self._has_author))
        if match is None:
            return absent
        check = self._judge(quote, printed, match)
        is_doubtful = may_be_by(self._by_id[match.place.document], quote)
        if check.is_quoted or is_doubtful or not (quote.author or own.any()):
            return replace(absent, place=check.place)
        return replace(check, verdict=WorkVerdict.MISATTRIBUTED)

    def _mark(
        self, is_match: Callable[[Transcript, FamousQuote], bool], quote: FamousQuote
    ) -> NDArray[np.bool_]:
        """Return a mask of the works that `is_match` accepts for a quote, bool (works,)."""
        mask = np.zeros(len(self._works), np.bool_)
        for at in self._list_candidates(quote):
            mask[at] = is_match(self._works[at], quote)
        return mask

    def _list_candidates(self, quote: FamousQuote) -> Iterable[int]:
        """Return the indices of the works that may be by the author of a quote.

        The name of another author has no key in common with the quote's author. Works without an author are
        among the candidates.
        """
        if not quote.author:
            return range(len(self._works))
        keys = list_keys(quote.author) | list_keys("")
        return {at for key in keys for at in self._by_key.get(key, ())}

    def _find_elsewhere(
        self, printed: Quoted, ids: Ints, groups: Sequence[NDArray[np.bool_]]
    ) -> Match | None:
        """Return the first match outside quotation marks that has nearly all words of a quote; without one,
        the first match; `None` without a match.

        `groups` are masks of works, which are searched one after the other.
        """
        matches = [
            match
            for allowed in groups
            for match in self._find(printed, ids, allowed)
            if match.coverage >= LEAST_COVERAGE_ELSEWHERE
        ]
        unquoted = (match for match in matches if not self._is_quoted(match.place))
        return next(unquoted, matches[0] if matches else None)

    def _find(self, printed: Quoted, ids: Ints, allowed: NDArray[np.bool_]) -> list[Match]:
        """Return the matches of a quote in the works that `allowed` marks, best first.

        If a work has exactly the words, return one exact match. Otherwise sort the matches by score.
        """
        if not allowed.any() or not len(ids):
            return []
        if exact := self._find_exactly(ids, allowed):
            return [Match(exact, True, 1.0, 0)]
        if printed.printed < SHORTEST_WORDS:
            return []
        distance = np.zeros(len(allowed), np.int64)
        spans = find_windows(self._index, printed, ids, allowed=allowed, distance=distance)
        matches = [match for span in spans if (match := verify_window(self._index, printed, ids, span))]
        return sorted(matches, key=lambda match: -match.score)

    def _find_exactly(self, ids: Ints, allowed: NDArray[np.bool_]) -> Place | None:
        """Return the first place of exactly these words outside quotation marks; without one, the first
        place.
        """
        words, documents = self._index.ids, self._index.document_of
        starts = np.arange(max(0, len(words) - len(ids) + 1))
        for offset, number in enumerate(ids.tolist()):
            starts = starts[words[starts + offset] == number]
        ends = starts + len(ids) - 1
        starts = starts[(documents[starts] == documents[ends]) & allowed[documents[starts]]]
        places = [self._index.place(start, start + len(ids) - 1) for start in starts[:MOST_PLACES].tolist()]
        return next((place for place in places if not self._is_quoted(place)), places[0] if places else None)

    def _is_quoted(self, place: Place) -> bool:
        """Return whether the words at `place` stand within quotation marks in their work.

        If so, the work itself quotes somebody.
        """
        text = self._by_id[place.document].paragraphs[place.paragraph]
        end_char = place.end_char if place.last_paragraph == place.paragraph else len(text)
        return any(start <= place.start_char and end_char <= end for start, end in find_quoted(text))

    def _judge(self, quote: FamousQuote, printed: Quoted, match: Match) -> WorkCheck:
        work, place = self._by_id[match.place.document], match.place
        is_quoted = self._is_quoted(place)
        if match.exact:
            return WorkCheck(quote, WorkVerdict.VERIFIED, _cut_words(work, place), is_quoted=is_quoted)
        spoken = Spoken(work.paragraphs[place.paragraph : place.last_paragraph + 1])
        result = fit(printed.keys, printed.inserted, printed.cut_after, spoken.keys)
        differences = tuple(find_differences(printed, result, spoken))
        altered = any(map(_is_other_wording, differences))
        located = _cut_words(work, _widen(place, spoken, result))
        verdict = WorkVerdict.ALTERED if altered else WorkVerdict.VERIFIED
        return WorkCheck(quote, verdict, located, differences, is_quoted)


def _widen(place: Place, spoken: Spoken, result: Fit) -> Place:
    """Extend the place of a quote in a work to all words of the work that match the quote.

    `result` aligns the words of the work and the quote. The new place begins at the first aligned word of the
    work and ends at the last.
    """
    paired = result.spoken[result.spoken >= 0]
    first, last = spoken.words[int(paired.min())], spoken.words[int(paired.max())]
    begin, end = place.paragraph + first.text, place.paragraph + last.text
    return replace(
        place, paragraph=begin, last_paragraph=end, start_char=first.start_char, end_char=last.end_char
    )


def _cut_words(work: Transcript, place: Place) -> WorkPlace:
    texts = list(work.paragraphs[place.paragraph : place.last_paragraph + 1])
    texts[-1] = texts[-1][: place.end_char]
    texts[0] = texts[0][place.start_char :]
    return WorkPlace(
        work.id,
        work.title,
        work.speaker or "",
        place.paragraph,
        place.start_char,
        place.last_paragraph,
        place.end_char,
        "\n".join(texts),
    )


def is_by(work: Transcript, quote: FamousQuote) -> bool:
    """Return whether a quote is looked up in a work as in one of its author's.

    The authors of the two must be the same. If the quote or the work has no author, their titles must match.
    A quote without author and title matches any work.

    >>> work = Transcript("w", "Hamlet", "William Shakespeare", None, None, ())
    >>> [is_by(work, FamousQuote("1", "To be", author)) for author in ("Shakespeare", "Goethe")]
    [True, False]
    """
    if not (quote.author or quote.work):
        return True
    if not (quote.author and work.speaker):
        return bool(quote.work) and name_words(quote.work) == name_words(work.title)
    return is_same_author(work.speaker, quote.author)


def may_be_by(work: Transcript, quote: FamousQuote) -> bool:
    """Return whether the author of a work may be the author of a quote, by their names."""
    return bool(work.speaker and quote.author) and may_be_same_author(work.speaker or "", quote.author)


def apply_check(check: WorkCheck) -> FamousQuote:
    """Return the quote of a check with its status updated: verified, disputed, or unchanged.

    The status stays unchanged if the words were not found or could not be checked. So does "disputed" if the
    author's work has the words only within quotation marks, because the author may quote somebody there. The
    quote becomes disputed if its words are altered, or if only another author's work has them.
    """
    place = check.place
    if place is None or check.verdict in (WorkVerdict.NOT_FOUND, WorkVerdict.UNCHECKED):
        return check.quote
    if check.is_quoted and check.quote.status is AttributionStatus.DISPUTED:
        return check.quote
    where = f"{place.title}{f' by {place.author}' if place.author else ''}"
    if check.verdict is WorkVerdict.VERIFIED:
        return replace(
            check.quote, status=AttributionStatus.VERIFIED, provenance=f"found word for word in {where}"
        )
    begun = "the words stand in" if check.verdict is WorkVerdict.MISATTRIBUTED else "differs from"
    return replace(
        check.quote, status=AttributionStatus.DISPUTED, provenance=f"{begun} {where}: {place.words}"
    )


def _is_other_wording(difference: Difference) -> bool:
    """Return whether a difference changes words of a quote. An ellipsis or another spelling is no such
    change.
    """
    return difference.kind is not DifferenceKind.CUT and difference.excuse is not Excuse.SPELLING
