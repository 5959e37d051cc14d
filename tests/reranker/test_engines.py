"""The engines compute the same models: OpenVINO against ONNX Runtime, on the shipped weights."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import openvino
import pytest

from archive.shipped_files import shipped
from reranker.models.engines import Engine
from reranker.models.loaded import Models
from rostrum_core.errors import ModelError

TEXTS = [
    "Ask not what your country can do for you.",
    "We choose to go to the moon in this decade and do the other things, not because they are easy.",
    "No.",
    "The only thing we have to fear is fear itself. " * 20,
]
HAS_BFLOAT16 = "BF16" in openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
needs_bfloat16 = pytest.mark.skipif(not HAS_BFLOAT16, reason="this processor does not compute in bfloat16")


@cache
def models(name: str, precision: str) -> Models:
    return Models(shipped("models"), Engine(name, precision, threads=2))


def vectors(found: Models) -> np.ndarray:
    return np.stack([encoding.vector for encoding in found.encoder.encodings(TEXTS)])


def ranked(found: Models) -> list[tuple[float, tuple[int, int]]]:
    query = found.wordpieces.query("Moon", "A young president told the crowd why they should go.")
    results = found.ranker.rank(query, TEXTS, found.wordpieces.pieces(TEXTS))
    return [(r.score, (r.span.start_char, r.span.end_char)) for r in results]


def test_openvino_gives_the_vectors_scores_and_spans_of_onnx_runtime():
    reference, other = models("onnxruntime", "float32"), models("openvino", "float32")
    np.testing.assert_allclose(vectors(other), vectors(reference), atol=1e-5)
    expected, found = ranked(reference), ranked(other)
    assert [score for score, _ in found] == pytest.approx([score for score, _ in expected], abs=1e-3)
    assert [span for _, span in found] == [span for _, span in expected]


@needs_bfloat16
def test_bfloat16_keeps_the_direction_of_vectors():
    cosines = (vectors(models("openvino", "bfloat16")) * vectors(models("onnxruntime", "float32"))).sum(1)
    assert cosines.min() > 0.9995


@pytest.mark.skipif(HAS_BFLOAT16, reason="this processor computes in bfloat16")
def test_bfloat16_is_refused_where_the_processor_has_none():
    with pytest.raises(ModelError, match="ROSTRUM_PRECISION=float32"):
        vectors(models("openvino", "bfloat16"))
    with pytest.raises(ModelError, match="ROSTRUM_PRECISION=float32"):
        Engine("openvino", "bfloat16").check(loading=True)  # before hours of training
    Engine("openvino", "bfloat16").check()  # a process that may fork yet does not load it


@pytest.mark.parametrize(
    "engine",
    [
        Engine("abacus"),
        Engine(precision="float8"),
        Engine("onnxruntime", "bfloat16"),
        Engine("openvino", device="cuda"),
    ],
    ids=["engine", "precision", "both", "device"],
)
def test_what_there_is_not_is_a_model_error(engine):
    with pytest.raises(ModelError):
        engine.check()  # before a service says that it is up
    with pytest.raises(ModelError):
        Models(shipped("models"), engine).encoder.encodings(TEXTS)


def test_an_engine_that_is_not_installed_is_told_by_its_extra(monkeypatch):
    monkeypatch.setattr("reranker.models.engines.importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"\[openvino\]"):
        Engine("openvino").check()


@pytest.mark.parametrize("name", ["onnxruntime", "openvino"])
def test_threads_share_a_graph(name):
    found = models(name, "float32")
    alone = vectors(found)
    with ThreadPoolExecutor(4) as pool:
        for together in pool.map(lambda _: vectors(found), range(8)):
            np.testing.assert_array_equal(together, alone)
