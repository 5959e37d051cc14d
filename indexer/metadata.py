"""Read the metadata of a speech, and merge it from several sources.

The order of precedence is sidecar (a metadata file next to the transcript), front matter, the file's own
metadata, the file's name.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from itertools import islice
from types import MappingProxyType
from typing import Any

from indexer.characters import normalise_line
from indexer.dates import find_day_in_name, parse_date
from indexer.titles import capitalise_title
from rostrum_core.errors import BadInput, ReadingRemark
from rostrum_core.names import join_people

# Names that front matter, sidecars and rows use for each field; the first one present counts.
NAMES: dict[str, tuple[str, ...]] = {
    "title": ("title",),
    "speaker": ("speaker", "speaker_name", "speakers", "author", "authors"),
    "spoken_on": ("spoken_on", "date"),
    "source": ("source",),
    "url": ("url", "link"),
    "collection": ("collection", "kind"),
    "language": ("language", "lang"),
}
ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,8}\d{0,2});")
READ_NAMES = ("id", "text", "paragraphs", "document", *NAMES, "date")
"""Usual names that columns and fields with other names can be mapped to."""
NOT_RENAMED: Mapping[str, str] = MappingProxyType({})
LONGEST_VALUE = 2_000
OF_A_SPEECH = re.compile(r"(?:speech|speaker|talk|remarks|transcript|document)[\s_-]?([a-z]+)", re.IGNORECASE)
NOTHING = ("", "~", "null")
# Words that stand for a missing speaker in tables, in lower case, without brackets around them.
NOBODY = frozenset(
    {"", "-", "--", "\N{EN DASH}", "\N{EM DASH}", "?", "n/a", "n.a.", "none", "unknown", "unknown speaker"}
    | {"no speaker", "nospeaker", "multiple speakers", "various speakers"}
)
# Limits of keys compared with the names above: count, length and similarity. "titel" and
# "authors" are recognised; "subtitle" and "locale" are other names.
MOST_KEYS, LONGEST_KEY, NEARLY = 100, 20, 0.8
# Match titles that a program derived from a file's name or its own, and authors that it invented.
OF_A_PROGRAM = re.compile(
    r"^microsoft (?:word|powerpoint|excel)(?: - | document$|$)|^powerpoint presentation$"
    r"|^untitled(?:[ _-]?(?:\d+|document|presentation|page)(?:[ _-]?\d+)?)?$"
    r"|(?<=\S)\.(?:do[ct][xm]?|pptx?|pdf|indd|tex|rtf|odt|qxd|pages|wpd)"
    r"(?: ?[\[(][^\])]*[\])]| - google docs)?$"
    r"|^(?:(?:microsoft )?office |windows |authori[sz]ed )?user$|^(?:admin|administrator|python-docx)$",
    re.IGNORECASE,
)


def require_read_names(fields: Mapping[str, str]) -> dict[str, str]:
    """Check a mapping from field names in files to Rostrum's field names, and return it in lower case.

    Raises:
        BadInput: a value is not a field name that Rostrum reads, or a field name is empty.

    >>> require_read_names({"Body": "text"})
    {'body': 'text'}
    """
    lowered = {field.strip().lower(): name.strip().lower() for field, name in fields.items()}
    for field, name in lowered.items():
        if not field or name not in READ_NAMES:
            message = f"{field!r} cannot be read as {name!r}: a name is one of {', '.join(READ_NAMES)}"
            raise BadInput(message, field="fields")
    return lowered


def is_of_a_program(value: str) -> bool:
    """Return whether a title or author was invented by the program that wrote the file.

    >>> [is_of_a_program(title) for title in ("Letter.dotx [Compatibility Mode]", "Untitled 2")]
    [True, True]
    >>> [is_of_a_program(title) for title in ("Untitled: a life in art", "How we moved from .doc to .pdf")]
    [False, False]
    """
    return OF_A_PROGRAM.search(value) is not None


def is_nobody(speaker: str) -> bool:
    """Return whether a value in the place of a speaker's name says that the speaker is not known.

    >>> [is_nobody(speaker) for speaker in ("N/A", "[Unknown]", "Multiple Speakers", " ", "Jane Roe")]
    [True, True, True, True, False]
    """
    return normalise_line(speaker).strip("()[]<> ").lower() in NOBODY


@dataclass(frozen=True, slots=True)
class Metadata:
    """Hold the metadata of a `Document` from one source, such as front matter; a missing field is `None`."""

    title: str | None = None
    speaker: str | None = None
    spoken_on: str | None = None
    source: str | None = None
    url: str | None = None
    collection: str | None = None
    language: str | None = None

    def fill_from(self, other: Metadata) -> Metadata:
        """Return a copy of this metadata in which missing fields come from `other`.

        >>> Metadata(title="A").fill_from(Metadata(title="B", speaker="C"))  # doctest: +ELLIPSIS
        Metadata(title='A', speaker='C', ...)
        """
        return Metadata(*(_choose(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)))

    def drop_nobody(self) -> Metadata:
        """Return this metadata without its speaker if the speaker's name is a word such as "N/A".

        >>> Metadata(title="A", speaker="N/A").drop_nobody().speaker is None
        True
        """
        return replace(self, speaker=None) if self.speaker and is_nobody(self.speaker) else self


def read_mapping(values: Mapping[str, Any], remark: Callable[[str], None] = lambda reason: None) -> Metadata:
    """Read the metadata from the keys and values of a row, of front matter or of a sidecar (a metadata file).

    Each value is put on a single line. Unknown keys are ignored. `remark` is called with the reason for each
    value that is skipped.

    >>> read_mapping({"Date": "19 November 1863", "author": "Abraham Lincoln"}).spoken_on
    '1863-11-19'
    >>> read_mapping({"date": "March 2021", "author": {"name": "Jane Roe"}}).speaker
    'Jane Roe'
    """
    lowered = {str(key).lower(): value for key, value in values.items()}
    fields_read: dict[str, str | None] = {}
    for field, names in NAMES.items():
        try:
            fields_read[field] = READ.get(field, _keep)(_find_value(lowered, names))
        except ValueError as error:
            remark(f"{error}: left out")
            fields_read[field] = None
    return Metadata(**fields_read)


def find_misspelt(keys: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield pairs (key, name): a key that seems misspelt, and the name of the field that it resembles.

    Only the first 100 keys are examined. A field that another key names correctly is not suggested.

    >>> list(find_misspelt(["Speeker", "date", "dated", "venue"]))
    [('Speeker', 'speaker')]
    >>> list(find_misspelt(["Speech Date", "speech_title"]))
    [('Speech Date', 'date'), ('speech_title', 'title')]
    """
    names_used = [str(key) for key in islice(keys, MOST_KEYS)]
    named = {key.lower() for key in names_used}
    missing = [name for names in NAMES.values() if named.isdisjoint(names) for name in names]
    for key in names_used:
        if len(key) <= LONGEST_KEY:
            near = get_close_matches(key.lower(), missing, n=1, cutoff=NEARLY)
            last = OF_A_SPEECH.fullmatch(key)
            named_last = [name for name in missing if last and name == last[1].lower()]
            yield from ((key, name) for name in (near or named_last)[:1])


def find_doubts(keys: Iterable[Any], file: str, line: int | None = None) -> Iterator[ReadingRemark]:
    """Yield a remark for each key that seems misspelt.

    The keys are from front matter, a row or a metadata file. `file` and `line` name their place in remarks.
    """
    for key, meant in find_misspelt(keys):
        yield ReadingRemark(file, f"a field that may be misspelt: {key!r}, for {meant!r}", line=line)


def parse_name(stem: str) -> Metadata:
    """Read date and title from a file's name without suffix; the date may be anywhere in it.

    >>> parse_name("1863-11-19-gettysburg-address")  # doctest: +ELLIPSIS
    Metadata(title='Gettysburg Address', speaker=None, spoken_on='1863-11-19', ...)
    """
    spoken_on, rest = None, stem
    if dated := find_day_in_name(stem):
        spoken_on, (start, end) = dated
        rest = f"{stem[:start]} {stem[end:]}"
    title = normalise_line(re.sub(r"[-_]+", " ", rest)) or normalise_line(stem)
    return Metadata(title=capitalise_title(title), spoken_on=spoken_on)


def is_web_address(url: str) -> bool:
    """Return whether a page may link to an address: its scheme must be http, https or missing.

    >>> is_web_address("https://example.org/a"), is_web_address("javascript:alert(1)")
    (True, False)
    """
    return not re.match(r"[a-z][a-z0-9+.-]*:", url, re.IGNORECASE) or bool(re.match("https?://", url, re.I))


def _find_value(values: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    for name in names:
        if (text := _read_text(values.get(name), name)) is not None:
            return text
    return None


def _read_text(value: Any, name: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, dict) and "name" in value:  # a person in JSON-LD and static sites
        value = value["name"]
    if isinstance(value, list):
        value = _join(value, name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{name} is not a text")
    text = normalise_line(html.unescape(str(value)) if ENTITY.search(str(value)) else str(value))
    if len(text) > LONGEST_VALUE:
        raise ValueError(f"{name} has {len(text)} characters, more than {LONGEST_VALUE}")
    return None if text.lower() in NOTHING else text


def _join(values: list[Any], name: str) -> str:
    """Join a list of texts, or of persons with a name, into one line: "Jane Roe and Sam Doe".

    Raises:
        ValueError: the list contains something else, or is too long.
    """
    if len(values) > LONGEST_VALUE:
        raise ValueError(f"{name} is a list of {len(values)} values")
    parts = [part["name"] if isinstance(part, dict) and "name" in part else part for part in values]
    if not all(isinstance(part, str) for part in parts):
        raise ValueError(f"{name} is not a text")
    if sum(map(len, parts)) > LONGEST_VALUE:  # check before joining: aliases of YAML multiply the length
        raise ValueError(f"{name} has more than {LONGEST_VALUE} characters")
    return join_people(parts) if name in NAMES["speaker"] else ", ".join(parts)


def _keep(text: str | None) -> str | None:
    return text


def _read_date(text: str | None) -> str | None:
    return parse_date(text) if text else None


def _check_address(url: str | None) -> str | None:
    if url and not is_web_address(url):
        raise ValueError(f"url {url[:60]!r} is neither http nor https")
    return url


def _choose(value: str | None, other: str | None) -> str | None:
    return other if value is None else value


READ: dict[str, Callable[[str | None], str | None]] = {"spoken_on": _read_date, "url": _check_address}
