"""What the choices of a training are worth: small models, trained by recipes that differ in one choice.

    python -m benchmarks.training_choices encoder --data DATA --base BASE --out OUT
    python -m benchmarks.training_choices ranker --data DATA --base BASE --out OUT --encoder ENCODER

Three layers in place of six, and one epoch of the pairs, so that a choice takes minutes. An encoder orders
the paragraphs of the transcript alone; so does a ranker, and cuts spans in the quoted ones. All rankers start
from `ENCODER`, the `encoder-pairs.safetensors` of a training of six layers, and learn from pairs alone but
where a choice says more. Each choice is tested against the first of its kind, or of those that `--choices`
names. What was trained and judged stays in OUT: a run that was stopped goes on. Writes
results/encoder-choices-dev.json or results/ranker-choices-dev.json.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from benchmarks.provenance import models_at, provenance, write
from benchmarks.quality import tell
from reranker.models.weights import sha256
from reranker.models.wordpieces import WordPieces
from rostrum.evaluation.data import DEV, DOCUMENTS, NEWS, TRAIN
from rostrum.evaluation.judging import judged_file, judged_rows
from rostrum.evaluation.metrics import average_precision, exact_match, f1, order, permutation_test
from rostrum.evaluation.pairs import Pair, pairs, sampled, transcripts
from rostrum.evaluation.tallies import percent, span_text
from rostrum.training import encoder, export, ranker
from rostrum.training.loop import mixed_precision, tensors_of
from rostrum.training.recipe import EncoderRecipe, RankerRecipe
from rostrum.training.run_settings import claim
from rostrum.training.teacher import Teacher
from rostrum_core.settings import Settings, read_settings
from rostrum_core.whole_files import write_json

LAYERS = 3
ENCODER_LAYERS = 6  # of the one that rankers start from
ENCODER = EncoderRecipe(layers=LAYERS, news_rows=6_400, pair_epochs=1)
RANKER = RankerRecipe(layers=LAYERS, news_rows=0, epochs=1)
LORA = 8
LORA_FASTER = 10  # times the rate: adapters need a greater one than the matrices that they stand for

ENCODERS: Mapping[str, EncoderRecipe] = {
    "pairs alone": replace(ENCODER, news_rows=0),
    "news quotations, then pairs": ENCODER,
    "speeches, then pairs": replace(ENCODER, news_rows=0, speech_rows=ENCODER.news_rows),
    "speeches, news quotations, pairs": replace(ENCODER, speech_rows=ENCODER.news_rows),
    "pairs alone, negatives hard by BM25": replace(ENCODER, news_rows=0, negatives_kind="bm25"),
    "pairs alone, negatives hard by the encoder": replace(ENCODER, news_rows=0, negatives_kind="encoder"),
    "pairs alone, another seed": replace(ENCODER, news_rows=0, seed=8),
    "pairs alone, adapters of rank 8": replace(
        ENCODER, news_rows=0, lora_rank=LORA, pair_rate=LORA_FASTER * ENCODER.pair_rate
    ),
}
RANKERS: Mapping[str, RankerRecipe] = {
    "pairs alone": RANKER,
    "pairs alone, another seed": replace(RANKER, seed=8),
    "pairwise loss": replace(RANKER, loss="pairwise"),
    "pointwise loss": replace(RANKER, loss="pointwise"),
    "hard negatives by BM25": replace(RANKER, negatives_kind="bm25"),
    "hard negatives by the encoder": replace(RANKER, negatives_kind="encoder"),
    "neighbouring negatives": replace(RANKER, negatives_kind="neighbouring"),
    "news quotations, then pairs": replace(RANKER, news_rows=ENCODER.news_rows),
    "half of the loss a teacher's": replace(RANKER, teacher_share=0.5),
    "adapters of rank 8": replace(RANKER, lora_rank=LORA, rate=LORA_FASTER * RANKER.rate),
}

CHOICES: Mapping[str, Mapping[str, EncoderRecipe | RankerRecipe]] = {"encoder": ENCODERS, "ranker": RANKERS}
Values = dict[str, list[float]]
"""Values of each figure by its name, one for each draft."""


def settings() -> Settings:
    """What this is computed with."""
    return read_settings(dict(os.environ))


def dev_drafts(given: argparse.Namespace) -> list[Pair]:
    """The drafts of dev that are judged."""
    found = pairs(given.data / DEV, transcripts(given.data / DOCUMENTS))
    return sampled(found, given.limit, given.seed)


def encoder_values(recipe: EncoderRecipe, folder: Path, given: argparse.Namespace) -> Values:
    """Average precisions by the cosines of an encoder that is trained in the folder."""
    device = settings().device
    encoder.train(given.data, given.base, folder, recipe, print, device)
    pieces = WordPieces(given.base / "tokenizer.json")
    model = encoder.Encoder(given.base, recipe.layers, pieces.body_start).to(device)
    model.load_state_dict(tensors_of(folder / "encoder-pairs.safetensors"))
    model.eval()
    drafts, dev = dev_drafts(given), encoder.PairData(given.data, "dev", pieces)
    with torch.no_grad(), mixed_precision(device):
        vectors = {name: model(dev.paragraphs[name]) for name in sorted({draft.document for draft in drafts})}
        queries = model([pieces.query(draft.title, draft.left) for draft in drafts])
    precisions = []
    for draft, query in zip(drafts, queries, strict=True):
        cosines = (vectors[draft.document] @ query).cpu().numpy().astype(float)
        precisions.append(average_precision(order(cosines).tolist(), {part.ordinal for part in draft.parts}))
    return {"map": precisions}


def ranker_values(recipe: RankerRecipe, folder: Path, given: argparse.Namespace) -> Values:
    """Average precisions by a ranker that is trained in the folder; exact matches and F1 of what it cuts."""
    shutil.copyfile(given.encoder, folder / "encoder-pairs.safetensors")
    teacher = Teacher(models_at(given.teacher)) if recipe.teacher_share else None
    ranker.train(given.data, given.base, folder, recipe, ENCODER_LAYERS, print, settings().device, teacher)
    export.export(given.base, folder, folder / "exported", ENCODER_LAYERS, recipe.layers)
    documents = transcripts(given.data / DOCUMENTS)
    models = models_at(folder / "exported")
    found: Values = {"map": [], "em": [], "f1": []}
    kept = judged_file(folder, models, given.data / DEV, given.data / DOCUMENTS)
    for row in judged_rows(kept, dev_drafts(given), documents, models, tell):
        paragraphs = documents[row.pair.document].paragraphs
        cut, quoted = span_text(row, sorted(row.relevant), paragraphs), row.pair.quoted(paragraphs)
        found["map"].append(average_precision(order(row.model).tolist(), row.relevant))
        found["em"].append(exact_match(cut, quoted))
        found["f1"].append(f1(cut, quoted))
    return found


def made_of(recipe: EncoderRecipe | RankerRecipe, given: argparse.Namespace) -> dict[str, Any]:
    """What decides a choice's figures."""
    files = [given.base / "model.safetensors", *(given.data / name for name in (DOCUMENTS, TRAIN, DEV))]
    if isinstance(recipe, RankerRecipe):
        files.append(given.encoder)
        if recipe.teacher_share:
            files.append(given.teacher / "ranker.safetensors")
    if recipe.news_rows:
        files.append(given.data / NEWS)
    hashes = {path.name: sha256(path) for path in files}
    computed_by = f"{settings().engine or ''} {settings().precision or ''} {settings().device}"
    drawn = {"drafts": given.limit, "seed": given.seed}
    return {"recipe": asdict(recipe), "computed_by": computed_by, **drawn, **hashes}


def values_of(given: argparse.Namespace, choice: str) -> Values:
    """What a choice's model makes of each draft; trained and judged first, where its folder lacks that."""
    recipe = CHOICES[given.kind][choice]
    folder = given.out / given.kind / re.sub(r"\W+", "-", choice)
    claim(folder / "choice.json", made_of(recipe, given))
    kept = folder / "values.json"
    if not kept.exists():
        print(f"{choice}:")
        if isinstance(recipe, RankerRecipe):
            values = ranker_values(recipe, folder, given)
        else:
            values = encoder_values(recipe, folder, given)
        write_json(kept, values)
    found: Values = json.loads(kept.read_text("utf-8"))
    return found


def compared(values: Mapping[str, Values], speeches: Sequence[str]) -> dict[str, Any]:
    """Means in percent of each choice, and the p of each figure against the first of them."""
    first = next(iter(values.values()))
    return {
        choice: {
            "figures": {name: percent(found) for name, found in figures.items()},
            "p": {name: permutation_test(found, first[name], speeches) for name, found in figures.items()},
        }
        for choice, figures in values.items()
    }


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=CHOICES)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--base", type=Path, required=True, help="Hugging Face BERT folder")
    parser.add_argument("--out", type=Path, required=True, help="folder of trainings and of what was judged")
    parser.add_argument("--encoder", type=Path, help="weights that rankers start from, of six layers")
    parser.add_argument("--teacher", type=Path, default=Path("models"), help="models to learn from")
    parser.add_argument("--choices", nargs="+", metavar="CHOICE", help="these alone")
    parser.add_argument("--limit", type=int, help="draw so many drafts of dev")
    parser.add_argument("--seed", type=int, default=1, help="of the drafts")
    given = parser.parse_args()
    if given.kind == "ranker" and given.encoder is None:
        parser.error("ranker needs --encoder")
    every = CHOICES[given.kind]
    chosen = given.choices or list(every)
    if unknown := set(chosen) - every.keys():
        parser.error(f"no such choice: {', '.join(sorted(unknown))} (there are: {', '.join(every)})")
    values = {choice: values_of(given, choice) for choice in chosen}
    drafts = dev_drafts(given)
    found = {
        "split": "dev",
        "n": len(drafts),
        "rows": {"drawn": given.limit, "seed": given.seed},
        "layers": LAYERS,
        "device": settings().device,
        "choices": compared(values, [draft.document for draft in drafts]),
        **provenance(None, [given.data / DOCUMENTS, given.data / TRAIN, given.data / DEV]),
    }
    write(f"{given.kind}-choices-dev", found)


if __name__ == "__main__":
    main()
