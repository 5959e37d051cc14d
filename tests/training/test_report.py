"""A report shows figures, plots and the worst cases, and keeps itself out of git."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.evaluate import Evaluation
from evaluation.judging import JudgedRow
from evaluation.pairs import Pair, QuotedPart
from evaluation.plots import compute_accuracies
from evaluation.report import begin_report, write_report
from evaluation.tallies import compute_figures, measure_contributions, tally
from evaluation.worst_cases import list_worst_cases
from quotations.text.transcript import Transcript
from reranker.fusion import FusionWeights
from reranker.signals import MERGED
from rostrum_core.errors import BadInput
from rostrum_core.types import Span

NOTHING = dict.fromkeys(MERGED, 0.0)
WEIGHTS = FusionWeights(NOTHING, NOTHING, NOTHING, model=1.0, alpha=0.0, beta=1.0)
TEXTS = ("We the people.", "Of the <United> States.", "In order to form.")
DOCUMENTS = {"d": Transcript("d", "The preamble", None, None, None, TEXTS)}


def judged(id: str, model: list[float]) -> JudgedRow:
    pair = Pair(id, f"Draft {id}", "It began <so>.", "", "d", (QuotedPart(1, 7, 15),), False, "She read")
    spans = (Span(0, 6, 0.0), Span(3, 22, 0.0), Span(0, 8, 0.0))
    flat = np.zeros(3)
    return JudgedRow(pair, [1.0, None, 3.0], flat, flat, np.array(model), flat, spans)


ROWS = [judged("right", [0.0, 9.0, 0.0]), judged("second", [9.0, 5.0, 0.0]), judged("last", [5.0, 0.0, 9.0])]


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    result = tally(ROWS, DOCUMENTS, WEIGHTS)
    found = {
        "n": 3,
        **compute_figures(result),
        "contributions": measure_contributions(ROWS, DOCUMENTS, WEIGHTS),
    }
    return Evaluation(found, ROWS, DOCUMENTS, WEIGHTS, result)


@pytest.fixture(scope="module")
def page(evaluation, tmp_path_factory) -> Path:
    """The page of a report within a git repository, written once: drawing it takes a second."""
    repository = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet"], cwd=repository, check=True)
    return write_report(evaluation, repository / "report")


def test_the_worst_case_comes_first_and_a_right_answer_not_at_all():
    cases = list_worst_cases(ROWS, DOCUMENTS, WEIGHTS)
    assert [(case.id, case.rank, case.of, case.distance) for case in cases] == [
        ("last", 3, 3, 1),
        ("second", 2, 3, 1),
    ]
    assert (cases[0].quoted.words, cases[0].top.words) == ("<United>", "In order")
    assert [case.id for case in list_worst_cases(ROWS, DOCUMENTS, WEIGHTS, most=1)] == ["last"]


def test_accuracies_count_ranks_up_to_k():
    # ranks 1, 3 and 20
    found = compute_accuracies([1.0, 1 / 3, 1 / 20])
    assert found[0] == found[1] == 33.33
    assert found[2] == found[18] == 66.67
    assert found[19] == 100.0


def test_the_distance_of_a_case_is_to_the_nearest_quoted_paragraph_as_in_the_figures():
    row = judged("several", [5.0, 1.0, 9.0])
    row = replace(row, pair=replace(row.pair, parts=(QuotedPart(0, 0, 2), QuotedPart(1, 7, 15))))
    (case,) = list_worst_cases([row], DOCUMENTS, WEIGHTS)
    assert (case.rank, case.quoted.ordinal, case.top.ordinal, case.distance) == (2, 0, 2, 1)


def test_the_report_is_written_whole(evaluation, page):
    html, markdown = page.read_text(), page.with_suffix(".md").read_text()
    assert json.loads((page.parent / "figures.json").read_text()) == evaluation.figures
    for name in ("accuracy.svg", "error-distance.svg", "contributions.svg"):
        assert (page.parent / name).read_text().rstrip().endswith("</svg>")
        assert f'src="{name}"' in html
        assert f"]({name})" in markdown
    for text in (html, markdown):
        assert "Draft last" in text
        assert "Draft right" not in text
        assert "rank 3 of 3" in text
    assert "<mark>In order</mark> to form." in html
    assert "»In order« to form." in markdown


def test_text_of_drafts_and_speeches_cannot_become_markup(page):
    for text in (page.read_text(), page.with_suffix(".md").read_text()):
        assert "<United>" not in text
        assert "&lt;United&gt;" in text


def test_git_leaves_a_report_out(page):
    repository = page.parent.parent
    seen = subprocess.run(["git", "status", "--porcelain"], cwd=repository, capture_output=True, check=True)
    assert seen.stdout == b""


def test_a_folder_with_a_gitignore_of_its_own_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / ".gitignore").write_text("node_modules/\n")
    with pytest.raises(BadInput, match=r"a \.gitignore of its own"):
        begin_report(tmp_path)
    assert (tmp_path / ".gitignore").read_text() == "node_modules/\n"


def test_a_report_is_written_once_more(evaluation, page):
    assert write_report(evaluation, page.parent) == page
