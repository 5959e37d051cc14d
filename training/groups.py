"""Build the groups on which rankers are trained.

A group has a draft, the paragraph that the draft quotes, and other paragraphs of the same transcript.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.data import DOCUMENTS
from evaluation.pairs import Pair, read_pairs, read_transcripts
from quotations.text.transcript import Transcript
from reranker.models.wordpieces import PARAGRAPH_TOKENS, Ids, WordPieces, split_windows
from rostrum_core.types import Draft, Tokens
from training.negatives import Floats, select_hardest
from training.teacher import Teacher


@dataclass(frozen=True)
class Group:
    """Hold a draft and several paragraphs as token ids; the first paragraph is the one that the draft quotes.

    `start` and `end` are the indices of the quote's first and last WordPiece in the quoted paragraph; both
    are -1 if the place of the quote is unknown. `taught` has a teacher's scores of the paragraphs, if there
    is a teacher.
    """

    query: Ids
    paragraphs: tuple[Ids, ...]
    start: int = -1
    end: int = -1
    taught: tuple[float, ...] = ()


@dataclass(frozen=True)
class QuotedDraft:
    """Hold a draft, and where its quote is: the transcript, a paragraph's number and a range of characters.

    `quoted` has the numbers of all paragraphs from which the draft's quote is taken.
    """

    draft: Draft
    query: Ids
    document: str
    ordinal: int
    quoted: tuple[int, ...]
    start_char: int
    end_char: int


class GroupData:
    """Build training groups: a draft, the paragraph that it quotes, and other paragraphs of the transcript.

    They are built from aligned pairs (a draft and the place of its quote in a transcript). If a quoted
    paragraph is too long for the model, the window that contains the quote is used. Pairs that quote every
    paragraph of their transcript are left out.
    """

    def __init__(self, data: Path, split: str, pieces: WordPieces) -> None:
        self.documents = read_transcripts(data / DOCUMENTS)
        comparable = select_comparable(
            read_pairs(data / f"pairs-{split}.jsonl.gz", self.documents), self.documents
        )
        self.wordpieces = pieces
        self.tokens = {
            document: pieces.tokenise(list(self.documents[document].paragraphs))
            for document in sorted({pair.document for pair in comparable})
        }
        self.rows = [
            QuotedDraft(
                pair.draft,
                pieces.tokenise_query(pair.title, pair.left),
                pair.document,
                part.ordinal,
                tuple(p.ordinal for p in pair.parts),
                part.start_char,
                part.end_char,
            )
            for pair in comparable
            for part in pair.parts
        ]

    def pack(self, document: str) -> list[Ids]:
        """Return the paragraphs of a transcript as token ids, cut to the model's length."""
        return [self.wordpieces.pack(tokens.cut(0, PARAGRAPH_TOKENS)) for tokens in self.tokens[document]]

    def group(
        self,
        row: QuotedDraft,
        negatives: int,
        chance: random.Random,
        hard: Floats | None = None,
        teacher: Teacher | None = None,
    ) -> Group:
        """Build the group of a draft: its quoted paragraph, and `negatives` other paragraphs.

        The other paragraphs are sampled from those of the transcript that the draft does not quote. If there
        are too few, some are repeated. If `hard` (n,), the hardness of each paragraph, is passed, only the
        hardest paragraphs are sampled. With `teacher`, the group also has the teacher's scores.
        """
        tokens = self.tokens[row.document]
        others = select_hardest([i for i in range(len(tokens)) if i not in row.quoted], hard, negatives)
        picked = (
            chance.sample(others, negatives)
            if len(others) >= negatives
            else chance.choices(others, k=negatives)
        )
        window, start, end = label_tokens(tokens[row.ordinal], row.start_char, row.end_char)
        texts = [window, *(tokens[i].cut(0, PARAGRAPH_TOKENS) for i in picked)]
        taught: tuple[float, ...] = ()
        if teacher is not None:
            paragraphs = self.documents[row.document].paragraphs
            taught = teacher(row.draft, [paragraphs[i] for i in (row.ordinal, *picked)])
        return Group(row.query, tuple(self.wordpieces.pack(t) for t in texts), start, end, taught)


def select_comparable(pairs: Sequence[Pair], documents: Mapping[str, Transcript]) -> list[Pair]:
    """Return the pairs whose transcript also has a paragraph that is not quoted, for comparison."""
    return [pair for pair in pairs if len(pair.parts) < len(documents[pair.document].paragraphs)]


def label_tokens(tokens: Tokens, start_char: int, end_char: int) -> tuple[Tokens, int, int]:
    """Return (window, first, last): the window of a paragraph with most of its quote, and the place of the
    quote in the window.

    `start_char` and `end_char` locate the quote in the paragraph. `first` and `last` are the indices of the
    quote's first and last WordPiece, counted with [CLS] as 0. Both are -1 if the paragraph does not overlap
    the quote. The ranker reads long paragraphs in the same windows. If several windows have equally much of
    the quote, the first is returned.
    """
    touching = np.flatnonzero((tokens.ends > start_char) & (tokens.starts < end_char))
    if not len(touching):
        return tokens.cut(0, PARAGRAPH_TOKENS), -1, -1
    first, last = int(touching[0]), int(touching[-1])

    def count_inside(window: tuple[int, int]) -> int:
        return min(last + 1, window[1]) - max(first, window[0])

    begin, stop = max(split_windows(len(tokens)), key=count_inside)
    return tokens.cut(begin, stop), 1 + max(first, begin) - begin, min(last + 1, stop) - begin
