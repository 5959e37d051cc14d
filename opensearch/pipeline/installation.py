"""Install our reranker in a cluster, so that its searches can call it, and remove it completely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opensearch.failures import NotFound
from opensearch.pipeline import parts, trust
from opensearch.pipeline.plan import OURS, Plan
from opensearch.server import Server
from rostrum_core.errors import BadInput, StoreError

PROCESSORS = {
    "phase_results_processors": {"score-ranker-processor"},
    "response_processors": {"ml_inference", "rerank"},
}
DEFAULT_PIPELINE = "index.search.default_pipeline"


class Installation:
    """Install, inspect and remove the parts of a plan (connector, model, search pipeline) in one cluster.

    Every step can be repeated.
    """

    def __init__(self, server: Server, plan: Plan) -> None:
        self.server, self.plan = server, plan

    def list_changes(self) -> list[trust.Change]:
        """Return the changes that `install` would make to the cluster's settings.

        Raises:
            StoreError: the cluster lacks a processor that is needed, or cannot be reached.
        """
        self._check_processors()
        now = trust.read(self.server)
        return trust.list_needed(
            now,
            self.plan.pattern,
            private=self.plan.may_be_private,
            highlights=self.plan.highlights,
        )

    def find_connector(self, key: str | None = None) -> parts.Connector | None:
        """Return the existing connector that matches the plan; `None` if `install` would create one.

        If `key` is given, the connector must send a key. It may be another key, because OpenSearch does not
        reveal the keys of connectors.
        """
        for connector in self.list_connectors():
            keyed = connector.keyed or key is not None
            if connector.is_like(self.plan.build_connector(connector.settings, keyed=keyed)):
                return connector
        return None

    def install(self, key: str | None, *, new_key: bool = False) -> list[str]:
        """Install the planned parts, and return the actions taken; empty if everything was already installed.

        The pipeline switches to a new model in one step, and the old model is removed after that. A matching
        connector keeps its key, unless `new_key` is true.

        Raises:
            BadInput: a pipeline of that name is not ours; or a connector that sends a key must be
                recreated, and no key is supplied.
            StoreError: the cluster refuses.
        """
        pipeline, changes = self.read_pipeline(), self.list_changes()
        done = [f"setting {change.name}" for change in changes]
        kept = None if new_key else self.find_connector(key)
        if kept:
            trust.apply(self.server, changes)
        connector_id = kept.id if kept else self._create_connector(key, changes)
        done += [] if kept else ["connector"]
        model_id = next(iter(parts.list_models(self.server, connector_id)), None)
        if model_id is None:
            model_id = parts.create_model(self.server, self.plan.pipeline, connector_id)
        if parts.deploy_model(self.server, model_id):
            done.append("model")
        if pipeline != (wanted := self.plan.search_pipeline(model_id)):
            self.server.call("PUT", self._path, wanted)
            done.append("pipeline")
        for connector in self.list_connectors():
            if connector.id != connector_id:
                self._remove_connector(connector)
        return done

    def uninstall(self) -> list[str]:
        """Remove everything installed, restore the cluster's settings, and return the actions taken.

        Raises:
            BadInput: the pipeline of that name is not ours, or is the default of an index.
            StoreError: the cluster refuses.
        """
        done = []
        if self.read_pipeline() is not None:
            self._require_no_default()
            self.server.call("DELETE", self._path)
            done.append("pipeline")
        for connector in self.list_connectors():
            changes = self._remove_connector(connector)
            done += ["model", "connector", *(f"setting {change.name}" for change in changes)]
        parts.remove_group(self.server, self.plan.pipeline)
        return done

    def list_connectors(self) -> list[parts.Connector]:
        """Return the connectors of the plan's pipeline: more than one if an earlier step was interrupted."""
        ours = parts.list_connectors(self.server)
        return [connector for connector in ours if connector.pipeline == self.plan.pipeline]

    def read_pipeline(self) -> dict[str, Any] | None:
        """Return the cluster's search pipeline with the plan's name; `None` if it does not exist.

        Raises:
            BadInput: there is such a pipeline, but Rostrum did not install it.
        """
        name = self.plan.pipeline
        try:
            pipeline: dict[str, Any] = self.server.call("GET", self._path)[name]
        except NotFound:
            return None
        if not str(pipeline.get("description", "")).startswith(OURS):
            message = f"there is a search pipeline {name!r} that is not Rostrum's: choose another name"
            raise BadInput(message, field="pipeline")
        return pipeline

    def list_defaulting_indices(self) -> list[str]:
        """Return the names of the indices that run this pipeline by default, in every search."""
        paths = f"metadata.indices.*.settings.{DEFAULT_PIPELINE}"
        state = self.server.call("GET", "/_cluster/state/metadata", filter_path=paths)
        indices = state.get("metadata", {}).get("indices", {})
        return sorted(name for name in indices if self._is_default(indices[name]["settings"]))

    def _is_default(self, settings: Mapping[str, Any]) -> bool:
        return bool(settings["index"]["search"]["default_pipeline"] == self.plan.pipeline)

    def _require_no_default(self) -> None:
        """Raise BadInput if the pipeline is the default of an index."""
        if indices := self.list_defaulting_indices():
            message = (
                f"every search of {', '.join(indices)} passes {self.plan.pipeline!r} and would fail"
                f" without it: set {DEFAULT_PIPELINE} of these indices to null first"
            )
            raise BadInput(message, field="pipeline")

    @property
    def _path(self) -> str:
        return f"/_search/pipeline/{self.plan.pipeline}"

    def _create_connector(self, key: str | None, changes: list[trust.Change]) -> str:
        """Change the settings, create a connector that stores their previous values, and return its id.

        If the cluster refuses the connector, the changes are undone.
        """
        if key is None and any(connector.keyed for connector in self.list_connectors()):
            raise BadInput("the connector is replaced, and needs its key again", field="key")
        now, ours = trust.read(self.server), parts.list_connectors(self.server)
        before = ours[0].settings if ours else trust.serialise_settings(now)
        trust.apply(self.server, changes)
        try:
            body = self.plan.build_connector(before, keyed=key is not None)
            return parts.create_connector(self.server, body, key)
        except StoreError:
            trust.apply(self.server, trust.invert_changes(changes, now))
            raise

    def _remove_connector(self, connector: parts.Connector) -> list[trust.Change]:
        """Remove a connector and its models, restore the settings that only it needed, and return these
        changes.

        The settings are restored first, because only the connector stores their previous values.
        """
        others = [other for other in parts.list_connectors(self.server) if other.id != connector.id]
        changes = trust.put_back(
            trust.read(self.server),
            trust.parse_settings(connector.settings),
            None if any(other.url == connector.url for other in others) else connector.pattern,
            last=not others,
            last_highlighter=connector.highlights and not any(other.highlights for other in others),
        )
        trust.apply(self.server, changes)
        parts.remove_connector(self.server, connector.id)
        return changes

    def _check_processors(self) -> None:
        """Check that every node has the processors of the pipeline.

        Raises:
            StoreError: a node lacks some.
        """
        nodes = self.server.call("GET", "/_nodes/search_pipelines")["nodes"]
        for node in nodes.values():
            if lacking := _list_lacking(node.get("search_pipelines", {})):
                where = f"node {node['name']} of {self.server.connection.url}"
                plugins = "it needs the plugins opensearch-ml and opensearch-neural-search"
                raise StoreError(f"{where} lacks the processors {', '.join(lacking)}: {plugins}")


def _list_lacking(installed: Mapping[str, Sequence[Mapping[str, str]]]) -> list[str]:
    """Return the names of the processors that the pipeline needs and that a node does not have.

    `installed` has the node's processors, listed by kind such as "response_processors".
    """
    return sorted(
        name
        for kind, names in PROCESSORS.items()
        for name in names - {processor["type"] for processor in installed.get(kind, ())}
    )
