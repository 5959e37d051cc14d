"""How an installation is: each part, and whether OpenSearch gets an answer from our route."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from opensearch.pipeline import parts
from opensearch.pipeline.installation import Installation
from rostrum_core.errors import RostrumError, StoreError

TRIAL = {"query": "The moon\nThe president said:", "documents": ["We choose to go to the moon."], "ids": [1]}

Finding = tuple[bool, str]


def checks(installation: Installation) -> Iterator[Finding]:
    """Each part: whether it is fine, and what was found."""
    yield _tried("pipeline", lambda: _pipeline(installation))
    yield _tried("connector", lambda: _connector(installation))
    yield _tried("model", lambda: _model(installation))
    yield _tried("route", lambda: _route(installation))


def _pipeline(installation: Installation) -> str:
    found = installation.pipeline()
    if found is None:
        raise StoreError(f"{installation.plan.pipeline} is not installed")
    field = _processor(found, "response_processors", "ml_inference")["input_map"][0]["documents"]
    factor = _processor(found, "request_processors", "oversample")["sample_factor"]
    return f"{installation.plan.pipeline} ranks the field {field} of {factor} times the hits"


def _connector(installation: Installation) -> str:
    found = installation.connectors()
    if len(found) != 1:
        raise StoreError(f"there are {len(found)}: install again")
    waits = found[0].body["client_config"]
    key = "with a key" if found[0].keyed else "without a key"
    return f"asks {found[0].url} {key}, {waits['read_timeout']} s at most"


def _model(installation: Installation) -> str:
    found = parts.state(installation.server, _model_id(installation))
    if found == parts.FAILED:  # one that is not deployed for another cause is when it is asked
        raise StoreError("OpenSearch could not deploy it: install again")
    return found.lower()


def _route(installation: Installation) -> str:
    began = time.monotonic()
    answer = parts.predict(installation.server, _model_id(installation), TRIAL)
    if not isinstance(answer, dict) or len(answer.get("results", ())) != 1:
        raise StoreError("what answers is not Rostrum")
    return f"answered OpenSearch in {1000 * (time.monotonic() - began):.0f} ms"


def _model_id(installation: Installation) -> str:
    found = installation.pipeline()
    if found is None:
        raise StoreError("no pipeline names one")
    return str(_processor(found, "response_processors", "ml_inference")["model_id"])


def _processor(pipeline: Mapping[str, Any], group: str, kind: str) -> Mapping[str, Any]:
    """The first processor of a kind; others may stand before it."""
    for each in pipeline.get(group, ()):
        if kind in each:
            return dict(each[kind])
    raise StoreError(f"the pipeline has no {kind} any more: install again")


def _tried(what: str, check: Callable[[], str]) -> Finding:
    try:
        return True, f"{what}: {check()}"
    except RostrumError as error:
        return False, f"{what}: {error}"
