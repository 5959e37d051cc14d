"""Test which of several speeches with the same words is named as the source."""

import pytest

from jobs.verify.quote_lists import make_row

WORDS = "The orchard wall will stand for as long as anybody mends it in the spring"


def make_speech(name: str, date: str | None) -> dict[str, object]:
    return {"id": name, "title": "Remarks", "speaker": "Ann Roe", "date": date, "paragraphs": [f"{WORDS}."]}


@pytest.mark.parametrize(
    ("dates", "source"),
    [
        ({"a": "2021-01-05", "b": "1999-03-02", "c": "2010-10-10"}, "b"),
        ({"c": "1999-03-02", "b": "2021-01-05", "a": "2010-10-10"}, "c"),
        ({"a": None, "b": "2021-01-05"}, "b"),
        ({"b": "2021-01-05", "a": "2021-01-05"}, "a"),
        ({"a": None, "b": None}, "a"),
    ],
)
def test_of_speeches_with_the_same_words_the_oldest_is_the_source(make_verifier, dates, source) -> None:
    verifier = make_verifier([make_speech(name, date) for name, date in dates.items()])
    (check,) = verifier.verify([make_row("1", WORDS, "Ann Roe")]).checks
    assert check.places[0].document == source
