"""`POST /v1/evidence`: find the sentences that support a claim or contradict it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, BeforeValidator, Field

from rostrum.api.edge.auth import READ
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.time_limits import limit_request_time
from rostrum.api.edge.unicode import replace_surrogates
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.drafts import LONGEST_NAME, MOST_RESULTS, FilterForm, Milliseconds, Title
from rostrum_core.evidence import Claim, EvidenceSentence, SentenceHeat

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["evidence"])
LONGEST_CLAIM = 4_000  # characters
LONGEST_BEFORE = 20_000
MOST_DOCUMENTS = 20


class EvidenceForm(Form):
    """A claim: a statement without context, or a sentence of a draft.

    For a sentence of a draft, `title` is the draft's title, and `before` the text before the sentence.
    Without `documents`, the whole archive is searched, or the part that passes the `filter`. With `names`, if
    the claim begins "Lincoln said that", sentences by others than Lincoln count for less.
    """

    model_config = show_examples(
        {"claim": "America will land people on the moon.", "limit": 3},
        {
            "claim": "Gorbachev should open the gate.",
            "documents": ["1987-06-12-address-brandenburg-gate-berlin-wall"],
            "heat": True,
        },
    )

    claim: Annotated[
        str, Field(max_length=LONGEST_CLAIM, description="The claim"), BeforeValidator(replace_surrogates)
    ]
    title: Annotated[Title, Field(description="The title of the draft that makes the claim")] = ""
    before: Annotated[
        str,
        Field(max_length=LONGEST_BEFORE, description="The text of the draft before the claim"),
        BeforeValidator(replace_surrogates),
    ] = ""
    documents: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_NAME)]],
        Field(
            max_length=MOST_DOCUMENTS,
            description="Only the sentences of these documents, by their ids; those of all of them compete",
        ),
    ] = Field(default_factory=list)
    filter: FilterForm = Field(default_factory=FilterForm)
    limit: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 10
    heat: Annotated[
        bool, Field(description="Add the heat of every sentence of the documents, for a heat map")
    ] = False
    names: bool = True
    timeout_ms: Milliseconds = None


class EvidenceAnswerForm(BaseModel):
    """The sentences for and against a claim, best first.

    `models` are the models that were used, `generation` is the version of the archive.
    """

    sentences: Annotated[tuple[EvidenceSentence, ...], Field(description="The sentences, the best first")]
    read: Annotated[int, Field(description="How many sentences were compared with the claim")]
    heat: Annotated[
        tuple[SentenceHeat, ...],
        Field(description="Every sentence of the documents with its heat, in order; empty unless asked for"),
    ]
    degraded: tuple[str, ...]
    timings_s: dict[str, float]
    models: dict[str, str]
    generation: str | None
    speaker: Annotated[
        str | None,
        Field(description="The person to whom the claim ascribes its words, whose sentences count for more"),
    ]


@router.post("/evidence", response_model=EvidenceAnswerForm, dependencies=[READ, NoParameters, RankingPlace])
def find_evidence(form: EvidenceForm, assembly: Assembled) -> dict[str, Any]:
    """Find the sentences that support a claim or contradict it, with a probability and a stance for each."""
    service = assembly.service
    with limit_request_time(form.timeout_ms, service.settings.timeout_s) as timeout_s:
        answer = service.evidence(
            Claim(form.claim, form.title, form.before),
            documents=form.documents,
            filter=form.filter.filter(service.store),
            limit=form.limit,
            heat=form.heat,
            names=form.names,
            timeout_s=timeout_s,
        )
    return asdict(answer)
