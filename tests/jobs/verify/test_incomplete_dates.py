"""Test verify over speeches that are dated only by a month or a year."""

import pytest

from jobs.verify.job import Verifier
from jobs.verify.quote_lists import make_row
from rostrum_core.quote_checks import Verdict

BRIDGE = "We will build a bridge to the north, and we will build it before the winter comes"
RIVER = "The river has no friend in this chamber but me, and I intend to speak for it until the dam is gone"
SPEECHES = [
    {"id": "march", "title": "Remarks", "speaker": "Jane Roe", "date": "2021-03", "paragraphs": [BRIDGE]},
    {"id": "year", "title": "Remarks", "speaker": "John Doe", "date": "1863", "paragraphs": [RIVER]},
]


@pytest.fixture(scope="module")
def verifier(make_verifier) -> Verifier:
    return make_verifier(SPEECHES)


@pytest.mark.parametrize(
    ("quote", "speaker", "said_on", "verdict"),
    [
        (BRIDGE, "Jane Roe", "2021-03-12", Verdict.VERBATIM),
        (BRIDGE, "Jane Roe", "2021", Verdict.VERBATIM),
        (BRIDGE, "Jane Roe", None, Verdict.VERBATIM),
        (BRIDGE, "Jane Roe", "2022-03", Verdict.SAID_BY_ANOTHER),
        (BRIDGE, "Jane Roe", "2020", Verdict.SAID_BY_ANOTHER),
        (RIVER, "John Doe", "1863-11-19", Verdict.VERBATIM),
        (RIVER, "John Doe", "1861-11-19", Verdict.SAID_BY_ANOTHER),
        ("has no friend in this room but me", "John Doe", "1863-11-19", Verdict.EDITED),
    ],
)
def test_a_month_or_year_fits_any_day_within_it(verifier, quote, speaker, said_on, verdict) -> None:
    (check,) = verifier.verify([make_row("1", quote, speaker, said_on)]).checks
    assert check.verdict is verdict
