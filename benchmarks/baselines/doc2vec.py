"""Run Doc2Vec: the cosine of the vectors that gensim infers for draft and paragraph.

    PYTHONHASHSEED=0 python -m benchmarks.baselines.doc2vec --data DATA --runs RUNS

Inference starts from Python's hash of the words, so only a set PYTHONHASHSEED repeats a run exactly. The
model is trained on the paragraphs spoken before dev begins.

Source: "Distributed Representations of Sentences and Documents" (ICML 2014), distributed bag of words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from gensim.models.doc2vec import Doc2Vec, TaggedDocument
from numpy.typing import NDArray

from benchmarks.baselines.runs import RunRow, make, make_parser
from benchmarks.baselines.training_text import hash_spoken_files, list_spoken
from evaluation.metrics import split_words
from evaluation.pairs import Pair
from quotations.text.transcript import Transcript

WIDTH = 200
EPOCHS = 10
MIN_COUNT = 5  # gensim's own


def train(texts: Sequence[str], seed: int, *, min_count: int = MIN_COUNT, epochs: int = EPOCHS) -> Doc2Vec:
    """Train a model of the texts; with one worker and one seed, the result is reproducible."""
    tagged = [TaggedDocument(split_words(text), [i]) for i, text in enumerate(texts)]
    return Doc2Vec(tagged, dm=0, vector_size=WIDTH, min_count=min_count, epochs=epochs, seed=seed, workers=1)


class Doc2VecRanker:
    """Score by the cosine of inferred vectors; the draft is title and left context."""

    def __init__(self, model: Doc2Vec) -> None:
        self.model = model

    def __call__(self, transcript: Transcript, drafts: Sequence[Pair]) -> Iterator[RunRow]:
        """Yield a row for each draft."""
        paragraphs = self.infer_vectors(transcript.paragraphs)
        for pair in drafts:
            draft = self.infer_vectors([f"{pair.title} {pair.left}"])[0]
            yield RunRow(pair, (paragraphs @ draft).astype(np.float64))

    def infer_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return inferred vectors (n, width) of length 1, or 0 for a text without words."""
        inferred = np.stack([self._infer(split_words(text)) for text in texts])
        unit: NDArray[np.float32] = inferred / np.maximum(
            np.linalg.norm(inferred, axis=1, keepdims=True), 1e-9
        )
        return unit

    def _infer(self, text: list[str]) -> NDArray[np.float32]:
        if not text:
            return np.zeros(WIDTH, np.float32)  # gensim would return a random one
        self.model.random.seed(self.model.seed)
        vector: NDArray[np.float32] = self.model.infer_vector(text)
        return vector


def main() -> None:
    """Run the command line of the script."""
    arguments = make_parser(__doc__)
    arguments.add_argument("--seed", type=int, default=7)
    options = arguments.parse_args()
    model = train(list_spoken(options.data), options.seed)
    make(
        options,
        "doc2vec",
        Doc2VecRanker(model),
        {"epochs": EPOCHS, **hash_spoken_files(options.data)},
        options.seed,
    )


if __name__ == "__main__":
    main()
