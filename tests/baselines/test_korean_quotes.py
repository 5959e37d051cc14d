"""QuoteCSE over the vectors of a frozen trunk, on headlines and vectors made for this test."""

import gzip
import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from benchmarks.baselines import korean_networks  # noqa: E402
from benchmarks.baselines.korean_figures import judge  # noqa: E402
from benchmarks.baselines.korean_networks import (  # noqa: E402
    Article,
    assign_pairs,
    compute_contrast,
    join_features,
    train_classifier,
    train_projection,
)
from benchmarks.baselines.korean_quotes import (  # noqa: E402
    Headline,
    measure_projected,
    read_headlines,
    read_vectors,
    remove_mean,
    run_seed,
    score_by_edits,
    score_by_words,
)

WIDTH = 12


def normalise(vectors):
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def articles():
    """Half of the headlines have a quote of their article, with noise; the other half have none of it."""
    chance = np.random.default_rng(7)
    rows = []
    for number in range(80):
        body = normalise(chance.normal(size=(3, WIDTH)))
        label = number % 2
        quote = chance.normal(size=WIDTH) if label else body[1] + 0.05 * chance.normal(size=WIDTH)
        rows.append(Article(normalise(quote), body, label))
    return rows


def write_rows(path, rows):
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


def test_rows_of_both_files_are_read(tmp_path):
    old = {"title_quote": ["물가 상승"], "sentence_quotes": ["물가가 오른다", " "], "label": 0.0}
    new = {"headline_quote": "환영", "body_quotes": ["환영한다"], "label": 1}
    empty = {"headline_quote": "환영", "body_quotes": [], "label": 1}
    write_rows(tmp_path / "rows.jsonl.gz", [old, new, empty])
    assert read_headlines(tmp_path / "rows.jsonl.gz") == [
        Headline("물가 상승", ("물가가 오른다",), 0),
        Headline("환영", ("환영한다",), 1),
    ]


def test_texts_are_encoded_once(tmp_path):
    encoded = []

    def encode(texts):
        encoded.extend(texts)
        return np.array([[len(text), 1] for text in texts], np.float32)

    read_vectors(["a", "bb", "a"], tmp_path / "vectors.npz", lambda: encode)
    vectors = read_vectors(["bb", "ccc"], tmp_path / "vectors.npz", lambda: encode)
    assert encoded == ["a", "bb", "ccc"]
    assert {text: vector.tolist() for text, vector in vectors.items()} == {
        "a": [1, 1], "bb": [2, 1], "ccc": [3, 1],
    }  # fmt: skip


def test_vectors_without_their_mean_point_different_ways():
    vectors = remove_mean({"a": np.array([1, 0.1], np.float32), "b": np.array([1, -0.1], np.float32)})
    assert np.allclose(vectors["a"], -vectors["b"])


def test_the_same_words_are_no_edit_and_the_best_match():
    rows = [
        Headline("물가 상승이 문제", ("물가 상승이 문제", "환영한다"), 0),
        Headline("물가 상승이 문제", ("환영한다", "유감이다"), 1),
    ]
    edits, words = score_by_edits(rows), score_by_words(rows)
    assert edits[0] == 0 < edits[1] <= 1
    assert words[0] < words[1] == 0


def test_the_nearest_quote_is_the_positive_if_it_is_near_enough():
    head, near, far = normalise(np.array([[1, 0, 0], [1, 0.2, 0], [0, 1, 0]], np.float32))
    rows = [
        Article(head, np.stack([far, near]), 0),
        Article(head, far[None], 1),
        Article(head, near[None], 0),
    ]
    assert assign_pairs(rows, None, np.random.default_rng(0)) == [(0, 1, 0), (2, 0, -1)]


def test_contrast_is_that_of_the_formula():
    anchors = torch.eye(2)
    loss = compute_contrast(anchors, anchors, torch.tensor([[0.0, 1.0]]))
    # logits of the first anchor are 20, 0, 0; of the second 0, 20, 20
    first, second = -np.log(np.exp(20) / (np.exp(20) + 2)), -np.log(np.exp(20) / (2 * np.exp(20) + 1))
    assert loss.item() == pytest.approx((first + second) / 2, abs=1e-5)


def test_features_are_both_vectors_their_difference_and_product():
    u, v = np.array([1, 0], np.float32), np.array([0.6, 0.8], np.float32)
    (row,) = join_features([Article(u, np.stack([-u, v]), 0)], None)
    expected = np.array([1, 0, 0.6, 0.8, 0.4, 0.8, 0.6, 0]) * 2**0.5
    assert row.numpy() == pytest.approx(expected)


def test_the_classifier_learns_which_headline_says_something_else(articles):
    chances = train_classifier(articles[:60], articles[60:], None, 7)
    labels = np.array([row.label for row in articles[60:]])
    assert judge(chances, chances >= 0.5, labels)["auc"] > 0.8


@pytest.mark.parametrize("itself", [False, True])
def test_a_projection_brings_positives_together(articles, itself, monkeypatch):
    monkeypatch.setattr(korean_networks, "EPOCHS", 5)
    project = train_projection(articles, 7, hard=not itself, itself=itself)
    same = [row for row in articles if not row.label]
    heads, quotes = project.apply(np.stack([row.quote for row in same])), [row.body[1] for row in same]
    cosines = heads @ project.apply(np.stack(quotes)).T
    others = cosines[~np.eye(len(same), dtype=bool)]
    assert np.diag(cosines).mean() > others.mean() + 0.4


def test_space_is_measured_against_the_quote_with_most_letters(articles):
    rows = [Headline("가나다라", ("마바사", "가나다", "아자차"), row.label) for row in articles]
    figures = measure_projected(rows, articles, None)
    assert figures["alignment"] < 0.1
    assert figures["among 20"] == 1.0
    assert figures["uniformity"] < -1


def test_a_seed_has_every_system(articles):
    rows = [Headline("가", ("나", "가", "다"), row.label) for row in articles]
    scores = {"edit distance": np.array([row.label for row in articles], np.float32)}
    figures = run_seed(0, rows, articles, [], scores)
    assert figures["edit distance"] == {"f1": 1.0, "auc of labels": 1.0, "auc": 1.0}
    assert list(figures) == [
        "edit distance", "frozen trunk", "QuoteCSE", "QuoteCSE, no hard negatives", "SimCSE positives",
    ]  # fmt: skip
    assert all(0 <= row["f1"] <= 1 for row in figures.values())
