"""The models of jobs train on tiny data, are exported, and compute in the product what torch computes."""

import gzip
import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from safetensors.numpy import load_file  # noqa: E402

from archive.shipped_files import locate_shipped  # noqa: E402
from reranker.models.adapters import expand_factors  # noqa: E402
from reranker.models.engines import Engine  # noqa: E402
from reranker.models.loaded import Models  # noqa: E402
from reranker.pytorch.engine import read_module  # noqa: E402
from rostrum_core.errors import ModelError  # noqa: E402
from tests.training.tiny import SUBJECTS, export_models  # noqa: E402
from training import evidence, evidence_data, famous, quote_data, quotes  # noqa: E402
from training.adapter_files import compute_factors  # noqa: E402
from training.export_jobs import export_job  # noqa: E402
from training.famous_data import SPLITS  # noqa: E402
from training.token_rows import TokenRows, save_arrays  # noqa: E402

RECIPES = {
    "famous": famous.FamousRecipe(2, 2, 4, 1e-2, 1e-2, lora_rank=2),
    "evidence": evidence.EvidenceRecipe(1, 2, 4, 1e-2, stance_batch=6, lora_rank=2),
    "quotes": quotes.QuoteRecipe(2, 4, 1e-2, final_epochs=2, lora_rank=2),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder of tiny models of random weights."""
    return export_models(tmp_path_factory.mktemp("tiny"))


def write_famous(models, path):
    pieces = Models(models).wordpieces
    lines = [f"The {subject} is the heart of a nation." for subject in SUBJECTS]
    sides = [(f"He spoke of the {subject}", "and sat down.") for subject in SUBJECTS]
    ids = {
        "left": [tokens.ids for tokens in pieces.tokenise([left for left, _ in sides])],
        "right": [tokens.ids for tokens in pieces.tokenise([right for _, right in sides])],
        "quotes": [tokens.ids for tokens in pieces.tokenise(lines)],
    }
    ids |= {f"further.{name}": ids[name][:3] for name in ("left", "right", "quotes")}
    arrays = {
        "quote": np.arange(len(SUBJECTS), dtype=np.int32),
        "clean": np.ones(len(SUBJECTS), bool),
        "split": np.array([SPLITS.index("train")] * 12 + [1] * 4 + [2] * 4, np.int8),
        "special": np.array([pieces.cls, pieces.gap, pieces.sep], np.int32),
    }
    save_arrays(path, {name: TokenRows.of(rows) for name, rows in ids.items()}, arrays)
    return sides, lines


def write_evidence(models, path):
    arrays = evidence_data.Arrays(Models(models).wordpieces, 0)
    for at, subject in enumerate(SUBJECTS):
        texts = [f"The {subject} was rebuilt.", "It rained all day.", "Nobody came to the feast."]
        document = arrays.documents
        numbers = arrays.add_document(texts)
        split = "train" if at < 14 else "test"
        arrays.add_claim(f"They rebuilt the {subject}.", "debater", split, document, [numbers[0]])
        for stance, text in zip(("supports", "contradicts", "neutral"), texts, strict=True):
            arrays.add_stance(f"They rebuilt the {subject}.", text, stance, "scifact", split)
    arrays.save(path)


def write_quotes(models, path, folder):
    rows = [
        {
            "id": subject, "split": "train" if at < 14 else "dev",
            "quote": f"We will not sell the {subject}, never.",
            "archive": f"We will not sell the {subject}, never", "before": "", "after": ".", "exact": True,
            "coverage": 1.0, "kinds": [],
        }
        for at, subject in enumerate(SUBJECTS)
    ]  # fmt: skip
    edits = folder / "edits.jsonl.gz"
    edits.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    quote_data.build(edits, [], models / "tokenizer.json", path, 0, None)
    return rows


def train_famous(models, folder):
    sides, lines = write_famous(models, folder / "data.npz")
    data, recipe = famous.FamousData(folder / "data.npz"), RECIPES["famous"]
    model = famous.FamousModel(models, 0.0)
    before = famous.evaluate(model, data)
    famous.train(data, model, recipe, folder, lambda _: None)
    write_report(folder / "famous.json", before, famous.evaluate(model, data))
    famous.save(model, models, recipe, folder)
    return model, data, (sides, lines)


def write_report(path, before, after):
    path.write_text(json.dumps({"recipe": {}, "untrained": before, "trained": after}))


def copy_models(models, folder):
    return Path(shutil.copytree(models, folder / "models"))


def test_exported_model_of_famous_quotes_computes_what_was_trained(models, tmp_path):
    model, data, (sides, lines) = train_famous(models, tmp_path)
    own = copy_models(models, tmp_path)
    export_job("famous", tmp_path, own)
    part = Models(own).get_part("famous")
    with torch.no_grad():
        wanted = model.context.eval()([data.read_context(row) for row in range(len(sides))]).numpy()
        quotes_wanted = model.encode_quotes([data.pack(row) for row in range(len(lines))]).numpy()
    assert (part.encode_contexts(sides) * wanted).sum(1).min() > 0.999
    assert (part.encode_quotes(lines) * quotes_wanted).sum(1).min() > 0.999
    base = Models(models).encoder.encode([data.pack(0)])[0]
    assert float(part.encode_quotes(lines[:1])[0] @ base) < 0.999, "the adapters change nothing"
    by_torch = Models(own, Engine("torch")).get_part("famous")
    np.testing.assert_allclose(by_torch.encode_contexts(sides), part.encode_contexts(sides), atol=1e-4)


def test_exported_model_of_evidence_computes_what_was_trained(models, tmp_path):
    write_evidence(models, tmp_path / "data.npz")
    data, recipe = evidence.EvidenceData(tmp_path / "data.npz"), RECIPES["evidence"]
    model = evidence.EvidenceModel(models, 0.0)
    evidence.train(data, model, recipe, tmp_path, lambda _: None)
    write_report(tmp_path / "evidence.json", {}, evidence.evaluate(model, data))
    evidence.save(model, models, recipe, tmp_path)
    own = copy_models(models, tmp_path)
    export_job("evidence", tmp_path, own)
    loaded = Models(own)
    claim, texts = (
        "They rebuilt the moon.",
        ["The moon was rebuilt. It rained all day. Nobody came to the feast."],
    )
    spans = [[(0, 21), (22, 40), (41, 66)]]
    (scored,) = loaded.get_part("evidence").score(claim, loaded.wordpieces.tokenise(texts), spans)
    wanted, _ = evidence.score_document(model, data, 0)
    np.testing.assert_allclose(scored.scores, wanted, atol=0.1)  # bfloat16 where the CPU multiplies it
    np.testing.assert_allclose(scored.stances.sum(1), 1, atol=1e-5)


def test_exported_model_of_quotations_computes_what_was_trained(models, tmp_path):
    rows = write_quotes(models, tmp_path / "data.npz", tmp_path)
    data, recipe = quotes.QuoteData(tmp_path / "data.npz"), RECIPES["quotes"]
    model = quotes.QuoteModel(models, 0.0)
    quotes.train(data, model, recipe, tmp_path, lambda _: None)
    write_report(tmp_path / "quotes.json", {}, quotes.evaluate(model, data))
    quotes.save(model, models, recipe, tmp_path)
    own = copy_models(models, tmp_path)
    export_job("quotes", tmp_path, own)
    printed, said = [row["quote"] for row in rows], [f"{row['archive']}." for row in rows]
    with torch.no_grad():
        texts = (data.quotes.take(range(5)), data.sources.take(range(5)))
        packed = [[data.pack(ids) for ids in rows] for rows in texts]
        wanted = torch.sigmoid(quotes.classify(model, *packed)).numpy()
    np.testing.assert_allclose(Models(own).get_part("quotes").judge(printed[:5], said[:5]), wanted, atol=0.02)


def test_folder_without_a_job_loads_and_says_that_it_lacks_it(models):
    with pytest.raises(ModelError, match="no part 'famous'"):
        Models(models).get_part("famous")


def test_factors_of_a_low_rank_change_are_exact(models):
    base, trained = (read_module(models / "encoder.onnx").trunk for _ in range(2))
    weight = trained.layers[0].query.weight
    with torch.no_grad():
        weight += torch.outer(torch.arange(weight.shape[0]), torch.ones(weight.shape[1])) * 0.01
    factors = compute_factors(base, trained, 2)
    assert set(factors) == {"layers.0.query.weight.up", "layers.0.query.weight.down"}
    change = factors["layers.0.query.weight.up"] @ factors["layers.0.query.weight.down"]
    torch.testing.assert_close(change, weight - base.layers[0].query.weight, atol=1e-4, rtol=1e-4)


def test_shipped_adapters_have_the_rank_of_their_recipes():
    manifest = json.loads((locate_shipped("models") / "manifest.json").read_text("utf-8"))
    tensors = load_file(locate_shipped("models") / "famous.safetensors")
    rank = manifest["jobs"]["famous"]["recipe"]["lora_rank"]
    assert tensors["quotes.layers.0.query.weight.up"].shape == (384, rank)
    assert tensors["context.layers.0.query.weight.up"].shape == (384, 2 * rank)
    assert len(expand_factors(tensors, "context")) == 36  # six matrices of six layers


def test_drawn_columns_hold_the_target_and_as_many_others():
    mask = famous.draw_columns(torch.tensor([2, 0]), 6, 3, random.Random(1))
    assert mask.sum(1).tolist() == [4, 4]
    assert mask[0, 2]
    assert mask[1, 0]


def test_ranking_loss_is_that_of_arithmetic():
    scores = torch.tensor([[2.0, 0.0, 9.0]])
    marks = torch.tensor([[True, False, False]]), torch.tensor([[True, True, False]])
    loss = evidence.compute_ranking_loss(scores, *marks, pairwise_weight=1.0)
    assert loss.item() == pytest.approx(2 * np.log(1 + np.exp(-2.0)))
