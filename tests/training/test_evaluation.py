"""The evaluation's figures, against figures worked out by hand from the same scores."""

import hashlib
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.evaluate import Evaluator
from evaluation.judging import JUDGED_BY, JudgedRow, judge_rows, name_judged_file
from evaluation.pairs import Pair, QuotedPart, read_pairs, read_transcripts
from evaluation.row_file import RowFile
from evaluation.tallies import compute_figures, measure_contributions, tally
from quotations.text.transcript import Transcript
from reranker.fusion import FusionWeights
from reranker.models.engines import Engine
from reranker.signals import MERGED, STAGES
from rostrum_core.errors import BadInput
from rostrum_core.types import Span

WEIGHTS = FusionWeights(
    {**dict.fromkeys(STAGES, 0.0), "document": 1.0},
    {**dict.fromkeys(STAGES, 0.0), "lexical": 1.0},
    dict.fromkeys(MERGED, 0.0),
    model=1.0,
    alpha=0.0,
    beta=1.0,
)
TEXTS = ("We the people.", "Of the United States.", "In order to form.")
DOCUMENTS = {"d": Transcript("d", "T", None, None, None, TEXTS)}


def judged(*parts: QuotedPart, model: list[float]) -> JudgedRow:
    pair = Pair("p", "T", "L", "", "d", parts, False)
    spans = (Span(0, 6, 0.0), Span(3, 20, 0.0), Span(0, 8, 0.0))
    dense, following, span = np.array([0.3, 0.2, 0.1]), np.array([0.0, 1.0, 0.0]), np.zeros(3)
    return JudgedRow(pair, [1.0, None, 3.0], dense, following, np.array(model), span, spans)


def test_each_system_ranks_by_its_own_scores():
    # quoted: paragraph 1. BM25 ranks 2, 0, 1; dense 0, 1, 2; the model 1 first.
    found = compute_figures(tally([judged(QuotedPart(1, 3, 20), model=[0.0, 5.0, 1.0])], DOCUMENTS, WEIGHTS))[
        "ranking"
    ]
    assert found["bm25"] == {"map": 33.33, "mrr": 33.33, "acc@1": 0.0, "acc@3": 100.0, "acc@5": 100.0}
    assert found["first_stage"] == found["fusion"] == found["bm25"]
    assert found["dense"]["map"] == 50.0
    assert found["model"] == {"map": 100.0, "mrr": 100.0, "acc@1": 100.0, "acc@3": 100.0, "acc@5": 100.0}


def test_the_first_stage_sees_what_follows_a_quoted_paragraph():
    weights = replace(WEIGHTS, within={**WEIGHTS.within, "follows": 9.0})
    found = compute_figures(tally([judged(QuotedPart(1, 3, 20), model=[0.0, 0.0, 0.0])], DOCUMENTS, weights))[
        "ranking"
    ]
    assert found["first_stage"]["map"] == 100.0
    assert found["fusion"]["map"] == 33.33


def test_the_error_distance_counts_paragraphs_to_the_nearest_quoted_one():
    # quoted: 1. BM25's top is 2 and the encoder's 0, each one away; the model's is 1.
    found = compute_figures(tally([judged(QuotedPart(1, 3, 20), model=[0.0, 5.0, 1.0])], DOCUMENTS, WEIGHTS))
    assert found["error_distance"]["bm25"] == {"0": 0.0, "1": 100.0, "2-3": 0.0, "4-10": 0.0, ">10": 0.0}
    assert found["error_distance"]["dense"]["1"] == 100.0
    assert found["error_distance"]["model"]["0"] == 100.0


def test_a_part_contributes_what_the_answer_loses_without_it():
    # the ranker puts the quoted paragraph first; without it nothing tells them apart, and 1 comes second.
    found = measure_contributions([judged(QuotedPart(1, 3, 20), model=[0.0, 5.0, 1.0])], DOCUMENTS, WEIGHTS)
    assert (found["model"]["map"], found["model"]["loss"]) == (50.0, 50.0)
    assert (found["lexical"]["map"], found["lexical"]["loss"]) == (100.0, 0.0)


def test_spans_are_cut_from_the_quoted_and_from_the_top_paragraph():
    # quoted "the United States" = cut of paragraph 1: exact. The model's top is 0, cut "We the":
    # it shares "the", 2 * 1 / (2 + 3).
    found = compute_figures(tally([judged(QuotedPart(1, 3, 20), model=[5.0, 1.0, 0.0])], DOCUMENTS, WEIGHTS))[
        "spans"
    ]
    assert found["positive"] == {"em": 100.0, "f1": 100.0}
    assert found["top"] == {"em": 0.0, "f1": 40.0}


def test_a_quote_over_two_paragraphs_takes_the_cuts_of_the_top_two():
    # quoted "the people." + "Of the United"; cuts of paragraphs 0 and 1 "We the" + "the United States":
    # shared the, the, united = 3; 2 * 3 / (5 + 5).
    row = judged(QuotedPart(0, 3, 14), QuotedPart(1, 0, 13), model=[1.0, 5.0, 0.0])
    found = compute_figures(tally([row], DOCUMENTS, WEIGHTS))
    assert found["spans"]["positive"]["f1"] == found["spans"]["top"]["f1"] == 60.0
    assert found["ranking"]["model"]["map"] == 100.0


@pytest.fixture
def files(tmp_path):
    speech = {
        "id": "d", "title": "Space effort", "speaker": "K", "date": "1962-09-12",
        "paragraphs": [
            "Thank you all for coming to this great university today.",
            "We choose to go to the moon in this decade and do the other things.",
            "The committee will meet again on Tuesday to discuss the budget. " * 30,
            "(Applause.)",
        ],
    }  # fmt: skip
    pair = {
        "id": "p", "title": "Going to the moon", "left": "Kennedy named a goal: the moon, in a decade.",
        "published": "1962-09-13", "document": "d", "paragraph": 1, "last_paragraph": 1, "start": 0,
        "end": 28, "repeated": False,
    }  # fmt: skip
    (tmp_path / "documents.jsonl").write_text(json.dumps(speech) + "\n")
    (tmp_path / "pairs.jsonl").write_text(
        json.dumps(pair) + "\n" + json.dumps({**pair, "id": "q", "repeated": True}) + "\n"
    )
    return tmp_path / "pairs.jsonl", tmp_path / "documents.jsonl"


def test_evaluate_gives_what_is_promised(files, models):
    found = Evaluator(*files, models).evaluate().figures
    assert set(found) == {"n", "ranking", "spans", "error_distance", "p_values", "contributions", "seconds"}
    assert found["n"] == 1
    systems = {"bm25", "dense", "ranker", "fusion", "first_stage", "model"}
    assert set(found["ranking"]) == set(found["error_distance"]) == set(found["p_values"]) == systems
    assert set(found["ranking"]["model"]) == {"map", "mrr", "acc@1", "acc@3", "acc@5"}
    assert set(found["p_values"]["model"]) == systems
    assert set(found["spans"]) == {"positive", "top"}
    assert found["ranking"]["bm25"]["map"] == 100.0


def test_ablations_are_measured_beside_the_whole_draft(files, models):
    found = Evaluator(*files, models).evaluate(ablated=True).figures["ablations"]
    assert list(found) == ["full", "no title", "context of 50", "context of 25", "context of 10"]
    assert found["full"]["map"] == found["context of 50"]["map"]  # the context is shorter than that
    assert found["full"]["p"] == 1.0


def test_parts_that_few_drafts_have_are_measured_beside_the_same_drafts_without(files, models, tmp_path):
    row = json.loads(files[0].read_text().splitlines()[0])
    rows = [
        row | {"lead_in": "In the stadium he said that"},
        row | {"id": "r", "right": "“Thank you all for coming to this great university,” he went on."},
        row | {"id": "s"},
    ]
    plain = Evaluator(*files, models).evaluate().figures
    files[0].write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    found = Evaluator(*files, models, keep=tmp_path / "kept").evaluate(parts=True).figures
    assert found["ranking"] == plain["ranking"]  # of drafts that end before the quoting sentence
    for group in ("begun sentence", "text after it"):
        assert {name: sorted(some) for name, some in found[group].items()} == {
            "without": ["em", "f1", "map", "n"],
            "with": ["em", "f1", "map", "n"],
            "p": ["em", "f1", "map"],
        }
        assert found[group]["with"]["n"] == 1
        assert found[group]["without"]["f1"] == plain["spans"]["positive"]["f1"]
    (kept,) = (tmp_path / "kept").glob("judged-*.jsonl.gz")
    judged = RowFile(kept)
    assert judged["r"]["lexical"] != judged["r followed"]["lexical"]
    assert judged["p"]["dense"] != judged["p begun"]["dense"]
    progress = []
    Evaluator(*files, models, tell=lambda *how_far: progress.append(how_far)).evaluate(parts=True)
    assert len(progress) == len(rows) + 2  # each draft is judged once, kept or not


def test_parts_that_no_draft_has_have_no_figures(files, models):
    found = Evaluator(*files, models).evaluate(parts=True).figures
    assert not {"begun sentence", "text after it"} & set(found)


def test_two_rows_of_one_id_are_refused(files, models):
    pairs_path, documents_path = files
    first = pairs_path.read_text().splitlines()[0]
    pairs_path.write_text(f"{first}\n{first}\n")
    with pytest.raises(BadInput, match="row 2: a row before it has the id"):
        Evaluator(pairs_path, documents_path, models)


def test_what_a_gpu_judged_is_kept_apart_and_a_cpu_goes_by_its_old_name(files, models, tmp_path):
    hashes = models.hashes
    progress = [hashes["encoder"], hashes["ranker"], hashes["tokenizer"], "onnxruntime", "float32", JUDGED_BY]
    progress += [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    name = hashlib.sha256(" ".join(progress).encode()).hexdigest()[:16]
    assert name_judged_file(tmp_path, models, *files) == tmp_path / f"judged-{name}.jsonl.gz"
    on_cpu, on_gpu = (
        SimpleNamespace(hashes=hashes, engine=Engine("torch", device=device)) for device in ("cpu", "cuda")
    )
    assert name_judged_file(tmp_path, on_cpu, *files) != name_judged_file(tmp_path, on_gpu, *files)


def test_what_was_judged_is_kept_and_read_back(files, models, tmp_path):
    pairs_path, documents_path = files
    documents = read_transcripts(documents_path)
    rows = read_pairs(pairs_path, documents)
    (first,) = judge_rows(tmp_path / "judged.jsonl.gz", rows, documents, models)
    (again,) = judge_rows(tmp_path / "judged.jsonl.gz", rows, documents, None)
    assert (again.lexical, again.spans) == (first.lexical, first.spans)
    for name in ("dense", "model", "span"):
        np.testing.assert_array_equal(getattr(again, name), getattr(first, name))
