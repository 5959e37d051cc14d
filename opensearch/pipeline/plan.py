"""What is to be registered: `connector.json` and `pipeline.json` beside this, with an operator's choices."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from opensearch.address import check_address
from rostrum_core.errors import BadInput

ROUTE = "/v1/rerank/opensearch"
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}")
FIELD = re.compile(r"[\w@][\w@.-]*")
MARK = "Rostrum's reranker"
"""Begins the description of all that is ours."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How an index is to be reranked.

    `address` is that of our HTTP service as OpenSearch's nodes reach it; `text_field` holds what is ranked,
    `id_field` what comes back with each result. A search asks for `oversample` times its hits. OpenSearch
    waits `timeout_s` for an answer, `connect_timeout_s` for a connection.

    Raises:
        BadInput: one of them cannot be.
    """

    pipeline: str = "rostrum"
    address: str = "http://127.0.0.1:8000"
    text_field: str = "text"
    id_field: str | None = None
    oversample: int = 10
    timeout_s: int = 5
    connect_timeout_s: int = 1

    def __post_init__(self) -> None:
        check_address(self.address, "the service", "address")
        if urlsplit(self.address).query:
            raise BadInput("the address of the service must end before a question mark", field="address")
        if not NAME.fullmatch(self.pipeline):
            raise BadInput(f"{self.pipeline!r} cannot name a pipeline", field="pipeline")
        for name in ("text_field", "id_field"):
            field = getattr(self, name)
            if field is not None and not FIELD.fullmatch(field):
                raise BadInput(f"{field!r} is no name of a field", field=name)

    @property
    def url(self) -> str:
        """The route that OpenSearch asks."""
        return self.address.rstrip("/") + ROUTE

    @property
    def pattern(self) -> str:
        """The expression by which the cluster trusts that route."""
        return trusted(self.url)

    @property
    def may_be_private(self) -> bool:
        """Whether the address may lie in a private network: all do but public addresses in figures."""
        try:
            return not ip_address(urlsplit(self.address).hostname or "").is_global
        except ValueError:
            return True

    def connector(self, settings: str, *, keyed: bool) -> dict[str, Any]:
        """The connector, without its key. `settings` tells what the cluster's were before, as JSON."""
        body = _read("connector")
        body["name"] = self.pipeline
        body["parameters"] = {"rostrum_pipeline": self.pipeline, "rostrum_settings": settings}
        body["client_config"] |= {
            "connection_timeout": self.connect_timeout_s,
            "read_timeout": self.timeout_s,
        }
        [action] = body["actions"]
        ids = ' "ids": ${parameters.ids},' if self.id_field else ""
        action["url"] = self.url
        action["request_body"] = (
            '{ "query": "${parameters.query}", "documents": ${parameters.documents},'
            f'{ids} "timeout_ms": {1000 * self.timeout_s} }}'
        )
        if keyed:
            action["headers"]["Authorization"] = "Bearer ${credential.key}"
        return body

    def search_pipeline(self, model_id: str) -> dict[str, Any]:
        """The search pipeline that asks this model."""
        body = _read("pipeline")
        body["request_processors"][0]["oversample"]["sample_factor"] = self.oversample
        inference = body["response_processors"][0]["ml_inference"]
        inference["model_id"] = model_id
        inference["input_map"][0]["documents"] = self.text_field
        if self.id_field:
            inference["input_map"][0]["ids"] = self.id_field
        return body


def trusted(url: str) -> str:
    r"""The regular expression, in Java's syntax, that fits this address and no other.

    >>> trusted("http://10.0.0.1:8000/v1")
    '^http://10\\.0\\.0\\.1:8000/v1$'
    """
    return f"^{re.escape(url)}$"


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files(__package__) / f"{name}.json").read_text("utf-8"))
    return found
