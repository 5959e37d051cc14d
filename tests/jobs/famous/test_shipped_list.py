"""The list of well-known quotes that Rostrum brings along: nothing in it is claimed without a reason."""

import json
from dataclasses import replace

import pytest

from archive.shipped_files import locate_shipped
from jobs.famous.quote_list import read_quote_list
from quotations.text.words import split_words
from rostrum.assemble import assemble
from rostrum_core.famous_quotes import AttributionStatus
from rostrum_core.quote_checks import QuoteRow, Verdict
from rostrum_core.settings import read_settings

WORD_FOR_WORD = (Verdict.VERBATIM, Verdict.OUT_OF_CONTEXT)
"""The second is a verdict on the cut: "government of the people ..." leaves out the "not" of its sentence."""


@pytest.fixture(scope="module")
def quotes():
    return read_quote_list(locate_shipped("samples/famous.jsonl"))


def test_there_are_more_than_two_hundred_different_quotes(quotes):
    texts = {" ".join(word.key for word in split_words(quote.text)) for quote in quotes}
    assert len(texts) == len(quotes) >= 200


def test_every_quote_has_a_provenance(quotes):
    assert [quote.id for quote in quotes if not quote.provenance or not quote.tradition] == []


def test_nobody_is_named_for_a_quote_of_unknown_source_and_somebody_or_a_work_for_the_others(quotes):
    for quote in quotes:
        if quote.status is AttributionStatus.UNKNOWN:
            assert not quote.author, quote.id
        elif quote.status is not AttributionStatus.DISPUTED:
            assert quote.author or quote.work, quote.id


def test_fields_of_the_file_are_those_that_are_read(quotes):
    lines = locate_shipped("samples/famous.jsonl").read_text("utf-8").splitlines()
    names = {name for line in lines for name in json.loads(line)}
    assert names == set(type(quotes[0]).__dataclass_fields__)


def test_every_line_of_the_sample_archive_stands_there_word_for_word(quotes, sample_archive):
    service = assemble(replace(read_settings({}), archive=sample_archive))
    lines = [quote for quote in quotes if quote.document]
    assert len(lines) >= 70
    checks = service.verify([QuoteRow(quote.id, (quote.text,), quote.author) for quote in lines]).checks
    for quote, check in zip(lines, checks, strict=True):
        assert quote.status is AttributionStatus.VERIFIED
        assert check.verdict in WORD_FOR_WORD, quote.id
        assert check.place is not None
        spoken = [word.key for word in split_words(check.place.words)]
        assert spoken == [word.key for word in split_words(quote.text)], quote.id
        assert check.place.speaker == quote.author, quote.id
        document, paragraphs = service.store.get(quote.document)  # a speaker may say a line in two speeches
        keys = " ".join(word.key for word in split_words(paragraphs[quote.paragraph].text))
        assert " ".join(spoken) in keys, quote.id
        assert str(document.spoken_on).startswith(str(quote.year)), quote.id
