"""Build rows of training pairs: the text of an article around a quotation, and the character range of the
quoted words in the transcript.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from indexer.characters import normalise_line
from jobs.align.articles import Article
from quotations.matching.verification import Match
from quotations.text.extraction import Quotation
from quotations.text.sentences import split_sentences
from quotations.text.words import split_words
from rostrum_core.identifiers import hash_text

LEFT_WORDS = RIGHT_WORDS = 100
ID_DIGITS = 12
BETWEEN = " \t\n,.;:!?\"'”’»›"  # of a quotation and the words after it


class Rows:
    """Build the rows of training data for the quotations in one article."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self._sentences = split_sentences(article.text)

    def build_row(self, quotation: Quotation, match: Match) -> dict[str, Any]:
        """Return the row of training data for a quotation and its match in a speech.

        `lead_in` is the beginning of the quotation's sentence, up to the quotation mark. `left` has the whole
        sentences before that sentence, at most `LEFT_WORDS` words in all. If the last of them alone is
        longer, `left` has only its last words. `right` has at most `RIGHT_WORDS` words after the quotation.
        `repeated` is true if the article's title or `left` also contains the words of the quotation.
        """
        article, place = self.article, match.place
        left, lead_in = self._read_left(quotation.opened_at)
        quote = normalise_line(" ".join(article.text[start:end] for start, end in quotation.parts))
        return {
            "id": hash_text(f"{article.id}\x1f{quotation.opened_at}\x1f{quote}")[:ID_DIGITS],
            "article": article.id,
            "title": article.title,
            "left": left,
            "lead_in": lead_in,
            "right": self._read_right(quotation.end_char),
            "published": article.published,
            "outlet": article.outlet,
            "quote": quote,
            "document": place.document,
            "paragraph": place.paragraph,
            "last_paragraph": place.last_paragraph,
            "start": place.start_char,
            "end": place.end_char,
            "exact": match.exact,
            "coverage": round(match.coverage, 3),
            "repeated": is_quoted_in(quote, article.title) or is_quoted_in(quote, left),
        }

    def _read_left(self, opened_at: int) -> tuple[str, str]:
        """Return the sentences before the sentence of a quotation, and the beginning of that sentence.

        `opened_at` is the offset of the opening quotation mark. The beginning ends at this mark.
        """
        number = bisect_right(self._sentences, opened_at, key=lambda sentence: sentence[0]) - 1
        start = self._sentences[number][0]
        lead_in = normalise_line(self.article.text[start:opened_at])
        left: list[str] = []
        for first, end in reversed(self._sentences[:number]):
            sentence = self.article.text[first:end].split()
            if len(left) + len(sentence) > LEFT_WORDS:
                break
            left = sentence + left
        if not left and number:
            first, end = self._sentences[number - 1]
            left = self.article.text[first:end].split()[-LEFT_WORDS:]
        return " ".join(left), lead_in

    def _read_right(self, end_char: int) -> str:
        """Return the words after a quotation that ends at `end_char`, at most `RIGHT_WORDS`.

        Punctuation and closing quotation marks at the beginning are dropped: "”, he said." -> "he said.".
        """
        following = self.article.text[end_char:].lstrip(BETWEEN)
        return " ".join(following.split(maxsplit=RIGHT_WORDS)[:RIGHT_WORDS])


def is_quoted_in(quote: str, text: str) -> bool:
    """Return whether a text has all words of a quotation, one after the other.

    >>> is_quoted_in("We choose to go.", "“We choose to go,” he said"), is_quoted_in("go", "gone")
    (True, False)
    """
    quoted, within = (" ".join(word.key for word in split_words(part)) for part in (quote, text))
    return f" {quoted} " in f" {within} "
