"""Choose passages to read for a claim, from documents in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jobs.evidence.passages import Passage
from reranker.models.loaded import Models
from rostrum_core.errors import BadInput

PASSAGES = 60
"""Most passages that are read for a claim without a document: the nearest ones by the encoder's vectors."""


@dataclass(frozen=True)
class FileDocuments:
    """Hold the documents of a file.

    For a claim without a document, the nearest passages of all documents are read.
    """

    documents: Mapping[str, Sequence[Passage]]
    models: Models = field(repr=False)

    def select(self, claim: str, document: str | None) -> Sequence[Passage]:
        """Return the passages to read for a claim: those of `document`, or the nearest ones if it is `None`.

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
