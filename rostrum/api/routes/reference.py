"""`/docs`: show the operations of the service to people, rendered from its OpenAPI document.

The pages load no other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "code{background:#8882;padding:0 .2em}table{border-collapse:collapse;width:100%}"
    "td{border-top:1px solid #8884;padding:.2rem .6rem .2rem 0;vertical-align:top}"
    "td:first-child{width:12rem}h2{margin-top:2.5rem}:root{color-scheme:light dark}"
)
POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


async def show_start() -> HTMLResponse:
    """Show programs that request the start page what the service is, with links."""
    body = (
        "<h1>Rostrum</h1>"
        "<p>Finds the quote a writer needs, in an archive of speeches. This is its HTTP service.</p>"
        "<ul><li><a href='docs'>What it can be asked</a></li>"
        "<li><a href='openapi.json'>The same for programs</a> (OpenAPI)</li>"
        "<li><a href='ready'>Whether it is ready</a></li></ul>"
    )
    return _render_page("Rostrum", body)


@router.get("/docs")
async def show_reference(request: Request) -> HTMLResponse:
    """List every operation with its parameters, fields and answers."""
    document = request.app.openapi()
    operations = [
        _render_operation(method, path, operation, document)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return _render_page("Rostrum: the HTTP service", f"<h1>The HTTP service</h1>{''.join(operations)}")


def _render_page(title: str, body: str) -> HTMLResponse:
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><style>{STYLE}</style>"
    return HTMLResponse(
        f"<!doctype html><html lang=en><title>{escape(title)}</title>{head}{body}", headers=POLICY
    )


def _render_operation(
    method: str, path: str, operation: Mapping[str, Any], document: Mapping[str, Any]
) -> str:
    name = escape(operation["operationId"])
    said = escape(operation.get("description") or operation.get("summary") or "")
    parameters = (
        (parameter["name"], parameter.get("description", "")) for parameter in operation.get("parameters", ())
    )
    sections = [("Parameters", list(parameters)), *_list_bodies(operation, document)]
    tables = "".join(f"<h3>{escape(title)}</h3>{_render_table(rows)}" for title, rows in sections if rows)
    return f"<h2 id='{name}'><code>{method.upper()} {escape(path)}</code></h2><p>{said}</p>{tables}"


def _list_bodies(
    operation: Mapping[str, Any], document: Mapping[str, Any]
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield a title and the fields of each object that an operation of the service receives or returns."""
    for name in _find_references(operation.get("requestBody", {})):
        yield f"Body: {name}", _list_fields(name, document)
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            for name in _find_references(response):
                yield f"Answer: {name}", _list_fields(name, document)


def _find_references(value: Any) -> Iterator[str]:
    """Yield the names of the schemas to which a part of the OpenAPI document refers."""
    if isinstance(value, Mapping):
        if "$ref" in value:
            yield value["$ref"].rpartition("/")[2]
        for name, member in value.items():
            if name not in ("headers", "example", "examples", "discriminator"):
                yield from _find_references(member)
    elif isinstance(value, list):
        for member in value:
            yield from _find_references(member)


def _list_fields(name: str, document: Mapping[str, Any]) -> list[tuple[str, str]]:
    about = document["components"]["schemas"].get(name, {})
    return [(field, schema.get("description", "")) for field, schema in about.get("properties", {}).items()]


def _render_table(rows: list[tuple[str, str]]) -> str:
    cells = (f"<tr><td><code>{escape(name)}</code><td>{escape(said)}" for name, said in rows)
    return f"<table>{''.join(cells)}</table>"
