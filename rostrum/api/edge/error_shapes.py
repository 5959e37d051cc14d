"""Build the body of an error response in the shape that the route's clients parse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import BaseModel


class ErrorDetail(BaseModel):
    """Describe an error: `code` for programs, `message` for people, `field` if a field is invalid."""

    code: str
    message: str
    field: str | None = None


class Error(BaseModel):
    """The body of every error response."""

    error: ErrorDetail


class CohereError(Error):
    """Body of an error for clients of Cohere (`message`) and Jina (`detail`)."""

    message: str
    detail: str


class TeiError(BaseModel):
    """Body of an error for clients of text-embeddings-inference, with Cohere's and Jina's fields."""

    error: str
    error_type: Literal["Validation", "Overloaded", "Backend"]
    message: str
    detail: str


Shape = Callable[[int, ErrorDetail], BaseModel]


def shape_as_rostrum(_: int, detail: ErrorDetail) -> Error:
    """Return an error in our own shape."""
    return Error(error=detail)


def shape_as_cohere(_: int, detail: ErrorDetail) -> CohereError:
    """Return an error in the shape of `/v1/rerank` and `/v2/rerank`."""
    text = _format_message(detail)
    return CohereError(error=detail, message=text, detail=text)


def shape_as_tei(status: int, detail: ErrorDetail) -> TeiError:
    """Return an error in the shape of `/rerank`."""
    text = _format_message(detail)
    kind: Literal["Validation", "Overloaded", "Backend"] = "Backend" if status >= 500 else "Validation"
    return TeiError(error=text, error_type="Overloaded" if status == 429 else kind, message=text, detail=text)


SHAPES: Mapping[str, Shape] = {
    **dict.fromkeys(("/v1/rerank", "/v2/rerank", "/jina/v1/rerank"), shape_as_cohere),
    **dict.fromkeys(("/infinity/rerank", "/voyage/v1/rerank"), shape_as_cohere),
    "/rerank": shape_as_tei,
}
"""Error shapes by path, because many requests are refused before their body is read.

The default is `shape_as_rostrum`.
"""


def choose_shape(method: str, path: str, status: int) -> Shape:
    """Choose the shape of an error.

    A client with a wrong base address posts to a path that does not exist. It gets the error in the shape of
    the service that it expects.
    """
    is_lost = method == "POST" and status in (404, 405)
    return SHAPES.get(path, shape_as_cohere if is_lost else shape_as_rostrum)


def _format_message(detail: ErrorDetail) -> str:
    return f"{detail.field}: {detail.message}" if detail.field else detail.message
