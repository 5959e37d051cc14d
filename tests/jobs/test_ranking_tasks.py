"""Texts are cut into tasks by what they are, and the answers join in the order of the texts."""

import numpy as np

from jobs.ranking_tasks import judged_of, parts
from reranker.models.batches import BATCH_TOKENS
from rostrum_core.types import Placing, Span, Tokens


def pieces(length: int) -> Tokens:
    zeros = np.zeros(length, np.int32)
    return Tokens(zeros, zeros, zeros)


def test_parts_are_of_like_length_and_within_the_batch_budget():
    third = BATCH_TOKENS // 3 - 2  # three such fill a part, with [CLS] and [SEP] each
    found = [pieces(n) for n in (third, BATCH_TOKENS, 1, third, third + 5, 1)]
    assert parts(found, BATCH_TOKENS) == [[2, 5, 0], [3, 4], [1]]


def test_no_texts_are_no_parts():
    assert parts([], BATCH_TOKENS) == []


def test_answers_are_joined_in_the_order_of_the_texts():
    answers = [
        {
            "scores": np.array([0.3, 0.1], np.float32),
            "spans": np.array([[3, 4], [1, 2]], np.int32),
            "span_scores": np.array([30, 10], np.float32),
        },
        {
            "scores": np.array([0.2], np.float32),
            "spans": np.array([[2, 3]], np.int32),
            "span_scores": np.array([20], np.float32),
        },
    ]
    judged = judged_of(answers, [[2, 0], [1]])
    np.testing.assert_allclose(judged.model, [0.1, 0.2, 0.3], rtol=1e-6)
    assert judged.span.tolist() == [10.0, 20.0, 30.0]
    assert judged.spans == (Span(1, 2, 10.0), Span(2, 3, 20.0), Span(3, 4, 30.0))


def test_each_window_of_an_overlong_paragraph_reads_its_own_placing(models):
    text = "The committee adjourned until the following Tuesday without a vote. " * 50
    [tokens] = models.wordpieces.pieces([text])
    since, until = np.full((2, len(tokens)), Placing.NOTHING, np.int32)
    told = text.index("The", 2700)
    first, last = (int(tokens.starts.searchsorted(text.index(word, told))) for word in ("The", "vote"))
    since[first] = until[last] = 0
    query = models.wordpieces.query("Moon", "He spoke in Houston.")
    [found] = models.ranker.rank(query, [text], [tokens], [Placing(since, until)])
    assert (found.span.start_char, found.span.end_char) == (tokens.starts[first], tokens.ends[last])


def test_the_answer_to_parts_is_that_to_the_whole_bit_for_bit(models):
    texts = ["We choose to go to the moon. " * n for n in (1, 9, 24, 3, 17, 28, 28, 2, 12, 26, 25, 25)]
    encoded = models.encoder.encodings(texts)
    query = models.wordpieces.query("Moon", "He spoke in Houston.")
    whole = models.ranker.rank(query, texts, [e.tokens for e in encoded])
    cuts = parts([e.tokens for e in encoded], models.engine.batch_tokens)
    assert len(cuts) > 1
    for cut in cuts:
        ranked = models.ranker.rank(query, [texts[i] for i in cut], [encoded[i].tokens for i in cut])
        assert ranked == [whole[i] for i in cut]
