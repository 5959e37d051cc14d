"""Build all parts of an installation from `connector.json`, `pipeline.json` and an operator's choices.

ml-commons, the plugin of OpenSearch for models, substitutes variables twice, even in texts of hits and in
drafts (texts that need a quote). First it substitutes `${ml_inference.x}`, before the connector encodes the
payload (`encode.painless`). So the pipeline skips a text or a draft that contains `${ml_inference.`. Then it
substitutes `${parameters.x}`, when the connector writes the request body. By then, all texts are in base64.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from ipaddress import ip_address
from typing import Any, ClassVar
from urllib.parse import urlsplit

from opensearch.address import check_address
from rostrum_core.errors import BadInput

NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}")
FIELD = re.compile(r"[\w@][\w@-]*(\.[\w@-]+)*")
MARK = "Rostrum's reranker"
"""Description of the model groups that an installation registers."""

OURS = "Rostrum's "
"""Prefix of the description of every pipeline that an installation registers."""

HARMLESS = r"/(?s)(?!.*[$]\x7bml_inference[.]).+/"
"""Match, in a JSON path, a value that ml-commons does not change."""

DRAFT = "ext.ml_inference.query_text"
BODY = (
    '{ "encoded": { "query": "${parameters.query64}", "documents": "${parameters.documents64}",'
    ' "ids": "${parameters.ids64}" }, "timeout_ms": %d }'
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold an operator's choices for an installation of the reranker: names, address, fields and timeouts.

    `address` is the address of our HTTP service as OpenSearch's nodes reach it. `text_field` has the text to
    rank, `id_field` the id to return with each result. OpenSearch waits `timeout_s` for a response and
    `connect_timeout_s` for a connection.

    Raises:
        BadInput: one of the values is invalid.
    """

    pipeline: str = "rostrum"
    address: str = "http://127.0.0.1:8000"
    text_field: str = "text"
    id_field: str | None = None
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
                raise BadInput(f"{field!r} is not a name of a field", field=name)

    highlights: ClassVar[bool] = False
    """True if OpenSearch's semantic highlighter calls the route."""

    route: ClassVar[str] = "/v1/rerank/opensearch"
    """Path of the route that OpenSearch calls."""

    body: ClassVar[str] = BODY
    """Template of the request body, with a placeholder for the timeout in milliseconds."""

    script: ClassVar[str] = "encode"
    """Name of the script with which the connector encodes the payload."""

    @property
    def url(self) -> str:
        """Return the URL of the route that OpenSearch calls."""
        return self.address.rstrip("/") + self.route

    @property
    def pattern(self) -> str:
        """Return the regular expression by which the cluster trusts the route that OpenSearch calls."""
        return build_trusted_pattern(self.url)

    @property
    def may_be_private(self) -> bool:
        """Return whether the address may be in a private network: true unless it is a public IP address."""
        try:
            return not ip_address(urlsplit(self.address).hostname or "").is_global
        except ValueError:
            return True

    def build_connector(self, settings: str, *, keyed: bool) -> dict[str, Any]:
        """Return the request body that creates the connector.

        `settings` are the previous settings of the cluster, as JSON; the connector stores them. If `keyed` is
        true, the connector will send an API key. The body has only a placeholder for this key.
        """
        body = read_part("connector")
        body["name"] = self.pipeline
        body["parameters"] |= {"rostrum_pipeline": self.pipeline, "rostrum_settings": settings}
        body["client_config"] |= {
            "connection_timeout": self.connect_timeout_s,
            "read_timeout": self.timeout_s,
        }
        [action] = body["actions"]
        action["url"] = self.url
        action["pre_process_function"] = read_script(self.script)
        action["request_body"] = self.body % (1000 * self.timeout_s)
        if keyed:
            action["headers"]["Authorization"] = "Bearer ${credential.key}"
        return body

    def search_pipeline(self, model_id: str) -> dict[str, Any]:
        """Return the request body of the search pipeline that calls the model with this id."""
        body = read_part("pipeline")
        inference = body["response_processors"][0]["ml_inference"]
        inference["model_id"] = model_id
        inputs = {"query": select_draft(), "documents": select_text(self.text_field)}
        if self.id_field:
            inputs["ids"] = select_id(self.id_field)
        inference["input_map"] = [inputs]
        return body


def select_text(field: str) -> str:
    """Return the JSON path that selects the text field of a hit as a list.

    The list is empty if the field is missing, is not a string, or has text that ml-commons would change.
    """
    path = _build_path(field)
    return f"$[?({_is_text(f'@{path}')})]{path}"


def select_id(field: str) -> str:
    """Return the JSON path that selects the id in the field `field` of a hit, as a list with one element.

    The list is empty if the field has neither a string nor a number, or a string that ml-commons would
    change.
    """
    path = _build_path(field)
    number = f"@{path} < 0 || @{path} >= 0"
    return f"$[?(({_is_text(f'@{path}')}) || {number})]{path}"


def select_draft() -> str:
    """Return the JSON path by which OpenSearch finds the draft (`query_text`) in a search request.

    The path finds nothing if the search is sorted. Reranking would destroy the requested order, and with it
    `search_after`. OpenSearch's ml-commons also applies the path to each hit, where it must find nothing;
    `concat` ensures this.
    """
    return f"$._request.concat($[?(!@.sort && {_is_text(f'@.{DRAFT}')})].{DRAFT})"


def _build_path(field: str) -> str:
    return "".join(f"['{name}']" for name in field.split("."))


def _is_text(path: str) -> str:
    """Return the condition that the value at a JSON path is a string, and that ml-commons does not change it.

    The first part is true only of strings, because no other value is greater than the empty string. The
    second part matches the value with `HARMLESS`.
    """
    return f"{path} > '' && {path} =~ {HARMLESS}"


def read_script(name: str) -> str:
    """Return the text of the script `NAME.painless` in this package."""
    return (files(__package__) / f"{name}.painless").read_text("utf-8")


def build_trusted_pattern(url: str) -> str:
    r"""Return the regular expression, in Java's syntax, that matches only this address.

    >>> build_trusted_pattern("http://10.0.0.1:8000/v1")
    '^http://10\\.0\\.0\\.1:8000/v1$'
    """
    return f"^{re.escape(url)}$"


def read_part(name: str) -> dict[str, Any]:
    """Return the template `NAME.json` of a part of an installation, such as "connector"."""
    content: dict[str, Any] = json.loads((files(__package__) / f"{name}.json").read_text("utf-8"))
    return content
