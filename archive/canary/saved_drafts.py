"""Store the saved drafts of an archive, and the top results that readers last saw for them.

An operator saves drafts to watch whether a new generation or other models change their top results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec

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
    """Hold a named draft. Each document in `expect` must be among the draft's top results."""

    name: str
    draft: Draft
    filter: Filter = Filter()
    expect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TopResult:
    """Hold one of the top results of a draft: its document, the hash of its text, and its first words.

    A person recognises the paragraph by these words.
    """

    document_id: str
    ordinal: int
    text_hash: str
    title: str
    speaker: str | None
    words: str

    @property
    def key(self) -> tuple[str, str]:
        """Return (document id, text hash), which identifies the paragraph.

        This identity stays the same when other paragraphs of the speech change.
        """
        return self.document_id, self.text_hash


@dataclass(frozen=True, slots=True)
class CanaryRun:
    """Hold the top results of saved drafts, by draft name, from one generation with one set of models.

    `degraded` names the stages that were skipped for any draft. `models` has the hashes of the parts of the
    models.
    """

    generation: str | None
    models: Mapping[str, str] = field(default_factory=dict)
    tops: Mapping[str, tuple[TopResult, ...]] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


@dataclass
class _File:
    """Hold the contents of the file `canary.json`: the saved drafts and the recorded results."""

    drafts: list[SavedDraft]
    last_run: CanaryRun | None = None


class SavedDrafts:
    """Read and write the file of saved drafts in an archive's folder; writers lock the file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / CANARY

    def read(self) -> list[SavedDraft]:
        """Return the saved drafts, ordered by name; empty if there is no file.

        Raises:
            StoreError: the file is damaged.
        """
        return sorted(self._load().drafts, key=lambda saved: saved.name)

    def read_last_run(self) -> CanaryRun | None:
        """Return the recorded results that readers last saw; `None` if none were recorded.

        Raises:
            StoreError: the file is damaged.
        """
        return self._load().last_run

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
        """Remove the saved draft with this name.

        Raises:
            BadInput: there is no draft of this name.
        """
        drafts = self.read()
        others = [draft for draft in drafts if draft.name != name]
        if len(others) == len(drafts):
            raise BadInput(f"there is no saved draft {name!r}", field="name")
        self._store(drafts=others)

    def keep_run(self, run: CanaryRun) -> None:
        """Record the top results that readers will see for the saved drafts from now on."""
        self._store(last_run=run)

    def _store(
        self, *, drafts: Sequence[SavedDraft] | None = None, last_run: CanaryRun | None = None
    ) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with wait_for_lock(self.path.with_name(LOCK)):
                file = self._load()
                if drafts is not None:
                    file.drafts = list(drafts)
                if last_run is not None:
                    file.last_run = last_run
                write_json(self.path, asdict(file))
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror}") from error

    def _load(self) -> _File:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=_File)
        except FileNotFoundError:
            return _File([])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from error
