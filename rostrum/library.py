"""Provide archives to library users: the same calls for a folder, a cluster and a service."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rostrum_core.companions import CounterVoices, RepeatAnswer
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim, EvidenceAnswer
from rostrum_core.famous_quotes import FamousAnswer, QuoteFilter
from rostrum_core.quote_checks import QuoteRow, Verification
from rostrum_core.refresh_jobs import Report
from rostrum_core.settings import Settings, read_settings
from rostrum_core.types import Answer, Document, DocumentInfo, Draft, Filter, Paragraph
from rostrum_core.uploads import encode_row

if TYPE_CHECKING:
    from archive.service import Service
    from rostrum.client import Client

Paths = Iterable[str | os.PathLike[str]]
SCHEMES = ("http://", "https://")


class Archive(ABC):
    """Search, check and change an archive of speeches.

    Close the archive after use, or use it in a `with` statement.
    """

    def __init__(self, source: Service | Client) -> None:
        self._source = source

    def recommend(
        self,
        draft: Draft | str,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        timeout_s: float | None = None,
    ) -> Answer:
        """Recommend paragraphs for a draft, with the words worth quoting in each.

        If `draft` is a string, it is the text before the place of the quote.

        Raises:
            BadInput: the draft is empty, or no speaker in the archive matches a name of the filter.
            StoreError: there is no archive, or it cannot be searched. A service raises `ServiceError`.
        """
        filter = self._read_filter(filter)
        return self._source.recommend(_make_draft(draft), filter=filter, limit=limit, timeout_s=timeout_s)

    def _read_filter(self, filter: Filter | None) -> Filter | None:
        """Return the filter unchanged: a service parses it itself, and `OwnArchive` overrides this method."""
        return filter

    @abstractmethod
    def search(self, draft: Draft | str, *, filter: Filter | None = None, limit: int = 10) -> Answer:
        """Return paragraphs for a draft, ranked by the first stage only: faster than `recommend`, and less
        exact.

        Raises as `recommend`.
        """

    def verify(
        self, draft: Draft | str | None = None, *, quotes: Iterable[str | QuoteRow] = ()
    ) -> Verification:
        """Check every quotation of a draft, or each of `quotes`, against the archive.

        A string in `quotes` is a quotation without speaker and date.

        Raises:
            BadInput: neither a draft nor quotes were passed, or both.
            StoreError: there is no archive, or it cannot be searched. A service raises `ServiceError`.
        """
        if (rows := _read_rows(draft, quotes)) is None:
            return self._source.verify_draft(_make_draft(draft or ""))
        return self._source.verify(rows)

    def evidence(
        self,
        claim: Claim | str,
        *,
        documents: Iterable[str] = (),
        filter: Filter | None = None,
        limit: int = 10,
        heat: bool = False,
        names: bool = True,
    ) -> EvidenceAnswer:
        """Find sentences that support or contradict a claim, in some documents or in all.

        With `heat`, the answer has a heat (0 to 1) for every sentence of the documents, for a heat map. With
        `names`, if the claim begins "Lincoln said that", sentences by others than Lincoln count for less.

        Raises:
            BadInput: the claim is empty, a document is unknown, or `heat` is requested without documents.
            StoreError: there is no archive, or it cannot be searched. A service raises `ServiceError`.
        """
        claim = Claim(claim) if isinstance(claim, str) else claim
        filter = self._read_filter(filter)
        return self._source.evidence(
            claim, documents=tuple(documents), filter=filter, limit=limit, heat=heat, names=names
        )

    def famous(
        self,
        left: str,
        right: str = "",
        *,
        list_name: str | None = None,
        filter: QuoteFilter | None = None,
        limit: int = 10,
    ) -> FamousAnswer:
        """Return the well-known quotes that fit between two texts, one of which may be empty.

        If `right` is empty, `left` may mark the gap with `[quote]`. `list_name` names a list made with
        `rostrum famous index`; by default, quotes come from the shipped list.

        Raises:
            BadInput: there is no text, or no such list.
            TaskError: the models did not answer. A service raises `ServiceError`.
        """
        chosen = filter or QuoteFilter()
        return self._source.famous(left, right, list_name=list_name, filter=chosen, limit=limit)

    @abstractmethod
    def counter(self, text: str, *, speaker: str | None = None, limit: int = 3) -> CounterVoices:
        """Find counter-voices to a statement: sentences on the same point, contradictions first.

        The result has two lists: sentences of the statement's own speaker, and those of other speakers.

        Raises:
            BadInput: the statement is empty.
            StoreError: there is no archive, or it cannot be searched. A service raises `ServiceError`.
        """

    def repeats(self, text: str) -> RepeatAnswer:
        """Find speeches and articles that repeat words of a text, oldest first.

        Raises as `counter`.
        """
        return self._source.repeats(text)

    @abstractmethod
    def documents(self) -> Iterator[DocumentInfo]:
        """Yield the metadata of each document, ordered by id."""

    @abstractmethod
    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]]:
        """Return a document and its paragraphs in order.

        Raises:
            BadInput: the archive has no document of this id. A service raises `NotFound` instead.
        """

    @abstractmethod
    def delete(self, document_id: str) -> None:
        """Delete a document by publishing a new state of the archive without it.

        Raises:
            BadInput: the archive has no document of this id. A service raises `NotFound` instead.
        """

    @abstractmethod
    def index(
        self, paths: Paths = (), *, rows: Iterable[Mapping[str, Any]] = (), mirror: bool = False
    ) -> Report:
        """Update the archive from transcript files, or from rows like those of JSON-lines files.

        Only new texts are encoded. `mirror` deletes documents that are not in `paths`. A service accepts only
        rows, without `mirror`. In the report, `refused` counts the inputs that could not be read; for an
        archive in a folder or a cluster, the reasons are in `dead-letters.jsonl` in the archive's folder.

        Raises:
            BadInput: a path does not exist, both paths and rows were passed, or neither; or a row holds a
                value that JSON cannot hold. Dates are converted.
            ArchiveBusy: another process writes to the archive.
        """

    @abstractmethod
    def close(self) -> None:
        """Close files and connections; closing the archive again does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_archive(place: str | os.PathLike[str] | None, key: str | None) -> Archive:
    """Open an archive as `rostrum.open` does, with the same errors."""
    if isinstance(place, str) and place.startswith(SCHEMES):
        from rostrum.client import Client

        return ServiceArchive(Client(place, key=key))
    if key is not None:
        raise BadInput("a key is for a service: pass its address, too", field="key")
    from rostrum.assemble import assemble

    environment = dict(os.environ)
    if place is not None:
        environment["ROSTRUM_ARCHIVE"] = os.fspath(place)
        environment.pop("ROSTRUM_OPENSEARCH_URL", None)
    return OwnArchive(assemble(_make_absolute(read_settings(environment))))


def _make_absolute(settings: Settings) -> Settings:
    """Return settings with absolute paths, so that they stay valid when the program changes its folder."""
    values = {item.name: getattr(settings, item.name) for item in fields(settings)}
    paths: dict[str, Any] = {
        name: value.absolute() for name, value in values.items() if isinstance(value, Path)
    }
    return replace(settings, **paths)


class OwnArchive(Archive):
    """Use an archive without a service: in a folder or on a cluster, as the settings say."""

    _source: Service

    def search(self, draft: Draft | str, *, filter: Filter | None = None, limit: int = 10) -> Answer:
        filter = self._read_filter(filter)
        return self._source.recommend(_make_draft(draft), filter=filter, limit=limit, ranked=False)

    def _read_filter(self, filter: Filter | None) -> Filter | None:
        """Read a filter as a service does: dates may be months or years, and documents must exist."""
        if filter is None:
            return None
        from jobs.filters import check_known, read_filter

        read = read_filter(**asdict(filter))
        check_known(self._source.store, read)
        return read

    def counter(self, text: str, *, speaker: str | None = None, limit: int = 3) -> CounterVoices:
        from jobs.evidence.counter import Statement

        return self._source.counter(Statement(text, speaker), limit=limit)

    def documents(self) -> Iterator[DocumentInfo]:
        yield from self._source.store.documents()

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]]:
        speech = self._source.store.get(document_id)
        if speech is None:
            raise BadInput(f"no document {document_id!r} in the archive", field="document_id")
        document, paragraphs = speech
        return document, tuple(paragraphs)

    def delete(self, document_id: str) -> None:
        self.get(document_id)
        self._source.withdraw([document_id])

    def index(
        self, paths: Paths = (), *, rows: Iterable[Mapping[str, Any]] = (), mirror: bool = False
    ) -> Report:
        from archive.index_files import index
        from archive.refresh import RefreshOptions
        from indexer.dead_letters import DEAD_LETTERS, DeadLetters

        settings = self._source.settings
        letters = DeadLetters(settings.archive / DEAD_LETTERS)
        with _collect_paths(paths, rows) as files:
            return index(
                self._source, files, letters, rules=settings.rules, options=RefreshOptions(mirror=mirror)
            )

    def close(self) -> None:
        self._source.store.close()


class ServiceArchive(Archive):
    """Use the archive of a Rostrum service over HTTP."""

    _source: Client

    def search(self, draft: Draft | str, *, filter: Filter | None = None, limit: int = 10) -> Answer:
        return self._source.search(draft, filter=filter, limit=limit)

    def counter(self, text: str, *, speaker: str | None = None, limit: int = 3) -> CounterVoices:
        return self._source.counter(text, speaker=speaker, limit=limit)

    def documents(self) -> Iterator[DocumentInfo]:
        yield from self._source.documents()

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]]:
        speech = self._source.get(document_id)
        return speech.document, speech.paragraphs

    def delete(self, document_id: str) -> None:
        self._source.delete(document_id)

    def index(
        self, paths: Paths = (), *, rows: Iterable[Mapping[str, Any]] = (), mirror: bool = False
    ) -> Report:
        if mirror or any(True for _ in paths):
            raise BadInput("a service takes rows; it reads files by its own refresh jobs", field="paths")
        report = self._source.upsert(rows).report
        if report is None:
            raise BadInput("pass rows", field="rows")
        return report

    def close(self) -> None:
        self._source.close()


def _make_draft(draft: Draft | str) -> Draft:
    return Draft(left=draft) if isinstance(draft, str) else draft


def _read_rows(draft: Draft | str | None, quotes: Iterable[str | QuoteRow]) -> list[QuoteRow] | None:
    """Return the quotations in `quotes` as rows; `None` if `draft` is to be checked instead.

    Raises:
        BadInput: there is neither a draft nor quotes, or both; a quotation is blank, or its date invalid.
    """
    from jobs.verify.quote_lists import check_date, make_row

    rows = [
        make_row(str(number), quote)
        if isinstance(quote, str)
        else replace(quote, said_on=check_date(quote.said_on, quote.id))
        for number, quote in enumerate(quotes, 1)
    ]
    if (draft is None) == (not rows):
        raise BadInput("pass a draft or quotes, one of them", field="quotes")
    return rows or None


@contextmanager
def _collect_paths(paths: Paths, rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Path]]:
    """Yield the files to index: those in `paths`, or a temporary file of JSON lines if rows were passed."""
    files = [Path(path) for path in paths]
    with TemporaryDirectory(prefix="rostrum-rows-") as folder:
        file = Path(folder) / "rows.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(encode_row(row, number) for number, row in enumerate(rows, 1))
        if file.stat().st_size:
            if files:
                raise BadInput("pass paths or rows, not both", field="rows")
            files = [file]
        if not files:
            raise BadInput("pass paths or rows", field="paths")
        yield files
