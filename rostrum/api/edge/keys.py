"""Manage the API keys of clients in a file that holds their hashes and scopes.

A key is 256 random bits, so a plain hash without salt is safe.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import logging
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

import msgspec

from indexer.files import resolve_path
from rostrum_core.errors import BadInput

LOG = logging.getLogger("rostrum.api")
PREFIX = "rostrum_"
HASH = re.compile("[0-9a-f]{64}")
OWNER_ONLY = 0o600


class KeyScope(StrEnum):
    """Scope of a key; each scope includes the previous ones.

    `READ`: search and read. `WRITE`: add and replace documents. `ADMIN`: delete documents, and refresh the
    archive in bulk.
    """

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def is_at_least(self, other: KeyScope) -> bool:
        """Return whether this scope includes `other`.

        >>> KeyScope.WRITE.is_at_least(KeyScope.READ), KeyScope.WRITE.is_at_least(KeyScope.ADMIN)
        (True, False)
        """
        order = list(KeyScope)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Key:
    """A key as stored: its name, scope, SHA-256 in hex, and the last day (UTC) on which it is accepted."""

    name: str
    scope: KeyScope
    hash: str
    expires_on: date | None = None

    def has_expired(self, today: date | None = None) -> bool:
        """Return whether the key's last day has passed.

        >>> key = Key("desk", KeyScope.READ, "", date(2026, 1, 31))
        >>> key.has_expired(date(2026, 1, 31)), key.has_expired(date(2026, 2, 1))
        (False, True)
        """
        return self.expires_on is not None and (today or _get_today()) > self.expires_on


class Keys:
    """Look up keys in a file, which is read again after every change, so that a revoked key is refused at
    once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[tuple[int, int], list[Key]] | None = None
        self._used: dict[str, date] = {}

    def find(self, token: str) -> Key | None:
        """Return the stored key that belongs to `token`, the secret text that a client sent.

        Return `None` if the key is unknown or has expired. `token` is compared with all keys, so that the
        time of the search reveals nothing about the keys.

        Raises:
            BadInput: the file cannot be read.
        """
        return self.find_hash(_hash(token))

    def find_hash(self, digest: str) -> Key | None:
        """Return the stored key with this SHA-256 hash; `None` if the key is unknown or has expired.

        Raises:
            BadInput: the file cannot be read.
        """
        match = None
        for key in self.list_keys():
            if hmac.compare_digest(key.hash, digest):
                match = key
        if match is None or match.has_expired():
            return None
        self._note_use(match.name)
        return match

    def _note_use(self, name: str) -> None:
        """Record in the file of last uses that a key was used today, unless it is recorded already."""
        today = _get_today()
        if self._used.get(name) != today:
            self._used[name] = today
            _write_last_use(self._path, name, today)

    def list_keys(self) -> list[Key]:
        """Return the keys in the file.

        Raises:
            BadInput: the file cannot be read.
        """
        with _wrap_read_errors(self._path):
            status = self._path.stat()
            _require_private(self._path, status.st_mode)
            version = status.st_mtime_ns, status.st_ino
            if self._read is None or self._read[0] != version:
                self._read = version, _check_hashes(_parse_keys(self._path.read_text("utf-8")))
        return self._read[1]


def read_last_use(path: Path) -> dict[str, date]:
    """Return the day of each key's last use, by key name; keys never used are missing."""
    try:
        days = json.loads(_locate_last_use(resolve_path(path)).read_text("utf-8"))
        return {str(name): date.fromisoformat(day) for name, day in days.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write_last_use(path: Path, name: str, day: date) -> None:
    """Record the day on which a key was used. If the folder is not writable, log a message instead."""
    path = resolve_path(path)
    try:
        with _lock_folder(path):
            _replace_last_use(path, read_last_use(path) | {name: day})
    except OSError as error:
        LOG.warning("last_use_unwritten", extra={"reason": error.strerror})


def _replace_last_use(path: Path, days: Mapping[str, date]) -> None:
    part = _locate_last_use(path).with_suffix(f".{secrets.token_hex(4)}")
    try:
        part.write_text(json.dumps({name: day.isoformat() for name, day in days.items()}), "utf-8")
        part.replace(_locate_last_use(path))
    finally:
        part.unlink(missing_ok=True)


def _locate_last_use(path: Path) -> Path:
    return path.with_name(f"{path.name}.used")


def _get_today() -> date:
    return datetime.now(UTC).date()


def add_key(path: Path, name: str, scope: KeyScope, expires_on: date | None = None) -> str:
    """Create a key, store its hash in the file, and return the secret text that the client has to send.

    The text cannot be shown again, because the file has only its hash. If `path` is a symbolic link, it stays
    a link, and the file to which it points is changed.

    Raises:
        BadInput: the name is taken, or the file cannot be read.
    """
    path = resolve_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _lock_folder(path):
        existing = Keys(path).list_keys() if path.exists() else []
        if any(key.name == name for key in existing):
            raise BadInput(f"there is a key {name!r} already", field="name")
        made = PREFIX + secrets.token_urlsafe(32)
        _write(path, [*existing, Key(name, scope, _hash(made), expires_on)])
    return made


def revoke_key(path: Path, name: str) -> None:
    """Remove the key with this name from the file, even if its stored hash is invalid.

    If `path` is a symbolic link, it stays a link, and the file to which it points is changed.

    Raises:
        BadInput: there is no such key, or the file cannot be read.
    """
    path = resolve_path(path)
    with _wrap_read_errors(path):
        path.stat()  # without a file, there may be no folder to lock either
    with _lock_folder(path):
        with _wrap_read_errors(path):
            existing = _parse_keys(path.read_text("utf-8"))
        left = [key for key in existing if key.name != name]
        if len(left) == len(existing):
            raise BadInput(f"there is no key {name!r}", field="name")
        _write(path, left)
        days = read_last_use(path)
        if days.pop(name, None):
            _replace_last_use(path, days)


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


@contextmanager
def _wrap_read_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, msgspec.ValidationError) as error:
        raise BadInput(f"the file of keys {path} cannot be read: {error}") from error


def _require_private(path: Path, mode: int) -> None:
    """Check that only the owner can write the file, so that nobody else can add keys.

    Raises:
        ValueError: others can write it.
    """
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ValueError(f"others can write it (mode {stat.S_IMODE(mode):o}): chmod go-w {path}")


def _parse_keys(text: str) -> list[Key]:
    return msgspec.convert(json.loads(text)["keys"], list[Key])


def _encode(key: Key) -> dict[str, str]:
    day = {"expires_on": key.expires_on.isoformat()} if key.expires_on else {}
    return {"name": key.name, "scope": key.scope.value, "hash": key.hash} | day


def _check_hashes(keys: list[Key]) -> list[Key]:
    """Check that the hash of each key is a SHA-256 in hex, and return the keys unchanged.

    Raises:
        ValueError: a hash is not a SHA-256 in hex.
    """
    for key in keys:
        if not HASH.fullmatch(key.hash):
            raise ValueError(f"the hash of {key.name!r} is not a SHA-256 in hex")
    return keys


@contextmanager
def _lock_folder(path: Path) -> Iterator[None]:
    """Lock the folder of the key file, so that concurrent changes of the file do not overwrite each other."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _write(path: Path, keys: Sequence[Key]) -> None:
    """Replace the key file atomically.

    Only the owner may read a new file. An existing file keeps its owner and mode. So the service can still
    read the file if another user ran `rostrum key add`.

    Raises:
        BadInput: this user may not set the owner of the file.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        made = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with open(made, "w", encoding="utf-8") as file:
            if path.exists():
                before = path.stat()
                if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
                    os.fchown(made, before.st_uid, before.st_gid)
                os.fchmod(made, stat.S_IMODE(before.st_mode))
            json.dump({"keys": [_encode(key) for key in keys]}, file, indent=2)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        if isinstance(error, PermissionError):
            message = f"{path} cannot be written, or not kept its owner's and group's: run this as its owner"
            raise BadInput(message) from error
        raise
