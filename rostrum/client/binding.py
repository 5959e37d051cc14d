"""Give client methods the signatures and docstrings of the functions that build their requests.

These functions are in `rostrum.client.calls`. The blocking and the asynchronous client share them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from inspect import Parameter, signature
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def describe_method(method: Method, build: Callable[..., Any]) -> Method:
    """Give a client method the name, docstring and parameters of `build`, and return the method.

    `build` is the function in `rostrum.client.calls` that makes what the method sends.
    """
    update_wrapper(method, build)
    parameters = signature(build).parameters.values()
    this = Parameter("self", Parameter.POSITIONAL_ONLY)
    method.__signature__ = signature(build).replace(parameters=[this, *parameters])  # type: ignore[attr-defined]
    return method
