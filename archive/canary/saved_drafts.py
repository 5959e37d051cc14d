"""Store the saved drafts of an archive, and the top results that readers last saw for them.

An operator saves drafts to watch whether a new generation or other models change their top results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import msgspec

from indexer.characters import replace_surrogates
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
    """Hold a named draft, and the ids of the documents that its top results should include (`expect`)."""

    name: str
    draft: Draft
    filter: Filter = Filter()
    expect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TopResult:
    """Describe a paragraph that is one of the top results for a draft.

    `text_hash` is the hash of its text. `words` are its first words, by which a person recognises it.
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
        """Return the drafts' results that were recorded at the last publication; `None` without any.

        Raises:
            StoreError: the file is damaged.
        """
        return self._load().last_run

    def save(self, saved: SavedDraft) -> None:
        """Save a draft, replacing one with the same name.

        If the replaced draft has another text or filter, its recorded results are removed. Lone surrogates,
        which UTF-8 cannot encode, are replaced by U+FFFD.

        Raises:
            BadInput: the name is empty or too long, or there are too many drafts.
            StoreError: the file is damaged or cannot be written.
        """
        if not saved.name.strip() or len(saved.name) > LONGEST_NAME:
            raise BadInput(f"name the draft in at most {LONGEST_NAME} characters", field="name")
        self._change(partial(_replace_draft, saved=_make_encodable(saved)))

    def remove(self, name: str) -> None:
        """Remove the saved draft with this name, and its recorded results.

        Raises:
            BadInput: there is no draft of this name.
        """
        name = replace_surrogates(name)
        if all(draft.name != name for draft in self.read()):
            raise BadInput(f"there is no saved draft {name!r}", field="name")
        self._change(partial(_remove_draft, name=name))

    def keep_run(self, run: CanaryRun, drafts: Sequence[SavedDraft]) -> None:
        """Record the top results that readers will see for the saved drafts from now on.

        `drafts` are those that were run. If one was removed meanwhile, or saved with another text or filter,
        its results are left out.
        """
        self._change(partial(_record_run, run=run, drafts=drafts))

    def _change(self, change: Callable[[_File], None]) -> None:
        """Read the file, change its contents, and write it, all under the lock."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with wait_for_lock(self.path.with_name(LOCK)):
                file = self._load()
                change(file)
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


def _make_encodable(saved: SavedDraft) -> SavedDraft:
    """Replace each lone surrogate in the texts of a saved draft by U+FFFD."""
    text = replace_surrogates(json.dumps(asdict(saved), ensure_ascii=False))
    return msgspec.json.decode(text, type=SavedDraft)


def _record_run(file: _File, run: CanaryRun, drafts: Sequence[SavedDraft]) -> None:
    saved = {draft.name: (draft.draft, draft.filter) for draft in file.drafts}
    unchanged = {draft.name for draft in drafts if saved.get(draft.name) == (draft.draft, draft.filter)}
    file.last_run = replace(run, tops={name: tops for name, tops in run.tops.items() if name in unchanged})


def _replace_draft(file: _File, saved: SavedDraft) -> None:
    before = [draft for draft in file.drafts if draft.name == saved.name]
    if len(file.drafts) - len(before) >= MOST_DRAFTS:
        raise BadInput(f"at most {MOST_DRAFTS} drafts are saved: remove one first", field="name")
    if [(draft.draft, draft.filter) for draft in before] == [(saved.draft, saved.filter)]:
        file.drafts = [saved if draft.name == saved.name else draft for draft in file.drafts]
        return
    _remove_draft(file, saved.name)
    file.drafts.append(saved)


def _remove_draft(file: _File, name: str) -> None:
    """Remove a draft, and its results from the last run, which belong to its text."""
    file.drafts = [draft for draft in file.drafts if draft.name != name]
    if file.last_run is not None:
        tops = {draft: results for draft, results in file.last_run.tops.items() if draft != name}
        file.last_run = replace(file.last_run, tops=tops)
