"""Build and validate the filters by which users limit a search, before anything is searched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from itertools import islice

from indexer.characters import normalise_line
from indexer.language_tags import shorten_tag
from rostrum_core.dates import get_first_day, get_last_day
from rostrum_core.errors import BadInput
from rostrum_core.names import find_similar, match_names
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import DocumentInfo, Filter

MOST_COMPARED = 10_000
"""Number of ids that an unknown id is compared with: half a second of work."""

MOST_SUGGESTED = 3


def read_filter(
    *,
    documents: Sequence[str] = (),
    speakers: Sequence[str] = (),
    collections: Sequence[str] = (),
    languages: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
) -> Filter:
    """Build the filter that limits a search, from a user's values.

    `since` and `until` are days, months or years. Names are normalised like those of speeches: Unicode form
    and spaces. A language tag is reduced to its language: "en-US" -> "en".

    >>> read_filter(since="1962", until="1962-02").until
    '1962-02-28'

    Raises:
        BadInput: a date is invalid, `since` is after `until`, or a name or id is empty.
    """
    first = None if since is None else get_first_day(since, "since")
    last = None if until is None else get_last_day(until, "until")
    if first and last and first > last:
        raise BadInput(f"no day is since {first} and until {last}", field="since")
    spoken = tuple(map(shorten_tag, _clean_names(languages, "languages")))
    return Filter(
        _check_ids(documents),
        _clean_names(speakers, "speakers"),
        _clean_names(collections, "collections"),
        spoken,
        first,
        last,
    )


def _check_ids(ids: Sequence[str]) -> tuple[str, ...]:
    """Return document ids unchanged, after checking that no id is empty.

    Ids are not normalised, because a normalised id might be the id of another document.

    Raises:
        BadInput: an id is empty.
    """
    if not all(ids):
        raise BadInput("it is empty", field="documents")
    return tuple(ids)


def _clean_names(raw: Sequence[str], field: str) -> tuple[str, ...]:
    names = tuple(map(normalise_line, raw))
    if not all(names):
        raise BadInput("it is empty", field=field)
    return names


def is_selected(info: DocumentInfo, filter: Filter) -> bool:
    """Return whether paragraphs of a document can pass a filter, by the same rules as in a search of the
    archive.

    >>> speech = DocumentInfo("g", "Address", spoken_on="1863-11-19", speakers=("Abraham Lincoln",))
    >>> is_selected(speech, Filter(speakers=("LINCOLN",), since="1863-11-19"))
    True
    >>> is_selected(speech, Filter(collections=("speeches",)))
    False
    """
    is_named = (
        _is_among(info.id, filter.documents)
        and (not filter.speakers or bool(match_names(info.speakers, filter.speakers)))
        and _is_among(info.collection, filter.collections)
        and _is_among(info.language, filter.languages)
    )
    return is_named and _is_within(info.spoken_on, filter.since, filter.until)


def _is_among(value: str | None, wanted: Collection[str]) -> bool:
    return not wanted or value in wanted


def _is_within(spoken_on: str | None, since: str | None, until: str | None) -> bool:
    """Return whether a date lies between `since` and `until`, inclusive.

    If the date is only a month or a year, all its days must lie between them. An unknown date passes only if
    `since` and `until` are both `None`.
    """
    if spoken_on is None:
        return since is None and until is None
    return (since is None or since <= get_first_day(spoken_on)) and (
        until is None or get_last_day(spoken_on) <= until
    )


def check_known(store: ParagraphStore, filter: Filter) -> None:
    """Check that the archive has every document that a filter names.

    Raises:
        BadInput: some documents are missing; the message names the first one and the number of the others.
    """
    ids = filter.documents
    unknown = sorted(set(ids) - {document.id for document in store.documents(ids)}) if ids else []
    if unknown:
        more = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise BadInput(f"no document {unknown[0]!r} in the archive{more}", field="documents")


def suggest(document_id: str, store: ParagraphStore) -> str:
    """Return the end of an error message that suggests ids similar to an unknown one: "; did you mean 'a'?".

    If the archive has no similar id, return "".
    """
    ids = [document.id for document in islice(store.documents(), MOST_COMPARED)]
    similar_ids = get_close_matches(document_id, ids, n=MOST_SUGGESTED)
    return f"; did you mean {', '.join(map(repr, similar_ids))}?" if similar_ids else ""


def check_speakers(infos: Iterable[DocumentInfo], filter: Filter) -> None:
    """Raise BadInput if a filter names speakers and none of the archive's speakers matches them.

    `infos` are the metadata of the archive's documents. The message suggests similar names.
    """
    names = sorted({name for info in infos for name in info.speakers})
    if filter.speakers and not match_names(names, filter.speakers):
        wanted = filter.speakers[0]
        suggestions = ", ".join(map(repr, find_similar(names, wanted)))
        advice = f"; did you mean {suggestions}?" if suggestions else ""
        raise BadInput(f"nobody called {wanted!r} speaks in the archive{advice}", field="filter.speakers")
