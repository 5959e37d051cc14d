"""Estimate where the next quote is likely, against distances counted word by word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reranker.models.wordpieces import DraftPieces
from reranker.signals.following import REPEATED_LIFT, compute_lift, compute_span_lifts, find_quoted
from reranker.signals.phrases import PHRASE_PIECES, count_quoted, find_shared
from rostrum_core.candidates import make_columns
from rostrum_core.types import Candidate, Paragraph, Placing, Tokens

QUOTED, NOTHING = Placing.QUOTED, Placing.NOTHING
SAID = [11, 12, 13, 14, 15, 16]  # a phrase
LATER = [21, 22, 23, 24, 25, 26]
STOP = 9  # a full stop, which is no word


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def draft(before=(), after=()) -> DraftPieces:
    return DraftPieces(ids(*before), ids(*after))


def paragraph(*numbers: int) -> tuple[str, Tokens]:
    """A text of words of one letter, each a piece with the next of these ids."""
    text = " ".join("." if number == STOP else "a" for number in numbers)
    starts = 2 * np.arange(len(numbers), dtype=np.int32)
    return text, Tokens(ids(*numbers), starts, starts + 1)


def score_paragraphs(words, *paragraphs, documents=None, ordinals=None):
    texts, tokens = zip(*paragraphs, strict=True)
    documents = documents or ["a"] * len(texts)
    places = list(zip(documents, ordinals or range(len(texts)), strict=True))
    rows = [
        Candidate(Paragraph("", document, ordinal, text, 0, len(text)), of_text, {})
        for (document, ordinal), text, of_text in zip(places, texts, tokens, strict=True)
    ]
    found = find_quoted(words, make_columns(rows))
    row_of = [sorted(places).index(place) for place in places]
    quoted, follows = found.quoted[row_of].tolist(), found.follows[row_of].tolist()
    return quoted, follows, [found.placings.get(row) for row in row_of]


def since(words, *paragraphs, **told_of):
    return [each and each.words_since.tolist() for each in score_paragraphs(words, *paragraphs, **told_of)[2]]


def until(words, *paragraphs, **told_of):
    return [each and each.words_until.tolist() for each in score_paragraphs(words, *paragraphs, **told_of)[2]]


def test_distances_are_words_from_what_is_quoted_before_across_paragraphs():
    some = [paragraph(1, 2), paragraph(3, *SAID, 4), paragraph(5, 6)]
    assert since(draft(SAID), *some) == [[NOTHING] * 2, [NOTHING, *[QUOTED] * 6, 0], [1, 2]]
    assert until(draft(SAID), *some) == [[NOTHING] * 2, [NOTHING, *[QUOTED] * 6, NOTHING], [NOTHING] * 2]


def test_distances_go_up_to_what_is_quoted_after_it_too():
    some = [paragraph(1, 2), paragraph(3, *SAID, 4)]
    assert until(draft(after=SAID), *some) == [[2, 1], [0, *[QUOTED] * 6, NOTHING]]
    assert since(draft(after=SAID), *some) == [[NOTHING] * 2, [NOTHING, *[QUOTED] * 6, NOTHING]]


def test_distances_are_both_known_between_two_quotations():
    between = paragraph(*SAID, 1, 2, 3, *LATER)
    assert since(draft(SAID, LATER), between) == [[*[QUOTED] * 6, 0, 1, 2, *[QUOTED] * 6]]
    assert until(draft(SAID, LATER), between) == [[*[QUOTED] * 6, 2, 1, 0, *[QUOTED] * 6]]


def test_distances_are_of_words_and_not_of_what_stands_between_them():
    stopped = paragraph(*SAID, STOP, STOP, 1, 2)
    assert since(draft(SAID), stopped)[0][6:] == [0, 0, 0, 1]
    assert until(draft(after=SAID), paragraph(1, 2, STOP, *SAID))[0][:2] == [1, 0]
    assert until(draft(after=[STOP, *SAID]), paragraph(1, 2, STOP, *SAID))[0] == [1, 0, *[QUOTED] * 7]


def test_distances_count_paragraphs_that_are_not_at_hand_with_the_mean_length():
    # the mean of 6 and 2 words is 4; paragraphs 1 and 2 are missing, so that 8 words lie between
    found = since(draft(SAID), paragraph(1, 2), paragraph(*SAID), ordinals=[3, 0])
    assert found == [[8, 9], [QUOTED] * 6]


def test_distances_are_not_known_in_documents_of_which_nothing_is_quoted():
    found = score_paragraphs(draft(SAID), paragraph(*SAID), paragraph(1), documents=["a", "b"])
    assert found[2][0] is not None
    assert (found[1][1], found[2][1]) == (0.0, None)
    assert score_paragraphs(draft([1]), paragraph(*SAID))[1:] == ([0.0], [None])


pieces = st.lists(st.sampled_from([0, 1, STOP]), max_size=14)


@given(pieces, pieces, st.lists(pieces, min_size=1, max_size=4))
def test_distances_are_those_counted_word_by_word(before, after, paragraphs):
    def held(part):
        phrases = {tuple(part[i : i + PHRASE_PIECES]) for i in range(len(part) - PHRASE_PIECES + 1)}
        found = []
        for text in paragraphs:
            own = np.zeros(len(text), bool)
            for i in range(len(text) - PHRASE_PIECES + 1):
                if tuple(text[i : i + PHRASE_PIECES]) in phrases:
                    own[i : i + PHRASE_PIECES] = True
            found.extend(own)
        return found

    said, later = held(before), held(after)
    _, follows, found = score_paragraphs(draft(before, after), *(paragraph(*each) for each in paragraphs))
    if not any(said) and not any(later):
        assert (follows, found) == ([0.0] * len(paragraphs), [None] * len(paragraphs))
        return
    is_word = [number != STOP for text in paragraphs for number in text]
    ahead, behind = [], []
    for i in range(len(said)):
        earlier, further = [j for j in range(i) if said[j]], [j for j in range(i, len(said)) if later[j]]
        is_quoted = said[i] or later[i]
        ahead.append(QUOTED if is_quoted else sum(is_word[earlier[-1] + 1 : i]) if earlier else NOTHING)
        behind.append(QUOTED if is_quoted else sum(is_word[i + 1 : further[0]]) if further else NOTHING)
    words = np.flatnonzero(is_word)
    assert np.concatenate([each.words_since for each in found])[words].tolist() == [ahead[i] for i in words]
    assert np.concatenate([each.words_until for each in found])[words].tolist() == [behind[i] for i in words]


def test_the_next_word_is_likeliest_and_what_is_quoted_the_least_likely():
    lift = compute_lift(ids(0, 1, 20, 300, NOTHING, QUOTED))
    assert (np.diff(lift) < 0).all()
    assert lift[4] == 0


def test_follows_is_the_mean_likelihood_of_a_paragraph_s_words():
    _, follows, _ = score_paragraphs(draft(SAID), paragraph(*SAID, STOP, 1), paragraph(STOP))
    next_word, again = np.exp(compute_lift(ids(0, QUOTED)))
    assert follows == [pytest.approx(np.log((6 * again + next_word) / 7)), 0.0]


def test_follows_sums_the_quotes_before_and_after():
    _, follows, _ = score_paragraphs(draft(SAID, LATER), paragraph(*SAID), paragraph(1), paragraph(*LATER))
    assert follows[1] == pytest.approx(2 * compute_lift(ids(0))[0])


def test_follows_is_lowest_for_a_paragraph_quoted_already():
    some = [paragraph(1), paragraph(*SAID), paragraph(2), paragraph(*[3] * 30)]
    _, follows, _ = score_paragraphs(draft(SAID), *some)
    assert follows[2] > follows[3] > follows[0] == 0 > follows[1]


def test_quoted_counts_both_parts_of_the_draft():
    text = paragraph(*SAID, *LATER)
    ends = np.array([len(text[1])])
    both = [find_shared(ids(*part), text[1].ids, ends) for part in (SAID, LATER)]
    counted = count_quoted(both, np.array([0])).tolist()
    assert score_paragraphs(draft(SAID, LATER), text)[0] == counted == pytest.approx([np.log(3)])


def test_spans_are_likely_for_where_they_begin_and_for_where_they_end():
    placing = Placing(ids(0, 1, 2), ids(2, 1, 0))
    lifts = compute_span_lifts(placing, np.array([0, 2]), np.array([0, 2]))
    first, third = compute_lift(ids(0, 2))
    assert lifts == pytest.approx(np.array([[first + third, 2 * first], [2 * third, third + first]]))


def test_spans_over_what_the_draft_quotes_are_no_likelier_than_that():
    placing = Placing(ids(0, QUOTED, 0), ids(NOTHING, QUOTED, NOTHING))
    lifts = compute_span_lifts(placing, np.array([0, 1, 2]), np.array([0, 2]))
    again = compute_lift(ids(QUOTED))[0]
    assert lifts[0, 1] == lifts[1, 1] == again < lifts[0, 0] == lifts[2, 1]


def test_a_quoted_document_reaches_into_no_other():
    words = draft(SAID, LATER)
    ones = [paragraph(1, 2), paragraph(3, *SAID, 4), paragraph(*LATER, 5, 6)]
    others = [paragraph(7, *LATER), paragraph(8, 9, 10), paragraph(*SAID, 11, 12)]
    documents, ordinals = ["a"] * 3 + ["b"] * 3, [0, 2, 5, 1, 4, 5]
    together = score_paragraphs(words, *ones, *others, documents=documents, ordinals=ordinals)
    apart = [
        score_paragraphs(words, *ones, ordinals=ordinals[:3]),
        score_paragraphs(words, *others, ordinals=ordinals[3:]),
    ]
    assert together[1] == apart[0][1] + apart[1][1]
    for placing, alone in zip(together[2], apart[0][2] + apart[1][2], strict=True):
        assert placing.words_since.tolist() == alone.words_since.tolist()
        assert placing.words_until.tolist() == alone.words_until.tolist()


def test_a_span_that_mostly_repeats_the_draft_is_the_last_to_be_chosen():
    placing = Placing(ids(QUOTED, QUOTED, 0, 1), ids(QUOTED, QUOTED, NOTHING, NOTHING))
    lifts = compute_span_lifts(placing, np.array([0, 1, 2]), np.array([1, 3]))
    assert lifts[0, 0] == lifts[1, 0] == REPEATED_LIFT < lifts[0, 1] == compute_lift(ids(QUOTED))[0]
    assert lifts[2, 1] > 0
