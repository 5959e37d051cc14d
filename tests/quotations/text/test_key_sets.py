"""Sets of words, read chunk by chunk, against `split_words`, which reads all of a text."""

import json
from random import Random

import pytest

from archive.shipped_files import locate_shipped
from quotations.text.key_sets import KeySets
from quotations.text.words import split_words

LEFT_OUT = ("and", "of")
NUMBERS = "one two hundred thousand thousand, twenty first (six ten) zero nine- -nine third, eleven. 2nd"
OTHERS = "and and, – - — of No. 1 U.S. can't n’t [t]he million AND ‑ the 5,000"
PARTS = [*NUMBERS.split(), *OTHERS.split(), "No. 1", "fifty\u00a0", "\n\n"]


def reduce_key(key: str) -> str:
    return "" if key in LEFT_OUT else key


def read_slowly(text: str) -> set[str]:
    return {word.key for word in split_words(text)}.difference(LEFT_OUT)


def test_speeches_have_the_same_words_in_chunks():
    keys = KeySets(reduce_key)
    lines = locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines()
    for text in [text for line in lines for text in json.loads(line)["paragraphs"]]:
        assert keys.read(text) == read_slowly(text), text


@pytest.mark.parametrize("seed", range(10))
def test_numbers_are_read_with_what_stands_next_to_them(seed):
    keys, drawn = KeySets(reduce_key), Random(seed)
    for _ in range(300):
        text = drawn.choice([" ", "", "  "]).join(drawn.choices(PARTS, k=drawn.randrange(1, 14)))
        assert keys.read(text) == read_slowly(text), text
