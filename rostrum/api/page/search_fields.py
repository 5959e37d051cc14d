"""Parse the address of the page Search, and build the addresses that it links to."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final, get_args
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from jobs.search.job import Order
from rostrum.api.routes.drafts import LONGEST_DAY, LONGEST_NAME, LONGEST_QUERY
from rostrum.api.routes.search_words import SHOWN, WordsQuery
from rostrum_core.errors import BadInput

LISTS: Final = ("speaker", "collection", "language", "document")
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
MOST_VALUES: Final = 50
LAST_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class SearchFields:
    """Hold the fields of a search on the page Search; the URL of the search omits empty fields."""

    q: str = ""
    sort: Order = "fit"
    speaker: tuple[str, ...] = ()
    collection: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    document: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    page: int = 1

    @property
    def has_filter(self) -> bool:
        """Return whether a filter, such as a speaker or a date, narrows the search."""
        values = (self.speaker, self.collection, self.language, self.document, self.since, self.until)
        return any(values)

    def make_address(self, **changes: object) -> str:
        """Return the address of this search with some fields changed.

        The address leads to the first page, unless `page` is among the changes.
        """
        changed = replace(self, **({"page": 1} | changes))  # type: ignore[arg-type]
        return f"/search?{urlencode(_list_parameters(changed))}"

    def make_toggled(self, name: str, value: str) -> str:
        """Return the address of this search with a value, such as a speaker, added to its filter.

        If the filter already has the value, it is removed instead.
        """
        values: tuple[str, ...] = getattr(self, name)
        others = tuple(other for other in values if other != value)
        return self.make_address(**{name: others if len(others) < len(values) else (*values, value)})

    @property
    def cleared(self) -> str:
        """Return the address of a search for the same words without a filter."""
        return SearchFields(self.q, self.sort).make_address()

    @property
    def json_address(self) -> str:
        """Return the address at which programs get the results of this page as JSON."""
        rows = [(name, value) for name, value in _list_parameters(self) if name != "page"]
        return f"/v1/search/words?{urlencode([*rows, ('offset', str((self.page - 1) * SHOWN))])}"

    def read_query(self) -> WordsQuery:
        """Return the query that finds the results of this page of the search."""
        return WordsQuery(
            q=self.q,
            sort=self.sort,
            document=list(self.document),
            speaker=list(self.speaker),
            collection=list(self.collection),
            language=list(self.language),
            since=self.since or None,
            until=self.until or None,
            limit=SHOWN,
            offset=(self.page - 1) * SHOWN,
        )


def read_search_fields(parameters: QueryParams) -> SearchFields:
    """Read the fields of a search from the parameters of an address.

    Blank fields count as absent, and unknown parameters are ignored.

    >>> fields = read_search_fields(QueryParams("q=moon&speaker=&sort=newest&page=2"))
    >>> fields.make_address(page=3), fields.make_toggled("speaker", "Ann Roe")
    ('/search?q=moon&sort=newest&page=3', '/search?q=moon&sort=newest&speaker=Ann+Roe')

    Raises:
        BadInput: a field is too long, or has too many values.
    """
    lists = {name: _read_list(parameters, name) for name in LISTS}
    return SearchFields(
        q=_read_text(parameters, "q", LONGEST_QUERY),
        sort=next((order for order in ORDERS if order == parameters.get("sort")), "fit"),
        since=_read_text(parameters, "since", LONGEST_DAY),
        until=_read_text(parameters, "until", LONGEST_DAY),
        page=_read_page(parameters.get("page", "1")),
        **lists,
    )


def _read_text(parameters: QueryParams, name: str, longest: int) -> str:
    value = parameters.get(name, "").strip()
    if len(value) > longest:
        raise BadInput(f"at most {longest:,} characters are read", field=name)
    return value


def _read_list(parameters: QueryParams, name: str) -> tuple[str, ...]:
    values = [value for value in parameters.getlist(name) if value.strip()]
    if len(values) > MOST_VALUES or any(len(value) > LONGEST_NAME for value in values):
        raise BadInput("too many values, or too long ones", field=name)
    return tuple(dict.fromkeys(values))


def _read_page(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 1
    return max(1, min(LAST_PAGE, number))


def _list_parameters(search: SearchFields) -> list[tuple[str, str]]:
    """Return the parameters of a search's address: pairs (name, value), without fields at their defaults."""
    rows: list[tuple[str, str]] = []
    for field in fields(SearchFields):
        value = getattr(search, field.name)
        if isinstance(value, tuple):
            rows += [(field.name, member) for member in value]
        elif value != field.default:
            rows.append((field.name, str(value)))
    return rows
