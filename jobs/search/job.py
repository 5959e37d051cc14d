"""Search the archive by words and phrases, one page at a time.

The first stage finds at most `DEPTH` paragraphs. The results are the paragraphs that have all words and
phrases of the query. If there are none, the results are the paragraphs that have some of them. If there are
none either, the results are the paragraphs nearest in meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Final, Literal

from jobs.recommend.draft_notes import list_skipped
from jobs.search.terms import Match, Range, SearchTerms, compile_word, fold_word, match_terms, read_terms
from rostrum_core.dates import get_first_day
from rostrum_core.errors import BadInput
from rostrum_core.ports import DEPTH, ParagraphStore
from rostrum_core.types import Answer, DocumentInfo, Paragraph, Recommendation

Order = Literal["fit", "newest", "oldest"]
Matching = Literal["all", "some", "nearest"]
MOST_FACETS: Final = 30
MOST_COMPARED: Final = 20_000
"""Number of documents whose names and titles are compared with a misspelt word."""

MOST_SUGGESTED: Final = 3
CLOSE: Final = 0.75
"""Minimum similarity of a suggested word, on the scale of `difflib`."""

LEAST_LETTERS: Final = 4
TAIL: Final = 10
"""If one of the last tenth of the candidates has every word, the archive may have more results."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Hold a paragraph of the results, and the ranges of its words that match the query.

    The ranges are half-open, in code points of the paragraph's text.
    """

    rank: int
    paragraph: Paragraph
    document: DocumentInfo
    ranges: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class FacetCount:
    """Hold a value of a facet, such as the year "1962", and the number of result paragraphs that have this
    value.
    """

    value: str
    paragraphs: int


@dataclass(frozen=True, slots=True)
class SearchFacets:
    """Hold how many of all results each speaker, collection, language and year has, most frequent first."""

    speakers: tuple[FacetCount, ...]
    collections: tuple[FacetCount, ...]
    languages: tuple[FacetCount, ...]
    years: tuple[FacetCount, ...]


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """Hold a word of a query that no paragraph of the archive has, and similar words of names and titles."""

    word: str
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Hold a page of results, the number of all results as `total`, and the facet counts of all results.

    `matching` says how the results match the query: by all words and phrases, by some of them, or by meaning
    only. `is_cut` is true if the archive may have more results than were examined. `unknown` are words of the
    query that the archive lacks. `degraded` has the stages of the search that were skipped, with reasons.
    """

    hits: tuple[SearchHit, ...]
    total: int
    is_cut: bool
    matching: Matching
    facets: SearchFacets
    unknown: tuple[UnknownWord, ...]
    degraded: tuple[str, ...]
    generation: str | None


def search_words(
    query: str,
    first_stage: Callable[[int], Answer],
    store: ParagraphStore,
    *,
    order: Order = "fit",
    offset: int = 0,
    limit: int = 20,
) -> SearchPage:
    """Return a page of the paragraphs that match `query`: `limit` results from index `offset`.

    `first_stage` is called with a number n, and returns at most n paragraphs of the archive that may match.
    If the results are ordered by date, paragraphs without a date come last.

    Raises:
        BadInput: the query has no word.
        StoreError: the archive cannot be searched.
    """
    terms = read_terms(query)
    if terms.is_empty:
        raise BadInput("type a word to search for", field="q")
    answer = first_stage(DEPTH)
    matches = [(one, match_terms(one.paragraph.text, terms)) for one in answer.recommendations]
    matching, results = choose_results(matches, terms)
    ordered = sort_results(results, order)
    return SearchPage(
        tuple(
            SearchHit(rank, one.paragraph, one.document, match.ranges)
            for rank, (one, match) in enumerate(ordered[offset : offset + limit], offset + 1)
        ),
        len(ordered),
        has_more(matches, terms),
        matching,
        count_facets([one for one, _ in results]),
        () if matching == "all" else find_unknown(terms, store),
        list_skipped(answer),
        answer.generation,
    )


def choose_results(
    matches: Sequence[tuple[Recommendation, Match]], terms: SearchTerms
) -> tuple[Matching, list[tuple[Recommendation, Match]]]:
    """Choose the results of a search among the examined paragraphs; return (how they match, results).

    The results are the paragraphs that have all words and phrases of the query ("all"). If there are none,
    they are the paragraphs that have some of these words ("some"). If there are none either, they are all
    examined paragraphs, ordered by meaning ("nearest").
    """
    whole = [pair for pair in matches if pair[1].is_whole(terms)]
    if whole:
        return "all", whole
    partial = [pair for pair in matches if pair[1].ranges]
    most = max((len(match.stems) for _, match in partial), default=0)
    if partial:
        return "some", sorted(partial, key=lambda pair: most - len(pair[1].stems))
    return "nearest", list(matches)


def has_more(matches: Sequence[tuple[Recommendation, Match]], terms: SearchTerms) -> bool:
    """Return whether the archive may have more results than were examined.

    This is so if as many paragraphs as possible (`DEPTH`) were examined, and one of the last of them has all
    words and phrases of the query. If the query has stop words only, such as "it is", the paragraphs examined
    were not found by its words, so any other paragraph may have them.
    """
    if len(matches) < DEPTH:
        return False
    return terms.has_stop_words_only or any(m.is_whole(terms) for _, m in matches[-DEPTH // TAIL :])


def sort_results(
    results: Sequence[tuple[Recommendation, Match]], order: Order
) -> list[tuple[Recommendation, Match]]:
    """Sort results by how well they match ("fit"), or by date ("newest" or "oldest" first).

    Results of the same day, and results without a date, stay sorted by how well they match. Results without a
    date come last.
    """
    if order == "fit":
        return list(results)
    dated = [pair for pair in results if pair[0].document.spoken_on]
    undated = [pair for pair in results if not pair[0].document.spoken_on]
    dated.sort(key=lambda pair: get_first_day(pair[0].document.spoken_on or ""), reverse=order == "newest")
    return dated + undated


def count_facets(results: Iterable[Recommendation]) -> SearchFacets:
    """Count how many results each speaker, collection, language and year has."""
    speakers, collections, languages, years = (Counter[str]() for _ in range(4))
    for one in results:
        document = one.document
        speakers.update(filter(None, [document.find_holder(one.paragraph)]))
        collections.update(filter(None, [document.collection]))
        languages.update(filter(None, [document.language]))
        years.update(filter(None, [(document.spoken_on or "")[:4]]))
    return SearchFacets(*map(_order_facets, (speakers, collections, languages, years)))


def find_unknown(terms: SearchTerms, store: ParagraphStore) -> tuple[UnknownWord, ...]:
    """Return the words of a query that no paragraph of the archive has, each with similar words.

    The similar words are from the archive's names and titles. Stop words, such as "the", are not returned.

    Raises:
        StoreError: the archive cannot be read.
    """
    words = [word for _, word in terms.written] + [word for phrase in terms.phrases for word in phrase]
    words = list(dict.fromkeys(words))
    counts = store.document_frequency(words)
    missing = [word for word, count in zip(words, counts, strict=True) if not count and is_indexed(word)]
    if not missing:
        return ()
    vocabulary = _read_vocabulary(store)
    return tuple(UnknownWord(word, _suggest(word, vocabulary)) for word in missing)


def is_indexed(word: str) -> bool:
    """Return whether the archive indexes a word; it indexes all words except stop words, such as "the".

    >>> is_indexed("the"), is_indexed("moon")
    (False, True)
    """
    return bool(read_terms(word).stems)


def _suggest(word: str, vocabulary: dict[str, str]) -> tuple[str, ...]:
    folded = fold_word(word)
    others = [name for name in vocabulary if name != folded]
    close = get_close_matches(folded, others, n=MOST_SUGGESTED, cutoff=CLOSE)
    return tuple(vocabulary[name] for name in close)


def _read_vocabulary(store: ParagraphStore) -> dict[str, str]:
    """Return words of names and titles for suggestions: {"obrien": "O’Brien"}.

    The keys are the words in lower case and without apostrophes (see `fold_word`), the values the words as
    spelled. Words of fewer than `LEAST_LETTERS` characters are left out.
    """
    words: dict[str, str] = {}
    for info in islice(store.documents(), MOST_COMPARED):
        for text in (info.title, *info.speakers):
            for match in compile_word().finditer(text):
                if len(match[0]) >= LEAST_LETTERS:
                    words.setdefault(fold_word(match[0]), match[0])
    return words


def _order_facets(counts: Counter[str]) -> tuple[FacetCount, ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(FacetCount(value, number) for value, number in ordered[:MOST_FACETS])
