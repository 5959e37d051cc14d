"""`/documents` and `/documents/ID`: the page Read.

It lists the speeches, and shows one speech, coloured by how well its parts fit a claim or a draft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import islice
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import FormData, QueryParams
from starlette.responses import Response

from archive.quoted_by import place_quotings
from archive.service import Service
from jobs.attribution import make_attribution
from jobs.drafts import parse_draft
from jobs.filters import is_selected, read_filter
from rostrum.api.edge.auth import READ
from rostrum.api.edge.capacity import get_client_name
from rostrum.api.edge.errors import Refused
from rostrum.api.page.cards import name_strength
from rostrum.api.page.forms import read_field
from rostrum.api.page.heat import Heat, HeatKind, measure_claim, measure_draft
from rostrum.api.page.links import WEB, Place, read_place
from rostrum.api.page.rendering import render
from rostrum.api.page.transcript import arrange
from rostrum.api.routes.dependencies import Assembled, ReadingPlace
from rostrum.api.routes.drafts import LONGEST_NAME, LONGEST_TEXT
from rostrum.api.routes.evidence import LONGEST_CLAIM
from rostrum.api.routes.quoted_by import get_quotings
from rostrum_core.deadline import limit_time
from rostrum_core.errors import BadInput, DeadlineExceeded
from rostrum_core.types import DocumentInfo, Filter

router = APIRouter(include_in_schema=False)
LISTED: Final = 50
"""Number of speeches on one page of the list."""


@dataclass(frozen=True, slots=True)
class ReadFields:
    """Hold the fields of the page Read: the place to mark, and the claim or draft to compare the speech with.

    `kind` says whether `text` is a claim or a draft. Paragraphs or sentences that fit it less well than
    `threshold` (0 to 100) are shown without colour.
    """

    at: Place | None = None
    kind: HeatKind = "claim"
    text: str = ""
    threshold: int = 0


@dataclass(frozen=True, slots=True)
class ListFields:
    """Hold the fields of the list of speeches: the chosen speaker, and the id after which the page begins."""

    speaker: str = ""
    after: str = ""

    def make_address(self, after: str = "") -> str:
        """Return the address of the page of the list that begins after the speech with the id `after`."""
        rows = [("speaker", self.speaker), ("after", after)]
        return "/documents?" + urlencode([(name, value) for name, value in rows if value])


@router.get("/documents", dependencies=[READ, ReadingPlace])
async def list_speeches(request: Request, assembly: Assembled) -> Response:
    """List the speeches of the archive by id, optionally only those of one speaker."""
    fields = ListFields(
        request.query_params.get("speaker", "")[:LONGEST_NAME],
        request.query_params.get("after", "")[:LONGEST_NAME],
    )
    infos, following = await run_in_threadpool(_list_infos, fields, assembly.service)
    return render(request, "documents.html", fields=fields, infos=infos, following=following)


@router.get("/documents/{document_id:path}", dependencies=[READ])
async def show_speech(document_id: str, request: Request, assembly: Assembled) -> Response:
    """Show a speech, with the heat for a claim or a draft if the address has one."""
    return await _show(document_id, read_fields(request.query_params), request, assembly)


@router.post("/documents/{document_id:path}", dependencies=[READ])
async def show_heat(document_id: str, request: Request, assembly: Assembled) -> Response:
    """Show a speech with the heat for a draft, which may be too long for an address."""
    return await _show(document_id, read_fields(await request.form()), request, assembly)


def read_fields(values: QueryParams | FormData) -> ReadFields:
    """Read the fields of the page Read from an address or a form; unknown fields are ignored.

    Raises:
        BadInput: a text is too long or a file.
    """
    kind: HeatKind = "draft" if values.get("kind") == "draft" else "claim"
    text = read_field(values, "text", LONGEST_CLAIM if kind == "claim" else LONGEST_TEXT).strip()
    threshold = str(values.get("threshold", "0"))
    number = int(threshold) if threshold.isascii() and threshold.isdigit() and len(threshold) < 4 else 0
    return ReadFields(read_place(str(values.get("at", ""))), kind, text, min(100, number))


async def _show(document_id: str, fields: ReadFields, request: Request, assembly: Assembled) -> Response:
    service, heat, problem = assembly.service, None, None
    stored = await run_in_threadpool(service.store.get, document_id)
    if stored is None:
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", f"no speech {document_id!r} in the archive")
    document, paragraphs = stored
    [info] = await run_in_threadpool(lambda: list(service.store.documents([document_id])))
    if fields.text:
        async with assembly.places.ranking.place(get_client_name(request.scope)):
            heat, problem = await run_in_threadpool(_measure, fields, document_id, service)
    listed = await run_in_threadpool(get_quotings(request).list_quotings, document_id)
    quotings = await run_in_threadpool(place_quotings, listed, paragraphs)
    blocks = arrange(document, paragraphs, info, target=fields.at, heat=heat, quotings=quotings)
    return render(
        request,
        "read.html",
        fields=fields,
        info=info,
        attribution=make_attribution(replace(info, title="")),
        source=info.url if info.url and info.url.lower().startswith(WEB) else None,
        address=f"/documents/{quote(document_id, safe='')}",
        blocks=blocks,
        heat=heat,
        strength=name_strength(heat.fit) if heat and heat.fit is not None else None,
        problem=problem,
        quotings=quotings,
    )


def _measure(fields: ReadFields, document_id: str, service: Service) -> tuple[Heat | None, str | None]:
    """Compare a speech with the claim or the draft in `fields`; return a pair (heat, problem).

    The heat says how well each sentence fits the claim, or how well each paragraph fits the draft. If it
    cannot be computed, it is `None` and `problem` says why. Otherwise `problem` is `None`.
    """
    try:
        with limit_time(service.settings.timeout_s):
            if fields.kind == "claim":
                return measure_claim(fields.text, document_id, service), None
            return measure_draft(parse_draft(fields.text), document_id, service), None
    except (BadInput, DeadlineExceeded) as error:
        return None, str(error)


def _list_infos(fields: ListFields, service: Service) -> tuple[Sequence[DocumentInfo], str | None]:
    """Return one page of the list of speeches, and the address of the next page.

    The address is `None` after the last page.
    """
    chosen = read_filter(speakers=[fields.speaker]) if fields.speaker.strip() else Filter()
    passing = (info for info in service.store.documents(after=fields.after) if is_selected(info, chosen))
    infos = list(islice(passing, LISTED + 1))
    shown = infos[:LISTED]
    return shown, fields.make_address(shown[-1].id) if len(infos) > LISTED else None
