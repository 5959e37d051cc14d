"""The systems that the job famous is compared with, on a data set of six quotes made for this test."""

import gzip
import json
import math
import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from benchmarks.baselines.famous_counts import (  # noqa: E402
    ContextVectors,
    make_bm25,
    make_classifier,
    make_relevance_model,
    multiply_ranks,
)
from benchmarks.baselines.famous_rows import FamousRows, Ranks, compare_ranks, describe_ranks, rank_rows  # noqa: E402

TOPICS = {
    "Gen 1:1": ("sailor ship harbour", "The sea gives and the sea takes."),
    "Gen 1:2": ("farmer field plough", "Who sows in tears shall reap in joy."),
    "Exod 2:1": ("judge court verdict", "Let the scales be even for all."),
    "Exod 2:2": ("doctor fever hospital", "A merry heart is medicine."),
    "Ruth 3:1": ("teacher school lesson", "Wisdom builds her house slowly."),
    "Ruth 3:2": ("soldier battle trench", "Swords shall become ploughs."),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder, chance = tmp_path_factory.mktemp("famous"), random.Random(7)
    verses = [{"ref": ref, "text": text, "contexts": 1} for ref, (_, text) in TOPICS.items()]
    rows = []
    for split, count in (("train", 12), ("dev", 1), ("test", 2)):
        for ref, (topic, text) in TOPICS.items():
            for number in range(count if ref != "Ruth 3:2" or split == "test" else 0):
                words = chance.sample([*topic.split(), "morning", "again", "people"], 5)
                left, right = " ".join(words[:3]), " ".join(words[3:])
                doc = f"{split}-{ref}-{number}"
                rows.append(
                    {"ref": ref, "quote": text, "left": left, "right": right, "split": split, "doc": doc}
                )
    rows.append({**rows[0], "repeated": True})
    for name, content in (("kjv-verses", verses), ("kjv-contexts", rows)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row) + "\n" for row in content)
    return FamousRows.read(folder)


def test_rows_are_the_clean_ones_by_split(data):
    assert {name: len(rows) for name, rows in data.splits.items()} == {"train": 60, "dev": 5, "test": 12}
    assert data.frequent == [0, 1, 2, 3, 4]
    assert data.trained["Ruth 3:2"] == 0


def test_figures_are_those_of_the_ranks(data):
    ranks = Ranks((1,) * 6 + (2,) * 4 + (6, 6), (1,) * 10)
    figures = describe_ranks(data, ranks)
    assert figures["all"]["mrr"] == round((6 + 4 / 2 + 2 / 6) / 12, 4)
    assert figures["frequent"]["r@1"] == 100
    assert figures["trained on"]["0"] == {**figures["trained on"]["0"], "n": 2, "mrr": round(1 / 6, 4)}
    assert figures["trained on"]["5-19"]["n"] == 10
    assert sum(bucket["n"] for bucket in figures["trained on"].values()) == 12


def test_the_same_ranks_do_not_differ(data):
    ranks = Ranks((1,) * 12, (1,) * 10)
    assert compare_ranks(data, ranks, ranks) == {"all": 1.0, "frequent": 1.0}
    worse = compare_ranks(data, ranks, Ranks((6,) * 12, (5,) * 10))
    assert worse["all"] < 0.01


@pytest.mark.parametrize("make", [make_relevance_model, make_classifier])
def test_contexts_that_were_trained_on_lead_to_their_quote(data, make):
    score = make(data, ContextVectors(data))
    assert rank_rows(data, score, "both").frequent == (1,) * 10
    assert max(rank_rows(data, score, "left").frequent) > 0


def test_the_relevance_is_the_mean_of_squared_similarities(data):
    vectors = ContextVectors(data)
    row = data.splits["test"][0]
    similar = (vectors.read([row], "both") @ vectors.trained.T).toarray()[0]
    own = [
        value
        for value, other in zip(similar, data.splits["train"], strict=True)
        if other["ref"] == row["ref"]
    ]
    score = make_relevance_model(data, vectors)([row], "both")[0, data.place[row["ref"]]]
    assert math.isclose(score, sum(value**2 for value in own) / len(own), rel_tol=1e-5)


def test_ranks_are_multiplied():
    first, second = np.array([[3.0, 2.0, 1.0]]), np.array([[1.0, 3.0, 2.0]])
    product = multiply_ranks([lambda rows, sides: first, lambda rows, sides: second])([], "both")
    assert np.allclose(-product, np.log([[1 * 3, 2 * 1, 3 * 2]]))


def test_bm25_reads_the_words_of_the_quote(data):
    scores = make_bm25(data)(
        [{"left": "swords", "right": "and ploughs"}, {"left": "sea", "right": ""}], "both"
    )
    assert scores.argmax(1).tolist() == [5, 0]


@pytest.mark.parametrize("kind", ["lstm", "nnqr", "n-qrm", "transform", "bert-sim", "bert-cls"])
def test_a_network_learns_which_quote_a_context_had(data, kind):
    from benchmarks.baselines.famous_networks import (
        HeadNetwork,
        NetworkRecipe,
        Vocabulary,
        WordNetwork,
        make_score,
        train_network,
    )

    torch.manual_seed(7)
    torch.set_num_threads(1)
    recipe = NetworkRecipe(width=16, embedded=16, batch=20, epochs=15, rate=3e-2, dropout=0.0)
    if kind.startswith("bert"):
        vectors = ContextVectors(data)
        read = vectors.read
        width = vectors.trained.shape[1]

        def encode(sides):
            rows = [{"left": left, "right": right} for left, right in sides]
            return read(rows, "both").toarray().astype(np.float32)

        network = HeadNetwork(kind, encode, np.eye(len(data.quotes), width, dtype=np.float32))
    else:
        network = WordNetwork(kind, data, Vocabulary(data), recipe)
    lines = []
    assert train_network(network, data, recipe, lines.append) > 0.7
    assert len(lines) == 15
    assert np.mean(rank_rows(data, make_score(network, data), "both").frequent) < 2  # of five: by chance 3
