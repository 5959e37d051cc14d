"""Run the command line: one module per command.

Results go to standard output, all messages to standard error. The exit code is 0 after success, 1 if the
command failed or refused an input file, 2 if its options or arguments are invalid, and 130 if it was
interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

import click

from rostrum.cli.align import align
from rostrum.cli.canary import canary
from rostrum.cli.completion import completion
from rostrum.cli.delete import delete
from rostrum.cli.demo import demo
from rostrum.cli.doctor import doctor
from rostrum.cli.documents import documents
from rostrum.cli.evaluate import evaluate
from rostrum.cli.evidence import evidence
from rostrum.cli.famous import famous
from rostrum.cli.generations import generations
from rostrum.cli.index import index
from rostrum.cli.jobs import jobs
from rostrum.cli.key import key
from rostrum.cli.models import models
from rostrum.cli.opensearch import opensearch
from rostrum.cli.recommend import recommend
from rostrum.cli.refresh import beat, refresh
from rostrum.cli.repeats import repeats
from rostrum.cli.serve import serve
from rostrum.cli.show import show
from rostrum.cli.status import status
from rostrum.cli.train import train
from rostrum.cli.verify import verify
from rostrum.cli.worker import worker
from rostrum_core.errors import BadInput, RostrumError

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Program(click.Group):
    """List the commands in help texts in the order in which they were added: the most used ones first.

    If the reader of a pipe closes it, the exit code is 0. Click would end the process with 1.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments. `--help` and `--version` print their text here."""
        with _end_at_closed_pipe():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and return what it returns."""
        with _end_at_closed_pipe():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order in which they were added."""
        return list(self.commands)


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("rostrum-quotes"), prog_name="rostrum", message="%(prog)s %(version)s")
def program() -> None:
    """Find the quote a writer needs: ranked paragraphs with the words worth quoting marked.

    \b
    Begin with:
      rostrum demo
    """


for command in (
    index,
    recommend,
    demo,
    verify,
    evidence,
    repeats,
    famous,
    documents,
    show,
    delete,
    status,
    doctor,
    generations,
    canary,
    serve,
    key,
    opensearch,
    worker,
    refresh,
    jobs,
    beat,
    evaluate,
    align,
    train,
    models,
    completion,
):
    program.add_command(command)


def main() -> None:
    """Run the command that the arguments name, and exit with its exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # the shell closed it
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; an error is printed as one line on standard error."""
    with _note_interrupts() as interrupted:
        try:
            code = program.main(list(arguments), prog_name="rostrum", standalone_mode=False)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            return _report(error.format_message(), BAD_INPUT, prefix="")
        except click.UsageError as error:
            return _report(_format_usage(error), BAD_INPUT)
        except (KeyboardInterrupt, click.exceptions.Abort):
            return _report("interrupted", INTERRUPTED)
        except BrokenPipeError:
            return _ignore_closed_pipe()
        except Exception as error:
            if interrupted():
                return _report("interrupted", INTERRUPTED)
            if isinstance(error, (BadInput, click.ClickException)):
                return _report(_format_message(error), BAD_INPUT)
            if isinstance(error, (RostrumError, OSError, ImportError)):
                return _report(_format_message(error), FAILED)
            raise
    return code if isinstance(code, int) else DONE


@contextmanager
def _note_interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed during the block.

    The type of an error does not show this: if Ctrl-C stops a native module while the module is loading,
    Python raises an ImportError, which other code may turn into yet another error.
    """
    noted = False

    def interrupt(number: int, frame: object) -> None:
        nonlocal noted
        noted = True
        raise KeyboardInterrupt

    in_main_thread = threading.current_thread() is threading.main_thread()  # Python hands signals to no other
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield lambda: noted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _report(message: str, code: int, prefix: str = "rostrum: ") -> int:
    try:
        click.echo(prefix + message, err=True)
    except BrokenPipeError:
        _ignore_closed_pipe()
    return code


def _format_message(error: Exception) -> str:
    text = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return " ".join(text.split())


def _format_usage(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "rostrum"
    return f"{_format_message(error)} (see {path} --help)"


@contextmanager
def _end_at_closed_pipe() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise click.exceptions.Exit(_ignore_closed_pipe()) from error


def _ignore_closed_pipe() -> int:
    """Discard further output after the reader of a pipe has closed it, as in `rostrum ... | head`.

    Return the exit code 0, because this is not a failure.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return DONE
