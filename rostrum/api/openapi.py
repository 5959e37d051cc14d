"""Build the OpenAPI document for client generators: short names, and a description for every field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from rostrum.api.descriptions import FIELDS, SPECIAL

HEADERS: dict[str, Any] = {
    "X-Request-ID": {"description": "Names the request in the log", "schema": {"type": "string"}}
}
RETRY: dict[str, Any] = {
    "Retry-After": {
        "description": "Seconds until it is worth trying again; absent if it never is",
        "schema": {"type": "integer"},
    }
}
TAGGED: dict[str, Any] = {
    "ETag": {"description": "Names the answer for `If-None-Match`", "schema": {"type": "string"}}
}
ERRORS = {"4XX": "The request is refused", "5XX": "The service cannot answer"}
DAY = r"^\d{4}(-\d{2}(-\d{2})?)?$"
DAYS = ("since", "until")

Schema = dict[str, Any]


def name_operation(route: APIRoute) -> str:
    """Return the name that an operation has in generated clients: the name of the route's function."""
    return route.name


def install_openapi(app: FastAPI) -> None:
    """Make the application serve its own OpenAPI document instead of FastAPI's.

    The document also describes every field and the response headers, and says that an API key is optional.
    """

    def describe() -> Schema:
        if app.openapi_schema is None:
            document = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                servers=[{"url": "/", "description": "This service"}],
                license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
            )
            _describe_fields(document)
            for operation in list_operations(document):
                _complete(operation)
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]


def list_operations(document: Schema) -> Iterator[Schema]:
    """Yield the operations of an OpenAPI document: each method of each path."""
    for methods in document["paths"].values():
        yield from methods.values()


def find_description(name: str, schema: str | None = None) -> str | None:
    """Return the description of a field of a schema, or of a parameter if no schema is named.

    Return `None` if there is no description.

    >>> find_description("id", "Document"), find_description("limit")
    ('The id of the document, exactly as it was given', 'Maximum number of results')
    """
    return SPECIAL.get(f"{schema}.{name}" if schema else name) or FIELDS.get(name)


def _describe_fields(document: Schema) -> None:
    for schema, about in document["components"]["schemas"].items():
        for name, field in about.get("properties", {}).items():
            said = field.get("description") or find_description(name, schema)
            if said:
                _describe(field, said)
            if name in DAYS and schema.endswith("Form"):
                _add_pattern(field)


def _describe(field: Schema, said: str) -> None:
    """Set the description of a field to the text `said`, followed by the field's default value.

    For example, the description is "Maximum number of results. Default: 10". The default is removed from the
    field itself. A field that is only a `$ref` gets a description, too, which OpenAPI 3.1 allows.
    """
    default = field.pop("default", None)
    stated = f"{said}. Default: {_format_default(default)}" if default not in (None, [], {}, "") else said
    field["description"] = stated


def _format_default(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _add_pattern(field: Schema) -> None:
    for choice in field.get("anyOf", [field]):
        if choice.get("type") == "string":
            choice["pattern"] = DAY


def _complete(operation: Schema) -> None:
    """Complete an operation of the OpenAPI document.

    Add descriptions of parameters and of response headers, and mark the API key as optional.
    """
    for parameter in operation.get("parameters", ()):
        said = parameter.get("description") or find_description(parameter["name"])
        if said:
            parameter["description"] = said
        parameter["schema"].pop("description", None)
    if "security" in operation:
        operation["security"] = [{}, *operation["security"]]
    is_tagged = "304" in operation["responses"]
    for status, response in operation["responses"].items():
        headers = response.setdefault("headers", {})
        headers.update(HEADERS)
        if status in ERRORS:
            headers.update(RETRY)
            response["description"] = ERRORS[status]
        elif is_tagged:
            headers.update(TAGGED)
