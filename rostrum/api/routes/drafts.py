"""Parse requests that contain a draft, and limit their size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WrapValidator

from jobs.filters import check_known, read_filter
from rostrum.api.edge.forms import Form, show_examples
from rostrum.api.edge.time_limits import limit_timeout
from rostrum.api.edge.unicode import replace_surrogates
from rostrum_core.companions import Freshness
from rostrum_core.errors import BadInput
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Draft, Filter

LONGEST_TITLE = 2_000  # characters, as those below
LONGEST_TEXT = 200_000
LONGEST_QUERY = 4_000  # percent-encoded it has 48 KiB at most, and a head has room for 64
LONGEST_NAME = 2_000
LONGEST_DAY = 100  # long enough that a timestamp gets the message on the form of a day
MOST_NAMES = 1_000
MOST_RESULTS = 1_000
MOST_DRAFTS = 16
"""Most drafts in one request, because a request holds one place until all are answered."""

MOST_CANDIDATES = 1_000
"""Most paragraphs that a request may have reranked, because others have to wait for it.

If the filter names documents, at most `rostrum_core.ports.DEPTH` paragraphs are reranked, whatever the
request asks for.
"""

Names = Annotated[list[Annotated[str, Field(max_length=LONGEST_NAME)]], Field(max_length=MOST_NAMES)]
Day = Annotated[str | None, Field(max_length=LONGEST_DAY)]
Title = Annotated[str, Field(max_length=LONGEST_TITLE), BeforeValidator(replace_surrogates)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT), BeforeValidator(replace_surrogates)]
Milliseconds = Annotated[int | None, Field(ge=1, le=86_400_000)]

MOON: dict[str, Any] = {
    "title": "Why a rocket to the moon is worth its price",
    "left": "A young president stood in a football stadium in Houston and told the crowd why the nation "
    "should want to go to space at all.",
}


class FilterForm(Form):
    """A filter of paragraphs; an empty list means any. Days are `1962`, `1962-09` or `1962-09-12`."""

    documents: Names = Field(default_factory=list)
    speakers: Names = Field(default_factory=list)
    collections: Names = Field(default_factory=list)
    languages: Names = Field(default_factory=list)
    since: Day = None
    until: Day = None

    def filter(self, store: ParagraphStore) -> Filter:
        """Convert the form to a filter, after checking that the archive has the documents that it names.

        Raises:
            BadInput: a date is invalid, the first day is after the last, or a document is not in the archive.
        """
        try:
            chosen = read_filter(**self.model_dump())
            check_known(store, chosen)
            return chosen
        except BadInput as error:
            raise BadInput(str(error), field=f"filter.{error.field}") from error


PARAMETERS = {
    "documents": "document",
    "speakers": "speaker",
    "collections": "collection",
    "languages": "language",
    "left": "q",
}
"""Names of the parameters of an address by the fields of forms and filters, where they differ."""


@contextmanager
def name_parameters() -> Iterator[None]:
    """Change the field that a `BadInput` of the `with` block names to the name of the URL's parameter.

    For example, the fields `speakers` and `filter.speakers` become `speaker`.

    Raises:
        BadInput: the block raised it.
    """
    try:
        yield
    except BadInput as error:
        field = (error.field or "").removeprefix("filter.")
        raise BadInput(str(error), field=PARAMETERS.get(field, field) or None) from error


class FilterQuery(BaseModel):
    """Parameters of a filter; all but the days may be repeated."""

    model_config = ConfigDict(extra="forbid")

    document: Names = []
    speaker: Names = []
    collection: Names = []
    language: Names = []
    since: Day = None
    until: Day = None

    def collect_values(self) -> dict[str, Any]:
        """Return the parameters as arguments of `jobs.filters.read_filter`: `speaker` becomes `speakers`."""
        return {
            "documents": self.document,
            "speakers": self.speaker,
            "collections": self.collection,
            "languages": self.language,
            "since": self.since,
            "until": self.until,
        }


class DraftForm(Form):
    """A draft: its title, and the text before and after the place where the quote goes.

    `written_on` is the day on which the draft is written or will appear, `1962-09-12`; with it, recent
    speeches count more.
    """

    title: Title = ""
    left: Text = ""
    right: Text = ""
    written_on: Day = None
    filter: FilterForm = Field(default_factory=FilterForm)
    candidates: Annotated[int | None, Field(ge=1, le=MOST_CANDIDATES)] = None
    timeout_ms: Milliseconds = None

    def build_draft(self) -> Draft:
        """Return the draft that the form contains, without the other fields of the request."""
        return Draft(self.title, self.left, self.right, self.written_on)

    def limit_timeout(self, most_s: float) -> float:
        """Return the seconds that the request may take: the client's timeout, but at most `most_s`."""
        return limit_timeout(self.timeout_ms, most_s)


class RecommendForm(DraftForm):
    """A request for recommendations. `candidates` and `timeout_ms` default to the service's settings.

    If `names` is true, speakers whom the draft names get a bonus.
    """

    model_config = show_examples(
        {**MOON, "limit": 3},
        {**MOON, "limit": 1, "explain": True, "filter": {"speakers": ["John F. Kennedy"], "since": "1961"}},
    )

    limit: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 10
    explain: bool = False
    names: bool = True
    counter: Annotated[bool, Field(description="Add counter-voices to the first three recommendations")] = (
        False
    )
    printed: Annotated[
        Freshness | None,
        Field(
            description="Words that the archive `articles` has: `show` where, put them `last`, or `leave-out`"
        ),
    ] = None


def _skip_validation(payload: Any, _: Any) -> Any:
    return payload


RawDraft = Annotated[RecommendForm, WrapValidator(_skip_validation)]
"""A draft of a batch as it was sent, which only the OpenAPI description shows as a `RecommendForm`.

`parse_draft` validates it where it is answered, so that an invalid draft does not fail the others.
"""


class BatchForm(Form):
    """A request of `/v1/recommend/batch`: drafts, each in the form of `/v1/recommend`.

    `timeout_ms` limits the whole request; a draft's own `timeout_ms` limits only this draft.
    """

    model_config = show_examples({"drafts": [{**MOON, "limit": 1}]})

    drafts: Annotated[
        list[RawDraft],
        Field(min_length=1, max_length=MOST_DRAFTS, description="The drafts, at most 16"),
    ]
    timeout_ms: Milliseconds = None


def parse_draft(payload: Any) -> RecommendForm:
    """Validate one draft of a batch, as FastAPI validates the body of `/v1/recommend`.

    Raises:
        RequestValidationError: a field is invalid; the error names it as `/v1/recommend` would.
    """
    try:
        return RecommendForm.model_validate(payload, from_attributes=True)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise RequestValidationError(
            [fault | {"loc": ("body", *fault["loc"])} for fault in faults]
        ) from error
