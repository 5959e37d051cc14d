"""Build what an installation of our highlighter registers: connector, model and search pipeline.

OpenSearch's semantic highlighter asks a model for the ranges to highlight, and fails the search if the model
fails. So the search requests another highlighter, such as `unified`. Before the search, a request processor
of the pipeline calls our route. If the route answers, the processor changes the requested highlighter to
`semantic`. If the route fails, the search runs with the highlighter that it requested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from opensearch.pipeline.plan import Plan, read_part
from rostrum_core.errors import BadInput

BODY = (
    '{ "encoded": { "question": "${parameters.question64}", "context": "${parameters.context64}",'
    ' "inputs": "${parameters.inputs64}" }, "timeout_ms": %d }'
)


@dataclass(frozen=True, slots=True)
class HighlighterPlan(Plan):
    """Hold an operator's choices for an installation of the highlighter, which marks words in
    `text_field`.
    """

    pipeline: str = "rostrum-highlighter"

    highlights: ClassVar[bool] = True
    route: ClassVar[str] = "/v1/highlight/opensearch"
    body: ClassVar[str] = BODY
    script: ClassVar[str] = "encode_question"

    def __post_init__(self) -> None:
        Plan.__post_init__(self)
        if "." in self.text_field:
            message = "OpenSearch 3.6 highlights fields of the top level of a document only"
            raise BadInput(f"{self.text_field!r}: {message}", field="text_field")

    def search_pipeline(self, model_id: str) -> dict[str, Any]:
        """Return the request body that creates the search pipeline.

        Before each search, the pipeline calls Rostrum through the model with this id. If Rostrum answers, the
        search uses OpenSearch's semantic highlighter. Otherwise it keeps the highlighter of the request.
        """
        body = read_part("highlight")
        inference = body["request_processors"][0]["ml_inference"]
        inference["model_id"] = model_id
        kind = select_kind(self.text_field)
        inference["input_map"] = [{"question": kind}]
        inference["output_map"] = [{kind: "type"}]
        return body


def select_kind(field: str) -> str:
    """Return the JSON path that selects, in a search request, the type of the highlighter of a field.

    >>> select_kind("body")
    "$.highlight.fields['body'].type"
    """
    return f"$.highlight.fields['{field}'].type"


def parse_field(path: str) -> str:
    """Return the name of the field from a JSON path that `select_kind` returned.

    >>> parse_field(select_kind("body"))
    'body'
    """
    return path.partition("['")[2].partition("']")[0]
