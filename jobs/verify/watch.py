"""Watch printed articles: store the verdicts on their quotations, and report the verdicts that a refresh of
the archive changed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from quotations.text.spoken import Spoken
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteCheck
from rostrum_core.whole_files import write_json

STATE: Final = ".rostrum-verdicts.json"
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class WatchedQuote:
    """Record a quotation in an article: its verdict, and the words of its source.

    `document` and `words` are those of the best source. `places` has the pair (document, words) for every
    possible source, the best first. It is not stored, so it is empty in the records of the last run.
    """

    article: str
    quote: str
    verdict: str
    document: str | None
    words: str | None
    places: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """Describe a quotation whose verdict or source changed.

    `before` has its earlier state and `after` the present one; `after` is `None` if the article no longer has
    the quotation. `is_kept` is true if the earlier source is still in the archive, with the same words.
    """

    before: WatchedQuote
    after: WatchedQuote | None
    is_kept: bool = False

    @property
    def reason(self) -> str:
        """Return the reason why the verdict or the source of the quotation changed, in a few words."""
        if self.after is None:
            return "the article has no such quotation any more"
        old, new = self.before.document, self.after.document
        if not old and new:
            return f"{new} reads “{self.after.words}”"
        if new != old and not self.is_kept:
            return f"{old} has these words no longer, or was taken down"
        if new != old and new:
            return f"{old} still has these words, but the best source is {new} now"
        if new and self.after.words != self.before.words:
            return f"the transcript reads “{self.after.words}” now, “{self.before.words}” before"
        return "the archive says something else about it"


@dataclass(frozen=True, slots=True)
class WatchState:
    """Hold the verdicts on the quotations of a folder of articles, and the archive generation that was
    searched.

    `articles` names every article that was read, also those without a quotation.
    """

    generation: str | None
    quotes: tuple[WatchedQuote, ...]
    articles: tuple[str, ...] = ()


def keep_quotes(article: str, checks: Iterable[QuoteCheck]) -> list[WatchedQuote]:
    """Convert the checks of the quotations in one article to the records that are stored."""
    return [
        WatchedQuote(
            article,
            check.row.quote,
            check.verdict.value,
            check.place.document if check.place else None,
            check.place.words if check.place else None,
            tuple((place.document, place.words) for place in check.places),
        )
        for check in checks
    ]


def find_changes(
    before: Sequence[WatchedQuote],
    after: Sequence[WatchedQuote],
    articles: Collection[str] = (),
    is_said: Callable[[str, str], bool] = lambda document, words: False,
) -> list[WatchedChange]:
    """Return the quotations whose verdict or source changed from `before` to `after`.

    Only articles that were read now are compared: those in `articles`, and those with a quotation in `after`.
    A quotation that is new in `after` is no change. If an article has a quotation several times, its first
    record in `before` is compared with the first in `after`, and so on.

    A new source alone is no change, as long as the earlier source still has the words. `is_said` returns
    whether a document of the archive has certain words.

    >>> was = WatchedQuote("a.md", "We go.", "verbatim", "x", "We go.")
    >>> now = WatchedQuote("a.md", "We go.", "not_found", None, None)
    >>> [change.reason for change in find_changes([was], [now])]
    ['x has these words no longer, or was taken down']
    """
    current = _number_occurrences(after)
    articles = {*articles, *(quote.article for quote in after)}
    changes = []
    for key, quote in _number_occurrences(before).items():
        if quote.article in articles:
            now = current.get(key)
            is_kept = now is not None and _is_source_kept(quote, now, is_said)
            if now is None or now.verdict != quote.verdict or not is_kept:
                changes.append(WatchedChange(quote, now, is_kept))
    return changes


def has_words(texts: Sequence[str], words: str) -> bool:
    """Return whether the consecutive paragraphs `texts` contain `words` in a row.

    Case, punctuation and stage directions are ignored.

    >>> has_words(["We choose [applause]", "to go to the moon."], "choose to go,")
    True
    >>> has_words([], "choose to go")
    False
    """
    keys, own = Spoken((words,)).keys, Spoken(tuple(texts)).keys
    return words in " ".join(texts) or f" {' '.join(keys)} " in f" {' '.join(own)} "


def _number_occurrences(quotes: Iterable[WatchedQuote]) -> dict[tuple[str, str, int], WatchedQuote]:
    """Return the records by (article, quotation, number).

    An article may have the same quotation several times. The number is 1 for the first time, then 2, 3, ...
    """
    counts: Counter[tuple[str, str]] = Counter()
    numbered = {}
    for quote in quotes:
        counts[quote.article, quote.quote] += 1
        numbered[quote.article, quote.quote, counts[quote.article, quote.quote]] = quote
    return numbered


def _is_source_kept(before: WatchedQuote, after: WatchedQuote, is_said: Callable[[str, str], bool]) -> bool:
    """Return whether the source of a quotation is still in the archive with the same words.

    If the quotation had no source before, return whether it still has none.
    """
    if before.document is None or before.words is None:
        return after.document is None
    source = (before.document, before.words)
    return source == (after.document, after.words) or source in after.places or is_said(*source)


def read_state(folder: Path) -> WatchState | None:
    """Read the stored verdicts on the articles in a folder; `None` if no verdicts are stored.

    Raises:
        BadInput: the file is damaged, or another version of Rostrum wrote it.
    """
    path = folder / STATE
    try:
        kept = json.loads(path.read_bytes())
        if kept["format"] != FORMAT:
            raise BadInput(f"{path} was written by another version: remove it to begin again")
        quotes = tuple(WatchedQuote(**quote) for quote in kept["quotes"])
        articles = kept.get("articles", [quote.article for quote in quotes])  # earlier versions kept no list
        return WatchState(kept["generation"], quotes, tuple(dict.fromkeys(articles)))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path} is damaged: {error}") from error


def write_state(folder: Path, state: WatchState) -> None:
    """Store the verdicts on the articles in a folder, as one file that is replaced atomically."""
    kept: Mapping[str, Any] = {
        "format": FORMAT,
        "generation": state.generation,
        "articles": list(state.articles),
        "quotes": [_build_row(quote) for quote in state.quotes],
    }
    write_json(folder / STATE, dict(kept))


def _build_row(quote: WatchedQuote) -> dict[str, Any]:
    row = asdict(quote)
    del row["places"]
    return row
