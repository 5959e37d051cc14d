"""Who quoted a speech: places of a file of rows are fitted to the paragraphs of the archive."""

import json
from pathlib import Path

import pytest

from archive.quoted_by import QUOTED_BY, Quotings, place_quotings
from rostrum_core.types import Paragraph

TEXTS = ("We choose to go to the moon.", "The moon, we said, is far; but it is ours.", "We choose to go.")


@pytest.mark.parametrize(
    ("ordinal", "start", "end", "quote", "place"),
    [
        (0, 0, 27, "We choose to go to the Moon", (0, 0, 27)),
        (1, 0, 28, "The moon … is far", (1, 0, 28)),  # words are left out, as printed
        (1, 0, 28, "we choose to GO", (0, 0, 15)),  # the first of the nearest paragraphs
        (9, 0, 28, "we choose to go", (2, 0, 15)),
        (0, 11, 99, "it is ours", (1, 31, 41)),  # the range ends after the paragraph
        (0, -9, 5, "it is ours", (1, 31, 41)),
        (0, 0, 9, "nobody said this", (0, 0, 0)),
        (0, 3, 9, "", (0, 3, 9)),  # an old row without words cannot be checked
        (1, 5, 0, "We choose", (1, 5, 0)),  # it goes on in the next paragraph
    ],
)
def test_a_place_that_has_other_words_is_looked_up(
    tmp_path: Path, ordinal: int, start: int, end: int, quote: str, place: tuple[int, int, int]
) -> None:
    last = ordinal if end else ordinal + 1
    row = {"document": "s", "paragraph": ordinal, "last_paragraph": last, "start": start, "end": end}
    (tmp_path / QUOTED_BY).write_text(json.dumps(row | {"quote": quote}))
    paragraphs = [
        Paragraph(f"s-{number}", "s", number, text, 0, len(text)) for number, text in enumerate(TEXTS)
    ]
    [placed] = place_quotings(Quotings(tmp_path).list_quotings("s"), paragraphs)
    assert (placed.ordinal, placed.start_char, placed.end_char) == place
    assert placed.quote == quote


@pytest.mark.parametrize(
    "bad", ['"start": 1e999', '"start": -1e999', '"start": NaN', '"start": ' + "[" * 100_000]
)
def test_a_bad_row_hides_no_other(tmp_path: Path, bad: str) -> None:
    good = '{"document": "s", "paragraph": 0, "start": 0, "end": 9, "quote": "We choose"}'
    (tmp_path / QUOTED_BY).write_text(f'{{"document": "s", "paragraph": 0, "end": 9, {bad}}}\n{good}\n')
    [quoting] = Quotings(tmp_path).list_quotings("s")
    assert quoting.quote == "We choose"
