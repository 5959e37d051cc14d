"""Define every hyper-parameter of a training, read from a TOML file.

`recipe.toml` in this folder was used for the shipped models, and is the default of `rostrum train`. A file
needs to contain only its changes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from rostrum_core.errors import BadInput

NEGATIVES = ("uniform", "bm25", "encoder", "neighbouring")
LOSSES = ("listwise", "pairwise", "pointwise")
CHOICES = {"negatives_kind": NEGATIVES, "loss": LOSSES}
SHIPPED_RECIPE = Path(__file__).with_name("recipe.toml")


@dataclass(frozen=True)
class DataRecipe:
    """Set how many pairs become the dev set, if the user's data has none.

    At least the share `dev_share` of the pairs is taken: those that quote the newest speeches.
    """

    dev_share: float = 0.15


@dataclass(frozen=True)
class EncoderRecipe:
    """Set the data and length of an encoder's training.

    The encoder consists of the lowest `layers` layers of the base model. Training first uses `speech_rows`
    paragraphs of older speeches, then `news_rows` news quotations, if there are any. These two phases use
    `news_batch` and `news_rate`. The last phase uses aligned pairs (a draft and the paragraph that it
    quotes). Each pair adds one more paragraph of its transcript to the batch as a negative; `negatives_kind`
    says how that paragraph is chosen. A rate is the peak learning rate. If `lora_rank` is set, low-rank
    adapters are trained instead of the layers themselves.
    """

    layers: int = 6
    speech_rows: int = 0
    news_rows: int = 12_800
    news_batch: int = 64
    news_rate: float = 1e-4
    pair_epochs: int = 3
    pair_batch: int = 32
    pair_rate: float = 5e-5
    negatives_kind: str = "uniform"
    lora_rank: int = 0
    seed: int = 7


@dataclass(frozen=True)
class RankerRecipe:
    """Set the hyper-parameters of a ranker's training; it starts from the encoder's lowest `layers` layers.

    Training first uses `news_rows` news quotations, if there are any, each with `news_negatives` other
    paragraphs, which `training.news_groups` composes of quotations. Then it uses aligned pairs, each with
    `negatives` other paragraphs of the transcript. Both phases have the same batch size and learning rate.

    `negatives_kind` is one of `NEGATIVES`, `loss` one of `LOSSES`. `teacher_share` is the share of the loss
    that measures the distance from a teacher's scores. `span_weight` is the weight of the spans' loss. If
    `lora_rank` is set, low-rank adapters are trained instead of the layers themselves.
    """

    layers: int = 6
    dropout: float = 0.1
    news_rows: int = 12_800
    news_negatives: int = 5
    negatives: int = 5
    negatives_kind: str = "uniform"
    batch: int = 16
    epochs: int = 2
    rate: float = 1e-4
    loss: str = "listwise"
    teacher_share: float = 0.0
    span_weight: float = 2.0
    lora_rank: int = 0
    seed: int = 7


@dataclass(frozen=True)
class FitRecipe:
    """Set how many rows of dev are sampled to fit the fusion (the weights of the ranking's signals).

    `rows` rows are sampled, but at most half of all. The other rows remain to judge the new models before
    they are published. Some signals have one value for all paragraphs of a document. Their weights are fitted
    on only `ranked_rows` of the sampled rows.
    """

    rows: int = 400
    ranked_rows: int = 200
    seed: int = 1


@dataclass(frozen=True)
class Recipe:
    """Hold all sections of a training recipe: data, encoder, ranker and fit."""

    data: DataRecipe = field(default_factory=DataRecipe)
    encoder: EncoderRecipe = field(default_factory=EncoderRecipe)
    ranker: RankerRecipe = field(default_factory=RankerRecipe)
    fit: FitRecipe = field(default_factory=FitRecipe)

    def __post_init__(self) -> None:
        if self.ranker.layers > self.encoder.layers:
            raise BadInput("[ranker] layers: it begins as the encoder and cannot have more layers than that")


MAY_BE_ZERO = ("seed", "dropout", "span_weight", "news_rows", "speech_rows", "teacher_share", "lora_rank")
SHARES = ("dev_share", "dropout", "teacher_share")  # below 1
Section = TypeVar("Section", DataRecipe, EncoderRecipe, RankerRecipe, FitRecipe)


def read_recipe(path: Path) -> Recipe:
    """Return the recipe in a TOML file.

    Raises:
        BadInput: if the file cannot be read, or a name or a value in it is invalid.
    """
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} is not a readable recipe: {error}") from error
    try:
        return parse_recipe(values)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def parse_recipe(values: Mapping[str, Any]) -> Recipe:
    """Build a recipe from its sections; missing values are those of the shipped models.

    Raises:
        BadInput: if a name or a value is invalid.

    >>> parse_recipe({"ranker": {"layers": 3}}).ranker.layers
    3
    """
    _check_names("a recipe", values, Recipe)
    return Recipe(
        _read_section(DataRecipe, "data", values),
        _read_section(EncoderRecipe, "encoder", values),
        _read_section(RankerRecipe, "ranker", values),
        _read_section(FitRecipe, "fit", values),
    )


def _read_section(kind: type[Section], name: str, recipe: Mapping[str, Any]) -> Section:
    values = recipe.get(name, {})
    if not isinstance(values, dict):
        raise BadInput(f"[{name}] is a section, not a value")
    _check_names(f"[{name}]", values, kind)
    types = {field.name: type(field.default) for field in fields(kind)}
    return kind(
        **{key: _read_value(f"[{name}] {key}", key, value, types[key]) for key, value in values.items()}
    )


def _check_names(what: str, values: Mapping[str, Any], kind: type[Any]) -> None:
    names = [field.name for field in fields(kind)]
    for name in values:
        if name not in names:
            raise BadInput(f"{what} has no {name!r}; there are {', '.join(names)}")


def _read_value(what: str, name: str, value: Any, kind: type[Any]) -> Any:
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise BadInput(f"{what}: expected {kind.__name__}, found {value!r}")
    if kind is str:
        if value not in CHOICES[name]:
            raise BadInput(f"{what}: {value!r} is none of {', '.join(CHOICES[name])}")
        return value
    most = 1 if name in SHARES else 2**63  # torch takes no greater seed
    if not (0 < value < most or (value == 0 and name in MAY_BE_ZERO)):
        raise BadInput(f"{what}: {value!r} makes no sense")
    return value
