"""What a training begins with computes what transformers computes with the same folder."""

import json
import shutil

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from safetensors.torch import load_file, save_file  # noqa: E402

from rostrum_core.errors import ModelError  # noqa: E402
from tests.training.tiny import write_base  # noqa: E402
from training.bert import count_layers, load_bert  # noqa: E402

LAYERS, TEXTS, LENGTH = 3, 4, 17
SHAPE = {
    "vocab_size": 50, "hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64,
    "num_hidden_layers": LAYERS, "initializer_range": 0.3,
}  # fmt: skip
ROBERTA = SHAPE | {"max_position_embeddings": 514, "type_vocab_size": 1, "layer_norm_eps": 1e-5}
FAMILIES = {
    "Bert": SHAPE,
    "Electra": SHAPE | {"embedding_size": 32, "type_vocab_size": 4},
    "Roberta": ROBERTA,
    "Roberta, padded by 0": ROBERTA | {"pad_token_id": 0, "max_position_embeddings": 1025},
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
    name = family.partition(",")[0]
    config = getattr(transformers, f"{name}Config")(**FAMILIES[family])
    model = getattr(transformers, f"{name}{head}")(config).eval()
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
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-3)
        assert expected.std() > 0.5
    assert count_layers(tmp_path) == LAYERS


def test_norms_may_have_the_names_of_tensorflow(tmp_path):
    base = write_base(tmp_path / "base")
    expected = load_bert(base, 2)[0].state_dict()
    older = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    named = load_file(base / "model.safetensors")
    for name in [each for each in named if "LayerNorm" in each]:
        kept, _, part = name.rpartition("LayerNorm.")
        named[kept + older[f"LayerNorm.{part}"]] = named.pop(name)
    save_file(named, base / "model.safetensors")
    found = load_bert(base, 2)[0].state_dict()
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], expected[name]) for name in found)


def test_of_one_kind_of_text_drafts_and_paragraphs_begin_alike(tmp_path):
    written("Roberta", "Model", tmp_path)
    kinds = load_bert(tmp_path, 1)[0].types.weight
    assert kinds.shape == (2, 32)
    torch.testing.assert_close(kinds[0], kinds[1])
    assert kinds.std() > 0.1


@pytest.mark.parametrize(
    ("config_change", "reason"),
    [
        ({"model_type": "deberta-v2"}, "holds a model of type deberta-v2, not one of bert, electra, roberta"),
        ({"hidden_act": "relu"}, "has hidden_act relu in its config.json: only gelu can be trained"),
        (
            {"position_embedding_type": "relative_key"},
            "position_embedding_type relative_key .* only absolute",
        ),
        ({"hidden_size": 32, "embedding_size": 16}, "has embedding_size 16 .* only 32 can be trained"),
        ({"num_attention_heads": 5}, "has 5 heads, which do not part its width of 32"),
        ({"num_attention_heads": 0}, "has 0 heads"),
        ({"num_attention_heads": -4}, "has -4 heads"),
        ({"num_attention_heads": None}, "holds no BERT of 1 layers: TypeError"),
        ({"model_type": ["bert"]}, "holds a model of type .*bert"),
        ([], "holds no BERT"),
    ],
)
def test_what_no_trunk_computes_is_refused(tmp_path, config_change, reason):
    base = write_base(tmp_path / "base")
    config = json.loads((base / "config.json").read_text())
    (base / "config.json").write_text(
        json.dumps({**config, **config_change} if config_change else config_change)
    )
    with pytest.raises(ModelError, match=reason):
        load_bert(base, 1)


def test_settings_that_are_null_are_the_usual_ones(tmp_path):
    base = write_base(tmp_path / "base")
    config = json.loads((base / "config.json").read_text())
    unset = dict.fromkeys(("hidden_act", "position_embedding_type", "embedding_size"))
    (base / "config.json").write_text(json.dumps(config | unset | {"hidden_size": 32}))
    assert load_bert(base, 1)[0].shape.width == 32


def test_a_folder_without_weights_or_configuration_is_told(tmp_path):
    base = write_base(tmp_path / "base")
    for file in ("model.safetensors", "config.json"):
        copy = shutil.copytree(base, tmp_path / file)
        (copy / file).unlink()
        with pytest.raises(ModelError, match=f"holds no BERT: .*{file}"):
            load_bert(copy, 1)
