"""`rostrum serve`: the jobs over HTTP."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path

import click

from rostrum.cli.options import archive_option, settings_of
from rostrum.core.errors import BadInput


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on: one of this machine's."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 is any free one."
)
@archive_option
def serve(host: str, port: int, archive: Path | None) -> None:
    """Serves recommendations over HTTP until it is stopped; /openapi.json describes what there is.

    Standard error gets a line of JSON for every request. SIGTERM and Ctrl-C let it finish what it has begun.

    \b
    Example:
      rostrum serve --port 8000
    """
    from rostrum.service.assemble import assemble

    settings = settings_of(archive)
    _check(host)
    try:
        from rostrum.api import server
    except ImportError as error:
        raise ImportError(f"{error}; the service needs more: pip install 'rostrum[api]'") from error
    server.serve(assemble(settings), host, port)


def _check(host: str) -> None:
    try:
        loopback = ip_address(host).is_loopback
    except ValueError as error:
        raise BadInput(f"{host!r} is no address like 127.0.0.1 or ::1", field="host") from error
    if not loopback:
        raise BadInput(
            f"{host} can be reached from elsewhere, and this service asks for no key", field="host"
        )
