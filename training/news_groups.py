"""Build training groups from news quotations: a draft, and paragraphs composed of quotations of the same
article.

One paragraph contains the words that the draft quotes next, at a known place. So a ranker learns to choose
the paragraph and the words in it, as from aligned pairs, but without transcripts.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from evaluation.data import select_learnable_news
from evaluation.pairs import NewsQuote
from reranker.models.wordpieces import PARAGRAPH_TOKENS, WordPieces
from rostrum_core.errors import BadInput
from training.groups import Group, label_tokens
from training.recipe import RankerRecipe

MOST_QUOTES = 3  # in a paragraph: 22 words each on average, so that it is as long as one of a speech
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class NewsRow:
    """Hold a draft from a news article, the quotation that follows it, and the article's other quotations.

    `others` has no quotation that occurs in the draft.
    """

    title: str
    left: str
    quote: str
    others: tuple[str, ...]


class NewsGroups:
    """Build training groups from `count` news quotations of the folder `data`, sampled with `seed`.

    Without quotations there are no groups.
    """

    def __init__(self, data: Path, pieces: WordPieces, count: int, seed: int) -> None:
        self.wordpieces = pieces
        self.rows, self.strangers = draw_rows(select_learnable_news(data), count, seed) if count else ([], [])

    def group(self, row: NewsRow, negatives: int, chance: random.Random) -> Group:
        """Build a group: a draft, a paragraph with the words it quotes, and `negatives` other paragraphs.

        Each paragraph is made of 1 to 3 quotations from the draft's article. If the article has too few,
        quotations from other articles are added.
        """
        quoted, *others = self._deal(row, negatives, chance)
        at = chance.randint(0, len(quoted))
        before = join_sentences(quoted[:at])
        start = len(before) + bool(before)
        text = " ".join(filter(None, (before, join_sentences([row.quote]), join_sentences(quoted[at:]))))
        tokens, *rest = self.wordpieces.tokenise([text, *map(join_sentences, others)])
        window, first, last = label_tokens(tokens, start, start + len(row.quote.strip()))
        packed = [self.wordpieces.pack(t) for t in (window, *(t.cut(0, PARAGRAPH_TOKENS) for t in rest))]
        return Group(self.wordpieces.tokenise_query(row.title, row.left), tuple(packed), first, last)

    def _deal(self, row: NewsRow, negatives: int, chance: random.Random) -> list[list[str]]:
        """Distribute the article's other quotations to the paragraphs of a group: return a list for each.

        If the article has too few, quotations of other articles are added. The first list is shorter by one,
        because the caller adds the quotation that follows the draft to this paragraph.
        """
        sizes = [chance.randint(1, MOST_QUOTES) for _ in range(1 + negatives)]
        sizes[0] -= 1
        near = chance.sample(row.others, min(sum(sizes), len(row.others)))
        far = chance.choices(range(len(self.strangers)), k=sum(sizes) - len(near))
        pack = near + [self._find_stranger(row, at) for at in far]
        chance.shuffle(pack)
        return [[pack.pop() for _ in range(size)] for size in sizes]

    def _find_stranger(self, row: NewsRow, at: int) -> str:
        """Return a quotation of any article that differs from the row's and is not in the row's draft.

        Search all quotations, beginning at index `at`, and return the first such quotation; "" if there is
        none. Two quotations differ if neither contains the other.
        """
        draft = normalise_words(f"{row.title} {row.left}")
        following = (self.strangers[(at + i) % len(self.strangers)] for i in range(len(self.strangers)))
        return next(
            (
                quotation
                for quotation in following
                if _is_apart(normalise_words(quotation), draft, normalise_words(row.quote))
            ),
            "",
        )


def draw_rows(news: Sequence[NewsQuote], count: int, seed: int) -> tuple[list[NewsRow], list[str]]:
    """Sample training rows from news: return (at most `count` rows, all quotations), both in random order.

    A row is a draft, the quotation that follows it in the article, and other quotations of that article. A
    draft is left out if it already contains its quotation, or if there are no other quotations. The second
    result has every quotation in `news`, also those of drafts that were left out.
    """
    articles: dict[str, list[NewsQuote]] = defaultdict(list)
    for row in news:
        articles[row.article].append(row)
    every = [row for quoted in articles.values() for row in quoted]
    random.Random(seed).shuffle(every)
    compared = ((row, select_comparable_quotes(row, articles[row.article])) for row in every)
    rows = (NewsRow(row.title, row.left, row.quote, others) for row, others in compared if others)
    return list(islice(rows, count)), [row.quote for row in every]


def check_news(data: Path, recipe: RankerRecipe) -> None:
    """Raise `BadInput` if there are news quotations to train a ranker on, but too few to fill a batch.

    Without any news quotations, the ranker can be trained.
    """
    news = select_learnable_news(data)
    if not (recipe.news_rows and news):
        return
    drawn, _ = draw_rows(news, min(recipe.batch, recipe.news_rows), recipe.seed)
    if len(drawn) < recipe.batch:
        raise BadInput(
            f"{len(drawn)} news quotations with others of their article do not fill a batch of "
            f"{recipe.batch}: lower [ranker] batch, or news_rows to 0"
        )


def select_comparable_quotes(row: NewsQuote, article: Sequence[NewsQuote]) -> tuple[str, ...]:
    """Return the other quotations of a row's article with which the row's own quotation can be compared.

    A quotation is left out if it occurs in the draft, if it contains the row's own quotation, or if it is
    contained in that. Return an empty tuple if the draft already contains the row's own quotation.

    >>> rows = [NewsQuote("a", "", "", quote) for quote in ("we shall", "We shall!", "Never.")]
    >>> select_comparable_quotes(rows[0], rows)
    ('Never.',)
    >>> select_comparable_quotes(NewsQuote("a", "", "We shall.", "we shall"), rows)
    ()
    """
    draft, own = normalise_words(f"{row.title} {row.left}"), normalise_words(row.quote)
    if own in draft:
        return ()
    normalised = {quote.quote: normalise_words(quote.quote) for quote in article}
    return tuple(quote for quote, said in normalised.items() if _is_apart(said, draft, own))


def _is_apart(said: str, draft: str, own: str) -> bool:
    return said not in draft and said not in own and own not in said


def normalise_words(text: str) -> str:
    """Return the lower-case words of a text with a blank around each, for substring search.

    "We shall!" becomes " we shall ".
    """
    return f" {' '.join(WORD.findall(text.lower()))} "


def join_sentences(quotes: Sequence[str]) -> str:
    """Join quotations, with a full stop after each that ends with a word.

    >>> join_sentences(["we shall", "Never!"])
    'we shall. Never!'
    """
    stripped = [quote.strip() for quote in quotes]
    return " ".join(f"{sentence}." if sentence[-1:].isalnum() else sentence for sentence in stripped)
