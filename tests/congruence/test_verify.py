"""Verdicts over both stores: the same place, the same differences, the same verdict."""

import random

from benchmarks.planted_changes import plant_changes
from jobs.verify.job import Verifier
from quotations.text.sentences import split_sentences
from rostrum_core.quote_checks import QuoteRow

SEED = 11
SENTENCES = 40
SAID = [
    QuoteRow("k", ("ask not what your country can do for you",), speaker="Lincoln"),
    QuoteRow("m", ("We choose to go to the moon. Ask not what your country can do for you.",)),
    QuoteRow("n", ("We will sell every bridge in Brooklyn tomorrow morning",), speaker="Kennedy"),
    QuoteRow("c", ("We shall fight on the beaches and on the landing grounds",), speaker="Churchill"),
    QuoteRow("o", ("The only thing we have to fear is fear itself",), said_on="1961-01-20"),
    QuoteRow("s", ("a great day",)),
]


def make_rows(store) -> list[QuoteRow]:
    """Return sentences of the archive as they are and changed, and what each kind of no is the answer to."""
    texts = []
    for info in store.documents():
        _, paragraphs = store.get(info.id)
        for paragraph in paragraphs:
            texts += [paragraph.text[start:end] for start, end in split_sentences(paragraph.text)]
    long = [text for text in texts if 9 <= len(text.split()) <= 40]
    chosen = random.Random(SEED).sample(long, SENTENCES)
    changed = [change.quote for text in chosen for change in plant_changes(text, SEED)[:1]]
    return [*SAID, *(QuoteRow(str(number), (text,)) for number, text in enumerate([*chosen, *changed]))]


def test_both_stores_give_the_same_verdicts_for_the_same_reasons(pair) -> None:
    embedded, opensearch = pair
    rows = make_rows(embedded)
    checks, others = (Verifier(store).verify(rows).checks for store in (embedded, opensearch))
    for check, other in zip(checks, others, strict=True):
        assert (check.verdict, check.differences) == (other.verdict, other.differences), check.row.quote
        assert check.build_line()["document"] == other.build_line()["document"], check.row.quote
