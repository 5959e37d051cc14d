"""`/v2/check`: report wrong quotations in the format of LanguageTool, so that its clients underline them.

Offsets count UTF-16 code units, as LanguageTool's do.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from importlib.metadata import version
from operator import itemgetter
from typing import Annotated, Any, Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel

from jobs.verify.drafts import locate_quote
from jobs.verify.records import LABELS
from rostrum.api.edge.auth import READ
from rostrum.api.edge.unicode import count_utf16, replace_surrogates
from rostrum.api.routes.dependencies import Assembled, Assembly, RankingPlace
from rostrum.api.routes.drafts import LONGEST_TEXT
from rostrum_core.deadline import limit_time
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteCheck, Verdict
from rostrum_core.types import Draft

router = APIRouter(prefix="/v2", tags=["languagetool"])
API_VERSION: Final = 1
CONTEXT_CHARACTERS: Final = 40
MARKED: Final = (
    Verdict.ALTERED,
    Verdict.OUT_OF_CONTEXT,
    Verdict.SAID_BY_ANOTHER,
    Verdict.MERGED,
    Verdict.NOT_FOUND,
)
"""Verdicts that are underlined; the others are not mistakes."""

LANGUAGE: Final = {"name": "English (US)", "code": "en-US"}
LANGUAGES: Final = [
    {"name": "English", "code": "en", "longCode": "en"},
    {"name": "English (US)", "code": "en", "longCode": "en-US"},
    {"name": "English (GB)", "code": "en", "longCode": "en-GB"},
]

EXAMPLE: Final = "language=en-US&text=He+said%3A+%22We+choose+to+go+to+the+moon.%22"
BODY: Final[dict[str, Any]] = {
    "required": True,
    "content": {
        "application/x-www-form-urlencoded": {
            "schema": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "maxLength": LONGEST_TEXT},
                    "data": {"type": "string"},
                    "language": {"type": "string"},
                },
            },
            "example": EXAMPLE,
        }
    },
}


class Checked(BaseModel):
    """An answer in LanguageTool's format."""

    software: dict[str, Any]
    warnings: dict[str, bool]
    language: dict[str, Any]
    matches: list[dict[str, Any]]


@router.get("/languages", dependencies=[READ])
def list_languages() -> list[dict[str, str]]:
    """Return the languages that a client may ask for: quotations are checked in English."""
    return [dict(language) for language in LANGUAGES]


async def read_fields(request: Request) -> dict[str, str]:
    """Read the fields of a request from its URL-encoded body, or from its address if the body is empty.

    Raises:
        BadInput: a field occurs twice.
    """
    body = (await request.body()).decode("utf-8", "replace")
    fields = parse_qs(body or request.url.query, keep_blank_values=True)
    for name, values in fields.items():
        if len(values) > 1:
            raise BadInput("is given more than once, and takes one value", field=name)
    return {name: values[0] for name, values in fields.items()}


Fields = Annotated[dict[str, str], Depends(read_fields)]


@router.post(
    "/check", response_model=Checked, dependencies=[READ, RankingPlace], openapi_extra={"requestBody": BODY}
)
def check(assembly: Assembled, fields: Fields) -> Checked:
    """Report the wrong quotations in `text`, or in LanguageTool's annotated `data`.

    Other parameters of LanguageTool are accepted and ignored.
    """
    text, data = fields.get("text"), fields.get("data")
    if len(text or "") > LONGEST_TEXT:
        raise BadInput(f"more than {LONGEST_TEXT:,} characters", field="text")
    plain, starts = _read_text(text, data)
    if len(plain) > LONGEST_TEXT:
        raise BadInput(f"more than {LONGEST_TEXT:,} characters", field="data")
    if not plain.strip():
        return _answer([])
    return _answer(_mark(plain, starts, assembly))


def _mark(plain: str, starts: list[tuple[int, int]], assembly: Assembly) -> list[dict[str, Any]]:
    """Return the wrong quotations in the draft `plain`, each as a "match", which LanguageTool's clients
    underline.

    `starts` maps offsets in `plain` to offsets in the client's text (see `_read_text`).
    """
    service = assembly.service
    with limit_time(service.settings.timeout_s):
        verification = service.verify_draft(Draft(left=plain))
    marked = [item for item in verification.checks if item.verdict in MARKED]
    return [_match(item, plain, starts) for item in marked]


def _match(check: QuoteCheck, text: str, starts: list[tuple[int, int]]) -> dict[str, Any]:
    start, end = locate_quote(check.row, text)
    reasons = [warning.message for warning in check.warnings] or [LABELS[check.verdict]]
    replacement = [{"value": check.suggestion}] if check.suggestion and len(check.row.parts) == 1 else []
    low, high = max(0, start - CONTEXT_CHARACTERS), min(len(text), end + CONTEXT_CHARACTERS)
    offset = _map_start(start, text, starts)
    cited = f" ({check.place.about})" if check.place else ""
    return {
        "message": f"{LABELS[check.verdict].capitalize()}. {'; '.join(reasons)}{cited}",
        "shortMessage": check.verdict.value.replace("_", " "),
        "replacements": replacement,
        "offset": offset,
        "length": _map_end(end, text, starts) - offset,
        "context": {
            "text": text[low:high].replace("\n", " "),
            "offset": count_utf16(text[low:start]),
            "length": count_utf16(text[start:end]),
        },
        "sentence": text[start:end],
        "type": {"typeName": "Other"},
        "rule": {
            "id": f"ROSTRUM_{check.verdict.value.upper()}",
            "description": LABELS[check.verdict],
            "issueType": "inconsistency",
            "category": {"id": "QUOTATIONS", "name": "Quotations"},
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": -1,
    }


def _map_start(at: int, text: str, starts: list[tuple[int, int]]) -> int:
    """Convert the start of a range in the plain text of a request to an offset in the text that was sent.

    The plain text lacks the client's mark-up. Mark-up directly before the range is left outside it. `at`
    counts code points, the result UTF-16 code units. For `starts`, see `_read_text`.

    >>> _map_start(3, "We go.", [(0, 0), (3, 3), (3, 6), (6, 9)])
    6
    """
    plain, sent = starts[bisect_right(starts, at, key=itemgetter(0)) - 1]
    return sent + count_utf16(text[plain:at])


def _map_end(at: int, text: str, starts: list[tuple[int, int]]) -> int:
    """Convert the end of a range in the plain text to an offset in the text that was sent (see `_map_start`).

    Mark-up directly after the range is left outside it. If the range ends with plain text that replaces
    mark-up, such as a line end for "<br>", the result is the offset after this mark-up.

    >>> _map_end(3, "We go.", [(0, 0), (3, 3), (3, 6), (6, 9)])
    3
    """
    following = bisect_left(starts, at, key=itemgetter(0))
    if following < len(starts) and starts[following][0] == at:
        return starts[following][1]
    plain, sent = starts[following - 1]
    return sent + count_utf16(text[plain:at])


def _read_text(text: str | None, data: str | None) -> tuple[str, list[tuple[int, int]]]:
    """Return the plain text of a request, without mark-up, and a pair (plain, sent) for each piece of it.

    A piece is a text or a mark-up, such as "<b>". `plain` is the offset of the piece in the plain text, in
    code points. `sent` is its offset in the text that the client sent, in UTF-16 code units. For `data`, the
    last pair is the end of the text.

    Raises:
        BadInput: `text` and `data` are both set or both missing, or `data` is not LanguageTool's JSON.
    """
    if (text is None) == (data is None):
        raise BadInput("give text or data, one of them", field="text")
    if text is not None:
        return replace_surrogates(text), [(0, 0)]
    try:
        document = json.loads(data or "")
        pieces = document.get("annotation") or [{"text": document["text"]}]
        return _join_pieces(
            [(piece.get("text"), piece.get("markup"), piece.get("interpretAs")) for piece in pieces]
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput("data is not JSON with text or annotation", field="data") from error


def _join_pieces(
    pieces: list[tuple[str | None, str | None, str | None]],
) -> tuple[str, list[tuple[int, int]]]:
    """Join the pieces (text, mark-up, interpretation) of a text that a client annotated for LanguageTool.

    Mark-up is replaced by its interpretation, or left out if it has none. Return the text, and a pair for the
    start of each piece and for the end of the text: the offset in the joined text, and the one in the text
    with mark-up (see `_read_text`).

    >>> _join_pieces([("We ", None, None), (None, "<b>", None), ("go.", None, None)])
    ('We go.', [(0, 0), (3, 3), (3, 6), (6, 9)])
    """
    plain, sent, starts = "", 0, []
    for text, markup, interpreted in pieces:
        starts.append((len(plain), sent))
        written = replace_surrogates(str(text if text is not None else interpreted or ""))
        plain += written
        sent += count_utf16(str(text if text is not None else markup or ""))
    return plain, [*starts, (len(plain), sent)]


def _answer(matches: list[dict[str, Any]]) -> Checked:
    software = {
        "name": "Rostrum",
        "version": version("rostrum-quotes"),
        "buildDate": "",
        "apiVersion": API_VERSION,
        "premium": False,
        "premiumHint": "",
        "status": "",
    }
    language = {**LANGUAGE, "detectedLanguage": {**LANGUAGE, "confidence": 1.0}}
    return Checked(
        software=software, warnings={"incompleteResults": False}, language=language, matches=matches
    )
