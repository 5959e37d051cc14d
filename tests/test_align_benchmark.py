"""What was measured of `rostrum align` is what its page promises."""

from collections import Counter

import numpy as np

from benchmarks.align_refused import REFUSED, STRATA, Nearest, drawn, nearest_to, share
from benchmarks.align_tables import missed_by_chance, missed_of
from benchmarks.render import result
from quotations.transcript import Transcript


def test_alignment_finds_what_the_data_set_has_and_nothing_that_nobody_said():
    found = result("align")
    assert found["dev"]["percent"]["start and end"] > 85
    assert found["strangers"]["percent"] < 0.1
    assert all(
        figures["0.1"]["recall"] > 95
        for kind, figures in found["edits"]["percent"].items()
        if kind != "numerals"
    )
    assert found["news"]["n"] == 123_358
    assert found["news"]["cpu_seconds"] < 300


def test_the_nearest_paragraph_of_the_days_before_is_found():
    said = "We choose to go to the moon in this decade."
    speeches = [
        Transcript("late", "", None, "1962-12-12", None, (said,)),
        Transcript("rice", "", None, "1962-09-12", None, ("Thank you.", said)),
    ]
    rows = [
        {"quote": "we chose to go to the moon", "published": "1962-09-13"},
        {"quote": "nobody said so", "published": "1962-09-13"},
    ]
    assert nearest_to(rows, speeches) == [Nearest(3, "rice", 1), Nearest()]
    assert share("we chose to go to the moon", Nearest(3)) == 0.6


def test_each_stratum_is_drawn_from_and_small_ones_are_read_whole():
    shares = [0.0] * 40 + [0.1] * 40 + [0.3] * 40 + [0.5] * 40 + [1.0] * 3
    found = drawn(shares, 7)
    assert Counter(stratum for _, stratum in found) == {0: 3, 1: 25, 2: 40, 3: 40, 4: 40}
    assert all(STRATA[stratum][0] <= shares[number] < STRATA[stratum][1] for number, stratum in found)


def test_what_was_never_read_of_many_may_be_many():
    counts = np.array([(200, 5, 20), (10_000, 0, 10)])
    assert missed_of(counts) == 50.0
    of_ten, of_a_thousand = (
        np.quantile(missed_by_chance(np.array([(200, 5, 20), (10_000, 0, read)])), (0.025, 0.975))
        for read in (10, 1000)
    )
    assert of_ten[0] < 100
    # 0 of 10 leaves up to 21.7 % open (Jeffreys' interval, quantile 0.975 of a beta of 0.5 and 10.5)
    assert 2100 < of_ten[1] < 2350
    assert of_a_thousand[1] < 150


def test_verdicts_on_the_refused_are_of_as_many_as_were_refused():
    told, found = result("align-refused"), result("align")
    assert sum(told["refused"]) == sum(found["news"]["outcomes"][name] for name in REFUSED)
    assert Counter(row["stratum"] for row in told["rows"]) == {i: row[2] for i, row in enumerate(STRATA)}
