"""What was measured of `rostrum align` is what its page promises."""

from benchmarks.render import result


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
