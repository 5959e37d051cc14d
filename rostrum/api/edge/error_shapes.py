"""Build the body of an error response, in the shape that clients of its route parse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import BaseModel


class ErrorDetail(BaseModel):
    """An error: `code` for programs, `message` for people, `field` if one is invalid."""

    code: str
    message: str
    field: str | None = None


class Error(BaseModel):
    """The body of every error response."""

    error: ErrorDetail


class CohereError(Error):
    """An error with the fields of Cohere's clients (`message`) and of Jina's (`detail`)."""

    message: str
    detail: str


class TeiError(BaseModel):
    """An error for clients of text-embeddings-inference, with the fields of Cohere's and Jina's."""

    error: str
    error_type: Literal["Validation", "Overloaded", "Backend"]
    message: str
    detail: str


Shape = Callable[[int, ErrorDetail], BaseModel]


def shape_as_rostrum(_: int, detail: ErrorDetail) -> Error:
    """Return our own shape."""
    return Error(error=detail)


def shape_as_cohere(_: int, detail: ErrorDetail) -> CohereError:
    """Return the shape of `/v1/rerank` and `/v2/rerank`."""
    text = _format_message(detail)
    return CohereError(error=detail, message=text, detail=text)


def shape_as_tei(status: int, detail: ErrorDetail) -> TeiError:
    """Return the shape of `/rerank`."""
    text = _format_message(detail)
    kind: Literal["Validation", "Overloaded", "Backend"] = "Backend" if status >= 500 else "Validation"
    return TeiError(error=text, error_type="Overloaded" if status == 429 else kind, message=text, detail=text)


SHAPES: Mapping[str, Shape] = {
    **dict.fromkeys(("/v1/rerank", "/v2/rerank", "/jina/v1/rerank"), shape_as_cohere),
    **dict.fromkeys(("/infinity/rerank", "/voyage/v1/rerank"), shape_as_cohere),
    "/rerank": shape_as_tei,
}
"""Shapes by path, because many a request is refused before its body is read; the default is
`shape_as_rostrum`.
"""


def choose_shape(method: str, path: str, status: int) -> Shape:
    """Return the shape of an error.

    A client with a wrong base address posts to a path that does not exist. It reads the error in the shape
    of its own service.
    """
    is_lost = method == "POST" and status in (404, 405)
    return SHAPES.get(path, shape_as_cohere if is_lost else shape_as_rostrum)


def _format_message(detail: ErrorDetail) -> str:
    return f"{detail.field}: {detail.message}" if detail.field else detail.message
