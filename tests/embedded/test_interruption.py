"""A run stopped at any step it takes on the disk leaves the archive whole, and the next one completes it."""

import os
import shutil

import pytest

from embedded import generations
from embedded.lexical import LexicalIndex
from embedded.store import EmbeddedStore
from rostrum_core.ports import Query
from rostrum_core.types import DocumentInfo

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}
STEPS = [(os, "replace"), (os, "fsync"), (shutil, "copyfile"), (shutil, "rmtree"), (LexicalIndex, "build")]


class Stopped(BaseException):
    pass


@pytest.fixture
def stop_at(monkeypatch):
    """Lets `number` steps happen, and stops the run before the one after them."""

    def set_up(number):
        left = iter(range(number))

        def counted(act):
            def step(*arguments, **options):
                if next(left, None) is None:
                    raise Stopped
                return act(*arguments, **options)

            return step

        for owner, name in STEPS:
            monkeypatch.setattr(owner, name, counted(getattr(owner, name)))

    return set_up


def refreshed(folder, entries):
    with EmbeddedStore(folder) as store:
        name = store.begin(**HASHES).name
        for each in entries:
            if store.content_hashes(name).get(each.document.id) != each.content_hash:
                store.add(name, [each])
        store.publish(name)
        store.prune(1)


def held(folder):
    store = EmbeddedStore(folder)
    found = store.search(Query("spoken", "", None, every=True))
    assert len({each.paragraph.id for each in found}) == len(found) == store.count()[1]
    assert all(isinstance(info, DocumentInfo) for info in store.documents())
    return sorted(each.paragraph.text for each in found)


@pytest.mark.slow
def test_a_run_may_stop_before_any_of_its_steps(folder, entry, stop_at, monkeypatch):
    old = [entry(name, [f"spoken {name}", "before"]) for name in "abc"]
    new = [entry(name, [f"spoken {name}", "after"]) for name in "bcd"]
    before = sorted(["spoken a", "spoken b", "spoken c"] + ["before"] * 3)
    after = sorted(["spoken a", "spoken b", "spoken c", "spoken d", "before"] + ["after"] * 3)
    stopped = 0
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        refreshed(folder, old)
        stop_at(stopped)
        try:
            refreshed(folder, new)
        except Stopped:
            monkeypatch.undo()
        else:
            break
        assert held(folder) in (before, after)
        refreshed(folder, new)
        assert held(folder) == after
        assert len(EmbeddedStore(folder).generations()) == 1
        stopped += 1
    monkeypatch.undo()
    assert held(folder) == after
    assert stopped >= 12
    assert generations.REMOVED not in " ".join(path.name for path in (folder / "generations").iterdir())
