"""Apply a function to items in threads, a few items ahead of the code that uses the results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")

LOOK_S = 0.5


def work_ahead(
    work: Callable[[T], U], items: Iterable[T], depth: int, waiting: Callable[[], None] = lambda: None
) -> Iterator[U]:
    """Apply `work` to each item in threads, up to `depth` items ahead, and yield the results in order.

    With `depth` 0, no thread is used. The callback `waiting` is called every `LOOK_S` seconds while no result
    is ready, and may raise an error. A thread that still works when the consumer stops is not waited for, and
    does not keep the process from ending.

    >>> list(work_ahead(lambda number: number * 2, [1, 2, 3], 2))
    [2, 4, 6]
    """
    begun: deque[Future[U]] = deque()
    for item in items:
        begun.append(_start(work, item) if depth else _run(work, item))
        if len(begun) > depth:
            yield _await_result(begun.popleft(), waiting)
    while begun:
        yield _await_result(begun.popleft(), waiting)


def _start(work: Callable[[T], U], item: T) -> Future[U]:
    future: Future[U] = Future()

    def run() -> None:
        try:
            future.set_result(work(item))
        except BaseException as error:  # raised again for the consumer of the result
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def _run(work: Callable[[T], U], item: T) -> Future[U]:
    future: Future[U] = Future()
    future.set_result(work(item))
    return future


def _await_result(future: Future[U], waiting: Callable[[], None]) -> U:
    while not wait([future], LOOK_S).done:
        waiting()
    return future.result()
