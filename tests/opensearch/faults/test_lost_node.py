"""A node that keeps data is lost while an archive is refreshed."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest

from opensearch import OpenSearchStore
from rostrum_core.errors import StoreError

from .conftest import DOCUMENTS, PARAGRAPHS, expected, texts

pytestmark = pytest.mark.timeout(600)  # two nodes may start slowly where cores are shared

KILLED_AFTER = 6  # documents


class Noting(OpenSearchStore):
    """Notes what was acknowledged, and has something done in the midst of it."""

    acknowledged = 0
    meanwhile = staticmethod(lambda: None)

    def add(self, generation, entries):
        if self.acknowledged == KILLED_AFTER:
            threading.Timer(0.005, self.meanwhile).start()
        super().add(generation, entries)
        self.acknowledged += 1


@pytest.fixture
def watch():
    """Reads the archive again and again beside what the test does; what was read, and what went wrong."""
    over = threading.Event()

    def look(store):
        seen, failed = set(), []
        while not over.is_set():
            try:
                seen.add(tuple(sorted(texts(store))))
            except StoreError as error:
                failed.append(str(error))
        return seen, failed

    with ThreadPoolExecutor(1) as pool:

        @contextmanager
        def act(store):
            found = []
            looking = pool.submit(look, store)
            try:
                yield found
            finally:
                over.set()
                found += looking.result()

        yield act


@pytest.mark.slow
def test_a_data_node_killed_during_a_refresh_loses_and_doubles_nothing(nodes, open_store, run, watch):
    run(open_store(), "one")
    reader, writer = open_store(), open_store(Noting)
    health = reader.server.call(
        "GET", "/_cluster/health/fault-*", wait_for_status="green", wait_for_nodes="2", timeout="60s"
    )
    assert (health["status"], health["number_of_data_nodes"]) == ("green", 2)
    writer.meanwhile = nodes[1].kill
    with watch(reader) as found:
        with suppress(StoreError):  # it may give up, but not forget
            run(writer, "two")
        assert writer.acknowledged >= KILLED_AFTER
        again = run(open_store(), "two")
        assert again.added == 0
        assert again.unchanged + again.replaced >= writer.acknowledged
    seen, failed = found
    assert seen <= {tuple(expected("one")), tuple(expected("two"))}
    assert tuple(expected("one")) in seen
    assert failed == []
    assert sorted(texts(reader)) == expected("two")
    assert reader.count() == (DOCUMENTS, DOCUMENTS * PARAGRAPHS)
