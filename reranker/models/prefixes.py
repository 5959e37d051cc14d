"""Cache results for a prefix (the draft or claim that paragraphs are compared with) for later calls.

The cache holds the transformer's keys and values of the prefix. It also holds the hidden states of paragraphs
whose scores were estimated from the lower layers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from reranker.models.onnx_session import Array, Graph
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import Ids

KEPT_PREFIXES = 8
"""Prefixes whose keys and values are kept: their paragraphs come in several parts. 4.6 MB each at most."""

MOST_HIDDEN_BYTES = 64 * 2**20
"""Of the hidden states that are kept for estimated paragraphs: 5 MB for 50 of usual length."""

States = Mapping[bytes, Array]
"""Hidden states (n, width) of paragraphs, by the bytes of their ids."""


@dataclass(frozen=True, slots=True)
class SplitGraph:
    """Hold the two parts of a graph that scores paragraphs: first layers (`lower`), the rest (`upper`).

    `lower` returns hidden states, and estimates of the scores. `upper` computes the scores from these hidden
    states.
    """

    lower: Graph
    upper: Graph


@dataclass(frozen=True, slots=True)
class Prefix:
    """Hold the arrays that are cached for a prefix (a draft or claim).

    `outputs` has the prefix's keys and values in all layers, and its direction, which is the mean hidden
    state. `hidden` has the output of the lower layers, (n, width), of each paragraph whose score was
    estimated from it, but not yet computed. The keys of `hidden` are the bytes of the paragraphs' token ids.
    """

    outputs: dict[str, Array]
    hidden: dict[bytes, Array] = field(default_factory=dict)


class PrefixCache:
    """Encode prefixes (drafts or claims) with a graph, and cache the outputs for those used last.

    Threads may share a cache.
    """

    def __init__(self, graph: Graph, words: WordLookup) -> None:
        self._graph, self._words = graph, words
        self._kept: dict[bytes, Prefix] = {}
        self._lock = Lock()

    def encode(self, ids: NDArray[np.int32]) -> Prefix:
        """Return the outputs of the graph (see `Prefix`) for the prefix with these token ids.

        The outputs for the last used prefixes are cached.
        """
        name = ids.tobytes()
        with self._lock:
            prefix = self._kept.pop(name, None)
        if prefix is None:
            outputs = self._graph({"words": self._words.lookup(ids[None])})
            prefix = Prefix(dict(zip(("keys", "values", "draft"), outputs, strict=True)))
        with self._lock:
            self._kept[name] = prefix  # the last used one is the last to go
            while len(self._kept) > KEPT_PREFIXES:
                del self._kept[next(iter(self._kept))]
        return prefix

    def keep_hidden(self, prefix: Prefix, states: States) -> None:
        """Keep the hidden states of paragraphs whose scores were estimated, until `take_hidden` fetches them.

        `prefix` is that of the draft or claim with which the paragraphs are compared. If all kept states
        together exceed `MOST_HIDDEN_BYTES`, those of the least recently used prefixes are removed. States are
        copied, because a view of a batch would keep the whole batch in memory.
        """
        with self._lock:
            prefix.hidden.update({name: np.array(state) for name, state in states.items()})
            for oldest in self._kept.values():
                if self.count_hidden_bytes() <= MOST_HIDDEN_BYTES:
                    break
                oldest.hidden.clear()

    def take_hidden(
        self, prefix: Prefix, packed: Sequence[Ids], width: int, compute: Callable[[list[Ids]], States]
    ) -> NDArray[np.float32]:
        """Return the hidden states of b paragraphs, (b, width, size), and remove them from the prefix.

        `packed` are the token ids of the paragraphs, `width` is their padded length. `compute` is called for
        the paragraphs whose states the prefix does not have.
        """
        names = [ids.tobytes() for ids in packed]
        estimated = ((name, prefix.hidden.pop(name, None)) for name in set(names))
        states = {name: hidden for name, hidden in estimated if hidden is not None}
        missing = {name: ids for name, ids in zip(names, packed, strict=True) if name not in states}
        if missing:
            states |= compute(list(missing.values()))
        hidden = np.zeros((len(packed), width, self._words.width), np.float32)
        for row, name in zip(hidden, names, strict=True):
            row[: len(states[name])] = states[name]
        return hidden

    def count_hidden_bytes(self) -> int:
        """Return the total size in bytes of the hidden states that are kept."""
        return sum(state.nbytes for kept in self._kept.values() for state in list(kept.hidden.values()))

    def clear(self) -> None:
        """Delete all cached prefixes (drafts or claims), so that the next pass computes them again."""
        with self._lock:
            self._kept.clear()


def cut_states(packed: Sequence[Ids], hidden: Array) -> States:
    """Split the hidden states of a batch by paragraph, without padding.

    Return a mapping from the bytes of each paragraph's token ids to its hidden states.
    """
    rows = zip(packed, hidden, strict=True)
    return {ids.tobytes(): row[: len(ids)] for ids, row in rows}
