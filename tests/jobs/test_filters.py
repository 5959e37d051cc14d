"""A filter means the same in a listing as in a search."""

from collections.abc import Callable
from pathlib import Path

import pytest

from embedded.store import EmbeddedStore
from jobs.filters import check_speakers, is_selected
from rostrum_core.errors import BadInput
from rostrum_core.ports import Entry, Query
from rostrum_core.types import Filter

KNOWN = {
    "a": {"speaker": "Jane Roe", "spoken_on": "1965-03-04", "collection": "Town", "language": "en"},
    "b": {"speaker": "JANE ROE", "spoken_on": "1965-03-05", "collection": "town"},
    "c": {"speaker": "Jane Roe the younger", "language": "de"},
    "d": {"spoken_on": "0987-12-31"},
}


@pytest.fixture
def store(tmp_path: Path, entry: Callable[..., Entry], publish: Callable[..., str]) -> EmbeddedStore:
    store = EmbeddedStore(tmp_path / "archive")
    debate = entry("e", ["one", "two", "three"], speaker="Ann Lee", turns=("MS. ROE", "José Peña", ""))
    publish(store, debate, *(entry(name, [f"we speak of {name}"], **known) for name, known in KNOWN.items()))
    return store


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        (Filter(), "abcde"),
        (Filter(documents=("a", "d", "none")), "ad"),
        (Filter(speakers=("jane roe",)), "abc"),
        (Filter(speakers=("Roe",)), "abce"),
        (Filter(speakers=("roe younger",)), "c"),
        (Filter(speakers=("Peña",)), "e"),
        (Filter(speakers=("Ann",)), ""),
        (Filter(speakers=("Nobody", "PENA")), "e"),
        (Filter(collections=("town",)), "b"),
        (Filter(languages=("en", "de")), "ac"),
        (Filter(since="1965-03-05"), "b"),
        (Filter(until="1965-03-04"), "ad"),
        (Filter(speakers=("Roe", "Pena"), documents=("e", "b")), "be"),
        (Filter(speakers=("Jane Roe",), since="1965-03-04", until="1965-03-04"), "a"),
    ],
)
def test_what_passes_is_what_a_search_finds(store: EmbeddedStore, filter: Filter, expected: str) -> None:
    found = store.search(Query("", "", None, filter, every=True))
    assert "".join(sorted({each.paragraph.document_id for each in found})) == expected
    assert "".join(info.id for info in store.documents() if is_selected(info, filter)) == expected


@pytest.mark.parametrize(
    ("wanted", "suggestions"),
    [
        ("Rowe", "; did you mean 'JANE ROE', 'Jane Roe', 'Jane Roe the younger', 'MS. ROE'?"),
        ("President Peña", "; did you mean 'José Peña'?"),
        ("Xerxes", ""),
    ],
)
def test_a_name_that_nobody_has_is_rejected_with_those_that_may_be_meant(
    store: EmbeddedStore, wanted: str, suggestions: str
) -> None:
    with pytest.raises(BadInput) as caught:
        check_speakers(store.documents(), Filter(speakers=(wanted,)))
    assert str(caught.value) == f"nobody called {wanted!r} speaks in the archive{suggestions}"
    check_speakers(store.documents(), Filter(speakers=("roe",)))
