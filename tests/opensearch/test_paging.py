"""All rows of a search or an error: never a part, also where a node leaves with what a point in time held."""

import pytest

from opensearch import Connection
from opensearch.failures import Incomplete
from opensearch.paging import BEGINNINGS, PAGE, read_rows
from opensearch.server import Server

LEFT = {"type": "illegal_state_exception", "reason": "no node found for id: 0VRLI3V4Rvy7BQLNrv5Xig"}
GONE = (500, {"error": {"type": "search_phase_execution_exception", "root_cause": [LEFT]}})


def page(first, count, failed=0):
    hits = [{"sort": [i]} for i in range(first, first + count)]
    return 200, {"timed_out": False, "_shards": {"failed": failed}, "hits": {"hits": hits}}


@pytest.fixture
def read(serve):
    """The rows that are read from a server with these answers to searches, and how many views it gave out."""

    def act(*answers):
        left, views = list(answers), []

        def answer(request):
            if request.path == "/":
                return 200, {"version": {"number": "3.6.0", "distribution": "opensearch"}}
            if request.path.startswith("/_cat/plugins"):
                return 200, [{"component": "opensearch-knn"}]
            if "point_in_time" in request.path:
                views.extend([request.path] if request.command == "POST" else [])  # else it gives one back
                return 200, {"pit_id": "p"}
            return left.pop(0)

        found = [hit["sort"][0] for hit in read_rows(Server(Connection(serve(answer))), "i", ["at"])]
        assert left == []
        return found, len(views)

    return act


def test_pages_are_read_until_one_is_short(read):
    assert read(page(0, PAGE), page(PAGE, 2)) == (list(range(PAGE + 2)), 1)
    assert read(page(0, PAGE), page(0, 0)) == (list(range(PAGE)), 1)
    assert read(page(0, 0)) == ([], 1)


@pytest.mark.parametrize("lost", [GONE, page(0, 1, failed=1)], ids=["all shards", "some shards"])
def test_where_a_node_left_the_reading_begins_anew(read, lost):
    assert read(lost, page(0, 3)) == ([0, 1, 2], 2)


def test_rows_of_some_shards_are_no_answer(read):
    with pytest.raises(Incomplete, match="a part only"):
        read(*[page(0, 1, failed=1)] * BEGINNINGS)


def test_after_the_first_rows_another_view_would_not_fit_them(read):
    with pytest.raises(Incomplete, match="no node found"):
        read(page(0, PAGE), GONE)
