"""Store an archive in an OpenSearch cluster: implement `ParagraphStore` for several machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from opensearch import reading, wording, writing
from opensearch.candidates import read_candidates
from opensearch.checks import check
from opensearch.connection import Connection
from opensearch.facts import Facts, StoredGeneration
from opensearch.failures import NotFound
from opensearch.generations import Generations, OneGeneration
from opensearch.infos import Infos
from opensearch.lock import LIFETIME_S, WRITER, Lock, hold_choice
from opensearch.published import CheckedServer, Superseded
from opensearch.server import Searcher, Server
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
    """Store an archive in the indices whose names begin with the prefix of `connection`.

    An object counts as one writer; any number of threads may read with it. `layout` applies to fresh
    generations; a generation that is copied from another one keeps its layout. A caller that begins to write
    and gives up must call `close`. The lock of a killed writer expires after `lock_s` seconds, and the next
    writer can resume the unfinished generation. Readers see generations published by other processes after at
    most `age_s` seconds, and those published by this object or its writers at once. A writer sees all of them
    at once, because what is published decides what it writes.
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
        self._writing: StoredGeneration | None = None
        self._speakers: tuple[Facts, tuple[str, ...]] | None = None
        self._infos = Infos()

    def __enter__(self) -> OpenSearchStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop writing without publishing, if writing was begun. The object can be used again."""
        self._writing = None
        self._lock.release()

    def writer(self) -> OpenSearchStore:
        """Return a second store for the same archive, with the same connections.

        The two stores count as different writers: only one of them can hold the writer's lock. The returned
        store looks up at each read which generation is published.
        """
        return OpenSearchStore(
            self.server.connection,
            self.layout,
            lock_s=self._lock_s,
            age_s=0.0,
            server=self.server,
            generations=self._generations,
        )

    def search(self, query: Query) -> Candidates:
        """Return the paragraphs that may match a query, with their scores, ordered by document id and
        ordinal.

        An ordinal is the position of a paragraph in its document.
        """
        return self._read(partial(self._search, query))

    def find_wording(
        self, texts: Sequence[str], *, limit: int = WORDINGS, filter: Filter = Filter()
    ) -> list[list[Paragraph]]:
        """Return for each text the `limit` paragraphs that share the most pairs of consecutive words with it.

        Each list ends with the paragraphs directly before and after these paragraphs in their documents.
        """
        return self._read(partial(self._find_wording, texts, limit, filter))

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """Return a document and its paragraphs in order; `None` if the archive does not have it."""
        return self._read(lambda server, read: reading.get(server, read, document_id))

    def documents(self, ids: Sequence[str] | None = None, *, after: str = "") -> Iterable[DocumentInfo]:
        """Yield the metadata of all documents, or only of those in `ids`, ordered by id.

        All come from the same generation, even if another one is published meanwhile. With `after`, yield
        only documents whose id comes after this id.
        """
        if ids is None:
            return reading.read_infos(self.server, self._require_published(), after)
        names = [name for name in ids if not after or name > after]
        self._require_published()  # what was kept before may be that of another generation
        return self._read(lambda server, read: reading.read_named_infos(server, read, names, self._infos))

    def count(self) -> tuple[int, int]:
        """Return the numbers of published documents and paragraphs."""
        facts = self._require_published().facts
        return facts.documents, facts.paragraphs

    def document_frequency(self, words: Sequence[str]) -> list[int]:
        """Return, for each word, the number of paragraphs that have the word in any form ("nation",
        "nations").

        It is 0 for a stop word.
        """
        return self._read(lambda server, read: reading.count_documents(server, read, words))

    def begin(self, *, encoder: str, tokenizer: str, fresh: bool = False, resume: bool = True) -> Generation:
        """Take the writer's lock, and open a generation (a version of the archive) to write to.

        A new generation begins as a copy of the published one, or empty if `fresh` is true. With `resume`,
        continue an unfinished generation instead, if it has the same models and began in the same way.

        Raises:
            StoreError: another writer holds the lock; or other models encoded the published generation and
                `fresh` is false, so that vectors of different models would be mixed.
        """
        if isinstance(self._generations, OneGeneration):
            raise StoreError("a generation that is viewed is only read")
        self._lock.acquire()
        try:
            self._writing = self._prepare(encoder, tokenizer, fresh, resume)
            return self._build_generation(self._writing)
        except BaseException:
            self.close()
            raise

    def content_hashes(self, generation: str) -> Mapping[str, str]:
        """Return the content hash of every document in the generation of this name, by document id."""
        return reading.read_content_hashes(self.server, self._find_named(generation))

    def encodings(self, generation: str, text_hashes: Sequence[str]) -> Mapping[str, Encoding]:
        """Return the stored encodings (tokens and vector) of texts, by text hash.

        Those that `generation` lacks come from the published one, if the same models encoded both.
        """
        named, published = self._find_named(generation), self._generations.find_published()
        encodings = reading.read_encodings(self.server, named, text_hashes)
        if published is not None and not published.missing and published.facts.has_same_models(named.facts):
            missing = [digest for digest in text_hashes if digest not in encodings]
            encodings |= reading.read_encodings(self.server, published, missing)
        return encodings

    def add(self, generation: str, entries: Iterable[Entry]) -> None:
        """Add documents to an unfinished generation, replacing those with the same id.

        If an entry is invalid, none is added.
        """
        into = self._require_unfinished(generation)
        kept, width = writing.check_entries(entries, into.facts.width)
        if width != into.facts.width:
            into = self._widen(into, width)
        self._lock.confirm()
        writing.add(self.server, into, kept)

    def delete(self, generation: str, document_ids: Sequence[str]) -> None:
        """Remove the documents with these ids from an unfinished generation; ignore unknown ids."""
        out_of = self._require_unfinished(generation)
        self._lock.confirm()
        writing.delete(self.server, out_of, document_ids)

    def published(self) -> Generation | None:
        """Return the generation that readers see; `None` if none was published yet.

        This sends no search. The result may be `age_s` seconds old, but not while this object writes.
        """
        latest = self._generations.read_published(self._get_greatest_age())
        return None if latest is None else self._build_generation(latest)

    def generations(self) -> list[Generation]:
        """Return all generations, oldest first, an unfinished one last.

        Generations that are removed in the meantime are skipped.
        """
        rows = []
        for stored in self._generations.list_all():
            with suppress(NotFound):
                rows.append(self._build_generation(stored))
        return rows

    def complete(self, generation: str) -> None:
        """Complete the generation, so that `view` can read it; keep the writer's lock.

        Raises:
            StoreError: paragraphs are missing, or a document cannot be read as it was written.
        """
        whole, gone = self._make_whole(self._require_unfinished(generation))
        self._generations.complete(whole, gone)
        self._writing = replace(whole, complete=True)

    def publish(self, generation: str) -> None:
        """Complete the generation, show it to readers and release the writer's lock.

        Raises:
            StoreError: paragraphs are missing, or a document cannot be read as it was written; the published
                generation stays.
            Overtaken: the generation from which it was copied is no longer published.
        """
        written = self._require_written(generation)
        whole, gone = (written, []) if written.complete else self._make_whole(written)
        self._lock.confirm()
        self._check_base(whole)
        self._keep_previous(whole)
        self._show(whole, gone)
        self.close()

    def view(self, generation: str) -> OpenSearchStore:
        """Return a store that reads this complete generation instead of the published one."""
        return OpenSearchStore(
            self.server.connection,
            self.layout,
            age_s=self._age_s,
            server=self.server,
            generations=OneGeneration(self.server, self._require_ready(generation)),
        )

    def rollback(self, generation: str | None = None) -> Generation:
        """Publish a complete generation, by default the one before the published one, and return it.

        Readers see it at once.
        """
        with hold_choice(self.server):
            wanted = (
                self._find_before(self._require_published(age_s=0.0))
                if generation is None
                else self._require_ready(generation)
            )
            self._keep_previous(wanted)
            self._generations.show(wanted)
        return self._build_generation(replace(wanted, published=True))

    def prune(self, keep: int) -> list[str]:
        """Remove old complete generations and damaged ones, and return their names.

        The published generation and the newest `keep` undamaged ones stay. The generation that
        readers saw before the published one stays too, unless it is damaged or `keep` is below 2.
        """
        with hold_choice(self.server):
            complete = self._complete()
            published = next((stored for stored in complete.values() if stored.published), None)
            name, origin = (None, None) if published is None else (published.name, published.origin)
            usable = [number for number in complete if number == name or not complete[number].missing]
            doomed = [number for number in complete if number not in usable]
            doomed += rollback.list_expendable(usable, name, origin, keep)
            self._generations.remove([complete[number] for number in doomed])
        return doomed

    def check_generations(self) -> None:
        """Raise StoreError if an index of a complete generation is missing, or lacks rows."""
        for complete in self._complete().values():
            complete.require_whole()
            counted = writing.count(self.server, complete)[0], writing.count_rows(self.server, complete)
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
        if orphans := self._generations.list_orphans():
            gone = f"the documents of {', '.join(orphans)} are missing"
            raise StoreError(f"{gone}: rostrum index --fresh rebuilds the archive, or restore a snapshot")

    def _make_whole(self, unfinished: StoredGeneration) -> tuple[StoredGeneration, list[StoredGeneration]]:
        """Complete an unfinished generation: merge the segments of its indices, and check its contents.

        Return the complete generation with its counts, and a list of the generations that it replaces. If
        merging made a clone, the list has the unfinished generation; otherwise it is empty.
        """
        self._lock.confirm()
        documents, paragraphs = writing.sweep(self.server, unfinished, self._lock.confirm)
        self._lock.confirm()
        self._generations.block(unfinished, True)
        whole = self._generations.merge(unfinished)
        check(self.server, whole, documents, paragraphs)
        self._lock.confirm()
        whole = replace(whole, facts=replace(whole.facts, documents=documents, paragraphs=paragraphs))
        self._generations.note(whole)
        return whole, [] if whole.indices == unfinished.indices else [unfinished]

    def _search(self, query: Query, server: Searcher, generation: StoredGeneration) -> Candidates:
        completed = self._complete_names(query.filter, generation)
        if completed is None:
            return make_columns([])
        return read_candidates(server, generation, replace(query, filter=completed), self._infos)

    def _find_wording(
        self,
        texts: Sequence[str],
        limit: int,
        filter: Filter,
        server: Searcher,
        generation: StoredGeneration,
    ) -> list[list[Paragraph]]:
        completed = self._complete_names(filter, generation)
        if completed is None:
            return [[] for _ in texts]
        return wording.find_wording(server, generation, texts, limit, completed)

    def _complete_names(self, filter: Filter, generation: StoredGeneration) -> Filter | None:
        """Complete the names of speakers in a filter: "lincoln" -> "abraham lincoln".

        Return `None` if none of them is the name of a speaker.
        """
        if not filter.speakers:
            return filter
        names = match_names(self._list_speakers(generation), filter.speakers)
        return replace(filter, speakers=names) if names else None

    def _list_speakers(self, generation: StoredGeneration) -> tuple[str, ...]:
        """Return the names of all speakers of a complete generation; the result is cached."""
        cached = self._speakers
        if cached is None or cached[0] != generation.facts:
            cached = self._speakers = generation.facts, reading.list_speakers(self.server, generation)
        return cached[1]

    def _prepare(self, encoder: str, tokenizer: str, fresh: bool, resume: bool) -> StoredGeneration:
        """Return the generation to write to, creating it if necessary.

        If `resume` is true and there is an undamaged unfinished generation with the same models and base,
        return this one; otherwise create one. The base is the published generation, or none if `fresh` is
        true.
        """
        everything = self._generations.list_all()
        base = None if fresh else next((stored for stored in everything if stored.published), None)
        if base is not None:
            base.require_whole()
        elif not fresh:
            self._require_no_orphans()
        began = datetime.now(UTC).isoformat(timespec="seconds")
        wanted = Facts("", encoder, tokenizer, None if base is None else base.name, began)
        if base is not None and not wanted.has_same_models(base.facts):
            raise StoreError(f"generation {base.name} was encoded by other models: begin a fresh one")
        for stored in everything if resume else ():
            if (
                not stored.complete
                and not stored.missing
                and stored.facts.has_same_models(wanted)
                and stored.facts.base == wanted.base
            ):
                self._generations.block(stored, False)  # its publication may have been interrupted
                if writing.mend(self.server, stored, self._lock.confirm):
                    return stored
        return self._begin_new(wanted, base, everything)

    def _begin_new(
        self, wanted: Facts, base: StoredGeneration | None, everything: Sequence[StoredGeneration]
    ) -> StoredGeneration:
        if base is None and self.layout.engine == "faiss":
            self.server.require_faiss()
        self._generations.remove_unfinished()
        number = self._lock.take_number(max((int(stored.name) for stored in everything), default=0))
        facts = replace(wanted, generation=f"{number:06d}")
        if base is not None:
            return self._generations.copy(base, facts)
        install(self.server, self.layout)
        return self._generations.create(facts)

    def _widen(self, into: StoredGeneration, width: int | None) -> StoredGeneration:
        """Add a field for vectors of this width to a generation without vectors; return the generation."""
        map_vectors(self.server, into.paragraphs, self.layout, width)
        self._writing = replace(into, facts=replace(into.facts, width=width))
        self._generations.note(self._writing)
        return self._writing

    def _build_generation(self, stored: StoredGeneration) -> Generation:
        facts = stored.facts
        if stored.complete:
            return stored.build_generation(facts.documents, facts.paragraphs)
        return stored.build_generation(*writing.count(self.server, stored))

    def _require_written(self, generation: str) -> StoredGeneration:
        if self._writing is None or self._writing.name != generation:
            raise StoreError(f"generation {generation} is not open for writing: begin first")
        return self._writing

    def _require_unfinished(self, generation: str) -> StoredGeneration:
        written = self._require_written(generation)
        if written.complete:
            raise StoreError(f"generation {generation} is complete: nothing is written to it")
        return written

    def _find_named(self, generation: str) -> StoredGeneration:
        if self._writing is not None and self._writing.name == generation:
            return self._writing
        return self._require_ready(generation)

    def _require_ready(self, generation: str) -> StoredGeneration:
        if (stored := self._complete().get(generation)) is None:
            raise NoSuchGeneration(
                f"there is no generation {generation or repr(generation)}, or another writer is building it"
            )
        stored.require_whole()
        return stored

    def _find_before(self, published: StoredGeneration) -> StoredGeneration:
        complete = self._complete()
        before = complete[rollback.find_before(list(complete), published.name, published.origin)]
        before.require_whole()
        return before

    def _complete(self) -> dict[str, StoredGeneration]:
        """Return the complete generations by name, oldest first."""
        return {stored.name: stored for stored in self._generations.list_all() if stored.complete}

    def _show(self, whole: StoredGeneration, gone: Sequence[StoredGeneration]) -> None:
        """Publish the complete generation `whole`, and remove the generations `gone`.

        If the request fails, perhaps only its response was lost. So the error is raised only if `whole` is
        not published.
        """
        try:
            self._generations.show(whole, gone)
        except StoreError:
            now = self._generations.find_published()
            if now is None or now.name != whole.name:
                raise

    def _check_base(self, whole: StoredGeneration) -> None:
        base, published = whole.facts.base, self._generations.find_published()
        if base is not None and (published is None or published.name != base):
            raise Overtaken(f"generation {base}, from which {whole.name} began, is not published any more")

    def _keep_previous(self, shown: StoredGeneration) -> None:
        """Record which published generation the generation `shown` replaces.

        Nothing is recorded if `shown` was copied from another generation, or is older than the published one.
        """
        if shown.facts.base is None:
            published = self._generations.find_published()
            if published is not None and published.name < shown.name:
                self._generations.note_previous(shown, published.name)

    def _get_greatest_age(self) -> float:
        """Return how many seconds ago the published generation may have been looked up: 0 while writing."""
        return self._age_s if self._writing is None else 0.0

    def _require_published(self, *, age_s: float | None = None) -> StoredGeneration:
        latest = self._generations.read_published(self._get_greatest_age() if age_s is None else age_s)
        if latest is None:
            connection = self.server.connection
            raise NothingPublished(f"nothing is published at {connection.url} under {connection.prefix}")
        return latest

    def _read(self, read: Callable[[Searcher, StoredGeneration], T]) -> T:
        """Return the result of `read(server, generation)` for the published generation.

        If `read` fails because another generation was published meanwhile, it is called again with that one.
        If the generation is known from an earlier call, the first searches of `read` check that it is still
        published.
        """
        latest = self._generations.recall_published() or self._require_published()
        while True:
            try:
                age_s = self._get_greatest_age()
                return read(CheckedServer(self.server, self._generations, latest, age_s), latest)
            except Superseded:
                self._generations.forget()
                latest = self._require_published()
            except NotFound:
                self._generations.forget()
                now = self._require_published()
                if now.name == latest.name:
                    now.require_whole()
                    raise
                latest = now
