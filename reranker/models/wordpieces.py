"""Tokenize drafts and paragraphs into WordPieces, the inputs of encoder and ranker.

Pieces of other tokenizers, such as RoBERTa's, are called WordPieces here too.

Source: input lengths in pieces as in "Context-Based Quotation Recommendation" (ICWSM 2021), section on
models: title <= 20, context <= 100 (kept from its end), paragraph <= 200.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from rostrum_core.errors import ModelError
from rostrum_core.types import Tokens

Ids = NDArray[np.int32]
"""Token ids (n,) of the vocabulary."""

TITLE_TOKENS = 20
CONTEXT_TOKENS = 100
PARAGRAPH_TOKENS = 200
WINDOW_STRIDE = 100
PARAGRAPH_POSITION = 128  # past any query: scores must not depend on the draft's length
# Their names in the vocabularies of BERT and RoBERTa. The paper's [body_start] is one that texts never use.
CLS, SEP, BODY_START = ("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[unused0]", "[MASK]", "<mask>")
WORD_BEGINS = "Ġ"  # in vocabularies of byte pairs
GAP = ("[MASK]", "<mask>")
SIDE_TOKENS = 64  # on each side of a gap: 40 words are 52 pieces in the mean

# A word keeps its inner apostrophes, hyphens, full stops, commas and ampersands, and the signs of money and
# per cent at its ends: "don't", "U.S", "AT&T", "$3.50", "40%".
WORD = re.compile(r"[$€£]?\w+(?:['’\-‑.,&]\w+)*%?")


class DraftPieces(NamedTuple):
    """Hold all WordPieces of a draft before and after the place of the quote."""

    before: Ids
    after: Ids


class WordPieces:
    """Tokenize text with the models' tokenizer, read from a `tokenizer.json`. Threads may share it."""

    def __init__(self, path: Path) -> None:
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing narrower
            raise ModelError(f"{path} is not a tokenizer: {error}") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.cls, self.sep, self.body_start = map(self._find_id, (CLS, SEP, BODY_START))

    @property
    def size(self) -> int:
        """Return the number of entries in the vocabulary."""
        count: int = self._tokenizer.get_vocab_size()
        return count

    @cached_property
    def whole_words(self) -> frozenset[str]:
        """Return the vocabulary's entries that consist of four letters or more, in lower case.

        In BERT's vocabularies these are whole words, because the inner parts of words begin with "##".
        """
        entries = (name.removeprefix(WORD_BEGINS) for name in self._tokenizer.get_vocab())
        return frozenset(word.lower() for word in entries if len(word) >= 4 and word.isalpha())

    def _find_id(self, names: tuple[str, ...]) -> int:
        """Return the id of the first of these names that the vocabulary has."""
        for name in names:
            token_id: int | None = self._tokenizer.token_to_id(name)
            if token_id is not None:
                return token_id
        raise ModelError(f"the tokenizer knows no {' or '.join(names)}")

    def tokenise(self, texts: list[str]) -> list[Tokens]:
        """Return the WordPieces of each text; an empty text gives an empty list.

        With some tokenizers a piece includes the space before its word, or punctuation next to it.
        """
        encodings = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        return [_build_tokens(e.ids, e.offsets) for e in encodings]

    def tokenise_query(self, title: str, context: str) -> Ids:
        """Return the token ids `[CLS] title [body_start] context [SEP]`, int32, at most 123 long.

        An overlong title loses its end, an overlong context its start.
        """
        head, body = self.tokenise([title, context])
        return np.concatenate(
            [
                np.array([self.cls], np.int32),
                head.ids[:TITLE_TOKENS],
                np.array([self.body_start], np.int32),
                body.ids[max(0, len(body) - CONTEXT_TOKENS) :],
                np.array([self.sep], np.int32),
            ]
        )

    def tokenise_draft(self, title: str, left: str, right: str = "") -> DraftPieces:
        """Return all WordPieces of a draft, before and after the place of the quote.

        The pieces before it are those of the title, `[SEP]`, and those of the text `left`.
        """
        head, body, after = self.tokenise([title, left, right])
        return DraftPieces(np.concatenate([head.ids, np.array([self.sep], np.int32), body.ids]), after.ids)

    @property
    def gap(self) -> int:
        """Return the id of the token that stands for a missing quote.

        Raises:
            ModelError: the vocabulary has no such token.
        """
        return self._find_id(GAP)

    def tokenise_context(self, left: str, right: str) -> tuple[Ids, int]:
        """Return the token ids `[CLS] left [MASK] right [SEP]`, int32, and the position of `[MASK]`.

        Each side is cut to the `SIDE_TOKENS` pieces nearest to the gap, so at most 131 ids are returned.
        """
        before, after = self.tokenise([left, right])
        return join_around_gap(before.ids, after.ids, (self.cls, self.gap, self.sep))

    def pack(self, pieces: Tokens) -> Ids:
        """Return the ids of `[CLS]`, the n pieces of a paragraph and `[SEP]`, int32 (n + 2,)."""
        return np.concatenate([np.array([self.cls], np.int32), pieces.ids, np.array([self.sep], np.int32)])


def join_around_gap(left: Ids, right: Ids, special: tuple[int, int, int]) -> tuple[Ids, int]:
    """Join the token ids before and after a gap, and return them with the position of the gap's token.

    Each side is cut to the `SIDE_TOKENS` ids nearest to the gap. `special` are the ids of CLS, GAP and SEP.

    >>> ids, gap = join_around_gap(np.array([7, 8], np.int32), np.array([9], np.int32), (1, 2, 3))
    >>> ids.tolist(), gap
    ([1, 7, 8, 2, 9, 3], 3)
    """
    cls, gap, sep = special
    before = left[max(0, len(left) - SIDE_TOKENS) :]
    ids = np.concatenate([[cls], before, [gap], right[:SIDE_TOKENS], [sep]]).astype(np.int32)
    return ids, 1 + len(before)


def _build_tokens(ids: list[int], offsets: list[tuple[int, int]]) -> Tokens:
    bounds = np.array(offsets, np.int32).reshape(-1, 2)
    return Tokens(np.array(ids, np.int32), bounds[:, 0].copy(), bounds[:, 1].copy())


def split_windows(length: int) -> list[tuple[int, int]]:
    """Split a paragraph of `length` WordPieces into windows that the model can read, as half-open ranges.

    Neighbouring windows overlap by at least half. A paragraph within the limit is one window. The last window
    ends with the paragraph.

    >>> split_windows(0), split_windows(200), split_windows(250)
    ([(0, 0)], [(0, 200)], [(0, 200), (50, 250)])
    """
    if length <= PARAGRAPH_TOKENS:
        return [(0, length)]
    starts = [*range(0, length - PARAGRAPH_TOKENS, WINDOW_STRIDE), length - PARAGRAPH_TOKENS]
    return [(start, start + PARAGRAPH_TOKENS) for start in starts]


def find_word_bounds(text: str) -> NDArray[np.int32]:
    """Return the start and end of each word in a text, in code points: int32 (words, 2).

    Words are the matches of `WORD`.

    >>> find_word_bounds("I don't.").tolist()
    [[0, 1], [2, 7]]
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    if not len(codes):
        return np.empty((0, 2), np.int32)
    around = np.zeros(len(codes) + 2, np.int8)
    before, kinds, after = around[:-2], around[1:-1], around[2:]
    _build_kinds().take(codes, mode="clip", out=kinds)
    further = np.flatnonzero(codes > LAST_CODE)
    kinds[further] = [chr(code).isalnum() for code in codes[further].tolist()]
    inner = (kinds == LETTER) | ((kinds == JOINT) & (before == LETTER) & (after == LETTER))
    edges = np.diff(np.concatenate([[False], inner, [False]]).astype(np.int8))
    starts, stops = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    starts = starts - (around[starts] == MONEY)
    stops = stops + (around[stops + 1] == PER_CENT)
    return np.stack([starts, stops], axis=1).astype(np.int32)


OTHER, LETTER, JOINT, MONEY, PER_CENT = range(5)
LAST_CODE = 0xFFFF  # of the table of kinds; further characters are looked up one by one


SIGNS = {JOINT: "'’-\u2011.,&", MONEY: "$€£", PER_CENT: "%"}


@cache
def _build_kinds() -> NDArray[np.int8]:
    """Return a table of the kinds of characters, int8 (LAST_CODE + 1,), indexed by code point.

    A kind is the role of the character in a word: letter or digit, joint (such as "-" or "'"), money sign,
    per cent sign, or other.
    """
    kinds = np.array([chr(code).isalnum() for code in range(LAST_CODE + 1)], np.int8)  # LETTER is 1
    kinds[ord("_")] = LETTER
    for kind, signs in SIGNS.items():
        kinds[[ord(sign) for sign in signs]] = kind
    return kinds


def mark_word_edges(words: NDArray[np.int32], pieces: Tokens) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return two masks of WordPieces: of those that begin a word, and of those that end a word.

    `words` are bounds from `find_word_bounds`. If several pieces share a character, the first piece begins
    the word and the last piece ends it.

    >>> at = np.array
    >>> tokens = Tokens(at([1, 2, 3, 4, 5]), at([0, 2, 5, 6, 7]), at([1, 5, 6, 7, 8]))
    >>> begins, ends = mark_word_edges(find_word_bounds("I don't."), tokens)
    >>> begins.tolist(), ends.tolist()
    ([True, True, False, False, False], [True, False, False, True, False])
    """
    begins, ends = np.zeros(len(pieces), bool), np.zeros(len(pieces), bool)
    if len(pieces) and len(words):
        firsts = np.searchsorted(pieces.ends, words[:, 0], side="right")  # the first that reaches past it
        lasts = np.searchsorted(pieces.starts, words[:, 1], side="left") - 1  # the last that begins before it
        firsts, lasts = np.minimum(firsts, len(pieces) - 1), np.maximum(lasts, 0)
        inside = (pieces.starts[firsts] <= words[:, 0]) & (words[:, 0] < pieces.ends[firsts])
        begins[firsts[inside]] = True
        inside = (pieces.starts[lasts] < words[:, 1]) & (words[:, 1] <= pieces.ends[lasts])
        ends[lasts[inside]] = True
    return begins, ends
