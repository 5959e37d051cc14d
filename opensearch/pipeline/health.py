"""Check an installation: each part, the indices that use it, and that OpenSearch can call our route."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from opensearch.pipeline import parts
from opensearch.pipeline.highlighter import parse_field
from opensearch.pipeline.installation import DEFAULT_PIPELINE, Installation
from rostrum_core.errors import RostrumError, StoreError

TRIAL = {
    "query": "The moon\nThe president said:",
    "documents": [["We choose to go to the moon."]],
    "no_escape_params": "query",
}

QUESTION = {"question": "Why go to the moon?", "context": "We choose to go to the moon because it is hard."}

OTHER_KIND = {
    "request_processors": ("response_processors", "this is a reranker: leave out --highlighter"),
    "response_processors": ("request_processors", "this is a highlighter: add --highlighter"),
}
"""For each group of processors, the group in which the other kind of pipeline calls its model, and advice."""

Finding = tuple[bool, str]


def check_parts(installation: Installation) -> Iterator[Finding]:
    """Yield (is_ok, line) for each part of an installation: whether it is in order, and a description."""
    yield _try_check("pipeline", lambda: _check_pipeline(installation))
    yield _try_check("indices", lambda: _check_indices(installation))
    yield _try_check("connector", lambda: _check_connector(installation))
    yield _try_check("model", lambda: _check_model(installation))
    yield _try_check("route", lambda: _check_route(installation))


def _check_pipeline(installation: Installation) -> str:
    pipeline = installation.read_pipeline()
    if pipeline is None:
        raise StoreError(f"{installation.plan.pipeline} is not installed")
    if installation.plan.highlights:
        [inputs] = _get_processor(pipeline, "request_processors")["input_map"]
        field = parse_field(inputs["question"])
        return f"{installation.plan.pipeline} highlights {field} with the model {_get_model_id(installation)}"
    field = _parse_field(_get_processor(pipeline, "response_processors")["input_map"][0]["documents"])
    if "request_processors" in pipeline:
        lost = "it drops hits from scrolls, _reindex, _update_by_query and _delete_by_query"
        raise StoreError(f"{installation.plan.pipeline} is of an older Rostrum, and {lost}: install again")
    return f"{installation.plan.pipeline} ranks the hits of a search by {field}{_describe_nesting(field)}"


def _describe_nesting(field: str) -> str:
    """Return how documents must have a field below another; empty for a field of the top level.

    >>> _describe_nesting("meta.body"), _describe_nesting("body")
    (', which documents must have as {"meta": {"body": ...}}, not as {"meta.body": ...}', '')
    """
    if "." not in field:
        return ""
    names = field.split(".")
    nested = "".join(f'{{"{name}": ' for name in names) + "..." + "}" * len(names)
    return f', which documents must have as {nested}, not as {{"{field}": ...}}'


def _check_indices(installation: Installation) -> str:
    if indices := installation.list_defaulting_indices():
        raise StoreError(
            f"every search of {', '.join(indices)} passes the pipeline, also those without a draft, and fails"
            f" once it is uninstalled: name it in the search, and set {DEFAULT_PIPELINE} to null"
        )
    return "none has the pipeline as its default"


def _check_connector(installation: Installation) -> str:
    connectors = installation.list_connectors()
    if len(connectors) != 1:
        raise StoreError(f"there are {len(connectors)}: install again")
    [connector] = connectors
    if not connector.encodes:
        raise StoreError("it is of an older Rostrum, and texts of hits can change the ranking: install again")
    waits = connector.body["client_config"]
    key = "with a key" if connector.keyed else "without a key"
    return f"asks {connector.url} {key}, {waits['read_timeout']} s at most"


def _check_model(installation: Installation) -> str:
    state = parts.read_state(installation.server, _get_model_id(installation))
    if state == parts.FAILED:  # for another cause, the first call deploys it
        raise StoreError("OpenSearch could not deploy it: install again")
    return state.lower()


def _check_route(installation: Installation) -> str:
    began = time.monotonic()
    highlights = installation.plan.highlights
    trial = QUESTION if highlights else TRIAL
    answer = parts.call_model(installation.server, _get_model_id(installation), trial)
    if not isinstance(answer, dict) or len(answer.get("highlights" if highlights else "results", ())) != 1:
        raise StoreError("what answers is not Rostrum")
    return f"answered OpenSearch in {1000 * (time.monotonic() - began):.0f} ms"


def _parse_field(path: str) -> str:
    """Return the name of the field from a JSON path that `plan.select_text` returned.

    >>> _parse_field("$[?(@['meta']['body'] =~ /.+/)]['meta']['body']")
    'meta.body'
    """
    return path.rpartition(")]")[2].strip("[]'").replace("']['", ".")


def _get_model_id(installation: Installation) -> str:
    pipeline = installation.read_pipeline()
    if pipeline is None:
        raise StoreError("no pipeline names one")
    group = "request_processors" if installation.plan.highlights else "response_processors"
    return str(_get_processor(pipeline, group)["model_id"])


def _get_processor(pipeline: Mapping[str, Any], group: str) -> Mapping[str, Any]:
    """Return, from a pipeline, the processor that calls the model.

    `group` names a list of the pipeline's processors, such as "response_processors". Other processors may
    come first in this list.

    Raises:
        StoreError: the pipeline has no such processor, or is of the other kind.
    """
    for processor in pipeline.get(group, ()):
        if "ml_inference" in processor:
            return dict(processor["ml_inference"])
    other, advice = OTHER_KIND[group]
    if any("ml_inference" in processor for processor in pipeline.get(other, ())):
        raise StoreError(advice)
    raise StoreError("the pipeline has no ml_inference any more: install again")


def _try_check(what: str, check: Callable[[], str]) -> Finding:
    try:
        return True, f"{what}: {check()}"
    except RostrumError as error:
        return False, f"{what}: {error}"
