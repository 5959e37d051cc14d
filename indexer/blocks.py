"""Represent the paragraphs of a file as blocks, with the parts that are not spoken as ranges to remove."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from indexer.characters import normalise, normalise_line
from indexer.stage_directions import Removal
from rostrum_core.types import MarkKind

SENTENCE_END = re.compile(r"(?:^|[.!?…:”\"'’)\]—–-])$")


class Aside(NamedTuple):
    """Hold text of a file that is not speech, such as "(Applause.)", and its `kind`, such as "stage"."""

    kind: MarkKind
    text: str


class Block(NamedTuple):
    """Hold a paragraph as one text that includes its asides, such as speaker tags and stage directions.

    Asides are text that is not speech. `removals` are the ranges of the asides in `text`, as (start, end,
    kind), sorted and disjoint.
    """

    text: str
    removals: tuple[Removal, ...] = ()

    def mask_removals(self) -> str:
        """Return the text with NUL characters in place of its removals, so that searches skip them.

        Offsets and line ends stay the same.
        """
        kept, position = [], 0
        for start, end, _ in self.removals:
            kept += [self.text[position:start], re.sub(r"[^\n]", "\0", self.text[start:end])]
            position = end
        return "".join(kept) + self.text[position:]

    def find_openings(self) -> list[int]:
        r"""Return the offsets in the paragraph at which a speaker's turn may begin.

        These are the starts of lines, and the ends of boilerplate (such as a page number) that follows the
        end of a sentence. In the first example, the page number 4 is inside a sentence; in the second, it
        follows one.

        >>> Block("Mr. Roe: It is 4 Ms. Doe: No.", ((15, 16, "boilerplate"),)).find_openings()
        [0]
        >>> Block("It is. 4 Ms. Doe: No.", ((7, 8, "boilerplate"),)).find_openings()
        [0, 8]
        """
        lines = [match.end() for match in re.finditer(r"^|\n", self.text)]
        pages = [end for _, end, kind in self.removals if kind == "boilerplate"]
        masked = self.mask_removals()
        after = (end for end in pages if SENTENCE_END.search(masked[:end].rstrip(" \n\0")))
        return sorted({*lines, *after})

    def split_at_openings(self) -> list[str]:
        """Split the paragraph's text where a speaker's turn may begin inside a line, and return the pieces.

        Line ends do not split the text. In the pieces, NUL characters replace the text of the `removals`.
        """
        masked = self.mask_removals()
        cuts = [at for at in self.find_openings() if at and masked[at - 1] != "\n"]
        return [masked[start:end] for start, end in pairwise([0, *cuts, len(masked)])]

    def list_asides(self, kind: MarkKind) -> list[str]:
        """Return the texts of the paragraph's asides of one kind, such as "speaker".

        Asides are text that is not speech.
        """
        return [self.text[start:end] for start, end, of in self.removals if of == kind]

    def add_removals(self, more: Iterable[Removal]) -> Block:
        """Return a copy of the block with further ranges to remove.

        A new range that overlaps an existing one is dropped.

        >>> more = [(3, 7, "boilerplate"), (6, 9, "boilerplate")]
        >>> Block("Thank you.", ((0, 5, "stage"),)).add_removals(more)
        Block(text='Thank you.', removals=((0, 5, 'stage'), (6, 9, 'boilerplate')))
        """
        starts = [start for start, _, _ in self.removals]

        def is_free(start: int, end: int) -> bool:
            before = bisect_left(starts, end)
            return not before or self.removals[before - 1][1] <= start

        added = [removal for removal in more if is_free(*removal[:2])]
        return Block(self.text, tuple(drop_overlaps([*self.removals, *added])))


def drop_overlaps(removals: Iterable[Removal]) -> list[Removal]:
    """Sort the ranges (start, end, kind) to remove from a text; drop each one that overlaps an earlier one.

    Of two ranges with the same start, the longer one is kept. An empty range does not overlap a range that
    starts at the same place.
    """
    kept: list[Removal] = []
    for removal in sorted(removals, key=lambda removal: (removal[0], removal[0] < removal[1], -removal[1])):
        if not kept or removal[0] >= kept[-1][1]:
            kept.append(removal)
    return kept


Piece = str | Aside


def build_block(pieces: Iterable[Piece]) -> Block:
    r"""Build a block (a paragraph) from its pieces in order: speech, and asides, which are not speech.

    Spaces are collapsed; line ends in speech are kept. An aside of the kind "speaker" without text means that
    an unknown speaker begins. In the block, this aside is a range of length 0.

    >>> build_block(["Thank ", " you.", Aside("stage", "Applause"), "\n  Now."])
    Block(text='Thank you.Applause\nNow.', removals=((10, 18, 'stage'),))
    """
    texts: list[str] = []
    removals: list[Removal] = []
    length = 0
    for kind, text in _merge_pieces(pieces):
        text = text if texts else text.lstrip()
        if kind and (text or kind == "speaker"):
            removals.append((length, length + len(text), kind))
        texts += [text] if text else []
        length += len(text)
    whole = "".join(texts).rstrip()
    return Block(whole, tuple(removals))


def _merge_pieces(pieces: Iterable[Piece]) -> Iterator[tuple[MarkKind | None, str]]:
    """Yield the pieces of a paragraph as pairs (kind, text), with adjacent pieces of speech merged.

    The kind of speech is `None`, and its text is normalised to NFC. Each aside (text that is not speech)
    stays separate, on one line.
    """
    for asides, run in groupby(pieces, key=lambda piece: isinstance(piece, Aside)):
        if not asides:
            yield None, _collapse_spaces(normalise("".join(str(piece) for piece in run)))
            continue
        yield from ((piece.kind, normalise_line(piece.text)) for piece in run if isinstance(piece, Aside))


def _collapse_spaces(text: str) -> str:
    return re.sub(r" ?\n ?", "\n", re.sub(r"[ \t]+", " ", text))
