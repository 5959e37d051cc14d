"""Store the archive in a folder: `ParagraphStore` without any service."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from embedded.archive import Archive
from embedded.candidates import candidates
from embedded.contents import ARCHIVE
from embedded.dense import FLAT_LIMIT
from embedded.generations import Facts, Generations
from embedded.indexing import build_indexes
from embedded.reader import Reader
from embedded.reporting import each_reported, reported, reporting
from embedded.writing import add, delete
from rostrum_core.candidates import Candidates
from rostrum_core.errors import NoSuchGeneration, NothingPublished, StoreError
from rostrum_core.locks import WriterLock
from rostrum_core.ports import WORDINGS, Entry, Query
from rostrum_core.types import Document, DocumentInfo, Encoding, Filter, Generation, Paragraph, Tokens

LOG = logging.getLogger(__name__)


class EmbeddedStore:
    """Store an archive in `folder`. One object is one writer, and any number of readers in any threads.

    Above `flat_limit` paragraphs, vectors are clustered (see `embedded.dense`). A caller that begins to
    write and gives up calls `close`, or drops the object. The unfinished generation stays for the next
    writer. With `viewed`, the object reads this generation in place of the published one, and never writes.
    """

    def __init__(self, folder: Path, *, flat_limit: int = FLAT_LIMIT, viewed: str | None = None) -> None:
        self._folder, self._viewed = folder, viewed
        self._generations = Generations(folder)
        self._flat_limit = flat_limit
        self._lock = WriterLock(folder / "lock")
        self._writing: tuple[str, Archive] | None = None
        self._reader: Reader | None = None
        self._opening = threading.Lock()
        self._whole: dict[str, bool] = {}  # by the generation that supplies encodings

    def __enter__(self) -> EmbeddedStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop writing, if it was begun, without publishing. The object can be used again."""
        self._stop_writing()
        with self._opening:
            self._reader = None
        self._lock.release()

    def writer(self) -> EmbeddedStore:
        """Return another object over the same folder, as an additional writer."""
        return EmbeddedStore(self._folder, flat_limit=self._flat_limit)

    @reported
    def search(self, query: Query) -> Candidates:
        """Return the candidates with the columns of this store, ordered by document id and ordinal."""
        found = candidates(self._published(), query)

        def read(rows: Sequence[int]) -> Sequence[tuple[Paragraph, Tokens]]:
            with reporting(self._folder):
                return found.read(rows)

        return replace(found, read=read)

    @reported
    def find_wording(
        self, texts: Sequence[str], *, limit: int = WORDINGS, filter: Filter = Filter()
    ) -> list[list[Paragraph]]:
        """Return the paragraphs that share most runs of words with each text, then their neighbours."""
        reader = self._published()
        if not reader.numbering.paragraphs:
            return [[] for _ in texts]
        passing = None if filter == Filter() else reader.numbering.mask(reader.documents.passing(filter))
        return [reader.find_wording(text, limit, passing) for text in texts]

    @reported
    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """Return a document and its paragraphs in order; `None` if the archive does not have it."""
        return self._published().get(document_id)

    @reported
    def documents(self, ids: Sequence[str] | None = None, *, after: str = "") -> Iterable[DocumentInfo]:
        """Yield the metadata of all documents, or of those in `ids`, ordered by id, from one generation."""
        return each_reported(self._folder, self._published().infos(ids, after))

    @reported
    def count(self) -> tuple[int, int]:
        """Return the number of published documents and the number of published paragraphs."""
        return self._published().archive.count()

    @reported
    def check(self) -> None:
        """Open the published generation and verify each of its files: 1.3 GB in a second.

        If an earlier version published the archive, let SQLite check the pages of its file
        (`Archive.damage`).

        Raises:
            StoreError: a file is damaged.
        """
        self._generations.check(self._published().name)

    @reported
    def document_frequency(self, words: Sequence[str]) -> list[int]:
        """Return the number of paragraphs in which each word occurs after analysis; 0 for a stop word."""
        return self._published().paragraphs.document_frequency(words)

    @reported
    def begin(self, *, encoder: str, tokenizer: str, fresh: bool = False, resume: bool = True) -> Generation:
        """Open a generation to write to; `resume` continues a matching one that an interrupted run left.

        Raises:
            StoreError: another writer holds the lock; or the published generation has other hashes and
                `fresh` is false, so that vectors of different models would be mixed.
        """
        if self._viewed is not None:
            raise StoreError(f"generation {self._viewed} is only read here")
        self._generations.folder.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()
        try:
            self._stop_writing()
            name = self._prepare(encoder, tokenizer, fresh, resume)
            self._writing = name, Archive.writable(self._generations.path(name) / ARCHIVE)
        except BaseException:
            self._lock.release()
            raise
        return self._told(name)

    @reported
    def content_hashes(self, generation: str) -> Mapping[str, str]:
        """Return the content hash of every document in the generation, by document id."""
        return self._archive(generation).content_hashes()

    @reported
    def encodings(self, generation: str, text_hashes: Sequence[str]) -> Mapping[str, Encoding]:
        """Return encodings by text hash, from the generation or, if its hashes match, the published one.

        A damaged published generation supplies none.
        """
        found = self._archive(generation).encodings(text_hashes)
        if (published := self._source(generation)) is not None:
            missing = [digest for digest in text_hashes if digest not in found]
            try:
                found |= self._archive(published).encodings(missing)
            except (OSError, sqlite3.Error, StoreError) as error:
                if self._facts(generation).base == published:
                    raise
                self._give_up(published, error)
        return found

    @reported
    def add(self, generation: str, entries: Iterable[Entry]) -> None:
        """Add documents, replacing those of the same id; keep all of `entries` or none."""
        add(self._unfinished(generation), entries)

    @reported
    def delete(self, generation: str, document_ids: Sequence[str]) -> None:
        """Remove documents; ignore unknown ids."""
        delete(self._unfinished(generation), document_ids)

    @reported
    def published(self) -> Generation | None:
        """Return the generation that readers see; `None` before the first."""
        name = self._viewed or self._generations.pointer().published
        return None if name is None else self._told(name)

    @reported
    def generations(self) -> list[Generation]:
        """Return all generations, oldest first, an unfinished one last."""
        found = []
        for name in [*self._generations.ready(), self._generations.next()]:
            try:
                found.append(self._told(name))
            except (OSError, sqlite3.Error, StoreError):
                if self._generations.facts(name) is not None:  # else none exists, or it was just pruned
                    raise
        return found

    @reported
    def complete(self, generation: str) -> None:
        """Build the indexes of the generation, so that `view` can read it; keep the lock."""
        self._build(generation)
        self._generations.complete(generation)

    @reported
    def publish(self, generation: str) -> None:
        """Build the indexes of the generation, show it to readers and release the lock.

        Raises:
            Overtaken: its base is no longer published.
        """
        if generation not in self._generations.ready():
            self._build(generation)
        self._written(generation)
        self._generations.publish(generation, self._facts(generation).base)
        self._stop_writing()
        self._lock.release()

    @reported
    def view(self, generation: str) -> EmbeddedStore:
        """Return a store that reads this ready generation in place of the published one."""
        if generation not in self._generations.ready():
            raise NoSuchGeneration(f"there is no generation {generation}, or another writer is building it")
        return EmbeddedStore(self._folder, flat_limit=self._flat_limit, viewed=generation)

    @reported
    def rollback(self, generation: str | None = None) -> Generation:
        """Publish a ready generation, or the one before the published one; readers follow at once."""
        return self._told(self._generations.rollback(generation))

    @reported
    def prune(self, keep: int) -> list[str]:
        """Remove all but the newest `keep` ready generations, never the published one; return their names."""
        return self._generations.prune(keep)

    def _build(self, generation: str) -> None:
        """Build the indexes of a generation that is open for writing, and record its contents."""
        archive = self._unfinished(generation)
        base = self._facts(generation).base
        origin = None if base is None else self._generations.vectors(base)
        build_indexes(archive, self._generations.path(generation), self._flat_limit, origin)
        archive.settle()
        self._generations.keep_contents(generation, *archive.count())

    def _prepare(self, encoder: str, tokenizer: str, fresh: bool, resume: bool) -> str:
        """Return the name of the generation to write to: an unfinished one that began alike, or a new one."""
        generations = self._generations
        name, base = generations.next(), None if fresh else generations.pointer().published
        wanted = Facts(encoder, tokenizer, base, datetime.now(UTC).isoformat(timespec="seconds"))
        origin = None if base is None else generations.facts(base)
        if origin is not None and not wanted.alike(origin):
            raise StoreError(f"generation {base} was encoded by other models: begin a fresh one")
        found = generations.facts(name)
        if not resume or found is None or not found.alike(wanted) or found.base != base:
            generations.create(name, wanted)
        return name

    def _source(self, generation: str) -> str | None:
        """Return the published generation if it is undamaged and the same models encoded `generation`."""
        published, facts = self._generations.pointer().published, self._facts(generation)
        if published is None or not self._facts(published).alike(facts):
            return None
        if published not in self._whole:
            self._whole[published] = facts.base == published or self._is_whole(published)
        return published if self._whole[published] else None

    def _is_whole(self, published: str) -> bool:
        try:
            self._generations.check_archive(published)
        except (OSError, sqlite3.Error, StoreError) as error:
            self._give_up(published, error)
            return False
        return True

    def _give_up(self, published: str, error: Exception) -> None:
        """Stop reusing encodings of the published generation, as it is damaged."""
        LOG.warning("what is published gives no encodings, all is encoded anew: %s", error)
        self._whole[published] = False

    def _stop_writing(self) -> None:
        if self._writing is not None:
            self._writing[1].close()
        self._writing = None

    def _written(self, generation: str) -> Archive:
        if self._writing is None or self._writing[0] != generation:
            raise StoreError(f"generation {generation} is not open for writing: begin first")
        return self._writing[1]

    def _unfinished(self, generation: str) -> Archive:
        """Return the archive of a generation that is open for writing and not complete."""
        archive = self._written(generation)
        if generation in self._generations.ready():
            raise StoreError(f"generation {generation} is complete: nothing is written to it")
        return archive

    def _archive(self, generation: str) -> Archive:
        if self._writing is not None and self._writing[0] == generation:
            return self._writing[1]
        if generation not in self._generations.ready():
            raise StoreError(f"there is no generation {generation}, or another writer is building it")
        return Archive.immutable(self._generations.path(generation) / ARCHIVE)

    def _told(self, name: str) -> Generation:
        facts = self._facts(name)
        ready = name in self._generations.ready()
        documents, paragraphs = self._count(name, ready)
        published = name == self._generations.pointer().published
        hashes = (facts.encoder, facts.tokenizer)
        state: Literal["ready", "building"] = "ready" if ready else "building"
        return Generation(name, state, published, *hashes, documents, paragraphs, facts.created_at)

    def _count(self, name: str, ready: bool) -> tuple[int, int]:
        """Return the counts of a generation; of an unfinished one, readers see what has reached the file."""
        if ready:
            with suppress(StoreError):  # `check` reports it; count what can be read
                if (contents := self._generations.contents(name)) is not None:
                    return contents.documents, contents.paragraphs
        path = self._generations.path(name) / ARCHIVE
        is_shared = not ready and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
        return (Archive.shared if is_shared else Archive.immutable)(path).count()

    def _facts(self, name: str) -> Facts:
        facts = self._generations.facts(name)
        if facts is None:
            raise StoreError(f"there is no generation {name}")
        return facts

    def _published(self) -> Reader:
        """Return the published generation as it is now; reopen it if it changed since the last call."""
        with self._opening:
            name = self._name_published()
            while self._reader is None or self._reader.name != name:
                try:
                    self._facts(name)  # reject the format of another version
                    self._reader = Reader(name, self._generations.path(name))
                except (OSError, sqlite3.Error, StoreError):
                    if name == self._name_published():
                        raise
                    name = self._name_published()  # it was pruned meanwhile, after another was published
            return self._reader

    def _name_published(self) -> str:
        name = self._viewed or self._generations.pointer().published
        if name is None:
            raise NothingPublished(f"nothing is published in {self._generations.folder}")
        return name
