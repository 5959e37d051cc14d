"""Index documents: write them to a new generation (version) of an archive, and publish it.

Writes are durable batch by batch. Readers see them at the end, all at once. An interrupted run leaves the
published generation as it was, and the next run resumes where it stopped.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from archive.encoding_batch import Batch, Encode, gather_batches
from archive.prefetch import work_ahead
from rostrum_core.errors import BadInput, DocumentRefused, Overtaken, StoreError, TranscriptError, Withheld
from rostrum_core.identifiers import hash_text
from rostrum_core.ports import Entry, ParagraphStore
from rostrum_core.refresh_jobs import Progress, Report
from rostrum_core.types import Document, Encoding, Generation, Paragraph

LOG = logging.getLogger(__name__)
COUNTED = ("added", "replaced", "renewed", "unchanged", "deleted", "repeated", "paragraphs", "encoded")
KEPT_GENERATIONS = 3  # the published one and two to roll back to

Split = Callable[[Document], tuple[Paragraph, ...]]


@dataclass(frozen=True, slots=True)
class Hashes:
    """Hold the hashes of encoder, tokenizer and splitter, which decide what a refresh writes again.

    The splitter cuts documents into paragraphs. If `encoder` or `tokenizer` has changed, everything is
    encoded again. If `splitter` has changed, all documents are written again, but encodings of unchanged
    paragraphs are reused.
    """

    encoder: str
    tokenizer: str
    splitter: str = ""

    def has_made(self, generation: Generation) -> bool:
        """Return whether a generation was encoded with this encoder and this tokenizer."""
        return (generation.encoder, generation.tokenizer) == (self.encoder, self.tokenizer)


@dataclass(frozen=True, slots=True)
class Preparation:
    """Hold the functions that split documents into paragraphs and encode these, before they are written.

    Up to `depth` batches are encoded ahead of writing.
    """

    split: Split
    encode: Encode
    hashes: Hashes
    depth: int = 0


@dataclass(frozen=True, slots=True)
class RefreshOptions:
    """Set what a refresh keeps: published documents that are not in its input, and the work of an interrupted
    run on documents that are.

    By default it keeps both. Documents that only an interrupted run added are never kept. `fresh` starts from
    an empty archive. `mirror` deletes the documents that are not in the input, unless an input was refused: a
    file that cannot be read is no reason to delete its speech. If `resume` is false, the unfinished
    generation of an interrupted run is discarded at the first change. If `base` is set, the refresh fails
    unless the published generation has this name.
    """

    fresh: bool = False
    mirror: bool = False
    resume: bool = True
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Observer:
    """Hold callbacks that watch a refresh. An exception in a callback ends the run.

    `count_refused` returns how many inputs were refused; it is called after the last document and for the
    report. `refuse` is called with the error of a document that the store rejects; if `refuse` is `None`,
    the error ends the run. `on_file` is called before each file, and `on_document` before each document.
    `on_progress` is called after each document and batch, and every half a second while a batch is
    encoded. `on_complete` is called before readers see the complete generation, with its name and a function
    that reports progress. If it is `None`, the generation is published at once.
    """

    count_refused: Callable[[], int] = lambda: 0
    refuse: Callable[[TranscriptError], None] | None = None
    on_progress: Callable[[Progress], None] = lambda progress: None
    on_file: Callable[[Path], None] = lambda path: None
    on_document: Callable[[Document], None] = lambda document: None
    on_complete: Callable[[str, Callable[[], None]], None] | None = None


def refresh(
    documents: Iterable[Document],
    store: ParagraphStore,
    preparation: Preparation,
    options: RefreshOptions = RefreshOptions(),
    observer: Observer = Observer(),
) -> Report:
    """Update the archive from `documents`, publish the result, and return a report.

    Unchanged documents are skipped. In a changed document, only paragraphs with a new text are encoded. If
    other models encoded the archive, everything is encoded again.

    Raises:
        BadInput: there is no document, and the archive would be emptied.
        ArchiveBusy: another writer is active, or has published meanwhile (`Overtaken`).
        StoreError: the archive cannot be written, or does not hold what was written.
        DocumentRefused: the store rejects a document, and the observer has no `refuse`.
        TaskError: a batch was not encoded; the next run keeps what was written before.
    """
    started = time.monotonic()
    try:
        published = read_published(store, options.fresh)
        if options.base is not None and (published is None or published.name != options.base):
            raise Overtaken(f"another generation than {options.base} is published: read the archive again")
        before = read_hashes(published, store, options.fresh)
        run = _Run(store, preparation, options, observer, published, before)
        run.go_on()
        run.write_all(documents)
        unread = observer.count_refused()
        if options.fresh or (options.mirror and not unread):
            run.delete_unseen(unread)
        else:
            run.write_all(run.read_remaining())
            run.drop_leftovers()
        generation = run.finish()
    finally:
        store.close()
    return run.report(observer.count_refused(), time.monotonic() - started, generation)


def hash_version(document: Document, hashes: Hashes) -> str:
    """Return the hash that decides whether a refresh has to write a document again.

    The hash changes with the content of the document and with the splitter.
    """
    return hash_text(f"{hashes.splitter}:{document.hash_content()}")


def prune(store: ParagraphStore) -> None:
    """Remove old generations after one was published or withheld, so that `KEPT_GENERATIONS` remain.

    A failure is logged and ignored, as the next refresh tries again.
    """
    try:
        store.prune(KEPT_GENERATIONS)
    except StoreError as error:
        LOG.warning("old generations were not removed: %s", error)


def read_published(store: ParagraphStore, fresh: bool) -> Generation | None:
    """Return the published generation; `None` if nothing is published.

    Also return `None` if the published generation is damaged and `fresh` is true: the run then replaces it.

    Raises:
        StoreError: the published generation is damaged and `fresh` is false, or another version of this
            package wrote it.
    """
    try:
        return store.published()
    except StoreError as error:
        stored = store.generations() if fresh else ()
        if not any(generation.published and generation.state == "damaged" for generation in stored):
            raise
        LOG.warning("what is published cannot be read, so nothing of it is kept: %s", error)
        return None


def read_hashes(published: Generation | None, store: ParagraphStore, fresh: bool) -> Mapping[str, str]:
    """Return the content hashes of the published documents, by document id.

    If `fresh` is true and they cannot be read, return an empty mapping.

    Raises:
        StoreError: they cannot be read, and `fresh` is false.
    """
    try:
        return store.content_hashes(published.name) if published else {}
    except StoreError as error:
        if not fresh:
            raise
        LOG.warning("what is published cannot be read, so all documents count as added: %s", error)
        return {}


@dataclass(eq=False)
class _Run:
    """Hold the state of one refresh.

    The new generation is created at the first change, so a run without changes writes nothing.
    `published_hashes` has the content hash of each published document, by document id. `generation_hashes`
    has the content hashes with which the new generation starts: the published ones, none, or those that an
    interrupted run left. `foreign` is true if other models encoded the published generation.
    """

    store: ParagraphStore
    preparation: Preparation
    options: RefreshOptions
    observer: Observer
    published: Generation | None
    published_hashes: Mapping[str, str]

    def __post_init__(self) -> None:
        self.hashes = self.preparation.hashes
        self.foreign = self.published is not None and not self.hashes.has_made(self.published)
        self.starts_empty = self.options.fresh or self.foreign
        self.generation_hashes = {} if self.starts_empty else self.published_hashes
        self.generation: Generation | None = None
        self.count: Counter[str] = Counter()
        self.seen: set[str] = set()
        self.written: dict[str, str] = {}

    def go_on(self) -> None:
        """Open the new generation before the first change, if an interrupted run left one to resume."""
        if (
            self.options.resume
            and not self.options.fresh
            and any(generation.state == "building" for generation in self.store.generations())
        ):
            self.open_generation()

    def open_generation(self) -> str:
        """Return the name of the generation to write to; create or resume one at the first call."""
        if self.generation is None:
            self.generation = self.store.begin(
                encoder=self.hashes.encoder,
                tokenizer=self.hashes.tokenizer,
                fresh=self.starts_empty,
                resume=self.options.resume,
            )
            self.check_published()
            self.generation_hashes = self.store.content_hashes(self.generation.name)
        return self.generation.name

    def write_all(self, documents: Iterable[Document]) -> None:
        prepared = map(self.prepare_batch, gather_batches(self.select_changed(documents)))
        encoded = work_ahead(
            partial(Batch.encode, encode=self.encode),
            prepared,
            self.preparation.depth,
            self.report_progress,
        )
        for batch in encoded:
            self.write(batch)

    def select_changed(self, documents: Iterable[Document]) -> Iterator[tuple[Document, str]]:
        for document in documents:
            content_hash = hash_version(document, self.hashes)
            repeated = document.id in self.seen
            self.seen.add(document.id)  # first: a document that is refused is taken out again
            if repeated:
                self.count["repeated"] += 1
            elif self.generation_hashes.get(document.id) == content_hash:
                is_published = self.published_hashes.get(document.id) == content_hash
                self.count["unchanged"] += is_published and not self.starts_empty
            else:
                yield document, content_hash
            self.report_progress()

    def prepare_batch(self, documents: list[tuple[Document, str]]) -> Batch:
        """Split documents into paragraphs, and collect the encodings that exist and the texts
        that need one.
        """
        paragraphs = [self.preparation.split(document) for document, _ in documents]
        texts = {paragraph.hash_text(): paragraph.text for several in paragraphs for paragraph in several}
        reusable = dict(self.store.encodings(self.open_generation(), list(texts)))
        missing = {text_hash: text for text_hash, text in texts.items() if text_hash not in reusable}
        self.count["to_encode"] += len(missing)
        return Batch(documents, paragraphs, reusable, missing)

    def encode(self, texts: Sequence[str]) -> Sequence[Encoding]:
        """Encode texts, count them, and report the progress.

        The progress is not reported if batches are encoded ahead of writing, in another thread.
        """
        encodings = self.preparation.encode(texts)
        self.count["encoded_texts"] += len(texts)
        if not self.preparation.depth:
            self.report_progress()
        return encodings

    def write(self, batch: Batch) -> None:
        entries = batch.build_entries()
        while not self.add_entries(entries):
            self.report_progress()
        for entry in entries.values():
            self.written[entry.document.id] = entry.content_hash
            self.count["paragraphs"] += len(entry.paragraphs)
        self.count["encoded"] += batch.count_encoded(entries.values())
        self.report_progress()

    def add_entries(self, entries: dict[str, Entry]) -> bool:
        """Add documents to the new generation; return whether the store accepted all of them.

        If the store refuses a document, remove its entry from `entries` and return false, so that
        the caller can add the others.
        """
        try:
            self.store.add(self.open_generation(), entries.values())
        except DocumentRefused as error:
            if self.observer.refuse is None:
                raise
            del entries[error.document_id]
            if self.foreign or self.is_of_interrupted(error.document_id):
                self.seen.discard(error.document_id)  # so that the published version is kept
            self.observer.refuse(
                TranscriptError(error.document_id, f"the archive refuses it: {error.reason}")
            )
            return False
        return True

    def is_of_interrupted(self, document_id: str) -> bool:
        """Return whether only an interrupted run wrote the new generation's version of a document."""
        if self.options.fresh:
            return False
        return self.generation_hashes.get(document_id) != self.published_hashes.get(document_id)

    def count_changes(self, stored: Mapping[str, str]) -> None:
        """Count the documents added, deleted, replaced or encoded again since the published generation.

        `stored` has the content hashes of the new generation, by document id. They include the work of an
        interrupted run that this run resumes.
        """
        equal = {name for name, digest in stored.items() if self.published_hashes.get(name) == digest}
        self.count["added"] = len(stored.keys() - self.published_hashes.keys())
        self.count["deleted"] = len(self.published_hashes.keys() - stored.keys())
        self.count["replaced"] = len(stored) - self.count["added"] - len(equal)
        self.count["renewed"] = len(equal if self.starts_empty else equal & self.written.keys())

    def read_remaining(self) -> Iterator[Document]:
        """Yield the published documents that were not in the input, and that the new generation lacks or has
        in another version.

        There are such documents in two cases. If other models encoded the published generation, the new one
        starts empty, and everything must be encoded again. If this run resumes an interrupted run, that run
        may have deleted or replaced them in the new generation.
        """
        for document_id in sorted(self.published_hashes.keys() - self.seen):
            if self.generation_hashes.get(document_id) != self.published_hashes[document_id]:
                document = self.store.get(document_id)
                if document:
                    yield document[0]

    def drop_leftovers(self) -> None:
        """Delete the documents that only an interrupted run added, and that are not in this run's input."""
        leftovers = sorted(self.generation_hashes.keys() - self.published_hashes.keys() - self.seen)
        if leftovers:
            self.store.delete(self.open_generation(), leftovers)

    def delete_unseen(self, refused: int) -> None:
        """Delete the documents that were not in the input from the new generation.

        `refused` is the number of refused inputs. The generation of a fresh run starts empty. There, only
        documents that an interrupted run added can be deleted.

        Raises:
            BadInput: there was no input at all, not even a refused one, so the archive would be emptied.
        """
        if not self.seen and not refused:
            raise BadInput("no document was given: the archive would be emptied")
        unseen = sorted(self.generation_hashes.keys() - self.seen)
        if unseen:
            self.store.delete(self.open_generation(), unseen)

    def finish(self) -> str | None:
        """Publish the new generation and return its name; return `None` if nothing was changed.

        Raises:
            BadInput: a fresh archive would be empty, because the store refused every document.
            Overtaken: another generation was published meanwhile.
        """
        if self.generation is None:
            return None
        stored = self.store.content_hashes(self.generation.name)
        self.check(stored)
        if self.published and self.published.documents and not stored:
            raise BadInput("no document was kept: the archive would be emptied")
        self.count_changes(stored)
        self.check_published()
        self.report_progress()  # the last chance to cancel the run, unless saved drafts are compared
        if self.observer.on_complete is not None:
            self.store.complete(self.generation.name)
            self.ask_observer(self.observer.on_complete, self.generation.name)
            self.check_published()
        self.store.publish(self.generation.name)
        prune(self.store)
        return self.generation.name

    def ask_observer(self, on_complete: Callable[[str, Callable[[], None]], None], generation: str) -> None:
        """Let the observer inspect the complete generation. If it withholds it, remove old generations, too.

        Otherwise each nightly refresh whose result is withheld would leave a generation.
        """
        try:
            on_complete(generation, self.report_progress)
        except Withheld:
            prune(self.store)
            raise

    def check_published(self) -> None:
        """Raise `Overtaken` if another generation was published since this run began."""
        if read_published(self.store, self.options.fresh) != self.published:
            raise Overtaken("another generation was published meanwhile: run this one again")

    def check(self, stored: Mapping[str, str]) -> None:
        """Raise StoreError if the new generation lacks a document that this run wrote.

        `stored` are the content hashes in the generation. The error prevents its publication.
        """
        lost = sorted(name for name, digest in self.written.items() if stored.get(name) != digest)
        if lost:
            raise StoreError(f"{len(lost)} documents were written and are not there, {lost[0]!r} first")

    def report_progress(self) -> None:
        done = (self.count[name] for name in ("paragraphs", "encoded_texts", "to_encode"))
        self.observer.on_progress(Progress(len(self.seen), *done))

    def report(self, refused: int, elapsed_s: float, generation: str | None) -> Report:
        counts: dict[str, Any] = {name: self.count[name] for name in COUNTED}
        return Report(
            **counts,
            reused=self.count["paragraphs"] - self.count["encoded"],
            refused=refused,
            elapsed_s=elapsed_s,
            generation=generation,
        )
