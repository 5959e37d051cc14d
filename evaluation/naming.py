"""Map short names of figures to names for readers, such as "bm25" to "BM25"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reranker.signals import SIGNALS

SYSTEMS = {
    "bm25": "BM25",
    "dense": "encoder",
    "ranker": "ranker alone",
    "fusion": "BM25 and encoder",
    "first_stage": "first stage",
    "model": "Rostrum",
}
PARTS = {signal.name: signal.label for signal in SIGNALS} | {"model": "ranker", "span": "span"}
MEASURES = {
    "map": "mAP",
    "mrr": "MRR",
    "acc@1": "Acc@1",
    "acc@3": "Acc@3",
    "acc@5": "Acc@5",
    "em": "EM",
    "f1": "F1",
}
SETTINGS = {"positive": "pos"}
ROWS = {"ranking": SYSTEMS, "error_distance": SYSTEMS, "p_values": SYSTEMS, "contributions": PARTS}

Rows = Mapping[str, Mapping[str, float]]


def name_rows(group: str, rows: Rows) -> Rows:
    """Rename the rows and columns of a group of figures for readers; names without a mapping stay unchanged.

    >>> name_rows("ranking", {"model": {"map": 47.5}}), name_rows("spans", {"positive": {"em": 16.0}})
    ({'Rostrum': {'mAP': 47.5}}, {'pos': {'EM': 16.0}})
    """
    of_rows = ROWS.get(group, SETTINGS)
    of_columns = SYSTEMS if group == "p_values" else MEASURES
    return {
        of_rows.get(name, name): {of_columns.get(column, column): value for column, value in row.items()}
        for name, row in rows.items()
    }


def name_all(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Rename the rows and columns of all groups of figures for readers, such as "bm25" to "BM25".

    Figures outside a group, such as "n", stay unchanged.
    """
    return {
        group: name_rows(group, rows) if isinstance(rows, Mapping) else rows
        for group, rows in figures.items()
    }
