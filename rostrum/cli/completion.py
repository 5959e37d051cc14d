"""`rostrum completion`: print what a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from rostrum_core.errors import BadInput


@click.command(short_help="Print the completion script for a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the lines that teach SHELL to complete commands and options.

    \b
    Example:
      source <(rostrum completion bash)
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise BadInput(f"no completion for {shell}", field="shell")
    click.echo(kind(context.find_root().command, {}, "rostrum", "_ROSTRUM_COMPLETE").source())
