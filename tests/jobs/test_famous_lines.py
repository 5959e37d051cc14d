"""The gate of famous lines: whoever types remembered words gets the paragraph that has them, first."""

from dataclasses import replace
from pathlib import Path

import pytest

from reranker.signals.compared_texts import split_words
from reranker.signals.word_forms import read_forms
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft

CHANGED = [
    line.split("\t") for line in Path(__file__).with_name("changed_lines.txt").read_text("utf-8").splitlines()
]
LINES = Path(__file__).with_name("famous_lines.txt").read_text("utf-8").splitlines()
RANKED = 5  # what the ranker may reorder: all that it could put in place of the first


@pytest.fixture(scope="module")
def service(sample_archive):
    return assemble(replace(read_settings({}), archive=sample_archive))


def has_words(text: str, line: str) -> bool:
    return f" {' '.join(split_words(line))} " in f" {' '.join(split_words(text))} "


def test_there_are_enough_lines():
    assert len(set(LINES)) == len(LINES) >= 62


@pytest.mark.parametrize("line", LINES)
def test_the_paragraph_with_the_words_of_a_famous_line_is_first(service, line):
    for draft in (Draft(left=line), Draft(title=line)):
        answer = service.recommend(draft, candidates=RANKED, limit=3, timeout_s=250.0)
        assert answer.degraded == ()
        first = answer.recommendations[0]
        assert has_words(first.paragraph.text[first.spans[0].start_char : first.spans[0].end_char], line)


@pytest.mark.parametrize(("remembered", "spoken"), CHANGED)
def test_the_paragraph_of_a_line_that_memory_changed_is_first(service, remembered, spoken):
    answer = service.recommend(Draft(left=remembered), candidates=RANKED, limit=3, timeout_s=250.0)
    first = answer.recommendations[0].paragraph.text
    assert f" {' '.join(read_forms(spoken))} " in f" {' '.join(read_forms(first))} "


def test_words_in_quotation_marks_must_occur(service):
    answer = service.recommend(Draft(left='"this wall" Gorbachev'), candidates=RANKED, timeout_s=250.0)
    assert answer.recommendations
    assert all(has_words(r.paragraph.text, "this wall") for r in answer.recommendations)
