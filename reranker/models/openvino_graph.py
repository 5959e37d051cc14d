"""Run a graph of the models with OpenVINO, in float32, bfloat16 or partly in int8.

In int8 the linear layers are computed in int8. All other layers are computed in bfloat16, or in float32 if
the processor has no bfloat16. Weights are rounded when a graph is loaded, with one scale for each row (one
output of the layer), from the row's largest magnitude. Activations are rounded at each pass, with one scale
for each token. So results do not depend on other rows of a batch, and no calibration is needed. OpenVINO
rounds activations in groups of values, but only if the size of a group divides the widths of the layers.

Source: the weights as in "LLM.int8()" (NeurIPS 2022), section 2, without its treatment of outliers: the
largest activation here is 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reranker.models.onnx_session import Array, Graph

if TYPE_CHECKING:
    import openvino

LEAST_OUTPUTS = 4
"""Layers with fewer outputs are heads. They are small, and rounding them would be visible in scores."""


def open_graph(path: Path, precision: str, threads: int, *, linear_int8: bool) -> tuple[Graph, set[str]]:
    """Load the graph of an ONNX file; return a function that runs the graph, and the names of its inputs.

    `precision` is "float32" or "bfloat16"; `linear_int8` rounds the linear layers. Each thread has its own
    inference request, because a request computes one input at a time.
    """
    core = get_core()
    settings: dict[str, Any] = {
        "INFERENCE_PRECISION_HINT": {"float32": "f32", "bfloat16": "bf16"}[precision],
        "INFERENCE_NUM_THREADS": threads,
        "PERFORMANCE_HINT": "LATENCY",
    }
    model = core.read_model(path)
    fold_adapters(model)
    if linear_int8:
        settings["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = str(quantise_linears(model))
    names = {node.any_name for node in model.inputs}  # a compiled input may have further names
    compiled = core.compile_model(model, "CPU", settings)
    requests = local()

    def run(inputs: Mapping[str, Array]) -> list[Array]:
        if not hasattr(requests, "own"):
            requests.own = compiled.create_infer_request()
        outputs = requests.own.infer(dict(inputs))
        return [np.array(outputs[output]) for output in compiled.outputs]

    return run, names


@cache
def get_core() -> openvino.Core:
    """Return the OpenVINO core of this process, which is never released.

    The core's CPU plug-in gives the thread that loads it another signal stack. If another thread released the
    plug-in, that stack would be unmapped while still in use. The next signal, such as Ctrl-C, would then end
    the process with a segmentation fault (OpenVINO 2026.4).
    """
    import openvino

    return openvino.Core()


def has_bfloat16() -> bool:
    """Return whether OpenVINO computes in bfloat16 on this processor."""
    return "BF16" in get_core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")


def fold_adapters(model: openvino.Model) -> bool:
    """Add a model's low-rank adapters to its weights, in place, and return whether the model has adapters.

    Otherwise, OpenVINO would compute the sum of int8 weights and adapters in each pass. A model without
    adapters is not changed, because its weights would become float32 and take more memory.
    """
    from openvino.passes import ConstantFolding, Manager

    constant: dict[str, bool] = {}
    has_adapters = False
    for node in model.get_ordered_ops():
        inputs = [value.get_node().get_name() for value in node.input_values()]
        is_constant = all(constant[name] for name in inputs) if inputs else _is_constant(node)
        constant[node.get_name()] = is_constant
        has_adapters |= is_constant and node.get_type_name() == "MatMul"
    if has_adapters:
        manager = Manager()
        manager.register_pass(ConstantFolding())
        manager.run_passes(model)
    return has_adapters


def _is_constant(node: openvino.Node) -> bool:
    return bool(node.get_type_name() == "Constant")


def quantise_linears(model: openvino.Model) -> int:
    """Quantise the linear layers of a model to int8, in place, except heads (layers with few outputs).

    Return the smallest input width of these layers; 0 if there are no such layers.
    """
    from openvino import opset13

    widths = []
    for product, weights in list(_list_linears(model)):
        rows, scales = round_rows(weights.T)
        constant = opset13.multiply(opset13.convert(opset13.constant(rows), "f32"), opset13.constant(scales))
        rounded = opset13.matmul(product.input_value(0), constant, transpose_a=False, transpose_b=True)
        rounded.set_friendly_name(product.get_friendly_name())
        product.output(0).replace(rounded.output(0))
        widths.append(weights.shape[0])
    return min(widths, default=0)


def round_rows(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Round each row of weights to int8, scaled so that the row's largest magnitude becomes 127.

    Return int8 (n, k) and scales float32 (n, 1).

    >>> rows, scales = round_rows(np.array([[127, -64.2], [0, 0]], np.float32))
    >>> rows.tolist(), scales.tolist()
    ([[127, -64], [0, 0]], [[1.0], [1.0]])
    """
    largest = np.abs(weights).max(axis=1, keepdims=True).astype(np.float32)
    scales = np.where(largest == 0, np.float32(1), largest / np.float32(127))
    return np.ascontiguousarray(np.rint(weights / scales).astype(np.int8)), scales


def _list_linears(model: openvino.Model) -> Iterator[tuple[openvino.Node, NDArray[np.float32]]]:
    """Yield each matrix product with constant weights, and these weights as float32 (inputs, outputs).

    Products with fewer than `LEAST_OUTPUTS` outputs are left out.
    """
    for node in model.get_ordered_ops():
        if node.get_type_name() == "MatMul":
            weights = _read_constant(node.input_value(1).get_node())
            if weights is None or weights.ndim != 2:
                continue
            if node.get_attributes()["transpose_b"]:
                weights = weights.T
            if weights.shape[1] >= LEAST_OUTPUTS:
                yield node, weights.astype(np.float32)


def _read_constant(node: openvino.Node) -> NDArray[Any] | None:
    """Return the value of a node that depends on constants only, as stored weights do.

    Return `None` for any other node.
    """
    kind = node.get_type_name()
    if kind == "Constant":
        return np.array(node.data)
    if kind not in ("Convert", "Transpose"):
        return None
    value = _read_constant(node.input_value(0).get_node())
    if value is None or kind == "Convert":
        return value
    order = _read_constant(node.input_value(1).get_node())
    return None if order is None else np.transpose(value, order.tolist())
