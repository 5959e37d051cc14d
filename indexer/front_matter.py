"""Parse the front matter of a text or Markdown file: the metadata at its beginning.

Front matter is YAML between dashes, TOML between `+++`, or `Key: value` lines.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

import yaml

from indexer.field_names import rename_fields
from indexer.metadata import NAMES, NOT_RENAMED, Metadata, find_doubts, find_misspelt, read_mapping
from indexer.vocabulary import ROLES
from rostrum_core.errors import ReadingRemark, TranscriptError

FENCED = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
LONGEST_HEAD = 1 << 16
PAIR = re.compile(
    rf"({'|'.join(name for names in NAMES.values() for name in names)}):[ \t]+(\S.*)", re.IGNORECASE
)

# Ignore these names in a head. No others: "Moderator: Good morning." is a turn of the speech.
OTHER = re.compile(
    "(?:audio|category|city|country|duration|event|format|id|keywords|location|occasion|office|party|place|role"
    r"|session|subject|tags|time|topic|type|venue|video):[ \t]+\S.*",
    re.IGNORECASE,
)
NAMED = re.compile(r"([A-Za-z][\w -]{0,40}):[ \t]+([^\s\[\]{}&*!|>'\"%@`#].*)")
BLANK = re.compile(r"\n[ \t]*\n")
SENTENCE = re.compile(r"\S\s+\S+[.!?…][\"”’]?\s*$")


Remark = Callable[[TranscriptError], None]


def split_front_matter(
    text: str, file: str, remark: Remark = lambda doubt: None, fields: Mapping[str, str] = NOT_RENAMED
) -> tuple[Metadata, str]:
    r"""Split a text into the metadata of its front matter and the rest.

    `Key: value` lines are front matter only if at least two of them come before a blank line, because a
    single "Speaker: Good morning." may be a turn of a dialogue. Up to half of the keys may be unknown.

    `remark` is called for each key that seems misspelt, and for each skipped value. `fields` maps the names
    of keys, in lower case, to the usual names: {"body": "text"}.

    >>> split_front_matter("---\ntitle: Inaugural\n---\nFellow citizens", "a.md")[1]
    'Fellow citizens'

    Raises:
        TranscriptError: there is front matter that cannot be parsed.
    """
    values: Any = None
    if (fenced := split_fenced(text)) is not None and _is_dialogue(fenced[0], fields):
        return Metadata(), text
    if fenced is not None:
        values = read_fenced(fenced[0], file)
    elif (fenced := _split_toml(text)) is not None:
        values = _read_toml(fenced[0], file)
    if fenced is not None and isinstance(values, dict):
        values = rename_fields({str(name): value for name, value in values.items()}, fields)
        return _read_metadata(values, values, file, remark), fenced[1]
    return _split_plain(text.lstrip("\n"), file, remark)


def split_fenced(text: str) -> tuple[str, str] | None:
    r"""Split a text into the YAML between dashes at its head and the rest; `None` without such a head.

    >>> split_fenced("\n---\ntitle: A\n---\nbody")
    ('title: A\n', 'body')
    """
    text = text.lstrip("\n")
    fenced = FENCED.match(text[:LONGEST_HEAD])
    return (fenced[1], text[fenced.end() :]) if fenced else None


def _is_dialogue(head: str, fields: Mapping[str, str]) -> bool:
    """Return whether the lines between two lines of dashes are turns of speakers instead of metadata.

    This is so if no key is known, all look like names (in capitals, of several words, recurring, or a role
    such as "Moderator"), and the value of one is a sentence: "JANE ROE: We came here." `fields` has further
    known keys, in lower case.
    """
    pairs = [line.partition(":") for line in head.split("\n") if ":" in line and not line[0].isspace()]
    names = [name for name, _, _ in pairs]
    keys = (key.lower() in fields or PAIR.match(f"{key}: x") or OTHER.match(f"{key}: x") for key in names)
    if any(keys) or any(True for _ in find_misspelt(names)):
        return False
    are_names = all(
        name.isupper() or " " in name.strip() or names.count(name) > 1 or name.lower() in ROLES
        for name in names
    )
    return are_names and any(SENTENCE.search(value) for _, _, value in pairs)


def _split_toml(text: str) -> tuple[str, str] | None:
    """Split a text into the TOML between `+++` lines at its head, as in Hugo, and the rest; `None` if there
    is none.
    """
    text = text.lstrip("\n")
    fenced = TOML.match(text[:LONGEST_HEAD])
    return (fenced[1], text[fenced.end() :]) if fenced else None


def _read_toml(head: str, file: str) -> dict[str, Any]:
    """Parse the TOML of front matter to a dict; convert dates to strings.

    Raises:
        TranscriptError: `head` is not TOML.
    """
    try:
        values = tomllib.loads(head)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TranscriptError(file, f"no TOML: {error}", line=1) from error
    return {name: str(value) if isinstance(value, date) else value for name, value in values.items()}


def read_fenced(head: str, file: str) -> Any:
    r"""Parse the lines between two lines of dashes as YAML, or else as one `Name: value` per line.

    `Name: value` allows a value with a colon, for which YAML would require quotes.

    >>> read_fenced("title: Remarks: a bridge\nspeaker: Jane Roe\n", "a.md")
    {'title': 'Remarks: a bridge', 'speaker': 'Jane Roe'}

    Raises:
        TranscriptError: the lines have neither form.
    """
    try:
        return read_yaml(head, file)
    except TranscriptError:
        lines = [NAMED.fullmatch(line.strip()) for line in head.split("\n") if line.strip()]
        values = {line[1].lower(): line[2] for line in lines if line}
        if len(values) < len(lines):
            raise
        return values


def read_yaml(text: str, file: str) -> Any:
    """Parse YAML, keeping every scalar as a string exactly as written, including dates and "No".

    Raises:
        TranscriptError: `text` is not YAML.
    """
    try:
        # BaseLoader builds text, lists and dicts only: it is as safe as SafeLoader, and "1:30" stays
        # "1:30".
        return yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or type(error).__name__
        raise TranscriptError(file, f"no YAML: {reason}", line=mark.line + 2 if mark else None) from error


def _split_plain(text: str, file: str, remark: Remark) -> tuple[Metadata, str]:
    blank = BLANK.search(text, 0, LONGEST_HEAD)
    if blank is None and len(text) > LONGEST_HEAD:
        return Metadata(), text
    head, body = (text[: blank.start()], text[blank.end() :]) if blank else (text, "")
    lines = [line.strip() for line in head.split("\n")]
    pairs_read = list(filter(None, map(PAIR.fullmatch, lines)))
    others = [line for line in lines if not PAIR.fullmatch(line)]
    pairs = {line[1].lower(): line[2] for line in pairs_read}
    names = [line.partition(":")[0] for line in lines]
    unsure = {f"{name}:" for name, _ in find_misspelt(names)}
    if len(pairs) < 2 or len(others) > len(pairs_read):
        return Metadata(), text
    if not all(OTHER.fullmatch(line) or line.startswith(tuple(unsure)) for line in others):
        return Metadata(), text
    return _read_metadata(pairs, names, file, remark), body


def _read_metadata(values: dict[str, Any], names: Iterable[Any], file: str, remark: Remark) -> Metadata:
    """Read metadata from front matter, given as `values`: a dict from key to value.

    `names` are the keys of all lines, also of those that were not parsed as `Key: value`. `remark` is called
    for each name that seems misspelt, and for each value that is skipped.
    """
    for doubt in find_doubts(names, file):
        remark(doubt)
    return read_mapping(values, lambda reason: remark(ReadingRemark(file, reason, line=1)))
