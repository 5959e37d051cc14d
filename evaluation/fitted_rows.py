"""Identify the rows on which the fusion of models (the weights that combine their scores) was fitted."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evaluation.data import DEV
from evaluation.pairs import Pair, sample_pairs
from reranker.models.files import FUSION
from reranker.models.loaded import Models


def list_fitted_rows(models: Models, rows: Sequence[Pair], file: str) -> list[str]:
    """Return the fingerprints of the rows on which the models' fusion was fitted.

    A fingerprint identifies a row in any file. Older models have no fingerprints: they record only the file,
    and the size and seed of a sample of its rows. For them, the sample is drawn again from `rows`, which are
    all rows of the file whose SHA-256 is `file`. If they record another file, the result is empty.
    """
    fitted_on = json.loads((models.manifest.folder / FUSION).read_text("utf-8")).get("fitted_on") or {}
    if "fingerprints" in fitted_on or not fitted_on:
        return list(fitted_on.get("fingerprints", ()))
    if models.manifest.content.get("data", {}).get(DEV) != file:
        return []
    return [row.fingerprint for row in sample_pairs(list(rows), fitted_on["rows"], fitted_on["seed"])]
