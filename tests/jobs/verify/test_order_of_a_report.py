"""Test the order in which a report shows its checks, and the grade of doubt that it goes by."""

import pytest

from rostrum_core.quote_checks import QuoteCheck, QuoteRow, QuoteWarning, Verdict, sort_gravest_first


def make_check(name: str, verdict: Verdict, *kinds: str) -> QuoteCheck:
    return QuoteCheck(
        QuoteRow(name, ("we go on",)), verdict, 1.0, warnings=tuple(QuoteWarning(k, k) for k in kinds)
    )


@pytest.mark.parametrize(
    ("verdict", "kinds", "doubt"),
    [
        (Verdict.ALTERED, ("altered",), 3),
        (Verdict.OUT_OF_CONTEXT, ("context",), 3),
        (Verdict.VERBATIM, ("quoted",), 2),
        (Verdict.EDITED, ("content", "context"), 2),
        (Verdict.EDITED, ("content",), 1),
        (Verdict.MERGED, ("merged",), 1),
        (Verdict.VERBATIM, (), 0),
    ],
)
def test_doubt_grows_with_what_is_warned_about(verdict, kinds, doubt) -> None:
    assert make_check("1", verdict, *kinds).doubt == doubt


def test_the_more_doubtful_of_one_verdict_is_shown_first() -> None:
    checks = [
        make_check("plain", Verdict.EDITED),
        make_check("verbatim", Verdict.VERBATIM, "quoted"),
        make_check("word", Verdict.EDITED, "content"),
        make_check("altered", Verdict.ALTERED, "altered"),
        make_check("cut", Verdict.EDITED, "context"),
    ]
    names = [check.row.id for check in sort_gravest_first(checks)]
    assert names == ["altered", "cut", "word", "plain", "verbatim"]
