"""A user's own archive: align, train, evaluate, publish, by the commands of docs/train-your-own.md."""

import gzip
import json
import os
import re
from pathlib import Path

import pytest

pytest.importorskip("torch")

from tokenizers import Tokenizer
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.trainers import UnigramTrainer

from evaluation.data import DEV, DOCUMENTS
from evaluation.judging import name_judged_file
from jobs.rerank.job import LEAST_SCORE, RerankedText, rerank
from reranker.models.engines import Engine
from reranker.models.loaded import Models
from reranker.pytorch.device import has_bfloat16
from rostrum.cli import run
from rostrum_core.types import Draft
from tests.training.tiny import write_archive, write_base
from workers.runner.inline import InlineRunner

PAGE = Path(__file__).parents[2] / "docs" / "train-your-own.md"
RECIPE = """
[encoder]
layers = 2
pair_epochs = 2
pair_batch = 8

[ranker]
layers = 1
negatives = 2
batch = 8
epochs = 1
"""
STUDENT = """
[encoder]
layers = 2
speech_rows = 16
news_batch = 8
pair_epochs = 1
pair_batch = 8
lora_rank = 2

[ranker]
layers = 1
negatives = 2
batch = 8
epochs = 1
loss = "pairwise"
teacher_share = 0.5
lora_rank = 2
"""


def read_command(*words):
    """The one command of the page with these words in it."""
    lines = re.findall(r"^    (?:ROSTRUM_MODELS=\S+ )?rostrum (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    (found,) = {line for line in lines if all(word in line for word in words)}
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Articles, speeches, a recipe and a base, in a folder of their own."""
    folder = tmp_path_factory.mktemp("own")
    write_archive(folder)
    write_base(folder / "base")
    (folder / "mine.toml").write_text(RECIPE)
    (folder / "student.toml").write_text(STUDENT)
    return folder


@pytest.fixture
def rostrum(folder, monkeypatch, capfd):
    """Runs a command in the folder: exit code, standard output, standard error."""
    for name in [name for name in os.environ if name.startswith("ROSTRUM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    monkeypatch.chdir(folder)

    def command(line):
        capfd.readouterr()
        code = run(line.split())
        return code, *capfd.readouterr()

    return command


def test_articles_and_speeches_become_pairs(rostrum, folder):
    code, out, _ = rostrum(read_command("align"))
    assert code == 0
    assert "60 pairs written" in out


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_pairs_become_models(rostrum, folder, monkeypatch):
    monkeypatch.setenv("ROSTRUM_ENGINE", "torch")
    code, out, err = rostrum(read_command("train") + " --base base")
    assert code == 0, err
    assert "mine in runs/mine/models" in out
    assert "51 pairs to train on, 5 of dev to fit on" in err
    assert ("trains in float32" in err) == (not has_bfloat16("cpu"))
    manifest = json.loads((folder / "runs/mine/models/manifest.json").read_text())
    assert manifest["figures"]["dev"]["n"] == 5  # of 9: the rest is for the gate
    assert manifest["base"]["name"] == "base"
    assert manifest["recipe"]["encoder"]["pair_epochs"] == 2
    assert set(manifest["data"]) == {"documents.jsonl.gz", "pairs-train.jsonl.gz", "pairs-dev.jsonl.gz"}
    assert len(set(manifest["trained_on"])) == 51  # of 60
    fusion = json.loads((folder / "runs/mine/models/fusion.json").read_text())
    assert len(set(fusion["fitted_on"]["fingerprints"])) == 5
    assert "![Learning curves](curves.svg)" in (folder / "runs/mine/report.md").read_text()
    assert (folder / "runs/mine/curves.svg").read_text().startswith("<?xml")
    models = Models(folder / "runs/mine/models", Engine("torch"))
    judged = name_judged_file(
        folder / "runs/mine", models, *(folder / "runs/mine/data" / name for name in (DEV, DOCUMENTS))
    )
    assert judged.exists(), "dev is judged by the engine that was asked for"


def test_an_interrupted_training_is_done_already_and_another_recipe_is_refused(rostrum, folder):
    before = (folder / "runs/mine/curves.jsonl").read_bytes()
    assert rostrum(read_command("train") + " --base base")[0] == 0
    assert (folder / "runs/mine/curves.jsonl").read_bytes() == before
    code, _, err = rostrum("train --data data --out runs/mine --base base")
    assert code == 2
    assert "holds work of another recipe." in err
    assert "recipe.ranker.layers" in err


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_base_with_another_tokenizer_becomes_models(rostrum, folder):
    """XLM-RoBERTa's layers and sentence pieces, in which a word's piece has the space before it."""
    transformers = pytest.importorskip("transformers")
    shape = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 64, "num_hidden_layers": 2}
    tokenizer = Tokenizer(Unigram())
    tokenizer.pre_tokenizer = Metaspace()
    trainer = UnigramTrainer(
        vocab_size=300, special_tokens=["<s>", "</s>", "<unk>", "<mask>"], unk_token="<unk>"
    )
    tokenizer.train([str(path) for path in (folder / "speeches").iterdir()], trainer)
    size = tokenizer.get_vocab_size()
    config = transformers.XLMRobertaConfig(
        vocab_size=size, max_position_embeddings=514, type_vocab_size=1, **shape
    )
    transformers.XLMRobertaForMaskedLM(config).save_pretrained(folder / "xlm")
    tokenizer.save(str(folder / "xlm" / "tokenizer.json"))
    code, _, err = rostrum("train mine.toml --data data --out runs/xlm --base xlm")
    assert code == 0, err
    models = Models(folder / "runs/xlm/models")
    text = "We shall protect the moon together with our farmers before the year is out."
    [tokens] = models.wordpieces.tokenise([text])
    [ranked] = models.ranker.rank(
        models.wordpieces.tokenise_query("On the moon", "Who will?"), [text], [tokens]
    )
    cut = text[ranked.span.start_char : ranked.span.end_char]
    assert cut.split()
    assert f" {cut} " in f" {text.rstrip('.')} "
    blanks = ["  ", " \n", "\u200b", text]
    assert all(len(tokens) for tokens in models.wordpieces.tokenise(blanks))
    found = rerank(
        Draft("Moon", "Who?"), blanks, runner=InlineRunner(lambda: models), models=models, timeout_s=60
    )
    assert found.texts[:3] == (RerankedText(LEAST_SCORE, None),) * 3
    assert found.texts[3].score > LEAST_SCORE


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_models_teach_others(rostrum, folder):
    line = "train student.toml --data data --out runs/student --base base"
    code, _, err = rostrum(line)
    assert (code, "teacher_share go together" in err) == (2, True)
    code, out, err = rostrum(f"{line} --teacher runs/mine/models")
    assert code == 0, err
    assert "student in runs/student/models" in out
    manifest = json.loads((folder / "runs/student/models/manifest.json").read_text())
    assert manifest["teacher"] == Models(folder / "runs/mine/models").hashes["ranker"]
    taught = json.loads((folder / "runs/mine/models/manifest.json").read_text())
    assert len(taught["trained_speeches"]) > 1
    assert set(taught["trained_speeches"]) <= set(manifest["trained_speeches"])
    curves = [json.loads(row) for row in (folder / "runs/student/curves.jsonl").read_text().splitlines()]
    assert {row["phase"] for row in curves} == {"encoder-speeches", "encoder-pairs", "ranker-pairs"}


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_ranker_alone_is_trained_where_an_encoder_is_kept(rostrum, folder):
    (folder / "other.toml").write_text(RECIPE.replace("epochs = 1", "epochs = 1\nseed = 8"))
    line = "train other.toml --data data --out runs/other --base base --encoder runs/mine/models"
    code, _, err = rostrum(line)
    assert code == 0, err
    mine, other = (Models(folder / f"runs/{name}/models") for name in ("mine", "other"))
    assert (other.hashes["encoder"], other.hashes["tokenizer"]) == (
        mine.hashes["encoder"],
        mine.hashes["tokenizer"],
    )
    assert other.hashes["ranker"] != mine.hashes["ranker"]
    manifest = other.manifest.content
    assert manifest["kept_encoder"]["name"] == "mine"
    assert manifest["recipe"]["encoder"] == mine.manifest.content["recipe"]["encoder"]
    assert "The encoder is that of mine" in (folder / "runs/other/report.md").read_text()
    curves = [json.loads(row) for row in (folder / "runs/other/curves.jsonl").read_text().splitlines()]
    assert {row["phase"] for row in curves} == {"ranker-pairs"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("mine/models", "student/models"), "holds work of another kept_encoder.hash, kept_encoder.name"),
        ((" --encoder runs/mine/models", ""), "holds work of another kept_encoder"),
        (("other.toml", "deep.toml"), "has 2 layers, the recipe's 3: set [encoder] layers"),
        (("runs/mine/models", "nobodys"), "nobodys is neither a folder nor a version: there are shipped"),
        (("runs/mine/models", "shipped"), " was made of another base: name that one"),
    ],
)
def test_another_encoder_than_a_training_began_with_is_refused(rostrum, folder, change, message):
    (folder / "deep.toml").write_text((folder / "other.toml").read_text().replace("layers = 2", "layers = 3"))
    line = "train other.toml --data data --out runs/other --base base --encoder runs/mine/models"
    code, _, err = rostrum(line.replace(*change))
    assert (code, message in " ".join(err.split())) == (2, True), err


def test_a_training_that_is_finished_keeps_its_name(rostrum):
    _, out, err = rostrum(f"{read_command('train')} --base base --name another")
    assert "mine in runs/mine/models" in out
    assert "trained before as 'mine'" in err


def test_models_are_evaluated(rostrum, folder, monkeypatch):
    monkeypatch.setenv("ROSTRUM_MODELS", "runs/mine/models")
    monkeypatch.setenv("ROSTRUM_ENGINE", "torch")
    dev = json.loads((folder / "runs/mine/models/manifest.json").read_text())["figures"]["dev"]
    drawn = f"--limit {dev['rows']['drawn']} --seed {dev['rows']['seed']}"
    code, out, err = rostrum(f"{read_command('evaluate', 'pairs-dev')} {drawn} --json")
    assert (code, "trained on" in err) == (0, False)
    assert json.loads(out)["ranking"] == dev["ranking"]
    code, _, err = rostrum(f"evaluate data/pairs.jsonl.gz --documents {folder}/data/documents.jsonl.gz")
    assert (code, "51 rows quote speeches that mine was trained on" in err) == (0, True)


def test_models_that_learned_next_to_nothing_are_refused_and_can_be_forced(rostrum):
    line = read_command("models publish")
    code, out, err = rostrum(line)
    assert (code, "refused: rows of fewer than 8 speeches can prove nothing" in err) == (1, True)
    assert "4 rows" in out
    assert rostrum(read_command("models list"))[1].count("mine") == 0
    assert rostrum(f"{line} --force rehearsal")[0] == 0
    assert "published without proof: rehearsal" in rostrum(read_command("models list"))[1]


def test_rows_of_fit_and_training_are_known_in_files_packed_otherwise(rostrum, folder):
    (folder / "dev.jsonl").write_bytes(gzip.decompress((folder / "runs/mine/data" / DEV).read_bytes()))
    line = "models publish runs/mine/models --name again --documents data/documents.jsonl.gz --pairs"
    assert "4 rows" in rostrum(f"{line} dev.jsonl")[1]
    code, _, err = rostrum(f"{line} data/pairs.jsonl.gz")
    assert (code, "has rows that mine was trained on" in err) == (2, True)


def test_the_archive_is_encoded_anew_and_answers_with_the_new_models(rostrum):
    assert rostrum(read_command("index"))[0] == 0
    code, out, _ = rostrum("recommend --title The_harvest --left We_spoke_about_the_harvest. --json")
    assert (code, json.loads(out)["degraded"]) == (0, [])
    assert rostrum(read_command("models rollback"))[1] == "in use: shipped\n"
    assert rostrum("doctor")[0] == 0
