"""Store the archive in an OpenSearch cluster: `ParagraphStore` for more than one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from opensearch import reading, wording, writing
from opensearch.candidates import candidates
from opensearch.checks import check
from opensearch.connection import Connection
from opensearch.facts import Facts, Found
from opensearch.failures import NotFound
from opensearch.generations import Generations, OneGeneration
from opensearch.lock import LIFETIME_S, WRITER, Lock, choosing
from opensearch.server import Server
from opensearch.templates import Layout, install, map_vectors
from rostrum_core import rollback
from rostrum_core.candidates import Candidates, make_columns
from rostrum_core.errors import NoSuchGeneration, NothingPublished, Overtaken, StoreError
from rostrum_core.names import match_names
from rostrum_core.ports import WORDINGS, Entry, Query
from rostrum_core.types import Document, DocumentInfo, Encoding, Filter, Generation, Paragraph

T = TypeVar("T")
DEFAULT = Layout()


class OpenSearchStore:
    """Store an archive under a prefix. One object is one writer, and any number of readers in any threads.

    `layout` applies to fresh generations; copies keep the layout of their base. A caller that begins to
    write and gives up calls `close`. The lock of a killed writer expires after `lock_s` seconds, and the
    unfinished generation stays for the next writer. Readers see generations published by other processes
    after at most `age_s` seconds, and those of this object or its writers at once.
    """

    def __init__(
        self,
        connection: Connection,
        layout: Layout = DEFAULT,
        *,
        lock_s: float = LIFETIME_S,
        age_s: float = 0.0,
        server: Server | None = None,
        generations: Generations | None = None,
    ) -> None:
        self.server = server or Server(connection)
        self.layout, self._lock_s = layout, lock_s
        self._age_s = age_s
        self._generations = generations or Generations(self.server)
        self._lock = Lock(self.server, WRITER, lock_s)
        self._writing: Found | None = None
        self._speakers: tuple[Facts, tuple[str, ...]] | None = None

    def __enter__(self) -> OpenSearchStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop writing, if it was begun, without publishing. The object can be used again."""
        self._writing = None
        self._lock.release()

    def writer(self) -> OpenSearchStore:
        """Return another object over the same archive and connections, as an additional writer."""
        return OpenSearchStore(
            self.server.connection,
            self.layout,
            lock_s=self._lock_s,
            age_s=self._age_s,
            server=self.server,
            generations=self._generations,
        )

    def search(self, query: Query) -> Candidates:
        """Return the candidates with the columns of this store, ordered by document id and ordinal."""
        return self._read(partial(self._search, query))

    def find_wording(
        self, texts: Sequence[str], *, limit: int = WORDINGS, filter: Filter = Filter()
    ) -> list[list[Paragraph]]:
        """Return the paragraphs that share most pairs of words with each text, then their neighbours."""
        return self._read(lambda found: wording.find_wording(self.server, found, texts, limit, filter))

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """Return a document and its paragraphs in order; `None` if the archive does not have it."""
        return self._read(lambda found: reading.get(self.server, found, document_id))

    def documents(self, ids: Sequence[str] | None = None, *, after: str = "") -> Iterable[DocumentInfo]:
        """Yield the metadata of all documents, or of those in `ids`, ordered by id, from one generation."""
        return reading.infos(self.server, self._published(), ids, after)

    def count(self) -> tuple[int, int]:
        """Return the number of published documents and the number of published paragraphs."""
        facts = self._published().facts
        return facts.documents, facts.paragraphs

    def document_frequency(self, words: Sequence[str]) -> list[int]:
        """Return the number of paragraphs in which each word occurs after analysis; 0 for a stop word."""
        return self._read(lambda found: reading.document_frequency(self.server, found, words))

    def begin(self, *, encoder: str, tokenizer: str, fresh: bool = False, resume: bool = True) -> Generation:
        """Open a generation to write to; `resume` continues a matching one that an interrupted run left.

        Raises:
            StoreError: another writer holds the lock; or the published generation has other hashes and
                `fresh` is false, so that vectors of different models would be mixed.
        """
        if isinstance(self._generations, OneGeneration):
            raise StoreError("a generation that is viewed is only read")
        self._lock.acquire()
        try:
            self._writing = self._prepare(encoder, tokenizer, fresh, resume)
            return self._told(self._writing)
        except BaseException:
            self.close()
            raise

    def content_hashes(self, generation: str) -> Mapping[str, str]:
        """Return the content hash of every document in the generation, by document id."""
        return reading.content_hashes(self.server, self._named(generation))

    def encodings(self, generation: str, text_hashes: Sequence[str]) -> Mapping[str, Encoding]:
        """Return encodings by text hash, from the generation or, if its hashes match, the published one."""
        named, published = self._named(generation), self._generations.published()
        found = reading.encodings(self.server, named, text_hashes)
        if published is not None and not published.missing and published.facts.alike(named.facts):
            missing = [digest for digest in text_hashes if digest not in found]
            found |= reading.encodings(self.server, published, missing)
        return found

    def add(self, generation: str, entries: Iterable[Entry]) -> None:
        """Add documents, replacing those of the same id; keep none if one is refused."""
        into = self._unfinished(generation)
        kept, width = writing.checked(entries, into.facts.width)
        if width != into.facts.width:
            into = self._widened(into, width)
        self._lock.confirm()
        writing.add(self.server, into, kept)

    def delete(self, generation: str, document_ids: Sequence[str]) -> None:
        """Remove documents; ignore unknown ids."""
        out_of = self._unfinished(generation)
        self._lock.confirm()
        writing.delete(self.server, out_of, document_ids)

    def published(self) -> Generation | None:
        """Return the generation that readers see, without searching; `None` before the first."""
        found = self._generations.glance(self._age_s)
        return None if found is None else self._told(found)

    def generations(self) -> list[Generation]:
        """Return all generations, oldest first, an unfinished one last; skip those removed meanwhile."""
        told = []
        for found in self._generations.all():
            with suppress(NotFound):
                told.append(self._told(found))
        return told

    def complete(self, generation: str) -> None:
        """Complete the generation, so that `view` can read it; keep the lock.

        Raises:
            StoreError: its content does not match its documents.
        """
        whole, gone = self._make_whole(self._unfinished(generation))
        self._generations.complete(whole, gone)
        self._writing = replace(whole, complete=True)

    def publish(self, generation: str) -> None:
        """Complete the generation, show it to readers and release the lock.

        Raises:
            StoreError: its content does not match its documents; the published generation stays.
            Overtaken: its base is no longer published.
        """
        written = self._written(generation)
        whole, gone = (written, []) if written.complete else self._make_whole(written)
        self._lock.confirm()
        self._check_base(whole)
        self._show(whole, gone)
        self.close()

    def view(self, generation: str) -> OpenSearchStore:
        """Return a store that reads this ready generation in place of the published one."""
        return OpenSearchStore(
            self.server.connection,
            self.layout,
            age_s=self._age_s,
            server=self.server,
            generations=OneGeneration(self.server, self._ready(generation)),
        )

    def rollback(self, generation: str | None = None) -> Generation:
        """Publish a ready generation, or the one before the published one; readers follow at once."""
        with choosing(self.server):
            self._generations.forget()
            wanted = self._ready(generation) if generation else self._before(self._published())
            self._generations.show(wanted)
        return self._told(replace(wanted, published=True))

    def prune(self, keep: int) -> list[str]:
        """Remove all but the newest `keep` ready generations and the damaged ones, never the published one.

        Return the names of the removed generations.
        """
        with choosing(self.server):
            complete = self._complete()
            published = next((each for each in complete.values() if each.published), None)
            name, base = (None, None) if published is None else (published.name, published.facts.base)
            usable = [each for each in complete if each == name or not complete[each].missing]
            doomed = [each for each in complete if each not in usable]
            doomed += rollback.list_expendable(usable, name, base, keep)
            self._generations.remove([complete[each] for each in doomed])
        return doomed

    def check_generations(self) -> None:
        """Raise StoreError if an index of a complete generation is missing, or lacks rows."""
        for complete in self._complete().values():
            complete.require_whole()
            counted = writing.count(self.server, complete)[0], writing.rows(self.server, complete)
            noted = complete.facts.documents, complete.facts.paragraphs
            if counted != noted:
                rows = (
                    f"generation {complete.name} has {counted[0]:,} documents and {counted[1]:,} paragraphs"
                )
                raise StoreError(
                    f"{rows} of {noted[0]:,} and {noted[1]:,}: rostrum index --fresh rebuilds it"
                )
        self._require_no_orphans()

    def _require_no_orphans(self) -> None:
        if orphans := self._generations.orphans():
            gone = f"the documents of {', '.join(orphans)} are missing"
            raise StoreError(f"{gone}: rostrum index --fresh builds the archive anew, or restore a snapshot")

    def _make_whole(self, unfinished: Found) -> tuple[Found, list[Found]]:
        """Return the generation merged, checked and with its counts, and those that it replaces."""
        self._lock.confirm()
        documents, paragraphs = writing.sweep(self.server, unfinished, self._lock.confirm)
        self._lock.confirm()
        self._generations.block(unfinished, True)
        whole = self._generations.merged(unfinished)
        check(self.server, whole, documents, paragraphs)
        self._lock.confirm()
        whole = replace(whole, facts=replace(whole.facts, documents=documents, paragraphs=paragraphs))
        self._generations.note(whole)
        return whole, [] if whole.indices == unfinished.indices else [unfinished]

    def _search(self, query: Query, found: Found) -> Candidates:
        """Search a generation, with whole names of speakers in place of parts of names."""
        if not query.filter.speakers:
            return candidates(self.server, found, query)
        names = match_names(self._speakers_in(found), query.filter.speakers)
        filter = replace(query.filter, speakers=names)
        return candidates(self.server, found, replace(query, filter=filter)) if names else make_columns([])

    def _speakers_in(self, found: Found) -> tuple[str, ...]:
        """Return all speakers of a complete generation, and cache them."""
        known = self._speakers
        if known is None or known[0] != found.facts:
            known = self._speakers = found.facts, reading.speakers(self.server, found)
        return known[1]

    def _prepare(self, encoder: str, tokenizer: str, fresh: bool, resume: bool) -> Found:
        """Return an unfinished, undamaged generation that began alike, or a new one."""
        everything = self._generations.all()
        base = None if fresh else next((each for each in everything if each.published), None)
        if base is not None:
            base.require_whole()
        elif not fresh:
            self._require_no_orphans()
        began = datetime.now(UTC).isoformat(timespec="seconds")
        wanted = Facts("", encoder, tokenizer, None if base is None else base.name, began)
        if base is not None and not wanted.alike(base.facts):
            raise StoreError(f"generation {base.name} was encoded by other models: begin a fresh one")
        for each in everything if resume else ():
            if (
                not each.complete
                and not each.missing
                and each.facts.alike(wanted)
                and each.facts.base == wanted.base
            ):
                self._generations.block(each, False)  # its publication may have been interrupted
                if writing.mend(self.server, each, self._lock.confirm):
                    return each
        return self._begun(wanted, base, everything)

    def _begun(self, wanted: Facts, base: Found | None, everything: Sequence[Found]) -> Found:
        if base is None and self.layout.engine == "faiss":
            self.server.require_faiss()
        self._generations.remove_unfinished()
        number = self._lock.next_number(max((int(each.name) for each in everything), default=0))
        facts = replace(wanted, generation=f"{number:06d}")
        if base is not None:
            return self._generations.copy(base, facts)
        install(self.server, self.layout)
        return self._generations.create(facts)

    def _widened(self, into: Found, width: int | None) -> Found:
        """Return the generation with its vectors mapped; the first vector decides the width."""
        map_vectors(self.server, into.paragraphs, self.layout, width)
        self._writing = replace(into, facts=replace(into.facts, width=width))
        self._generations.note(self._writing)
        return self._writing

    def _told(self, found: Found) -> Generation:
        facts = found.facts
        if found.complete:
            return found.told(facts.documents, facts.paragraphs)
        return found.told(*writing.count(self.server, found))

    def _written(self, generation: str) -> Found:
        if self._writing is None or self._writing.name != generation:
            raise StoreError(f"generation {generation} is not open for writing: begin first")
        return self._writing

    def _unfinished(self, generation: str) -> Found:
        written = self._written(generation)
        if written.complete:
            raise StoreError(f"generation {generation} is complete: nothing is written to it")
        return written

    def _named(self, generation: str) -> Found:
        if self._writing is not None and self._writing.name == generation:
            return self._writing
        return self._ready(generation)

    def _ready(self, generation: str) -> Found:
        if (found := self._complete().get(generation)) is None:
            raise NoSuchGeneration(f"there is no generation {generation}, or another writer is building it")
        found.require_whole()
        return found

    def _before(self, published: Found) -> Found:
        complete = self._complete()
        before = complete[rollback.find_before(list(complete), published.name, published.facts.base)]
        before.require_whole()
        return before

    def _complete(self) -> dict[str, Found]:
        """Return the complete generations by name, oldest first."""
        return {each.name: each for each in self._generations.all() if each.complete}

    def _show(self, whole: Found, gone: Sequence[Found]) -> None:
        """Publish; if the response was lost, read the published generation to learn the result."""
        try:
            self._generations.show(whole, gone)
        except StoreError:
            now = self._generations.published()
            if now is None or now.name != whole.name:
                raise

    def _check_base(self, whole: Found) -> None:
        base, published = whole.facts.base, self._generations.published()
        if base is not None and (published is None or published.name != base):
            raise Overtaken(f"generation {base}, from which {whole.name} began, is not published any more")

    def _published(self) -> Found:
        found = self._generations.glance(self._age_s)
        if found is None:
            connection = self.server.connection
            raise NothingPublished(f"nothing is published at {connection.url} under {connection.prefix}")
        return found

    def _read(self, read: Callable[[Found], T]) -> T:
        """Read the published generation; read its successor if it was pruned meanwhile."""
        found = self._published()
        while True:
            try:
                return read(found)
            except NotFound:
                self._generations.forget()
                now = self._published()
                if now.name == found.name:
                    now.require_whole()
                    raise
                found = now
