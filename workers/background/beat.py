"""Request refreshes on a cron schedule with Celery's beat, without a schedule file."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from celery import Celery, signals
from celery.beat import Scheduler
from celery.schedules import ParseException, crontab
from redis.exceptions import RedisError

from rostrum_core.errors import BadInput
from rostrum_core.refresh_jobs import RefreshRequest
from workers.alive import BEAT, show_life
from workers.app import REFRESH, SCHEDULE, get_answers

WAITS_S = 300  # for a worker; after that, wait for the next time on the schedule
SUNDAY = re.compile(r"(?<![/\d])7(?!\d)")  # cron accepts 0 and 7
WEEK = re.compile(r"(?<![/\d])0-7(?!\d)")
SHOWN_S = 5  # interval between two heartbeats


class LivingScheduler(Scheduler):
    """Keep the schedule in memory instead of in a file, and send heartbeats."""

    max_interval = SHOWN_S

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send the refresh requests that are due, and return the seconds until the next tick."""
        with suppress(RedisError):  # a beat continues while Redis is away
            show_life(get_answers(self.app).client, BEAT)
        waits_s: float = super().tick(*arguments, **options)
        return waits_s


class Beat:
    """Request a refresh at every time of a cron schedule, in UTC.

    Run only one scheduler. Two schedulers would request every refresh twice. The second request is skipped
    only if the first refresh is still running.

    Raises:
        BadInput: the schedule is invalid.
    """

    def __init__(self, app: Celery, schedule: str, request: RefreshRequest) -> None:
        self._app = app
        app.conf.update(timezone="UTC")
        app.conf.beat_schedule = {
            REFRESH: {
                "task": SCHEDULE,
                "schedule": read_schedule(schedule),
                "args": [asdict(request)],
                "options": {"queue": REFRESH, "expires": WAITS_S},
            }
        }

    def serve(self, ready: Callable[[], None]) -> None:
        """Request refreshes until SIGTERM or SIGINT; call `ready` at the start."""
        signals.beat_init.connect(lambda **_: ready(), weak=False)
        scheduler = f"{LivingScheduler.__module__}:{LivingScheduler.__name__}"
        self._app.Beat(scheduler=scheduler, max_interval=SHOWN_S, loglevel="WARNING", quiet=True).run()


def read_schedule(schedule: str) -> crontab:
    """Parse a cron schedule of five fields. The day of the month or the day of the week must be `*`.

    If both days were set, cron would run when either day matches, but Celery only when both match.

    >>> read_schedule("*/15 * * * *").minute == {0, 15, 30, 45}
    True
    >>> read_schedule("0 3 * * 5-7").day_of_week == {0, 5, 6}
    True
    >>> len(read_schedule("0 3 * * 0-7").day_of_week)
    7

    Raises:
        BadInput: the text is not a schedule, or has both a day of the month and a day of the week.
    """
    try:
        minute, hour, day, month, weekday = schedule.split()
        if day != "*" and weekday != "*":
            raise ValueError("a day of the month and a day of the week are two schedules")
        return crontab(minute, hour, SUNDAY.sub("0", WEEK.sub("0-6", weekday)), day, month)
    except (ValueError, ParseException) as error:
        message = f"{schedule!r} is not a schedule of minute, hour, day, month and day of the week: {error}"
        raise BadInput(message, field="refresh_schedule") from error
