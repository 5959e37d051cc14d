"""What trainings of tests begin with: a BERT of two narrow layers, and a few speeches that articles quote."""

import json
import random
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from archive.shipped_files import locate_shipped

WIDTH, HEADS, INNER, LAYERS = 32, 2, 64, 2
SUBJECTS = (
    "moon", "school", "harvest", "railway", "hospital", "treaty", "budget", "election", "river", "army",
    "bank", "steel", "forest", "vaccine", "border", "library", "island", "strike", "tariff", "bridge",
)  # fmt: skip
PROMISES = ("protect", "rebuild", "understand", "finance", "celebrate", "reform")
PEOPLE = ("children", "farmers", "workers", "neighbours", "soldiers", "teachers")


def write_base(folder: Path) -> Path:
    """A Hugging Face BERT folder of random weights, with the tokenizer of the shipped models."""
    folder.mkdir()
    shutil.copyfile(locate_shipped("models") / "tokenizer.json", folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": HEADS}))
    chance = np.random.default_rng(0)
    shapes = {
        "embeddings.word_embeddings.weight": (30_522, WIDTH),
        "embeddings.position_embeddings.weight": (512, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        **_norm("embeddings.LayerNorm"),
    }
    for i in range(LAYERS):
        layer = f"encoder.layer.{i}"
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= _linear(f"{layer}.attention.{name}", WIDTH, WIDTH)
        shapes |= _linear(f"{layer}.intermediate.dense", INNER, WIDTH)
        shapes |= _linear(f"{layer}.output.dense", WIDTH, INNER)
        shapes |= _norm(f"{layer}.attention.output.LayerNorm") | _norm(f"{layer}.output.LayerNorm")
    tensors = {
        name: np.ones(shape, np.float32)
        if name.endswith("LayerNorm.weight")
        else chance.normal(0, 0.1, shape).astype(np.float32)
        for name, shape in shapes.items()
    }
    save_file(tensors, folder / "model.safetensors")
    return folder


def export_models(folder: Path, *, scores: bool = False) -> Path:
    """Export encoder and ranker of two layers with random weights; without `scores` the score head is 0."""
    import torch  # tests of what ships have none
    from safetensors.torch import save_file as save_tensors

    from training.encoder import Encoder
    from training.export import export
    from training.ranker import Ranker

    base, run, out = write_base(folder / "base"), folder / "run", folder / "models"
    run.mkdir()
    torch.manual_seed(0)
    encoder = Encoder(base, LAYERS, 1)
    save_tensors(encoder.state_dict(), run / "encoder-pairs.safetensors")
    ranker = Ranker(encoder, LAYERS, 0.0)
    if scores:
        torch.nn.init.normal_(ranker.score.weight)
    save_tensors(ranker.state_dict(), run / "ranker-pairs.safetensors")
    export(base, run, out, LAYERS, LAYERS)
    return out


def _linear(name: str, out: int, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (out, width), f"{name}.bias": (out,)}


def _norm(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}


def _promised(subject: str, promise: str, people: str) -> str:
    return f"We shall {promise} the {subject} together with our {people} before the year is out."


def write_archive(folder: Path) -> tuple[Path, Path]:
    """Folders of articles and of speeches: one of each a subject, the article quotes three sentences."""
    articles, speeches = folder / "articles", folder / "speeches"
    articles.mkdir(parents=True)
    speeches.mkdir()
    chance = random.Random(1)
    for day, subject in enumerate(SUBJECTS, 1):
        date = f"2019-05-{day:02}"
        plans = list(zip(PROMISES, chance.sample(PEOPLE, len(PEOPLE)), strict=True))
        head = f"---\ntitle: On the {subject}\nspeaker: A. Speaker\ndate: {date}\n---\n\n"
        speech = "\n\n".join(_promised(subject, *plan) for plan in plans)
        (speeches / f"{subject}.md").write_text(f"{head}{speech}\n")
        quoting = [
            f"Writers of {', '.join(chance.sample(SUBJECTS, 8))} asked the {people}: who will {promise} them?"
            f"\n\n“{_promised(subject, promise, people)}”\n\nThere was applause."
            for promise, people in chance.sample(plans, 3)
        ]
        head = f"---\ntitle: What becomes of the {subject}\ndate: {date}\nsource: The Daily Paper\n---\n\n"
        (articles / f"{subject}.md").write_text(head + "\n\n".join(quoting) + "\n")
    return articles, speeches
