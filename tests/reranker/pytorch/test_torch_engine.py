"""torch computes what ONNX Runtime does, over paragraphs of the samples, with the shipped weights."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from archive.shipped_files import locate_shipped  # noqa: E402
from reranker.models.batches import BATCH_TOKENS, GPU_BATCH_TOKENS  # noqa: E402
from reranker.models.engines import Engine  # noqa: E402
from reranker.models.loaded import Models  # noqa: E402
from reranker.models.weights import read_words  # noqa: E402
from reranker.pytorch import trunk  # noqa: E402
from reranker.pytorch.device import has_bfloat16  # noqa: E402
from reranker.pytorch.words import DeviceWords  # noqa: E402
from rostrum_core.errors import ModelError  # noqa: E402

FLOAT32_SCORE, FLOAT32_NUMBER = 1e-4, 1e-5
BFLOAT16_SCORE, BFLOAT16_COSINE, BFLOAT16_SPANS = 0.1, 0.9995, 0.9
"""Scores over these paragraphs differ from each other by 1.1 (standard deviation)."""

ONNX_RUNTIME, FLOAT32, BFLOAT16 = Engine(), Engine("torch"), Engine("torch", "bfloat16")
ON_GPU = Engine("torch", "bfloat16", device="cuda")
CPUINFO = Path("/proc/cpuinfo")


@dataclass
class Computed:
    """Hold the vectors, scores and spans of paragraphs that an engine computes for one draft."""

    vectors: np.ndarray
    scores: np.ndarray
    spans: list[tuple[int, int]]


@pytest.fixture(scope="module")
def texts():
    lines = locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines()
    found = [paragraph for line in lines for paragraph in json.loads(line)["paragraphs"]]
    picked = found[:: len(found) // 40][:40]
    assert sum(map(len, picked)) > 4 * BATCH_TOKENS  # more pieces than one batch of a CPU
    return picked


@pytest.fixture(scope="module")
def computed(texts):
    return cache(partial(compute, texts))


def compute(texts, engine):
    models = Models(locate_shipped("models"), engine)
    encoded = models.encoder.encodings(texts)
    query = models.wordpieces.tokenise_query(
        "Moon", "A young president told the crowd why they should go. " * 8
    )
    ranked = models.ranker.rank(query, texts, [each.tokens for each in encoded])
    return Computed(
        np.stack([each.vector for each in encoded]),
        np.array([each.score for each in ranked]),
        [(each.span.start_char, each.span.end_char) for each in ranked],
    )


def test_a_training_in_mixed_precision_leaves_the_models_theirs():
    encoder = Models(locate_shipped("models"), FLOAT32).encoder
    (alone,) = encoder.encodings(["We choose to go to the moon."])
    with torch.autocast("cpu", torch.bfloat16):
        (within,) = encoder.encodings(["We choose to go to the moon."])
    np.testing.assert_array_equal(within.vector, alone.vector)


def test_in_float32_vectors_scores_and_spans_are_those_of_onnx_runtime(computed):
    found, expected = computed(FLOAT32), computed(ONNX_RUNTIME)
    np.testing.assert_allclose(found.vectors, expected.vectors, atol=FLOAT32_NUMBER)
    np.testing.assert_allclose(found.scores, expected.scores, atol=FLOAT32_SCORE)
    assert found.spans == expected.spans
    assert expected.scores.std() > 100 * FLOAT32_SCORE


def test_words_on_a_device_are_those_of_the_table_bit_for_bit():
    table = read_words(Models(locate_shipped("models")).manifest)
    ids = np.random.default_rng(1).integers(0, len(table.rows), (7, 64)).astype(np.int32)
    ids[0, :2] = 0, len(table.rows) - 1
    words = DeviceWords(table, "cpu")
    assert words.width == table.width
    found, expected = words.lookup(ids).numpy(), table.lookup(ids)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.tobytes() == expected.tobytes()


def test_keys_and_values_of_a_draft_stay_where_torch_computes():
    models = Models(locate_shipped("models"), FLOAT32)
    prefix = FLOAT32.load(models.manifest.folder / "prefix.onnx", ["words"])
    paragraph = FLOAT32.load(
        models.manifest.folder / "paragraph.onnx", ["words", "mask", "keys", "values", "draft"]
    )
    ids = models.wordpieces.tokenise_query("Moon", "Kennedy spoke in Houston.")[None]
    keys, values, draft = prefix({"words": models.words.lookup(ids)})
    assert all(isinstance(each, torch.Tensor) for each in (keys, values, draft))
    inputs = {"words": models.words.lookup(ids), "mask": np.ones(ids.shape, bool)}
    scores, edges = paragraph({**inputs, "keys": keys, "values": values, "draft": draft})
    copies = {"keys": keys.numpy(), "values": values.numpy(), "draft": draft.numpy()}
    for found, expected in zip((scores, edges), paragraph({**inputs, **copies}), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert (scores.shape, edges.shape) == ((1,), (1, ids.shape[1], 2))


def test_fused_attention_gives_the_scores_and_spans_of_onnx_runtime(texts, computed, monkeypatch):
    calls = []

    def is_fused(query):
        calls.append(query.shape)
        return True

    monkeypatch.setattr(trunk, "is_fused", is_fused)
    found, expected = compute(texts, FLOAT32), computed(ONNX_RUNTIME)
    assert calls
    np.testing.assert_allclose(found.vectors, expected.vectors, atol=FLOAT32_NUMBER)
    np.testing.assert_allclose(found.scores, expected.scores, atol=FLOAT32_SCORE)
    assert found.spans == expected.spans


@pytest.mark.skipif(not CPUINFO.exists(), reason="only Linux tells its processor's flags in a file")
def test_a_processor_multiplies_bfloat16_if_its_flags_say_so():
    lines = re.findall(r"^(?:flags|Features)\s*: (.*)$", CPUINFO.read_text("utf-8"), re.MULTILINE)
    assert has_bfloat16("cpu") == any(each.endswith("bf16") for each in " ".join(lines).split())


@pytest.mark.parametrize(
    ("capabilities", "has"),
    [
        ({"architecture": "x86_64", "avx512_bf16": True, "amx_bf16": False}, True),
        ({"architecture": "x86_64", "avx512_bf16": False, "amx_bf16": True}, True),
        ({"architecture": "aarch64", "bf16": True, "sve": False}, True),
        ({"architecture": "x86_64", "avx2": True, "avx512_bf16": False, "amx_bf16": False}, False),
    ],
)
def test_capabilities_in_torch_decide_if_a_processor_has_bfloat16(monkeypatch, capabilities, has):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities)
    assert has_bfloat16("cpu") == has


def test_an_older_torch_that_tells_nothing_computes_in_float32(monkeypatch):
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert not has_bfloat16("cpu")


def test_bfloat16_stays_near(computed):
    found, expected = computed(BFLOAT16), computed(ONNX_RUNTIME)
    assert not np.array_equal(found.scores, computed(FLOAT32).scores)
    assert (found.vectors * expected.vectors).sum(1).min() > BFLOAT16_COSINE
    np.testing.assert_allclose(found.scores, expected.scores, atol=BFLOAT16_SCORE)
    same = [ours == theirs for ours, theirs in zip(found.spans, expected.spans, strict=True)]
    assert np.mean(same) >= BFLOAT16_SPANS


def test_the_larger_batches_of_a_gpu_change_nothing(texts, computed):
    models = Models(locate_shipped("models"), FLOAT32)
    models.encoder._batch_tokens = GPU_BATCH_TOKENS
    found = np.stack([each.vector for each in models.encoder.encodings(texts)])
    np.testing.assert_allclose(found, computed(FLOAT32).vectors, atol=FLOAT32_NUMBER)
    assert (ON_GPU.batch_tokens, FLOAT32.batch_tokens) == (GPU_BATCH_TOKENS, BATCH_TOKENS)


def test_threads_share_a_graph(texts):
    models = Models(locate_shipped("models"), FLOAT32)
    query = models.wordpieces.tokenise_query("Moon", "Kennedy spoke in Houston.")
    alone = models.encoder.encode_query(query)
    with ThreadPoolExecutor(4) as pool:
        for together in pool.map(models.encoder.encode_query, [query] * 8):
            np.testing.assert_allclose(together, alone, atol=FLOAT32_NUMBER)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_that_is_not_there_is_a_model_error_that_names_the_setting():
    with pytest.raises(ModelError, match="torch finds no GPU here for ROSTRUM_DEVICE=cuda"):
        Models(locate_shipped("models"), ON_GPU).encoder.encodings(["Ask not."])


def test_a_graph_that_is_none_of_the_models_is_a_model_error(tmp_path):
    with pytest.raises(ModelError, match=r"torch computes encoder, prefix, paragraph.*, not full"):
        FLOAT32.load(tmp_path / "full.onnx", ["words"])


def test_another_engine_does_without_torch():
    capabilities = (
        "import sys; from rostrum_core.settings import read_settings;"
        "from rostrum.assemble import assemble;"
        "assemble(read_settings({})).models.encoder.encodings(['Ask not.']);"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", capabilities], check=True)
