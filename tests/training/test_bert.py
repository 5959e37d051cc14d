"""What a training begins with computes what transformers computes with the same folder."""

import json
import shutil

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from rostrum.core.errors import ModelError  # noqa: E402
from rostrum.training.bert import layers_of, load_bert  # noqa: E402
from tests.training.tiny import write_base  # noqa: E402

LAYERS, TEXTS, LENGTH = 3, 4, 17
SHAPE = {
    "vocab_size": 50, "hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64,
    "num_hidden_layers": LAYERS, "initializer_range": 0.3, "layer_norm_eps": 1e-12,
}  # fmt: skip
ROBERTA = SHAPE | {"max_position_embeddings": 514, "type_vocab_size": 1}
FAMILIES = {
    "Bert": SHAPE,
    "Electra": SHAPE | {"embedding_size": 32},
    "Roberta": ROBERTA,
    "Camembert": ROBERTA,
    "XLMRoberta": ROBERTA,
    "DistilBert": {
        "vocab_size": 50, "dim": 32, "n_heads": 4, "hidden_dim": 64, "n_layers": LAYERS,
        "initializer_range": 0.3,
    },
}  # fmt: skip


def written(family, head, folder):
    """A folder of random weights of a family, and the model without its head."""
    torch.manual_seed(0)
    config = getattr(transformers, f"{family}Config")(**FAMILIES[family])
    model = getattr(transformers, f"{family}{head}")(config).eval()
    model.save_pretrained(folder)
    return model.base_model


@pytest.mark.parametrize("head", ["Model", "ForMaskedLM"])
@pytest.mark.parametrize("family", FAMILIES)
def test_hidden_states_are_those_of_transformers(family, head, tmp_path):
    model = written(family, head, tmp_path)
    ids = torch.randint(5, 50, (TEXTS, LENGTH))
    for layers in (LAYERS, 2):
        trunk, words = load_bert(tmp_path, layers)
        with torch.no_grad():
            found, _ = trunk.eval()(trunk.embed(words[ids], 0, 0), None)
            expected = model(input_ids=ids, output_hidden_states=True).hidden_states[layers]
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-4)
        assert expected.std() > 0.5
    assert layers_of(tmp_path) == LAYERS


def test_of_one_kind_of_text_drafts_and_paragraphs_begin_alike(tmp_path):
    written("Roberta", "Model", tmp_path)
    kinds = load_bert(tmp_path, 1)[0].types.weight
    assert kinds.shape == (2, 32)
    torch.testing.assert_close(kinds[0], kinds[1])
    assert kinds.std() > 0.1


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"model_type": "deberta-v2"}, "holds a model of type deberta-v2, not one of bert, electra, roberta"),
        ({"hidden_act": "relu"}, "has hidden_act relu in its config.json: only gelu can be trained"),
        (
            {"position_embedding_type": "relative_key"},
            "position_embedding_type relative_key .* only absolute",
        ),
        ({"hidden_size": 32, "embedding_size": 16}, "has embedding_size 16 .* only 32 can be trained"),
        ([], "holds no BERT"),
    ],
)
def test_what_no_trunk_computes_is_refused(tmp_path, told, reason):
    base = write_base(tmp_path / "base")
    config = json.loads((base / "config.json").read_text())
    (base / "config.json").write_text(json.dumps({**config, **told} if told else told))
    with pytest.raises(ModelError, match=reason):
        load_bert(base, 1)


def test_a_folder_without_weights_or_configuration_is_told(tmp_path):
    base = write_base(tmp_path / "base")
    for file in ("model.safetensors", "config.json"):
        copy = shutil.copytree(base, tmp_path / file)
        (copy / file).unlink()
        with pytest.raises(ModelError, match=f"holds no BERT: .*{file}"):
            load_bert(copy, 1)
