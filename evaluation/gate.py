"""Decide whether candidate models are better than those in use: the gate of `rostrum models publish`.

Both versions judge the same rows (drafts with a known quote) in the same run, and are compared four times by
a paired permutation test. A version's fusion is the set of weights that combine its scores. Two comparisons
use mean average precision:

- *refitted*: fit each version's fusion on half of the speeches and judge the fusion on the other half, then
  swap the halves. So all rows are used, and no row is judged by weights that were fitted on that row.
- *as they are*: use the published fusions, on the rows on which neither fusion was fitted.

The other two comparisons use F1 and exact match of the *spans* in the quoted paragraphs. These do not depend
on the fusion. The candidate passes if at least one comparison proves it better. But it fails if it ranks
worse with its published fusion, or if its spans are proven worse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from random import Random

import numpy as np

from evaluation.data import TRAIN
from evaluation.fit import fit_within, make_row
from evaluation.fitted_rows import list_fitted_rows
from evaluation.judging import JudgedRow, judge_rows, name_judged_file
from evaluation.metrics import compute_f1, match_exactly, run_permutation_test
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from evaluation.score_table import Floats, Row, ScoreTable
from evaluation.tallies import span_text
from evaluation.verdict import Comparison, Verdict
from quotations.text.transcript import Transcript
from reranker.fusion import FusionWeights
from reranker.models.loaded import Models
from reranker.models.weights import hash_file
from rostrum_core.errors import BadInput

SPLITS = 6  # number of splits into halves; one split alone would depend too much on chance


def compare(
    candidate: Models,
    in_use: Models,
    pairs_path: Path,
    documents_path: Path,
    *,
    limit: int | None = None,
    seed: int = 0,
    keep: Path | None = None,
    tell: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Verdict:
    """Judge candidate models against the models in use, and return the verdict.

    It compares the two by four measures. Both rank the paragraphs for the rows of `pairs_path`, or for
    `limit` of these rows, sampled with `seed`. A row is a draft with a known quote from a speech in
    `documents_path`. Rows are left out if one of the two was trained on the speech that they quote.

    `keep` is a folder of results: those in the folder are reused, new ones are added. `tell` is called with
    the name of the models that rank, the number of rows done, and the number of all rows.

    Raises:
        BadInput: a file cannot be read, or has no rows; a version was trained on rows of `pairs_path`;
            or no row is left. Also if the rows that are left quote only one speech, or if all of them were
            used to fit the fusion of a version.
    """
    documents = read_transcripts(documents_path)
    every = read_pairs(pairs_path, documents)
    if not every:
        raise BadInput(f"{pairs_path.name} has no row to judge by")
    unfitted = {row.id for row in select_held_out(every, pairs_path, candidate, in_use)}
    unseen = select_unseen(every, documents, pairs_path, candidate, in_use)
    rows = sample_pairs(unseen, limit, seed)
    for group, description in (
        (unseen, pairs_path.name),
        (rows, f"the {len(rows)} rows of {pairs_path.name} drawn"),
    ):
        if unfitted.isdisjoint(row.id for row in group):
            raise BadInput(f"{description}: no row to judge by on which no fusion was fitted")
        if len({row.document for row in group}) < 2:
            raise BadInput(f"{description}: rows of one speech only, which cannot be halved")
    apart = np.array([row.id in unfitted for row in rows], bool)
    speeches = [row.document for row in rows]

    def judge(models: Models, what: str) -> list[JudgedRow]:
        path = None if keep is None else name_judged_file(keep, models, pairs_path, documents_path)
        return judge_rows(path, rows, documents, models, lambda done, of: tell(what, done, of))

    ours = measure(judge(candidate, "candidate"), documents, candidate.fusion)
    theirs = measure(judge(in_use, "in use"), documents, in_use.fusion)
    unfitted_speeches = list(compress(speeches, apart))
    return Verdict(
        compare_values("map", ours.refitted, theirs.refitted, speeches),
        compare_values("map", ours.as_it_is[apart], theirs.as_it_is[apart], unfitted_speeches),
        compare_values("f1", ours.span_f1, theirs.span_f1, speeches),
        compare_values("em", ours.span_em, theirs.span_em, speeches),
    )


@dataclass(frozen=True)
class RowValues:
    """Hold four figures on one version of the models for each row (a draft): arrays of float64 (rows,).

    `as_it_is` is the average precision with the version's published fusion (the weights of its scores).
    `refitted` is the average precision with a fusion that was fitted on other speeches. `span_f1` and
    `span_em` are F1 and exact match of the predicted spans.
    """

    refitted: Floats
    as_it_is: Floats
    span_f1: Floats
    span_em: Floats


def measure(
    judged: Sequence[JudgedRow], documents: Mapping[str, Transcript], fusion: FusionWeights
) -> RowValues:
    """Compute the quality of one version of the models for each row, a draft with a known quote.

    `judged` are the rows with the scores by this version. `fusion` are its published weights of the scores.
    """
    texts = [documents[row.pair.document].paragraphs for row in judged]
    rows = [make_row(row, paragraphs) for row, paragraphs in zip(judged, texts, strict=True)]
    table = ScoreTable(rows)
    spans = [
        (span_text(row, sorted(row.relevant), paragraphs), row.pair.join_quoted(paragraphs))
        for row, paragraphs in zip(judged, texts, strict=True)
    ]
    return RowValues(
        cross_fit(rows, [row.pair.document for row in judged]),
        table.compute_precisions(table.fuse(fusion)),
        np.array([compute_f1(cut, quoted) for cut, quoted in spans], np.float64),
        np.array([match_exactly(cut, quoted) for cut, quoted in spans], np.float64),
    )


def compare_values(measure: str, candidate: Floats, in_use: Floats, speeches: Sequence[str]) -> Comparison:
    """Compare two versions by a paired permutation test over their values of one measure.

    `candidate` and `in_use` have the value of each row, and `speeches` the speech that the row quotes. Rows
    that quote the same speech depend on each other, so the test treats them as one group.
    """
    p_value = run_permutation_test(candidate.tolist(), in_use.tolist(), speeches)
    means = float(candidate.mean()), float(in_use.mean())
    return Comparison(measure, len(candidate), len(set(speeches)), *means, p_value)


def cross_fit(rows: Sequence[Row], speeches: Sequence[str]) -> Floats:
    """Return the average precision of each row, (rows,), with weights that were fitted on other speeches.

    The speeches are split at random into halves, `SPLITS` times. The rows of each half are judged with
    weights that were fitted on the other half. The result is the mean over all splits.
    """
    table, names = ScoreTable(rows), sorted(set(speeches))
    total = np.zeros(len(rows))
    for split in range(SPLITS):
        chosen = Random(split).sample(names, len(names) // 2)
        half = np.isin(speeches, chosen)
        for fitted, judged in ((half, ~half), (~half, half)):
            weights = fit_within(list(compress(rows, fitted)))
            total[judged] += table.compute_precisions(table.fuse(weights))[judged]
    return total / SPLITS


def select_unseen(
    rows: list[Pair], documents: Mapping[str, Transcript], pairs_path: Path, *versions: Models
) -> list[Pair]:
    """Return the rows whose quoted speech is in the training data of none of some versions of the models.

    The manifests of the versions list their training speeches. `pairs_path` is named in the error.

    Raises:
        BadInput: if no row is left.
    """
    learned = {
        digest for models in versions for digest in models.manifest.content.get("trained_speeches", ())
    }
    unlearned = [row for row in rows if documents[row.document].fingerprint not in learned]
    if rows and not unlearned:
        raise BadInput(f"{pairs_path.name} quotes speeches alone that were trained on: judge by others")
    return unlearned


def select_held_out(rows: list[Pair], pairs_path: Path, *versions: Models) -> list[Pair]:
    """Return the rows of a file that were not used to fit the fusion (weights of the scores) of any version.

    The manifests and the fusion weights record which rows were used.

    Raises:
        BadInput: a version was trained on some rows of the file.
    """
    file, fingerprints = hash_file(pairs_path), {row.fingerprint for row in rows}
    for models in versions:
        manifest = models.manifest.content
        if manifest.get("data", {}).get(TRAIN) == file or not fingerprints.isdisjoint(
            manifest.get("trained_on", ())
        ):
            raise BadInput(
                f"{pairs_path.name} has rows that {manifest['name']} was trained on: judge by others"
            )
    seen = {fitted for models in versions for fitted in list_fitted_rows(models, rows, file)}
    return [row for row in rows if row.fingerprint not in seen]
