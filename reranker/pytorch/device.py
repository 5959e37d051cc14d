"""The device that torch computes on: whether it is there, and what it says when it is no longer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from rostrum_core.errors import ModelError

GONE = (torch.AcceleratorError, torch.OutOfMemoryError)
TOLD = re.compile("CUDA|NVIDIA|CUBLAS|cuDNN")
"""In what torch raises as a plain RuntimeError where a library of CUDA's fails."""


def check_device(device: str, precision: str = "float32") -> None:
    """Nothing, if torch can compute on `device` ("cpu" or "cuda") in `precision`.

    Raises:
        ModelError: there is no such device here, or it has no such numbers.
    """
    if device == "cpu":
        return
    if not torch.cuda.is_available():
        raise ModelError(f"torch finds no GPU here for ROSTRUM_DEVICE={device}: see to it, or set cpu")
    if precision == "bfloat16" and not multiplies_bfloat16(device):
        raise ModelError("this GPU does not compute in bfloat16: set ROSTRUM_PRECISION=float32")


def multiplies_bfloat16(device: str) -> bool:
    """Whether the device has instructions for bfloat16.

    Without them torch computes in it all the same, by emulation: several times slower than in float32.
    """
    if device == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    capabilities: dict[str, int] = getattr(torch.cpu, "get_capabilities", dict)()  # older torch tells nothing
    return any(has for name, has in capabilities.items() if name.endswith("bf16"))


@contextmanager
def lost_device_reported() -> Iterator[None]:
    """A device that is gone, or whose memory is full, becomes a `ModelError`; any other error stays."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, GONE) and not TOLD.search(str(error)):
            raise
        raise ModelError(f"the device cannot be used any longer: {str(error).splitlines()[0]}") from error
