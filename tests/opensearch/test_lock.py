"""One writer at a time, over processes and machines."""

import gc
import time

import pytest

from opensearch.server import Server
from rostrum_core.errors import ArchiveBusy, StoreError

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


def test_a_second_writer_is_told_who_is_at_work(open_store):
    open_store().begin(**HASHES)
    with pytest.raises(StoreError, match=r"another writer is at work .*process \d+ on .* within 30 s"):
        open_store().begin(**HASHES)


def test_a_living_writer_keeps_its_lock_beyond_its_lifetime(open_store):
    writer = open_store(lock_s=3)
    writer.begin(**HASHES)
    time.sleep(4)
    with pytest.raises(StoreError, match="another writer"):
        open_store().begin(**HASHES)


def test_the_lock_of_a_writer_that_is_gone_runs_out(opensearch_url, open_store, prefix):
    from opensearch import Connection, Layout, OpenSearchStore

    connection = Connection(opensearch_url, prefix=prefix, timeout_s=60)
    OpenSearchStore(connection, Layout("exact"), lock_s=1).begin(**HASHES)
    gc.collect()
    time.sleep(1.5)
    assert open_store().begin(**HASHES).state == "building"


def test_a_writer_that_lost_its_lock_can_write_no_more(open_store, entry, prefix):
    slow, other = open_store(), open_store()
    name = slow.begin(**HASHES).name
    slow.server.call("POST", f"/{prefix}writer/_update/lock", {"doc": {"ends_ms": 0}})
    other.begin(**HASHES)
    for act in (
        lambda: slow.add(name, [entry("a", ["seven"])]),
        lambda: slow.delete(name, ["a"]),
        lambda: slow.publish(name),
    ):
        with pytest.raises(StoreError, match="another writer"):
            act()
    other.publish(name)
    assert other.count() == (0, 0)


def test_a_writer_may_give_up_while_the_cluster_is_away(open_store, monkeypatch, prefix):
    writer = open_store()
    writer.begin(**HASHES)

    def away(*arguments, **options):
        raise StoreError("OpenSearch cannot be reached")

    with monkeypatch.context() as broken:
        broken.setattr(Server, "call", away)
        writer.close()
        with pytest.raises(StoreError, match="begin first"):
            writer.add("000001", [])
    writer.server.call("POST", f"/{prefix}writer/_update/lock", {"doc": {"ends_ms": 0}})


def test_of_two_writers_at_a_new_cluster_the_second_is_told_of_the_first(open_store, prefix, monkeypatch):
    first, second = open_store(), open_store()
    first.server.call("DELETE", f"/{prefix}*", expand_wildcards="all")
    call, looked = Server.call, []

    def late(self, method, path, *arguments, **options):
        answer = call(self, method, path, *arguments, **options)
        if self is second.server and path == f"/{prefix}writer*" and not looked:
            looked.append(path)
            first.begin(**HASHES)  # between the look for the index and its making
        return answer

    monkeypatch.setattr(Server, "call", late)
    with pytest.raises(ArchiveBusy, match="another writer is at work"):
        second.begin(**HASHES)
    assert looked


def test_a_lock_whose_row_is_gone_is_lost(open_store, entry, prefix):
    writer = open_store()
    name = writer.begin(**HASHES).name
    writer.server.call("DELETE", f"/{prefix}writer/_doc/lock", refresh="true")
    with pytest.raises(ArchiveBusy, match="its row is gone"):
        writer.add(name, [entry("a", ["spoken"])])
    assert open_store().begin(**HASHES).documents == 0
