"""`POST /v1/highlight/opensearch`: choose sentences to highlight, for OpenSearch's semantic highlighter.

OpenSearch fails the whole search if its highlighter fails. So if this service has no capacity left, or the
model does not answer in time, the response is a success without highlights.
"""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, BeforeValidator, Field, model_validator

from archive.service import Service
from jobs.evidence.highlight import Question, highlight
from rostrum.api.edge.auth import READ
from rostrum.api.edge.capacity import get_client_name
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.time_limits import limit_timeout
from rostrum.api.edge.unicode import count_utf16_ranges, replace_surrogates
from rostrum.api.routes.dependencies import Assembled, NoParameters
from rostrum.api.routes.drafts import Milliseconds
from rostrum.api.routes.rerank.encoded import decode_questions, merge_decoded
from rostrum_core.errors import TaskError

LOG = logging.getLogger("rostrum.api")
router = APIRouter(route_class=StrictRoute, tags=["evidence"])
MOST_INPUTS = 1_000
SHARE = 0.8  # of the time that OpenSearch waits: the answer has to travel
Text = Annotated[str, BeforeValidator(replace_surrogates)]
UNITS = "in UTF-16 code units of the text, as Java counts"


class QuestionForm(Form):
    """A question, and the text in which its answer is highlighted."""

    question: Annotated[Text, Field(description="The query of the search")]
    context: Annotated[Text, Field(description="The text of a hit")]


class HighlightForm(Form):
    """One `question` with the text in which to highlight its answer (`context`), or several such pairs as
    `inputs`.

    OpenSearch's connector sends the same fields within `encoded`.
    """

    model_config = show_examples(
        {
            "question": "Why go to the moon?",
            "context": "We meet in Houston. We choose to go to the moon because it is hard.",
        }
    )

    question: Annotated[Text, Field(description="The query of the search")] = ""
    context: Annotated[Text, Field(description="The text of a hit")] = ""
    inputs: Annotated[
        list[QuestionForm] | None, Field(max_length=MOST_INPUTS, description="Several questions and texts")
    ] = None
    timeout_ms: Milliseconds = None

    @model_validator(mode="before")
    @classmethod
    def _decode(cls, payload: Any) -> Any:
        return merge_decoded(payload, decode_questions)

    def list_questions(self) -> list[Question]:
        """Return the questions of the request, each with the text in which its answer is highlighted."""
        if self.inputs is None:
            return [Question(self.question, self.context)]
        return [Question(item.question, item.context) for item in self.inputs]


class Highlight(BaseModel):
    """A range of a text to highlight: UTF-16 code units, half-open."""

    start: Annotated[int, Field(description=f"Where it begins, {UNITS}")]
    end: Annotated[int, Field(description=f"Where it ends, {UNITS}")]


class Highlights(BaseModel):
    """The ranges to highlight, in text order; a list for each text if `inputs` were sent."""

    highlights: Annotated[
        list[Highlight] | list[list[Highlight]],
        Field(description="Ranges in the order of the text; with `inputs`, a list of them for each"),
    ]
    type: Annotated[
        Literal["semantic"], Field(description="The highlighter that a search pipeline switches to")
    ] = "semantic"


@router.post("/v1/highlight/opensearch", dependencies=[READ, NoParameters])
async def highlight_sentences(form: HighlightForm, assembly: Assembled, request: Request) -> Highlights:
    """Choose the sentences of texts to highlight for OpenSearch's semantic highlighter."""
    questions = form.list_questions()
    try:
        async with assembly.places.ranking.place(get_client_name(request.scope)):
            ranges = await run_in_threadpool(_highlight, assembly.service, questions, form.timeout_ms)
    except (TaskError, Refused) as error:
        LOG.warning("no_highlights", extra={"reason": str(error)})
        ranges = [[] for _ in questions]
    return Highlights(highlights=ranges if form.inputs is not None else ranges[0])


def _highlight(service: Service, questions: list[Question], timeout_ms: int | None) -> list[list[Highlight]]:
    timeout_s = SHARE * limit_timeout(timeout_ms, service.settings.timeout_s)
    ranges = highlight(questions, service.make_sentence_ranker(), timeout_s=timeout_s)
    return [
        [Highlight(start=start, end=end) for start, end in count_utf16_ranges(item.context, of_text)]
        for item, of_text in zip(questions, ranges, strict=True)
    ]
