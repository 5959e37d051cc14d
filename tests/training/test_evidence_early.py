"""The early head of evidence learns the model's scores, is exported, and computes the same in the product."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from reranker.models.engines import Engine  # noqa: E402
from reranker.models.loaded import Models  # noqa: E402
from tests.training.test_job_models import RECIPES, write_evidence, write_report  # noqa: E402
from tests.training.tiny import export_models  # noqa: E402
from training import early, evidence, evidence_early  # noqa: E402
from training.export_jobs import export_job  # noqa: E402


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder of tiny models of random weights, with a model of evidence."""
    folder = tmp_path_factory.mktemp("tiny")
    own = export_models(folder, scores=True)
    write_evidence(own, folder / "data.npz")
    model = evidence.EvidenceModel(own, 0.0)
    torch.nn.init.normal_(model.graph.score.weight)
    evidence.save(model, own, RECIPES["evidence"], folder)
    write_report(folder / "evidence.json", {}, {})
    export_job("evidence", folder, own)
    return own


def test_estimates_come_near_the_scores_and_the_export_computes_them(models, tmp_path):
    data = evidence.EvidenceData(models.parent / "data.npz")
    reader = evidence_early.SentenceReader(models, "cpu")
    claims = evidence_early.choose_claims(data, "train", None, 0)
    chunks = evidence_early.choose_chunks(data, claims, None, 0)
    features = reader.read(data, claims, chunks)
    heads = early.train(features, early.EarlyRecipe(epochs=20, drafts=7, rate=1e-2))
    scores = features.scores.numpy()
    before = early.estimate(heads, features)[:, 0]
    assert np.corrcoef(before, scores)[0, 1] > 0.5
    evidence_early.fit_line(heads[0], before, scores)
    estimates = early.estimate(heads, features)[:, 0]
    np.testing.assert_allclose(np.polyfit(estimates, scores, 1), [1, 0], atol=1e-3)
    early.save(heads[0], 1, tmp_path, "evidence_early.safetensors")
    (tmp_path / "evidence_early.json").write_text(json.dumps({"recipe": {"layer": 1}, "trained": {}}))
    whole = Models(models).get_part("evidence")
    export_job("evidence_early", tmp_path, models)
    claim, spans = "They rebuilt the moon.", [[(0, 21), (22, 38)], [(0, 24)]]
    texts = ["The moon was rebuilt. It rained all day.", "Nobody came to the feast."]
    for engine in (Engine(), Engine("torch")):
        split = Models(models, engine)
        part, tokens = split.get_part("evidence"), split.wordpieces.tokenise(texts)
        part.estimate(claim, tokens[:1], spans[:1])  # its hidden states are kept; the others are computed
        for after, of_whole in zip(
            part.score(claim, tokens, spans), whole.score(claim, tokens, spans), strict=True
        ):
            np.testing.assert_allclose(after.scores, of_whole.scores, atol=1e-4)
            np.testing.assert_allclose(after.stances, of_whole.stances, atol=1e-4)
    first = chunks[0][0]
    read = part._prefixes.encode(data.claims[claims[0]])
    states = part._run_lower(
        part._sentences.lower,
        [data.pack(data.chunks[first])],
        [[(i, *span) for i, span in enumerate(data.spans[first])]],
        read,
    )
    np.testing.assert_allclose(states[1][0], estimates[: len(data.spans[first])], atol=0.05)  # of bfloat16


def test_figures_count_the_best_sentences_that_are_kept(models):
    data = evidence.EvidenceData(models.parent / "data.npz")
    reader = evidence_early.SentenceReader(models, "cpu")
    claims = evidence_early.choose_claims(data, "train", 6, 0)
    chunks = [[0, 1, 2, 3, 4, 5, 6, 7]] * len(claims)
    features = reader.read(data, claims, chunks)
    exact = features.scores.numpy()[:, None]
    figures = evidence_early.evaluate(data, chunks, features, exact)
    assert figures["layer 1, 0.25 kept"]["best"] == 1.0  # the estimates are the scores
    worst = evidence_early.evaluate(data, chunks, features, -exact)
    assert worst["layer 1, 0.25 kept"]["best"] < 1.0
    assert {row["n"] for row in figures.values()} == {len(claims)}
