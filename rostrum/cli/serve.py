"""`rostrum serve`: serve the jobs over HTTP."""

from __future__ import annotations

from pathlib import Path

import click

from rostrum.cli.options import archive_option, settings_of
from rostrum_core.extras import install_command


@click.command(short_help="Serve recommendations over HTTP.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; any but loopback needs keys.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 is any free one.",
)
@archive_option
def serve(host: str, port: int, archive: Path | None) -> None:
    """Serve recommendations over HTTP until stopped; /openapi.json describes the interface.

    Models are loaded and run once before the first request, unless workers have them. Standard error gets a
    line of JSON for every request. On SIGTERM and Ctrl-C, requests that have begun are finished.

    \b
    Example:
      rostrum serve --port 8000
    """
    from rostrum.assemble import assemble

    settings = settings_of(archive)
    try:
        from rostrum.api import server
    except ImportError as error:
        raise ImportError(f"{error}; the service needs more: {install_command('api')}") from error
    service = assemble(settings)
    if settings.redis_url is None:
        from workers.runner.warming import warm

        warm(service.models)
    server.serve(service, host, port)
