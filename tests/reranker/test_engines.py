"""The engines compute the same models: OpenVINO against ONNX Runtime, on the shipped weights."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import openvino
import pytest

from archive.shipped_files import locate_shipped
from quotations.text.sentences import split_sentences
from reranker.models import engines
from reranker.models.engines import PRECISIONS, Engine, resolve_engine
from reranker.models.loaded import Models
from reranker.models.openvino_graph import fold_adapters, quantise_linears, round_rows
from reranker.models.processor import has_int8_products, read_flags
from rostrum_core.errors import ModelError

TEXTS = [
    "Ask not what your country can do for you.",
    "We choose to go to the moon in this decade and do the other things, not because they are easy.",
    "No.",
    "The only thing we have to fear is fear itself. " * 20,
]
HAS_BFLOAT16 = "BF16" in openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
SCORES_DIFFER_BY = {"float32": 1e-3, "bfloat16": 0.06, "int8": 0.25}
"""Most that a score may differ from ONNX Runtime's; the sample's scores have a deviation of about 1."""

SAME_SPANS = {"float32": 1.0, "bfloat16": 0.97, "int8": 0.92}
"""Least share of paragraphs with the same best span."""

needs_bfloat16 = pytest.mark.skipif(not HAS_BFLOAT16, reason="this processor does not compute in bfloat16")


@cache
def models(name: str, precision: str) -> Models:
    return Models(locate_shipped("models"), Engine(name, precision, threads=2))


def vectors(found: Models) -> np.ndarray:
    return np.stack([encoding.vector for encoding in found.encoder.encodings(TEXTS)])


def ranked(found: Models) -> list[tuple[float, tuple[int, int]]]:
    query = found.wordpieces.tokenise_query("Moon", "A young president told the crowd why they should go.")
    results = found.ranker.rank(query, TEXTS, found.wordpieces.tokenise(TEXTS))
    return [(r.score, (r.span.start_char, r.span.end_char)) for r in results]


def test_openvino_gives_the_vectors_scores_and_spans_of_onnx_runtime():
    reference, other = models("onnxruntime", "float32"), models("openvino", "float32")
    np.testing.assert_allclose(vectors(other), vectors(reference), atol=1e-5)
    expected, found = ranked(reference), ranked(other)
    assert [score for score, _ in found] == pytest.approx([score for score, _ in expected], abs=1e-3)
    assert [span for _, span in found] == [span for _, span in expected]


def test_a_signal_is_handled_after_another_thread_dropped_a_graph():
    code = """if True:
        import gc, signal, threading
        from archive.shipped_files import locate_shipped
        from reranker.models.openvino_graph import open_graph

        graphs = [open_graph(locate_shipped("models") / "paragraph.onnx", "float32", 1, linear_int8=False)]
        thread = threading.Thread(target=graphs.clear)
        thread.start()
        thread.join()
        gc.collect()
        signal.signal(signal.SIGINT, lambda number, frame: print("handled", flush=True))
        signal.raise_signal(signal.SIGINT)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "handled\n"), done.stderr


def skip_without(precision: str) -> None:
    """Skip where this processor lacks the precision."""
    if (precision == "bfloat16" and not HAS_BFLOAT16) or (precision == "int8" and not has_int8_products()):
        pytest.skip(f"this processor does not compute in {precision}")


@cache
def draft_of_samples() -> tuple[str, list[str]]:
    """Return the text of a draft and 60 paragraphs of the sample speeches."""
    with locate_shipped("samples/speeches.jsonl").open(encoding="utf-8") as lines:
        paragraphs = [text for line in lines for text in json.loads(line)["paragraphs"]]
    return paragraphs[40], paragraphs[:: len(paragraphs) // 60][:60]


def rank_samples(found: Models, order: list[int]) -> list[tuple[float, tuple[int, int]]]:
    """Return score and span of the sample's paragraphs, which the ranker receives in this order."""
    left, texts = draft_of_samples()
    given = [texts[i] for i in order]
    query = found.wordpieces.tokenise_query("A nation at peace", left)
    results = found.ranker.rank(query, given, found.wordpieces.tokenise(given))
    return [(r.score, (r.span.start_char, r.span.end_char)) for r in results]


@pytest.mark.parametrize("precision", PRECISIONS["openvino"])
def test_every_precision_agrees_with_onnx_runtime_within_its_tolerance(precision):
    skip_without(precision)
    every = list(range(60))
    reference = rank_samples(models("onnxruntime", "float32"), every)
    other = rank_samples(models("openvino", precision), every)
    differences = [abs(a - b) for (a, _), (b, _) in zip(reference, other, strict=True)]
    same = [a == b for (_, a), (_, b) in zip(reference, other, strict=True)]
    assert max(differences) <= SCORES_DIFFER_BY[precision]
    assert sum(same) >= SAME_SPANS[precision] * len(same)


@pytest.mark.parametrize(
    ("name", "precision"),
    [("onnxruntime", "float32"), *(("openvino", precision) for precision in PRECISIONS["openvino"])],
)
def test_the_other_paragraphs_of_a_batch_change_no_order(name, precision):
    """The first half is ranked with all others, in another order, and alone."""
    skip_without(precision)
    found, half = models(name, precision), list(range(0, 60, 2))
    alone = rank_samples(found, half)
    backwards = rank_samples(found, [*range(59, -1, -1)])[::-1]
    together = [backwards[i] for i in half]
    orders = [sorted(range(len(half)), key=lambda i: -ranked[i][0]) for ranked in (alone, together)]
    assert orders[0] == orders[1]
    assert [span for _, span in alone] == [span for _, span in together]


def test_rounded_rows_of_weights_are_within_half_a_step():
    weights = np.random.default_rng(1).standard_normal((5, 64)).astype(np.float32)
    rows, scales = round_rows(weights)
    assert (np.abs(rows * scales - weights) <= scales / 2 + 1e-6).all()
    assert np.abs(rows).max(axis=1).tolist() == [127] * 5


def test_int8_rounds_the_weights_of_every_linear_layer_of_the_ranker():
    model = openvino.Core().read_model(locate_shipped("models") / "paragraph.onnx")
    assert quantise_linears(model) == 384  # the least width
    constants = [node for node in model.get_ops() if node.get_type_name() == "Constant"]
    shapes = [node.data.shape for node in constants if node.data.dtype == np.int8]
    assert sorted(shapes) == sorted([(384, 384)] * 4 * 6 + [(1536, 384)] * 6 + [(384, 1536)] * 6)


def count_products(model: openvino.Model) -> int:
    """Return the number of matrix products of a graph."""
    return sum(node.get_type_name() == "MatMul" for node in model.get_ops())


def test_the_upper_layers_of_evidence_are_rounded_with_their_adapters():
    model = openvino.Core().read_model(locate_shipped("models") / "evidence_upper.onnx")
    fold_adapters(model)
    assert quantise_linears(model) == 384  # the least width
    constants = [node for node in model.get_ops() if node.get_type_name() == "Constant"]
    shapes = [node.data.shape for node in constants if node.data.dtype == np.int8]
    layers = [*[(384, 384)] * 4, (1536, 384), (384, 1536)] * 5
    assert sorted(shapes) == sorted([*layers, (384, 384)])  # and the first layer of the stance's head


@pytest.mark.parametrize("precision", PRECISIONS["openvino"])
def test_evidence_agrees_with_onnx_runtime_within_the_tolerance_of_each_precision(precision):
    skip_without(precision)
    claim, texts = draft_of_samples()
    spans = [split_sentences(text) for text in texts]
    judged = []
    for chosen in (models("onnxruntime", "float32"), models("openvino", precision)):
        scores = chosen.get_part("evidence").score(claim, chosen.wordpieces.tokenise(texts), spans)
        judged.append(
            [np.concatenate([getattr(one, name) for one in scores]) for name in ("scores", "stances")]
        )
    (reference, expected), (other, stances) = judged
    tolerance = {"float32": (1e-3, 1e-3), "bfloat16": (0.25, 0.1), "int8": (0.25, 0.1)}[precision]
    assert np.abs(reference - other).max() <= tolerance[0]
    assert np.abs(expected - stances).max() <= tolerance[1]
    assert reference.argmax() == other.argmax()


def test_adapters_are_added_to_the_weights_when_a_graph_is_loaded():
    model = openvino.Core().read_model(locate_shipped("models") / "evidence_lower.onnx")
    products = count_products(model)
    assert fold_adapters(model)
    assert count_products(model) == products - 6  # one for each linear layer of the one layer


def test_a_graph_without_adapters_is_loaded_as_it_is():
    model = openvino.Core().read_model(locate_shipped("models") / "paragraph_lower.onnx")
    constants = sum(node.get_type_name() == "Constant" for node in model.get_ops())
    assert not fold_adapters(model)
    assert sum(node.get_type_name() == "Constant" for node in model.get_ops()) == constants


@pytest.fixture
def flags(monkeypatch):
    """Set the flags of the processor."""

    def set_flags(*names: str) -> None:
        monkeypatch.setattr("reranker.models.processor.read_flags", lambda: frozenset(names))

    return set_flags


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (("avx2",), ("onnxruntime", "float32")),
        (("avx512_vnni",), ("openvino", "float32")),
        (("avx_vnni",), ("openvino", "float32")),
        (("amx_bf16",), ("openvino", "bfloat16")),
        (("avx512_bf16", "avx512_vnni"), ("openvino", "bfloat16")),
    ],
)
def test_the_engine_is_chosen_by_the_instructions_of_the_processor(flags, named, expected):
    flags(*named)
    chosen = resolve_engine("cpu", "auto", None, 0)
    assert (chosen.name, chosen.precision) == expected


def test_without_openvino_the_engine_is_onnx_runtime_and_the_doctor_can_say_so(flags, monkeypatch):
    flags("avx512_vnni")
    monkeypatch.setattr(engines, "_is_installed", lambda package: False)
    chosen = resolve_engine("cpu", "auto", None, 0)
    assert (chosen.name, chosen.precision, chosen.is_slower_than_could_be()) == (
        "onnxruntime",
        "float32",
        True,
    )


def test_a_named_precision_is_kept(flags):
    flags("avx512_bf16", "avx512_vnni")
    assert resolve_engine("cpu", "auto", "float32", 0) == Engine("openvino", "float32")
    assert resolve_engine("cpu", "onnxruntime", None, 0) == Engine("onnxruntime", "float32")
    flags("avx2")
    assert (
        resolve_engine("cpu", "auto", "bfloat16", 0).name == "openvino"
    )  # which then refuses, with the reason


def test_int8_is_refused_where_the_processor_does_not_multiply_it(flags):
    flags("avx2")
    with pytest.raises(ModelError, match="ROSTRUM_PRECISION=float32"):
        Engine("openvino", "int8").check()


def test_flags_are_read_from_the_list_of_the_system(tmp_path):
    listed = tmp_path / "cpuinfo"
    listed.write_text("processor\t: 0\nflags\t\t: fpu avx512_vnni\n\nprocessor\t: 1\nflags\t\t: fpu\n")
    assert read_flags(listed) == {"fpu", "avx512_vnni"}
    assert read_flags(tmp_path / "missing") == frozenset()


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
def test_missing_engine_or_device_is_a_model_error(engine):
    with pytest.raises(ModelError):
        engine.check()  # before a service says that it is up
    with pytest.raises(ModelError):
        Models(locate_shipped("models"), engine).encoder.encodings(TEXTS)


@pytest.mark.parametrize(("device", "is_named"), [("cpu", False), ("cuda", True)])
def test_missing_torch_is_blamed_on_the_device_only_if_that_is_cuda(monkeypatch, device, is_named):
    monkeypatch.setattr(engines.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"the engine torch.* needs the extra: .*\[gpu\]") as caught:
        Engine("torch", device=device).check()
    assert ("ROSTRUM_DEVICE=cuda" in str(caught.value)) == is_named


def test_an_engine_that_is_not_installed_is_told_by_its_extra(monkeypatch):
    monkeypatch.setattr(engines, "_is_installed", lambda package: False)
    with pytest.raises(ImportError, match=r"\[openvino\]"):
        Engine("openvino").check()


@pytest.mark.parametrize("name", ["onnxruntime", "openvino"])
def test_threads_share_a_graph(name):
    found = models(name, "float32")
    alone = vectors(found)
    with ThreadPoolExecutor(4) as pool:
        for together in pool.map(lambda _: vectors(found), range(8)):
            np.testing.assert_array_equal(together, alone)
