"""`rostrum demo`: show what Rostrum does, in one command and without any set-up."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from archive.index_files import index
from archive.shipped_files import locate_shipped
from embedded.generations import FORMAT
from indexer.dead_letters import DEAD_LETTERS, DeadLetters
from jobs.drafts import read_draft
from rostrum.cli.answers import print_answer, print_remarks
from rostrum.cli.cache import locate_cache_folder
from rostrum.cli.indexing import show_progress
from rostrum.cli.options import load_settings
from rostrum.cli.terminal import open_messages, open_output
from rostrum_core.types import Draft

NEXT = """Next, with speeches of your own (text, Markdown, HTML, JSON lines, ...):
  . .venv/bin/activate
  rostrum index FOLDER
  rostrum recommend draft.md
  rostrum serve --open     # the pages, and HTTP for other applications
  rostrum --help

Now write: this opens a page over the sample speeches, with quotes for what you type.
  {command}"""


@click.command(short_help="Recommend quotes from shipped speeches for five drafts.")
@click.option(
    "--limit", type=click.IntRange(1, 10), default=1, show_default=True, help=("Number of results per draft.")
)
def demo(limit: int) -> None:
    """Index a few dozen shipped speeches and print what fits into five drafts.

    The archive is stored in the user's cache folder, so that a second run is quick.

    \b
    Example:
      rostrum demo
    """
    from rostrum.assemble import assemble

    settings = load_settings(locate_demo_archive())
    service = assemble(settings)
    if not service.store.generations():
        open_messages().print(
            "Indexing the sample speeches, this once: about a minute on two cores.", soft_wrap=True
        )
    letters = DeadLetters(settings.archive / DEAD_LETTERS)
    paths = [locate_shipped("samples/speeches.jsonl")]
    with show_progress(service, paths, letters) as observer:
        index(service, paths, letters, observer=observer)
    console = open_output()
    for path in sorted(locate_shipped("samples/drafts").glob("*.md")):
        draft = read_draft(path)
        _print_draft(draft, console)
        answer = service.recommend(draft, limit=limit)
        print_remarks(answer, open_messages())
        print_answer(answer, console)
    command = f"{name_program()} serve --open --archive {shlex.quote(str(settings.archive))}"
    console.print(NEXT.format(command=command), soft_wrap=True)


def locate_demo_archive() -> Path:
    """Return the folder of the demo's archive: in the user's cache, or a temporary one if the folder there
    cannot be written.

    The name of the folder contains the version of the archive's format. So an archive in another format is
    left alone.
    """
    try:
        folder = locate_cache_folder() / f"demo-{FORMAT}"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except (OSError, RuntimeError):  # the latter if the user has no home folder
        pass
    return Path(tempfile.mkdtemp(prefix="rostrum-demo-"))


def name_program() -> str:
    """Return the command that starts Rostrum in a shell: "rostrum" if the shell finds it, else its path."""
    own = Path(sys.executable).with_name("rostrum")
    if shutil.which("rostrum") == str(own) or not own.exists():
        return "rostrum"
    here = own.relative_to(Path.cwd()) if own.is_relative_to(Path.cwd()) else own
    return shlex.quote(str(here))


def _print_draft(draft: Draft, console: Console) -> None:
    console.print(Text(draft.title, style="bold underline"))
    console.print(Text("... " + " ".join(draft.left.split())[-160:] + " [quote]", style="italic"))
    console.print()
