"""Define options that several commands share: archive, service, filter of speeches, parts of a draft."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jobs.filters import read_filter
from rostrum_core.errors import BadInput
from rostrum_core.settings import API_KEY, ARCHIVE, OPENSEARCH_URL, Settings, read_settings
from rostrum_core.types import Draft

if TYPE_CHECKING:
    from archive.service import Service
    from rostrum.client import Client


class _NotEmpty(click.ParamType[Any]):
    """Refuse an empty value of an option or argument."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("it is empty", param, ctx)
        return super().convert(value, param, ctx)


class PathType(_NotEmpty, click.Path):
    """Convert a value of the command line to a `Path`, and refuse an empty value.

    An unset variable in a command line gives an empty path. `Path("")` would mean the current folder.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)


class _Text(_NotEmpty, click.types.StringParamType):
    """Accept a text as the value of an option or argument, and refuse an empty text."""


TEXT = _Text()
AddOption = Callable[[Callable[..., Any]], Callable[..., Any]]

archive_option: AddOption = click.option(
    "--archive",
    type=PathType(file_okay=False),
    help=(
        "Folder of the archive; default: ROSTRUM_OPENSEARCH_URL, else ROSTRUM_ARCHIVE, else the "
        "user's data folder."
    ),
)

url_option: AddOption = click.option(
    "--url",
    type=TEXT,
    metavar="URL",
    help=f"Use the service at this address instead of a local archive; its key is in {API_KEY}.",
)

FILTERS = (
    click.option(
        "--speaker",
        type=TEXT,
        multiple=True,
        help="Only words of this speaker: a name or part of it, such as Kennedy; can be repeated.",
    ),
    click.option(
        "--since", type=TEXT, metavar="DATE", help=("Only speeches on this day, month or year, or later.")
    ),
    click.option(
        "--until", type=TEXT, metavar="DATE", help=("Only speeches on this day, month or year, or earlier.")
    ),
    click.option(
        "--collection", type=TEXT, multiple=True, help=("Only speeches of this collection; can be repeated.")
    ),
    click.option(
        "--language",
        type=TEXT,
        multiple=True,
        help="Only speeches in this language, such as en; can be repeated.",
    ),
)


DRAFT = (
    click.argument("file", required=False, type=PathType(allow_dash=True)),
    click.option("--title", default="", help="Title of the draft, instead of a FILE."),
    click.option("--left", default="", help="Text before the place of the quote."),
    click.option("--right", default="", help="Text after the place of the quote."),
)


def add_filter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that select speeches, such as `--speaker` and `--since`, to a command.

    The command gets their values as one `Filter`, in its parameter `chosen`.

    Raises, when the command runs:
        BadInput: a date is invalid, `--since` is later than `--until`, or a name is empty.
    """

    @wraps(command)
    def run(
        *,
        speaker: Sequence[str],
        since: str | None,
        until: str | None,
        collection: Sequence[str],
        language: Sequence[str],
        **options: Any,
    ) -> Any:
        chosen = read_filter(
            speakers=speaker, collections=collection, languages=language, since=since, until=until
        )
        return command(chosen=chosen, **options)

    for option in reversed(FILTERS):
        run = option(run)
    return run


def add_draft_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument FILE and the options `--title`, `--left` and `--right` to a command that reads a
    draft.

    The command gets FILE in its parameter `file`, and the options as a `Draft` in its parameter `parts`.
    """

    @wraps(command)
    def run(*, title: str, left: str, right: str, **options: Any) -> Any:
        return command(parts=Draft(title, left, right), **options)

    for option in reversed(DRAFT):
        run = option(run)
    return run


def load_settings(archive: Path | None = None) -> Settings:
    """Return the settings from the environment variables.

    If `archive` is set, it replaces the archive that the environment names.
    """
    environment = dict(os.environ)
    if archive is not None:
        environment[ARCHIVE] = str(archive)
        environment.pop(OPENSEARCH_URL, None)
    return read_settings(environment)


def open_service(archive: Path | None) -> Service:
    """Return a service for the archive in the folder `archive`, or else for the one that the environment
    names.

    The service runs all jobs, such as recommending and verifying, without HTTP.
    """
    from rostrum.assemble import assemble

    return assemble(load_settings(archive))


def open_client(url: str, archive: Path | None) -> Client:
    """Open a client of the service at `url`, with the key and timeout of the settings.

    Raises:
        BadInput: an archive is named as well, or `url` is invalid.
    """
    if archive is not None:
        raise BadInput("give --url or --archive, not both: a service has an archive of its own")
    from rostrum.client import Client

    settings = load_settings()
    client = Client(url, key=settings.api_key, timeout_s=settings.timeout_s)
    return click.get_current_context().with_resource(client)


def read_fields(mapped: Sequence[str], names: Collection[str]) -> dict[str, str]:
    """Parse values of `--map`: "text=body" means that the field `body` of a file is read as the field `text`.

    Return a dict that maps the names in the files, in lower case, to our names, which must be in `names`.

    >>> read_fields(["text=Body"], ["id", "text"])
    {'body': 'text'}
    """
    fields = {}
    for option in mapped:
        name, _, field = (part.strip().lower() for part in option.partition("="))
        if not field or name not in names:
            raise BadInput(f"--map {option}: write NAME=FIELD; NAME is one of {', '.join(names)}")
        fields[field] = name
    return fields
