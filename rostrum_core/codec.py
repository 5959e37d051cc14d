"""Encode payloads and responses of model code as JSON, including arrays. Pickle is used nowhere.

An array is sent as its little-endian bytes in base64, so it arrives bit for bit.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from rostrum_core.errors import TaskError

ARRAY = "__array__"
DTYPES = ("<f4", "<i4", "|b1", "|u1")


def encode(value: Any) -> bytes:
    """Encode a value as JSON bytes: dicts with text keys, lists, tuples, text, numbers, `None` and arrays.

    >>> encode({"ids": np.array([1, 2], np.int32)})
    b'{"ids":{"__array__":"<i4","shape":[2],"base64":"AQAAAAIAAAA="}}'

    Raises:
        TaskError: the value contains anything else, including NaN and infinity.
    """
    try:
        text = json.dumps(value, default=_encode_array, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise TaskError(f"a value cannot be sent: {error}") from error
    return text.encode("ascii")


def decode(data: bytes) -> Any:
    """Return the value that was passed to `encode`, with tuples as lists.

    >>> decode(encode({"ids": np.array([1, 2], np.int32)}))["ids"].tolist()
    [1, 2]

    Raises:
        TaskError: the bytes are not what `encode` makes.
    """
    try:
        return json.loads(data, object_hook=_decode_array)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise TaskError(f"a message cannot be read: {error}") from error


def _encode_array(value: Any) -> dict[str, Any]:
    if isinstance(value, np.generic):
        raise TypeError(f"{type(value).__name__} is not a plain number: convert it")
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} has no form in JSON")
    kind = value.dtype.newbyteorder("<").str
    if kind not in DTYPES:
        raise TypeError(f"arrays of {value.dtype} are not sent")
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        raise ValueError("an array holds NaN or infinity")
    packed = np.ascontiguousarray(value, dtype=kind).tobytes()
    return {ARRAY: kind, "shape": list(value.shape), "base64": base64.b64encode(packed).decode()}


def _decode_array(parsed: dict[str, Any]) -> Any:
    if ARRAY not in parsed:
        return parsed
    if parsed[ARRAY] not in DTYPES:
        raise ValueError(f"array of {parsed[ARRAY]!r}")
    data = base64.b64decode(parsed["base64"], validate=True)
    return np.frombuffer(data, dtype=parsed[ARRAY]).reshape(parsed["shape"])
