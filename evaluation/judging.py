"""Compute the scores of each stage (BM25, encoder, ranker) for all paragraphs of the transcript that a draft
quotes.

The scores are slow to compute and quick to combine, so they are saved as judged rows. Rows are judged
transcript by transcript with the product's own parts: encoder, ranker, and BM25 of the embedded store over
that transcript alone. Unlike in the product, the terms of long queries are not pruned, and paragraphs are
neither split nor cleaned. The weights that combine the scores are not used, so judged rows serve both to fit
these weights and to evaluate them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedded.lexical import LexicalIndex
from evaluation.pairs import Pair
from evaluation.row_file import RowFile
from jobs.recommend.queries import build_paragraph_query
from quotations.text.transcript import Transcript
from reranker.models.engines import Engine
from reranker.models.loaded import Models
from reranker.models.weights import hash_file
from reranker.models.wordpieces import WordPieces
from reranker.signals import BY_NAME, Context
from reranker.signals.neighbours import average_neighbours
from reranker.signals.paraphrase import place_candidates
from rostrum_core.candidates import make_columns
from rostrum_core.types import Candidate, Paragraph, Placing, Span, Tokens

Floats = NDArray[np.float64]
JUDGED_BY = "8"
"""Version of `judge`.

Increment it after a change of `judge` or of `variants`, so that old rows are not reused.
"""

KEPT_AT_ONCE = 100  # at most this many rows are lost to a kill
WORDED: tuple[str, ...] = ("begun", "announced", "retold", "fresh", "names")
ARRAYS = ("dense", "follows", "model", "span")


@dataclass(frozen=True, eq=False)
class JudgedRow:
    """Hold one draft, and several scores of each of the n paragraphs of the transcript that it quotes.

    Arrays are float64 (n,). `lexical` has n values of BM25, `None` for a paragraph without any word of the
    query. `dense` has the cosines of the encoder's vectors. `model` has the ranker's logits of the
    paragraphs. `spans` has the best span of each paragraph, and `span` the ranker's logits of these spans.
    `follows` and the arrays in `worded` (by name, see `WORDED`) are further signals, from the draft's words.
    """

    pair: Pair
    lexical: list[float | None]
    dense: Floats
    follows: Floats
    model: Floats
    span: Floats
    spans: tuple[Span, ...]
    worded: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def around(self) -> list[float | None]:
        """Return for each paragraph the mean BM25 of its neighbours; `None` if no neighbour has a score.

        Neighbours whose content the draft already retells are not counted.
        """
        count = len(self.lexical)
        lexical = np.array(self.lexical, np.float64)
        if "fresh" in self.worded:
            lexical[self.worded["fresh"] < 0] = np.nan
        scores = average_neighbours(lexical, np.zeros(count, np.int64), np.arange(count))
        return [None if np.isnan(score) else score for score in scores.tolist()]

    @property
    def relevant(self) -> set[int]:
        """Return the ordinals of the paragraphs that the draft quotes."""
        return {part.ordinal for part in self.pair.parts}


def judge(
    rows: Sequence[Pair],
    documents: dict[str, Transcript],
    models: Models,
) -> Iterator[JudgedRow]:
    """Yield a judged row, with the models' scores, for each pair.

    Pairs are grouped by transcript, so that each transcript is encoded once.
    """
    for document, group in groupby(sorted(rows, key=lambda r: (r.document, r.id)), lambda r: r.document):
        texts = list(documents[document].paragraphs)
        encodings = models.encoder.encodings(texts)
        tokens = [e.tokens for e in encodings]
        vectors = np.stack([e.vector for e in encodings])
        index = LexicalIndex.in_memory(texts)
        for pair in group:
            query = models.wordpieces.tokenise_query(pair.title, pair.left)
            columns, placings = read_draft_columns(pair, models.wordpieces, texts, tokens)
            ranked = models.ranker.rank(query, texts, tokens, placings)
            yield JudgedRow(
                pair,
                index.score_texts(build_paragraph_query(pair.draft)),
                (vectors @ models.encoder.encode_query(query)).astype(np.float64),
                columns["follows"],
                np.array([r.score for r in ranked], np.float64),
                np.array([r.span.score for r in ranked], np.float64),
                tuple(r.span for r in ranked),
                {name: columns[name] for name in WORDED},
            )


def read_draft_columns(
    pair: Pair, wordpieces: WordPieces, texts: Sequence[str], tokens: Sequence[Tokens]
) -> tuple[dict[str, Floats], list[Placing | None]]:
    """Compute the signals that depend on the draft's words, and placings, for n paragraphs of a document.

    `texts` and `tokens` are those of the paragraphs. The result has the values of each signal, (n,), by its
    name, and the placing of each paragraph. A placing gives the distances of a paragraph's WordPieces from
    words that the draft already quotes. It is `None` if there are no such distances.
    """
    rows = [
        Candidate(Paragraph("", "", i, text, 0, len(text)), of_text, {})
        for i, (text, of_text) in enumerate(zip(texts, tokens, strict=True))
    ]
    pieces = wordpieces.tokenise_draft(pair.title, pair.left, pair.right)
    context = Context(make_columns(rows), pair.draft, pieces)
    columns = {name: BY_NAME[name].column(context) for name in ("follows", *WORDED)}
    filled = {name: np.zeros(len(texts)) if column is None else column for name, column in columns.items()}
    placings = place_candidates(context)
    return filled, [placings.get(i) for i in range(len(texts))]


def name_judged_file(folder: Path, models: Models, *sources: Path) -> Path:
    """Return the path of the file with the judged rows (drafts with the scores of all stages).

    Every combination of models, sources, engine and version of `judge` has its own path.
    """
    hashes = models.hashes
    computed = (
        hashes["encoder"],
        hashes["ranker"],
        hashes["tokenizer"],
        *describe_engine(models.engine),
        JUDGED_BY,
    )
    parts = (*computed, *map(hash_file, sources))
    name = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]
    return folder / f"judged-{name}.jsonl.gz"


def describe_engine(engine: Engine) -> tuple[str, ...]:
    """Describe an engine by everything that determines its results: name and precision, and its device.

    The device is omitted if it is the CPU, for compatibility with older files.

    >>> describe_engine(Engine()), describe_engine(Engine("torch", "bfloat16", device="cuda"))
    (('onnxruntime', 'float32'), ('torch', 'bfloat16', 'cuda'))
    """
    return (engine.name, engine.precision, *([] if engine.device == "cpu" else [engine.device]))


def judge_rows(
    path: Path | None,
    chosen: Sequence[Pair],
    documents: dict[str, Transcript],
    models: Models,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[JudgedRow]:
    """Score, for each draft, all paragraphs of the transcript that it quotes; return the scores as rows.

    `chosen` are the drafts with their quotes; the rows have the same order. `path` is the file where rows
    are kept, as `name_judged_file` names it. Rows from an earlier run are reused. If the process is killed,
    the file stays intact.
    """
    return judge_rows_in(RowFile(path), chosen, documents, models, tell)


def judge_rows_in(
    file: RowFile,
    chosen: Sequence[Pair],
    documents: dict[str, Transcript],
    models: Models,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[JudgedRow]:
    """Judge rows as `judge_rows` does, but keep the results in `file`, which several calls may share.

    So a row that occurs in several calls is judged only once.
    """
    missing = sorted((p for p in chosen if p.id not in file), key=lambda p: (p.document, p.id))
    judged_count = len(chosen) - len(missing)
    for first in range(0, len(missing), KEPT_AT_ONCE):
        batch = missing[first : first + KEPT_AT_ONCE]
        for done, row in enumerate(judge(batch, documents, models), judged_count + first + 1):
            file.add(_serialise(row))
            tell(done, len(chosen))
        file.save()
    return [_read(pair, file[pair.id]) for pair in chosen]


def _serialise(judged: JudgedRow) -> dict[str, Any]:
    return {
        "id": judged.pair.id,
        "lexical": judged.lexical,
        **{name: getattr(judged, name).tolist() for name in ARRAYS},
        **{name: column.tolist() for name, column in judged.worded.items()},
        "spans": [(span.start_char, span.end_char) for span in judged.spans],
    }


def _read(pair: Pair, row: dict[str, Any]) -> JudgedRow:
    arrays = {name: np.array(row[name], np.float64) for name in ARRAYS}
    spans = tuple(
        Span(start, end, score) for (start, end), score in zip(row["spans"], row["span"], strict=True)
    )
    worded = {name: np.array(row[name], np.float64) for name in WORDED if name in row}
    return JudgedRow(pair, list(row["lexical"]), **arrays, spans=spans, worded=worded)
