"""Many gaps are sent to workers in short tasks, so that other requests get their turn in between."""

import numpy as np
import pytest

from jobs.famous.encoding import MODEL_PARTS, TASK_GAPS, QuoteEncoder, Vectors
from jobs.famous.job import BATCH_GAPS, GapContext, rank_quotes
from jobs.famous.quote_list import QuoteList
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import FamousQuote

HASHES = dict.fromkeys(MODEL_PARTS, "0")


class NumberRunner:
    """Encode the gap after the word "7" as the angle of 7 degrees, and record the size of each task."""

    def __init__(self):
        self.calls, self.timeouts = [], []

    def run(self, task, payloads, *, timeout_s):
        assert task == "famous_gaps"
        self.calls.append([len(payload["sides"]) for payload in payloads])
        self.timeouts.append(timeout_s)
        return [self.encode(payload) for payload in payloads]

    def encode(self, payload):
        angles = np.radians([int(left) for left, _ in payload["sides"]])
        vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        return {name: vectors for name in ("own", "general", "draft") if name != "draft" or payload["draft"]}


@pytest.fixture
def runner():
    return NumberRunner()


@pytest.fixture
def listed():
    """Three quotes, at 0, 180 and 359 degrees."""
    angles = np.radians([0, 180, 359])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    quotes = tuple(FamousQuote(str(number), f"quote {number}") for number in (0, 180, 359))
    return QuoteList("own", quotes, Vectors(vectors, vectors))


def count_degrees(vectors):
    return np.degrees(np.arctan2(vectors[:, 1], vectors[:, 0])).round().astype(int).tolist()


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize(
    ("count", "sizes"),
    [(1, [1]), (TASK_GAPS, [TASK_GAPS]), (2 * TASK_GAPS + 1, [TASK_GAPS, TASK_GAPS, 1])],
)
def test_gaps_are_split_into_tasks_and_their_vectors_stay_in_order(runner, count, sizes, draft):
    sides = [(str(number), "") for number in range(count)]
    vectors = QuoteEncoder(runner, HASHES).encode_gaps(sides, draft=draft, timeout_s=60)
    assert runner.calls == [sizes]
    assert count_degrees(vectors.own) == count_degrees(vectors.general) == list(range(count))
    assert (vectors.draft is not None) == draft
    assert vectors.draft is None or count_degrees(vectors.draft) == list(range(count))


def test_each_batch_of_gaps_has_the_whole_timeout_and_answers_stay_in_order(runner, listed):
    numbers = [0, 180, 359] * BATCH_GAPS
    contexts = [GapContext("", str(number), "") for number in numbers]
    encoder = QuoteEncoder(runner, HASHES)
    rankings = rank_quotes(contexts, listed, encoder, limit=1, timeout_s=5)
    assert [best.quote.id for (best,) in rankings] == [str(number) for number in numbers]
    assert [sum(sizes) for sizes in runner.calls] == [BATCH_GAPS] * 3
    assert runner.timeouts == [5] * 3


def test_a_gap_without_text_is_refused_before_anything_is_encoded(runner, listed):
    contexts = [GapContext(str(number), "1", "") for number in range(BATCH_GAPS)]
    with pytest.raises(BadInput, match="context last: no text"):
        rank_quotes(
            [*contexts, GapContext("last", " ", "")],
            listed,
            QuoteEncoder(runner, HASHES),
            limit=1,
            timeout_s=5,
        )
    assert runner.calls == []


def test_no_gaps_have_no_answers(runner, listed):
    assert rank_quotes([], listed, QuoteEncoder(runner, HASHES), limit=1, timeout_s=5) == []
    assert runner.calls == []
