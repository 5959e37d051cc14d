"""Compute the graphs of the models by ONNX Runtime, OpenVINO or torch; the latter two are extras.

OpenVINO computes in bfloat16 if requested and supported by the processor, at least twice as fast. torch
computes on a GPU.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import local

import numpy as np

from reranker.models.batches import BATCH_TOKENS, GPU_BATCH_TOKENS
from reranker.models.onnx_session import Array, Graph, open_session
from rostrum_core.errors import ModelError
from rostrum_core.extras import install_command

PRECISIONS = {"float32": "f32", "bfloat16": "bf16"}  # by OpenVINO's names
USUAL = {"cpu": ("onnxruntime", "float32"), "cuda": ("torch", "bfloat16")}
"""Default name of the engine and its precision, by device."""


@dataclass(frozen=True, slots=True)
class Engine:
    """Describe an engine: `name` "onnxruntime", "openvino" or "torch", `precision` "float32" or "bfloat16".

    `threads` 0 is one per core. `device` is "cpu" or "cuda". ONNX Runtime has no bfloat16; only torch
    supports "cuda".
    """

    name: str = "onnxruntime"
    precision: str = "float32"
    threads: int = 0
    device: str = "cpu"

    @property
    def batch_tokens(self) -> int:
        """The most padded tokens to compute in one pass."""
        return BATCH_TOKENS if self.device == "cpu" else GPU_BATCH_TOKENS

    def check(self, *, loading: bool = False) -> None:
        """Raise unless this process can use the engine, as far as can be checked before a graph is loaded.

        OpenVINO's support of the processor is only known once OpenVINO is loaded. A process that will still
        fork leaves that check to `load`. One that computes for hours before it loads a graph passes
        `loading` to check now.

        Raises:
            ModelError: the engine, its precision or the device does not exist.
            ImportError: the extra `openvino` or `gpu` is not installed.
        """
        if self.name not in LOADERS or self.precision not in PRECISIONS:
            raise ModelError(f"there is no engine {self.name} in {self.precision}")
        if self.name == "onnxruntime" and self.precision != "float32":
            raise ModelError(f"ONNX Runtime computes in float32 on a CPU, not in {self.precision}")
        if self.name == "openvino" and importlib.util.find_spec("openvino") is None:
            raise ImportError(f"the engine openvino needs the extra: {install_command('openvino')}")
        if self.name == "torch":
            _check_torch(self)
        elif self.device != "cpu":
            raise ModelError(
                f"{self.name} computes on a CPU: ROSTRUM_DEVICE={self.device} needs the engine torch"
            )
        if loading and self.name == "openvino":
            _check_openvino(self)

    def load(self, path: Path, inputs: Sequence[str]) -> Graph:
        """Return the graph of an ONNX file, with its fp16 weights widened to float32 at load.

        Raises:
            ModelError: graph and weights do not match, the engine rejects them, it lacks the precision or
                device, or the graph has other inputs than those named.
            ImportError: the extra `openvino` or `gpu` is not installed.
        """
        self.check(loading=True)
        try:
            graph, found = LOADERS[self.name](path, self)
        except (ModelError, ImportError):
            raise
        except Exception as error:  # the engines' errors share only the base class Exception
            raise ModelError(f"{path.name} cannot be loaded: {error}") from error
        if found != set(inputs):
            raise ModelError(f"{path.name} is foreign: it takes {sorted(found)}, not {sorted(inputs)}")
        return graph


def _onnxruntime(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    """Return the graph and the names of its inputs."""
    session = open_session(path, engine.threads)

    def run(inputs: Mapping[str, Array]) -> list[Array]:
        found: list[Array] = session.run(None, dict(inputs))
        return found

    return run, {each.name for each in session.get_inputs()}


def _openvino(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    """Return the graph and the names of its inputs.

    Each thread has its own request, because a request computes one input at a time.
    """
    import openvino

    core = openvino.Core()
    settings = {
        "INFERENCE_PRECISION_HINT": PRECISIONS[engine.precision],
        "INFERENCE_NUM_THREADS": engine.threads,
        "PERFORMANCE_HINT": "LATENCY",
    }
    model = core.read_model(path)
    named = {each.any_name for each in model.inputs}  # a compiled input may have further names
    compiled = core.compile_model(model, "CPU", settings)
    requests = local()

    def run(inputs: Mapping[str, Array]) -> list[Array]:
        if not hasattr(requests, "own"):
            requests.own = compiled.create_infer_request()
        found = requests.own.infer(dict(inputs))
        return [np.array(found[output]) for output in compiled.outputs]

    return run, named


def _check_openvino(engine: Engine) -> None:
    import openvino

    capabilities = openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    if engine.precision == "bfloat16" and "BF16" not in capabilities:
        raise ModelError("this processor does not compute in bfloat16: set ROSTRUM_PRECISION=float32")


def _check_torch(engine: Engine) -> None:
    """Check torch without importing it in a process that computes on the CPU, which may still fork."""
    if importlib.util.find_spec("torch") is None:
        told = "the engine torch, which ROSTRUM_DEVICE=cuda asks for, needs the extra"
        raise ImportError(f"{told}: {install_command('gpu')}")
    if engine.device != "cpu":
        from reranker.pytorch.device import check_device

        check_device(engine.device, engine.precision)


def _torch(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    from reranker.pytorch.engine import load

    return load(path, engine.device, engine.precision, engine.threads)


LOADERS = {"onnxruntime": _onnxruntime, "openvino": _openvino, "torch": _torch}


def engine_of(device: str, name: str | None, precision: str | None, threads: int) -> Engine:
    """Return the engine that computes on a device; replace `None` by the device's default.

    >>> engine_of("cuda", None, None, 0)
    Engine(name='torch', precision='bfloat16', threads=0, device='cuda')
    """
    usual_name, usual_precision = USUAL[device]
    return Engine(name or usual_name, precision or usual_precision, threads, device)


ON_CPU = Engine()
"""ONNX Runtime in float32, a thread per core."""
