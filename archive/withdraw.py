"""Delete documents by publishing a generation without them."""

from __future__ import annotations

from collections.abc import Sequence

from archive.refresh import prune
from rostrum_core.errors import NothingPublished, Overtaken
from rostrum_core.ports import ParagraphStore


def withdraw(document_ids: Sequence[str], store: ParagraphStore, *, base: str | None = None) -> str:
    """Delete documents by publishing a generation without them, and return its name.

    Unknown ids are ignored. All other documents stay as in the published generation. The unfinished
    generation of an interrupted refresh is discarded. With `base`, the call fails unless the generation of
    this name is published.

    Raises:
        Overtaken: another generation than `base` is published.
        ArchiveBusy: another writer is at work.
        NothingPublished: there is no published generation.
        StoreError: the archive cannot be written.
    """
    try:
        before = store.published()
        if before is None:
            raise NothingPublished("nothing is published")
        generation = store.begin(encoder=before.encoder, tokenizer=before.tokenizer, resume=False).name
        published = store.published()  # no other writer can publish from here on
        if base is not None and (published is None or published.name != base):
            raise Overtaken(f"another generation than {base} was published meanwhile: run this one again")
        store.delete(generation, document_ids)
        store.publish(generation)
        prune(store)
    finally:
        store.close()
    return generation
