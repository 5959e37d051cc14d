"""The text that baselines without labels learn from: what was spoken before dev begins."""

from __future__ import annotations

from pathlib import Path

from rostrum.training.pairs import transcripts

DEV_BEGINS = "2016-10-01"
"""The day from which speeches are quoted by dev or test of the pairs that the shipped models learned from."""


def spoken_paragraphs(data: Path) -> list[str]:
    """Every paragraph of the transcripts dated before `DEV_BEGINS`; those without a date are left out."""
    return [
        text
        for transcript in transcripts(data / "documents.jsonl.gz").values()
        if transcript.spoken_on is not None and transcript.spoken_on < DEV_BEGINS
        for text in transcript.paragraphs
    ]
