"""Test what `rostrum opensearch status` says of a pipeline, without a cluster."""

import pytest

from opensearch.pipeline.health import check_parts
from opensearch.pipeline.highlighter import HighlighterPlan
from opensearch.pipeline.installation import Installation
from opensearch.pipeline.plan import Plan
from rostrum_core.errors import StoreError


class Cluster:
    """Have one search pipeline; refuse everything else."""

    def __init__(self, pipeline: dict) -> None:
        self.pipeline = pipeline

    def call(self, method: str, path: str, *arguments: object, **options: object) -> dict:
        if path.startswith("/_search/pipeline/"):
            return {path.rpartition("/")[2]: self.pipeline}
        raise StoreError("refused")


def lines(plan: Plan, pipeline: dict) -> dict[str, tuple[bool, str]]:
    findings = check_parts(Installation(Cluster(pipeline), plan))  # type: ignore[arg-type]
    return {line.partition(": ")[0]: (is_ok, line.partition(": ")[2]) for is_ok, line in findings}


@pytest.mark.parametrize(
    ("plan", "installed", "advice"),
    [
        (Plan(), HighlighterPlan(), "this is a highlighter: add --highlighter"),
        (HighlighterPlan(), Plan(), "this is a reranker: leave out --highlighter"),
    ],
)
def test_a_pipeline_of_the_other_kind_is_named_as_such(plan, installed, advice) -> None:
    status = lines(plan, installed.search_pipeline("m"))
    assert [status[name] for name in ("pipeline", "model", "route")] == [(False, advice)] * 3


@pytest.mark.parametrize("plan", [Plan(), HighlighterPlan()])
def test_a_pipeline_that_calls_no_model_is_to_be_installed_again(plan) -> None:
    pipeline = {"description": "Rostrum's reranker", "request_processors": [{"oversample": {}}]}
    message = "the pipeline has no ml_inference any more: install again"
    assert lines(plan, pipeline)["pipeline"] == (False, message)


def test_a_reranker_that_drops_hits_is_of_an_older_rostrum() -> None:
    pipeline = Plan().search_pipeline("m") | {"request_processors": [{"oversample": {}}]}
    is_ok, line = lines(Plan(), pipeline)["pipeline"]
    assert not is_ok
    assert line.startswith("rostrum is of an older Rostrum, and it drops hits")


def test_a_field_below_another_must_be_written_as_an_object() -> None:
    deep, flat = (Plan(text_field=field) for field in ("meta.body", "body"))
    assert lines(deep, deep.search_pipeline("m"))["pipeline"] == (
        True,
        "rostrum ranks the hits of a search by meta.body,"
        ' which documents must have as {"meta": {"body": ...}}, not as {"meta.body": ...}',
    )
    assert lines(flat, flat.search_pipeline("m"))["pipeline"] == (
        True,
        "rostrum ranks the hits of a search by body",
    )
