"""Takes documents out of the archive: a generation without them is published."""

from __future__ import annotations

from collections.abc import Sequence

from rostrum.archive.refresh import prune
from rostrum_core.errors import NothingPublished
from rostrum_core.ports import ParagraphStore


def withdraw(document_ids: Sequence[str], store: ParagraphStore) -> str:
    """The name of the generation that is published without these documents; an unknown id is no error.

    It is what was published but for them, whatever models encoded it: what an interrupted refresh left
    unfinished is gone.

    Raises:
        ArchiveBusy: another writer is at work.
        NothingPublished: there is nothing to take out of.
        StoreError: the archive cannot be written.
    """
    try:
        before = store.published()
        if before is None:
            raise NothingPublished("nothing is published")
        generation = store.begin(encoder=before.encoder, tokenizer=before.tokenizer, resume=False).name
        store.delete(generation, document_ids)
        store.publish(generation)
        prune(store)
    finally:
        store.close()
    return generation
