"""Vectors of quotes with trained vectors of features: as shipped at first, and better where features help."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from benchmarks.baselines.famous_synsets import FeaturedQuotes, number_features, train_quotes  # noqa: E402


def test_features_of_one_text_only_are_left_out():
    bags, size = number_features(["Rain, rain!", "The rain falls.", "A stone"], lambda word: [word, word[:1]])
    names = ["r", "rain"]  # every other word and initial stands in one text
    assert size == len(names)
    assert [[names[feature] for feature in bag] for bag in bags] == [["rain", "r"] * 2, ["rain", "r"], []]


def test_quotes_are_as_shipped_before_training():
    shipped = np.eye(3, dtype=np.float32)
    quotes = FeaturedQuotes(shipped, [([[0], [], [0, 0]], 1), ([[], [], []], 0)])
    assert np.allclose(quotes().detach().numpy(), shipped)


def test_a_quote_without_contexts_moves_with_those_that_share_its_feature():
    chance = np.random.default_rng(1)
    shipped = chance.normal(size=(6, 8)).astype(np.float32)
    shipped /= np.linalg.norm(shipped, axis=1, keepdims=True)
    topic = chance.normal(size=8).astype(np.float32)
    topic /= np.linalg.norm(topic)
    bags = [[0], [0], [0], [1], [1], [1]]
    contexts = torch.from_numpy(np.stack([topic] * 2))  # of the quotes 0 and 1, never of 2
    quotes = FeaturedQuotes(shipped, [(bags, 2)])
    trained, best = train_quotes(
        quotes, contexts, torch.tensor([0, 1]), lambda vectors: float(vectors[:2].mean(0) @ topic), seed=1
    )
    assert best > shipped[:2].mean(0) @ topic
    assert trained[2] @ topic > shipped[2] @ topic
