"""`/v1/verify`: check the quotations of a draft or of a list."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, BeforeValidator, Field

from jobs.verify.quote_lists import check_date, make_row
from rostrum.api.edge.auth import READ
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.json_body import StrictRoute
from rostrum.api.edge.unicode import replace_surrogates
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.drafts import LONGEST_NAME, Day, Milliseconds, Text, Title
from rostrum_core.deadline import limit_time
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteCheck, QuoteRow, Verification
from rostrum_core.types import Draft

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["verify"])
MOST_QUOTES = 1_000
LONGEST_QUOTE = 20_000  # characters
QuotedText = Annotated[str, Field(max_length=LONGEST_QUOTE), BeforeValidator(replace_surrogates)]


class QuoteForm(Form):
    """A quotation: its text, or its `parts` if a "he said" interrupts it.

    `speaker` is the person to whom the quotation is attributed. `date` (a day, month or year) is when that
    person is said to have spoken.
    """

    id: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    quote: QuotedText = ""
    parts: Annotated[list[QuotedText], Field(max_length=MOST_QUOTES)] = Field(default_factory=list)
    speaker: Annotated[str | None, Field(max_length=LONGEST_NAME), BeforeValidator(replace_surrogates)] = None
    date: Day = None

    def read_row(self, number: int) -> QuoteRow:
        """Convert the form to a `QuoteRow`, the type of the quotations that are checked.

        If the form has no `id`, the row gets `number` as its id.

        Raises:
            BadInput: there is no quotation, or the date is invalid.
        """
        identity = self.id or str(number)
        if self.parts:
            if not any(part.strip() for part in self.parts):
                raise BadInput(f"row {identity} has no quotation", field="parts")
            return QuoteRow(identity, tuple(self.parts), self.speaker, check_date(self.date, identity))
        return make_row(identity, self.quote, self.speaker, self.date)


class VerifyForm(Form):
    """A draft whose quotations are checked, or a list of `quotes`. A draft has the fields of `/v1/recommend`.

    `written_on` is the day on which the draft is printed; "on Tuesday" is resolved from it.
    """

    model_config = show_examples(
        {"left": "“Ask what your country can do for you,” John F. Kennedy said in 1961."},
        {"quotes": [{"quote": "The only thing we have to fear is fear itself", "speaker": "Lincoln"}]},
    )

    title: Title = ""
    left: Text = ""
    right: Text = ""
    written_on: Day = None
    quotes: Annotated[list[QuoteForm], Field(max_length=MOST_QUOTES)] = Field(default_factory=list)
    timeout_ms: Milliseconds = None

    def build_draft(self) -> Draft:
        """Return the draft that the form contains, without the other fields of the request."""
        return Draft(self.title, self.left, self.right, self.written_on or None)


class VerificationForm(BaseModel):
    """The checks in the order of the quotations, with details of their computation.

    `models` are the hashes of the model parts, `rules` is the version of the rules, `generation` the version
    of the archive. `degraded` names the searches that were skipped.
    """

    checks: tuple[QuoteCheck, ...]
    generation: str | None
    rules: str
    models: dict[str, str] | None
    degraded: tuple[str, ...]
    elapsed_s: float
    counts: dict[str, int]


@router.post("/verify", response_model=VerificationForm, dependencies=[READ, NoParameters, RankingPlace])
def verify(form: VerifyForm, assembly: Assembled) -> dict[str, Any]:
    """Check quotations: return a verdict for each, its source, the words that differ, and what the cut
    omits.
    """
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
    """Return the checks of quotations as JSON, without the draft's text around the quotations."""
    checks = tuple(check.drop_context() for check in verification.checks)
    return {**asdict(replace(verification, checks=checks)), "counts": verification.count_verdicts()}
