"""Rename the fields of rows and front matter to Rostrum's names, as `rostrum index --map` asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def rename_fields(row: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """Rename the fields of a row to the usual names.

    `fields` maps the names in the file, in lower case, to the usual names. A field that already has the name
    of a renamed one is left out.

    >>> rename_fields({"Body": "So.", "id": 1}, {"body": "text"})
    {'text': 'So.', 'id': 1}
    >>> rename_fields({"Body": "So.", "text": "A summary."}, {"body": "text"})
    {'text': 'So.'}
    """
    names = rename_columns(row, fields)
    return {name: value for name, value in zip(names, row.values(), strict=True) if name is not None}


def rename_columns(columns: Iterable[str], fields: Mapping[str, str]) -> list[str | None]:
    """Rename columns to the usual names; return `None` for a column that is not to be read.

    `fields` maps the names in the file, in lower case, to the usual names. A column that is not mapped is not
    read if another column is mapped to its name.

    >>> rename_columns(["text", "speaker", "body"], {"body": "text"})
    [None, 'speaker', 'text']
    """
    lowered = [(column, column.lower()) for column in columns]
    taken = {fields[name] for _, name in lowered if name in fields}
    return [fields.get(name) or (None if name in taken else column) for column, name in lowered]
