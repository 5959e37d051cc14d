"""The one code path of indexing: documents in, a published generation out.

What is written is durable batch by batch and shown to readers at the end, at once. A run that is interrupted
leaves the published generation as it was; the next one goes on where it stopped.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rostrum.core.errors import ArchiveBusy, BadInput
from rostrum.core.ports import Entry, ParagraphStore
from rostrum.core.types import Document, Encoding, Generation, Paragraph, Report, text_hash
from rostrum.service.report import Progress

BATCH_CHARACTERS = 200_000  # some 50,000 WordPieces: a few seconds of encoding are lost by a kill, not more

KEPT_GENERATIONS = 3  # the published one and two to roll back to
ENCODED_AT_ONCE = 512  # texts: sorted by length, batches of them are 10 % padding (128: 30 %, 4096: 2 %)

Encode = Callable[[Sequence[str]], Sequence[Encoding]]
Split = Callable[[Document], tuple[Paragraph, ...]]


@dataclass(frozen=True, slots=True)
class Hashes:
    """What an archive's entries depend on beside the documents: encoder, tokenizer, and how text is split.

    Documents are written anew when `splitter` changes; encodings of paragraphs that stay are reused.
    """

    encoder: str
    tokenizer: str
    splitter: str = ""


def refresh(
    documents: Iterable[Document],
    store: ParagraphStore,
    encode: Encode,
    split: Split,
    *,
    hashes: Hashes,
    fresh: bool = False,
    mirror: bool = False,
    refused: Callable[[], int] = lambda: 0,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Report:
    """Brings the archive up to date with `documents`, and says what was done.

    Documents the archive has are skipped; of a changed one, only paragraphs with a new text are encoded. If
    the archive was encoded by other models, all of it is encoded anew. With `fresh`, the archive holds these
    documents only. With `mirror`, documents that are not among these are deleted, unless inputs were
    `refused` (asked once, when `documents` are at their end): a file that cannot be read is not a speech
    withdrawn.

    Raises:
        BadInput: there is no document, and the archive would be emptied.
        ArchiveBusy: another writer is at work, or has published meanwhile.
        StoreError: the archive cannot be written.
        TaskError: a batch was not encoded; what was written before is kept for the next run.
    """
    started = time.monotonic()
    run = _Run(store, encode, split, hashes, progress)
    try:
        run.start(fresh)
        run.write_all(documents)
        if fresh or (mirror and not refused()):
            run.delete_unseen(refused())
        else:
            run.write_all(run.left_behind())
        generation = run.finish()
    finally:
        store.close()
    return run.report(refused(), time.monotonic() - started, generation)


def batches(documents: Iterable[tuple[Document, str]]) -> Iterator[list[tuple[Document, str]]]:
    """Documents in order, gathered until a batch has `BATCH_CHARACTERS`; a longer document stands alone."""
    batch: list[tuple[Document, str]] = []
    size_chars = 0
    for document, content_hash in documents:
        batch.append((document, content_hash))
        size_chars += len(document.text)
        if size_chars >= BATCH_CHARACTERS:
            yield batch
            batch, size_chars = [], 0
    if batch:
        yield batch


class _Run:
    """One refresh. The generation is begun at the first change, so that a run without one leaves no trace."""

    def __init__(
        self,
        store: ParagraphStore,
        encode: Encode,
        split: Split,
        hashes: Hashes,
        progress: Callable[[Progress], None],
    ) -> None:
        self.store, self.encode, self.split, self.hashes, self.tell = store, encode, split, hashes, progress
        self.count: Counter[str] = Counter()
        self.seen: set[str] = set()
        self.generation: Generation | None = None

    def start(self, fresh: bool) -> None:
        generations = self.store.generations()
        self.published = next((each for each in generations if each.published), None)
        self.before = self.store.content_hashes(self.published.name) if self.published else {}
        self.fresh = fresh or self.foreign()
        self.known = {} if self.fresh else self.before
        if not fresh and any(each.state == "building" for each in generations):
            self.opened()

    def foreign(self) -> bool:
        """Whether other models encoded the archive."""
        published = self.published
        made_by = (self.hashes.encoder, self.hashes.tokenizer)
        return published is not None and (published.encoder, published.tokenizer) != made_by

    def opened(self) -> str:
        """Name of the generation that is written to, begun if it is not yet."""
        if self.generation is None:
            self.generation = self.store.begin(
                encoder=self.hashes.encoder, tokenizer=self.hashes.tokenizer, fresh=self.fresh
            )
            if next((each for each in self.store.generations() if each.published), None) != self.published:
                raise ArchiveBusy("another run has published meanwhile: run this one again")
            self.known = self.store.content_hashes(self.generation.name)
        return self.generation.name

    def write_all(self, documents: Iterable[Document]) -> None:
        for batch in batches(self.changed(documents)):
            self.write(batch)

    def changed(self, documents: Iterable[Document]) -> Iterator[tuple[Document, str]]:
        for document in documents:
            content_hash = text_hash(f"{self.hashes.splitter}:{document.content_hash()}")
            if document.id in self.seen:
                self.count["repeated"] += 1
            elif self.known.get(document.id) == content_hash:
                self.count["unchanged"] += 1
            else:
                yield document, content_hash
            self.seen.add(document.id)
            self.report_progress()

    def write(self, batch: list[tuple[Document, str]]) -> None:
        generation = self.opened()
        paragraphs = [self.split(document) for document, _ in batch]
        encodings = self.encoded({each.text_hash(): each.text for several in paragraphs for each in several})
        entries = [
            Entry(document, content_hash, several, tuple(encodings[each.text_hash()] for each in several))
            for (document, content_hash), several in zip(batch, paragraphs, strict=True)
        ]
        self.store.add(generation, entries)
        for entry in entries:
            self.count[self.kind(entry)] += 1
            self.count["paragraphs"] += len(entry.paragraphs)
        self.report_progress()

    def kind(self, entry: Entry) -> str:
        before = self.before.get(entry.document.id)
        if before is None:
            return "added"
        return "renewed" if before == entry.content_hash else "replaced"

    def encoded(self, texts: Mapping[str, str]) -> Mapping[str, Encoding]:
        """An encoding for each of the texts, by their hash."""
        ready = dict(self.store.encodings(self.opened(), list(texts)))
        missing = iter([each for each in texts if each not in ready])
        while some := list(islice(missing, ENCODED_AT_ONCE)):
            ready.update(zip(some, self.encode([texts[each] for each in some]), strict=True))
            self.count["encoded"] += len(some)
            self.report_progress()
        return ready

    def left_behind(self) -> Iterator[Document]:
        """Documents of an archive of other models that nobody gave: they are encoded anew, not lost."""
        if self.foreign():
            for document_id in sorted(self.before.keys() - self.seen):
                found = self.store.get(document_id)
                if found:
                    yield found[0]

    def delete_unseen(self, refused: int) -> None:
        """Deletes what was not given; of a fresh run, what one before it left unfinished."""
        if not self.seen and not refused:
            raise BadInput("no document was given: the archive would be emptied")
        unseen = sorted(self.known.keys() - self.seen)
        if unseen:
            self.store.delete(self.opened(), unseen)

    def finish(self) -> str | None:
        """Publishes what was begun; the name of it."""
        if self.generation is None:
            return None
        self.count["deleted"] = len(
            self.before.keys() - self.store.content_hashes(self.generation.name).keys()
        )
        self.store.publish(self.generation.name)
        self.store.prune(KEPT_GENERATIONS)
        return self.generation.name

    def report_progress(self) -> None:
        self.tell(Progress(len(self.seen), self.count["paragraphs"], self.count["encoded"]))

    def report(self, refused: int, elapsed_s: float, generation: str | None) -> Report:
        count = self.count
        return Report(
            added=count["added"],
            replaced=count["replaced"],
            renewed=count["renewed"],
            unchanged=count["unchanged"],
            deleted=count["deleted"],
            repeated=count["repeated"],
            paragraphs=count["paragraphs"],
            encoded=count["encoded"],
            reused=count["paragraphs"] - count["encoded"],
            refused=refused,
            elapsed_s=elapsed_s,
            generation=generation,
        )
