"""Store the saved drafts of an archive, and the top results that readers last saw for them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from rostrum_core.errors import BadInput, StoreError
from rostrum_core.locks import wait_for_lock
from rostrum_core.types import Draft, Filter
from rostrum_core.whole_files import write_json

CANARY = "canary.json"
LOCK = "canary.lock"
MOST_DRAFTS = 200
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """Hold a named draft. Each document in `expect` must be among its top results."""

    name: str
    draft: Draft
    filter: Filter = Filter()
    expect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TopResult:
    """Hold one result: its document, the hash of its text, and the words by which a person recognises it."""

    document_id: str
    ordinal: int
    text_hash: str
    title: str
    speaker: str | None
    words: str

    @property
    def key(self) -> tuple[str, str]:
        """Return the identity of the paragraph, which does not change when other paragraphs of the
        speech do.
        """
        return self.document_id, self.text_hash


@dataclass(frozen=True, slots=True)
class CanaryRun:
    """Hold the results of saved drafts, by draft name, over one generation with one set of models.

    `degraded` names the stages that were skipped for any draft. `models` has the hashes of the model parts.
    """

    generation: str | None
    models: Mapping[str, str] = field(default_factory=dict)
    tops: Mapping[str, tuple[TopResult, ...]] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


class SavedDrafts:
    """Read and write the file of saved drafts in an archive's folder; writers lock it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / CANARY

    def read(self) -> list[SavedDraft]:
        """Return the saved drafts, ordered by name; empty if there is no file.

        Raises:
            StoreError: the file is damaged.
        """
        return sorted(map(_decode_draft, self._load()["drafts"]), key=lambda saved: saved.name)

    def read_last_run(self) -> CanaryRun | None:
        """Return the recorded results that readers last saw; `None` if none were recorded.

        Raises:
            StoreError: the file is damaged.
        """
        row = self._load()["last_run"]
        return None if row is None else _decode_run(row)

    def save(self, saved: SavedDraft) -> None:
        """Save a draft, replacing one with the same name.

        Raises:
            BadInput: the name is empty or too long, or there are too many drafts.
            StoreError: the file is damaged or cannot be written.
        """
        if not saved.name.strip() or len(saved.name) > LONGEST_NAME:
            raise BadInput(f"name the draft in at most {LONGEST_NAME} characters", field="name")
        others = [draft for draft in self.read() if draft.name != saved.name]
        if len(others) >= MOST_DRAFTS:
            raise BadInput(f"at most {MOST_DRAFTS} drafts are saved: remove one first", field="name")
        self._store(drafts=[*others, saved])

    def remove(self, name: str) -> None:
        """Remove a draft.

        Raises:
            BadInput: there is no draft of this name.
        """
        drafts = self.read()
        others = [draft for draft in drafts if draft.name != name]
        if len(others) == len(drafts):
            raise BadInput(f"there is no saved draft {name!r}", field="name")
        self._store(drafts=others)

    def keep_run(self, run: CanaryRun) -> None:
        """Record the results that readers will see from now on."""
        self._store(last_run=run)

    def _store(
        self, *, drafts: Sequence[SavedDraft] | None = None, last_run: CanaryRun | None = None
    ) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with wait_for_lock(self.path.with_name(LOCK)):
                rows = self._load()
                if drafts is not None:
                    rows["drafts"] = [asdict(draft) for draft in drafts]
                if last_run is not None:
                    rows["last_run"] = asdict(last_run)
                write_json(self.path, rows)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror}") from error

    def _load(self) -> dict[str, Any]:
        try:
            rows = json.loads(self.path.read_bytes())
            return {"drafts": list(rows["drafts"]), "last_run": rows.get("last_run")}
        except FileNotFoundError:
            return {"drafts": [], "last_run": None}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from error


def _decode_draft(row: Mapping[str, Any]) -> SavedDraft:
    filter: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row["filter"].items()
    }
    return SavedDraft(row["name"], Draft(**row["draft"]), Filter(**filter), tuple(row["expect"]))


def _decode_run(row: Mapping[str, Any]) -> CanaryRun:
    run = CanaryRun(row["generation"], row["models"], degraded=tuple(row["degraded"]))
    tops = {name: tuple(TopResult(**top) for top in several) for name, several in row["tops"].items()}
    return replace(run, tops=tops)
