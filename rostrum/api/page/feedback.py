"""Record which quotes writers mark as not useful, if the operator has enabled it."""

from __future__ import annotations

import fcntl
import json
import os
from datetime import UTC, datetime
from typing import Final

from archive.service import Service
from rostrum.api.page.draft_form import DraftFields, read_place
from rostrum.api.routes.generations import get_published_name

KEPT_CHARACTERS: Final = 2_000
"""Number of characters of the draft that are recorded on each side of the place."""

OWNER_ONLY: Final = 0o600


def keep_feedback(fields: DraftFields, service: Service, key_name: str | None) -> None:
    """Append a JSON line to the file of the setting `feedback`; if the setting is empty, do nothing.

    Raises:
        BadInput: the form names no paragraph.
        OSError: the file cannot be written.
    """
    document_id, ordinal = read_place(fields.not_useful)
    path = service.settings.feedback
    if path is None:
        return
    draft = fields.read_draft()
    line = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "key": key_name,
        "document": document_id,
        "paragraph": ordinal,
        "title": draft.title,
        "left": draft.left[-KEPT_CHARACTERS:],
        "right": draft.right[:KEPT_CHARACTERS],
        "generation": get_published_name(service.store),
        "ranker": service.models.hashes.get("ranker"),
    }
    made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
    with os.fdopen(made, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
