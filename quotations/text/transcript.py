"""Define transcripts as sequences of paragraphs, in which quotations are located."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rostrum_core.identifiers import hash_text


@dataclass(frozen=True, slots=True)
class Transcript:
    """Hold a speech as its paragraphs; `spoken_on` is an ISO 8601 date."""

    id: str
    title: str
    speaker: str | None
    spoken_on: str | None
    collection: str | None
    paragraphs: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """Return an identifier of the speech across archives: 16 hex digits of a hash of id, title and
        date.
        """
        return hash_text("\x1f".join((self.id, self.title, self.spoken_on or "")))[:16]

    def build_row(self) -> dict[str, Any]:
        """Return the transcript as a row of a `documents` file, which `rostrum evaluate` and training
        read.
        """
        return {
            "id": self.id,
            "title": self.title,
            "speaker": self.speaker,
            "date": self.spoken_on,
            "collection": self.collection,
            "paragraphs": list(self.paragraphs),
        }
