"""Find phrases of paragraphs that a draft already quotes.

A writer who has quoted a speech once often quotes it again. Of 300 drafts of the development set, 150 share
six consecutive WordPieces with the speech that they quote next (docs/decisions/0009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import Ids

PHRASE_PIECES = 6  # 4 to 8 tried on dev: shorter ones name too many documents, longer ones too few

MULTIPLIER = np.uint64(6364136223846793005)  # of Knuth's MMIX generator; any odd one spreads 15-bit ids


Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SharedPhrases:
    """Hold the matches of a draft's phrases in paragraphs, as arrays (matches,).

    A phrase is a run of `PHRASE_PIECES` WordPieces. For each match, `owners` has the number of the paragraph,
    and `firsts` the position of the phrase's first piece in it. `numbers` has the number of the phrase, as
    `number_phrases` returns it.
    """

    owners: Integers
    firsts: Integers
    numbers: NDArray[np.uint64]

    def select(self, chosen: NDArray[np.bool_]) -> SharedPhrases:
        """Return only the matches that are marked in `chosen`, bool (matches,)."""
        return SharedPhrases(self.owners[chosen], self.firsts[chosen], self.numbers[chosen])


def number_phrases(ids: Ids) -> NDArray[np.uint64]:
    """Return a number for each phrase, which is a run of `PHRASE_PIECES` consecutive WordPiece ids, in order.

    Equal phrases have equal numbers.

    >>> len(number_phrases(np.arange(8, dtype=np.int32))), len(number_phrases(np.arange(3, dtype=np.int32)))
    (3, 0)
    """
    return _number(ids, np.arange(max(0, len(ids) - PHRASE_PIECES + 1)))


def _number(ids: Ids, firsts: Integers) -> NDArray[np.uint64]:
    """Return a number for each phrase (run of WordPieces) that begins at a position in `firsts`.

    Equal phrases have equal numbers.
    """
    numbers = np.zeros(len(firsts), np.uint64)
    for offset in range(PHRASE_PIECES):
        numbers = numbers * MULTIPLIER + ids[firsts + offset].astype(np.uint64)
    return numbers


def find_shared(draft: Ids, piece_ids: Ids, piece_ends: Integers) -> SharedPhrases:
    """Find the phrases of a draft in paragraphs, and return the matches in order of position.

    A phrase is a run of `PHRASE_PIECES` WordPieces; a run across two paragraphs does not count. `piece_ids`
    has the WordPieces of all paragraphs in one array, and `piece_ends` the positions at which the paragraphs
    end.
    """
    firsts = _find_runs(draft, piece_ids)
    numbers = _number(piece_ids, firsts)
    owners = np.searchsorted(piece_ends, firsts, side="right")
    is_whole = firsts + PHRASE_PIECES <= piece_ends[owners]
    kept = np.flatnonzero(np.isin(numbers, number_phrases(draft)) & is_whole)
    begins = np.concatenate([np.zeros(1, np.int64), piece_ends])[owners[kept]]
    return SharedPhrases(owners[kept], firsts[kept] - begins, numbers[kept])


def _find_runs(draft: Ids, piece_ids: Ids) -> Integers:
    """Return the positions in `piece_ids` where `PHRASE_PIECES` WordPieces begin that all occur in the draft.

    In the draft, they need not be consecutive.
    """
    count = len(piece_ids) - PHRASE_PIECES + 1
    if count < 1 or len(draft) < PHRASE_PIECES:
        return np.empty(0, np.int64)
    in_draft = np.zeros(1 + max(int(piece_ids.max()), int(draft.max())), np.bool_)
    in_draft[draft] = True
    is_known = in_draft.take(piece_ids)
    whole = is_known[:count].copy()
    for offset in range(1, PHRASE_PIECES):
        whole &= is_known[offset : offset + count]
    return np.flatnonzero(whole)


def count_quoted(shared: Sequence[SharedPhrases], owners: Integers) -> NDArray[np.float64]:
    """Return how much a draft already quotes of the document of each of n paragraphs, float64 (n,).

    The value is log(1 + number of distinct shared phrases). `shared` are the matches of the draft's text
    before and after the quote; `owners` (n,) are the numbers of the paragraphs' documents.

    >>> said = [np.arange(6, dtype=np.int32), np.array([9], np.int32), np.array([9], np.int32)]
    >>> match = find_shared(said[0], np.concatenate(said), np.array([6, 7, 8]))
    >>> count_quoted([match], np.array([0, 0, 1])).round(3).tolist()
    [0.693, 0.693, 0.0]
    """
    if not len(owners):
        return np.empty(0)
    documents, _ = _list_different(shared, owners)
    quoted: NDArray[np.float64] = np.log1p(np.bincount(documents, minlength=int(owners.max()) + 1))[owners]
    return quoted


def weigh_documents(shared: Sequence[SharedPhrases], owners: Integers) -> NDArray[np.float64]:
    """Return, for each document, the summed rarity of the phrases that a draft shares with it; 0 for none.

    The arguments are those of `count_quoted`. A phrase is rarer if fewer documents share it. Many documents
    have "the President of the United States", so this phrase hardly counts as a quote from any of them.
    """
    documents, numbers = _list_different(shared, owners)
    count = int(owners.max(initial=-1)) + 1
    _, phrases, having = np.unique(numbers, return_inverse=True, return_counts=True)
    rarities: NDArray[np.float64] = np.log1p(count / having)[phrases]
    return np.bincount(documents, rarities, minlength=count).astype(
        np.float64
    )  # integers if nothing is shared


def _list_different(shared: Sequence[SharedPhrases], owners: Integers) -> tuple[Integers, NDArray[np.uint64]]:
    """List the phrases that a draft shares with each document, as distinct pairs (document, phrase).

    The pairs are returned as two arrays: the documents' numbers, and the phrases' numbers.
    """
    documents = np.concatenate([owners[part.owners] for part in shared])
    numbers = np.concatenate([part.numbers for part in shared])
    order = np.lexsort((numbers, documents))
    documents, numbers = documents[order], numbers[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (documents[1:] != documents[:-1]) | (numbers[1:] != numbers[:-1])
    return documents[is_new], numbers[is_new]
