"""The early head learns the ranker's own scores, is exported, and computes in the product what torch does."""

import json
import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from evaluation.pairs import Pair, QuotedPart  # noqa: E402
from quotations.text.transcript import Transcript  # noqa: E402
from reranker.models.engines import Engine  # noqa: E402
from reranker.models.loaded import Models  # noqa: E402
from rostrum_core.types import Tokens  # noqa: E402
from tests.training.tiny import SUBJECTS, export_models  # noqa: E402
from training import early, early_data  # noqa: E402
from training.export_jobs import export_job  # noqa: E402


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder of tiny models of two layers, with random weights."""
    return export_models(tmp_path_factory.mktemp("tiny"), scores=True)


def write_data(models, path):
    chance = random.Random(1)
    documents = {
        name: Transcript(
            name,
            name,
            None,
            None,
            None,
            tuple(f"The {s} and the {chance.choice(SUBJECTS)} came {name}." for s in SUBJECTS),
        )
        for name in ("first", "second")
    }
    arrays = early_data.Arrays(Models(models).wordpieces, 0)
    for split in ("train", "dev"):
        pairs = [
            Pair(
                f"{name}-{i}",
                "",
                f"They spoke of the {subject}.",
                "",
                name,
                (QuotedPart(i, 0, 3),),
                repeated=False,
            )
            for name in documents
            for i, subject in enumerate(SUBJECTS)
        ]
        arrays.add_split(split, pairs, documents, 12 if split == "train" else None)
    arrays.save(path)


def test_estimates_come_near_the_scores_and_the_export_computes_them(models, tmp_path):
    write_data(models, tmp_path / "early.npz")
    data, reader = early.EarlyData(tmp_path / "early.npz"), early.Reader(models, "cpu")
    recipe = early.EarlyRecipe(epochs=12, drafts=8, rate=1e-2)
    features = reader.read(data, data.select_drafts("train", None))
    heads = early.train(features, recipe)
    drafts = data.select_drafts("dev", None)
    of_dev = reader.read(data, drafts)
    estimates = early.estimate(heads, of_dev)
    scores = of_dev.scores.numpy()
    assert np.corrcoef(estimates[:, 0], scores)[0, 1] > 0.5
    figures = early.evaluate(data, drafts, of_dev, estimates)
    assert figures["layer 1, 30 kept"]["best"] == 1.0  # there are fewer candidates
    early.save(heads[0], 1, tmp_path)
    report = {"recipe": {"layer": 1}, "trained": figures}
    (tmp_path / "early.json").write_text(json.dumps(report))
    whole = Models(models).ranker
    export_job("early", tmp_path, models)
    manifest = (models / "manifest.json").read_text()
    assert set(json.loads(manifest)["jobs"]["early"]["base"]) == {
        "words.safetensors",
        "ranker.safetensors",
        "prefix.onnx",
    }
    export_job("early", tmp_path, models)  # over the one that is there
    assert (models / "manifest.json").read_text() == manifest
    draft = drafts[0]
    texts = [f"The {subject} came." for subject in SUBJECTS]
    query = data.queries[draft]
    for engine in (Engine(), Engine("torch")):
        split = Models(models, engine)
        tokens = split.wordpieces.tokenise(texts)
        before, after = whole.rank(query, texts, tokens), split.ranker.rank(query, texts, tokens)
        np.testing.assert_allclose([r.score for r in after], [r.score for r in before], atol=1e-4)
        assert [r.span.start_char for r in after] == [r.span.start_char for r in before]
    ids = data.paragraphs.take(data.list_candidates(draft))
    found = split.ranker.estimate(query, [make_tokens(row) for row in ids])
    count = len(ids)
    np.testing.assert_allclose(found, estimates[:count, 0], atol=0.05)  # of states in bfloat16


def make_tokens(packed):
    inner = packed[1:-1]
    places = np.arange(len(inner), dtype=np.int32)
    return Tokens(inner, places, places + 1)
