"""Read the metadata of a web page from JSON-LD, else from `meta` elements, else from `h1` and `time`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup, Tag

from indexer.characters import normalise_line
from indexer.dates import find_day
from indexer.heads import read_dateline
from indexer.metadata import LONGEST_VALUE, Metadata, is_web_address
from rostrum_core.names import join_people

# Names and properties of `meta` elements for each field, best first.
META: dict[str, tuple[str, ...]] = {
    "title": ("og:title", "dc.title", "twitter:title"),
    "speaker": ("speaker",),
    "spoken_on": ("date", "dc.date", "article:published_time", "pubdate"),
    "source": ("og:site_name", "dc.publisher"),
    "url": ("og:url",),
    "collection": ("article:section",),
    "language": ("dc.language",),
}


def read_metadata(page: BeautifulSoup) -> Metadata:
    """Return the metadata of the page; ignore invalid values, which are common on pages."""
    return _read_json(page).fill_from(_read_meta(page)).fill_from(_read_elements(page))


def _read_json(page: BeautifulSoup) -> Metadata:
    metadata = Metadata()
    for script in page.find_all("script", type="application/ld+json"):
        try:
            value = json.loads(script.get_text())
        except (ValueError, RecursionError):
            continue  # a page with broken JSON may still hold a speech
        for item in _list_items(value):
            metadata = metadata.fill_from(_read_item(item))
    return metadata


def _list_items(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in a JSON-LD value: the value itself, or the items of a list.

    After each object, also yield the objects in its `@graph`.
    """
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield item
            graph = item.get("@graph")
            yield from (node for node in graph if isinstance(node, dict)) if isinstance(graph, list) else ()


def _read_item(item: dict[str, Any]) -> Metadata:
    """Read the metadata of a JSON-LD object that has a headline.

    Such an object describes a text. Objects without a headline describe a site or a publisher, and are
    ignored. The author is not used as speaker: the author wrote the page, but need not have spoken.
    """
    if not isinstance(item.get("headline"), str):
        return Metadata()
    return Metadata(
        title=_get_line(item["headline"]),
        spoken_on=find_day(str(item.get("datePublished", ""))),
        source=_get_name(item.get("publisher")),
        url=_get_address(item.get("url")),
        language=_get_line(item.get("inLanguage")),
    )


def _read_meta(page: BeautifulSoup) -> Metadata:
    said: dict[str, str] = {}
    for tag in page.find_all("meta"):
        name, content = tag.get("name") or tag.get("property"), tag.get("content")
        if isinstance(name, str) and isinstance(content, str):
            said.setdefault(name.lower(), content)
    values = {
        field: next((said[name] for name in names if name in said), None) for field, names in META.items()
    }
    lines = {field: _get_line(value) for field, value in values.items()}
    return Metadata(
        **lines | {"spoken_on": find_day(lines["spoken_on"] or ""), "url": _get_address(values["url"])}
    )


def _read_elements(page: BeautifulSoup) -> Metadata:
    times = (
        find_day(f"{time.get('datetime', '')} {time.get_text()}") for time in page.find_all("time", limit=20)
    )
    titles = [text for name in ("title", "h1") if (text := _get_text(page.select_one(name)))]
    canonical = page.select_one('link[rel="canonical"]')
    return Metadata(
        title=_get_text(page.select_one("h1")) or _get_text(page.select_one("title")),
        spoken_on=next(filter(None, (*times, *map(read_dateline, titles))), None),
        url=_get_address(canonical.get("href") if canonical else None),
        language=_get_line(page.html.get("lang") if page.html else None),
    )


def _get_text(tag: Tag | None) -> str | None:
    return _get_line(tag.get_text(" ")) if tag else None


def _get_name(value: Any) -> str | None:
    """Return the name of a person or organisation in JSON-LD.

    There it is a string, an object with a `name`, or a list of these.
    """
    if isinstance(value, list):
        names = (_get_name(entry) for entry in value[:10] if not isinstance(entry, list))
        return _get_line(join_people([name for name in names if name]))
    return _get_line(value.get("name") if isinstance(value, dict) else value)


def _get_address(value: Any) -> str | None:
    line = _get_line(value)
    return line if line and line.startswith("http") and is_web_address(line) else None


def _get_line(value: Any) -> str | None:
    text = normalise_line(value) if isinstance(value, str) else ""
    return text if 0 < len(text) <= LONGEST_VALUE else None
