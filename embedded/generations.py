"""Manage the folder of an archive: its generations, and which one is published.

A generation is a version of the archive with all its files. Readers see only the published one.

- lock: held by the writer, with its process id
- swap.lock: held for the moment in which `published` changes
- published: {"published": "000002", "newest": "000003"}
- generations/000002/: generation.json, contents.json, rules.json, archive.sqlite, paragraphs/, documents/,
  vectors.faiss, wording.bin, columns/, and previous.json if it began empty: the generation that it replaced

The file `published` names the published generation and the newest complete one. A generation with a higher
number is still being built. The file is replaced atomically, so that the published generation is complete
even if a process is killed.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from embedded.archive import Archive
from embedded.contents import ARCHIVE, CONTENTS, Contents
from rostrum_core import rollback
from rostrum_core.errors import NoSuchGeneration, NothingPublished, Overtaken, StoreError
from rostrum_core.locks import wait_for_lock

LOG = logging.getLogger(__name__)

FORMAT = 3
"""Format of all files of a generation; another number is rejected."""

FACTS = "generation.json"
PREVIOUS = "previous.json"
REMOVED = ".removed-"
WAY_OUT = "`rostrum index --fresh` rebuilds it"


class OtherFormat(StoreError):
    """Another version of this package wrote the generation."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Hold the metadata that a generation (a version of the archive) has from its start.

    `encoder` and `tokenizer` are the hashes of the models. `base` is the name of the generation from which
    this one was copied; `None` if it started empty.
    """

    encoder: str
    tokenizer: str
    base: str | None
    created_at: str
    format: int = FORMAT

    def has_same_models(self, other: Facts) -> bool:
        """Return whether the same models encoded this generation and the generation of `other`."""
        return (self.encoder, self.tokenizer) == (other.encoder, other.tokenizer)


@dataclass(frozen=True, slots=True)
class Pointer:
    """Hold the names of the published generation and of the newest complete one.

    A name is `None` if there is no such generation yet.
    """

    published: str | None = None
    newest: str | None = None


class Generations:
    """Find, create, publish and remove the generations in an archive's folder, by name, such as "000002"."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._root = folder / "generations"

    def locate(self, name: str) -> Path:
        """Return the folder of the generation with this name."""
        return self._root / name

    def read_pointer(self) -> Pointer:
        """Read the names of the published generation and of the newest complete one; both are `None` at
        first.

        Raises:
            StoreError: the pointer file is damaged.
        """
        try:
            pointer = Pointer(**json.loads((self.folder / "published").read_bytes()))
        except FileNotFoundError:
            return Pointer()
        except (ValueError, TypeError) as error:
            raise StoreError(f"{self.folder / 'published'} is damaged: {error}") from error
        if not all(name is None or str(name).isdigit() for name in (pointer.published, pointer.newest)):
            raise StoreError(f"{self.folder / 'published'} is damaged: it names no generation")
        return pointer

    def list_ready(self) -> list[str]:
        """Return the names of all complete generations, oldest first."""
        newest = self.read_pointer().newest
        return [name for name in self._list_names() if newest is not None and name <= newest]

    def name_next(self) -> str:
        """Return the name of the generation that is being built or, if there is none, of the next one.

        The name follows that of the newest complete generation: "000004" after "000003".
        """
        return f"{int(self.read_pointer().newest or 0) + 1:06d}"

    def read_facts(self, name: str) -> Facts | None:
        """Return the metadata of a generation; `None` if it does not exist, or if its creation was
        interrupted.

        Raises:
            OtherFormat: another version of this package wrote it.
            StoreError: it is damaged.
        """
        try:
            values = json.loads((self.locate(name) / FACTS).read_bytes())
            if values["format"] != FORMAT:
                raise OtherFormat(
                    f"generation {name} has format {values['format']}, this is for {FORMAT}: index into"
                    f" another folder, or remove {self.folder}"
                )
            return Facts(**values)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError) as error:
            raise StoreError(f"{self.locate(name) / FACTS} is damaged: {error}; {WAY_OUT}") from error

    def has_generation(self, name: str) -> bool:
        """Return whether there is a generation of this name, even a damaged one.

        An unfinished one without metadata does not count, because its creation was interrupted.
        """
        return (self.locate(name) / FACTS).exists() or name in self.list_ready()

    def read_contents(self, name: str) -> Contents | None:
        """Return the recorded counts and checksums of a complete generation.

        Return `None` if an earlier version of this package wrote the generation without them.

        Raises:
            StoreError: the file of contents is damaged.
        """
        return Contents.read(self.locate(name))

    def keep_contents(self, name: str, documents: int, paragraphs: int) -> None:
        """Record the counts and the checksums of a generation whose files have just been completed."""
        _replace(self.locate(name) / CONTENTS, asdict(Contents.of(self.locate(name), documents, paragraphs)))

    def check(self, name: str) -> None:
        """Check that every file of a complete generation is unchanged since it was written.

        Without recorded checksums, only the archive file is checked.

        Raises:
            StoreError: a file is damaged.
        """
        contents = self.read_contents(name)
        if contents is None:
            self.check_archive(name)
        elif (damaged := contents.find_damaged(self.locate(name))) is not None:
            raise StoreError(f"{damaged} is damaged: it is not as it was written; {WAY_OUT}")

    def check_archive(self, name: str, copy: Path | None = None) -> None:
        """Check only the archive file (SQLite) of a generation, or `copy`, a copy of that file.

        Compare its checksum with the recorded one. If none is recorded, use SQLite's own check.

        Raises:
            StoreError: the archive is damaged.
        """
        path, contents = self.locate(name) / ARCHIVE, self.read_contents(name)
        if contents is None:
            damage = Archive.immutable(copy or path).find_damage()
        else:
            damage = None if contents.contain(copy or path, ARCHIVE) else "it is not as it was written"
        if damage is not None:
            raise StoreError(f"{path} is damaged: {damage}; {WAY_OUT}")

    def create(self, name: str, facts: Facts) -> None:
        """Create a generation with a copy of the archive file of its base, or with an empty one if it has no
        base.

        The base is the generation named in `facts`. A generation of the same name is replaced.

        Raises:
            StoreError: the archive file of the base is damaged.
        """
        self.remove([name])
        self.locate(name).mkdir(parents=True)
        if facts.base is not None:
            copy = self.locate(name) / f"{ARCHIVE}.copy"
            shutil.copyfile(self.locate(facts.base) / ARCHIVE, copy)
            try:
                self.check_archive(facts.base, copy)
            except BaseException:
                copy.unlink()
                raise
            sync(copy)
            os.replace(copy, self.locate(name) / ARCHIVE)
        archive = Archive.writable(self.locate(name) / ARCHIVE)
        archive.track_writes()
        archive.close()
        _replace(self.locate(name) / FACTS, asdict(facts))

    def complete(self, name: str) -> None:
        """Record that all files of a generation are written, so that it counts as complete; do not publish
        it.
        """
        with self._lock_pointer():
            pointer = self.read_pointer()
            newest = max(name, pointer.newest or name)
            _replace(self.folder / "published", asdict(replace(pointer, newest=newest)))

    def publish(self, name: str, base: str | None) -> None:
        """Publish a generation by replacing the pointer file in one step.

        Raises:
            Overtaken: `base`, the generation from which this one was copied, is no longer published.
        """
        with self._lock_pointer():
            pointer = self.read_pointer()
            if base is not None and pointer.published != base:
                raise Overtaken(f"generation {base}, from which {name} began, is not published any more")
            self._keep_previous(name, pointer)
            newest = max(name, pointer.newest or name)
            _replace(self.folder / "published", asdict(Pointer(name, newest)))

    def rollback(self, name: str | None, require_readable: Callable[[str], None]) -> str:
        """Publish the complete generation `name`, and return its name.

        If `name` is `None`, publish the one before the published generation (see
        `rostrum_core.rollback.find_before`). `require_readable` is called with the name before readers see
        the generation; if it raises an error, the published generation stays.

        Raises:
            StoreError: no such generation exists.
        """
        if not self.list_ready():
            raise NothingPublished(f"nothing is published in {self.folder}")
        with self._lock_pointer():
            pointer = self.read_pointer()
            wanted = self._find_before(pointer) if name is None else name
            if wanted not in self.list_ready():
                raise NoSuchGeneration(
                    f"there is no generation {wanted or repr(wanted)}, or another writer is building it"
                )
            require_readable(wanted)
            self._keep_previous(wanted, pointer)
            _replace(self.folder / "published", asdict(replace(pointer, published=wanted)))
        return wanted

    def prune(self, keep: int) -> list[str]:
        """Remove old complete generations, and return their names.

        The newest `keep` generations stay, and so does the published one. The generation that readers saw
        before the published one stays too, unless `keep` is below 2.
        """
        if not self.list_ready():
            return []
        with self._lock_pointer():
            published = self.read_pointer().published
            origin = None if published is None else self._find_origin(published)
            doomed = rollback.list_expendable(self.list_ready(), published, origin, keep)
            self.remove(doomed)
        return doomed

    def remove(self, names: Sequence[str]) -> None:
        """Remove generations: first rename their folders, so that no reader finds them, then delete the
        files.
        """
        for name in names:
            if self.locate(name).exists():
                os.replace(self.locate(name), self._root / f"{REMOVED}{name}-{secrets.token_hex(4)}")
        for left in self._root.glob(f"{REMOVED}*"):
            shutil.rmtree(left, ignore_errors=True)

    def _find_before(self, pointer: Pointer) -> str:
        published = pointer.published or ""
        return rollback.find_before(self.list_ready(), published, self._find_origin(published))

    def _find_origin(self, name: str) -> str | None:
        """Return the generation that was published before this one; `None` if it is unknown.

        It also counts as unknown if its record is damaged. So a rollback can still leave a damaged
        generation.

        Raises:
            OtherFormat: another version of this package wrote the generation.
        """
        try:
            return self._find_base(name) or self._read_previous(name)
        except OtherFormat:
            raise
        except StoreError as error:
            LOG.warning("the generation before %s is not known: %s", name, error)
            return None

    def _read_previous(self, name: str) -> str | None:
        """Return the generation that this one replaced; `None` if that was not recorded.

        Raises:
            StoreError: the record is damaged.
        """
        path = self.locate(name) / PREVIOUS
        try:
            return str(json.loads(path.read_bytes())["previous"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError) as error:
            raise StoreError(f"{path} is damaged: {error}") from error

    def _keep_previous(self, name: str, pointer: Pointer) -> None:
        """Record which published generation the generation `name` replaces.

        Nothing is recorded if `name` was copied from another generation, or is not newer than the published
        one. The record has a file of its own, because earlier versions reject unknown fields of
        `generation.json`.
        """
        previous = pointer.published
        if previous is not None and previous < name and self._find_base(name) is None:
            _replace(self.locate(name) / PREVIOUS, {"previous": previous})

    def _find_base(self, name: str) -> str | None:
        facts = self.read_facts(name)
        return None if facts is None else facts.base

    def _lock_pointer(self) -> AbstractContextManager[None]:
        return wait_for_lock(self.folder / "swap.lock")

    def _list_names(self) -> list[str]:
        folders = self._root.iterdir() if self._root.exists() else ()
        return sorted(path.name for path in folders if path.name.isdigit())


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _replace(path: Path, value: Any) -> None:
    """Write a value as JSON to a file atomically: at any moment, the file has either the old or the new
    content.
    """
    new = path.with_name(f"{path.name}.new")
    new.write_text(json.dumps(value), "utf-8")
    sync(new)
    os.replace(new, path)
    sync(path.parent)
