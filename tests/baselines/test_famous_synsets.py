"""Vectors of quotes with trained vectors of features: as shipped at first, and better where features help."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from benchmarks.baselines.famous_synsets import FeaturedQuotes, number_features, read_synsets, train_quotes  # noqa: E402


def test_features_of_one_text_only_are_left_out():
    bags, size = number_features(["Rain, rain!", "The rain falls.", "A stone"], lambda word: [word, word[:1]])
    names = ["r", "rain"]  # every other word and initial stands in one text
    assert size == len(names)
    assert [[names[feature] for feature in bag] for bag in bags] == [["rain", "r"] * 2, ["rain", "r"], []]


def test_synsets_are_those_of_the_lemma_in_every_part_of_speech(tmp_path):
    for part, lines in {
        "noun": "  1 a licence\ncity n 1 1 @ 1 1 00000010\nrun n 2 1 @ 2 1 00000020 00000021",
        "verb": "run v 1 2 @ ~ 1 1 00000030",
        "adj": "good a 1 0 1 1 00000040",
        "adv": "",
    }.items():
        (tmp_path / f"index.{part}").write_text(lines, "ascii")
        (tmp_path / f"{part}.exc").write_text(
            {"verb": "ran run", "adj": "better good well"}.get(part, ""), "ascii"
        )
    list_synsets = read_synsets(tmp_path)
    assert list_synsets("runs") == ["noun-00000020", "noun-00000021", "verb-00000030"]
    assert list_synsets("ran") == ["verb-00000030"]
    assert list_synsets("cities") == ["noun-00000010"]
    assert list_synsets("better") == ["adj-00000040"]
    assert list_synsets("stone") == []


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
