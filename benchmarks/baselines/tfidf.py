"""Run TF-IDF: the cosine of draft and paragraph, by scikit-learn.

    python -m benchmarks.baselines.tfidf --data DATA --runs RUNS

The idf is that of the paragraphs spoken before dev begins. The query is the draft's title and the last 40
words before the quote, the same as that of BM25 without text after the quote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.baselines.runs import RunRow, make, make_parser
from benchmarks.baselines.training_text import hash_spoken_files, list_spoken
from evaluation.pairs import Pair
from jobs.recommend.queries import build_paragraph_query
from quotations.text.transcript import Transcript
from rostrum_core.types import Draft


class TfIdf:
    """Score by term frequency and inverse document frequency, without English stop words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.vectorizer = TfidfVectorizer(stop_words="english").fit(texts)

    def __call__(self, transcript: Transcript, drafts: Sequence[Pair]) -> Iterator[RunRow]:
        """Yield a row for each draft."""
        paragraphs = self.vectorizer.transform(transcript.paragraphs)
        queries = self.vectorizer.transform([build_paragraph_query(Draft(p.title, p.left)) for p in drafts])
        for pair, scores in zip(drafts, (queries @ paragraphs.T).toarray(), strict=True):
            yield RunRow(pair, scores)


def main() -> None:
    """Run the command line of the script."""
    options = make_parser(__doc__).parse_args()
    make(options, "tf-idf", TfIdf(list_spoken(options.data)), hash_spoken_files(options.data))


if __name__ == "__main__":
    main()
