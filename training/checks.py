"""Validate data and recipe before training, so that mistakes surface now and not hours in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from evaluation.pairs import Pair
from quotations.text.transcript import Transcript
from reranker.models.files import TOKENIZER
from reranker.models.weights import Manifest
from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import BadInput, ModelError
from training.bert import count_layers, load_bert
from training.encoder import check_batch
from training.groups import select_comparable
from training.news_groups import check_news
from training.recipe import EncoderRecipe, RankerRecipe
from training.unaligned import check_unaligned

Documents = Mapping[str, Transcript]
Tell = Callable[[str], None]


def check_encoder(
    recipe: EncoderRecipe, base: Path, data: Path, trained: Sequence[Pair], remark: Tell
) -> None:
    """Check before training that data and base model suffice to train an encoder with `recipe`.

    `base` is the folder of the BERT to start from. If the base has more layers than the recipe uses, call
    `remark` with a note.

    Raises:
        BadInput: if the pairs, the news quotations or the paragraphs of older speeches do not fill a batch.
        ModelError: if the base is missing, has too few layers, or has a tokenizer with more entries than word
            embeddings.
    """
    check_batch(sum(len(row.parts) for row in trained), recipe.pair_batch, "[encoder] pair_batch")
    _, words = load_bert(base, recipe.layers)
    if (size := WordPieces(base / TOKENIZER).size) > len(words):
        raise ModelError(f"the tokenizer of {base} has {size} entries, its word embeddings {len(words)}")
    if (layers := count_layers(base)) > recipe.layers:
        remark(f"the base has {layers} layers, of which the lowest {recipe.layers} are trained")
    check_unaligned(data, recipe)


def warn_unused(recipe: EncoderRecipe, kept: Manifest, remark: Tell) -> None:
    """Warn about settings of the section `encoder` that have no effect, because an encoder is reused.

    `kept` is the manifest of the models with that encoder. As it is not trained again, only the setting
    `layers` has an effect. There is no warning about a setting with its default value, or with the value in
    the recipe by which the encoder was trained.
    """
    usual, learned_with = EncoderRecipe(), kept.content.get("recipe", {}).get("encoder", {})
    unused = []
    for name in (field.name for field in fields(recipe) if field.name != "layers"):
        wanted, unasked = getattr(recipe, name), getattr(usual, name)
        if wanted not in (unasked, learned_with.get(name, unasked)):
            unused.append(name)
    if unused:
        remark(
            f"the encoder of {kept.name} is kept: [encoder] {', '.join(unused)} of the recipe: without effect"
        )


def check_ranker(recipe: RankerRecipe, data: Path, trained: Sequence[Pair], documents: Documents) -> None:
    """Check before training that the data suffices to train a ranker with `recipe`.

    Raises:
        BadInput: if every pair quotes all paragraphs of its speech, so that no other paragraphs are left to
            rank below them; or if the pairs or the news quotations do not fill a batch.
    """
    ranked = select_comparable(list(trained), dict(documents))
    if not ranked:
        raise BadInput("each pair to train on quotes all of its speech: there is nothing to tell it from")
    check_batch(sum(len(row.parts) for row in ranked), recipe.batch, "[ranker] batch")
    check_news(data, recipe)


def check_dev(dev: Sequence[Pair], trained: Sequence[Pair]) -> None:
    """Check that no row of dev (the rows that measure a model's quality) is also used for training.

    Raises:
        BadInput: if a row of `dev` is also in `trained`.
    """
    if shared := {row.fingerprint for row in dev} & {row.fingerprint for row in trained}:
        raise BadInput(f"{len(shared)} rows of dev are there to train on, too: dev tells nothing then")


def check_known(dev: Sequence[Pair], known_to: Manifest, documents: Documents, remark: Tell) -> None:
    """Check that reused models were not trained on rows of dev (the rows that measure a model's quality).

    `known_to` is the manifest of the models that a training reuses, such as a teacher. It lists the rows and
    speeches on which these models were trained. If dev quotes one of these speeches, `remark` is called with
    a note.

    Raises:
        BadInput: if the models were trained on rows of dev.
    """
    name, manifest = known_to.name, known_to.content
    if shared := {row.fingerprint for row in dev}.intersection(manifest.get("trained_on", ())):
        raise BadInput(f"{name} was trained on {len(shared)} rows of dev at least: dev tells nothing then")
    speeches = {documents[row.document].fingerprint for row in dev}
    if shared := speeches.intersection(manifest.get("trained_speeches", ())):
        remark(f"{name} was trained on {len(shared)} speeches that dev quotes, which flatters dev")
