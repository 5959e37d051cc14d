"""Find the verdicts on the quotations of a draft, such as "altered", and where the words were said."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from archive.service import Service
from jobs.verify.drafts import locate_quote
from jobs.verify.records import describe_difference, mark_words
from rostrum.api.edge.unicode import count_utf16
from rostrum.api.page.links import link_place, link_words
from rostrum.api.page.rendering import show
from rostrum_core.deadline import limit_time
from rostrum_core.quote_checks import (
    QuoteCheck,
    QuoteDifference,
    QuotePlace,
    Verdict,
    Verification,
)
from rostrum_core.types import Draft

GOOD = (Verdict.VERBATIM, Verdict.EDITED)
UNSETTLED = (Verdict.CANNOT_BE_CHECKED, Verdict.PARAPHRASED, Verdict.SOURCE_SUSPECT)


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """Hold a place in the archive where words were said, as pages show it.

    `about` is speaker, title and date in one line. `permalink` leads to the words on this site, `source` to
    the words at their source.
    """

    about: str
    permalink: str
    source: str | None


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """Hold the verdict on a quotation as pages show it.

    `start` and `end` count UTF-16 code units of the draft, as scripts do. `grade` is "good", "open" or "bad".
    `source` are the words of the source as HTML; words that the quotation omits or changes are struck out.
    `reasons` are sentences, the gravest first.
    """

    check: QuoteCheck
    grade: str
    start: int
    end: int
    source: Markup
    reasons: tuple[str, ...]
    places: tuple[ShownPlace, ...]


def verify_in_time(draft: Draft, service: Service) -> Verification:
    """Check the quotations of a draft within the timeout of the service."""
    with limit_time(service.settings.timeout_s):
        return service.verify_draft(draft)


def find_verdicts(text: str, service: Service) -> list[ShownVerdict]:
    """Return the verdicts on the quotations of a draft, in order; empty if the draft is blank.

    Raises:
        StoreError: there is no archive, or it cannot be searched.
    """
    if not text.strip():
        return []
    checks = verify_in_time(Draft(left=text), service).checks
    return [show_verdict(check, text) for check in checks]


def show_verdict(check: QuoteCheck, text: str | None = None) -> ShownVerdict:
    """Return the verdict on a checked quotation as pages show it.

    `text` is the draft that contains the quotation. Without `text`, the positions `start` and `end` are 0.
    """
    start, end = (0, 0) if text is None else locate_quote(check.row, text)
    before, inside = ("", "") if text is None else (text[:start], text[start:end])
    reasons = [warning.message for warning in check.warnings]
    reasons += [describe_difference(item) for item in check.differences if not _is_said(item, check)]
    first = count_utf16(before)
    return ShownVerdict(
        check,
        name_grade(check.verdict),
        first,
        first + count_utf16(inside),
        Markup(show(mark_words(check)) if check.places else ""),  # noqa: S704  escaped by mark_words
        tuple(dict.fromkeys(reasons)),
        tuple(_show_place(place) for place in check.places),
    )


def name_grade(verdict: Verdict) -> str:
    """Return the grade of a verdict ("good", "open" or "bad"), which decides the colour on the page.

    >>> name_grade(Verdict.EDITED), name_grade(Verdict.NOT_FOUND), name_grade(Verdict.PARAPHRASED)
    ('good', 'bad', 'open')
    """
    if verdict in GOOD:
        return "good"
    return "open" if verdict in UNSETTLED else "bad"


def _is_said(difference: QuoteDifference, check: QuoteCheck) -> bool:
    """Return whether the warnings on a quotation already report a difference from the source.

    A difference that changes the meaning has one or more classes, such as "number". There must be a warning
    for each class, which begins with its name: "number: ...". For a difference without a class, return false.
    """
    named = {warning.message.partition(":")[0] for warning in check.warnings}
    return bool(difference.meaning) and named.issuperset(difference.meaning)


def _show_place(place: QuotePlace) -> ShownPlace:
    is_single = place.last_paragraph == place.paragraph
    start_char, end_char = (place.start_char, place.end_char) if is_single else (0, 0)
    return ShownPlace(
        place.about or place.document,
        link_place(place.document, place.paragraph, start_char, end_char),
        link_words(place.url, place.words),
    )
