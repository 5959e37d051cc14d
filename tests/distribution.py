"""Share tests among processes by files: long ones first, one process for those that start the same server."""

from collections import Counter

import pytest
from xdist.scheduler import LoadFileScheduling

NODE = ("tests/opensearch/", "tests/congruence/", "tests/contracts/test_paragraph_store.py")
SERVERS = {
    "two nodes": ("tests/opensearch/faults/",),
    "a node with the ml plugin": ("tests/opensearch/pipeline/",),
    "a node": (*NODE, "tests/cli/test_opensearch.py", "tests/workers/test_refresh_faults.py"),
}
"""Folders and files by the server that their tests share; the first that fits counts."""

LONGEST = (
    *("tests/workers/test_celery.py", "tests/opensearch/", "tests/cli/test_nothing_leaves.py", "tests/api/"),
    *("tests/workers/", "tests/cli/", "tests/test_", "tests/embedded/", "tests/jobs/"),
)
"""Folders and files in the order in which they begin, before all others: while a long one at the end runs,
the other processes have nothing to do.
"""


class Distribution(LoadFileScheduling):
    """Give a process one file at a time, or all files whose tests share a server."""

    def _split_scope(self, nodeid: str) -> str:
        path = _read_path(nodeid)
        return next((server for server, places in SERVERS.items() if path.startswith(places)), path)


def put_longest_first(items: list[pytest.Item]) -> None:
    """Sort tests by `LONGEST`, then by how many their file has; tests of a file keep their order."""
    counts = Counter(_read_path(item.nodeid) for item in items)
    places = sorted(counts, key=lambda path: (_rank(path), -counts[path], path))
    order = {path: place for place, path in enumerate(places)}
    items.sort(key=lambda item: order[_read_path(item.nodeid)])


def _rank(path: str) -> int:
    return next((rank for rank, place in enumerate(LONGEST) if path.startswith(place)), len(LONGEST))


def _read_path(nodeid: str) -> str:
    return nodeid.partition("::")[0]
