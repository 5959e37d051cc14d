"""Rank a caller's texts for a draft with the ranker alone, without an archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass

from indexer import characters
from jobs.ranking_tasks import judge
from reranker.models.loaded import Models
from reranker.models.wordpieces import WordPieces
from reranker.signals.following import find_quoted
from rostrum_core.candidates import make_columns
from rostrum_core.deadline import check_deadline, get_left_s, limit_time
from rostrum_core.errors import BadInput
from rostrum_core.ports import Runner
from rostrum_core.types import Candidate, Draft, Paragraph, Placing, Span, Tokens

MOST_PIECES = 4096
"""Most WordPieces that are read of a text: twenty times what the ranker sees at once, and about a second of
work.
"""

LONGEST_PIECE = 8
"""Most characters per WordPiece that are tokenised.

English has 4.5 on average; text beyond that is not read.
"""

LONGEST_READ = MOST_PIECES * LONGEST_PIECE
LONGEST_WORD = 100
"""Most characters of a word that is tokenised.

Within this distance of a cut, WordPieces may differ from those of the whole text.
"""

BATCH_CHARACTERS = 100_000
"""Characters that are tokenised between two checks of the deadline: about 60 ms."""

BATCH_PIECES = 50_000
"""WordPieces that are compared with the query between two checks of the deadline."""

WORD_GOES_ON = 2
"""Characters after the last WordPiece that show whether its word continues, as "don" does in "don't"."""

LEAST_SCORE = -100.0
"""Score of a text without a word, so that it comes last: logits of the ranker lie within some tens of 0."""


@dataclass(frozen=True, slots=True)
class RerankedText:
    """Hold the score of a caller's text and its `span`, the words worth quoting.

    The score is a logit, comparable within one draft only. A text of only blanks or invisible characters has
    the score `LEAST_SCORE`, and its `span` is `None`. `span` is also `None` if only the beginning of a long
    text was read, and this beginning has no whole word.
    """

    score: float
    span: Span | None


@dataclass(frozen=True, slots=True)
class RerankResult:
    """Hold the score and span of each text, in the order of the texts.

    `pieces` is the number of WordPieces that were read from the query and the texts.
    """

    texts: tuple[RerankedText, ...]
    pieces: int


def parse_query(query: str) -> Draft:
    r"""Parse a query as a draft: its first line is the title, the rest the text before the quote.

    A query of one line is taken as text before the quote, because the ranker reads more of that than of a
    title. Characters are normalised as in speeches. A line break at the end does not make a title.

    >>> parse_query("The Moon\nHe said:\nwe") == Draft("The Moon", "He said:\nwe")
    True
    >>> parse_query("He said\n") == Draft("", "He said")
    True
    """
    title, newline, left = characters.normalise(query).rstrip("\n").partition("\n")
    return Draft(title=title, left=left) if newline else Draft(left=title)


def rerank(
    draft: Draft,
    texts: Sequence[str],
    *,
    runner: Runner,
    models: Models,
    timeout_s: float,
    most_pieces: int = MOST_PIECES,
    truncate: bool = True,
) -> RerankResult:
    """Return the score of each text for a draft, and the words worth quoting in each text.

    Of each text, only the first `most_pieces` WordPieces are read.

    Raises:
        BadInput: the draft is empty, or a text is longer than `most_pieces` and `truncate` is false.
        DeadlineExceeded: `timeout_s` passed before all texts were ranked.
        TaskError: the work did not come back.
        ModelError: the models cannot be loaded.
    """
    if not (draft.title + draft.left).strip():
        raise BadInput("the query is empty", field="query")
    with limit_time(timeout_s):
        return _rerank(draft, texts, runner, models, min(most_pieces, MOST_PIECES), truncate)


def _rerank(
    draft: Draft, texts: Sequence[str], runner: Runner, models: Models, most: int, truncate: bool
) -> RerankResult:
    query = models.wordpieces.tokenise_query(draft.title, draft.left)
    every = _read(texts, models.wordpieces, most, truncate=truncate)
    worded = [i for i, tokens in enumerate(every) if len(tokens) and _is_seen(texts[i])]
    reranked = [RerankedText(LEAST_SCORE, None)] * len(texts)
    if not worded:
        return RerankResult(tuple(reranked), len(query))
    tokens = [every[i] for i in worded]
    cut_texts = [texts[i][: int(every[i].ends[-1]) + WORD_GOES_ON] for i in worded]
    placings = _find_placings(draft, cut_texts, tokens, models.wordpieces)
    check_deadline("rank")
    batch_tokens = models.engine.rank_tokens
    judged = judge(
        runner, query, cut_texts, tokens, placings, batch_tokens=batch_tokens, timeout_s=get_left_s()
    )
    for i, score, span in zip(worded, judged.model, judged.spans, strict=True):
        # Beyond the last piece a word goes on, and no word before it is whole.
        is_read = span.end_char <= int(every[i].ends[-1])
        reranked[i] = RerankedText(float(score), span if is_read else None)
    return RerankResult(tuple(reranked), len(query) + sum(map(len, tokens)))


def _is_seen(text: str) -> bool:
    """Return whether a text has any visible character."""
    return any(character.isprintable() and not character.isspace() for character in text)


def _find_placings(
    draft: Draft, texts: Sequence[str], tokens: Sequence[Tokens], wordpieces: WordPieces
) -> list[Placing | None]:
    """Return for each text how far its WordPieces are from the words of the text that the draft quotes.

    The result is `None` for a text from which the draft quotes nothing. Each text is treated as a document of
    its own.
    """
    pieces = wordpieces.tokenise_draft(draft.title, draft.left, draft.right)
    by_text: list[Placing | None] = []
    for batch in _split_batches(tokens, BATCH_PIECES):
        check_deadline("compare with the query")
        names = [f"{i:08}" for i in batch]  # in the order of the texts
        rows = [
            Candidate(Paragraph(name, name, 0, texts[i], 0, len(texts[i])), tokens[i], {})
            for name, i in zip(names, batch, strict=True)
        ]
        placings = find_quoted(pieces, make_columns(rows)).placings
        by_text += [placings.get(row) for row in range(len(rows))]
    return by_text


def _split_batches(sized: Sequence[Sized], most: int) -> Iterator[range]:
    """Split items into batches, and yield the range of indices of each batch.

    A batch ends with the item at which the total length of its items reaches `most`.

    >>> list(_split_batches(["ab", "c", "def"], 3))
    [range(0, 2), range(2, 3)]
    """
    start = size = 0
    for i, item in enumerate(sized):
        size += len(item)
        if size >= most:
            yield range(start, i + 1)
            start, size = i + 1, 0
    if start < len(sized):
        yield range(start, len(sized))


def _tokenise(wordpieces: WordPieces, texts: Sequence[str]) -> list[Tokens]:
    """Split texts into WordPieces in batches, and check the deadline before each batch."""
    tokens: list[Tokens] = []
    for batch in _split_batches(texts, BATCH_CHARACTERS):
        check_deadline("tokenise")
        tokens += wordpieces.tokenise([texts[i] for i in batch])
    return tokens


def _read(texts: Sequence[str], wordpieces: WordPieces, most: int, *, truncate: bool) -> list[Tokens]:
    """Return the first `most` WordPieces of each text.

    Only the beginning of a long text is tokenised. This gives the same WordPieces as the whole text.

    Raises:
        BadInput: a text is longer than `most` WordPieces, and `truncate` is false.
    """
    longest = most * LONGEST_PIECE + LONGEST_WORD
    pieces = _tokenise(wordpieces, [text[:longest] for text in texts])
    cut = [i for i, text in enumerate(texts) if len(text) > longest]
    unsure = [i for i in cut if len(pieces[i]) < most or pieces[i].ends[most - 1] > longest - LONGEST_WORD]
    for i, tokens in zip(
        unsure, _tokenise(wordpieces, [texts[i][:LONGEST_READ] for i in unsure]), strict=True
    ):
        pieces[i] = tokens
    if not truncate:
        for text, tokens in zip(texts, pieces, strict=True):
            if len(text) > LONGEST_READ or len(tokens) > most:
                raise BadInput(f"a text has more than {most} WordPieces, and may not be truncated")
    return [tokens.cut(0, most) for tokens in pieces]
