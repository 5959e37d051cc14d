"""Find windows (ranges of words) in the transcripts that share three-word sequences with a quotation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from quotations.matching.printed_quote import Quoted
from quotations.matching.word_index import Ints, WordIndex

MOST_HITS = 20_000  # the rarest seeds first
MOST_WINDOWS = 8
SLACK_WORDS = 6  # edits may shift a quotation by this, plus a quarter of its own words
CUT_WORDS = 60  # that an ellipsis or a "he said" may skip


def find_windows(
    index: WordIndex, quoted: Quoted, ids: Ints, *, allowed: NDArray[np.bool_], distance: NDArray[np.int64]
) -> Iterator[tuple[int, int]]:
    """Yield at most `MOST_WINDOWS` ranges of word positions of the index that may contain a quotation.

    The ranges that share the most sequences of three words with the quotation come first. Of equal ones,
    the range with the smaller `distance` comes first. `ids` (n,) are the quotation's words, as numbers in the
    index. `allowed` says for each document whether it may be the source. `distance` has for each document
    the number of days between the speech and the publication of the quotation.
    """
    starts, offsets = _find_hits(index, ids, allowed)
    if not len(starts):
        return
    slack = SLACK_WORDS + len(ids) // 4
    documents = index.document_of[starts + offsets]
    apart = (np.diff(starts) > slack + CUT_WORDS * quoted.cuts) | (np.diff(documents) != 0)
    firsts = np.r_[0, np.flatnonzero(apart) + 1]
    ends = np.r_[firsts[1:], len(starts)]
    seeds = _count_distinct(offsets, ends - firsts, len(ids))
    for at in np.lexsort((distance[documents[firsts]], -seeds))[:MOST_WINDOWS]:
        low, high = index.get_bounds(int(documents[firsts[at]]))
        first, last = int(starts[firsts[at]]), int(starts[ends[at] - 1])
        yield max(low, first - slack), min(high, last + len(ids) + slack)


def _find_hits(index: WordIndex, ids: Ints, allowed: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Find where the index has a sequence of three words of the quotation; return (starts, offsets).

    Both arrays have one entry for each such place. `offsets` has the offset of the sequence in the quotation,
    in words. `starts` has the position in the index where the quotation would begin; the entries are sorted
    by `starts`. If there are more than `MOST_HITS` entries, those of the most frequent sequences are missing.
    """
    starts, offsets, hits = [np.empty(0, np.int32)], [np.empty(0, np.int32)], 0
    for offset, positions in index.find_postings(ids):
        here = positions[allowed[index.document_of[positions]]] - offset
        starts.append(here)
        offsets.append(np.full(len(here), offset, np.int32))
        hits += len(here)
        if hits > MOST_HITS:
            break
    every = np.concatenate(starts)
    order = np.argsort(every, kind="stable")
    return every[order], np.concatenate(offsets)[order]


def _count_distinct(offsets: Ints, sizes: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """Count the different three-word sequences of the quotation in each group of neighbouring hits.

    A hit is a place in the index where such a sequence occurs. `offsets` has for each hit the place of its
    sequence in the quotation, from 0 to `n` - 1. `sizes` has the number of hits in each group.
    """
    run = np.repeat(np.arange(len(sizes)), sizes)
    return np.bincount(np.unique(run * n + offsets) // n)
