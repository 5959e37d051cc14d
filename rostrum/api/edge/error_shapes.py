"""Build the JSON body of an error response, in the format that clients of the requested path can parse.

For example, `/v2/rerank` imitates Cohere, so its clients look for an error message where Cohere puts it.
"""

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
    """The body of an error response for clients of Cohere, which read `message`, and of Jina, which read
    `detail`.
    """

    message: str
    detail: str


class TeiError(BaseModel):
    """The body of an error response for clients of text-embeddings-inference.

    It also has the fields `message` and `detail` that clients of Cohere and Jina read.
    """

    error: str
    error_type: Literal["Validation", "Overloaded", "Backend"]
    message: str
    detail: str


Shape = Callable[[int, ErrorDetail], BaseModel]


def shape_as_rostrum(_: int, detail: ErrorDetail) -> Error:
    """Return the body of an error response in Rostrum's own shape: `{"error": {"code", "message"}}`."""
    return Error(error=detail)


def shape_as_cohere(_: int, detail: ErrorDetail) -> CohereError:
    """Return the body of an error response in the shape that clients of Cohere and Jina parse.

    The message is in `message` and in `detail`; Rostrum's own `error` is added.
    """
    text = _format_message(detail)
    return CohereError(error=detail, message=text, detail=text)


def shape_as_tei(status: int, detail: ErrorDetail) -> TeiError:
    """Return the body of an error response in the shape that clients of text-embeddings-inference parse.

    The field `error_type` is "Overloaded" for status 429, "Backend" from 500, and otherwise "Validation".
    """
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
    """Return the function that builds the body of an error response, in the format that the client can parse.

    A path that imitates another service, such as Cohere, has the error format of that service. A `POST` to a
    path that does not exist gets the format of Cohere, because it may come from a client of Cohere with a
    wrong base address. All other requests get Rostrum's own format.
    """
    is_lost = method == "POST" and status in (404, 405)
    return SHAPES.get(path, shape_as_cohere if is_lost else shape_as_rostrum)


def _format_message(detail: ErrorDetail) -> str:
    return f"{detail.field}: {detail.message}" if detail.field else detail.message
