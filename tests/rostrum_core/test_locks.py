import os
import subprocess
import sys

import pytest

from rostrum_core.errors import StoreError
from rostrum_core.locks import WriterLock

HOLDER = """
import sys, time
from pathlib import Path
from rostrum_core.locks import WriterLock
lock = WriterLock(Path(sys.argv[1]))
lock.acquire()
print("held", flush=True)
time.sleep(600)
"""


def test_the_second_of_one_process_is_refused(tmp_path):
    first, second = WriterLock(tmp_path / "lock"), WriterLock(tmp_path / "lock")
    first.acquire()
    first.acquire()
    with pytest.raises(StoreError, match=f"process {os.getpid()}\\b"):
        second.acquire()
    first.release()
    first.release()
    second.acquire()
    assert (first.held, second.held) == (False, True)


def test_a_lock_that_could_not_be_written_is_not_held(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    failing = WriterLock(tmp_path / "lock")
    with monkeypatch.context() as broken:
        broken.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space"):
            failing.acquire()
    assert not failing.held
    WriterLock(tmp_path / "lock").acquire()


def test_the_lock_of_an_object_that_is_gone_is_free(tmp_path):
    WriterLock(tmp_path / "lock").acquire()
    WriterLock(tmp_path / "lock").acquire()


def test_another_process_is_named_and_a_killed_one_holds_nothing(tmp_path):
    lock = WriterLock(tmp_path / "lock")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path / "lock"], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match=f"process {holder.pid}\\b"):
            lock.acquire()
        holder.kill()
    lock.acquire()
