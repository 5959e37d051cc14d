"""Encode and open lists of well-known quotes: the shipped list, and a user's own lists."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from threading import Lock

from archive.shipped_files import locate_shipped
from jobs.famous.encoding import QuoteEncoder
from jobs.famous.list_file import FILE, read_list, write_list
from jobs.famous.quote_list import ENCODE_TIMEOUT_S, NO_USES, QuoteList, Uses, encode_list, read_quote_list
from rostrum_core.archive_names import KINDS, check_name, list_archives, locate_archive
from rostrum_core.errors import BadInput, ModelError, StoreError
from rostrum_core.famous_quotes import FamousQuote
from rostrum_core.ports import Runner
from rostrum_core.settings import Settings

SHIPPED = "famous"
"""Name of the shipped list."""

LOG = logging.getLogger(__name__)


def check_archive_name(settings: Settings, name: str) -> None:
    """Raise `BadInput` if an archive of speeches cannot have this name.

    The name may be invalid or that of a list of quotes. On a cluster, it must not begin as the names of the
    main archive's indices do.
    """
    if check_name(name) == SHIPPED or has_list(settings, name):
        raise BadInput(f"{name} is a list of quotes: choose another name", field="name")
    kind = name.partition("-")[0]
    if settings.opensearch_url is not None and kind in KINDS:
        indices = f"{settings.opensearch_prefix}{kind}-..."
        raise BadInput(f"the main archive has the indices {indices}: choose another name", field="name")


def has_list(settings: Settings, name: str) -> bool:
    """Return whether the folder of a named archive holds a list of quotes instead of speeches."""
    return (locate_archive(settings, name) / FILE).exists()


class QuoteLists:
    """Encode and open the quote lists of one archive. A list stays open as long as its file is unchanged.

    Threads may share an object.
    """

    def __init__(self, settings: Settings, runner: Runner, hashes: Mapping[str, str]) -> None:
        self._settings, self._runner, self._hashes = settings, runner, hashes
        self._lock = Lock()
        self._opened: dict[str, tuple[tuple[int, int], QuoteList]] = {}

    @property
    def encoder(self) -> QuoteEncoder:
        """Return the encoder of quotes and of gaps, the places in texts where a quote is missing.

        Raises:
            ModelError: the models have no part for this job.
        """
        return QuoteEncoder(self._runner, self._hashes)

    def index(self, name: str, quotes: Sequence[FamousQuote], uses: Uses = NO_USES) -> QuoteList:
        """Encode quotes and publish them as the list `name`, replacing a list of the same name.

        `uses` maps the id of a quote to texts around earlier uses of the quote.

        Raises:
            BadInput: the name is invalid, that of the shipped list, or that of an archive of speeches.
            StoreError: the list cannot be written.
            TaskError: the quotes were not encoded in time.
        """
        if check_name(name) == SHIPPED:
            raise BadInput(
                f"{SHIPPED} is the list that Rostrum brings along: choose another name", field="name"
            )
        return self._write(name, quotes, uses, ENCODE_TIMEOUT_S)

    def open(self, name: str | None = None, *, timeout_s: float = ENCODE_TIMEOUT_S) -> QuoteList:
        """Return the list `name`, by default the shipped list.

        The shipped list is encoded when it is first used.

        Raises:
            BadInput: there is no list of this name.
            ModelError: other models encoded the list.
            StoreError: the file of the list is damaged.
            TaskError: the shipped list was not encoded in time.
        """
        wanted = check_name(SHIPPED if name is None else name, field="list")
        with self._lock:
            version = self._get_version(wanted)
            if wanted in self._opened and self._opened[wanted][0] == version:
                return self._opened[wanted][1]
            listed = self._open_shipped(timeout_s) if wanted == SHIPPED else self._read(wanted)
            self._opened[wanted] = self._get_version(wanted), listed
            return listed

    def list_names(self) -> list[str]:
        """Return the names of all lists, the shipped one first."""
        own = [name for name in list_archives(self._settings) if self._get_version(name) != (0, 0)]
        return [SHIPPED, *(name for name in own if name != SHIPPED)]

    def _get_version(self, name: str) -> tuple[int, int]:
        """Return the modification time and the size of a list's file; (0, 0) if there is no file."""
        try:
            facts = (locate_archive(self._settings, name) / FILE).stat()
        except OSError:
            return 0, 0
        return facts.st_mtime_ns, facts.st_size

    def _read(self, name: str) -> QuoteList:
        if self._get_version(name) == (0, 0):
            message = f"there is no list of quotes named {name}; there are {', '.join(self.list_names())}"
            raise BadInput(message, field="list")
        return read_list(locate_archive(self._settings, name), self.encoder.hashes)

    def _open_shipped(self, timeout_s: float) -> QuoteList:
        """Return the shipped list.

        Encode it first if its file is missing or damaged, or was made by other models or from other quotes.
        """
        quotes = read_quote_list(locate_shipped("samples/famous.jsonl"))
        try:
            listed = read_list(locate_archive(self._settings, SHIPPED), self.encoder.hashes)
            if listed.quotes == tuple(quotes):
                return listed
        except (StoreError, ModelError):
            LOG.info("encoding the shipped list of quotes")
        return self._write(SHIPPED, quotes, NO_USES, timeout_s)

    def _write(self, name: str, quotes: Sequence[FamousQuote], uses: Uses, timeout_s: float) -> QuoteList:
        encoder = self.encoder
        listed = encode_list(name, quotes, encoder, uses=uses, timeout_s=timeout_s)
        try:
            write_list(locate_archive(self._settings, name), listed, encoder.hashes)
        except StoreError:
            if name != SHIPPED:  # which is encoded again by the next process
                raise
            LOG.warning("the shipped list of quotes cannot be kept in %s", self._settings.archive)
        return listed
