"""Watch printed articles: store the verdicts on their quotations, and report the verdicts that a refresh of
the archive changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteCheck
from rostrum_core.whole_files import write_json

STATE: Final = ".rostrum-verdicts.json"
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class WatchedQuote:
    """Record a quotation in an article: its verdict, and the words of its source."""

    article: str
    quote: str
    verdict: str
    document: str | None
    words: str | None


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """Describe a quotation whose verdict or source changed; `after` is `None` if its article no longer has
    it.
    """

    before: WatchedQuote
    after: WatchedQuote | None

    @property
    def reason(self) -> str:
        """Return the reason why the verdict or the source of the quotation changed, in a few words."""
        if self.after is None:
            return "the article has no such quotation any more"
        if self.before.document and self.after.document != self.before.document:
            return f"{self.before.document} has these words no longer, or was taken down"
        if self.after.words != self.before.words:
            return f"the transcript reads “{self.after.words}” now, “{self.before.words}” before"
        return "the archive says something else about it"


@dataclass(frozen=True, slots=True)
class WatchState:
    """Hold the verdicts on the quotations of a folder of articles, and the archive generation that was
    searched.
    """

    generation: str | None
    quotes: tuple[WatchedQuote, ...]


def keep_quotes(article: str, checks: Iterable[QuoteCheck]) -> list[WatchedQuote]:
    """Convert the checks of the quotations in one article to the records that are stored."""
    return [
        WatchedQuote(
            article,
            check.row.quote,
            check.verdict.value,
            check.place.document if check.place else None,
            check.place.words if check.place else None,
        )
        for check in checks
    ]


def find_changes(before: Sequence[WatchedQuote], after: Sequence[WatchedQuote]) -> list[WatchedChange]:
    """Return the quotations whose verdict or source changed from `before` to `after`.

    A quotation that is new in `after` is no change. Articles that `after` lacks are skipped.

    >>> was = WatchedQuote("a.md", "We go.", "verbatim", "x", "We go.")
    >>> now = WatchedQuote("a.md", "We go.", "not_found", None, None)
    >>> [change.reason for change in find_changes([was], [now])]
    ['x has these words no longer, or was taken down']
    """
    now = {(quote.article, quote.quote): quote for quote in after}
    articles = {quote.article for quote in after}
    changes = []
    for quote in before:
        current = now.get((quote.article, quote.quote))
        if current is None and quote.article not in articles:
            continue
        if current != quote:
            changes.append(WatchedChange(quote, current))
    return changes


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
        return WatchState(kept["generation"], tuple(WatchedQuote(**quote) for quote in kept["quotes"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path} is damaged: {error}") from error


def write_state(folder: Path, state: WatchState) -> None:
    """Store the verdicts on the articles in a folder, as one file that is replaced atomically."""
    kept: Mapping[str, Any] = {
        "format": FORMAT,
        "generation": state.generation,
        "quotes": [asdict(quote) for quote in state.quotes],
    }
    write_json(folder / STATE, dict(kept))
