"""Ctrl-C ends a command with exit code 130, whatever error it becomes on its way."""

import os
import signal
from collections.abc import Iterator

import click
import pytest

from rostrum.cli import program, run
from rostrum_core.errors import BadInput, TaskError


@pytest.fixture(autouse=True)
def _heed_interrupts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Add a command that raises the test's error: from Ctrl-C if it is to be interrupted, else by itself."""
    interrupted, error = request.param

    def load() -> None:
        if not interrupted:
            raise error
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt as interrupt:
            raise error from interrupt

    monkeypatch.setitem(program.commands, "load", click.Command("load", callback=load))


ERRORS = [
    ImportError("initialization failed"),
    TaskError("encode failed"),
    BadInput("no model"),
    RuntimeError(),
]


@pytest.mark.parametrize("command", [(True, error) for error in ERRORS], indirect=True)
def test_an_error_out_of_an_interrupt_is_an_interrupt(command, capsys):
    assert run(["load"]) == 130
    assert capsys.readouterr().err == "rostrum: interrupted\n"


@pytest.mark.parametrize("command", [(False, ERRORS[0])], indirect=True)
def test_an_error_of_its_own_is_not(command, capsys):
    assert run(["load"]) == 1
    assert capsys.readouterr().err == "rostrum: initialization failed\n"


@pytest.mark.parametrize("command", [(True, ERRORS[0])], indirect=True)
def test_ctrl_c_means_the_same_after_a_command_as_before(command):
    run(["load"])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
