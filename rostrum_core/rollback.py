"""Choose the generation that a rollback publishes, and the generations that pruning removes.

Both stores (in a folder and in OpenSearch) use this module.
"""

from __future__ import annotations

from collections.abc import Sequence

from rostrum_core.errors import NoSuchGeneration


def find_before(ready: Sequence[str], published: str, origin: str | None) -> str:
    """Return the generation that a rollback publishes.

    `ready` are the complete generations, oldest first. `origin` is the generation that readers saw before the
    published one. Generations between these two are skipped, because they were rolled back or withheld. If
    `origin` is `None`, because an earlier version did not record it, return the newest generation before the
    published one.

    >>> find_before(["1", "2", "3"], "3", origin="1"), find_before(["1", "2", "3"], "3", origin=None)
    ('1', '2')

    Raises:
        NoSuchGeneration: no generation precedes the published one.
    """
    older = [name for name in ready if (name < published if origin is None else name == origin)]
    if not older:
        raise NoSuchGeneration("there is no generation before the published one")
    return older[-1]


def list_expendable(ready: Sequence[str], published: str | None, origin: str | None, keep: int) -> list[str]:
    """Return the ready generations that pruning removes.

    The newest `keep` generations stay, and so does the published one. If `keep` is 2 or more, the `origin` of
    the published generation stays too, because a rollback returns to it.

    >>> list_expendable(["1", "2", "3", "4"], "3", origin="1", keep=2)
    ['2']
    >>> list_expendable(["1", "2"], "1", None, keep=0)
    ['2']
    """
    kept = {published, origin if keep > 1 else None, *(ready[-keep:] if keep > 0 else ())}
    return [name for name in ready if name not in kept]
