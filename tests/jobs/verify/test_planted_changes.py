"""Changes of meaning planted into the sample archive: every one is found, and nothing is where none is."""

import random
from collections import Counter

import pytest

from benchmarks.planted_changes import plant_changes
from embedded.store import EmbeddedStore
from jobs.verify.job import Verifier
from quotations.text.sentences import split_sentences
from rostrum_core.quote_checks import QuoteRow, Verdict

SEED = 7
SENTENCES = 700
BRACKETS = tuple("[(<")


@pytest.fixture(scope="module")
def verifier(sample_archive) -> Verifier:
    return Verifier(EmbeddedStore(sample_archive))


@pytest.fixture(scope="module")
def quotes(sample_archive) -> list[str]:
    """Sentences of the archive in an order of chance, without notes of the transcriber."""
    store, found = EmbeddedStore(sample_archive), []
    for info in store.documents():
        _, paragraphs = store.get(info.id)
        for paragraph in paragraphs:
            ranges = split_sentences(paragraph.text)
            found += [paragraph.text[start:end] for start, end in ranges]
    kept = [text for text in found if 8 <= len(text.split()) <= 45 and not any(b in text for b in BRACKETS)]
    random.Random(SEED).shuffle(kept)
    return kept[:SENTENCES]


def test_every_planted_change_of_meaning_is_altered(verifier, quotes) -> None:
    planted = [change for quote in quotes for change in plant_changes(quote, SEED)]
    rows = [QuoteRow(str(number), (change.quote,)) for number, change in enumerate(planted)]
    checks = verifier.verify(rows).checks
    missed = [
        (change.kind, change.change, check.verdict.value, change.quote)
        for change, check in zip(planted, checks, strict=True)
        if check.verdict is not Verdict.ALTERED
    ]
    kinds = Counter(change.kind.split()[0] for change in planted)
    assert len(planted) >= 1000
    assert {"negation", "number", "hedge", "modal", "condition", "name", "quantifier"} <= set(kinds)
    assert missed == []


def test_at_most_one_verbatim_quotation_in_a_hundred_is_flagged(verifier, quotes) -> None:
    checks = verifier.verify([QuoteRow(str(number), (quote,)) for number, quote in enumerate(quotes)]).checks
    flagged = [check.row.quote for check in checks if check.verdict is not Verdict.VERBATIM]
    assert len(flagged) <= len(quotes) // 100
