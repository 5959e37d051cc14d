"""Check the device that torch computes on, and detect its loss."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from rostrum_core.errors import ModelError

GONE = (torch.AcceleratorError, torch.OutOfMemoryError)
MENTIONS_CUDA = re.compile("CUDA|NVIDIA|CUBLAS|cuDNN")
"""Substrings of the RuntimeError that torch raises when a CUDA library fails."""


def check_device(device: str, precision: str = "float32") -> None:
    """Raise an error unless torch can compute on `device` ("cpu" or "cuda") in `precision`.

    Raises:
        ModelError: the device does not exist here, or does not support the precision.
    """
    if device == "cpu":
        return
    if not torch.cuda.is_available():
        raise ModelError(f"torch finds no GPU here for ROSTRUM_DEVICE={device}: see to it, or set cpu")
    if precision == "bfloat16" and not has_bfloat16(device):
        raise ModelError("this GPU does not compute in bfloat16: set ROSTRUM_PRECISION=float32")


def has_bfloat16(device: str) -> bool:
    """Return whether the device has instructions for bfloat16.

    Without these instructions, torch is slower in bfloat16 than in float32.
    """
    if device == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    capabilities: dict[str, int] = getattr(torch.cpu, "get_capabilities", dict)()  # older torch lacks it
    return any(has for name, has in capabilities.items() if name.endswith("bf16"))


@contextmanager
def report_lost_device() -> Iterator[None]:
    """Translate torch's errors about a lost GPU, or about its full memory, to `ModelError`.

    Other errors pass unchanged.
    """
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, GONE) and not MENTIONS_CUDA.search(str(error)):
            raise
        raise ModelError(f"the device cannot be used any longer: {str(error).splitlines()[0]}") from error
