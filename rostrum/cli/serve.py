"""`rostrum serve`: serve the jobs over HTTP."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path

import click

from rostrum.cli.options import archive_option, load_settings
from rostrum_core.extras import install_command


@click.command(short_help="Serve the pages, and recommendations over HTTP.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; any address except loopback requires keys.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 chooses a free one.",
)
@click.option("--open", "opens_page", is_flag=True, help="Open the page in a browser.")
@archive_option
def serve(host: str, port: int, opens_page: bool, archive: Path | None) -> None:
    """Serve pages for writers, and recommendations over HTTP, until stopped.

    In a browser, the address shows the page Write; /openapi.json describes the interface for programs.

    Models are loaded before the first request, unless workers run them. A line of JSON is logged to standard
    error for every request. On SIGTERM and Ctrl-C, running requests are finished.

    \b
    Example:
      rostrum serve --port 8000
      rostrum serve --open
    """
    from rostrum.assemble import assemble

    settings = load_settings(archive)
    try:
        from rostrum.api import server
    except ImportError as error:
        raise ImportError(f"{error}; the service needs more: {install_command('api')}") from error
    service = assemble(settings)
    if settings.redis_url is None:
        from workers.runner.warming import warm

        warm(service.models)
    server.serve(service, host, port, at_start=open_page if opens_page else None)


def open_page(url: str) -> None:
    """Open a page in the user's browser, in a thread of its own.

    A browser that runs in the terminal would otherwise block the caller until the user closes it.
    """
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
