"""`/check`: the page Check.

A writer submits a draft and gets a report on its quotations, to print or save.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import Response

from jobs.drafts import read_draft_bytes
from jobs.verify.drafts import join_draft
from jobs.verify.records import RunFacts, write_csv_record, write_html_record, write_json_record
from rostrum.api.edge.auth import READ
from rostrum.api.edge.keys import Key
from rostrum.api.page.forms import FormBody, read_field
from rostrum.api.page.rendering import HEADERS, render
from rostrum.api.page.verdicts import show_verdict, verify_in_time
from rostrum.api.routes.dependencies import Assembled, NoParameters, RankingPlace
from rostrum.api.routes.drafts import LONGEST_TEXT
from rostrum_core.dates import count_day
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import Verification, sort_gravest_first
from rostrum_core.types import Draft

router = APIRouter(include_in_schema=False)
LONGEST_FIELD: Final = 1_000
RECORDS: Final[Mapping[str, tuple[Callable[[Verification, RunFacts], str], str]]] = {
    "html": (write_html_record, "text/html"),
    "json": (write_json_record, "application/json"),
    "csv": (write_csv_record, "text/csv"),
}
"""Formats in which a report can be downloaded: a writing function and a media type for each."""


@dataclass(frozen=True, slots=True)
class CheckFields:
    """Hold the fields of the form on the page Check.

    `text` is the draft that was typed, and `written_on` the day on which it is printed. `name` and `data` are
    the name and the bytes of an uploaded draft. `record` is the format in which to download the report, a key
    of `RECORDS`, or "" to show the report.

    After an upload, the form shows the text and the day of the file, and sends them in place of the file. It
    then also has `file_digest`, by which a changed text is recognised, and `file_day`.
    """

    text: str = ""
    written_on: str = ""
    name: str = ""
    data: bytes = b""
    record: str = ""
    file_digest: str = ""
    file_day: str = ""

    def read_draft(self) -> Draft:
        """Return the draft to check: the uploaded file if there is one, or else the text.

        Raises:
            BadInput: the file is not a draft, the draft is too long, or `written_on` is not a date.
        """
        day = self.written_on.strip() or None
        if day is not None:
            count_day(day, "written_on")
        draft = (
            read_draft_bytes(Path(self.name), self.data, day, keep_marks=True)
            if self.data
            else Draft(left=self.text)
        )
        if len(join_draft(draft)) > LONGEST_TEXT:
            raise BadInput(f"more than {LONGEST_TEXT:,} characters", field="text")
        return replace(draft, written_on=day or draft.written_on)

    def fill(self, draft: Draft) -> CheckFields:
        """Return the fields to show with the report on `draft`: its text and day instead of the file.

        The form then sends a draft with the same verdicts, so that a record agrees with the report.
        """
        text, day = join_draft(draft), draft.written_on or ""
        if not self.data:
            return replace(self, text=text, written_on=day)
        file_day = "" if self.written_on else day
        return replace(
            self, text=text, written_on=day, data=b"", file_digest=compute_digest(text), file_day=file_day
        )

    def forget_file(self) -> CheckFields:
        """Return the fields without the name of an earlier file whose text is not in the form any more.

        If another file is uploaded, the day of the earlier one is dropped too.
        """
        if self.data:
            written_on = "" if self.written_on == self.file_day else self.written_on
            return replace(self, written_on=written_on, file_digest="", file_day="")
        if self.file_digest == compute_digest(self.text):
            return self
        return replace(self, name="", file_digest="")


def compute_digest(text: str) -> str:
    r"""Return a short hash of a text. It ignores white space, which browsers change.

    >>> compute_digest("We go.\r\n") == compute_digest("We go.\n") != compute_digest("We stay.")
    True
    """
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()[:16]


async def read_form(request: Request) -> CheckFields:
    """Read the fields of the page Check from the form that a request sends.

    Raises:
        BadInput: a field is too long.
    """
    form = await request.form()
    file = form.get("file")
    name, data = read_field(form, "name"), b""
    if isinstance(file, UploadFile) and file.filename:
        name, data = PurePosixPath(file.filename.replace("\\", "/")).name, await file.read()
    text = read_field(form, "text", 2 * LONGEST_TEXT)
    fields = CheckFields(
        text,
        read_field(form, "written_on").strip(),
        name[:LONGEST_FIELD],
        data,
        read_field(form, "record"),
        read_field(form, "file_digest"),
        read_field(form, "file_day"),
    )
    return fields.forget_file()


Fields = Annotated[CheckFields, Depends(read_form)]


@router.get("/check", dependencies=[READ, NoParameters])
async def show_check(request: Request) -> Response:
    """Show the empty form."""
    return render(request, "check.html", fields=CheckFields(), report=None, problem=None)


@router.post("/check", dependencies=[FormBody, READ, NoParameters, RankingPlace])
async def check(request: Request, fields: Fields, assembly: Assembled) -> Response:
    """Show the report on a draft, or send it as a file."""
    try:
        draft = await run_in_threadpool(fields.read_draft)
    except BadInput as error:
        return render(request, "check.html", status=422, fields=fields, report=None, problem=str(error))
    verification = await run_in_threadpool(verify_in_time, draft, assembly.service)
    facts = _collect_facts(request, fields)
    if fields.record in RECORDS:
        return _send_record(fields.record, verification, facts)
    verdicts = [show_verdict(item) for item in sort_gravest_first(verification.checks)]
    report = {"verification": verification, "verdicts": verdicts, "facts": facts}
    return render(request, "check.html", fields=fields.fill(draft), report=report, problem=None)


def _collect_facts(request: Request, fields: CheckFields) -> RunFacts:
    key: Key | None = request.scope.get("rostrum.key")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return RunFacts(key.name if key else "", at, fields.name, version("rostrum-quotes"))


def _send_record(kind: str, verification: Verification, facts: RunFacts) -> Response:
    write, media_type = RECORDS[kind]
    headers = {
        **HEADERS,
        "Content-Disposition": f'attachment; filename="quotations-checked.{kind}"',
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    body = write(verification, facts).encode("utf-8", "replace")
    return Response(body, media_type=media_type, headers=headers)
