"""Prepare batches to train the encoder on news articles and speeches, without aligned pairs.

A row has a text of an article or a speech, and the text that follows it there.
Rows are sampled in couples: two rows of the same article or speech. The two rows of a couple are mostly in
the same batch, where they are hard negatives of each other.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from evaluation.data import DEV, DOCUMENTS, select_learnable_news
from evaluation.pairs import NewsQuote, read_pairs, read_transcripts
from quotations.text.transcript import Transcript
from reranker.models.wordpieces import PARAGRAPH_TOKENS, Ids, WordPieces
from rostrum_core.errors import BadInput
from training.recipe import EncoderRecipe

Couple = tuple[Ids, Ids]
"""Token ids of a draft, and of the text after it."""

QUOTE_TOKENS = 96
CONTEXT_PARAGRAPHS = 5  # before the next one; a query takes its last tokens
Row = TypeVar("Row")


def batch_news(data: Path, pieces: WordPieces, recipe: EncoderRecipe) -> list[list[Couple]]:
    """Return batches of rows from news: a draft, and the quotation that follows the draft.

    If there are no news quotations, there are no batches.
    """
    articles: dict[str, list[NewsQuote]] = defaultdict(list)
    for row in select_learnable_news(data):
        articles[row.article].append(row)
    picked = draw_couples(articles.values(), recipe.news_rows, random.Random(recipe.seed))
    quotes = pieces.tokenise([row.quote for row in picked])
    return cut_batches(
        [
            (pieces.tokenise_query(row.title, row.left), pieces.pack(quote.cut(0, QUOTE_TOKENS)))
            for row, quote in zip(picked, quotes, strict=True)
        ],
        recipe.news_batch,
    )


def batch_speeches(data: Path, pieces: WordPieces, recipe: EncoderRecipe) -> list[list[Couple]]:
    """Return batches of training rows from speeches: a draft, and the paragraph to find for the draft.

    The draft consists of a speech's title and some consecutive paragraphs. The paragraph to find is the next
    one of the same speech. Only speeches older than every speech that dev quotes are used.

    Raises:
        BadInput: if there are no such speeches.
    """
    speeches = select_older_than_dev(data)
    places = [[(speech, at) for at in range(1, len(speech.paragraphs))] for speech in speeches]
    picked = draw_couples(places, recipe.speech_rows, random.Random(recipe.seed))
    following = pieces.tokenise([speech.paragraphs[at] for speech, at in picked])
    return cut_batches(
        [
            (
                pieces.tokenise_query(
                    speech.title, " ".join(speech.paragraphs[max(0, at - CONTEXT_PARAGRAPHS) : at])
                ),
                pieces.pack(paragraph.cut(0, PARAGRAPH_TOKENS)),
            )
            for (speech, at), paragraph in zip(picked, following, strict=True)
        ],
        recipe.news_batch,
    )


def check_unaligned(data: Path, recipe: EncoderRecipe) -> None:
    """Check that the encoder's training phases without aligned pairs have enough rows.

    An aligned pair is a draft and the paragraph that it quotes. One of the phases without such pairs uses
    paragraphs of older speeches, the other uses news quotations. Each phase needs at least `news_batch` rows,
    a full batch. A phase is not checked if the recipe gives it 0 rows, or if there are no news quotations
    for it.

    Raises:
        BadInput: if a phase has too few rows; for example, if no speech is older than all that dev quotes.
    """
    counts: dict[str, int] = {}
    if recipe.speech_rows:
        following = sum(max(0, len(speech.paragraphs) - 1) for speech in select_older_than_dev(data))
        counts["paragraphs of speeches"] = min(recipe.speech_rows, following)
    if news := min(recipe.news_rows, len(select_learnable_news(data))):
        counts["news quotations"] = news
    for what, count in counts.items():
        if count < recipe.news_batch:
            raise BadInput(
                f"{count} {what} do not fill a batch of {recipe.news_batch}: lower [encoder] news_batch"
            )


def select_older_than_dev(data: Path) -> list[Transcript]:
    """Return the speeches older than all speeches that dev quotes, so that dev stays unseen in training.

    Speeches without a date are left out.

    Raises:
        BadInput: if there are no older speeches.
    """
    documents = read_transcripts(data / DOCUMENTS)
    quoted = [documents[pair.document].spoken_on for pair in read_pairs(data / DEV, documents)]
    first = min((day for day in quoted if day), default="")
    earlier = [speech for speech in documents.values() if speech.spoken_on and speech.spoken_on < first]
    if not earlier:
        raise BadInput(
            "no speech is older than the first that dev quotes, so there is none to learn from"
            " (an encoder needs none where [encoder] speech_rows is 0)"
        )
    return earlier


def draw_couples(groups: Iterable[list[Row]], count: int, chance: random.Random) -> list[Row]:
    """Sample at most `count` rows, in couples from the same group, and return them in a flat list.

    The two rows of a couple follow each other in the list. A group of odd size contributes one single row.
    """
    couples = []
    for group in groups:
        chance.shuffle(group)
        couples += [group[i : i + 2] for i in range(0, len(group), 2)]
    chance.shuffle(couples)
    return [row for couple in couples for row in couple][:count]


def cut_batches(rows: Sequence[Couple], size: int) -> list[list[Couple]]:
    """Split rows into batches of `size`, dropping an incomplete last one."""
    return [list(rows[i : i + size]) for i in range(0, len(rows) - size + 1, size)]
