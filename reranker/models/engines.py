"""Choose the engine that computes the models: OpenVINO, ONNX Runtime or torch.

OpenVINO computes in bfloat16, and some linear layers in int8, if the processor supports it. ONNX Runtime
computes on any processor, in float32. torch computes on a GPU.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reranker.models.batches import BATCH_TOKENS, GPU_BATCH_TOKENS, RANK_TOKENS
from reranker.models.files import QUANTISED
from reranker.models.onnx_session import Array, Graph, open_session
from reranker.models.processor import has_bfloat16_products, has_int8_products
from reranker.models.word_table import WordLookup, WordTable
from rostrum_core.errors import ModelError
from rostrum_core.extras import install_command

PRECISIONS = {
    "onnxruntime": ("float32",),
    "openvino": ("float32", "bfloat16", "int8"),
    "torch": ("float32", "bfloat16"),
}
"""Precisions of each engine."""

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Engine:
    """Describe an engine, which is the library that computes the models, and its settings.

    `name` is "onnxruntime", "openvino" or "torch", `precision` one of the engine's `PRECISIONS`. `threads` 0
    means one thread per core. `device` is "cpu" or "cuda"; only torch supports "cuda".

    OpenVINO's precision "int8" computes only the linear layers of some graphs in int8 (see `QUANTISED`). It
    computes everything else in bfloat16, or in float32 if the processor lacks bfloat16. Its precision
    "bfloat16" does the same for fewer graphs, and needs a processor with bfloat16.
    """

    name: str = "onnxruntime"
    precision: str = "float32"
    threads: int = 0
    device: str = "cpu"

    def __str__(self) -> str:
        return f"{self.name} {self.precision} {self.device}"

    @property
    def batch_tokens(self) -> int:
        """Return the maximum number of padded tokens in one pass over many texts."""
        return BATCH_TOKENS if self.device == "cpu" else GPU_BATCH_TOKENS

    @property
    def rank_tokens(self) -> int:
        """Return the maximum number of padded tokens in one pass over the paragraphs of one draft."""
        return RANK_TOKENS if self.device == "cpu" else GPU_BATCH_TOKENS

    def is_slower_than_could_be(self) -> bool:
        """Return whether OpenVINO would be faster than this engine here, but is not installed."""
        fast = has_bfloat16_products() or has_int8_products()
        return self.name == "onnxruntime" and fast and not _is_installed("openvino")

    def check(self, *, loading: bool = False) -> None:
        """Raise an error if this process cannot use the engine. No graph is loaded for this check.

        With `loading`, also load OpenVINO and check whether it supports the processor. Set this if the
        process computes for hours before it loads a graph. Do not set it if the process will fork: OpenVINO
        must not be loaded before that. The method `load` always does this check.

        Raises:
            ModelError: the engine, its precision or the device does not exist.
            ImportError: the extra `openvino` or `gpu` is not installed.
        """
        if self.name not in PRECISIONS:
            raise ModelError(f"there is no engine {self.name}")
        if self.precision not in PRECISIONS[self.name]:
            raise ModelError(
                f"{self.name} computes in {' or '.join(PRECISIONS[self.name])}, not in {self.precision}"
            )
        if self.precision == "int8" and not has_int8_products():
            raise ModelError("this processor does not compute in int8: set ROSTRUM_PRECISION=float32")
        if self.name == "openvino" and not _is_installed("openvino"):
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
        """Load the graph of an ONNX file, and return a function that runs the graph with this engine.

        Weights in fp16 are widened to float32. `inputs` are the names of the inputs that the graph must have.

        Raises:
            ModelError: graph and weights do not match, the engine rejects them, it lacks the precision or
                device, or the graph's inputs are not `inputs`.
            ImportError: the extra `openvino` or `gpu` is not installed.
        """
        self.check(loading=True)
        try:
            graph, taken = LOADERS[self.name](path, self)
        except (ModelError, ImportError):
            raise
        except Exception as error:  # the engines' errors share only the base class Exception
            raise ModelError(f"{path.name} cannot be loaded: {error}") from error
        if taken != set(inputs):
            raise ModelError(f"{path.name} is foreign: it takes {sorted(taken)}, not {sorted(inputs)}")
        return graph

    def place_words(self, table: WordTable) -> WordLookup:
        """Return the table of word embeddings in the form that the engine uses.

        For torch, this is a copy in the memory of the device. For other engines, it is `table` itself.

        Raises:
            ModelError, ImportError: as `load`.
        """
        if self.name != "torch":
            return table
        self.check()
        from reranker.pytorch.words import DeviceWords

        return DeviceWords(table, self.device)


def _load_onnxruntime(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    """Load a graph with ONNX Runtime; return a function that runs the graph, and the names of its inputs."""
    session = open_session(path, engine.threads)

    def run(inputs: Mapping[str, Array]) -> list[Array]:
        outputs: list[Array] = session.run(None, dict(inputs))
        return outputs

    return run, {node.name for node in session.get_inputs()}


def _load_openvino(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    from reranker.models.openvino_graph import has_bfloat16, open_graph

    linear_int8 = path.stem in QUANTISED.get(engine.precision, ()) and has_int8_products()
    precision = engine.precision
    if precision == "int8":
        precision = "bfloat16" if has_bfloat16() else "float32"
    return open_graph(path, precision, engine.threads, linear_int8=linear_int8)


def _check_openvino(engine: Engine) -> None:
    from reranker.models.openvino_graph import has_bfloat16

    if engine.precision == "bfloat16" and not has_bfloat16():
        raise ModelError("this processor does not compute in bfloat16: set ROSTRUM_PRECISION=float32")


def _check_torch(engine: Engine) -> None:
    """Raise an error unless the engine can use torch here.

    On the CPU, torch is not imported for this check, because this process may still fork.
    """
    if importlib.util.find_spec("torch") is None:
        reason = ", which ROSTRUM_DEVICE=cuda asks for," if engine.device == "cuda" else ""
        raise ImportError(f"the engine torch{reason} needs the extra: {install_command('gpu')}")
    if engine.device != "cpu":
        from reranker.pytorch.device import check_device

        check_device(engine.device, engine.precision)


def _load_torch(path: Path, engine: Engine) -> tuple[Graph, set[str]]:
    from reranker.pytorch.engine import load

    return load(path, engine.device, engine.precision, engine.threads)


Loader = Callable[[Path, Engine], tuple[Graph, set[str]]]
LOADERS: dict[str, Loader] = {
    "onnxruntime": _load_onnxruntime,
    "openvino": _load_openvino,
    "torch": _load_torch,
}


def resolve_engine(device: str, name: str | None, precision: str | None, threads: int) -> Engine:
    """Return the engine for a device ("cpu" or "cuda").

    If `name` is "auto" or `None`, or `precision` is `None`, the best choice for this machine replaces it.

    >>> resolve_engine("cuda", None, None, 0)
    Engine(name='torch', precision='bfloat16', threads=0, device='cuda')
    """
    if name in (None, AUTO):
        name = "torch" if device == "cuda" else choose_engine(precision)
    return Engine(name, precision or _choose_precision(name, device), threads, device)


def choose_engine(precision: str | None = None) -> str:
    """Return the name of the fastest engine on this machine's CPU that supports `precision`.

    This is OpenVINO if it is installed and the processor has instructions for bfloat16 or int8, else ONNX
    Runtime. For a precision that ONNX Runtime lacks, the answer is always OpenVINO, even if it is not
    installed.
    """
    if precision not in (None, *PRECISIONS["onnxruntime"]):
        return "openvino"
    fast = has_bfloat16_products() or has_int8_products()
    return "openvino" if fast and _is_installed("openvino") else "onnxruntime"


def _is_installed(package: str) -> bool:
    """Return whether a package is installed, without importing it."""
    return importlib.util.find_spec(package) is not None


def _choose_precision(name: str, device: str) -> str:
    """Return the default precision of an engine: bfloat16 on a GPU or a suitable processor, else float32.

    A processor is suitable if it has instructions for bfloat16 and the engine is OpenVINO.
    """
    fast = device == "cuda" or (name == "openvino" and has_bfloat16_products())
    return "bfloat16" if fast else "float32"


ON_CPU = Engine()
"""ONNX Runtime in float32, with one thread per core."""
