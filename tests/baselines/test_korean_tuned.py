"""Fine-tuning on the Korean headlines, on a trunk of two narrow layers and headlines made for this test."""

import json
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from benchmarks.baselines import korean_tuned  # noqa: E402
from benchmarks.baselines.e5_file import BLOCK, BLOCK_BYTES, unpack_blocks  # noqa: E402
from benchmarks.baselines.e5_trunk import build_trunk  # noqa: E402
from benchmarks.baselines.korean_networks import Article  # noqa: E402
from benchmarks.baselines.korean_tuning import (  # noqa: E402
    CLASSIFIER,
    CONTRAST,
    FROZEN,
    Headlines,
    Space,
    Task,
    choose_nearest,
    choose_pairs,
    encode_every,
    list_texts,
    project_vectors,
    scale_letters,
    train_classifier,
    train_contrast,
)

WIDTH, LAYERS, HEADS, INNER, WORDS, POSITIONS = 32, 2, 4, 64, 50, 40
CPU = torch.device("cpu")


def store_matrix(chance, rows, width):
    """Random weights in blocks of 4 bits."""
    blocks = chance.integers(0, 256, (rows * width // BLOCK, BLOCK_BYTES), dtype=np.uint8)
    blocks[:, :2] = np.array([0.02], np.float16).view(np.uint8)
    return blocks.ravel()


def store_numbers(values):
    return np.asarray(values, np.float32).view(np.uint8)


@pytest.fixture(scope="module")
def stored():
    chance = np.random.default_rng(7)
    tensors = {
        "emb.word": store_matrix(chance, WORDS, WIDTH),
        "emb.pos": store_numbers(np.zeros(POSITIONS * WIDTH)),
        "emb.type": store_numbers(np.zeros(2 * WIDTH)),
        "emb.ln.w": store_numbers(np.ones(WIDTH)),
        "emb.ln.b": store_numbers(np.zeros(WIDTH)),
    }
    for layer in range(LAYERS):
        for part, rows, width in (
            ("q", WIDTH, WIDTH), ("k", WIDTH, WIDTH), ("v", WIDTH, WIDTH), ("ao", WIDTH, WIDTH),
            ("fi", INNER, WIDTH), ("fo", WIDTH, INNER),
        ):  # fmt: skip
            tensors[f"l{layer}.{part}.w"] = store_matrix(chance, rows, width)
            tensors[f"l{layer}.{part}.b"] = store_numbers(np.zeros(rows))
        for part in ("aln", "oln"):
            tensors[f"l{layer}.{part}.w"] = store_numbers(np.ones(WIDTH))
            tensors[f"l{layer}.{part}.b"] = store_numbers(np.zeros(WIDTH))
    return tensors


@pytest.fixture(scope="module")
def arrays(stored):
    """Sixty labelled headlines and twenty later ones; label 0 has the words of its article's second quote."""
    chance = np.random.default_rng(7)
    texts, quotes, bodies, labels = [], [], [], []
    for number in range(80):
        body = [chance.integers(2, WORDS, 9) for _ in range(3)]
        words = chance.integers(2, WORDS, 6) if number % 2 else body[1][:6]
        quotes.append(len(texts))
        bodies.append(range(len(texts) + 1, len(texts) + 4))
        texts += [np.r_[0, ids, 1] for ids in (words, *body)]
        labels.append(number % 2)
    return {
        "shape": np.array([WIDTH, LAYERS, HEADS, INNER]),
        "tokens": np.concatenate(texts).astype(np.uint16),
        "lengths": np.array([len(ids) for ids in texts]),
        "quotes": np.array(quotes),
        "bodies": np.concatenate(bodies),
        "counts": np.full(80, 3),
        "labels": np.array(labels),
        "nearest": np.ones(80, np.int32),
        "letters": np.array([[label, 1 - label] for label in labels], np.float32) + np.float32(0.5),
        "labelled": np.array(60),
        **{f"trunk/{name}": values for name, values in stored.items()},
    }


@pytest.fixture
def trunk(stored):
    return build_trunk((WIDTH, LAYERS, HEADS, INNER), stored)


@pytest.fixture(scope="module")
def data(arrays):
    return Headlines(arrays, CPU)


def test_blocks_are_a_scale_and_two_weights_a_byte():
    scale = np.array([0.5], np.float16).view(np.uint8)
    row = unpack_blocks(np.concatenate([scale, np.arange(16, dtype=np.uint8) + 16 * 15]), 32)[0]
    assert row[:3].tolist() == [-4, -3.5, -3]  # 0, 1, 2 in the low nibbles, less 8, halved
    assert set(row[16:].tolist()) == {3.5}


def test_a_trunk_is_that_of_transformers(trunk, stored):
    """The same weights in the BERT of the library make the same vectors."""
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=WORDS, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        intermediate_size=INNER, max_position_embeddings=POSITIONS,
    )  # fmt: skip
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    embedding = model.embeddings
    embedding.word_embeddings.weight.data = trunk.words.weight.data
    embedding.position_embeddings.weight.data.zero_()
    embedding.token_type_embeddings.weight.data.zero_()
    for layer in range(LAYERS):
        theirs = model.encoder.layer[layer]
        matrices = {
            "q": theirs.attention.self.query, "k": theirs.attention.self.key,
            "v": theirs.attention.self.value,
            "ao": theirs.attention.output.dense, "fi": theirs.intermediate.dense, "fo": theirs.output.dense,
        }  # fmt: skip
        for part, linear in matrices.items():
            weights = unpack_blocks(stored[f"l{layer}.{part}.w"], linear.in_features)
            linear.weight.data = torch.from_numpy(weights)
            linear.bias.data.zero_()
    texts = [torch.tensor([0, 5, 9, 1]), torch.tensor([0, 7, 1])]
    trunk.eval()
    with torch.no_grad():
        vectors = trunk(torch.cat(texts), torch.tensor([4, 3]), 16)
        for vector, ids in zip(vectors, texts, strict=True):
            expected = model(ids[None]).last_hidden_state[0].mean(0)
            assert torch.allclose(vector, expected, atol=1e-5)


def test_texts_are_encoded_in_their_order(trunk, data):
    trunk.eval()
    texts = [data.texts[0], data.texts[1][:4], data.texts[2][:7]]
    vectors = encode_every(trunk, data, texts)
    for vector, ids in zip(vectors, texts, strict=True):
        assert torch.allclose(vector, encode_every(trunk, data, [ids])[0], atol=1e-5)


def test_a_limit_takes_the_first_rows_of_both_sets(arrays, data):
    few = Headlines(arrays, CPU, 3)
    assert few.labelled == 3
    for ours, theirs in zip(range(6), (0, 1, 2, 60, 61, 62), strict=True):
        assert few.texts[few.quotes[ours]].tolist() == data.texts[data.quotes[theirs]].tolist()
        assert few.texts[few.bodies[ours][2]].tolist() == data.texts[data.bodies[theirs][2]].tolist()


def test_both_quotes_are_joined_as_one_text(data):
    joined = data.join(0, 1).tolist()
    quote, other = data.texts[data.quotes[0]].tolist(), data.texts[data.bodies[0][1]].tolist()
    assert joined == [*quote, 1, *other[1:]]


@pytest.mark.parametrize(
    ("hard", "itself", "expected"),
    [(True, False, (1, 2)), (False, False, (1, -1)), (True, True, (-1, 2)), (False, True, (-1, -1))],
)
def test_pairs_are_those_of_the_variant(hard, itself, expected):
    near = np.array([1, 0], np.float32)
    article = Article(near, np.array([[0, 1], [1, 0], [0, -1]], np.float32), 0)
    pairs = [
        choose_pairs([article], np.random.default_rng(seed), hard=hard, itself=itself) for seed in range(9)
    ]
    positives, negatives = {pair[0][1] for pair in pairs}, {pair[0][2] for pair in pairs}
    assert positives == {expected[0]}
    assert negatives == ({0, 2} if hard else {-1})


def test_a_batch_holds_anchors_positives_and_negatives(data):
    texts = list_texts(data, [4, 6], [(0, 1, -1), (1, -1, 2)])
    first, second = (data.texts[data.quotes[row]] for row in (4, 6))
    expected = [first, second, data.texts[data.bodies[4][1]], second, data.texts[data.bodies[6][2]]]
    assert [ids.tolist() for ids in texts] == [ids.tolist() for ids in expected]


def test_contrast_trains_the_trunk_and_brings_positives_together(trunk, data):
    def measure(project, vectors):
        projected = project_vectors(project, vectors).numpy()
        rows = [row for row in range(60) if not data.labels[row]]
        cosines = projected[data.quotes[rows]] @ projected[[data.bodies[row][1] for row in rows]].T
        return float(np.diag(cosines).mean() - cosines.mean())

    before = trunk.layers[0].first.weight.detach().clone()
    recipe = replace(CONTRAST, rate=1e-3, epochs=3, batch=20)
    project = train_contrast(trunk, data, list(range(80)), recipe, 7, hard=True, itself=False)
    assert not torch.equal(before, trunk.layers[0].first.weight)
    assert measure(project, encode_every(trunk, data, data.texts)) > 0.3


@pytest.mark.parametrize("together", [False, True])
def test_only_a_rate_above_zero_changes_the_trunk(trunk, data, together):
    space = Space(encode_every(trunk, data, data.texts))
    task = Task(data, space, np.arange(40), np.arange(40, 60), data.nearest, together=together)
    before = trunk.layers[0].first.weight.detach().clone()
    chances = train_classifier(trunk, task, replace(FROZEN, epochs=2), 7)
    assert chances.shape == (20,)
    assert torch.equal(before, trunk.layers[0].first.weight)
    train_classifier(trunk, task, replace(CLASSIFIER, epochs=1), 7)
    assert not torch.equal(before, trunk.layers[0].first.weight)


def test_the_classifier_learns_from_letters(trunk, data):
    vectors = encode_every(trunk, data, data.texts)
    space = Space(vectors)
    learned, tested = np.arange(40), np.arange(40, 60)
    task = Task(
        data, space, learned, tested, choose_nearest(data, space(vectors)), scale_letters(data, learned)
    )
    chances = train_classifier(trunk, task, FROZEN, 7)
    assert ((chances > 0.5) == data.labels[tested]).mean() == 1.0


def test_a_run_has_every_system_and_goes_on_where_it_stopped(arrays, tmp_path, monkeypatch):
    np.savez(tmp_path / "arrays.npz", **arrays)
    command = ["korean_tuned", "--arrays", str(tmp_path / "arrays.npz"), "--runs", str(tmp_path / "runs")]
    monkeypatch.setattr("sys.argv", [*command, "--seeds", "2", "--epochs", "1", "--rows", "20"])
    korean_tuned.main()
    lines = (tmp_path / "runs/figures.jsonl").read_text().splitlines()
    assert not any("error" in json.loads(line) for line in lines)
    summary = json.loads((tmp_path / "runs/summary.json").read_text())
    for start in korean_tuned.STARTS:
        assert {f"{start}, frozen", f"{start}, fine-tuned"} <= set(summary)
    assert {"trunk, fine-tuned, with letters", "letters", "read together, with letters"} <= set(summary)
    assert all(values["seeds"] == 2 and 0 <= values["f1"][0] <= 1 for values in summary.values())
    korean_tuned.main()
    assert (tmp_path / "runs/figures.jsonl").read_text().splitlines() == lines


def test_a_run_out_of_time_keeps_what_it_has(arrays, tmp_path, monkeypatch):
    np.savez(tmp_path / "arrays.npz", **arrays)
    command = ["korean_tuned", "--arrays", str(tmp_path / "arrays.npz"), "--runs", str(tmp_path / "runs")]
    monkeypatch.setattr(
        "sys.argv", [*command, "--seeds", "1", "--epochs", "1", "--rows", "20", "--limit", "0"]
    )
    korean_tuned.main()
    assert (tmp_path / "runs/summary.json").exists()


def test_the_results_say_seeds_device_and_what_was_not_run(tmp_path, monkeypatch):
    """Two seeds of three of one start, once with an error, and a choice of rates, which is no system."""
    records = [
        {"key": "rate 0.1 of trunk, seed 0", "seed": 0, "figures": {"trunk, frozen": {"f1": 0.1}}},
        {"key": "trunk, seed 0", "seed": 0, "figures": {"trunk, frozen": {"f1": 0.5}}},
        {"key": "trunk, seed 1", "seed": 1, "figures": {"trunk, frozen": {"f1": 0.7}}},
        {"key": "trunk, seed 2", "seed": 2, "figures": {"trunk, frozen": {"f1": 0.9}}, "error": "..."},
    ]
    (tmp_path / "figures.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "setting.json").write_text(json.dumps({"device": "a card"}))
    (tmp_path / "arrays.npz").write_bytes(b"arrays")
    monkeypatch.setattr("benchmarks.provenance.RESULTS", tmp_path / "results")
    command = ["korean_tuned", "--arrays", str(tmp_path / "arrays.npz"), "--runs", str(tmp_path)]
    monkeypatch.setattr("sys.argv", [*command, "--seeds", "3", "--write"])
    korean_tuned.main()
    result = json.loads((tmp_path / "results/korean-tuned.json").read_text())
    assert result["device"] == "a card"
    assert "machine" not in result
    assert result["systems"] == {"trunk, frozen": {"seeds": 2, "f1": [0.6, 0.1]}}
    assert result["seeds not run"] == {
        "trunk": 1, "QuoteCSE": 3, "SimCSE": 3, "QuoteCSE, no hard negatives": 3,
        "QuoteCSE, SimCSE positives": 3, "read together": 3,
    }  # fmt: skip
    assert list(result["data"]) == ["arrays.npz"]
