"""A run stopped at any change it makes leaves the archive whole, and the next one completes it."""

import threading
from contextlib import suppress
from itertools import count

import pytest

from opensearch.server import Server
from rostrum_core.errors import ArchiveBusy, StoreError
from rostrum_core.ports import Query

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}
CHANGES = ("_aliases", "_clone", "_forcemerge", "_update")


class Stopped(BaseException):
    """What ends a process in a test, whatever the code catches."""


@pytest.fixture
def stop_at(monkeypatch):
    """Lets `number` requests that change something happen, and stops the run before the one after them."""

    def set_up(number):
        left = iter(range(number))

        def stop():
            if threading.current_thread() is threading.main_thread() and next(left, None) is None:
                raise Stopped

        def call(self, method, path, *arguments, **options):
            if method in ("PUT", "DELETE") or any(name in path for name in CHANGES):
                stop()
            return real_call(self, method, path, *arguments, **options)

        def write(self, index, rows):
            stop()
            real_write(self, index, rows)

        monkeypatch.setattr(Server, "call", call)
        monkeypatch.setattr(Server, "write", write)

    real_call, real_write = Server.call, Server.write
    return set_up


def refreshed(store, entries):
    name = store.begin(**HASHES).name
    known = store.content_hashes(name)
    for each in entries:
        if known.get(each.document.id) != each.content_hash:
            store.add(name, [each])
    store.delete(name, sorted(known.keys() - {each.document.id for each in entries}))
    store.publish(name)
    store.prune(1)


def held(store):
    found = store.search(Query("spoken", "", None, every=True))
    assert len({each.paragraph.id for each in found}) == len(found) == store.count()[1]
    assert store.document_frequency(["spoken"]) == [len(found)]
    return sorted(each.paragraph.text for each in found)


def texts(entries):
    return sorted(paragraph.text for each in entries for paragraph in each.paragraphs)


@pytest.mark.slow
def test_a_run_stopped_at_every_second_change_is_completed_by_the_next(
    open_store, entry, stop_at, monkeypatch, prefix
):
    one = [entry("a", ["spoken one", "spoken two"]), entry("b", ["spoken three"])]
    other = [entry("a", ["spoken four"]), entry("c", ["spoken five", "spoken six"])]
    refreshed(open_store(), one)
    finished, before, after = False, one, other
    for number in count(step=2):
        stop_at(number)
        with suppress(Stopped):
            refreshed(open_store(), after)
            finished = True
        monkeypatch.undo()
        reader = open_store()
        assert held(reader) in (texts(before), texts(after))
        reader.server.call("POST", f"/{prefix}writer/_update/lock", {"doc": {"ends_ms": 0}})
        refreshed(open_store(), after)
        assert held(reader) == texts(after)
        if finished:
            break
        before, after = after, before
    assert number > 15
    assert len(reader.server.call("GET", f"/{prefix}paragraphs-*,{prefix}documents-*")) == 2


def test_a_document_half_written_is_not_there(open_store, entry, monkeypatch):
    store = open_store()
    name = store.begin(**HASHES).name
    store.add(name, [entry("a", ["spoken one", "spoken two"])])
    write = Server.write

    def only_paragraphs(self, index, rows):
        if "documents" in index:
            raise StoreError("the cluster went away")
        write(self, index, rows)

    with monkeypatch.context() as broken:
        broken.setattr(Server, "write", only_paragraphs)
        with pytest.raises(StoreError):
            store.add(name, [entry("a", ["spoken three"]), entry("b", ["spoken four"])])
    assert list(store.content_hashes(name)) == ["a"]
    store.publish(name)
    assert held(store) == ["spoken one", "spoken two"]


def test_a_document_that_lacks_paragraphs_is_written_again(open_store, entry, prefix):
    """As after a snapshot, which has each index as it was at another moment."""
    entries = [entry("a", ["spoken one", "spoken two"]), entry("b", ["spoken three"])]
    writer = open_store()
    name = writer.begin(**HASHES).name
    writer.add(name, entries)
    two, path = {"query": {"term": {"ordinal": 1}}}, f"/{prefix}paragraphs-{name}/_delete_by_query"
    assert writer.server.call("POST", path, two, refresh="true")["deleted"] == 1
    with pytest.raises(StoreError, match="has 2 paragraphs where its documents have 3"):
        writer.publish(name)
    writer.close()
    reader = open_store()
    refreshed(reader, entries)
    assert held(reader) == texts(entries)


def test_a_document_that_lacks_paragraphs_is_as_it_was_where_nobody_brings_it_again(
    open_store, entry, prefix
):
    before = [entry("a", ["spoken one", "spoken two"]), entry("b", ["spoken three"])]
    refreshed(open_store(), before)
    writer = open_store()
    name = writer.begin(**HASHES).name
    writer.add(name, [entry("a", ["spoken four", "spoken five"])])
    two, path = {"query": {"term": {"ordinal": 1}}}, f"/{prefix}paragraphs-{name}/_delete_by_query"
    writer.server.call("POST", path, two, refresh="true")
    writer.close()
    other, added = open_store(), entry("c", ["spoken six"])
    other.add(other.begin(**HASHES).name, [added])
    other.publish(other.generations()[-1].name)
    assert held(other) == texts([*before, added])


def test_rows_that_were_written_just_before_the_end_are_known_to_the_next_run(open_store, entry, monkeypatch):
    writer = open_store()
    name = writer.begin(**HASHES).name
    with monkeypatch.context() as killed:
        killed.setattr("opensearch.writing.refresh", lambda *_: None)
        writer.add(name, [entry("a", ["spoken one"])])
    writer.close()
    after = open_store()
    resumed = after.begin(**HASHES).name
    assert resumed == name
    assert list(after.content_hashes(resumed)) == ["a"]


def test_a_writer_that_lost_its_lock_publishes_and_changes_nothing(open_store, entry, prefix):
    late, other = open_store(), open_store()
    name = late.begin(**HASHES).name
    late.add(name, [entry("a", ["spoken one"])])
    late.server.call("POST", f"/{prefix}writer/_update/lock", {"doc": {"ends_ms": 0}})
    assert other.begin(**HASHES).name == name
    with pytest.raises(ArchiveBusy):
        late.publish(name)
    other.add(name, [entry("b", ["spoken two"])])
    other.publish(name)
    assert held(other) == ["spoken one", "spoken two"]


def test_what_was_merged_is_copied_to_other_nodes_afterwards(open_store, entry, prefix):
    writer = open_store()
    refreshed(writer, [entry("a", ["spoken one"])])
    refreshed(writer, [entry("a", ["spoken two"])])
    settings = writer.server.call("GET", f"/{prefix}paragraphs-*,{prefix}documents-*/_settings")
    assert {each.endswith("-merged") for each in settings} == {True}
    assert {each["settings"]["index"]["auto_expand_replicas"] for each in settings.values()} == {"0-1"}
