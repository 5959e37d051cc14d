"""Define the types of the job verify: a quotation to check, and the result of the check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """List the possible results of checking a quotation; docs/verify.md has an example of each."""

    VERBATIM = "verbatim"
    EDITED = "edited"
    ALTERED = "altered"
    MERGED = "merged"
    OUT_OF_CONTEXT = "out_of_context"
    PARAPHRASED = "paraphrased"
    SAID_BY_ANOTHER = "said_by_another"
    NOT_FOUND = "not_found"
    CANNOT_BE_CHECKED = "cannot_be_checked"
    SOURCE_SUSPECT = "source_suspect"


GRAVEST_FIRST = (
    Verdict.ALTERED,
    Verdict.OUT_OF_CONTEXT,
    Verdict.SAID_BY_ANOTHER,
    Verdict.MERGED,
    Verdict.NOT_FOUND,
    Verdict.PARAPHRASED,
    Verdict.SOURCE_SUSPECT,
    Verdict.CANNOT_BE_CHECKED,
    Verdict.EDITED,
    Verdict.VERBATIM,
)
"""Verdicts in the order in which a report shows them."""


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """Hold a quotation to check: its parts, and the speaker and date to which it is attributed.

    `parts` are the texts of one quotation in order, for example before and after a "he said". `said_on` is a
    day, month or year ("2016-05-03", "2016-05", "2016"); `printed_on` is the day of the article. `before` and
    `after` are the text around the quotation. `others` are persons whom the text may also mean, for example
    by "he". `is_relayed` is true if the text says that the speaker repeats somebody else's words.
    """

    id: str
    parts: tuple[str, ...]
    speaker: str | None = None
    said_on: str | None = None
    printed_on: str | None = None
    before: str = ""
    after: str = ""
    others: tuple[str, ...] = ()
    is_relayed: bool = False

    @property
    def quote(self) -> str:
        """Return the parts of the quotation as one text."""
        return " ".join(self.parts)


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Locate quoted words in the archive: characters `start_char` to `end_char` of a paragraph.

    `paragraph` counts the document's paragraphs from 0. Words that continue into later paragraphs end in
    `last_paragraph`, at `last_end_char`; `end_char` is then the end of the first paragraph. `start_s` is the
    second in the recording at which the paragraph begins.
    """

    document: str
    paragraph: int
    start_char: int
    end_char: int
    last_paragraph: int
    last_end_char: int
    words: str
    title: str = ""
    speaker: str | None = None
    spoken_on: str | None = None
    url: str | None = None
    start_s: float | None = None

    @property
    def about(self) -> str:
        """Return speaker, title and date of the source, as far as they are known; "" if all are unknown."""
        return ", ".join(part for part in (self.speaker, self.title, self.spoken_on) if part)


@dataclass(frozen=True, slots=True)
class QuoteDifference:
    """Describe a difference: the words `quote` of the quotation replace the words `source` of the source.

    One of the two may be empty. `kind` is "dropped", "added", "changed", "moved" or "cut" (left out openly,
    at an ellipsis). `meaning` lists the classes of differing words that change what is said, such as
    "negation" or "number". If a difference does not matter, `reason` says why.
    """

    kind: str
    quote: str
    source: str
    meaning: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class QuoteWarning:
    """Hold a warning about a verdict: `kind` is for programs, `message` for people.

    `words` are the words of the source that the warning concerns, such as words that a cut omits.
    """

    kind: str
    message: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """Hold the verdict on one quotation, with the places of its source, best first.

    `confidence` lies between 0 and 1. `before` and `after` are the sentences around the words in the source.
    `suggestion` is a better wording, if there is one: the exact words of the source, or a longer passage that
    keeps the meaning.
    """

    row: QuoteRow
    verdict: Verdict
    confidence: float
    places: tuple[QuotePlace, ...] = ()
    differences: tuple[QuoteDifference, ...] = ()
    warnings: tuple[QuoteWarning, ...] = ()
    before: str = ""
    after: str = ""
    suggestion: str | None = None

    def drop_context(self) -> QuoteCheck:
        """Return the check without the text around the quotation in the draft."""
        return replace(self, row=replace(self.row, before="", after=""))

    @property
    def place(self) -> QuotePlace | None:
        """Return the best place of the quoted words in the archive; `None` if they have no place."""
        return self.places[0] if self.places else None

    @property
    def doubt(self) -> int:
        """Return how much a reader should doubt that the quotation is fair, from 0 to 3.

        3: the verdict is altered or out of context. 2: there is a warning about the cut or about the speaker.
        1: there is a warning about a content word, or the quotation is merged from several places. 0:
        anything else.
        """
        kinds = {warning.kind for warning in self.warnings}
        if self.verdict in (Verdict.ALTERED, Verdict.OUT_OF_CONTEXT):
            return 3
        if kinds & {"context", "quoted", "speaker", "occasion"}:
            return 2
        return int("content" in kinds or self.verdict is Verdict.MERGED)

    def build_line(self) -> dict[str, Any]:
        """Return the fields of the check that `--json` prints on one line."""
        place = self.place
        return {
            "id": self.row.id,
            "verdict": self.verdict.value,
            "document": place.document if place else None,
            "paragraph": place.paragraph if place else None,
            "start_char": place.start_char if place else None,
            "end_char": place.end_char if place else None,
            "confidence": round(self.confidence, 3),
            "speaker": place.speaker if place else None,
            "diff": [asdict(item) for item in self.differences],
            "warnings": [asdict(item) for item in self.warnings],
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """Hold the checks of a draft or a list in the order of the quotations, and the models used."""

    checks: tuple[QuoteCheck, ...]
    generation: str | None = None
    rules: str = ""
    models: dict[str, str] | None = None
    degraded: tuple[str, ...] = ()
    elapsed_s: float = 0.0

    def count_verdicts(self) -> dict[str, int]:
        """Return the number of checks by verdict, the gravest verdict first."""
        return {
            verdict.value: sum(check.verdict is verdict for check in self.checks) for verdict in GRAVEST_FIRST
        }


def sort_gravest_first(checks: Iterable[QuoteCheck]) -> list[QuoteCheck]:
    """Sort checks by verdict, in the order of `GRAVEST_FIRST`.

    Among checks with the same verdict, the more doubtful quotations come first.
    """
    return sorted(checks, key=lambda check: (GRAVEST_FIRST.index(check.verdict), -check.doubt))


def join_verifications(verifications: Sequence[Verification]) -> Verification:
    """Merge the results of several batches of quotations into one result, with all checks in order."""
    if not verifications:
        return Verification(())
    first = verifications[0]
    return replace(
        first,
        checks=tuple(check for item in verifications for check in item.checks),
        degraded=tuple(dict.fromkeys(reason for item in verifications for reason in item.degraded)),
        elapsed_s=sum(item.elapsed_s for item in verifications),
    )
