"""Tests that share a server run in one process, and long ones begin first."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.distribution import LONGEST, SERVERS, Distribution, put_longest_first

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("place", [*LONGEST, *(place for places in SERVERS.values() for place in places)])
def test_every_place_is_there(place):
    assert list(ROOT.glob(f"{place}*"))


def test_files_that_share_a_server_are_one_unit_and_others_are_units_of_their_own():
    split = Distribution._split_scope
    paths = ["opensearch/test_lock.py", "congruence/test_verify.py", "opensearch/faults/test_away.py", "a.py"]
    units = [split(None, f"tests/{path}::test_a[b::c]") for path in paths]
    assert units == ["a node", "a node", "two nodes", "tests/a.py"]


def test_long_files_come_first_then_those_of_many_tests():
    names = ["tests/a.py::1", "tests/b.py::2", "tests/b.py::1", "tests/workers/test_celery.py::1"]
    items = [SimpleNamespace(nodeid=name) for name in names]
    put_longest_first(items)
    assert [item.nodeid for item in items] == [names[3], names[1], names[2], names[0]]
