"""Preview a refresh: compare the documents with the archive, but write nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from archive.refresh import Hashes, Observer, RefreshOptions, Split, hash_version, read_hashes, read_published
from rostrum_core.ports import ParagraphStore
from rostrum_core.refresh_jobs import Report
from rostrum_core.types import Document

KINDS = ("added", "replaced", "renewed", "unchanged", "deleted", "repeated", "paragraphs")


def preview(
    documents: Iterable[Document],
    store: ParagraphStore,
    split: Split,
    hashes: Hashes,
    options: RefreshOptions = RefreshOptions(),  # noqa: B008  frozen
    observer: Observer = Observer(),  # noqa: B008  frozen
) -> Report:
    """Return the report that `archive.refresh.refresh` would return, without encoding or writing anything.

    In the report, `paragraphs` counts the paragraphs of all documents that would be written. Existing
    encodings are not looked up, so `encoded` and `reused` are 0. Documents that the archive would refuse are
    counted as if they were written.

    Raises:
        StoreError: the archive cannot be read.
    """
    started = time.monotonic()
    published = read_published(store, options.fresh)
    before = read_hashes(published, store, options.fresh)
    foreign = published is not None and not hashes.has_made(published)
    count: Counter[str] = Counter()
    seen: set[str] = set()
    for document in documents:
        version = hash_version(document, hashes)
        if document.id in seen:
            kind = "repeated"
        elif before.get(document.id) == version:
            kind = "renewed" if foreign or options.fresh else "unchanged"
        else:
            kind = "replaced" if document.id in before else "added"
        seen.add(document.id)
        count[kind] += 1
        if kind in ("added", "replaced", "renewed"):
            count["paragraphs"] += len(split(document))
    refused = observer.count_refused()
    absent = len(before.keys() - seen)
    if options.fresh or (options.mirror and not refused):
        count["deleted"] += absent
    elif foreign:
        count["renewed"] += absent
    counts: dict[str, Any] = {kind: count[kind] for kind in KINDS}
    elapsed_s = time.monotonic() - started
    return Report(**counts, encoded=0, reused=0, refused=refused, elapsed_s=elapsed_s, generation=None)
