"""Run the saved drafts over a new generation, and compare their top results with those that readers see now.

This happens before the generation, a version of the archive, is published. Saved drafts are drafts for which
an operator watches the top results.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from textwrap import shorten
from typing import Protocol

from archive.canary.comparison import Comparison, compare_runs
from archive.canary.saved_drafts import CanaryRun, SavedDraft, SavedDrafts, TopResult
from reranker.models.loaded import Models
from rostrum_core.errors import BadInput, RostrumError
from rostrum_core.identifiers import hash_text
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Answer, Draft, Filter, Recommendation

LOG = logging.getLogger(__name__)

DEPTH = 20
"""Number of results of each draft, so that a result that moved down a little still has a rank."""

WORDS = 120
"""Number of characters by which a person recognises a paragraph."""

PARTS = ("encoder", "tokenizer", "ranker")
"""Model parts that determine the results."""


class Answering(Protocol):
    """Define what the comparison needs of a service: an archive, models, and answers to drafts.

    `archive.service.Service` has these.
    """

    @property
    def store(self) -> ParagraphStore:
        """Return the store of the archive."""

    @property
    def models(self) -> Models:
        """Return the models, with a hash for each part."""

    def recommend(self, draft: Draft, *, filter: Filter, limit: int) -> Answer:
        """Return the paragraphs that fit a draft, ranked."""


def run_drafts(
    service: Answering, drafts: Sequence[SavedDraft], tick: Callable[[], None] = lambda: None
) -> CanaryRun:
    """Run saved drafts over the generation that `service` reads, and return their top results.

    A draft has no results if the service rejects it, for example because its filter has the name of a speaker
    who is not in this generation. The callback `tick` is called before each draft.

    Raises:
        StoreError: the archive cannot be searched.
        TaskError, ModelError: the models cannot be run.
    """
    tops: dict[str, tuple[TopResult, ...]] = {}
    degraded: set[str] = set()
    models: dict[str, str] = {}
    generation = service.store.published()
    for saved in drafts:
        tick()
        try:
            answer = service.recommend(saved.draft, filter=saved.filter, limit=DEPTH)
        except BadInput as error:
            LOG.warning("the saved draft %r has no results: %s", saved.name, error)
            tops[saved.name] = ()
            continue
        tops[saved.name] = tuple(map(_describe_result, answer.recommendations))
        degraded.update(reason.partition(":")[0] for reason in answer.degraded)
        models = {part: answer.models.get(part, "") for part in PARTS}
    return CanaryRun(generation.name if generation else None, models, tops, tuple(sorted(degraded)))


def compare_with_published(
    service: Answering,
    candidate: Answering,
    saved_drafts: SavedDrafts,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Comparison, tuple[CanaryRun, Sequence[SavedDraft]]]:
    """Run the saved drafts with `candidate`, and compare the results with those that readers see.

    `service` is what readers use; `candidate` has a generation, or models, that are not in use yet. Return
    (comparison, (run, drafts)), where `run` has the results of `candidate` for `drafts`.

    The results that readers see are read from the record of the last publication. If this record is out of
    date, they are computed with `service`. If a stage of the computation is skipped, the old record is used
    after all. This happens, for example, if other models encoded the archive.

    Raises:
        StoreError, TaskError, ModelError: as `run_drafts`.
    """
    drafts = saved_drafts.read()
    after = run_drafts(candidate, drafts, tick)
    recorded = saved_drafts.read_last_run()
    if recorded is not None and _is_current(recorded, service, drafts):
        before = recorded
    else:
        live = run_drafts(service, drafts, tick)
        before = recorded if live.degraded and recorded is not None else live
    return compare_runs(drafts, before, after, _has_document(candidate.store)), (after, drafts)


def _is_current(recorded: CanaryRun, service: Answering, drafts: Sequence[SavedDraft]) -> bool:
    """Return whether recorded results are still what readers would get for all drafts.

    This is so if the generation and the models are the same, no stage was skipped, and no draft is missing.
    """
    published = service.store.published()
    is_same = published is not None and recorded.generation == published.name
    hashes = service.models.hashes
    return (
        is_same
        and not recorded.degraded
        and dict(recorded.models) == {part: hashes[part] for part in PARTS}
        and all(saved.name in recorded.tops for saved in drafts)
    )


def compare_safely(
    service: Answering,
    candidate: Answering,
    saved_drafts: SavedDrafts,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Comparison, tuple[CanaryRun, Sequence[SavedDraft]] | None]:
    """Return the comparison and the pair (run, drafts) of `compare_with_published`, but do not raise errors.

    If a `RostrumError` occurs, the comparison has its message as `reason`, and the pair is `None`.
    """
    try:
        return compare_with_published(service, candidate, saved_drafts, tick)
    except RostrumError as error:
        published = service.store.published()
        return Comparison(published.name if published else None, None, reason=str(error)), None


def _has_document(store: ParagraphStore) -> Callable[[str], bool]:
    return lambda document_id: any(True for _ in store.documents([document_id]))


def _describe_result(recommendation: Recommendation) -> TopResult:
    paragraph, document = recommendation.paragraph, recommendation.document
    return TopResult(
        paragraph.document_id,
        paragraph.ordinal,
        hash_text(paragraph.text),
        document.title,
        document.find_holder(paragraph),
        shorten(paragraph.text, WORDS, placeholder=" …"),
    )
