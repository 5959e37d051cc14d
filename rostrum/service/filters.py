"""Filters as people give them, checked before anything is searched."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.characters import one_line
from indexer.language_tags import language_alone
from rostrum.core.dates import first_day, last_day
from rostrum.core.errors import BadInput
from rostrum.core.ports import ParagraphStore
from rostrum.core.types import Filter


def read_filter(
    *,
    documents: Sequence[str] = (),
    speakers: Sequence[str] = (),
    collections: Sequence[str] = (),
    languages: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
) -> Filter:
    """The filter these make; `since` and `until` are days, months or years.

    Names are read as those of speeches are: in one form of each character, with plain spaces; of a language's
    tag the language alone.

    >>> read_filter(since="1962", until="1962-02").until
    '1962-02-28'

    Raises:
        BadInput: a date is none, no day lies between the two, or a name is empty.
    """
    first = None if since is None else first_day(since, "since")
    last = None if until is None else last_day(until, "until")
    if first and last and first > last:
        raise BadInput(f"no day is since {first} and until {last}", field="since")
    spoken = tuple(map(language_alone, _names(languages, "languages")))
    return Filter(
        _names(documents, "documents"),
        _names(speakers, "speakers"),
        _names(collections, "collections"),
        spoken,
        first,
        last,
    )


def _names(told: Sequence[str], field: str) -> tuple[str, ...]:
    found = tuple(map(one_line, told))
    if not all(found):
        raise BadInput("it is empty", field=field)
    return found


def check_known(store: ParagraphStore, filter: Filter) -> None:
    """Nothing, where all documents of the filter are in the archive.

    Raises:
        BadInput: one is not.
    """
    ids = filter.documents
    unknown = set(ids) - {document.id for document in store.documents(ids)} if ids else set()
    for name in sorted(unknown):
        raise BadInput(f"no document {name!r} in the archive", field="documents")
