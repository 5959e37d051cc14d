"""Late fusion of two runs, and its exponents."""

import numpy as np
import pytest

from benchmarks.baselines.combined import fuse, main, tune
from benchmarks.baselines.runs import RunRow, complete_run, read, run_path, split
from evaluation.pairs import Pair, QuotedPart
from rostrum_core.errors import BadInput

PAIR = Pair("p", "T", "L", "", "d", (QuotedPart(1, 0, 1),), False)


def row(*scores):
    return RunRow(PAIR, np.array(scores, np.float64))


def test_each_side_is_a_softmax_over_all_paragraphs_raised_to_its_exponent():
    # p(paragraph) = 1/4, 3/4; p(span) = 1/2, 1/2; the logarithm of p(span)^2 * p(paragraph)^3.
    found = fuse(row(0.0, np.log(3)), row(5.0, 5.0), (2.0, 3.0))
    np.testing.assert_allclose(np.exp(found), [(1 / 2) ** 2 * (1 / 4) ** 3, (1 / 2) ** 2 * (3 / 4) ** 3])


def test_a_side_that_only_misleads_has_no_weight():
    assert tune([row(0.0, 1.0)], [row(9.0, 0.0)])[0] == 0.0
    assert tune([row(9.0, 0.0)], [row(0.0, 1.0)])[1] == 0.0


def test_exponents_are_those_that_rank_most_drafts_right():
    # The first draft needs beta * 1 > alpha * 2, the second alpha * 2 > beta * 0.5 (logits two apart against
    # one and a half): beta between 2 and 4 times alpha ranks both right.
    rankers, cutters = [row(0.0, 1.0), row(0.5, 0.0)], [row(2.0, 0.0), row(0.0, 2.0)]
    alpha, beta = tune(rankers, cutters)
    assert 2 * alpha < beta < 4 * alpha


def test_test_may_be_whole_where_dev_is_not(data, tmp_path, monkeypatch, capsys):
    quoted, missed = [0.0, 1.0, 0.0], [9.0, 0.0, 0.0]

    def scores(*first):
        def system(transcript, drafts):
            count = len(transcript.paragraphs)
            return [RunRow(pair, np.array([*first, 0.0][:count])) for pair in drafts]

        return system

    for name, some in (("ranker", scores(*missed)), ("cutter", scores(*quoted))):
        complete_run(run_path(tmp_path, "dev", name, 7), split(data, "dev", 1), some)
        complete_run(run_path(tmp_path, "test", name, 7), split(data, "test"), some)
    arguments = [
        "combined",
        "ranker",
        "cutter",
        "--data",
        str(data),
        "--runs",
        str(tmp_path),
        "--split",
        "test",
    ]
    monkeypatch.setattr("sys.argv", arguments)
    with pytest.raises(BadInput, match="lacks 1 of 2 drafts"):
        main()
    monkeypatch.setattr("sys.argv", [*arguments, "--tune-on", "1"])
    main()
    assert capsys.readouterr().out.endswith("beta 0.0\n")  # the ranker only misleads
    rows = read(run_path(tmp_path, "test", "combined-ranker-cutter", 7), split(data, "test"))
    assert [row.scores.argmax() for row in rows] == [1, 1]


@pytest.mark.parametrize("exponents", [(0.0, 1.0), (1.0, 0.0)])
def test_an_exponent_of_nothing_leaves_the_other_side_alone(exponents):
    ranker, cutter = row(0.0, 1.0, 3.0), row(4.0, 0.0, 1.0)
    alone = ranker if exponents[1] else cutter
    assert np.argsort(fuse(ranker, cutter, exponents)).tolist() == np.argsort(alone.scores).tolist()
