"""Paraphrases over the sample archive, by the shipped encoder."""

from dataclasses import replace

import pytest

from rostrum.assemble import assemble
from rostrum_core.quote_checks import QuoteRow, Verdict
from rostrum_core.settings import read_settings


@pytest.fixture(scope="module")
def service(sample_archive):
    return assemble(replace(read_settings({}), archive=sample_archive))


def test_what_was_said_in_other_words_is_paraphrased(service) -> None:
    row = QuoteRow("1", ("We must beware of the unwarranted influence of the military industrial complex",))
    [check] = service.verify([row]).checks
    assert check.verdict is Verdict.PARAPHRASED
    assert check.place.document == "1961-01-17-farewell-address"


def test_what_nobody_said_is_not_found(service) -> None:
    rows = [
        QuoteRow("1", ("The ministry has decided to paint all the buses in the capital green",)),
        QuoteRow("2", ("Cats are better company than the members of this committee",)),
    ]
    assert [check.verdict for check in service.verify(rows).checks] == [Verdict.NOT_FOUND] * 2
