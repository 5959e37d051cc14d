"""Takes documents out of the archive: a generation without them is published."""

from __future__ import annotations

from collections.abc import Sequence

from rostrum.core.ports import ParagraphStore
from rostrum.service.refresh import Hashes, prune


def withdraw(document_ids: Sequence[str], store: ParagraphStore, hashes: Hashes) -> str:
    """The name of the generation that is published without these documents; an unknown id is no error.

    It is what was published but for them: what an interrupted refresh left unfinished is gone.

    Raises:
        ArchiveBusy: another writer is at work.
        StoreError: the archive cannot be written, or other models encoded it.
    """
    try:
        generation = store.begin(encoder=hashes.encoder, tokenizer=hashes.tokenizer, resume=False).name
        store.delete(generation, document_ids)
        store.publish(generation)
        prune(store)
    finally:
        store.close()
    return generation
