"""Run an alignment: read articles and transcripts, match the quotations with the transcripts, and write
training pairs and a report on every quotation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.files import resolve_path
from indexer.formats import Refused
from indexer.metadata import NOT_RENAMED
from indexer.paragraphs import CountTokens
from jobs.align.articles import Article, read_articles
from jobs.align.outcomes import find_outcomes
from jobs.align.output import name_partial_file, write_json_lines
from jobs.align.transcripts import read_transcripts
from quotations.matching.quotation_matches import Matcher
from quotations.matching.word_index import WordIndex
from quotations.text.transcript import Transcript
from rostrum_core.errors import BadInput, PassedOver, TranscriptError

Write = Callable[[dict[str, Any]], None]


@dataclass(slots=True)
class Summary:
    """Count the files and rows that an alignment run has read, its training pairs, and its quotations by
    outcome ("exact", "edited" or the reason why there is no pair).
    """

    transcripts: int = 0
    articles: int = 0
    pairs: int = 0
    refused: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Targets:
    """Name the files to write: the training pairs, the transcripts to which the pairs refer, and a report on
    every quotation.
    """

    pairs: Path
    transcripts: Path | None = None
    report: Path | None = None

    def list_paths(self) -> tuple[Path | None, ...]:
        """Return the paths of pairs, transcripts and report; `None` stands for a file that is not to be
        written.
        """
        return self.pairs, self.transcripts, self.report


class Run:
    """Match the quotations in articles with transcripts, which are first cleaned by the rules of
    `boilerplate`.

    If the articles use other field names, `fields` maps these names to the usual ones: {"body": "text"}.
    `tell` is called with the summary so far after each article or transcript read.
    """

    def __init__(
        self,
        *,
        count_tokens: CountTokens,
        refused: Refused,
        tell: Callable[[Summary], None] = lambda _: None,
        boilerplate: Boilerplate = NO_RULES,
        fields: Mapping[str, str] = NOT_RENAMED,
    ) -> None:
        self.summary = Summary()
        self._count_tokens, self._on_refused, self._tell = count_tokens, refused, tell
        self._boilerplate, self._fields = boilerplate, fields

    def align(
        self, articles: Sequence[Path], documents: Sequence[Path], targets: Targets, *, days: int | None
    ) -> Summary:
        """Match the quotations in all articles with the transcripts, and write the files `targets` at the
        end.

        The target files are never read as input, even if they lie in a folder of the input. A quotation is
        only matched with speeches given at most `days` days before its article; if `days` is `None`, with all
        speeches.

        Raises:
            BadInput: a path does not exist, a target is an input or another target, or there is no
                transcript or no article to read.
            OSError: a target cannot be written.
        """
        _check([*articles, *documents], targets)
        with ExitStack() as files:
            write_pair, write_document, write_line = (
                files.enter_context(write_json_lines(path)) if path else _discard
                for path in targets.list_paths()
            )
            own = [file for path in targets.list_paths() if path for file in (path, name_partial_file(path))]
            index = WordIndex(self._read_transcripts(documents, own, write_document))
            _check_any(self.summary.transcripts, "transcript", documents, "documents")
            for outcome in find_outcomes(self._read_articles(articles, own), Matcher(index, days=days)):
                self.summary.outcomes[outcome.describe()] += 1
                write_line(outcome.build_line())
                if outcome.row:
                    self.summary.pairs += 1
                    write_pair(outcome.row)
            _check_any(self.summary.articles, "article", articles, "articles")
        return self.summary

    def _read_transcripts(
        self, paths: Sequence[Path], own: Sequence[Path], write: Write
    ) -> Iterator[Transcript]:
        read = read_transcripts(
            paths,
            count_tokens=self._count_tokens,
            refused=self._count_refused,
            leave_out=own,
            boilerplate=self._boilerplate,
        )
        for self.summary.transcripts, transcript in enumerate(read, 1):
            self._tell(self.summary)
            write(transcript.build_row())
            yield transcript

    def _read_articles(self, paths: Sequence[Path], own: Sequence[Path]) -> Iterable[Article]:
        read = read_articles(paths, refused=self._count_refused, leave_out=own, fields=self._fields)
        for self.summary.articles, article in enumerate(read, 1):
            self._tell(self.summary)
            yield article

    def _count_refused(self, error: TranscriptError) -> None:
        self.summary.refused += not isinstance(error, PassedOver)
        self._on_refused(error)


def _check(read: Sequence[Path], targets: Targets) -> None:
    """Raise BadInput if an input path does not exist, or if a file to write would overwrite an input or
    another file to write.
    """
    for path in read:
        if not path.exists():
            raise BadInput(f"{path} is not there", field="paths")
    taken = set(map(resolve_path, read))
    for path in filter(None, targets.list_paths()):
        if resolve_path(path) in taken:
            raise BadInput(
                f"{path} cannot be written: it is read, or written, as something else", field="targets"
            )
        taken.add(resolve_path(path))


def _check_any(count: int, what: str, read: Sequence[Path], field: str) -> None:
    """Raise BadInput if `count`, the number of texts read, is 0, for example because a folder is not mounted.

    This keeps existing target files from being overwritten with empty ones.
    """
    if not count:
        raise BadInput(f"no {what} could be read from {', '.join(map(str, read))}", field=field)


def _discard(row: dict[str, Any]) -> None:
    """Discard a row. This function replaces the writer of a file that the user did not request."""
