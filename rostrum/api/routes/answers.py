"""Send the answer to a request about a draft, from the cache if possible."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from jobs.recommend.result import build_body
from rostrum.api.edge.conditional import has_answer, has_any, make_tag_headers
from rostrum.api.edge.time_limits import limit_request_time
from rostrum.api.routes.cache import compute_tag
from rostrum.api.routes.dependencies import Assembly
from rostrum.api.routes.drafts import DraftForm
from rostrum_core.deadline import get_left_s
from rostrum_core.types import Answer, Explanation

LOG = logging.getLogger("rostrum.api")
Answering = Callable[[], tuple[Answer, Explanation | None]]


def respond(request: Request, assembly: Assembly, form: DraftForm, answering: Answering) -> Response:
    """Return the response to a request about a draft, with an `ETag`.

    If neither the client nor the cache has the answer, `answering` computes it. For identical requests that
    come at the same time, it is computed only once. The archive is read under the request's timeout. An
    answer without one of its stages is degraded. It is neither cached nor tagged, because the next answer may
    be better.
    """
    with limit_request_time(form.timeout_ms, assembly.service.settings.timeout_s):
        return _respond(request, assembly, form, answering)


def _respond(request: Request, assembly: Assembly, form: DraftForm, answering: Answering) -> Response:
    published = assembly.service.store.published()
    tag = compute_tag(form, published, assembly.service)
    headers = make_tag_headers(tag)
    if has_answer(request, tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    kept = assembly.answers.get(tag)
    assembly.metrics.count_lookup(is_hit=kept is not None)
    if kept is not None:
        if has_any(request):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(kept, media_type="application/json", headers=headers)
    (answer, explanation), is_shared = assembly.flights.compute(tag, answering, wait_s=get_left_s())
    assembly.metrics.count_answer(answer, shared=is_shared)
    if answer.degraded:
        LOG.warning("degraded", extra={"reasons": answer.degraded})
    whole = not answer.degraded and published is not None and answer.generation == published.name
    response = JSONResponse(build_body(answer, explanation), headers=headers if whole else None)
    if whole:
        assembly.answers.keep(tag, bytes(response.body))
        if has_any(request):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return response
