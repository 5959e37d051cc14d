"""`rostrum key`: decide who may use the HTTP service."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click
from rich.text import Text

from rostrum.cli.options import PathType, load_settings
from rostrum.cli.terminal import open_output, safe
from rostrum_core.errors import BadInput
from rostrum_core.settings import API_KEYS

SCOPES = ("read", "write", "admin")
LONGEST_NAME = 100

file_option = click.option(
    "--file",
    type=PathType(dir_okay=False),
    help="File of the keys; default: ROSTRUM_API_KEYS.",
)


@click.group(short_help="Make, list and revoke keys of the HTTP service.")
def key() -> None:
    """Make, list and revoke the keys of clients of the HTTP service.

    \b
    Example:
      rostrum key add newsroom --scope read --file keys.json
    """


@key.command()
@click.argument("name")
@click.option(
    "--scope", type=click.Choice(SCOPES), default="read", show_default=True, help=("What the client may do.")
)
@click.option(
    "--expires-on",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="Last day on which the key is accepted (UTC), such as 2027-01-31; default: it never expires.",
)
@file_option
def add(name: str, scope: str, expires_on: datetime | None, file: Path | None) -> None:
    """Create a key with this NAME and print it; it cannot be printed again, because only its hash is stored.

    \b
    Example:
      rostrum key add newsroom --scope write --file keys.json
    """
    from rostrum.api.edge.keys import KeyScope, add_key

    if not 0 < len(name.strip()) <= LONGEST_NAME:
        raise BadInput(f"a name has 1 to {LONGEST_NAME} characters", field="name")
    open_output().print(
        add_key(_choose_file(file), name.strip(), KeyScope(scope), expires_on.date() if expires_on else None),
        soft_wrap=True,
    )


@key.command("list")
@file_option
def list_keys(file: Path | None) -> None:
    """Print scope, name, last day of validity and day of last use of each key.

    \b
    Example:
      rostrum key list --file keys.json
    """
    from rostrum.api.edge.keys import Keys, read_last_use

    used = read_last_use(_choose_file(file))
    for entry in Keys(_choose_file(file)).list_keys():
        until = (
            f"  {'expired' if entry.has_expired() else 'until'} {entry.expires_on}"
            if entry.expires_on
            else ""
        )
        use = f"  used {used[entry.name]}" if entry.name in used else ""
        open_output().print(Text(f"{entry.scope}  {safe(entry.name)}{until}{use}"), soft_wrap=True)


@key.command()
@click.argument("name")
@file_option
def revoke(name: str, file: Path | None) -> None:
    """Revoke the key with this NAME; a running service refuses it from the next request on.

    \b
    Example:
      rostrum key revoke newsroom --file keys.json
    """
    from rostrum.api.edge.keys import revoke_key

    revoke_key(_choose_file(file), name)


def _choose_file(named: Path | None) -> Path:
    path = named or load_settings().api_keys
    if path is None:
        raise BadInput(f"name the file of the keys: --file or {API_KEYS}", field="file")
    return path
