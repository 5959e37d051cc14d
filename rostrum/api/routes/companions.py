"""`/v1/counter` and `/v1/repeats`: find sentences on the same point as a statement, and repeats of a text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, BeforeValidator, Field, model_validator

from archive.service import Service
from jobs.evidence.counter import Statement
from jobs.repeats.job import LONGEST_TEXT, cut_paragraph
from rostrum.api.edge.auth import READ
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.time_limits import limit_request_time
from rostrum.api.edge.unicode import replace_surrogates
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace, ReadingPlace
from rostrum.api.routes.drafts import LONGEST_NAME, Milliseconds
from rostrum_core.companions import Repeat
from rostrum_core.errors import BadInput
from rostrum_core.evidence import EvidenceSentence

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["evidence"])
MOST_VOICES = 20
Name = Annotated[str | None, Field(max_length=LONGEST_NAME)]
Ordinal = Annotated[int | None, Field(ge=0, description="The number of its paragraph, from 0")]


class CounterForm(Form):
    """A statement; the answer has other sentences on the same point.

    `document` and `paragraph` identify the place of the statement, so that the statement itself is not found.
    """

    model_config = show_examples(
        {"text": "The state of the union is strong.", "speaker": "Joe Biden", "limit": 2}
    )

    text: Annotated[
        str, Field(max_length=LONGEST_TEXT, description="The statement"), BeforeValidator(replace_surrogates)
    ]
    speaker: Annotated[
        str | None,
        Field(max_length=LONGEST_NAME, description="Who made it"),
        BeforeValidator(replace_surrogates),
    ] = None
    document: Annotated[Name, Field(description="The document in which it stands")] = None
    paragraph: Ordinal = None
    limit: Annotated[int, Field(ge=1, le=MOST_VOICES, description="The most voices of each side")] = 3
    timeout_ms: Milliseconds = None


class CounterAnswer(BaseModel):
    """Sentences on the same point as a statement; contradictions come first."""

    own: Annotated[tuple[EvidenceSentence, ...], Field(description="Sentences of the same speaker")]
    others: Annotated[tuple[EvidenceSentence, ...], Field(description="Sentences of other speakers")]
    degraded: tuple[str, ...]


class RepeatsForm(Form):
    """A text, or the place of a paragraph; the answer has the speeches and articles that repeat it."""

    model_config = show_examples({"text": "Ask not what your country can do for you, ask what you can do."})

    text: Annotated[
        str, Field(max_length=LONGEST_TEXT, description="The text"), BeforeValidator(replace_surrogates)
    ] = ""
    document: Annotated[Name, Field(description="The document of the paragraph")] = None
    paragraph: Ordinal = None

    @model_validator(mode="after")
    def _require_one(self) -> RepeatsForm:
        if bool(self.text) == (self.document is not None and self.paragraph is not None):
            raise ValueError("give a text, or a document and a paragraph")
        return self


class RepeatsAnswer(BaseModel):
    """The repetitions of the text, oldest first, and the archives that were searched."""

    repeats: Annotated[tuple[Repeat, ...], Field(description="The repeats, the oldest first")]
    archives: Annotated[
        tuple[str, ...], Field(description="What was searched: empty for the speeches, and `articles`")
    ]


@router.post("/counter", response_model=CounterAnswer, dependencies=[READ, NoParameters, RankingPlace])
def find_counter_voices(form: CounterForm, assembly: Assembled) -> dict[str, Any]:
    """Find sentences of the same speaker and of others on the point of a statement, with day and stance."""
    statement = Statement(form.text, form.speaker, form.document, form.paragraph)
    with limit_request_time(form.timeout_ms, assembly.service.settings.timeout_s) as timeout_s:
        return asdict(assembly.service.counter(statement, limit=form.limit, timeout_s=timeout_s))


@router.post("/repeats", response_model=RepeatsAnswer, dependencies=[READ, NoParameters, ReadingPlace])
def find_repeats(form: RepeatsForm, assembly: Assembled) -> dict[str, Any]:
    """Find the speeches and the printed articles that repeat a text, word for word."""
    service = assembly.service
    with limit_request_time(None, service.settings.timeout_s):
        text = form.text or _read_paragraph(service, form.document or "", form.paragraph or 0)
        return asdict(service.repeats(text, document=form.document))


def _read_paragraph(service: Service, document: str, paragraph: int) -> str:
    speech = service.store.get(document)
    if speech is None:
        raise BadInput(f"there is no speech {document}", field="document")
    if paragraph >= len(speech[1]):
        raise BadInput(f"{document} has {len(speech[1])} paragraphs, from 0", field="paragraph")
    return cut_paragraph(speech[1][paragraph].text)[1]
