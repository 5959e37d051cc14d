"""Store accepted uploads in a folder, and add their speeches to the archive one upload at a time.

- `FOLDER/ID.json`: state of an upload
- `FOLDER/ID.jsonl`: body of the upload, until the upload ends
- `FOLDER/ID.lock`: locked by the process that works on the upload
- `FOLDER/ID.cancel`: a request to cancel the upload

An accepted upload survives the process: the next service over the same folder starts the upload again.
"""

from __future__ import annotations

import logging
import shutil
import threading
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from rostrum_core.errors import ArchiveBusy, BadInput, RostrumError
from rostrum_core.locks import WriterLock
from rostrum_core.refresh_jobs import ENDED, Progress
from rostrum_core.uploads import BulkReport, Upload, decode_upload, list_fields
from rostrum_core.whole_files import write_json

LOG = logging.getLogger("rostrum.api")

MOST_WAITING = 16
"""Most uploads that may wait; each may have the largest body that the service accepts."""

KEPT = timedelta(days=7)
MOST_ATTEMPTS = 5
"""Number of attempts after which an upload fails, if the service ended during each of them."""

BUSY_S = 1.0
"""Seconds after which an upload retries if another writer is active."""

STOP_S = 10.0
"""Seconds that the service waits on shutdown for a running upload to stop."""

Fill = Callable[[Path, Mapping[str, str], Callable[[Progress], None]], BulkReport]
"""Add the speeches of a body to the archive, mapping these field names, and report the progress."""


class TooManyUploads(BadInput):
    """Raised if the maximum number of uploads is already waiting."""


class _Cancelled(Exception):
    """Raised inside an upload when its cancellation was requested."""


class _Leaving(Exception):
    """Raised inside an upload when the service shuts down; the next service starts the upload again."""


class UploadQueue:
    """Add the speeches of uploads to the archive, in the order of arrival, in a thread of this process.

    The thread starts when the first upload is submitted, or when `start` is called.
    """

    def __init__(self, folder: Path, fill: Fill) -> None:
        self._folder, self._fill = folder, fill
        self._guard = threading.Lock()
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def submit(self, body: Path, fields: Mapping[str, str] = MappingProxyType({})) -> Upload:
        """Copy the body of an upload into the folder, and return the upload, which waits for its turn.

        `fields` maps the names of fields in the body to the usual names.

        Raises:
            TooManyUploads: `MOST_WAITING` uploads are already waiting.
            OSError: there is no room for the body.
        """
        with self._guard:
            if sum(upload.state not in ENDED for upload in self.list_all()) >= MOST_WAITING:
                raise TooManyUploads(f"{MOST_WAITING} uploads wait already")
            self._folder.mkdir(parents=True, exist_ok=True)
            upload_id = uuid.uuid4().hex
            try:
                shutil.copyfile(body, self._locate(upload_id, "jsonl"))
                size_bytes = self._locate(upload_id, "jsonl").stat().st_size
                created_at = _get_now().isoformat(timespec="microseconds")
                upload = self._keep(Upload(upload_id, created_at, size_bytes, fields=dict(fields)))
            except OSError:
                self._locate(upload_id, "jsonl").unlink(missing_ok=True)
                raise
            self._prune()
        self.start()
        return upload

    def find(self, upload_id: str) -> Upload:
        """Return an upload with its current state.

        Raises:
            BadInput: no upload of the last week has this id.
        """
        try:
            if not upload_id.isalnum():  # a path
                raise FileNotFoundError(upload_id)
            return decode_upload(self._locate(upload_id, "json").read_bytes())
        except (OSError, ValueError, msgspec.DecodeError) as error:
            raise BadInput(f"there is no upload {upload_id!r}", field="upload_id") from error

    def list_all(self) -> list[Upload]:
        """Return the uploads of the last week, the newest first."""
        uploads = []
        for path in self._folder.glob("*.json"):
            with suppress(BadInput):
                uploads.append(self.find(path.stem))
        return sorted(uploads, key=lambda upload: upload.created_at, reverse=True)

    def cancel(self, upload_id: str) -> Upload:
        """Cancel an upload and return it.

        An upload that waits ends at once, one that runs ends within seconds. Published speeches stay.

        Raises:
            BadInput: no upload of the last week has this id.
        """
        with self._guard:
            upload = self.find(upload_id)
            if upload.state == "waiting":
                return self._end(upload, state="cancelled")
            if upload.state == "running":
                self._locate(upload_id, "cancel").touch()
            return upload

    def start(self) -> None:
        """Start the thread that processes uploads.

        It also processes uploads that an earlier service left unfinished.
        """
        with self._guard:
            self._wake.set()
            if self._thread is None or not self._thread.is_alive():
                self._stopping.clear()
                self._thread = threading.Thread(target=self._work, name="uploads", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop the thread; an upload that is running is processed again after the next start."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(STOP_S)

    def has_unfinished(self) -> bool:
        """Return whether the folder has an upload that waits or that an earlier service left unfinished."""
        return any(upload.state not in ENDED for upload in self.list_all())

    def _work(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            for upload in reversed(self.list_all()):
                if self._stopping.is_set():
                    return
                if upload.state not in ENDED:
                    self._work_on(upload.id)
            self._wake.wait()

    def _work_on(self, upload_id: str) -> None:
        """Process an upload, unless another process is working on it or the upload has ended."""
        lock = WriterLock(self._locate(upload_id, "lock"))
        try:
            lock.acquire()
            if (upload := self._take(upload_id)) is not None:
                self._run(upload)
        except ArchiveBusy:  # another process works on it
            return
        except OSError as error:  # a full disk: the next start begins it again
            LOG.error("upload_unwritten", extra={"upload": upload_id, "reason": error.strerror})
        finally:
            lock.release()

    def _take(self, upload_id: str) -> Upload | None:
        """Mark an upload as running and return it; `None` if it has ended or was attempted too often."""
        with self._guard:
            upload = self.find(upload_id)
            if upload.state in ENDED:
                self._locate(upload_id, "lock").unlink(missing_ok=True)
                return None
            if upload.attempts >= MOST_ATTEMPTS:
                error = f"the service ended {MOST_ATTEMPTS} times while it worked on it"
                self._end(upload, state="failed", error=error)
                return None
            started = upload.started_at or _get_now().isoformat(timespec="seconds")
            attempts = upload.attempts + 1
            return self._keep(replace(upload, state="running", attempts=attempts, started_at=started))

    def _run(self, upload: Upload) -> None:
        running = upload = replace(upload, progress=Progress())

        def watch(progress: Progress) -> None:
            nonlocal running
            if self._locate(upload.id, "cancel").exists():
                raise _Cancelled
            if self._stopping.is_set():
                raise _Leaving
            running = self._keep(replace(running, progress=progress))

        try:
            result = self._wait_and_fill(upload, watch)
        except _Cancelled:
            self._end(running, state="cancelled")
        except _Leaving:
            self._keep(replace(upload, state="waiting", attempts=upload.attempts - 1))
        except RostrumError as error:
            self._end(running, state="failed", error=str(error))
        except Exception as error:
            LOG.exception("an upload failed unexpectedly")
            self._end(running, state="failed", error=repr(error))
        else:
            self._end(running, state="done", result=result)

    def _wait_and_fill(self, upload: Upload, watch: Callable[[Progress], None]) -> BulkReport:
        """Wait until no other writer uses the archive, and add the upload's speeches."""
        while True:
            try:
                return self._fill(self._locate(upload.id, "jsonl"), upload.fields, watch)
            except ArchiveBusy:
                self._stopping.wait(BUSY_S)
                watch(Progress())

    def _end(self, upload: Upload, **changes: Any) -> Upload:
        ended = self._keep(replace(upload, ended_at=_get_now().isoformat(timespec="seconds"), **changes))
        for ending in ("jsonl", "cancel", "lock"):
            self._locate(upload.id, ending).unlink(missing_ok=True)
        facts: dict[str, object] = {"upload": ended.id, "state": ended.state, "error": ended.error}
        if ended.result is not None:
            report = ended.result.report
            facts |= {"generation": report.generation, "added": report.added, "replaced": report.replaced}
        LOG.info("upload_ended", extra=facts)
        return ended

    def _keep(self, upload: Upload) -> Upload:
        write_json(self._locate(upload.id, "json"), list_fields(upload))
        return upload

    def _prune(self) -> None:
        """Remove the records of ended uploads that were accepted longer than `KEPT` ago."""
        oldest = (_get_now() - KEPT).isoformat()
        for upload in self.list_all():
            if upload.state in ENDED and upload.created_at < oldest:
                self._locate(upload.id, "json").unlink(missing_ok=True)

    def _locate(self, upload_id: str, ending: str) -> Path:
        return self._folder / f"{upload_id}.{ending}"


def _get_now() -> datetime:
    return datetime.now(UTC)
