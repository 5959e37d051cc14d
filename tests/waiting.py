"""Wait for a state, in tests of several processes."""

import time
from collections.abc import Callable

LONG_S = 90.0
"""Far longer than what happens takes, on a busy machine too."""


def wait_until(is_so: Callable[[], object], timeout_s: float = LONG_S) -> None:
    """Wait until a condition is true.

    Raises:
        AssertionError: it is not within `timeout_s`.
    """
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to be in time"
        time.sleep(0.05)
