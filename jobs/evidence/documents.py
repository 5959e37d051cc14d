"""Read documents from a file, and choose the passages of these documents to read for a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexer.characters import normalise
from jobs.evidence.passages import Passage, join_sentences
from jobs.json_lines import read_json_lines
from reranker.models.loaded import Models
from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import BadInput

PASSAGES = 60
"""Most passages that are read for a claim without a document: the nearest ones by the encoder's vectors."""


@dataclass(frozen=True)
class FileDocuments:
    """Hold the documents of a file as passages, by document id.

    If a claim names no document, the passages nearest in meaning to the claim are read, from all documents.
    """

    documents: Mapping[str, Sequence[Passage]]
    models: Models = field(repr=False)

    def select(self, claim: str, document: str | None) -> Sequence[Passage]:
        """Return the passages in which to look for evidence for a claim.

        They are all passages of the document `document`. If it is `None`, they are those passages of all
        documents that are nearest in meaning to the claim.

        Raises:
            BadInput: there is no such document.
        """
        if document is not None:
            if document not in self.documents:
                raise BadInput(f"there is no document {document}", field="document")
            return self.documents[document]
        if len(self._all) <= PASSAGES:
            return self._all
        claim_vector = self.models.encoder.encode_query(self.models.wordpieces.tokenise_query("", claim))
        nearest = np.argsort(-(self._vectors @ claim_vector), kind="stable")[:PASSAGES]
        return [self._all[at] for at in sorted(nearest.tolist())]

    @cached_property
    def _all(self) -> list[Passage]:
        return [passage for passages in self.documents.values() for passage in passages]

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        encodings = self.models.encoder.encodings([passage.text for passage in self._all])
        return np.array([encoding.vector for encoding in encodings])


def read_documents(path: Path, pieces: WordPieces) -> dict[str, list[Passage]]:
    """Read documents from a file of JSON lines, and return the passages of each document by its id.

    A row has `id` and `sentences`, a list of texts.

    Raises:
        BadInput: the file cannot be read or has no row, a row has no id or no list of texts, or two rows have
            the same id.
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
    """Return the sentences of a row, with their characters normalised like those of speeches.

    >>> read_sentences({"sentences": ["We go."]}, "rows.jsonl")
    ['We go.']

    Raises:
        BadInput: `sentences` is not a list of texts.
    """
    texts = row.get("sentences")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadInput(f"{where}: sentences is not a list of texts", field="sentences")
    return [normalise(text) for text in texts]
