"""Texts are cut into tasks by what they are, and the answers join in the order of the texts."""

import json

import numpy as np
import pytest

from archive.shipped_files import locate_shipped
from jobs.ranking_tasks import TASK_TOKENS, join_results, judge, judge_best, split_tasks
from reranker.models import prefixes as prefixes_module
from reranker.models.batches import BATCH_TOKENS, RANK_TOKENS
from reranker.models.files import PARTS
from reranker.models.ranker import Ranker
from reranker.models.weights import read_graph
from rostrum_core.errors import ModelError
from rostrum_core.types import Placing, Span, Tokens
from workers.runner.inline import InlineRunner


def sample_paragraphs(count: int) -> list[str]:
    """Return every 60th paragraph of the sample speeches."""
    with locate_shipped("samples/speeches.jsonl").open(encoding="utf-8") as lines:
        paragraphs = [text for line in lines for text in json.loads(line)["paragraphs"]]
    return paragraphs[:: len(paragraphs) // count][:count]


def pieces(length: int) -> Tokens:
    zeros = np.zeros(length, np.int32)
    return Tokens(zeros, zeros, zeros)


def test_parts_are_of_like_length_and_within_the_batch_budget():
    third = RANK_TOKENS // 3 - 5  # three such fill a part, with [CLS] and [SEP] each
    found = [pieces(n) for n in (third, TASK_TOKENS, 1, third, third, third, 1)]
    assert split_tasks(found, RANK_TOKENS) == [[2, 6, 0, 3, 4, 5], [1]]  # passes of 16, 336 and 1,008 tokens


def test_adjacent_batches_share_a_task_up_to_its_size():
    found = [pieces(n) for n in (60, 30, 30, 60)]  # with [CLS] and [SEP] 62 or 32
    assert split_tasks(found, 64) == [[1, 2, 0, 3]]  # batches of 64, 62 and 62 tokens
    assert split_tasks([pieces(TASK_TOKENS - 64), *found[:2]], 64) == [[2, 1], [0]]  # 32 + 62, then 1,986


def test_no_texts_are_no_parts():
    assert split_tasks([], BATCH_TOKENS) == []


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
    judged = join_results(answers, [[2, 0], [1]])
    np.testing.assert_allclose(judged.model, [0.1, 0.2, 0.3], rtol=1e-6)
    assert judged.span.tolist() == [10.0, 20.0, 30.0]
    assert judged.spans == (Span(1, 2, 10.0), Span(2, 3, 20.0), Span(3, 4, 30.0))


def test_each_window_of_an_overlong_paragraph_reads_its_own_placing(models):
    text = "The committee adjourned until the following Tuesday without a vote. " * 50
    [tokens] = models.wordpieces.tokenise([text])
    since, until = np.full((2, len(tokens)), Placing.NOTHING, np.int32)
    position = text.index("The", 2700)
    first, last = (int(tokens.starts.searchsorted(text.index(word, position))) for word in ("The", "vote"))
    since[first] = until[last] = 0
    query = models.wordpieces.tokenise_query("Moon", "He spoke in Houston.")
    [found] = models.ranker.rank(query, [text], [tokens], [Placing(since, until)])
    assert (found.span.start_char, found.span.end_char) == (tokens.starts[first], tokens.ends[last])


def test_the_answer_to_parts_is_that_to_the_whole_bit_for_bit(models):
    texts = ["We choose to go to the moon. " * n for n in (1, 9, 24, 3, 17, 28, 28, 2, 12, 26, 25, 25) * 2]
    encoded = models.encoder.encodings(texts)
    query = models.wordpieces.tokenise_query("Moon", "He spoke in Houston.")
    whole = models.ranker.rank(query, texts, [e.tokens for e in encoded])
    cuts = split_tasks([e.tokens for e in encoded], models.engine.rank_tokens)
    assert len(cuts) > 1
    for cut in cuts:
        ranked = models.ranker.rank(query, [texts[i] for i in cut], [encoded[i].tokens for i in cut])
        assert ranked == [whole[i] for i in cut]


def test_the_token_budget_changes_neither_the_order_nor_a_span(models):
    """Drafts and paragraphs of the sample speeches, one after the other."""
    texts = sample_paragraphs(60)
    tokens = models.wordpieces.tokenise(texts)
    query = models.wordpieces.tokenise_query("A nation at peace", texts[7])
    graphs = [read_graph(models.manifest, name, models.engine) for name in ("prefix", "paragraph")]
    by_budget = [
        Ranker(*graphs, models.words, models.wordpieces, budget).rank(query, texts, tokens)
        for budget in (RANK_TOKENS, BATCH_TOKENS)
    ]
    orders = [sorted(range(len(texts)), key=lambda i: -ranked[i].score) for ranked in by_budget]
    assert orders[0] == orders[1]
    spans = [[(r.span.start_char, r.span.end_char) for r in ranked] for ranked in by_budget]
    assert spans[0] == spans[1]


def test_both_parts_of_the_layers_rank_as_all_layers_in_one(models):
    texts = [*sample_paragraphs(24), "We choose to go to the moon. " * 60, "", "Yes."]
    tokens = models.wordpieces.tokenise(texts)
    query = models.wordpieces.tokenise_query("A nation at peace", texts[7])
    graphs = [read_graph(models.manifest, name, models.engine) for name in PARTS["ranker"].graphs]
    whole = Ranker(*graphs, models.words, models.wordpieces).rank(query, texts, tokens)
    models.ranker.estimate(query, tokens[:9])  # their hidden states are kept; the others are read again
    parted = models.ranker.rank(query, texts, tokens)
    np.testing.assert_allclose([r.score for r in parted], [r.score for r in whole], atol=2e-4)
    assert [(r.span.start_char, r.span.end_char) for r in parted] == [
        (r.span.start_char, r.span.end_char) for r in whole
    ]


def test_hidden_states_are_bounded_and_computed_again_if_forgotten(models, monkeypatch):
    texts = sample_paragraphs(12)
    tokens = models.wordpieces.tokenise(texts)
    queries = [models.wordpieces.tokenise_query("Peace", text) for text in texts[:3]]
    expected = [[ranked.score for ranked in models.ranker.rank(q, texts, tokens)] for q in queries]
    one_draft = sum(len(pieces) + 2 for pieces in tokens) * 384 * 4
    for bound, drafts in ((one_draft, 1), (one_draft // 2, 0), (2 * one_draft, 2)):
        monkeypatch.setattr(prefixes_module, "MOST_HIDDEN_BYTES", bound)
        models.ranker.forget_drafts()
        for query in queries:
            models.ranker.estimate(query, tokens)
        kept = models.ranker._prefixes.count_hidden_bytes()
        assert kept <= bound
        assert (kept > 0) == (drafts > 0)
        scores = [[ranked.score for ranked in models.ranker.rank(q, texts, tokens)] for q in queries]
        np.testing.assert_allclose(scores, expected, atol=2e-4)


def test_estimates_keep_the_best_paragraphs(models):
    texts = sample_paragraphs(60)
    tokens, stayed = models.wordpieces.tokenise(texts), 0
    for title, left in zip(texts[1::12], texts[7::12], strict=True):
        query = models.wordpieces.tokenise_query(title, left)
        estimates = models.ranker.estimate(query, tokens)
        scores = np.array([r.score for r in models.ranker.rank(query, texts, tokens)])
        assert scores.argmax() in np.argsort(-estimates)[:10]
        stayed += len(np.intersect1d(np.argsort(-scores)[:3], np.argsort(-estimates)[:20]))
        assert np.corrcoef(scores, estimates)[0, 1] > 0.6
    assert stayed >= 14  # of the best three of five drafts


def test_models_without_an_early_head_estimate_nothing(models):
    graphs = [read_graph(models.manifest, name, models.engine) for name in PARTS["ranker"].graphs]
    ranker = Ranker(*graphs, models.words, models.wordpieces)
    with pytest.raises(ModelError, match="no early head"):
        ranker.estimate(
            models.wordpieces.tokenise_query("", "Peace."), models.wordpieces.tokenise(["Peace."])
        )


def test_only_the_chosen_texts_run_through_all_layers(models):
    texts = sample_paragraphs(40)
    tokens = models.wordpieces.tokenise(texts)
    query = models.wordpieces.tokenise_query("A nation at peace", texts[7])
    seen = []

    def choose(estimates):
        seen.append(estimates)
        return [30, 2, 11]

    runner, limits = InlineRunner(lambda: models), {"batch_tokens": RANK_TOKENS, "timeout_s": 60.0}
    judged = judge_best(runner, query, texts, tokens, [None] * 40, choose, **limits)
    whole = judge(runner, query, texts, tokens, [None] * 40, **limits)
    chosen = [2, 11, 30]
    assert np.flatnonzero(judged.is_ranked).tolist() == chosen
    np.testing.assert_allclose(judged.model[chosen], whole.model[chosen], atol=2e-4)
    assert [judged.spans[i].start_char for i in chosen] == [whole.spans[i].start_char for i in chosen]
    others = np.setdiff1d(np.arange(40), chosen)
    np.testing.assert_array_equal(judged.model[others], seen[0][others])
    assert set(judged.span[others]) == {judged.span[chosen].min()}
    assert whole.is_ranked.all()
