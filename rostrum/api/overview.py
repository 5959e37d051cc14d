"""Collect what an operator sees of the service: archive, jobs, workers, models, saved drafts and history.

Dead letters (inputs that could not be read) are shown, too. If a part cannot be read, it is `None` and
`problems` says why; the other parts are still shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from typing import TypeVar

from archive.canary.saved_drafts import SavedDrafts
from archive.history import Event, History
from archive.model_registry import Registry, locate_weights
from archive.service import Service
from indexer.dead_letters import DEAD_LETTERS, DeadLetter, read_letters, strip_details
from reranker.models.files import MANIFEST
from rostrum.api.routes.jobs import Jobs
from rostrum.assemble import open_queues, open_site
from rostrum_core.errors import RostrumError
from rostrum_core.queue_states import QueueOverview
from rostrum_core.refresh_jobs import Job, Pace, estimate_pace
from rostrum_core.types import Generation

T = TypeVar("T")
SHOWN_LETTERS = 50
SHOWN_EVENTS = 50
SHOWN_CAUSES = 20
MOST_LETTERS = 100_000
"""Most letters that are counted, because a hostile source could write very many."""


@dataclass(frozen=True, slots=True)
class Disk:
    """Describe where the archive is stored, its size, and the free space there.

    `free_bytes` is `None` if the free space is unknown.
    """

    place: str
    size_bytes: int
    free_bytes: int | None


@dataclass(frozen=True, slots=True)
class ModelState:
    """Describe the models in use, and the versions of them that are available.

    `fits_archive` is false if other models encoded the archive.
    """

    name: str
    hashes: dict[str, str]
    fits_archive: bool
    versions: tuple[str, ...]
    version_in_use: str | None


@dataclass(frozen=True, slots=True)
class JobState:
    """Describe a refresh job and its speed; `pace`, the speed, is `None` unless the job is running."""

    job: Job
    pace: Pace | None


@dataclass(frozen=True, slots=True)
class Cause:
    """Hold the number of dead letters (inputs that could not be read) with the same kind of reason."""

    letter_class: str
    reason: str
    letters: int


@dataclass(frozen=True, slots=True)
class LetterOverview:
    """Describe the dead letters of the last refresh, which are the inputs that could not be read.

    `total` is their number, `causes` are the most frequent reasons, `letters` the first dead letters.
    `retryable` is the number of files that a refresh can try to read again.
    """

    total: int
    causes: tuple[Cause, ...]
    letters: tuple[DeadLetter, ...]
    retryable: int


@dataclass(frozen=True, slots=True)
class CanaryState:
    """Describe the saved drafts, whose search results are compared before something is published.

    `drafts` are the names of the drafts. `policy` says what a failed comparison causes: "off", "warn" or
    "block". `generation` is the state of the archive that was compared last.
    """

    policy: str
    drafts: tuple[str, ...]
    generation: str | None


@dataclass(frozen=True, slots=True)
class Overview:
    """Hold everything that the page Operate shows, as of one moment (UTC)."""

    at: str
    software: str
    requests_in_progress: int
    problems: dict[str, str]
    generations: list[Generation] | None
    disk: Disk | None
    models: ModelState | None
    jobs: list[JobState] | None
    queues: QueueOverview | None
    dead_letters: LetterOverview | None
    canary: CanaryState | None
    history: list[Event]


class Overviews:
    """Build an overview of one service whenever an operator asks for it.

    `jobs` are the refresh jobs of the service; `taken` returns the number of running requests.
    """

    def __init__(self, service: Service, jobs: Jobs | None, taken: Callable[[], int]) -> None:
        self._service, self._jobs, self._taken = service, jobs, taken
        self._site, self._queues = open_site(service.settings), open_queues(service.settings)

    def make(self) -> Overview:
        """Return the overview of the service as it is now.

        A part that cannot be read is `None`, and `problems` says why.
        """
        problems: dict[str, str] = {}

        def read_part(name: str, read: Callable[[], T]) -> T | None:
            try:
                return read()
            except (RostrumError, OSError) as error:
                problems[name] = str(error)
                return None

        folder, site, jobs, queues = self._service.settings.archive, self._site, self._jobs, self._queues
        parts = {
            "generations": read_part("generations", self._service.store.generations),
            "disk": read_part("disk", lambda: Disk(site.place, site.size_bytes(), site.free_bytes())),
            "models": read_part("models", self._describe_models),
            "jobs": read_part("jobs", lambda: list(map(describe_job, jobs.list_all()))) if jobs else None,
            "queues": read_part("queues", queues.describe) if queues else None,
            "dead_letters": read_part("dead_letters", lambda: count_letters(self.read_letters())),
            "canary": read_part("canary", self._describe_canary),
            "history": read_part("history", lambda: History(folder).read(SHOWN_EVENTS)) or [],
        }
        at = datetime.now(UTC).isoformat(timespec="seconds")
        return Overview(at, version("rostrum-quotes"), self._taken(), problems, **parts)  # type: ignore[arg-type]

    def read_letters(self) -> list[DeadLetter]:
        """Return the inputs that the last refresh could not read (dead letters), at most `MOST_LETTERS`."""
        return list(islice(read_letters(self._service.settings.archive / DEAD_LETTERS), MOST_LETTERS))

    def _describe_models(self) -> ModelState:
        settings, models = self._service.settings, self._service.models
        folder = settings.models or settings.data / "models"
        registry = None if (folder / MANIFEST).exists() else Registry(folder)
        in_use = registry.read_current() if registry is not None and registry.begun else None
        is_same = in_use is not None and locate_weights(settings) == models.manifest.folder
        return ModelState(
            models.manifest.name,
            dict(models.hashes),
            self._service.has_fitting_models(),
            tuple(registry.list_names()) if registry else (),
            in_use if is_same else None,
        )

    def _describe_canary(self) -> CanaryState:
        saved = SavedDrafts(self._service.settings.archive)
        run = saved.read_last_run()
        names = tuple(draft.name for draft in saved.read())
        return CanaryState(self._service.settings.canary, names, run.generation if run else None)


def describe_job(job: Job, now: datetime | None = None) -> JobState:
    """Return a refresh job with its speed, measured since the job's current worker took it."""
    if job.state != "running" or job.taken_at is None:
        return JobState(job, None)
    elapsed = (now or datetime.now(UTC)) - datetime.fromisoformat(job.taken_at)
    return JobState(job, estimate_pace(job.progress, elapsed.total_seconds()))


def count_letters(letters: Sequence[DeadLetter]) -> LetterOverview:
    """Count dead letters (records of inputs that could not be read) by class and kind of reason."""
    counts = Counter((letter.letter_class, strip_details(letter.reason)) for letter in letters)
    causes = tuple(Cause(*kind, number) for kind, number in counts.most_common(SHOWN_CAUSES))
    return LetterOverview(len(letters), causes, tuple(letters[:SHOWN_LETTERS]), len(list_retryable(letters)))


def list_retryable(letters: Sequence[DeadLetter]) -> list[str]:
    """Return the files that a refresh can try to read again, each once.

    `letters` are dead letters: inputs that could not be read. The files are those of the letters with the
    class "refused". Letters that name no file are left out.
    """
    refused = (letter.file for letter in letters if letter.letter_class == "refused")
    return list(dict.fromkeys(file for file in refused if file.startswith("/")))
