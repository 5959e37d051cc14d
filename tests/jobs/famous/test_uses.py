"""Earlier uses of a quote: read from a list, scored by their words, kept with the list."""

import json
import math

import numpy as np
import pytest

from jobs.famous.encoding import Vectors
from jobs.famous.list_file import read_list, write_list
from jobs.famous.quote_list import QuoteList, read_quote_list, read_uses
from jobs.famous.uses import EarlierUses
from rostrum_core.errors import BadInput

ROWS = [
    {
        "id": "fear",
        "text": "The only thing we have to fear",
        "uses": ["Banks closed, [quote], he said.", " "],
    },
    {"text": "All that glitters", "uses": []},
    {"id": 9, "text": "Well begun", "uses": ["Work began late.", "He began: [QUOTE]"]},
]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "list.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    return path


def test_uses_are_read_by_the_id_of_their_quote_without_the_mark_of_the_gap(path):
    assert read_uses(path) == {
        "fear": ("Banks closed,  , he said.",),
        "9": ("Work began late.", "He began:"),
    }


@pytest.mark.parametrize("uses", ["one text", [1], {"left": "a"}])
def test_other_uses_than_texts_are_refused(tmp_path, uses):
    path = tmp_path / "list.jsonl"
    path.write_text(json.dumps({"text": "Well begun", "uses": uses}), "utf-8")
    with pytest.raises(BadInput, match="row 1: uses is not a list of texts"):
        read_uses(path)


def test_uses_stay_with_a_list_on_disk(path, tmp_path):
    quotes, vectors = read_quote_list(path), np.eye(3, dtype=np.float32)
    listed = QuoteList("own", tuple(quotes), Vectors(vectors, vectors), read_uses(path))
    write_list(tmp_path / "own", listed, {"famous": "a"})
    assert read_list(tmp_path / "own", {"famous": "a"}).uses == listed.uses


def test_a_list_written_before_there_were_uses_is_read(path, tmp_path):
    quotes, vectors = read_quote_list(path), np.eye(3, dtype=np.float32)
    write_list(tmp_path / "own", QuoteList("own", tuple(quotes), Vectors(vectors, vectors)), {})
    with np.load(tmp_path / "own" / "quotes.npz") as opened:
        arrays = {name: opened[name] for name in opened.files if name != "uses"}
    np.savez(tmp_path / "own" / "quotes.npz", **arrays)
    assert read_list(tmp_path / "own", {}).uses == {}


def test_scores_are_mean_squared_cosines_of_weighted_words():
    uses = [["banks banks fail", "rivers rise"], [], ["banks rise"]]
    once, twice = math.log1p(3 / 1), math.log1p(3 / 2)  # words of one use and of two
    first = [twice * math.log1p(2), once * math.log1p(1)]  # bank, fail
    third = [twice * math.log1p(1), twice * math.log1p(1)]  # bank, rise
    cosines = [first[0] / math.hypot(*first), third[0] / math.hypot(*third)]
    assert np.allclose(
        EarlierUses(uses).score("the bank"), [cosines[0] ** 2 / 2, 0, cosines[1] ** 2], atol=1e-6
    )


def test_no_uses_score_nothing():
    assert not EarlierUses([[], []])
    assert EarlierUses([[], []]).score("the bank").tolist() == [0, 0]


def test_the_only_use_of_a_list_is_found():
    assert EarlierUses([["banks"], []]).score("the banks close").tolist() == [1, 0]
