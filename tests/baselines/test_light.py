"""TF-IDF and Doc2Vec: what the libraries compute is what the baseline means."""

import json
import math

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("gensim")

from benchmarks.baselines.doc2vec import Doc2VecRanker, train
from benchmarks.baselines.tfidf import TfIdf
from benchmarks.baselines.training_text import hash_spoken_files, list_spoken
from evaluation.pairs import Pair, QuotedPart
from quotations.text.transcript import Transcript
from rostrum_core.errors import BadInput
from tests.baselines.conftest import SPEECHES, pair


def transcript(*paragraphs):
    return Transcript("d", "T", None, None, None, paragraphs)


def draft(title, left=""):
    return Pair("p", title, left, "", "d", (QuotedPart(0, 0, 1),), False)


def test_tf_idf_is_the_cosine_of_weighted_terms():
    # three texts; idf = ln(4 / (1 + df)) + 1: moon (df 2) 1.288, rocket (df 1) 1.693.
    system = TfIdf(["moon", "moon rocket", "budget"])
    (row,) = system(transcript("Moon!", "rocket", "budget", "the"), [draft("The moon", "A rocket.")])
    moon, rocket = math.log(4 / 3) + 1, math.log(4 / 2) + 1
    length = math.hypot(moon, rocket)
    np.testing.assert_allclose(row.scores, [moon / length, rocket / length, 0.0, 0.0])


def test_doc2vec_tells_what_a_text_speaks_of():
    moon = "we will send a rocket to the moon and astronauts will walk on the moon"
    money = "the budget of the treasury must cut taxes and spending of money this year"
    texts = [
        " ".join(np.random.default_rng(i).permutation(t.split())) for i in range(600) for t in (moon, money)
    ]
    system = Doc2VecRanker(train(texts, seed=7, min_count=1, epochs=40))
    paragraphs = transcript("taxes and spending of the treasury", "astronauts on the moon", "")
    (row,) = system(paragraphs, [draft("A rocket to the moon", "astronauts will walk")])
    # inference starts from the words' hashes, drawn again for each process: 0.36 and 0.81, each within 0.01.
    assert row.scores[1] > row.scores[0] + 0.2
    (again,) = system(paragraphs, [draft("A rocket to the moon", "astronauts will walk")])
    assert again.scores.tolist() == row.scores.tolist()


def test_nothing_spoken_from_dev_on_is_learned_from(data):
    lines = (data / "documents.jsonl.gz").read_text()
    late = lines.replace('"fear", "date": "1962-09-12"', '"fear", "date": "2016-10-01"')
    assert late != lines
    (data / "documents.jsonl.gz").write_text(late)
    (data / "pairs-dev.jsonl.gz").write_text(json.dumps(pair("fear")) + "\n")
    before = hash_spoken_files(data)
    assert list_spoken(data) == SPEECHES["moon"]
    (data / "pairs-dev.jsonl.gz").write_text(json.dumps(pair("moon")) + "\n")
    with pytest.raises(BadInput, match="no speech is older than the first that dev quotes"):
        list_spoken(data)
    assert hash_spoken_files(data) != before
