"""Define `Form`, the base class of JSON request bodies: it refuses unknown fields, and accepts null for
optional ones.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema

DESCRIPTIVE = ("title", "description", "default")
"""Keywords of a field's schema that describe it, whatever value it takes."""


def show_examples(*examples: Any) -> ConfigDict:
    """Return the pydantic configuration of a request body whose OpenAPI description shows these examples."""
    return ConfigDict(json_schema_extra={"examples": list(examples)})


class Form(BaseModel):
    """Validate a JSON request body; subclasses define the fields.

    Unknown fields are refused. An optional field may be null, which means the same as leaving it out.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {name: value for name, value in values.items() if value is not None or not cls._may_lack(name)}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the JSON schema of the request body, with null allowed for every optional field."""
        schema = handler(core_schema)
        fields = handler.resolve_ref_schema(schema)["properties"]
        for name in filter(cls._may_lack, fields):
            fields[name] = _allow_null(fields[name])
        return schema

    @classmethod
    def _may_lack(cls, name: str) -> bool:
        return name in cls.model_fields and not cls.model_fields[name].is_required()


def _allow_null(field: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a field, extended so that the field also accepts null.

    The keywords `title`, `description` and `default` stay at the top level of the schema.
    """
    if {"type": "null"} in field.get("anyOf", ()):
        return field
    taken = {key: value for key, value in field.items() if key not in DESCRIPTIVE}
    described = {key: value for key, value in field.items() if key in DESCRIPTIVE}
    return {"anyOf": [taken, {"type": "null"}]} | described
