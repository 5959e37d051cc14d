"""Read documents from files, folders and standard input, one at a time, and report what cannot be read."""

from __future__ import annotations

import io
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.characters import normalise_line
from indexer.files import open_file, resolve_path
from indexer.formats import (
    Format,
    LocatedDocument,
    Refused,
    Source,
    find_format,
    get_format,
    get_stem,
    is_unread_text,
)
from indexer.metadata import NOT_RENAMED, parse_name
from indexer.sidecars import list_folders, read_sidecars
from indexer.walk import LocatedFile, explain_error, walk_files
from rostrum_core.errors import BadInput, PassedOver, ReadingRemark, TranscriptError
from rostrum_core.identifiers import hash_bytes, hash_text
from rostrum_core.packing import pack, unpack
from rostrum_core.types import Document

STANDARD_INPUT = Path("-")
STANDARD_INPUT_NAME = "<standard input>"
STANDARD_INPUT_ID = "standard-input"
ID_DIGITS = 12  # of the text's hash


def read(
    paths: Sequence[Path],
    *,
    root: Path | None = None,
    kind: str | None = None,
    refused: Refused,
    on_file: Callable[[Path], None] = lambda path: None,
    leave_out: Collection[Path] = (),
    boilerplate: Boilerplate = NO_RULES,
    fields: Mapping[str, str] = NOT_RENAMED,
) -> Iterator[Document]:
    """Yield every document in `paths`, in order; the files of a folder are sorted by name.

    `kind`, one of those in `indexer.formats.FORMATS`, is the format of every file; by default the suffix
    decides. A document without an id is identified by its path relative to `root`, or to the item of `paths`
    in which it was found. `Path("-")` is standard input, which needs a `kind`; a document from there without
    an id is identified by its text, or, if it is one speech of a sitting, by the bytes of the whole input.

    `refused` is called with each error, and the run continues. An error of the class `PassedOver` means that
    no speech is lost. `on_file` is called before each file is read. A document whose id has occurred before
    is skipped if it is identical, and refused if it differs. Files and folders in `leave_out`, such as the
    run's own output, are skipped. The rules of `boilerplate` recognise text that is not speech. `fields` maps
    the names of columns or fields, in lower case, to the usual names: {"body": "text"}.

    Raises:
        BadInput: immediately, if a path does not exist, all paths are left out, or the kind is unknown or
            missing.
    """
    chosen = get_format(kind) if kind else None
    for path in paths:
        if path == STANDARD_INPUT and chosen is None:
            raise BadInput("standard input needs a kind", field="kind")
        if path != STANDARD_INPUT and not path.exists():
            raise BadInput(f"{path} is not there", field="paths")
    left_out = {resolve_path(place) for place in leave_out}
    if paths and left_out.issuperset(map(resolve_path, paths)):
        raise BadInput(f"{paths[0]} is where the run itself writes: nothing is left to read", field="paths")
    settings = _Settings(chosen, boilerplate, fields)
    read_file = partial(_read_file, settings=settings, refused=refused, remark=_drop_repeats(refused))
    return _yield_documents(_locate(paths, root, refused, left_out), read_file, refused, on_file)


def _locate(
    paths: Sequence[Path], root: Path | None, refused: Refused, left_out: Collection[Path]
) -> Iterator[LocatedFile]:
    for path in paths:
        for located in (
            [LocatedFile(path, path)] if path == STANDARD_INPUT else walk_files(path, refused, left_out)
        ):
            yield located if root is None else replace(located, root=root)


def _yield_documents(
    located_files: Iterator[LocatedFile],
    read_file: Callable[[LocatedFile], Iterator[LocatedDocument]],
    refused: Refused,
    on_file: Callable[[Path], None],
) -> Iterator[Document]:
    seen = _Seen()
    for located in located_files:
        on_file(located.path)
        for speech in read_file(located):
            place = _describe_place(located.path, speech.line)
            try:
                if seen.is_new(speech.document, place):
                    yield speech.document
            except ValueError as error:
                refused(TranscriptError(str(located.path), str(error), line=speech.line))


def _drop_repeats(refused: Refused) -> Refused:
    """Wrap the callback `refused`, so that equal errors reach it only once.

    The sidecar (metadata file) of a folder is read again for each transcript, and its errors would otherwise
    be reported each time.
    """
    seen: set[str] = set()

    def pass_once(error: TranscriptError) -> None:
        if str(error) not in seen:
            seen.add(str(error))
            refused(error)

    return pass_once


class _Settings(NamedTuple):
    """Hold the settings of a run: the format of all files (`None`: chosen by suffix), the rules for
    boilerplate, and the mapping of field names.
    """

    chosen: Format | None
    boilerplate: Boilerplate
    fields: Mapping[str, str]


def _read_file(
    located: LocatedFile, *, settings: _Settings, refused: Refused, remark: Refused
) -> Iterator[LocatedDocument]:
    """Yield the documents of one file, up to its end or to an error that makes the rest unreadable.

    Errors are passed to `refused`, and faults of the sidecars (metadata files) to `remark`. The last document
    is withheld until the file is known to be unchanged. This prevents indexing half of a speech that is still
    being written.
    """
    pending: list[LocatedDocument] = []
    letters = _Letters(refused)
    try:
        format_ = settings.chosen or _choose_format(located)
        with _open_source(located, remark) as source:
            if located.path == STANDARD_INPUT and format_.kind == "xml":
                source = _name_by_bytes(source)
            described = replace(
                source,
                kind=format_.kind,
                boilerplate=settings.boilerplate,
                remark=letters,
                fields=settings.fields,
            )
            for speech in _read_until_break(format_.read(described, letters), located.path, letters):
                yield from pending
                pending = [_name_by_text(speech) if located.path == STANDARD_INPUT else speech]
        yield from pending
        if not pending and not letters.count:
            raise PassedOver(source.file, "no speech in it")
    except TranscriptError as error:
        refused(error)


class _Letters:
    """Pass every error on to the callback `refused`; count the errors that are not remarks about metadata."""

    def __init__(self, refused: Refused) -> None:
        self.refused, self.count = refused, 0

    def __call__(self, error: TranscriptError) -> None:
        self.count += not isinstance(error, ReadingRemark)
        self.refused(error)


def _choose_format(located: LocatedFile) -> Format:
    """Return the format of a file, chosen by its suffix.

    Raises:
        PassedOver: the suffix is unknown, and the file was found in a folder.
        TranscriptError: the suffix is that of an unsupported text format, such as ".pages", or it is unknown
            and the file was named explicitly.
    """
    if (format_ := find_format(located.path)) is not None:
        return format_
    if is_unread_text(located.path):
        raise TranscriptError(str(located.path), "a format that is not read; save it as .docx or .txt")
    error = TranscriptError if located.is_named else PassedOver
    raise error(str(located.path), "no kind of file that is known by its suffix")


def _read_until_break(
    speeches: Iterator[LocatedDocument], path: Path, refused: Refused
) -> Iterator[LocatedDocument]:
    try:
        yield from speeches
    except TranscriptError as error:
        refused(error)
    except OSError as error:
        refused(TranscriptError(str(path), explain_error(error)))
    except RecursionError:
        refused(TranscriptError(str(path), "nested too deeply"))


@contextmanager
def _open_source(located: LocatedFile, remark: Refused) -> Iterator[Source]:
    path, root = located.path, located.root
    if path == STANDARD_INPUT:
        yield Source(STANDARD_INPUT_NAME, sys.stdin.buffer, STANDARD_INPUT_ID)
        return
    with open_file(path) as stream:
        name = get_stem(path)
        document_id = normalise_line((path.parent.relative_to(root) / name).as_posix())
        sidecar = read_sidecars(path, name, root, remark)
        yield Source(str(path), stream, document_id, sidecar, parse_name(name), list_folders(path, root))


def _name_by_text(speech: LocatedDocument) -> LocatedDocument:
    """Return a speech from standard input with an id made from a hash of its text.

    A speech whose `line` is set is only a part of the input, and is returned unchanged.
    """
    if speech.line is not None:
        return speech
    digits = hash_text(speech.document.text)[:ID_DIGITS]
    return LocatedDocument(replace(speech.document, id=f"{STANDARD_INPUT_ID}-{digits}"))


def _name_by_bytes(source: Source) -> Source:
    """Return standard input with an id made from a hash of its bytes, for a sitting of many speeches.

    Raises:
        TranscriptError: the input is too large.
    """
    data = source.read_bytes()
    id = f"{STANDARD_INPUT_ID}-{hash_bytes(data)[:ID_DIGITS]}"
    return replace(source, stream=io.BytesIO(data), id=id)


class _Seen:
    """Record the ids of the documents read in a run, to detect duplicates.

    The ids are kept in a temporary database, so that memory does not grow with their number.
    """

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(
            "CREATE TABLE seen (id BLOB PRIMARY KEY, digest TEXT, place BLOB) WITHOUT ROWID"
        )

    def is_new(self, document: Document, place: str) -> bool:
        """Return whether the id of a document occurs for the first time in this run.

        Return false if an identical document has occurred before. `place` says where the document is, for the
        error.

        Raises:
            ValueError: another document has this id.
        """
        name, digest = pack(document.id), document.hash_content()
        row = self._database.execute("SELECT digest, place FROM seen WHERE id = ?", (name,)).fetchone()
        if row is None:
            self._database.execute("INSERT INTO seen VALUES (?, ?, ?)", (name, digest, pack(place)))
            return True
        before, first = row
        if before != digest:
            stands = f"{document.id!r} stands in {unpack(first)}"
            raise ValueError(f"the same id as another document: {stands}")
        return False


def _describe_place(path: Path, line: int | None) -> str:
    return f"{path}, line {line}" if line else str(path)
