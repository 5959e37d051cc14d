"""`/search`: the page Search. Every search is a URL, so that it can be saved and sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import Response

from archive.service import Service
from indexer.characters import normalise
from jobs.attribution import make_attribution
from jobs.search.job import FacetCount, SearchHit, SearchPage
from jobs.search.terms import compile_word, fold_word
from rostrum.api.edge.auth import READ
from rostrum.api.page.facet_cache import read_facets
from rostrum.api.page.links import link_place, link_recording, link_words
from rostrum.api.page.rendering import render
from rostrum.api.page.search_fields import SearchFields, read_search_fields
from rostrum.api.routes.dependencies import Assembled, ReadingPlace
from rostrum.api.routes.search_words import SHOWN, find_page
from rostrum_core.errors import BadInput
from rostrum_core.names import find_similar, match_names

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class FacetLink:
    """Hold a value of a facet, such as a speaker's name, with its count and a link.

    The link adds the value to the filter of the search, or removes it if the filter has it already.
    """

    value: str
    count: int
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FacetGroup:
    """Hold the links that narrow a search by one facet; `name` is its parameter in the address: "speaker"."""

    name: str
    links: Sequence[FacetLink]


@dataclass(frozen=True, slots=True)
class Piece:
    """Hold a piece of a paragraph's text, and whether the piece is marked as a match of the search."""

    text: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class ShownHit:
    """Hold a result of the search as the page shows it: rank, attribution, text in pieces, and links."""

    rank: int
    attribution: str
    pieces: Sequence[Piece]
    address: str
    source: str | None
    recording: str | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Hold another search to try, such as the same words without the filter.

    `address` is the link to the search. `kind` is the key of the link's text in `text.toml`, and `value` is
    inserted into this text, for example a word with its spelling corrected.
    """

    kind: str
    value: str
    address: str


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """Hold what a search found: results, facets, and suggestions of other searches.

    `problem` explains a mistake in the search, such as an invalid date; then there are no results.
    """

    hits: Sequence[ShownHit] = ()
    total: int = 0
    is_cut: bool = False
    matching: str = "all"
    facets: Sequence[FacetGroup] = ()
    suggestions: Sequence[Suggestion] = ()
    degraded: Sequence[str] = ()
    pages: int = 0
    problem: str | None = None


@router.get("/search", dependencies=[READ, ReadingPlace])
async def show_search(request: Request, assembly: Assembled) -> Response:
    """Show the form, and the results if there are words to search for."""
    fields = read_search_fields(request.query_params)
    facets = await run_in_threadpool(read_facets, assembly.service)
    results = await run_in_threadpool(_find, fields, assembly.service) if fields.q else None
    return render(request, "search.html", fields=fields, results=results, facets=facets)


def _find(fields: SearchFields, service: Service) -> SearchOutcome:
    try:
        page = find_page(fields.read_query(), service)
    except BadInput as error:
        names = [facet.value for facet in read_facets(service).speakers]
        return SearchOutcome(problem=str(error), suggestions=list(_suggest_speakers(fields, names)))
    return SearchOutcome(
        [_show_hit(hit) for hit in page.hits],
        page.total,
        page.is_cut,
        page.matching,
        _group_facets(page, fields),
        [] if page.matching == "all" else list(_suggest(page, fields)),
        page.degraded,
        -(-page.total // SHOWN),
    )


def _show_hit(hit: SearchHit) -> ShownHit:
    paragraph, document = hit.paragraph, hit.document
    start, end = (hit.ranges[0][0], hit.ranges[-1][1]) if hit.ranges else (0, 0)
    return ShownHit(
        hit.rank,
        make_attribution(document, paragraph.speaker, paragraph.start_s),
        cut_pieces(paragraph.text, hit.ranges),
        link_place(document.id, paragraph.ordinal, start, end),
        link_words(document.url, paragraph.text),
        link_recording(document, paragraph),
    )


def cut_pieces(text: str, ranges: Sequence[tuple[int, int]]) -> list[Piece]:
    """Split a text at ranges, and mark the pieces that lie inside the ranges.

    The ranges must be in order and must not overlap.

    >>> [(piece.text, piece.is_marked) for piece in cut_pieces("the moon", [(4, 8)])]
    [('the ', False), ('moon', True)]
    """
    pieces, position = list[Piece](), 0
    for start, end in ranges:
        pieces.append(Piece(text[position:start], False))
        pieces.append(Piece(text[start:end], True))
        position = end
    pieces.append(Piece(text[position:], False))
    return [piece for piece in pieces if piece.text]


def _group_facets(page: SearchPage, fields: SearchFields) -> list[FacetGroup]:
    counted = (
        ("speaker", page.facets.speakers),
        ("collection", page.facets.collections),
        ("language", page.facets.languages),
    )
    groups = [_group(name, counts, fields) for name, counts in counted]
    years = [
        FacetLink(
            year.value,
            year.paragraphs,
            fields.make_address(since="", until="")
            if fields.since == fields.until == year.value
            else fields.make_address(since=year.value, until=year.value),
            fields.since == fields.until == year.value,
        )
        for year in sorted(page.facets.years, key=lambda year: year.value, reverse=True)
    ]
    groups.insert(1, FacetGroup("year", years))
    return [group for group in groups if len(group.links) > 1 or any(link.is_chosen for link in group.links)]


def _group(name: str, counts: Sequence[FacetCount], fields: SearchFields) -> FacetGroup:
    chosen: tuple[str, ...] = getattr(fields, name)
    listed = [count.value for count in counts]
    absent = [
        FacetCount(value, _count_named(value, counts) if name == "speaker" else 0)
        for value in chosen
        if value not in listed
    ]
    links = [
        FacetLink(
            count.value, count.paragraphs, fields.make_toggled(name, count.value), count.value in chosen
        )
        for count in (*absent, *counts)
    ]
    return FacetGroup(name, links)


def _count_named(name: str, speakers: Sequence[FacetCount]) -> int:
    """Return the number of results by speakers whom a filter by `name`, perhaps a part of a name, admits.

    >>> _count_named("Kennedy", [FacetCount("John F. Kennedy", 3), FacetCount("Ann Roe", 2)])
    3
    """
    names = match_names([speaker.value for speaker in speakers], [name])
    return sum(speaker.paragraphs for speaker in speakers if speaker.value in names)


def _suggest(page: SearchPage, fields: SearchFields) -> list[Suggestion]:
    """Return other searches to try if no paragraph has all the words of this one.

    For example, try a word in another spelling, or search without quotation marks or without the filter.
    """
    corrected = [
        Suggestion("word", word, fields.make_address(q=replace_word(fields.q, unknown.word, word)))
        for unknown in page.unknown
        for word in unknown.suggestions
    ]
    suggestions = list(dict.fromkeys(corrected))
    plain = " ".join(fields.q.translate(str.maketrans("", "", '"“”„«»')).split())
    if plain != fields.q:
        suggestions.append(Suggestion("without_marks", plain, fields.make_address(q=plain)))
    if fields.has_filter:
        suggestions.append(Suggestion("without_filter", "", fields.cleared))
    return suggestions


def replace_word(query: str, word: str, correction: str) -> str:
    """Replace a word in a query wherever it is a whole word, ignoring case and apostrophes.

    >>> replace_word('"Kenedy" kenedys', "kenedy", "Kennedy")
    '"Kennedy" kenedys'
    """
    folded = fold_word(word)
    return compile_word().sub(
        lambda match: correction if fold_word(match[0]) == folded else match[0], normalise(query)
    )


def _suggest_speakers(fields: SearchFields, names: Sequence[str]) -> list[Suggestion]:
    similar = [name for wanted in fields.speaker for name in find_similar(names, wanted)]
    suggestions = [Suggestion("speaker", name, fields.make_address(speaker=(name,))) for name in similar]
    if fields.has_filter:
        suggestions.append(Suggestion("without_filter", "", fields.cleared))
    return suggestions
