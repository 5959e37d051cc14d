"""Decode request fields that OpenSearch's connector encodes as base64: a draft as text, the rest as JSON.

ml-commons, OpenSearch's plugin, substitutes `${parameters.x}` in everything that it puts into a request body,
even in texts of hits and drafts. Fields that the connector encodes before this step arrive unchanged.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pydantic_core import PydanticCustomError

from rostrum.api.routes.drafts import LONGEST_TEXT, LONGEST_TITLE

FIELDS = {"query", "documents", "ids"}
QUESTION_FIELDS = ("question", "context", "inputs")


def merge_decoded(payload: Any, decode: Callable[[Any], dict[str, Any]]) -> Any:
    """Replace the field `encoded` of a payload by the fields that `decode` returns for its value.

    If the payload itself already has one of these fields, its own value is kept. A payload without `encoded`
    is returned unchanged.
    """
    if not isinstance(payload, dict) or "encoded" not in payload:
        return payload
    return {**decode(payload["encoded"]), **{k: v for k, v in payload.items() if k != "encoded"}}


def decode_hits(encoded: Any) -> dict[str, Any]:
    """Decode the draft and the hits that OpenSearch's connector sends: `query`, `documents`, and `ids` if
    sent.

    Each of them is encoded as base64. `query` is text, and is cut if it is too long. `documents` and `ids`
    are JSON, with a list for each hit. The list is empty if the hit has no such field: [["Go."], []] is
    decoded to ["Go.", `None`].

    >>> decode_hits({"query": "TW9vbg==", "documents": "W1siV2UgY2hvb3NlLiJdLCBbXV0=", "ids": ""})
    {'query': 'Moon', 'documents': ['We choose.', None]}

    Raises:
        PydanticCustomError: a field cannot be decoded, or no hit has a text.
    """
    with _refuse_undecodable():
        texts = {
            name: base64.b64decode(encoded[name], validate=True).decode() for name in FIELDS & {*encoded}
        }
        values = {name: _unwrap(json.loads(texts[name])) for name in ("documents", "ids") if texts.get(name)}
        query = texts["query"]
    if not any(isinstance(text, str) for text in values.get("documents", ())):
        raise PydanticCustomError("encoded", "encoded: no hit has a text in the field that is ranked")
    return {"query": cut_draft(query), **values}


def decode_questions(encoded: Any) -> dict[str, Any]:
    """Decode the texts to highlight that OpenSearch's connector sends.

    Return the fields `question` and `context`, or `inputs` if they were sent.

    >>> decode_questions({"question": "TW9vbg==", "context": "V2UgZ28u", "inputs": ""})
    {'question': 'Moon', 'context': 'We go.'}

    Raises:
        PydanticCustomError: a field cannot be decoded.
    """
    with _refuse_undecodable():
        texts = {
            name: base64.b64decode(encoded[name], validate=True).decode("utf-8", "replace")
            for name in QUESTION_FIELDS
        }
        if texts["inputs"]:
            return {"inputs": json.loads(texts["inputs"])}
        return {"question": texts["question"], "context": texts["context"]}


@contextmanager
def _refuse_undecodable() -> Iterator[None]:
    try:
        yield
    except (binascii.Error, ValueError, TypeError, KeyError, RecursionError) as error:
        message = "encoded: this is not what OpenSearch's connector sends"
        raise PydanticCustomError("encoded", message) from error


def cut_draft(query: str) -> str:
    r"""Cut a draft to `LONGEST_TEXT` characters by leaving out its middle.

    The first line is the title. The start of the title and the end of the text after it are kept.

    >>> cut_draft("Title\nHe said")
    'Title\nHe said'
    >>> cut_draft("Title\n" + "a" * 300_000) == "Title\n" + "a" * (LONGEST_TEXT - 6)
    True
    """
    if len(query) <= LONGEST_TEXT:
        return query
    title, newline, left = query.partition("\n")
    start = title[:LONGEST_TITLE] + newline if newline else ""
    return start + (left if newline else query)[-(LONGEST_TEXT - len(start)) :]


def _unwrap(selections: Any) -> list[Any]:
    """Return the single value of each list, or `None` for an empty list: [["a"], []] -> ["a", `None`].

    Raises:
        ValueError: an item is not a list, or has several values.
    """
    if not all(isinstance(selection, list) and len(selection) <= 1 for selection in selections):
        raise ValueError("each hit has at most one value")
    return [selection[0] if selection else None for selection in selections]
