"""Both stores give the same evidence, and the same repeats."""

from dataclasses import replace

import pytest

from archive.service import Service
from jobs.repeats.job import find_repeats
from rostrum_core.evidence import Claim, EvidenceAnswer
from rostrum_core.settings import read_settings
from workers.runner.inline import InlineRunner

GATE = "1987-06-12-address-brandenburg-gate-berlin-wall"
CLAIM = Claim("Gorbachev should open the gate and tear down the wall.")


@pytest.fixture(scope="module")
def answers(pair, models):
    """What both stores answer to a claim about documents, and over the archive."""
    settings = replace(read_settings({}), timeout_s=280)
    services = [Service(settings, store, InlineRunner(lambda: models), models) for store in pair]
    return [
        (service.evidence(CLAIM, documents=[GATE], heat=True, limit=100), service.evidence(CLAIM, limit=5))
        for service in services
    ]


def drop_names(answer: EvidenceAnswer) -> EvidenceAnswer:
    return replace(answer, timings_s={}, generation=None)


def test_a_speech_has_the_same_sentences_and_the_same_heat(answers) -> None:
    (embedded, _), (opensearch, _) = answers
    assert embedded.sentences[0].text == "Mr. Gorbachev, tear down this wall!"
    assert drop_names(embedded) == drop_names(opensearch)


def test_the_archive_has_the_same_best_sentences(answers) -> None:
    (_, embedded), (_, opensearch) = answers
    assert [row.text for row in embedded.sentences[:3]] == [row.text for row in opensearch.sentences[:3]]


def test_the_same_speeches_repeat_a_line(pair) -> None:
    line = "Four score and seven years ago our fathers brought forth, upon this continent, a new nation."
    embedded, opensearch = (find_repeats(line, store) for store in pair)
    assert embedded[0].document == "1863-11-19-gettysburg-address"
    assert embedded == opensearch
