"""The words that a query asks for, by arithmetic."""

import numpy as np
import pytest

from reranker.models.wordpieces import DraftPieces
from reranker.signals import Context
from reranker.signals.compared_texts import split_words
from reranker.signals.exact_words import EXACT, find_required, is_query, score_words
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


def test_a_query_with_one_wrong_word_counts_its_longest_run():
    rarity = dict.fromkeys("abcd", 1.0)
    assert score_words(list("abcd"), rarity, list("xabyd")) == pytest.approx((3 + 2) / 8)
    assert score_words(list("abcd"), rarity, list("dcba")) == pytest.approx((4 + 1) / 8)
