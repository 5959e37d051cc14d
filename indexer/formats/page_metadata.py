"""Read the metadata of a web page: JSON-LD, then `meta` elements, then its first heading and `time`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup, Tag

from indexer.characters import normalise_line
from indexer.dates import find_day
from indexer.heads import read_dateline
from indexer.metadata import LONGEST_VALUE, Metadata, is_web_address

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


def said_by(page: BeautifulSoup) -> Metadata:
    """Return the metadata of the page; ignore invalid values, which are common on pages."""
    return _from_json(page).fill_from(_from_meta(page)).fill_from(_from_elements(page))


def _from_json(page: BeautifulSoup) -> Metadata:
    found = Metadata()
    for script in page.find_all("script", type="application/ld+json"):
        try:
            held = json.loads(script.get_text())
        except (ValueError, RecursionError):
            continue  # a page with broken JSON may still hold a speech
        for item in _items(held):
            found = found.fill_from(_from_item(item))
    return found


def _items(held: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-LD value: the value itself, those of a list, those of its graph."""
    for item in held if isinstance(held, list) else [held]:
        if isinstance(item, dict):
            yield item
            graph = item.get("@graph")
            yield from (node for node in graph if isinstance(node, dict)) if isinstance(graph, list) else ()


def _from_item(item: dict[str, Any]) -> Metadata:
    """Read the metadata of a text with a headline; the object of a site or a publisher has no headline.

    The author wrote the page and need not have spoken.
    """
    if not isinstance(item.get("headline"), str):
        return Metadata()
    return Metadata(
        title=_line(item["headline"]),
        spoken_on=find_day(str(item.get("datePublished", ""))),
        source=_name(item.get("publisher")),
        url=_address(item.get("url")),
        language=_line(item.get("inLanguage")),
    )


def _from_meta(page: BeautifulSoup) -> Metadata:
    said: dict[str, str] = {}
    for tag in page.find_all("meta"):
        name, content = tag.get("name") or tag.get("property"), tag.get("content")
        if isinstance(name, str) and isinstance(content, str):
            said.setdefault(name.lower(), content)
    values = {
        field: next((said[name] for name in names if name in said), None) for field, names in META.items()
    }
    lines = {field: _line(value) for field, value in values.items()}
    return Metadata(
        **lines | {"spoken_on": find_day(lines["spoken_on"] or ""), "url": _address(values["url"])}
    )


def _from_elements(page: BeautifulSoup) -> Metadata:
    times = (
        find_day(f"{time.get('datetime', '')} {time.get_text()}") for time in page.find_all("time", limit=20)
    )
    titles = [text for name in ("title", "h1") if (text := _text(page.select_one(name)))]
    canonical = page.select_one('link[rel="canonical"]')
    return Metadata(
        title=_text(page.select_one("h1")) or _text(page.select_one("title")),
        spoken_on=next(filter(None, (*times, *map(read_dateline, titles))), None),
        url=_address(canonical.get("href") if canonical else None),
        language=_line(page.html.get("lang") if page.html else None),
    )


def _text(tag: Tag | None) -> str | None:
    return _line(tag.get_text(" ")) if tag else None


def _name(value: Any) -> str | None:
    """Return the name of a person or an organisation: in JSON-LD a text, an object or a list of them."""
    if isinstance(value, list):
        names = (_name(each) for each in value[:10] if not isinstance(each, list))
        return _line(", ".join(filter(None, names)))
    return _line(value.get("name") if isinstance(value, dict) else value)


def _address(value: Any) -> str | None:
    line = _line(value)
    return line if line and line.startswith("http") and is_web_address(line) else None


def _line(value: Any) -> str | None:
    text = normalise_line(value) if isinstance(value, str) else ""
    return text if 0 < len(text) <= LONGEST_VALUE else None
