"""What computes the graphs of the models: ONNX Runtime, or OpenVINO where its extra is installed.

OpenVINO computes in bfloat16 where that is asked for and the processor can, twice as fast or more.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import local
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from rostrum.core.errors import ModelError

Array = NDArray[Any]
Graph = Callable[[Mapping[str, Array]], list[Array]]
"""Arrays by the names of its inputs -> arrays in the order of its outputs. Safe to share between threads."""

PRECISIONS = {"float32": "f32", "bfloat16": "bf16"}  # as OpenVINO calls them


@dataclass(frozen=True, slots=True)
class Engine:
    """What to compute with: `name` "onnxruntime" or "openvino", `precision` "float32" or "bfloat16".

    `threads` 0 is one per core. bfloat16 needs OpenVINO.
    """

    name: str = "onnxruntime"
    precision: str = "float32"
    threads: int = 0

    def load(self, path: Path, inputs: Sequence[str]) -> Graph:
        """The graph of an ONNX file, its fp16 weights widened to float32 at load.

        Raises:
            ModelError: graph and weights do not fit, the engine refuses them, it has no such precision, or
                the graph takes other inputs than those named.
            ImportError: the extra `openvino` is not installed.
        """
        load = {"onnxruntime": _onnxruntime, "openvino": _openvino}.get(self.name)
        if load is None or self.precision not in PRECISIONS:
            raise ModelError(f"there is no engine {self.name} in {self.precision}")
        try:
            graph, found = load(path, self)
        except (ModelError, ImportError):
            raise
        except Exception as error:  # neither engine's errors share a base class but Exception
            raise ModelError(f"{path.name} cannot be loaded: {error}") from error
        if found != set(inputs):
            raise ModelError(f"{path.name} is foreign: it takes {sorted(found)}, not {sorted(inputs)}")
        return graph


def _onnxruntime(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    """The graph and the names of its inputs.

    The memory arena is off: batches differ in shape, and an arena would keep the largest of each.
    """
    if engine.precision != "float32":
        raise ModelError(f"ONNX Runtime computes in float32 on a CPU, not in {engine.precision}")
    ort.disable_telemetry_events()  # it would write an id of this machine into the user's cache
    options = ort.SessionOptions()
    options.intra_op_num_threads = engine.threads
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def run(inputs: Mapping[str, Array]) -> list[Array]:
        found: list[Array] = session.run(None, dict(inputs))
        return found

    return run, {each.name for each in session.get_inputs()}


def _openvino(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    """The graph and the names of its inputs.

    Each thread has a request of its own, since one computes one input at a time.
    """
    if importlib.util.find_spec("openvino") is None:
        raise ImportError("the engine openvino needs the extra: pip install 'rostrum[openvino]'")
    import openvino

    core = openvino.Core()
    if engine.precision == "bfloat16" and "BF16" not in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"):
        raise ModelError("this processor does not compute in bfloat16: set ROSTRUM_PRECISION=float32")
    settings = {
        "INFERENCE_PRECISION_HINT": PRECISIONS[engine.precision],
        "INFERENCE_NUM_THREADS": engine.threads,
        "PERFORMANCE_HINT": "LATENCY",
    }
    compiled = core.compile_model(core.read_model(path), "CPU", settings)
    requests = local()

    def run(inputs: Mapping[str, Array]) -> list[Array]:
        if not hasattr(requests, "own"):
            requests.own = compiled.create_infer_request()
        found = requests.own.infer(dict(inputs))
        return [np.array(found[output]) for output in compiled.outputs]

    return run, {each.any_name for each in compiled.inputs}


ON_CPU = Engine()
"""ONNX Runtime in float32, a thread per core."""
