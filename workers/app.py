"""Configure the Celery app: how callers and workers communicate through Redis.

Importing this module reads and opens nothing.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterable
from typing import Any, cast

from celery import Celery
from celery.backends.redis import RedisBackend
from kombu import Queue

from rostrum_core.errors import BadInput
from workers.transport import PatientTransport

RERANK = {"cpu": "rerank.cpu", "cuda": "rerank.gpu"}  # by the device that model code runs on
ENCODE, REFRESH = "encode", "refresh"
SCHEDULE = "schedule"  # the task that a schedule sends: it creates a refresh job
QUEUES = (*RERANK.values(), ENCODE, REFRESH)

VISIBILITY_S = 30
"""Visibility timeout, after which an unfinished message goes to another worker.

The longest task takes some seconds.
"""

UNACKED_INDEX = "unacked_index"  # start time of each message being processed, by its tag
RESTORE_S = 2  # interval between two checks for such tasks
ANSWER_EXPIRY_S = 300  # lifetime of a response whose caller was killed

SOCKET_S = 2.0
"""Timeout for a Redis that does not respond; longer than a worker's BRPOP may wait."""

OVERRIDING = (
    "CELERY_BROKER_URL",
    "CELERY_BROKER_READ_URL",
    "CELERY_BROKER_WRITE_URL",
    "CELERY_RESULT_BACKEND",
)
SEND_AGAIN = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
STORE_AGAIN = {"max_retries": 5, "interval_start": 0, "interval_step": 1, "interval_max": 1}


def choose_queue(task: str, device: str) -> str:
    """Return the queue of a task; most tasks have a queue for each device ("cpu" or "cuda").

    >>> choose_queue("rank", "cuda"), choose_queue("encode", "cuda")
    ('rerank.gpu', 'encode')
    """
    return {"encode": ENCODE, "refresh": REFRESH}.get(task, RERANK[device])


class Answers(RedisBackend):
    """Store the responses of tasks in Redis, and poll for them.

    Celery would subscribe to the responses, but a restart of Redis would break a subscription.
    """

    def on_task_call(self, producer: Any, task_id: str) -> None:
        """Do nothing when a task is sent; Celery's own method would subscribe to the response."""

    def forget_all(self, task_ids: Iterable[str]) -> None:
        """Delete the responses of the tasks with these ids."""
        self.client.delete(*(self.get_key_for_task(name) for name in task_ids))


def make_app(redis_url: str) -> Celery:
    """Create a Celery app for the Redis at `redis_url`, for callers and workers.

    The app accepts only JSON, and has no tasks yet.

    Raises:
        BadInput: an environment variable would make Celery use another broker.
    """
    for variable in OVERRIDING:
        if variable in os.environ:
            raise BadInput(f"{variable} would win over the Redis of Rostrum: unset it", field="redis_url")
    app = Celery("rostrum", set_as_current=False, fixups=[])
    redis_url = redis_url.replace(";", "%3B")  # in a password; Kombu would split the URL there
    app.conf.update(
        broker_url=redis_url,
        broker_transport=f"{PatientTransport.__module__}:{PatientTransport.__name__}",
        result_backend=f"{__name__}:{Answers.__name__}+{redis_url}",
        task_queues=[Queue(name) for name in QUEUES],
        **_describe_messages(),
        **_describe_delivery(),
        **_describe_connections(),
    )
    if redis_url.startswith("rediss://"):
        tls = {"ssl_cert_reqs": ssl.CERT_REQUIRED}
        app.conf.update(broker_use_ssl=tls, redis_backend_use_ssl=tls)
    return app


def get_answers(app: Celery) -> Answers:
    """Return the object that stores and reads the app's responses; each thread has its own connection."""
    return cast(Answers, app.backend)


def _describe_messages() -> dict[str, Any]:
    return {
        "accept_content": ["json"],
        "task_serializer": "json",
        "result_serializer": "json",
        "result_accept_content": ["json"],
        "result_expires": ANSWER_EXPIRY_S,
        "task_create_missing_queues": False,
    }


def _describe_delivery() -> dict[str, Any]:
    return {
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "worker_redirect_stdouts": False,
        "worker_proc_alive_timeout": 120.0,  # a started process loads its models first
    }


def _describe_connections() -> dict[str, Any]:
    sockets = {"socket_timeout": SOCKET_S, "socket_connect_timeout": SOCKET_S}
    return {
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,  # a worker waits for its Redis as long as it takes
        "broker_connection_timeout": SOCKET_S,
        "broker_transport_options": {
            **sockets,
            "socket_keepalive": True,
            "visibility_timeout": VISIBILITY_S,
            "queue_order_strategy": "priority",  # requests precede a refresh: see `workers.serving`
            "unacked_index_key": UNACKED_INDEX,
            "unacked_restore_interval": RESTORE_S,
            "unacked_restore_throttle": 1,
        },
        "task_publish_retry_policy": SEND_AGAIN,
        "redis_socket_timeout": SOCKET_S,
        "redis_socket_connect_timeout": SOCKET_S,
        "redis_socket_keepalive": True,
        "result_backend_transport_options": {"retry_policy": STORE_AGAIN},
    }
