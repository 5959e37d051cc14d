"""Read documents to search for evidence: JSON lines, or speeches of an archive."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indexer.characters import normalise
from jobs.evidence.passages import Passage, join_sentences
from jobs.json_lines import read_json_lines
from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import BadInput


def read_documents(path: Path, pieces: WordPieces) -> dict[str, list[Passage]]:
    """Read documents from JSON lines and return the passages of each by id.

    A row has `id` and `sentences`, a list of texts.

    Raises:
        BadInput: the file cannot be read, a row has no id or no list of texts, or two have one id.
    """
    documents: dict[str, list[Passage]] = {}
    for number, row in enumerate(read_json_lines(path), 1):
        where = f"{path}, row {number}"
        identifier = row.get("id")
        if identifier is None or identifier == "":
            raise BadInput(f"{where}: id is missing", field="id")
        if str(identifier) in documents:
            raise BadInput(f"{where}: a second document {identifier}", field="id")
        documents[str(identifier)] = join_sentences(str(identifier), read_sentences(row, where), pieces)
    if not documents:
        raise BadInput(f"{path}: no document in it")
    return documents


def read_sentences(row: Mapping[str, Any], where: str) -> list[str]:
    """Return the sentences of a row, with the same Unicode normalisation as speeches.

    >>> read_sentences({"sentences": ["We go."]}, "rows.jsonl")
    ['We go.']

    Raises:
        BadInput: `sentences` is not a list of texts.
    """
    texts = row.get("sentences")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadInput(f"{where}: sentences is not a list of texts", field="sentences")
    return [normalise(text) for text in texts]
