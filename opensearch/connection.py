"""Configure the connection to an OpenSearch cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from opensearch.address import check_address
from rostrum_core.errors import BadInput
from rostrum_core.settings import Settings

PREFIX = re.compile(r"[a-z0-9][a-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Connection:
    """Hold the address, user, certificates, timeouts and limits for connecting to a cluster.

    `prefix` begins the name of every index and template. `ca` is a file of certificates to trust instead of
    the public ones. `certificate` and `key` are files of the client's certificate. `timeout_s` limits a
    request with all its retries; bulk requests, copying and merging may take longer. At most `connections`
    are kept open.

    Raises:
        BadInput: the address is invalid or contains a user; a file does not exist; a user has no password;
            the prefix cannot begin an index's name.
    """

    url: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    prefix: str = Settings.opensearch_prefix
    timeout_s: float = Settings.opensearch_timeout_s
    connections: int = Settings.opensearch_connections

    def __post_init__(self) -> None:
        check_address(self.url, "OpenSearch", "url")
        if not PREFIX.fullmatch(self.prefix):
            raise BadInput(f"{self.prefix!r} cannot begin the name of an index", field="prefix")
        if (self.user is None) != (self.password is None):
            raise BadInput("a user needs a password, and a password a user", field="user")
        for name in ("ca", "certificate", "key"):
            file = getattr(self, name)
            if file is not None and not file.is_file():
                raise BadInput(f"there is no file {file}", field=name)
