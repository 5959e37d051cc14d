"""Hard negatives are the paragraphs that are hard, worked out by hand; uniform ones are any."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")

from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import BadInput
from tests.training.tiny import write_base
from training.encoder import Encoder, PairData, choose_other_paragraph
from training.groups import GroupData
from training.negatives import compute_hardness, rate_by_bm25, rate_by_distance, rate_by_encoder
from training.recipe import NEGATIVES, parse_recipe

PARAGRAPHS = [
    "We walk.",
    "We choose the moon.",
    "The moon is near.",
    "We thank you.",
    "The budget.",
    "Schools.",
]
PAIR = {
    "id": "p", "title": "The moon", "left": "A speech on the moon.", "document": "d", "paragraph": 1,
    "last_paragraph": 1, "start": 0, "end": 9,
}  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return write_base(tmp_path_factory.mktemp("tiny") / "base")


@pytest.fixture
def data(tmp_path, base):
    """One draft that quotes paragraph 1 of six."""
    speech = {"id": "d", "title": "T", "paragraphs": PARAGRAPHS}
    (tmp_path / "documents.jsonl.gz").write_text(json.dumps(speech) + "\n")
    (tmp_path / "pairs-train.jsonl.gz").write_text(json.dumps(PAIR) + "\n")
    return GroupData(tmp_path, "train", WordPieces(base / "tokenizer.json"))


@pytest.fixture
def pair_data(data, tmp_path):
    """The same draft for an encoder."""
    return PairData(tmp_path, "train", data.wordpieces)


def test_neighbours_are_harder_the_nearer_they_are(data):
    assert rate_by_distance(data)[0].tolist() == [-1, 0, -1, -2, -3, -4]


def test_bm25_finds_those_with_words_of_the_draft_hard(data):
    (hard,) = rate_by_bm25(data)
    assert [bool(score) for score in hard] == [False, True, True, False, False, False]


def test_the_encoder_finds_those_hard_whose_vectors_are_near_the_drafts(data, pair_data, base):
    encoder = Encoder(base, 2, data.wordpieces.body_start).eval()
    encoder.requires_grad_(False)
    (hard,) = rate_by_encoder(data, encoder)
    (same,) = rate_by_encoder(pair_data, encoder)
    np.testing.assert_allclose(hard, same, atol=1e-6)
    query = encoder([data.rows[0].query])
    alone = [encoder([data.wordpieces.pack(tokens)]) @ query.T for tokens in data.tokens["d"]]
    np.testing.assert_allclose(hard, [cosine.item() for cosine in alone], atol=1e-5)


@pytest.mark.parametrize("kind", NEGATIVES)
def test_every_kind_of_a_recipe_is_known(data, base, kind):
    parse_recipe({"ranker": {"negatives_kind": kind}, "encoder": {"negatives_kind": kind}})
    hard = compute_hardness(kind, data, Encoder(base, 2, data.wordpieces.body_start).requires_grad_(False))
    assert hard is None if kind == "uniform" else hard[0].shape == (6,)


def test_a_group_draws_from_the_hardest_and_never_the_quoted_one(data):
    # one negative of the four hardest: paragraphs 2, 0, 3, 4 are the nearest
    drawn = {
        data.group(data.rows[0], 1, random.Random(seed), rate_by_distance(data)[0]).paragraphs[1].tobytes()
        for seed in range(60)
    }
    assert drawn == {data.wordpieces.pack(data.tokens["d"][i]).tobytes() for i in (0, 2, 3, 4)}


def test_an_encoder_learns_beside_one_of_the_hardest_and_never_the_quoted_one(pair_data):
    (row,), (hard,) = pair_data.rows, rate_by_distance(pair_data)
    drawn = {choose_other_paragraph(row, 6, random.Random(seed), hard) for seed in range(60)}
    assert drawn == {0, 2, 3, 4}  # the four nearest
    assert {choose_other_paragraph(row, 6, random.Random(seed)) for seed in range(60)} == set(range(6))


def test_where_all_is_quoted_an_encoder_has_no_hard_negative(pair_data):
    whole = replace(pair_data.rows[0], quoted=tuple(range(6)))
    assert choose_other_paragraph(whole, 6, random.Random(0), rate_by_distance(pair_data)[0]) == whole.ordinal


def test_a_quote_of_every_paragraph_is_nothing_to_rank(tmp_path, data):
    whole = {**PAIR, "id": "q", "paragraph": 0, "last_paragraph": 5, "start": 0, "end": 8}
    (tmp_path / "pairs-train.jsonl.gz").write_text(f"{json.dumps(whole)}\n{json.dumps(PAIR)}\n")
    rows = GroupData(tmp_path, "train", data.wordpieces).rows
    assert [(row.ordinal, row.quoted) for row in rows] == [(1, (1,))]


def test_a_uniform_group_draws_from_all_others(data):
    drawn = {data.group(data.rows[0], 1, random.Random(seed)).paragraphs[1].tobytes() for seed in range(60)}
    assert len(drawn) == 5


def test_an_unknown_kind_is_bad_input():
    with pytest.raises(BadInput, match="'hardest' is none of"):
        parse_recipe({"ranker": {"negatives_kind": "hardest"}})
