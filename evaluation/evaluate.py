"""Compute the figures of `rostrum evaluate`: ranking and spans over aligned quotations, and ablations.

Every paragraph of the quoted transcript is scored with the product's own parts (see `evaluation.judging`),
and the scores are combined as in the product.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from archive.service import Service
from evaluation.archive_wide import ANSWERED_BY, judge_answers, summarise_outcomes
from evaluation.fitted_rows import list_fitted_rows
from evaluation.judging import JudgedRow, describe_engine, judge_rows_in, name_judged_file
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from evaluation.row_file import RowFile
from evaluation.tallies import Tally, compute_figures, measure_contributions, tally
from evaluation.variants import (
    compare_part,
    compare_variants,
    list_ablations,
    list_draft_parts,
    vary_rows,
)
from quotations.text.transcript import Transcript
from reranker.fusion import FusionWeights
from reranker.models.loaded import Models
from reranker.models.weights import hash_file
from rostrum_core.errors import BadInput

Tell = Callable[[str, int, int], None]
"""Function that reports progress: the step, the number of drafts done, and the number of all."""


@dataclass(frozen=True)
class Evaluation:
    """Hold the figures as `rostrum evaluate --json` prints them, and the judged drafts they come from."""

    figures: dict[str, Any]
    judged: Sequence[JudgedRow]
    documents: Mapping[str, Transcript]
    weights: FusionWeights
    tally: Tally


class Evaluator:
    """Measure models over the rows of a file of pairs (a draft and the place of its quote).

    Rows marked `repeated`, whose draft contains the quote, are left out. If a folder `keep` is passed, the
    models' scores for each row are saved in that folder, so that an interrupted run can resume.

    Raises:
        BadInput: if a file cannot be read, or has no row to evaluate.
    """

    def __init__(
        self,
        pairs_path: Path,
        documents_path: Path,
        models: Models,
        *,
        limit: int | None = None,
        seed: int = 0,
        keep: Path | None = None,
        tell: Tell = lambda what, done, of: None,
    ) -> None:
        self._models, self._keep, self._tell = models, keep, tell
        self._sources = (pairs_path, documents_path)
        self._documents = read_transcripts(documents_path)
        self._pairs = read_pairs(pairs_path, self._documents, right=True)
        self._sample = sample_pairs(self._pairs, limit, seed)
        if not self._sample:
            raise BadInput(f"{pairs_path.name} has no row to evaluate")
        self._rows = [replace(row, right="") for row in self._sample]

    @property
    def learned(self) -> int:
        """Return the number of rows that quote a speech on which the models were trained.

        The models' manifest names these speeches. The figures of such rows are too good.
        """
        speeches = set(self._models.manifest.content.get("trained_speeches", ()))
        return sum(self._documents[row.document].fingerprint in speeches for row in self._rows)

    @property
    def fitted(self) -> int:
        """Return the number of rows that were used to fit the weights of the ranking.

        The figures of these rows are slightly too good.
        """
        fitted = set(list_fitted_rows(self._models, self._pairs, hash_file(self._sources[0])))
        return sum(row.fingerprint in fitted for row in self._rows)

    def evaluate(
        self, *, service: Service | None = None, ablated: bool = False, parts: bool = False
    ) -> Evaluation:
        """Measure how well the models rank the paragraphs of the quoted transcript and choose spans in them.

        The drafts end before the sentence that contains the quote.

        With a `service`, answers from its whole archive are measured, too. With `ablated`, shortened drafts
        are compared with full drafts. With `parts`, drafts that include the beginning of the quoting sentence
        or the text after the quote are compared with drafts that do not.

        Raises:
            BadInput: if the archive holds none of the quoted speeches, or was built with other models.
        """
        began = time.monotonic()
        if service is not None:
            self._check_archive(service)
        judged = self._judge(self._rows, "drafts judged")
        result = tally(judged, self._documents, self._models.fusion)
        figures = {
            "n": len(judged),
            **compute_figures(result),
            "contributions": measure_contributions(judged, self._documents, self._models.fusion),
        }
        if ablated:
            figures["ablations"] = self._compute_ablations(result)
        if parts:
            figures |= self._compute_draft_parts()
        if service is not None:
            figures["archive"] = self._judge_archive(service)
        figures["seconds"] = round(time.monotonic() - began, 1)
        return Evaluation(figures, judged, self._documents, self._models.fusion, result)

    def _check_archive(self, service: Service) -> None:
        """Raise `BadInput` if the archive has none of the quoted speeches, or was built with other models."""
        published, hashes = service.store.published(), service.models.hashes
        if published and (published.encoder, published.tokenizer) != (hashes["encoder"], hashes["tokenizer"]):
            raise BadInput("the archive was encoded by other models: rostrum index encodes it again")
        quoted = sorted({row.document for row in self._rows})
        if not any(True for _ in service.store.documents(quoted)):
            raise BadInput(f"the archive holds none of the {len(quoted)} speeches that are quoted")

    def _judge(self, rows: Sequence[Pair], what: str) -> list[JudgedRow]:
        return judge_rows_in(
            self._file, rows, self._documents, self._models, lambda n, of: self._tell(what, n, of)
        )

    @cached_property
    def _file(self) -> RowFile:
        """Return the file that stores the models' scores for the rows, so that later runs can reuse them."""
        return RowFile(name_judged_file(self._keep, self._models, *self._sources) if self._keep else None)

    def _compute_ablations(self, full: Tally) -> dict[str, dict[str, float]]:
        changes = list_ablations(self._models.wordpieces)
        rows = [row for name, change in changes.items() for row in vary_rows(self._rows, name, change)]
        judged, count = self._judge(rows, "shortened drafts judged"), len(self._rows)
        tallies = {
            name: tally(judged[i * count : (i + 1) * count], self._documents, self._models.fusion)
            for i, name in enumerate(changes)
        }
        return compare_variants({"full": full, **tallies})

    def _compute_draft_parts(self) -> dict[str, dict[str, dict[str, float]]]:
        """Measure how much an optional part of a draft improves the ranking.

        An example is the text after the quote. The drafts that have it are ranked with it and without it.
        Return the figures of `compare_part` for each part that at least one draft has.
        """

        def compute(rows: Sequence[Pair], what: str) -> Tally:
            return tally(self._judge(rows, what), self._documents, self._models.fusion)

        return {
            name: compare_part(
                compute(part.without, "drafts judged"), compute(part.whole, f"drafts with the {name} judged")
            )
            for name, part in list_draft_parts(self._sample).items()
            if part.whole
        }

    def _judge_archive(self, service: Service) -> dict[str, dict[str, float]]:
        judged = judge_answers(
            self._rows,
            self._documents,
            service,
            RowFile(self._locate_outcomes(service)),
            lambda n, of: self._tell("drafts asked of the archive", n, of),
        )
        return summarise_outcomes(judged)

    def _locate_outcomes(self, service: Service) -> Path | None:
        """Return the path at which answers are saved; `None` if they are not saved.

        Its name has a hash of the models, weights, files and archive.
        """
        if self._keep is None:
            return None
        published = service.store.published()
        models = service.models
        computed = (models.hashes, *describe_engine(models.engine), ANSWERED_BY)
        parts = (*computed, models.fusion, published, *map(hash_file, self._sources))
        name = hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:16]
        return self._keep / f"answers-{name}.jsonl.gz"


def select_manifest_figures(quality: Mapping[str, Any]) -> dict[str, Any]:
    """Select the figures that the manifest of models stores, from a result of `benchmarks.quality`.

    These are the numbers of rows, and the figures of the ranking and of the models' spans.
    """
    return {name: quality[name] for name in ("n", "rows", "ranking")} | {"spans": quality["spans"]["model"]}
