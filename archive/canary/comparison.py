"""Compare two runs of the saved drafts: which top results stayed, and which were lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from archive.canary.saved_drafts import CanaryRun, SavedDraft, TopResult

TOP = 5
"""Number of results of each draft that are compared: those that a writer sees without scrolling."""

LEAST_KEPT = 0.6
"""Minimum share of the top results that must stay; otherwise the draft fails."""


@dataclass(frozen=True, slots=True)
class LostResult:
    """Describe a result of a draft that is no longer among the first `TOP` results.

    `rank` is its current rank, from 1, or `None` if it is not among the results. `deleted` is true if the
    archive no longer has the document.
    """

    result: TopResult
    rank: int | None
    deleted: bool


@dataclass(frozen=True, slots=True)
class DraftChange:
    """Describe how the top results of one saved draft changed.

    `before` is the number of earlier top results; a new draft has none. `kept` of them are still top results.
    `missing` are documents that the draft expects among the top results, but that are not there. They count
    as a failure, unless all of them were missing from the earlier results as well (`were_missing`).
    """

    name: str
    kept: int
    before: int
    is_first_kept: bool
    lost: tuple[LostResult, ...] = ()
    added: tuple[TopResult, ...] = ()
    missing: tuple[str, ...] = ()
    were_missing: bool = False

    @property
    def passed(self) -> bool:
        """Return whether enough top results stayed, and no expected document has newly dropped
        out of them.
        """
        return (not self.missing or self.were_missing) and self.kept >= LEAST_KEPT * self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold how the top results of every saved draft changed between two generations or two sets of models.

    `before` and `after` are the names of the generations. If the runs cannot be compared, `reason` says why
    and `changes` is empty.
    """

    before: str | None
    after: str | None
    changes: tuple[DraftChange, ...] = ()
    reason: str = ""

    @property
    def passed(self) -> bool:
        """Return whether every draft kept enough top results; false if the runs could not be compared."""
        return not self.reason and all(change.passed for change in self.changes)

    def describe(self) -> str:
        """Return a summary of the comparison in one line."""
        if self.reason:
            return f"saved drafts were not compared: {self.reason}"
        failed = [change for change in self.changes if not change.passed]
        if not failed:
            return f"saved drafts: {len(self.changes)} compared, all keep their top results"
        names = ", ".join(_describe_change(change) for change in failed)
        return f"saved drafts: {len(failed)} of {len(self.changes)} changed: {names}"


def compare_runs(
    drafts: Sequence[SavedDraft],
    before: CanaryRun,
    after: CanaryRun,
    has_document: Callable[[str], bool] = lambda document_id: True,
) -> Comparison:
    """Compare the top results of saved drafts in two runs, an earlier and a later one.

    `has_document` returns whether the archive of the later run has a document. Runs that skipped different
    stages, such as the ranker, cannot be compared.
    """
    if before.degraded != after.degraded:
        stages = "; ".join(after.degraded or before.degraded)
        return Comparison(before.generation, after.generation, reason=f"stages were skipped: {stages}")
    changes = tuple(
        _compare_draft(draft, before.tops.get(draft.name, ()), after.tops.get(draft.name, ()), has_document)
        for draft in drafts
    )
    return Comparison(before.generation, after.generation, changes)


def _compare_draft(
    draft: SavedDraft,
    before: Sequence[TopResult],
    after: Sequence[TopResult],
    has_document: Callable[[str], bool],
) -> DraftChange:
    old, new = before[:TOP], after[:TOP]
    ranks = {result.key: rank for rank, result in enumerate(after, 1)}
    is_new = {result.key for result in new} - {result.key for result in old}
    lost = [result for result in old if ranks.get(result.key, TOP + 1) > TOP]
    missing = _find_missing(draft, new)
    return DraftChange(
        draft.name,
        kept=len(old) - len(lost),
        before=len(old),
        is_first_kept=not old or ranks.get(old[0].key) == 1,
        lost=tuple(
            LostResult(result, ranks.get(result.key), not has_document(result.document_id)) for result in lost
        ),
        added=tuple(result for result in new if result.key in is_new),
        missing=missing,
        were_missing=bool(old) and set(missing) <= set(_find_missing(draft, old)),
    )


def _find_missing(draft: SavedDraft, results: Sequence[TopResult]) -> tuple[str, ...]:
    documents = {result.document_id for result in results}
    return tuple(name for name in draft.expect if name not in documents)


def _describe_change(change: DraftChange) -> str:
    if change.missing and not change.were_missing:
        return f"{change.name} (without {', '.join(change.missing)})"
    return f"{change.name} (keeps {change.kept} of {change.before})"
