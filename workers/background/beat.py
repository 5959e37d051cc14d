"""A refresh whenever a schedule says so: Celery's beat, which keeps no file."""

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

WAITS_S = 300  # for a worker; after that the next time on the schedule is waited for
SUNDAY = re.compile(r"(?<![/\d])7(?!\d)")  # cron has it as 0 and as 7
WEEK = re.compile(r"(?<![/\d])0-7(?!\d)")
SHOWN_S = 5  # between two signs of life


class LivingScheduler(Scheduler):
    """Keeps the schedule in memory, where the default one keeps a file, and shows signs of life."""

    max_interval = SHOWN_S

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send what is due, and return the seconds until the next tick."""
        with suppress(RedisError):  # a beat goes on where Redis is away
            show_life(get_answers(self.app).client, BEAT)
        waits_s: float = super().tick(*arguments, **options)
        return waits_s


class Beat:
    """Asks for a refresh at every moment of a cron schedule, in UTC.

    Run one of them: two ask twice, and the second is left out only while the first is at work.

    Raises:
        BadInput: it is no schedule.
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
        """Asks until SIGTERM or SIGINT; calls `ready` when it begins."""
        signals.beat_init.connect(lambda **_: ready(), weak=False)
        scheduler = f"{LivingScheduler.__module__}:{LivingScheduler.__name__}"
        self._app.Beat(scheduler=scheduler, max_interval=SHOWN_S, loglevel="WARNING", quiet=True).run()


def read_schedule(schedule: str) -> crontab:
    """The schedule of five fields as cron has them, but that one of the two kinds of days is `*`.

    Where both are told, cron goes by either and Celery by both.

    >>> read_schedule("*/15 * * * *").minute == {0, 15, 30, 45}
    True
    >>> read_schedule("0 3 * * 5-7").day_of_week == {0, 5, 6}
    True
    >>> len(read_schedule("0 3 * * 0-7").day_of_week)
    7

    Raises:
        BadInput: it is none, or tells both a day of the month and a day of the week.
    """
    try:
        minute, hour, day, month, weekday = schedule.split()
        if day != "*" and weekday != "*":
            raise ValueError("a day of the month and a day of the week are two schedules")
        return crontab(minute, hour, SUNDAY.sub("0", WEEK.sub("0-6", weekday)), day, month)
    except (ValueError, ParseException) as error:
        message = f"{schedule!r} is no schedule of minute, hour, day, month and day of the week: {error}"
        raise BadInput(message, field="refresh_schedule") from error
