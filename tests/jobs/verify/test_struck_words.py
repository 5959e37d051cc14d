"""A word that the transcript strikes and corrects was said: quoting it changes no meaning."""

import pytest

from embedded.store import EmbeddedStore
from jobs.verify.job import Verifier
from rostrum_core.quote_checks import QuoteRow, Verdict


@pytest.fixture(scope="module")
def verifier(sample_archive) -> Verifier:
    return Verifier(EmbeddedStore(sample_archive))


@pytest.mark.parametrize(
    ("number", "verdict", "warning"),
    [
        ("Ninety", Verdict.EDITED, "said by mistake: the transcript corrects “Ninety” to “Ninety-eight”"),
        ("Ninety-eight", Verdict.VERBATIM, None),
        ("Eighty", Verdict.ALTERED, "name and number: the quotation has “Eighty” for “Ninety-eight”"),
    ],
)
def test_a_struck_word_is_no_altered_one(verifier, number, verdict, warning) -> None:
    quote = f"{number} percent of Americans in Afghanistan who wanted to leave were able to leave"
    (check,) = verifier.verify([QuoteRow("1", (quote,), speaker="Joe Biden")]).checks
    assert check.verdict is verdict
    assert [item.message for item in check.warnings][:1] == [warning] * (warning is not None)
