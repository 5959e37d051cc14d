"""`/`: the page Write.

It shows a draft with quotes that fit at its cursor, and verdicts on its quotations. The whole page is one
form, which works without scripts. The page's script sends the same form with the name of a `part`, and
replaces that part with the response.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import Response

from archive.service import Service
from jobs.recommend.printing import check_span
from rostrum.api.edge.auth import READ
from rostrum.api.edge.capacity import get_client_name
from rostrum.api.edge.page_requests import is_for_page
from rostrum.api.page.cards import make_quote
from rostrum.api.page.draft_form import ChosenWords, DraftFields, read_fields, read_place, read_words
from rostrum.api.page.facet_cache import read_facets
from rostrum.api.page.forms import FormBody
from rostrum.api.page.links import link_recording
from rostrum.api.page.rendering import render
from rostrum.api.page.results import Results, find_results
from rostrum.api.page.verdicts import find_verdicts
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.generations import get_published_name
from rostrum.api.routes.reference import show_start
from rostrum_core.errors import BadInput
from rostrum_core.types import Span

LOG = logging.getLogger("rostrum.api")
router = APIRouter(include_in_schema=False)
NO_DRAFT: Final = DraftFields()


async def read_form(request: Request) -> DraftFields:
    """Read the fields of the page Write from the form that a request sends.

    Raises:
        BadInput: a field is too long, or is a file.
    """
    return read_fields(await request.form())


Fields = Annotated[DraftFields, Depends(read_form)]


@router.get("/", dependencies=[READ, NoParameters])
async def show_write(request: Request, assembly: Assembled) -> Response:
    """Show an empty draft; to programs, show the addresses of the service."""
    if not is_for_page(request.scope):
        return await show_start()
    shown = await run_in_threadpool(_collect_choices, assembly.service)
    return render(request, "write.html", fields=NO_DRAFT, results=Results(), verdicts=None, **shown)


@router.post("/", dependencies=[FormBody, READ, NoParameters, RankingPlace])
async def write(request: Request, fields: Fields, assembly: Assembled) -> Response:
    """Show the draft with its quotes and verdicts, or only the part that the script asks for."""
    form, service = await request.form(), assembly.service
    part = form.get("part")
    if part == "words":
        words = await run_in_threadpool(_quote_words, read_words(form), service)
        return render(request, "write/words.html", **words)
    if part == "verdicts":
        verdicts = await run_in_threadpool(find_verdicts, fields.text, service)
        return render(request, "write/verdicts.html", verdicts=verdicts)
    if fields.not_useful:
        await run_in_threadpool(keep_feedback, fields, service, get_client_name(request.scope))
    results = await run_in_threadpool(find_results, fields, assembly, typing=part == "results")
    shown = await run_in_threadpool(_collect_choices, service)
    if part == "results":
        return render(request, "write/results.html", fields=fields, results=results, **shown)
    verdicts = await run_in_threadpool(find_verdicts, fields.text, service)
    return render(request, "write.html", fields=fields, results=results, verdicts=verdicts, **shown)


def _collect_choices(service: Service) -> dict[str, Any]:
    """Return values for the template: facets to filter by, and whether feedback is recorded."""
    return {"facets": read_facets(service), "is_kept": service.settings.feedback is not None}


def _quote_words(chosen: ChosenWords, service: Service) -> dict[str, Any]:
    """Return the words that a writer selected in a paragraph as a quote, for the template.

    The result is a dict with the `quote`, the `place` and `recording` of its paragraph, and whether feedback
    is recorded (`is_kept`).

    Raises:
        BadInput: the paragraph is not in the archive, or the words are not in it.
    """
    stored = service.store.get(chosen.document_id)
    if stored is None:
        raise BadInput("this speech is no longer in the archive", field="at")
    document, paragraphs = stored
    span = check_span(document, paragraphs, chosen.ordinal, Span(chosen.start_char, chosen.end_char, 0.0))
    [info] = service.store.documents([document.id])
    paragraph = paragraphs[chosen.ordinal]
    return {
        "place": chosen.place,
        "quote": make_quote(paragraph, info, span),
        "recording": link_recording(info, paragraph),
        "is_kept": service.settings.feedback is not None,
    }


KEPT_CHARACTERS: Final = 2_000
"""Number of characters of the draft that are recorded on each side of the place."""

OWNER_ONLY: Final = 0o600


def keep_feedback(fields: DraftFields, service: Service, key_name: str | None) -> None:
    """Record that the writer found a paragraph not useful for the draft.

    The record is a JSON line at the end of the file that the setting `feedback` names. If the setting is
    empty, do nothing. If the file cannot be written, the record is lost and a warning is logged.

    Raises:
        BadInput: the form names no paragraph.
    """
    document_id, ordinal = read_place(fields.not_useful)
    path = service.settings.feedback
    if path is None:
        return
    draft = fields.read_draft()
    line = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "key": key_name,
        "document": document_id,
        "paragraph": ordinal,
        "title": draft.title,
        "left": draft.left[-KEPT_CHARACTERS:],
        "right": draft.right[:KEPT_CHARACTERS],
        "generation": get_published_name(service.store),
        "ranker": service.models.hashes.get("ranker"),
    }
    try:
        _append_line(path, json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    except OSError as error:
        LOG.warning("feedback was not recorded: %s", error)


def _append_line(path: Path, line: bytes) -> None:
    """Append a line to a file that only its owner may read, and wait while another process appends.

    Raises:
        OSError: the file cannot be written.
    """
    made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
    with os.fdopen(made, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(line)
