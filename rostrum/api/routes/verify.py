"""`/v1/verify`: check whether every quotation of a draft, or of a list, is what was said."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from jobs.verify.quote_lists import check_date, make_row
from rostrum.api.edge.auth import require_scope
from rostrum.api.edge.forms import Form
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.keys import KeyScope
from rostrum.api.edge.unicode import replace_surrogates
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.drafts import LONGEST_NAME, LONGEST_TEXT, LONGEST_TITLE, Day, Milliseconds
from rostrum_core.deadline import limit_time
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteCheck, QuoteRow, Verification
from rostrum_core.types import Draft

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["verify"])
MOST_QUOTES = 1_000
LONGEST_QUOTE = 20_000  # characters
Text = Annotated[str, Field(max_length=LONGEST_QUOTE), BeforeValidator(replace_surrogates)]


class QuoteForm(Form):
    """A quotation: its text, or the `parts` of it that stand around a "he said".

    `speaker` and `date` (a day, month or year) are those that it is attributed to.
    """

    id: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    quote: Text = ""
    parts: Annotated[list[Text], Field(max_length=MOST_QUOTES)] = Field(default_factory=list)
    speaker: Annotated[str | None, Field(max_length=LONGEST_NAME), BeforeValidator(replace_surrogates)] = None
    date: Day = None

    def read_row(self, number: int) -> QuoteRow:
        """Return the row to check.

        Raises:
            BadInput: it has no quotation, or an invalid date.
        """
        identity = self.id or str(number)
        if self.parts:
            if not any(part.strip() for part in self.parts):
                raise BadInput(f"row {identity} has no quotation", field="parts")
            return QuoteRow(identity, tuple(self.parts), self.speaker, check_date(self.date, identity))
        return make_row(identity, self.quote, self.speaker, self.date)


class VerifyForm(Form):
    """A draft, as `/v1/recommend` takes it, of which every quotation is checked; or `quotes` to check.

    `written_on` is the day on which the draft is printed: "on Tuesday" is read by it.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"left": "“Ask what your country can do for you,” John F. Kennedy said in 1961."},
                {
                    "quotes": [
                        {"quote": "The only thing we have to fear is fear itself", "speaker": "Lincoln"}
                    ]
                },
            ]
        }
    )

    title: Annotated[str, Field(max_length=LONGEST_TITLE), BeforeValidator(replace_surrogates)] = ""
    left: Annotated[str, Field(max_length=LONGEST_TEXT), BeforeValidator(replace_surrogates)] = ""
    right: Annotated[str, Field(max_length=LONGEST_TEXT), BeforeValidator(replace_surrogates)] = ""
    written_on: Day = None
    quotes: Annotated[list[QuoteForm], Field(max_length=MOST_QUOTES)] = Field(default_factory=list)
    timeout_ms: Milliseconds = None

    def build_draft(self) -> Draft:
        """Return the draft alone."""
        return Draft(self.title, self.left, self.right, check_date(self.written_on, "written_on"))


class VerificationForm(BaseModel):
    """The checks in the order of the quotations, and what they were made with.

    `models` are the hashes of what was used, `rules` is the version of the rules, `generation` the state of
    the archive; `degraded` says what was not looked for.
    """

    checks: tuple[QuoteCheck, ...]
    generation: str | None
    rules: str
    models: dict[str, str] | None
    degraded: tuple[str, ...]
    elapsed_s: float
    counts: dict[str, int]


@router.post(
    "/verify",
    response_model=VerificationForm,
    dependencies=[require_scope(KeyScope.READ), NoParameters, RankingPlace],
)
def verify(form: VerifyForm, assembly: Assembled) -> dict[str, Any]:
    """Check quotations: a verdict for each, its source, which words differ, and what the cut leaves out."""
    service, draft = assembly.service, form.build_draft()
    has_draft = bool((draft.title + draft.left + draft.right).strip())
    if has_draft == bool(form.quotes):
        raise BadInput("give a draft or quotes, one of them", field="quotes")
    rows = [quote.read_row(number) for number, quote in enumerate(form.quotes, 1)]
    most_s = service.settings.timeout_s
    with limit_time(most_s if form.timeout_ms is None else min(most_s, form.timeout_ms / 1000)):
        verification = service.verify_draft(draft) if has_draft else service.verify(rows)
    return write_verification(verification)


def write_verification(verification: Verification) -> dict[str, Any]:
    """Return a verification as JSON, without the draft's text around the quotations."""
    checks = tuple(check.drop_context() for check in verification.checks)
    return {**asdict(replace(verification, checks=checks)), "counts": verification.count_verdicts()}
