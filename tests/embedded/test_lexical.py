import gc
import os
import random
import shutil
from collections import Counter
from math import log
from pathlib import Path

import pytest

from embedded.lexical import LexicalIndex, Text
from rostrum_core.errors import BadInput, StoreError
from rostrum_core.types import Filter


def rounded(length: int) -> int:
    """A length as Lucene keeps it in a byte (`SmallFloat.intToByte4`): below 40 as it is, then 4 bits."""
    if length < 24:
        return length
    length -= 24
    shift = max(0, length.bit_length() - 4)
    return 24 + (length >> shift << shift)


def bm25(texts: list[list[str]], query: set[str]) -> list[float | None]:
    """Lucene's BM25 by arithmetic: k1 1.2, b 0.75."""
    average = sum(map(len, texts)) / len(texts)
    having = Counter(term for text in texts for term in set(text))
    scores = []
    for text in texts:
        norm = 1.2 * (0.25 + 0.75 * rounded(len(text)) / average)
        parts = [
            log(1 + (len(texts) - having[term] + 0.5) / (having[term] + 0.5))
            * (text.count(term) / (text.count(term) + norm))
            for term in sorted(query)
            if term in text
        ]
        scores.append(sum(parts) if parts else None)
    return scores


def test_scores_are_those_of_a_second_implementation_for_any_length() -> None:
    draw = random.Random(1)
    words = [f"w{number}x" for number in range(300)]
    weights = [1 / (rank + 1) for rank in range(300)]
    texts = [draw.choices(words, weights, k=length) for length in [*range(1, 120), 150, 200, 333, 1000]]
    index = LexicalIndex.in_memory([" ".join(text) for text in texts])
    for _ in range(20):
        query = set(draw.sample(words, 5))
        want = bm25(texts, query)
        found = index.score_texts(" ".join(query))
        assert [score is None for score in found] == [score is None for score in want]
        assert [score or 0 for score in found] == pytest.approx([score or 0 for score in want], rel=1e-5)


def test_lengths_are_rounded_as_lucene_rounds_them() -> None:
    # Lucene's own decoded bytes around the places where the steps grow.
    assert [rounded(n) for n in (23, 39, 40, 41, 42, 55, 56, 57, 60, 89, 95)] == [
        23, 39, 40, 40, 42, 54, 56, 56, 60, 88, 88,
    ]  # fmt: skip


def test_the_best_are_the_highest_scores_and_ties_go_by_number() -> None:
    draw = random.Random(2)
    texts = [
        " ".join(draw.choices(["seven", "years", "ago", "hope"], k=draw.randint(1, 6))) for _ in range(200)
    ]
    index = LexicalIndex.in_memory(texts)
    scores = index.score_texts("seven hope")
    ranked = sorted(
        (number for number, score in enumerate(scores) if score is not None),
        key=lambda number: (-round(scores[number] or 0, 5), number),
    )
    for limit in (1, 7, 50, 1000):
        assert index.search_best("seven hope", limit).tolist() == ranked[:limit]


def test_scores_of_some_texts_are_those_of_all() -> None:
    index = LexicalIndex.in_memory([f"seven {'more ' * number}" for number in range(50)] + ["hope"])
    every = index.score_texts("seven more")
    assert index.score_texts("seven more", [50, 3, 3, 49, 0]) == [
        None,
        every[3],
        every[3],
        every[49],
        every[0],
    ]
    assert index.score_texts("seven more", []) == []


def test_naming_the_texts_and_scoring_all_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    index = LexicalIndex.in_memory([f"seven {'more ' * number}" for number in range(50)])
    named = index.score_texts("seven more", range(0, 50, 2))
    monkeypatch.setattr("embedded.lexical.TERM_SET_LIMIT", 10)
    assert index.score_texts("seven more", range(0, 50, 2)) == named


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The Nations' FATHERS", ["father", "nation"]),
        ("U.S.-born, don't", ["born", "don", "s", "t", "u"]),
        ("Œuvre naïve 1863–1865", ["1863", "1865", "naïv", "œuvr"]),
        ("日本 speech", ["speech", "日本"]),
        ("seven SEVEN sevens", ["seven"]),
        ("it is to be or not", []),
        ("a" * 159 + " " + "b" * 160, ["a" * 159]),
        ("\u10d0" * 39, ["\u10d0" * 39]),
        ("\ud800 \x00", ["ud800"]),
    ],
)
def test_texts_are_analysed_as_english(text: str, terms: list[str]) -> None:
    assert LexicalIndex.in_memory([]).list_terms(text) == terms


def test_a_word_of_several_parts_occurs_where_all_of_them_do() -> None:
    index = LexicalIndex.in_memory(["well known", "well", "a well-known man", "known"])
    assert index.document_frequency(["well-known", "well", "well-unknown"]) == [2, 3, 0]


def test_an_empty_index_answers_with_nothing() -> None:
    index = LexicalIndex.in_memory([])
    assert len(index) == 0
    assert index.score_texts("seven") == []
    assert index.search_best("seven", 10).tolist() == []
    assert index.list_passing(Filter()).tolist() == []


def test_filter_values_are_compared_whole_and_speakers_without_case() -> None:
    speakers = ["Ann", "ANN LEE", None, "ann", "Straße"]
    index = LexicalIndex.build(
        Text(number, "seven", document=str(number), speakers=(speaker,) if speaker else ())
        for number, speaker in enumerate(speakers)
    )
    assert index.list_passing(Filter(speakers=("aNN",))).tolist() == [0, 3]
    assert index.list_passing(Filter(speakers=("STRASSE", "ann lee"))).tolist() == [1, 4]
    assert index.list_passing(Filter()).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("field", ["since", "until"])
def test_a_date_that_is_none_is_bad_input(field: str) -> None:
    with pytest.raises(BadInput) as caught:
        LexicalIndex.in_memory(["seven"]).list_passing(Filter(**{field: "in spring"}))
    assert caught.value.field == field


def test_an_index_that_is_not_there_or_damaged_is_an_error(tmp_path) -> None:
    with pytest.raises(StoreError):
        LexicalIndex.open(tmp_path / "none")
    (tmp_path / "index").mkdir()
    LexicalIndex.build([Text(0, "seven")], tmp_path / "index")
    assert LexicalIndex.open(tmp_path / "index").score_texts("seven") != [None]
    (tmp_path / "index" / "meta.json").write_text("{")
    with pytest.raises(StoreError):
        LexicalIndex.open(tmp_path / "index")


@pytest.mark.parametrize("is_on", [True, False])
def test_a_search_leaves_the_collection_of_garbage_as_it_was(is_on: bool) -> None:
    index = LexicalIndex.in_memory(["seven", "seven more"])
    (gc.enable if is_on else gc.disable)()
    try:
        index.score_texts("seven")
        assert gc.isenabled() == is_on
    finally:
        gc.enable()


def test_a_lock_file_that_comes_while_links_are_removed_is_removed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a thread of tantivy, which watches the folder, looks at the index just then."""
    folder, temporary = tmp_path / "index", tmp_path / "temporary"
    for place in (folder, temporary):
        place.mkdir()
    LexicalIndex.build([Text(0, "seven years")], folder)
    removals, remove = [], shutil.rmtree

    def remove_late(place: Path, *, ignore_errors: bool) -> None:
        removals.append(place)
        if len(removals) > 1:
            remove(place, ignore_errors=ignore_errors)

    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(shutil, "rmtree", remove_late)
    assert LexicalIndex.open(folder).document_frequency(["years"]) == [1]
    assert len(removals) == 2
    assert list(temporary.iterdir()) == []
