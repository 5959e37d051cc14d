"""Work done ahead of whoever takes its results, by a bounded number of steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")

LOOK_S = 0.5


def ahead(
    work: Callable[[T], U], items: Iterable[T], depth: int, waiting: Callable[[], None] = lambda: None
) -> Iterator[U]:
    """What `work` makes of each item, in order; up to `depth` of those that follow are worked on meanwhile.

    With 0 it is `map`. `waiting` is called every `LOOK_S` while nothing is ready, and may raise. Threads are
    not waited for once nobody wants their results: the process may end.

    >>> list(ahead(lambda number: number * 2, [1, 2, 3], 2))
    [2, 4, 6]
    """
    begun: deque[Future[U]] = deque()
    for item in items:
        begun.append(_begun(work, item) if depth else _done(work, item))
        if len(begun) > depth:
            yield _result(begun.popleft(), waiting)
    while begun:
        yield _result(begun.popleft(), waiting)


def _begun(work: Callable[[T], U], item: T) -> Future[U]:
    future: Future[U] = Future()

    def run() -> None:
        try:
            future.set_result(work(item))
        except BaseException as error:  # whoever asks for the result is told
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def _done(work: Callable[[T], U], item: T) -> Future[U]:
    future: Future[U] = Future()
    future.set_result(work(item))
    return future


def _result(future: Future[U], waiting: Callable[[], None]) -> U:
    while not wait([future], LOOK_S).done:
        waiting()
    return future.result()
