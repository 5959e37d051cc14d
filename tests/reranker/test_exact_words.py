"""The words that a query asks for, by arithmetic."""

from dataclasses import replace

import numpy as np
import pytest

from reranker.models.wordpieces import DraftPieces
from reranker.signals import Context
from reranker.signals.compared_texts import split_words
from reranker.signals.exact_words import EXACT, IN_ORDER, SKIPPED, WHOLE, find_required, is_query, score_words
from reranker.signals.word_forms import match_forms, read_forms
from rostrum_core.candidates import make_columns
from rostrum_core.types import Candidate, Draft, Paragraph, Tokens

TEXTS = ["The only thing we have to fear is fear itself.", "Fear of itself", "We hope", "We have hope itself"]
VOCABULARY = {word: number for number, word in enumerate(sorted({w for t in TEXTS for w in split_words(t)}))}


def pieces(text: str) -> Tokens:
    ids = np.array([VOCABULARY[word] for word in split_words(text)], np.int32)
    return Tokens(ids, ids, ids)


def context(draft: Draft) -> Context:
    rows = [
        Candidate(Paragraph(str(i), "a", i, text, 0, len(text)), pieces(text), {})
        for i, text in enumerate(TEXTS)
    ]
    known = " ".join(word for word in split_words(draft.title + " " + draft.left) if word in VOCABULARY)
    nothing = np.empty(0, np.int32)
    return Context(make_columns(rows), draft, DraftPieces(pieces(known).ids, nothing))


def test_all_words_in_order_outweigh_the_same_words_apart():
    scores = EXACT.column(context(Draft(left="fear itself")))
    assert scores is not None
    assert scores[0] > 1 >= scores[1] > scores[3] > scores[2] == 0


def test_a_longer_draft_is_no_query():
    draft = Draft(left="word " * 13)
    assert not is_query(draft)
    assert EXACT.column(context(draft)) is None
    assert not is_query(Draft(left="He said", right="and left"))


@pytest.mark.parametrize("mark", ['"{}"', "“{}”", "„{}“", "«{}»"])
def test_words_in_quotation_marks_must_occur_in_order(mark):
    found = find_required(context(Draft(left=mark.format("fear itself") + " hope")))
    assert found is not None
    assert found.tolist() == [0]


def test_required_words_that_no_candidate_has_are_ignored():
    assert find_required(context(Draft(left='"we fear hope"'))) is None
    assert find_required(context(Draft(left="fear itself"))) is None


def test_a_query_with_one_wrong_word_counts_its_words_in_order():
    rarity = dict.fromkeys("abc", 1.0)
    one_skipped_in_each = 2 * SKIPPED
    assert score_words(list("abc"), rarity, list("xaycb")) == pytest.approx(
        (3 / 3 + (2 * (1 + IN_ORDER) - one_skipped_in_each) / (3 * (1 + IN_ORDER))) / 2
    )
    assert score_words(list("abc"), rarity, list("cba")) == pytest.approx((3 / 3 + 1 / 3) / 2)


def test_a_line_that_memory_changed_has_a_share_of_the_bonus_of_a_whole_one():
    rarity = dict.fromkeys("abcdefz", 1.0)
    whole, wrong, reordered, apart = (
        score_words(list("abcdef"), rarity, list(words))
        for words in ("xabcdefx", "xabczefx", "xfedcbax", "fxxxxxexxxxxdcba")
    )
    assert whole == 1 + WHOLE
    assert whole > wrong > reordered > 1.0 > apart


def test_words_in_order_do_not_count_over_a_long_gap():
    rarity = dict.fromkeys("ab", 1.0)
    assert score_words(["a", "b"], rarity, ["a", *["x"] * 6, "b"]) == pytest.approx((2 / 2 + 1 / 2) / 2)


@pytest.mark.parametrize(
    ("remembered", "spoken"),
    [
        ("hope does not travel alone", "Hope doesn’t travel alone."),
        ("it doesnt travel 1,000 days", "It doesn't travel one thousand days."),
        ("we can not and cannot", "We can not and can't"),
        ("with malice towards none, honoured neighbours", "With malice toward none, honored neighbors"),
        ("Gorbatchev and Ladin", "Gorbachev and Laden"),
    ],
)
def test_a_remembered_line_has_the_words_of_the_speech_however_it_is_written(remembered, spoken):
    assert match_forms(read_forms(remembered), [read_forms(spoken)]) == read_forms(spoken)


@pytest.mark.parametrize(
    ("word", "other"), [("house", "mouse"), ("war", "wars"), ("1941", "1942"), ("house", "home")]
)
def test_a_word_of_its_own_is_not_read_as_another(word, other):
    assert match_forms([word], [[other]]) == [word]
    assert match_forms([word], [[other], [word]]) == [word]


def test_nobody_names_himself():
    fear = [Candidate(Paragraph(o, o, 0, TEXTS[0], 0, len(TEXTS[0])), pieces(TEXTS[0]), {}) for o in "ab"]
    columns = make_columns(fear)
    columns = replace(columns, speakers=["Franklin D. Roosevelt", "Joe Biden"])
    draft = Draft(left="Roosevelt: fear itself")
    scores = EXACT.column(
        Context(columns, draft, DraftPieces(pieces("fear itself").ids, np.empty(0, np.int32)))
    )
    assert scores is not None
    assert scores[0] == 1 + WHOLE > 1.0 > scores[1]


def test_a_text_with_the_words_in_quotation_marks_is_what_a_query_seeks():
    draft = Draft(left="“fear is fear” we hope, have hope, a line of banks")
    scores = EXACT.column(context(draft))
    assert scores is not None
    assert scores[0] > 1.0 > scores[1:].max()
