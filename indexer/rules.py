"""Load the rules in TOML files that recognise boilerplate: text of a transcript that is not speech.

A rule has a pattern for lines such as "Page 7" or "For immediate release". Patterns use RE2, whose running
time is linear in the length of the text, so that no rule can hang on a long line. Source:
https://github.com/google/re2/wiki/Syntax
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import re2

from indexer.metadata import Metadata
from rostrum_core.errors import BadInput

Where = Literal["head", "foot", "line", "within", "page", "beside-page"]
WITH_LINES, LINES = ("head", "foot"), 8
PAGE = "(?P<page>"
SCOPES = ("collection", "source", "url", "kind")
OPTIONS = re2.Options()
OPTIONS.log_errors = False  # report a broken pattern as our error, not in the library's log


@dataclass(frozen=True)
class Rule:
    """Define boilerplate by a regular expression, `pattern`, and by the places `where` it is sought.

    The pattern must match a whole line, except with the place "within". The places are:

    - "line": any line
    - "within": any part of a line
    - "head", "foot": the first or the last `lines` non-blank lines of a document, 8 by default; if `above`
      is set, the head ends before the first line that matches `above`
    - "page": page numbers, which are lines with ascending numbers in the pattern's group `page`
    - "beside-page": running heads, which are lines next to page numbers

    `collection`, `source`, `url` and `kind` are patterns that the document's metadata must match.
    """

    name: str
    where: Where
    pattern: str
    lines: int | None = None
    above: str | None = None
    collection: str | None = None
    source: str | None = None
    url: str | None = None
    kind: str | None = None

    def __post_init__(self) -> None:
        if self.where not in get_args(Where):
            raise ValueError(f"where is one of {', '.join(get_args(Where))}, not {self.where!r}")
        if self.lines is not None and self.where not in WITH_LINES:
            raise ValueError(f"only a rule for {' or '.join(WITH_LINES)} has lines")
        if self.depth < 1:
            raise ValueError(f"lines is at least 1, not {self.lines}")
        if (self.where == "page") != (PAGE in self.pattern):
            raise ValueError(f"a rule for a page, and no other, has a group {PAGE}...)")
        if self.where == "page" and rf"{PAGE}\d" not in self.pattern:
            raise ValueError(rf"the group of a page is a number: {PAGE}\d+)")
        if self.above is not None and self.where != "head":
            raise ValueError("only a rule for the head has above")
        for pattern in filter(None, (self.pattern, self.above, *map(self._get_scope, SCOPES))):
            _compile(pattern)

    def is_applicable(self, metadata: Metadata, kind: str) -> bool:
        """Return whether the rule applies to a document with this metadata and this `kind` of file."""
        values = {
            "kind": kind,
            "collection": metadata.collection,
            "source": metadata.source,
            "url": metadata.url,
        }
        scoped = ((values[scope], self._get_scope(scope)) for scope in SCOPES)
        return all(_compile(wanted).search(value or "") for value, wanted in scoped if wanted is not None)

    @property
    def depth(self) -> int:
        """Return how many lines the rule examines at the start ("head") or end ("foot") of a document."""
        return LINES if self.lines is None else self.lines

    @cached_property
    def matcher(self) -> Any:
        """Return the compiled `pattern` of the rule."""
        return _compile(self.pattern)

    @cached_property
    def limit(self) -> Any:
        """Return the pattern `above`, compiled; `None` if it is not set.

        The head of a document ends before the first line that matches the pattern.
        """
        return None if self.above is None else _compile(self.above)

    def _get_scope(self, name: str) -> str | None:
        value: str | None = getattr(self, name)
        return value


TYPES = {field.name: int if field.name == "lines" else str for field in fields(Rule)}


def read_rules(paths: Sequence[Path]) -> tuple[Rule, ...]:
    """Read the boilerplate rules in all files; a rule replaces an earlier one of the same name.

    The key `off` of a file names rules of earlier files to disable. Without files there are no rules.

    Raises:
        BadInput: a file cannot be read, is not TOML, or holds an invalid rule.
    """
    rules: dict[str, Rule] = {}
    for path in paths:
        values = _read(path)
        for name in _read_disabled(values, path):
            if rules.pop(name, None) is None:
                raise BadInput(f"{path}: there is no rule {str(name)[:60]!r} to put off", field="rules")
        rules.update((rule.name, rule) for rule in _parse_rules(values, path))
    return tuple(rules.values())


def combine_patterns(rules: Sequence[Rule]) -> Any:
    """Combine the patterns of several rules into one pattern, which matches the same lines as any of them.

    Without rules, the result matches nothing.
    """
    patterns = (f"(?:{rule.pattern.replace(PAGE, '(?:')})" for rule in rules)
    return _compile("|".join(patterns) or r"[^\s\S]")


def _read(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"rules {path}: {reason}", field="rules") from error
    unknown = sorted(values.keys() - {"rule", "off"})
    if unknown or not isinstance(values.get("rule", []), list):
        raise BadInput(f"{path}: expected [[rule]] and off, found {unknown or 'rule'}", field="rules")
    return values


def _read_disabled(values: Mapping[str, Any], path: Path) -> list[Any]:
    names = values.get("off", [])
    if not isinstance(names, list):
        raise BadInput(f"{path}: off is a list of names", field="rules")
    return names


def _parse_rules(values: Mapping[str, Any], path: Path) -> Iterator[Rule]:
    for number, entry in enumerate(values.get("rule", []), start=1):
        try:
            yield _parse_rule(entry)
        except ValueError as error:
            raise BadInput(f"{path}, rule {number}: {error}", field="rules") from error


def _parse_rule(entry: Any) -> Rule:
    if not isinstance(entry, dict):
        raise ValueError("expected name, where and pattern")
    for name in ("name", "where", "pattern"):
        if name not in entry:
            raise ValueError(f"{name} is missing")
    for name, value in entry.items():
        if name not in TYPES:
            raise ValueError(f"{name!r} is unknown; there are {', '.join(TYPES)}")
        if type(value) is not TYPES[name]:
            raise ValueError(f"{name} is not a {'number' if TYPES[name] is int else 'text'}")
    return Rule(**entry)


def _compile(pattern: str) -> Any:
    try:
        return re2.compile(pattern, OPTIONS)
    except (re2.error, UnicodeError) as error:
        reason = error.args[0] if error.args else error
        message = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise ValueError(f"{pattern[:60]!r} is not a pattern of RE2: {message}") from error
