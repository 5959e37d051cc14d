"""Work done ahead: in order, bounded, and with its own errors."""

import threading
import time
from concurrent.futures import Future

import pytest

from archive import prefetch as module
from archive.prefetch import work_ahead


@pytest.mark.parametrize("depth", [0, 1, 3, 100])
def test_results_come_in_the_order_of_the_items(depth: int) -> None:
    def work(number: int) -> int:
        time.sleep(0.02 * (number % 2 == 0))
        return number * number

    assert list(work_ahead(work, range(7), depth)) == [0, 1, 4, 9, 16, 25, 36]


@pytest.mark.parametrize(("depth", "begun"), [(0, 1), (2, 3)])
def test_no_more_is_begun_than_was_asked_for(depth: int, begun: int) -> None:
    taken: list[int] = []
    items = (taken.append(number) or number for number in range(10))  # type: ignore[func-returns-value]
    assert next(work_ahead(lambda number: number, items, depth)) == 0
    assert taken == list(range(begun))


@pytest.mark.parametrize("depth", [0, 2])
@pytest.mark.parametrize("error", [ValueError, TimeoutError])
def test_an_error_of_the_work_is_raised_where_its_result_would_come(
    depth: int, error: type[Exception]
) -> None:
    def work(number: int) -> int:
        if number == 1:
            raise error("this one")
        return number

    results = work_ahead(work, range(3), depth)
    assert next(results) == 0
    with pytest.raises(error, match="this one"):
        next(results)


def test_whoever_waits_is_told_again_and_again_and_may_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Enough(Exception):
        pass

    calls, never = [], threading.Event()

    def waiting() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise Enough

    monkeypatch.setattr(module, "LOOK_S", 0.01)
    with pytest.raises(Enough):
        next(work_ahead(lambda _: never.wait(60), [1], 1, waiting))
    never.set()
    assert len(calls) == 3


class Late(Future[int]):
    """A result that comes in the moment in which a look for it has just run out of time."""

    def result(self, timeout: float | None = None) -> int:
        try:
            return super().result(timeout)
        except TimeoutError:
            super().result()
            raise


def test_a_result_that_comes_as_the_look_for_it_ends_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.01)
    monkeypatch.setattr(module, "Future", Late)

    def work(number: int) -> int:
        time.sleep(0.05)
        return number

    assert list(work_ahead(work, range(3), 1)) == [0, 1, 2]
