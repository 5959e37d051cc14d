"""Encode gaps (the texts around a missing quote) and quotes as vectors, on workers.

Two models encode them: the quote model, and the encoder of drafts and paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import split_batches
from rostrum_core.errors import ModelError
from rostrum_core.ports import Runner

MODEL_PARTS = ("famous", "encoder", "tokenizer")
"""Model parts that determine the vectors."""

BATCH_CHARACTERS = 16_384  # of quotes of similar length in one task: a second or two
TASK_GAPS = 32
"""Gaps in one task: about a second."""

NEAREST_WORDS = 40
"""Words on each side of the gap that the encoder reads, as many as in the training of the quote model."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Vectors:
    """Hold the vectors of n quotes, or of n gaps (places in a text where a quote is wanted).

    `own` are the vectors of the model for well-known quotes. `general` are those of the encoder of drafts
    and paragraphs. `draft` are those of the same encoder if it reads the text before each gap as a draft;
    `None` if they were not requested. All are float32 (n, width), with rows of length 1.
    """

    own: Floats
    general: Floats
    draft: Floats | None = None


class QuoteEncoder:
    """Encode gaps (the texts around a missing quote) and quotes on the workers of a runner.

    `hashes` are the hashes of the worker's model parts, by name.

    Raises:
        ModelError: the models have no part for this job.
    """

    def __init__(self, runner: Runner, hashes: Mapping[str, str]) -> None:
        lacking = [part for part in MODEL_PARTS if part not in hashes]
        if lacking:
            raise ModelError(f"these models have no part {lacking[0]!r}, which famous quotes need")
        self._runner = runner
        self.hashes = {part: hashes[part] for part in MODEL_PARTS}

    def encode_gaps(
        self, sides: Sequence[tuple[str, str]], *, draft: bool = False, timeout_s: float
    ) -> Vectors:
        """Encode gaps, each given as (text before it, text after it), and return their vectors.

        If `draft` is true, the text before each gap is also encoded as a draft is (see `Vectors`).

        Raises:
            TaskError: the vectors did not come back in time.
        """
        cut = [list(cut_sides(left, right)) for left, right in sides]
        payloads = [
            {"sides": cut[first : first + TASK_GAPS], "draft": draft}
            for first in range(0, len(cut), TASK_GAPS)
        ]
        answers = self._runner.run("famous_gaps", payloads, timeout_s=timeout_s)
        names = ("own", "general", "draft") if draft else ("own", "general")
        return Vectors(*(np.concatenate([answer[name] for answer in answers]) for name in names))

    def encode_quotes(
        self, texts: Sequence[str], descriptions: Sequence[str], *, timeout_s: float
    ) -> Vectors:
        """Encode quotes, and return two vectors for each, in order.

        One is made by the quote model from `texts`, the words of the quotes. The other is made by the encoder
        of drafts and paragraphs from `descriptions`, which also name author, work and themes.

        Raises:
            TaskError: the vectors did not come back in time.
        """
        cuts = split_batches([len(text) for text in descriptions], BATCH_CHARACTERS)
        payloads = [
            {"texts": [texts[at] for at in cut], "descriptions": [descriptions[at] for at in cut]}
            for cut in cuts
        ]
        answers = self._runner.run("famous_quotes", payloads, timeout_s=timeout_s)
        order = np.argsort([at for cut in cuts for at in cut])
        own, general = (
            np.concatenate([answer[name] for answer in answers])[order] for name in ("own", "general")
        )
        return Vectors(own, general)


def cut_sides(left: str, right: str) -> tuple[str, str]:
    """Shorten the texts before and after a gap to the `NEAREST_WORDS` words next to the gap.

    >>> left, right = cut_sides("one " * 50 + "two", "three  four")
    >>> len(left.split()), left.split()[-2:], right
    (40, ['one', 'two'], 'three four')
    """
    return " ".join(left.split()[-NEAREST_WORDS:]), " ".join(right.split()[:NEAREST_WORDS])
