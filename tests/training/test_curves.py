"""Learning curves survive a resume, and are drawn."""

import pytest

from training.curves import Curves, Point


@pytest.fixture
def curves(tmp_path):
    found = Curves(tmp_path / "curves.jsonl")
    for step, loss in ((0, 4.0), (50, 3.0), (100, 2.5), (50, 2.9)):  # stopped after 100, gone on from 50
        found.add(Point("encoder", step, 200, loss, 1.0))
    found.add(Point("ranker", 0, 10, 1.5, 1.0))
    return found


def test_of_a_step_that_came_twice_the_later_point_counts(curves):
    assert [(p.step, p.loss) for p in curves.group_points()["encoder"]] == [(0, 4.0), (50, 2.9), (100, 2.5)]
    assert [p.loss for p in curves.group_points()["ranker"]] == [1.5]


def test_a_point_that_a_kill_cut_short_is_left_out(curves, tmp_path):
    with (tmp_path / "curves.jsonl").open("a") as file:
        file.write('{"phase": "ranker", "st')
    assert [p.step for p in curves.group_points()["ranker"]] == [0]


def test_a_run_without_points_has_no_curves(tmp_path):
    assert Curves(tmp_path / "curves.jsonl").group_points() == {}


def test_the_plot_names_the_phases(curves, tmp_path):
    pytest.importorskip("matplotlib")
    curves.draw(tmp_path / "curves.svg")
    drawn = (tmp_path / "curves.svg").read_text()
    assert "<!-- encoder -->" in drawn
    assert "<!-- ranker -->" in drawn
