"""A run is made once, goes on where it was stopped, and is read back as it was made."""

import numpy as np
import pytest

from benchmarks.baselines.runs import RunRow, Split, complete_run, read, run_path, write
from rostrum_core.errors import BadInput
from rostrum_core.types import Span


def system(asked):
    """Scores a paragraph by its place, and cuts its first two characters; tells whom it was asked about."""

    def rows(transcript, drafts):
        asked.extend(pair.id for pair in drafts)
        count = len(transcript.paragraphs)
        for pair in drafts:
            yield RunRow(pair, np.arange(count) / 2, tuple(Span(0, 2, float(i)) for i in range(count)))

    return rows


def test_a_run_holds_a_row_for_each_draft_in_the_order_of_the_split(test_split, tmp_path):
    path = run_path(tmp_path, "test", "by-place")
    complete_run(path, test_split, system([]))
    rows = read(path, test_split)
    assert [row.pair.id for row in rows] == ["of moon", "of fear"]
    assert rows[1].scores.tolist() == [0.0, 0.5, 1.0, 1.5]
    assert rows[1].spans[3] == Span(0, 2, 3.0)
    assert rows[0].relevant == {1}


def test_only_what_is_missing_is_asked_for(test_split, tmp_path):
    path, asked = run_path(tmp_path, "test", "by-place", 7), []
    complete_run(path, Split("test", test_split.pairs[:1], test_split.documents), system(asked))
    complete_run(path, test_split, system(asked))
    assert asked == ["of moon", "of fear"]


def test_a_run_that_is_written_holds_nothing_of_the_one_before(test_split, tmp_path):
    path = run_path(tmp_path, "test", "by-place")
    complete_run(path, test_split, system([]))
    first = Split("test", test_split.pairs[:1], test_split.documents)
    write(path, read(path, first))
    assert len(read(path, first)) == 1
    with pytest.raises(BadInput, match="lacks 1 of 2 drafts"):
        read(path, test_split)


def test_a_run_that_lacks_a_draft_is_not_taken_for_whole(test_split, tmp_path):
    path = run_path(tmp_path, "test", "by-place")
    complete_run(path, Split("test", test_split.pairs[:1], test_split.documents), system([]))
    with pytest.raises(BadInput, match="lacks 1 of 2 drafts"):
        read(path, test_split)
