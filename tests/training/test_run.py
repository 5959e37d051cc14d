"""A training is refused before anything is learned, or not at all, and a refused one leaves all as it was."""

import json
import shutil

import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load_file, save_file

from evaluation.data import DEV, NEWS
from evaluation.pairs import read_rows
from reranker.models.engines import Engine
from rostrum_core.errors import ArchiveBusy, BadInput, ModelError
from rostrum_core.locks import WriterLock
from tests.training.tiny import write_base
from training.recipe import parse_recipe
from training.run import Inputs, Run

SPEECHES = [
    {"id": name, "title": name, "date": f"2020-0{month}-01", "paragraphs": ["One two.", "Three."]}
    for month, name in enumerate("abc", 1)
]
PAIRS = [
    {
        "id": f"{speech['id']}{i}", "title": "T", "left": f"Left {i}.", "document": speech["id"],
        "paragraph": 0, "last_paragraph": 0, "start": 0, "end": 3,
    }
    for speech in SPEECHES for i in range(4)
]  # fmt: skip
NEWS_QUOTE = {"article": "n", "title": "T", "left": "L", "quote": "Q"}
SMALL = {
    "encoder": {"layers": 2, "pair_batch": 8, "news_batch": 1},
    "ranker": {"layers": 1, "batch": 8, "news_rows": 0},
}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return write_base(tmp_path_factory.mktemp("tiny") / "base")


def write(folder, name, some):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))


@pytest.fixture
def data(tmp_path):
    """Three speeches, each quoted four times, and a quotation without a speech."""
    folder = tmp_path / "mine"
    for name, some in (("documents", SPEECHES), ("pairs", PAIRS), ("news-quotes", [NEWS_QUOTE])):
        write(folder, name, some)
    return folder


@pytest.fixture
def begun(data, base, tmp_path):
    """Begins a training of the data, or goes on with it."""
    return lambda **recipe: Run(
        Inputs(data, base, parse_recipe({**SMALL, **recipe}), "mine"), tmp_path / "run"
    )


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_run_that_is_refused_leaves_the_data_of_the_one_before(begun, data, tmp_path):
    run = begun()
    before = contents(run.data)
    assert sorted(before) == sorted([DEV, NEWS, "documents.jsonl.gz", "pairs-train.jsonl.gz"])
    write(data, "pairs", PAIRS[1:])
    with pytest.raises(BadInput, match="work of another data"):
        begun()
    assert contents(run.data) == before
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["data", "lock", "run.json"]
    write(data, "pairs", PAIRS)
    assert contents(begun().data) == before


def test_a_file_that_is_there_no_more_is_learned_from_no_more(begun, data):
    begun()
    (data / "news-quotes.jsonl").unlink()
    with pytest.raises(BadInput, match="work of another data"):
        begun()


@pytest.mark.parametrize(
    ("name", "changed", "reason"),
    [
        (
            "documents",
            [*SPEECHES[:2], {**SPEECHES[2], "date": "in spring"}],
            r"documents\.jsonl, row 3: .*not a calendar date with year, month and day: 'in spring'",
        ),
        (
            "documents",
            [*SPEECHES[:2], {**SPEECHES[2], "paragraphs": "One two."}],
            "row 3: .* not a list",
        ),
        ("pairs", [*PAIRS[:-1], {**PAIRS[-1], "published": "1963"}], r"pairs\.jsonl, row 12: .*1963"),
        ("pairs", [*PAIRS[:8], *({**row, "repeated": True} for row in PAIRS[8:])], "dev has no row"),
        (
            "news-quotes",
            [{**NEWS_QUOTE, "quote": None}],
            r"news-quotes\.jsonl, row 1: .*not a text",
        ),
    ],
)
def test_data_that_cannot_be_used_is_told_at_once_and_can_be_mended(
    begun, data, tmp_path, name, changed, reason
):
    right = list(read_rows(data / f"{name}.jsonl"))
    write(data, name, changed)
    with pytest.raises(BadInput, match=reason):
        begun()
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["lock"]
    write(data, name, right)
    assert begun().data.exists()


def test_batches_that_the_pairs_do_not_fill_are_told_at_once(begun, data):
    for part, size in (("encoder", {"pair_batch": 9}), ("ranker", {"batch": 9})):
        with pytest.raises(BadInput, match="8 quoted paragraphs to train on do not fill a batch of 9"):
            begun(**{part: SMALL[part] | size})
    whole = {"last_paragraph": 1, "end": 6}  # all that was said: nothing is left to rank below it
    write(data, "pairs", [PAIRS[0] | whole, *PAIRS[1:]])
    with pytest.raises(BadInput, match=r"7 quoted paragraphs .* a batch of 8: lower \[ranker\] batch"):
        begun()
    write(data, "pairs", [row | whole for row in PAIRS])
    with pytest.raises(BadInput, match="each pair to train on quotes all of its speech"):
        begun()


@pytest.mark.parametrize(
    ("some", "what"),
    [({}, "2 news quotations"), ({"news_rows": 0, "speech_rows": 9}, "2 paragraphs of speeches")],
)
def test_rows_without_pairs_that_fill_no_batch_are_told_at_once(begun, data, some, what):
    write(data, "news-quotes", [NEWS_QUOTE] * 2)
    with pytest.raises(BadInput, match=rf"{what} do not fill a batch of 3: lower \[encoder\] news_batch"):
        begun(encoder=SMALL["encoder"] | {"news_batch": 3} | some)


def test_news_quotations_that_fill_no_batch_of_the_ranker_are_told_at_once(begun, data):
    alone = [NEWS_QUOTE | {"article": f"a{i}"} for i in range(9)]
    write(data, "news-quotes", [*alone, NEWS_QUOTE | {"article": "a0", "quote": "one more than that"}])
    with pytest.raises(BadInput, match="2 news quotations with others of their article do not fill a batch"):
        begun(ranker=SMALL["ranker"] | {"news_rows": 9, "batch": 3})
    with pytest.raises(BadInput, match="1 news quotations with others of their article do not fill a batch"):
        begun(ranker=SMALL["ranker"] | {"news_rows": 1, "batch": 2})


def test_speeches_of_one_paragraph_teach_nothing_and_that_is_told(begun, data):
    dated = {"a": "2020-04-01", "b": "2020-05-01", "c": "2020-06-01"}
    old = {"id": "old", "title": "old", "date": "2020-01-01", "paragraphs": ["One two."]}
    empty = old | {"id": "empty", "paragraphs": []}
    write(data, "documents", [old, empty, *({**speech, "date": dated[speech["id"]]} for speech in SPEECHES)])
    write(data, "pairs-train", PAIRS[4:])
    write(data, "pairs-dev", PAIRS[:4])
    (data / "pairs.jsonl").unlink()
    with pytest.raises(BadInput, match="0 paragraphs of speeches do not fill a batch of 1"):
        begun(encoder=SMALL["encoder"] | {"news_rows": 0, "speech_rows": 9})


def test_a_base_with_more_layers_than_are_trained_is_told(data, base, tmp_path):
    remarks = []
    few = {"encoder": SMALL["encoder"] | {"layers": 1}, "ranker": SMALL["ranker"]}
    Run(Inputs(data, base, parse_recipe(few), "mine"), tmp_path / "run", remark=remarks.append)
    assert remarks[0] == "the base has 2 layers, of which the lowest 1 are trained"


def test_a_base_with_too_few_layers_is_told_before_the_folder_is_claimed(begun):
    with pytest.raises(ModelError, match="has 2 layers, not 9: ask for fewer layers"):
        begun(encoder=SMALL["encoder"] | {"layers": 9})
    assert begun().data.exists()


def test_a_base_with_too_few_positions_for_draft_and_paragraph_is_told(base, data, tmp_path):
    found = load_file(base / "model.safetensors")
    found["embeddings.position_embeddings.weight"] = found["embeddings.position_embeddings.weight"][
        :256
    ].clone()
    save_file(found, shutil.copytree(base, tmp_path / "short") / "model.safetensors")
    with pytest.raises(ModelError, match="has 256 positions, not the 336 that are needed"):
        Run(Inputs(data, tmp_path / "short", parse_recipe(SMALL), "mine"), tmp_path / "run")


def test_a_base_of_another_kind_is_told_as_that(begun, base, data, tmp_path):
    found = load_file(base / "model.safetensors")
    named = {name.replace("attention.self.query", "attention.q_lin"): t for name, t in found.items()}
    save_file(named, shutil.copytree(base, tmp_path / "other") / "model.safetensors")
    with pytest.raises(ModelError, match=r"holds no BERT: no tensor is called \.\.\.attention\.self\.query"):
        Run(Inputs(data, tmp_path / "other", parse_recipe(SMALL), "mine"), tmp_path / "run")


def test_a_tokenizer_with_more_entries_than_there_are_embeddings_is_told(base, data, tmp_path):
    found = load_file(base / "model.safetensors")
    found["embeddings.word_embeddings.weight"] = found["embeddings.word_embeddings.weight"][:30_000].clone()
    save_file(found, shutil.copytree(base, tmp_path / "few") / "model.safetensors")
    with pytest.raises(ModelError, match="has 30522 entries, its word embeddings 30000"):
        Run(Inputs(data, tmp_path / "few", parse_recipe(SMALL), "mine"), tmp_path / "run")
    assert not (tmp_path / "run" / "run.json").exists()


def test_speeches_without_dates_are_told_before_the_folder_is_claimed(begun, data):
    write(data, "documents", [{**speech, "date": None} for speech in SPEECHES])
    with pytest.raises(BadInput, match="no speech is older than the first that dev quotes"):
        begun(encoder=SMALL["encoder"] | {"speech_rows": 16})
    assert begun().data.exists()


def test_speeches_of_which_whole_ones_are_learned_count_as_learned(begun, data):
    dates = {speech["id"]: f"2020-0{i}-01" for i, speech in enumerate(SPEECHES, 1)}
    old = {"id": "old", "title": "old", "date": "2019-01-01", "paragraphs": ["One.", "Two.", "Three."]}
    write(data, "documents", [old, *({**speech, "date": dates[speech["id"]]} for speech in SPEECHES)])
    assert "old" not in [speech.id for speech in begun().learned_speeches]
    shutil.rmtree(begun().folder)
    run = begun(encoder=SMALL["encoder"] | {"speech_rows": 2})
    assert "old" in [speech.id for speech in run.learned_speeches]
    assert not {row["document"] for row in read_rows(run.data / DEV)} & {
        each.id for each in run.learned_speeches
    }


def test_what_differs_in_a_recipe_is_named(begun):
    begun()
    with pytest.raises(BadInput, match=r"work of another recipe\.ranker\.rate: name another folder"):
        begun(ranker=SMALL["ranker"] | {"rate": 0.5})


def test_a_row_of_dev_is_not_trained_on(begun, data):
    (data / "pairs.jsonl").unlink()
    write(data, "pairs-train", PAIRS)
    write(data, "pairs-dev", [{**PAIRS[0], "id": "again"}, PAIRS[1]])
    with pytest.raises(BadInput, match="2 rows of dev are there to train on, too"):
        begun()


def test_speeches_that_dev_shares_are_told(data, base, tmp_path):
    (data / "pairs.jsonl").unlink()
    write(data, "pairs-train", PAIRS[:8])
    write(data, "pairs-dev", [*PAIRS[8:], {**PAIRS[0], "id": "else", "left": "Another draft."}])
    remarks = []
    Run(Inputs(data, base, parse_recipe(SMALL), "mine"), tmp_path / "run", remark=remarks.append)
    assert remarks == ["8 pairs to train on, 3 of dev to fit on; both quote 1 speeches, which flatters dev"]


def test_two_at_once_are_kept_apart(begun, tmp_path):
    begun()
    other = WriterLock(tmp_path / "run" / "lock")
    other.acquire()
    with pytest.raises(ArchiveBusy, match="another writer is at work"):
        begun()
    other.release()
    assert begun().data.exists()


@pytest.mark.parametrize("place", ["data", "data/deep", "elsewhere"])
def test_the_data_of_a_user_are_not_written_over(data, base, tmp_path, place):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.txt").write_text("Mine.")
    if place == "data":
        (tmp_path / "data" / "mine.txt").unlink()
    data = data.rename(tmp_path / place)
    before = sorted((tmp_path / "data").rglob("*"))
    with pytest.raises(BadInput, match="name another folder"):
        Run(Inputs(data, base, parse_recipe(SMALL), "mine"), tmp_path)
    assert sorted((tmp_path / "data").rglob("*")) == before


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        (Engine("onnxruntime", "bfloat16"), "onnxruntime computes in float32"),
        (Engine("openvino", device="cuda"), "needs the engine torch"),
    ],
    ids=["precision", "device"],
)
def test_an_engine_that_cannot_judge_is_told_before_anything_is_learned(
    data, base, tmp_path, engine, message
):
    run = Run(Inputs(data, base, parse_recipe(SMALL), "mine", engine), tmp_path / "run")
    with pytest.raises(ModelError, match=message):
        run.train()
    assert not (tmp_path / "run" / "curves.jsonl").exists()


def test_a_full_device_ends_a_training_by_a_model_error(begun, monkeypatch):
    def full(*given):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    run = begun()
    monkeypatch.setattr("training.encoder.compute_pair_loss", full)
    with pytest.raises(ModelError, match="CUDA out of memory"):
        run.train()
