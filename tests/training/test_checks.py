"""What is told of models from which something is taken over: those that learned from dev lend nothing."""

import json
from dataclasses import replace

import pytest

pytest.importorskip("torch")

from evaluation.pairs import read_pairs, read_transcripts
from rostrum_core.errors import BadInput
from training.checks import check_known, warn_unused
from training.recipe import EncoderRecipe

SPEECH = {"title": "T", "date": "2020-01-01", "paragraphs": ["One two.", "Three."]}
PAIR = {"title": "T", "left": "Left.", "paragraph": 0, "last_paragraph": 0, "start": 0, "end": 3}


@pytest.fixture
def read(tmp_path):
    """Speeches, and dev with a row of each."""
    for name, rows in (
        ("documents", [{**SPEECH, "id": each} for each in "ab"]),
        ("dev", [{**PAIR, "id": f"of {each}", "document": each} for each in "ab"]),
    ):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    documents = read_transcripts(tmp_path / "documents")
    return documents, read_pairs(tmp_path / "dev", documents)


def test_models_that_were_trained_on_dev_are_refused(models, read):
    documents, dev = read
    known = replace(models.manifest, content={"trained_on": [dev[1].fingerprint, "0" * 16]})
    with pytest.raises(BadInput, match=f"{known.name} was trained on 1 rows of dev at least"):
        check_known(dev, known, documents, print)
    check_known(dev[:1], known, documents, pytest.fail)


def test_speeches_that_dev_shares_with_other_models_are_told(models, read):
    documents, dev = read
    known, remarks = replace(models.manifest, content={"trained_speeches": [documents["a"].fingerprint]}), []
    check_known(dev, known, documents, remarks.append)
    assert remarks == [f"{known.name} was trained on 1 speeches that dev quotes, which flatters dev"]
    check_known(dev[1:], known, documents, pytest.fail)


def test_what_is_asked_of_an_encoder_that_is_kept_is_told_to_have_no_effect(models):
    kept, remarks = (
        replace(models.manifest, content={"recipe": {"encoder": {"layers": 3, "pair_epochs": 9}}}),
        [],
    )
    warn_unused(EncoderRecipe(layers=3, pair_epochs=9), kept, pytest.fail)
    warn_unused(EncoderRecipe(layers=3), kept, pytest.fail)
    warn_unused(EncoderRecipe(layers=3, pair_epochs=2, seed=8), kept, remarks.append)
    warn_unused(EncoderRecipe(seed=8), replace(kept, content={}), remarks.append)
    said = f"the encoder of {kept.name} is kept: [encoder] {{}} of the recipe: without effect"
    assert remarks == [said.format("pair_epochs, seed"), said.format("seed")]
