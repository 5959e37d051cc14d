"""Scores become probabilities: in the order of merit, and by the number of sentences."""

import json

import numpy as np
import pytest

from reranker.evidence_calibration import EvidenceCalibration, find_relative, read_calibration
from rostrum_core.errors import ModelError

ALL = EvidenceCalibration(words=0.5, merit=0.2, relative=0.4, count=-1.0, intercept=-0.3)


def test_a_probability_is_the_logistic_function_of_the_weighted_sum() -> None:
    logits, words = np.array([2.0, 1.0]), np.array([0.0, 4.0])
    merits = [2.0, 3.0]
    level = np.log((np.exp(2.0) + np.exp(3.0)) / 2)
    expected = [
        1 / (1 + np.exp(-(0.2 * merit + 0.4 * (merit - level) - np.log(2) - 0.3))) for merit in merits
    ]
    np.testing.assert_allclose(ALL.score(logits, words), expected)


def test_extreme_logits_stay_probabilities() -> None:
    scores = ALL.score(np.array([-1e6, 0.0, 1e6]), np.zeros(3))
    assert scores.tolist() == sorted(scores.tolist())
    assert 0 <= scores.min() < 0.01 < 0.99 < scores.max() <= 1


def test_no_sentence_has_no_probability() -> None:
    assert ALL.score(np.empty(0), np.empty(0)).shape == find_relative(np.empty(0)).shape == (0,)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"words": "many"}'])
def test_a_calibration_that_cannot_be_read_is_a_model_error(tmp_path, content) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(content)
    with pytest.raises(ModelError, match=r"calibration\.json"):
        read_calibration(path)


def test_the_shipped_calibration_is_that_of_the_manifest(models) -> None:
    written = json.loads((models.manifest.folder / "calibration.json").read_text())
    assert models.calibration.words == written["words"]
    assert models.calibration.contradiction == written["contradiction"]
