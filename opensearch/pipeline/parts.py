"""Manage our connectors, models, model group and tasks in ml-commons, the plugin of OpenSearch for models."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from opensearch.failures import NotFound
from opensearch.pipeline.plan import MARK, build_trusted_pattern
from opensearch.server import Server
from rostrum_core.errors import StoreError

ML = "/_plugins/_ml"
MOST = 1_000
DEPLOYED, FAILED = "DEPLOYED", "DEPLOY_FAILED"
DEPLOY_TIMEOUT_S = 60.0
SEARCH_TIMEOUT_S = 30.0
STILL_USED = "still using this connector"
"""Part of the message with which ml-commons refuses to remove a connector that a model has."""

PAUSE_S = 0.2


@dataclass(frozen=True, slots=True)
class Connector:
    """Describe one of our connectors as OpenSearch shows it, without its key.

    A connector defines how OpenSearch calls a route of our HTTP service.
    """

    id: str
    body: Mapping[str, Any]

    @property
    def pipeline(self) -> str:
        """Return the name of the search pipeline to which the connector belongs."""
        return str(self.body["parameters"]["rostrum_pipeline"])

    @property
    def settings(self) -> str:
        """Return as JSON the settings that the cluster had before our first connector was created."""
        return str(self.body["parameters"]["rostrum_settings"])

    @property
    def url(self) -> str:
        """Return the URL of the route that the connector calls."""
        return str(self.body["actions"][0]["url"])

    @property
    def pattern(self) -> str:
        """Return the regular expression by which the cluster trusts the connector's URL."""
        return build_trusted_pattern(self.url)

    @property
    def keyed(self) -> bool:
        """Return whether the connector sends a key with its requests."""
        return "Authorization" in self.body["actions"][0]["headers"]

    @property
    def highlights(self) -> bool:
        """Return whether OpenSearch's semantic highlighter uses the connector."""
        return "question64" in self.body["actions"][0]["request_body"]

    @property
    def encodes(self) -> bool:
        """Return whether the connector encodes texts in base64 before ml-commons substitutes variables in
        them.

        Without that, a text with `${parameters.x}` could change the ranking; connectors of older versions do
        not encode.
        """
        return bool(self.body["actions"][0].get("pre_process_function"))

    def is_like(self, wanted: Mapping[str, Any]) -> bool:
        """Return whether the connector equals `wanted`, the request body that would create it.

        Fields that OpenSearch adds are ignored.
        """
        waits = {name: self.body["client_config"].get(name) for name in wanted["client_config"]}
        body = {**self.body, "client_config": waits}
        return all(body.get(name) == value for name, value in wanted.items())


def list_connectors(server: Server) -> list[Connector]:
    """Return all connectors that Rostrum installed, whichever pipeline they belong to."""
    hits = _search(server, "connectors", {"match_all": {}})
    ours = [hit for hit in hits if "rostrum_pipeline" in hit["_source"].get("parameters", {})]
    return [Connector(hit["_id"], hit["_source"]) for hit in ours]


def list_models(server: Server, connector_id: str) -> list[str]:
    """Return the ids of the models that use a connector.

    The models are filtered here and not by the search, because the field `connector_id` is not always indexed
    in the same way.
    """
    hits = _search(server, "models", {"term": {"algorithm": "REMOTE"}})
    return [hit["_id"] for hit in hits if hit["_source"].get("connector_id") == connector_id]


def read_state(server: Server, model_id: str) -> str:
    """Return the state of a model, such as `DEPLOYED` or `DEPLOY_FAILED`."""
    return str(server.call("GET", f"{ML}/models/{model_id}")["model_state"])


def create_connector(server: Server, body: Mapping[str, Any], key: str | None) -> str:
    """Create a connector and return its id.

    OpenSearch requires a credential. Without a key, the credential is "none", and the connector never sends
    it.
    """
    credential = {"key": key or "none"}
    answer = server.call("POST", f"{ML}/connectors/_create", {**body, "credential": credential})
    return str(answer["connector_id"])


def create_model(server: Server, name: str, connector_id: str) -> str:
    """Create a model for a connector and return its id. The model is not deployed yet."""
    body = {
        "name": name,
        "description": MARK,
        "function_name": "remote",
        "connector_id": connector_id,
        "model_group_id": _ensure_group(server, name),
    }
    return str(server.call("POST", f"{ML}/models/_register", body)["model_id"])


def deploy_model(server: Server, model_id: str) -> bool:
    """Deploy a model unless it is already deployed, and return whether this was necessary.

    Raises:
        StoreError: the model cannot be deployed in time.
    """
    if read_state(server, model_id) == DEPLOYED:
        return False
    task = server.call("POST", f"{ML}/models/{model_id}/_deploy").get("task_id")
    deadline = time.monotonic() + DEPLOY_TIMEOUT_S
    while read_state(server, model_id) != DEPLOYED:
        if task and (report := server.call("GET", f"{ML}/tasks/{task}")).get("state") == "FAILED":
            raise StoreError(f"OpenSearch could not deploy the model {model_id}: {report.get('error')}")
        if time.monotonic() > deadline:
            raise StoreError(f"OpenSearch did not deploy the model {model_id} in {DEPLOY_TIMEOUT_S:.0f} s")
        time.sleep(PAUSE_S)
    return True


def call_model(server: Server, model_id: str, parameters: Mapping[str, Any]) -> Any:
    """Call Rostrum's route by way of OpenSearch, as a search does, and return the response of the route.

    `model_id` is the model in OpenSearch that sends `parameters` to the route.

    Raises:
        StoreError: the route cannot be reached, or refuses.
    """
    answer = server.call("POST", f"{ML}/models/{model_id}/_predict", {"parameters": parameters})
    return answer["inference_results"][0]["output"][0].get("dataAsMap")


def remove_connector(server: Server, connector_id: str) -> None:
    """Remove a connector with its models, and the tasks that created them.

    ml-commons refuses to remove a connector as long as its own search shows a model of the connector. Its
    refusal names these models, even those that our search does not show. Searches show changes late, so retry
    until there is no refusal. At each attempt, remove all models that exist, because ml-commons may write a
    removed model again.

    Raises:
        StoreError: the cluster refuses, or still shows a model after `SEARCH_TIMEOUT_S`.
    """
    named, deadline = set[str](), time.monotonic() + SEARCH_TIMEOUT_S
    while True:
        for model_id in sorted({*list_models(server, connector_id), *named}):
            if _has_model(server, model_id):
                _remove_model(server, model_id)
        try:
            server.call("DELETE", f"{ML}/connectors/{connector_id}")
            return
        except StoreError as error:
            if STILL_USED not in str(error) or time.monotonic() > deadline:
                raise
            named = set(_read_named_models(str(error)))
        time.sleep(PAUSE_S)


def _has_model(server: Server, model_id: str) -> bool:
    """Return whether a model exists; read it by its id, because searches show changes late."""
    try:
        server.call("GET", f"{ML}/models/{model_id}")
    except NotFound:
        return False
    return True


def _read_named_models(refusal: str) -> list[str]:
    """Return the ids of the models that still use a connector, from the message that refuses its removal.

    >>> _read_named_models("2 models are still using this connector, please delete them first: [aB_1, c-2]")
    ['aB_1', 'c-2']
    """
    match = re.search(r"\[([\w\-, ]+)\][^\[]*\Z", refusal)
    return match[1].split(", ") if match else []


def _remove_model(server: Server, model_id: str) -> None:
    server.call("POST", f"{ML}/models/{model_id}/_undeploy")
    server.call("DELETE", f"{ML}/models/{model_id}")
    for task in _search(server, "tasks", {"term": {"model_id": model_id}}):
        with suppress(NotFound):  # a search still finds it
            server.call("DELETE", f"{ML}/tasks/{task['_id']}")


def remove_group(server: Server, name: str) -> None:
    """Remove the model group with this name, if Rostrum created it."""
    for group_id in _find_groups(server, name):
        server.call("DELETE", f"{ML}/model_groups/{group_id}")


def _ensure_group(server: Server, name: str) -> str:
    for group_id in _find_groups(server, name):
        return group_id
    body = {"name": name, "description": MARK}
    return str(server.call("POST", f"{ML}/model_groups/_register", body)["model_group_id"])


def _find_groups(server: Server, name: str) -> list[str]:
    hits = _search(server, "model_groups", {"match_all": {}})
    groups = [(hit["_id"], hit["_source"]) for hit in hits]
    return [id_ for id_, group in groups if (group["name"], group.get("description")) == (name, MARK)]


def _search(server: Server, kind: str, query: Mapping[str, Any]) -> list[Any]:
    """Return the objects of a kind, such as "models", that match a query.

    Return an empty list if ml-commons has not created the index of this kind yet.
    """
    try:
        answer = server.call("POST", f"{ML}/{kind}/_search", {"size": MOST, "query": query})
    except NotFound:
        return []
    return list(answer["hits"]["hits"])
