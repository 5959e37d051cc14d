"""`rostrum opensearch`: run Rostrum's reranker or highlighter inside OpenSearch's own `_search`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from rostrum.cli.options import AddOption, load_settings
from rostrum.cli.terminal import open_messages, print_findings, safe
from rostrum_core.errors import BadInput

if TYPE_CHECKING:
    from opensearch.pipeline.installation import Installation
    from opensearch.pipeline.trust import Change

LANGUAGES = ("en",)
"""Languages that the shipped ranker was trained on."""

pipeline_option: AddOption = click.option(
    "--pipeline", help="Name of the search pipeline; default: rostrum, or rostrum-highlighter."
)
highlighter_option: AddOption = click.option(
    "--highlighter", is_flag=True, help="Install the semantic highlighter instead of the reranker."
)


@click.group(short_help="Rerank the results of OpenSearch's own searches.")
def opensearch() -> None:
    """Let the OpenSearch at ROSTRUM_OPENSEARCH_URL rerank the results of its own searches.

    \b
    Example:
      rostrum opensearch install --address http://127.0.0.1:8000 --text-field body
    """


@opensearch.command()
@pipeline_option
@highlighter_option
@click.option(
    "--address",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="Address at which OpenSearch's nodes reach `rostrum serve`.",
)
@click.option(
    "--text-field", default="text", show_default=True, help=("Field of the index with the text to rank.")
)
@click.option("--id-field", help="Field to return with each result.")
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    expose_value=False,  # it is only validated, as there is but one language
    help="Language of the text field; the ranker reads only this one.",
)
@click.option(
    "--timeout-s",
    type=click.IntRange(1, 600),
    default=5,
    show_default=True,
    help="Seconds that OpenSearch waits for a response.",
)
@click.option(
    "--connect-timeout-s",
    type=click.IntRange(1, 600),
    default=1,
    show_default=True,
    help="Seconds that OpenSearch waits for a connection.",
)
@click.option(
    "--key-from", metavar="VARIABLE", help=("Name of the environment variable with the service's key.")
)
@click.option("--new-key", is_flag=True, help="Replace the key of an existing installation.")
@click.option("--yes", is_flag=True, help="Change settings of the cluster without asking.")
def install(key_from: str | None, new_key: bool, yes: bool, **plan: Any) -> None:
    """Register connector, model and search pipeline; existing ones stay unchanged.

    The key of the service is read from a terminal, or from the variable that --key-from names.

    \b
    Example:
      rostrum opensearch install --address http://10.0.0.5:8000 --text-field body --key-from RERANK_KEY
      rostrum opensearch install --highlighter --text-field body --key-from RERANK_KEY
    """
    key, installation = _read_key(key_from), _open_installation(**plan)
    _print_changes(changes := installation.list_changes())
    if key is None and sys.stdin.isatty() and (new_key or installation.find_connector() is None):
        key = _prompt_for_key()
    if changes and not yes:
        _confirm()
    for line in installation.install(key, new_key=new_key) or ["nothing: all was there"]:
        open_messages().print(Text(f"done: {safe(line)}"), soft_wrap=True)
    _report(installation)


@opensearch.command()
@pipeline_option
@highlighter_option
def status(pipeline: str | None, highlighter: bool) -> None:
    """Check pipeline, indices, connector, model and route; print "ok" or "bad" for each.

    An index that has the pipeline as its default is bad; name the pipeline in the search instead.

    The exit code is 1 if something is bad.

    \b
    Example:
      rostrum opensearch status
    """
    _report(_open_installation(pipeline=pipeline, highlighter=highlighter))


@opensearch.command()
@pipeline_option
@highlighter_option
def uninstall(pipeline: str | None, highlighter: bool) -> None:
    """Remove pipeline, model and connector, and restore the cluster's settings.

    If indices have the pipeline as their default, nothing is removed, and their names are printed.

    \b
    Example:
      rostrum opensearch uninstall
    """
    installation = _open_installation(pipeline=pipeline, highlighter=highlighter)
    for line in installation.uninstall() or ["nothing: there was none"]:
        open_messages().print(Text(f"removed: {safe(line)}"), soft_wrap=True)


def _open_installation(*, pipeline: str | None, **plan: Any) -> Installation:
    from rostrum.assemble import open_pipeline

    named: dict[str, Any] = {} if pipeline is None else {"pipeline": pipeline}
    return open_pipeline(load_settings(), **named, **plan)


def _read_key(variable: str | None) -> str | None:
    """Return the service's key from the environment variable `variable`; `None` if no variable is named.

    Raises:
        BadInput: the variable is not set.
    """
    if variable is None:
        return None
    if not os.environ.get(variable):
        raise BadInput(f"{variable} is not set, or empty", field="key_from")
    return os.environ[variable]


def _prompt_for_key() -> str | None:
    """Ask for the service's key on the terminal without showing it; return `None` if the answer is empty."""
    question = "Key of the service (empty where it asks for none)"
    return click.prompt(question, default="", hide_input=True, show_default=False, err=True) or None


def _confirm() -> None:
    """Ask the user whether settings of the cluster may be changed; end the command if they may not.

    Raises:
        BadInput: there is no terminal on which to ask.
    """
    if not sys.stdin.isatty():
        raise BadInput("these settings of the cluster have to change: --yes allows it", field="yes")
    click.confirm("Change these settings of the cluster?", abort=True, err=True)


def _print_changes(changes: Iterable[Change]) -> None:
    for change in changes:
        line = f"setting {change.name} ({change.scope}): {change.why}"
        open_messages().print(Text(safe(line)), soft_wrap=True)


def _report(installation: Installation) -> None:
    from opensearch.pipeline.health import check_parts

    print_findings(check_parts(installation))
