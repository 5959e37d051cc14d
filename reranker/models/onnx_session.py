"""Open sessions of ONNX Runtime, and define `Graph`, a function that runs a model with any engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

if TYPE_CHECKING:
    import onnxruntime

Array = NDArray[Any]
Graph = Callable[[Mapping[str, Array]], list[Array]]
"""Run a graph: map arrays by input name to a list of arrays in the order of the outputs.

Threads may share it.
"""


def open_session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """Open a session of ONNX Runtime on the CPU; `threads` 0 means one per core.

    The memory arena is off: batches differ in shape, and an arena would keep the memory of the largest batch.
    Waiting threads sleep instead of spinning. On a busy machine (two cores, load 20), a batch then takes as
    long as with spinning threads and needs 0.68 of the processor time (median of 14 pairs of alternating
    runs).
    """
    import onnxruntime  # not at the top: commands that load no model start without an engine

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
