"""Store an archive in a folder: implement `ParagraphStore`, the interface of all stores, without a server."""

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
from embedded.candidates import read_candidates
from embedded.contents import ARCHIVE
from embedded.dense import FLAT_LIMIT
from embedded.generations import Facts, Generations, OtherFormat
from embedded.indexing import build_indexes
from embedded.reader import Reader
from embedded.reporting import translate_errors, translate_items, translate_method
from embedded.writing import add, delete
from rostrum_core.candidates import Candidates
from rostrum_core.errors import NoSuchGeneration, NothingPublished, StoreError
from rostrum_core.locks import WriterLock
from rostrum_core.ports import WORDINGS, Entry, Query
from rostrum_core.types import Document, DocumentInfo, Encoding, Filter, Generation, Paragraph, Tokens

LOG = logging.getLogger(__name__)


class EmbeddedStore:
    """Store an archive in `folder`.

    Any number of threads may read with an object. Only one object at a time can write to the folder.

    Above `flat_limit` paragraphs, vectors are clustered (see `embedded.dense`). A caller that begins to write
    and gives up must call `close` or drop the object; the next writer can resume the unfinished generation.
    If `viewed` names a generation, the object reads this one instead of the published one, and cannot write.

    Raises:
        StoreError: the path of the folder is not UTF-8, which the indexes need.
    """

    def __init__(self, folder: Path, *, flat_limit: int = FLAT_LIMIT, viewed: str | None = None) -> None:
        _require_utf8(folder)
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
        """Stop writing without publishing, if writing was begun. The object can be used again."""
        self._stop_writing()
        with self._opening:
            self._reader = None
        self._lock.release()

    def writer(self) -> EmbeddedStore:
        """Return a second store for the same folder; only one of the two can hold the writer's lock."""
        return EmbeddedStore(self._folder, flat_limit=self._flat_limit, viewed=self._viewed)

    @translate_method
    def search(self, query: Query) -> Candidates:
        """Return the paragraphs that may match a query, with their scores, ordered by document id and
        ordinal.

        An ordinal is the position of a paragraph in its document.
        """
        candidates = read_candidates(self._open_published(), query)

        def read(rows: Sequence[int]) -> Sequence[tuple[Paragraph, Tokens]]:
            with translate_errors(self._folder):
                return candidates.read(rows)

        return replace(candidates, read=read)

    @translate_method
    def find_wording(
        self, texts: Sequence[str], *, limit: int = WORDINGS, filter: Filter = Filter()
    ) -> list[list[Paragraph]]:
        """Return for each text the `limit` paragraphs that share the most runs of three words with it.

        Each list ends with the paragraphs directly before and after these paragraphs in their documents.
        """
        reader = self._open_published()
        if not reader.numbering.paragraphs:
            return [[] for _ in texts]
        if filter == Filter():
            return [reader.find_wording(text, limit, None) for text in texts]
        whole_names = reader.name_speakers(filter)
        if whole_names is None:
            return [[] for _ in texts]
        passing = reader.mask_passing(whole_names)
        return [reader.find_wording(text, limit, passing) for text in texts]

    @translate_method
    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """Return a document and its paragraphs in order; `None` if the archive does not have it."""
        return self._open_published().get(document_id)

    @translate_method
    def documents(self, ids: Sequence[str] | None = None, *, after: str = "") -> Iterable[DocumentInfo]:
        """Yield the metadata of all documents, or only of those in `ids`, ordered by id.

        All come from the same generation, even if another one is published meanwhile. With `after`, yield
        only documents whose id comes after this id.
        """
        return translate_items(self._folder, self._open_published().read_infos(ids, after))

    @translate_method
    def count(self) -> tuple[int, int]:
        """Return the numbers of published documents and paragraphs."""
        return self._open_published().archive.count()

    @translate_method
    def check(self) -> None:
        """Open the published generation, and verify that none of its files has changed: 1.3 GB take a second.

        Raises:
            StoreError: a file is damaged.
        """
        self._generations.check(self._open_published().name)

    @translate_method
    def document_frequency(self, words: Sequence[str]) -> list[int]:
        """Return, for each word, the number of paragraphs that have the word in any form ("nation",
        "nations").

        It is 0 for a stop word.
        """
        return self._open_published().paragraphs.document_frequency(words)

    @translate_method
    def begin(self, *, encoder: str, tokenizer: str, fresh: bool = False, resume: bool = True) -> Generation:
        """Take the writer's lock, and open a generation (a version of the archive) to write to.

        A new generation begins as a copy of the published one, or empty if `fresh` is true. With `resume`,
        continue an unfinished generation instead, if it has the same models and began in the same way.

        Raises:
            StoreError: another writer holds the lock; or other models encoded the published generation and
                `fresh` is false, so that vectors of different models would be mixed.
        """
        if self._viewed is not None:
            raise StoreError(f"generation {self._viewed} is only read here")
        self._generations.folder.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()
        try:
            self._stop_writing()
            name = self._prepare(encoder, tokenizer, fresh, resume)
            self._writing = name, Archive.writable(self._generations.locate(name) / ARCHIVE)
        except BaseException:
            self._lock.release()
            raise
        return self._build_generation(name)

    @translate_method
    def content_hashes(self, generation: str) -> Mapping[str, str]:
        """Return the content hash of every document in the generation of this name, by document id."""
        return self._open_archive(generation).content_hashes()

    @translate_method
    def encodings(self, generation: str, text_hashes: Sequence[str]) -> Mapping[str, Encoding]:
        """Return the stored encodings (tokens and vector) of texts, by text hash.

        Those that `generation` lacks come from the published one, if the same models encoded both. A damaged
        published generation is ignored.
        """
        encodings = self._open_archive(generation).encodings(text_hashes)
        if (published := self._find_source(generation)) is not None:
            missing = [digest for digest in text_hashes if digest not in encodings]
            try:
                encodings |= self._open_archive(published).encodings(missing)
            except (OSError, sqlite3.Error, StoreError) as error:
                if self._read_facts(generation).base == published:
                    raise
                self._give_up(published, error)
        return encodings

    @translate_method
    def add(self, generation: str, entries: Iterable[Entry]) -> None:
        """Add documents to an unfinished generation, replacing those with the same id; add all of them or
        none.
        """
        add(self._require_unfinished(generation), entries)

    @translate_method
    def delete(self, generation: str, document_ids: Sequence[str]) -> None:
        """Remove the documents with these ids from an unfinished generation; ignore unknown ids."""
        delete(self._require_unfinished(generation), document_ids)

    @translate_method
    def published(self) -> Generation | None:
        """Return the generation that readers see; `None` if none was published yet."""
        name = self._viewed or self._generations.read_pointer().published
        return None if name is None else self._build_generation(name)

    @translate_method
    def generations(self) -> list[Generation]:
        """Return all generations, oldest first, an unfinished one last.

        The state of a generation whose metadata or contents cannot be read is "damaged".

        Raises:
            OtherFormat: another version of this package wrote a generation.
        """
        generations = []
        for name in [*self._generations.list_ready(), self._generations.name_next()]:
            try:
                generations.append(self._build_generation(name))
            except (OtherFormat, PermissionError):
                raise
            except (OSError, sqlite3.Error, StoreError):
                if self._generations.has_generation(name):  # else it never was, or was just pruned
                    generations.append(self._describe_damaged(name))
        return generations

    @translate_method
    def complete(self, generation: str) -> None:
        """Build the indexes of the generation, so that `view` can read it; keep the writer's lock."""
        self._build(generation)
        self._generations.complete(generation)

    @translate_method
    def publish(self, generation: str) -> None:
        """Build the indexes of the generation, show it to readers and release the writer's lock.

        Raises:
            Overtaken: the generation from which it was copied is no longer published.
        """
        if generation not in self._generations.list_ready():
            self._build(generation)
        self._require_written(generation)
        self._generations.publish(generation, self._read_facts(generation).base)
        self._stop_writing()
        self._lock.release()

    @translate_method
    def view(self, generation: str) -> EmbeddedStore:
        """Return a store that reads this complete generation instead of the published one."""
        if generation not in self._generations.list_ready():
            raise NoSuchGeneration(
                f"there is no generation {generation or repr(generation)}, or another writer is building it"
            )
        return EmbeddedStore(self._folder, flat_limit=self._flat_limit, viewed=generation)

    @translate_method
    def rollback(self, generation: str | None = None) -> Generation:
        """Publish a complete generation, by default the one before the published one, and return it.

        Readers see it at once.

        Raises:
            StoreError: the generation cannot be opened; the published one stays.
        """
        return self._build_generation(self._generations.rollback(generation, self._require_readable))

    @translate_method
    def prune(self, keep: int) -> list[str]:
        """Remove old complete generations, and return their names.

        The newest `keep` generations stay, and so does the published one. The generation that readers saw
        before the published one stays too, unless `keep` is below 2.
        """
        return self._generations.prune(keep)

    def _build(self, generation: str) -> None:
        """Build the indexes of a generation that is open for writing, and record its counts and checksums."""
        archive = self._require_unfinished(generation)
        base = self._read_facts(generation).base
        origin = None if base is None else self._generations.locate(base)
        build_indexes(archive, self._generations.locate(generation), self._flat_limit, origin)
        archive.settle()
        self._generations.keep_contents(generation, *archive.count())

    def _prepare(self, encoder: str, tokenizer: str, fresh: bool, resume: bool) -> str:
        """Return the name of the generation to write to, creating it if necessary.

        If `resume` is true and there is an unfinished generation with the same models and base, return this
        one; otherwise create one. The base is the published generation, or none if `fresh` is true.
        """
        generations = self._generations
        name, base = generations.name_next(), None if fresh else generations.read_pointer().published
        wanted = Facts(encoder, tokenizer, base, datetime.now(UTC).isoformat(timespec="seconds"))
        origin = None if base is None else generations.read_facts(base)
        if origin is not None and not wanted.has_same_models(origin):
            raise StoreError(f"generation {base} was encoded by other models: begin a fresh one")
        begun = self._read_begun(name)
        if not resume or begun is None or not begun.has_same_models(wanted) or begun.base != base:
            generations.create(name, wanted)
        return name

    def _read_begun(self, name: str) -> Facts | None:
        """Return the metadata of an unfinished generation; `None` if it is missing or damaged."""
        try:
            return self._generations.read_facts(name)
        except OtherFormat:
            raise
        except StoreError as error:
            LOG.warning("the unfinished generation is discarded: %s", error)
            return None

    def _find_source(self, generation: str) -> str | None:
        """Return the name of the published generation, if it can supply encodings for `generation`.

        It must be undamaged, and the same models must have encoded both generations. Otherwise return `None`.
        """
        published, facts = self._generations.read_pointer().published, self._read_facts(generation)
        if published is None or not self._whole.get(published, True):
            return None
        try:
            if not self._read_facts(published).has_same_models(facts):
                return None
        except StoreError as error:
            self._give_up(published, error)
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
        """Stop reusing encodings of the published generation, because it is damaged."""
        LOG.warning("the published generation gives no encodings, everything is encoded again: %s", error)
        self._whole[published] = False

    def _stop_writing(self) -> None:
        if self._writing is not None:
            self._writing[1].close()
        self._writing = None

    def _require_written(self, generation: str) -> Archive:
        if self._writing is None or self._writing[0] != generation:
            raise StoreError(f"generation {generation} is not open for writing: begin first")
        return self._writing[1]

    def _require_unfinished(self, generation: str) -> Archive:
        """Return the archive of a generation that this object is writing; raise StoreError if it
        is complete.
        """
        archive = self._require_written(generation)
        if generation in self._generations.list_ready():
            raise StoreError(f"generation {generation} is complete: nothing is written to it")
        return archive

    def _open_archive(self, generation: str) -> Archive:
        if self._writing is not None and self._writing[0] == generation:
            return self._writing[1]
        if generation not in self._generations.list_ready():
            raise StoreError(f"there is no generation {generation}, or another writer is building it")
        return Archive.immutable(self._generations.locate(generation) / ARCHIVE)

    def _build_generation(self, name: str) -> Generation:
        facts, pointer = self._read_facts(name), self._generations.read_pointer()
        ready = pointer.newest is not None and name <= pointer.newest
        documents, paragraphs = self._count(name, ready)
        published = name == pointer.published
        hashes = (facts.encoder, facts.tokenizer)
        state: Literal["ready", "building"] = "ready" if ready else "building"
        return Generation(name, state, published, *hashes, documents, paragraphs, facts.created_at)

    def _describe_damaged(self, name: str) -> Generation:
        """Return the description of a damaged generation, with those facts that can still be read."""
        facts = None
        with suppress(StoreError):  # the state says it
            facts = self._generations.read_facts(name)
        facts = facts or Facts("", "", None, "")
        published = name == self._generations.read_pointer().published
        return Generation(name, "damaged", published, facts.encoder, facts.tokenizer, 0, 0, facts.created_at)

    def _require_readable(self, name: str) -> None:
        """Raise StoreError if readers could not open this complete generation."""
        try:
            self._read_facts(name)
            Reader(name, self._generations.locate(name))
        except (OSError, sqlite3.Error, StoreError) as error:
            raise StoreError(f"generation {name} cannot be opened and is not published: {error}") from error

    def _count(self, name: str, ready: bool) -> tuple[int, int]:
        """Return the numbers of documents and paragraphs of a generation.

        For an unfinished generation, these are the numbers committed so far.
        """
        if ready:
            with suppress(StoreError):  # `check` reports it; count what can be read
                if (contents := self._generations.read_contents(name)) is not None:
                    return contents.documents, contents.paragraphs
        path = self._generations.locate(name) / ARCHIVE
        is_shared = not ready and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
        return (Archive.shared if is_shared else Archive.immutable)(path).count()

    def _read_facts(self, name: str) -> Facts:
        facts = self._generations.read_facts(name)
        if facts is None:
            raise StoreError(f"there is no generation {name}")
        return facts

    def _open_published(self) -> Reader:
        """Return a reader of the published generation; open a new one if another generation was published."""
        with self._opening:
            name = self._name_published()
            while self._reader is None or self._reader.name != name:
                try:
                    self._read_facts(name)  # reject the format of another version
                    self._reader = Reader(name, self._generations.locate(name))
                except (OSError, sqlite3.Error, StoreError):
                    if name == self._name_published():
                        raise
                    name = self._name_published()  # it was pruned meanwhile, after another was published
            return self._reader

    def _name_published(self) -> str:
        name = self._viewed or self._generations.read_pointer().published
        if name is None:
            raise NothingPublished(f"nothing is published in {self._generations.folder}")
        return name


def _require_utf8(folder: Path) -> None:
    """Raise StoreError if the path is not UTF-8: the indexes could neither be written nor read."""
    try:
        str(folder).encode()
    except UnicodeEncodeError as error:
        shown = os.fsencode(folder).decode("utf-8", "replace")
        raise StoreError(f"{shown} is not UTF-8: give the archive a folder with another name") from error
