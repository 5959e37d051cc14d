"""Puts the parts together: the only place that asks which mode Rostrum runs in.

Today there is one mode, embedded and inline; stores and runners on servers join here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict

from embedded.store import EmbeddedStore
from indexer.paragraphs import SPLITTER, split
from reranker.models import Models
from rostrum.core.ports import ParagraphStore, Runner
from rostrum.core.settings import Settings
from rostrum.core.types import Answer, Document, Draft, Encoding, Filter, Paragraph
from rostrum.service.recommend import Recommender
from rostrum.service.refresh import Hashes, Progress, Report, refresh
from rostrum.service.shipped import shipped
from workers.inline import InlineRunner
from workers.payloads import encodings_of

ENCODE_TIMEOUT_S = 3600.0


class Service:
    """Every job over one archive."""

    def __init__(self, settings: Settings, store: ParagraphStore, runner: Runner, models: Models) -> None:
        self.settings, self.store, self.runner, self.models = settings, store, runner, models

    def recommend(
        self,
        draft: Draft,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        candidates: int | None = None,
        timeout_s: float | None = None,
    ) -> Answer:
        """Ranked paragraphs for a draft; what is not given is as the settings say.

        Raises:
            BadInput: the draft is empty.
            StoreError: there is no archive, or it cannot be searched.
        """
        hashes = self.models.hashes
        recommender = Recommender(
            self.store,
            self.runner,
            self.models.fusion,
            encoder=hashes.encoder,
            tokenizer=hashes.tokenizer,
            models=asdict(hashes),
        )
        return recommender.recommend(
            draft,
            filter=filter or Filter(),
            limit=limit,
            candidates=self.settings.candidates if candidates is None else candidates,
            timeout_s=self.settings.timeout_s if timeout_s is None else timeout_s,
        )

    def refresh(
        self,
        documents: Iterable[Document],
        *,
        fresh: bool = False,
        mirror: bool = False,
        refused: Callable[[], int] = lambda: 0,
        progress: Callable[[Progress], None] = lambda _: None,
    ) -> Report:
        """Brings the archive up to date with `documents`: see `rostrum.service.refresh.refresh`."""
        hashes = Hashes(self.models.hashes.encoder, self.models.hashes.tokenizer, SPLITTER)
        return refresh(
            documents,
            self.store,
            self._encode,
            self._split,
            hashes=hashes,
            fresh=fresh,
            mirror=mirror,
            refused=refused,
            progress=progress,
        )

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        answers = self.runner.run("encode", [{"texts": list(texts)}], timeout_s=ENCODE_TIMEOUT_S)
        return encodings_of(answers[0])

    def _split(self, document: Document) -> tuple[Paragraph, ...]:
        return split(document, count_tokens=self._count_tokens)

    def _count_tokens(self, text: str) -> int:
        return len(self.models.wordpieces.pieces([text])[0])


def open_store(settings: Settings) -> ParagraphStore:
    """The archive alone, for what needs no model.

    Raises:
        StoreError: the archive's folder cannot be used.
    """
    return EmbeddedStore(settings.archive)


def assemble(settings: Settings) -> Service:
    """The service that the settings ask for. Models are loaded when they are first needed.

    Raises:
        ModelError: the weights are missing, damaged or foreign.
        StoreError: the archive's folder cannot be used.
    """
    models = Models(settings.models or shipped("models"), threads=settings.threads)
    return Service(settings, open_store(settings), InlineRunner(lambda: models), models)
