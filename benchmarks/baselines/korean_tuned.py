"""Reproduce the tables of "Detecting contextomized quotes in news headlines" with a fine-tuned trunk.

    python -m benchmarks.baselines.korean_tuned --arrays korean.npz --runs RUNS --device cuda
    python -m benchmarks.baselines.korean_tuned --arrays korean.npz --runs RUNS --write

`korean_tokens` writes the arrays. Every figure is appended to RUNS/figures.jsonl at once; a repeated run
computes only those that are missing. `--write` combines them in `results/korean-tuned.json`. Learning rates
are chosen on a fifth of the training rows of the first seeds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from benchmarks.baselines.e5_trunk import Trunk, build_trunk
from benchmarks.baselines.korean_figures import TEST_SHARE, judge, measure_space, summarise
from benchmarks.baselines.korean_tuning import (
    CLASSIFIER,
    CONTRAST,
    FROZEN,
    Headlines,
    Numbers,
    Recipe,
    Space,
    Task,
    choose_nearest,
    encode_every,
    make_articles,
    project_vectors,
    scale_letters,
    train_classifier,
    train_contrast,
)

STARTS: dict[str, dict[str, bool]] = {
    "trunk": {},
    "QuoteCSE": {"hard": True, "itself": False},
    "SimCSE": {"hard": False, "itself": True},
    "QuoteCSE, no hard negatives": {"hard": False, "itself": False},
    "QuoteCSE, SimCSE positives": {"hard": True, "itself": True},
}
"""Options of `train_contrast` for the trunk of each row; `None`: it goes to the classifier as it is."""
WITH_LETTERS = ("trunk", "QuoteCSE")
TOGETHER = "read together"
RATES = {"contrast": (2e-5, 5e-5, 1e-4), "classifier": (3e-5, 1e-4, 3e-4)}
CHOOSING_SEEDS = 2

Figures = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Job:
    """Describe the work of one process: train the variant `name` with a seed and these recipes.

    With `choosing`, the recipes are tried on a part of the training rows, to choose a learning rate.
    """

    name: str
    seed: int
    contrast: Recipe = CONTRAST
    classifier: Recipe = CLASSIFIER
    frozen: Recipe = FROZEN
    choosing: bool = False

    @property
    def key(self) -> str:
        """The name in the file of figures."""
        rate = self.contrast.rate if self.name == "QuoteCSE" else self.classifier.rate
        return (
            f"rate {rate} of {self.name}, seed {self.seed}"
            if self.choosing
            else f"{self.name}, seed {self.seed}"
        )


class Bench:
    """Hold the headlines and the trunk that every job starts from."""

    def __init__(self, path: Path, device: torch.device, rows: int | None) -> None:
        with np.load(path) as arrays:
            self.data = Headlines(arrays, device, rows)
            shape = arrays["shape"]
            stored = {name[6:]: arrays[name] for name in arrays.files if name.startswith("trunk/")}
        self.trunk = build_trunk(shape, stored).to(device)
        self.start = copy_weights(self.trunk)

    def split(self, job: Job) -> tuple[Numbers, Numbers]:
        """Return the training and the test rows; to choose a rate, both are taken from the training rows."""
        labels = self.data.labels[: self.data.labelled]
        rows = np.arange(self.data.labelled)
        learned, tested = train_test_split(rows, test_size=TEST_SHARE, random_state=job.seed, stratify=labels)
        if job.choosing:
            learned, tested = train_test_split(
                learned, test_size=TEST_SHARE, random_state=job.seed, stratify=labels[learned]
            )
        return learned, tested

    def list_further(self) -> Numbers:
        """Return the rows of the later set."""
        return np.arange(self.data.labelled, len(self.data.labels))


def copy_weights(trunk: Trunk) -> dict[str, torch.Tensor]:
    """Return a copy of the weights."""
    return {name: value.clone() for name, value in trunk.state_dict().items()}


def judge_chances(chances: NDArray[np.float32], labels: NDArray[np.int64]) -> dict[str, float]:
    """Return the figures of predicted probabilities."""
    return judge(chances, chances >= 0.5, labels)


def run_start(bench: Bench, job: Job) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the figures of a variant: with the trunk frozen, and fine-tuned; if requested, also with features
    of letters.
    """
    data, trunk = bench.data, bench.trunk
    learned, tested = bench.split(job)
    labels = data.labels[tested]
    trunk.load_state_dict(bench.start)
    project = None
    if STARTS[job.name]:
        rows = np.concatenate([learned, bench.list_further()])
        project = train_contrast(trunk, data, rows.tolist(), job.contrast, job.seed, **STARTS[job.name])
    every = encode_every(trunk, data, data.texts)
    space = Space(every).to(data.device)
    vectors = space(every) if project is None else project_vectors(project, every)
    task = Task(data, space, learned, tested, choose_nearest(data, vectors))
    frozen = judge_chances(train_classifier(trunk, task, job.frozen, job.seed), labels)
    nearest = data.nearest[tested].tolist()
    yield (
        f"{job.name}, frozen",
        frozen | measure_space(make_articles(data, tested.tolist(), vectors), nearest),
    )
    if job.choosing and project is not None:
        return
    kept = copy_weights(trunk)
    yield (
        f"{job.name}, fine-tuned",
        judge_chances(train_classifier(trunk, task, job.classifier, job.seed), labels),
    )
    if job.name in WITH_LETTERS and not job.choosing:
        lettered = replace(task, letters=scale_letters(data, learned))
        for name, recipe in (("frozen", job.frozen), ("fine-tuned", job.classifier)):
            trunk.load_state_dict(kept)
            chances = train_classifier(trunk, lettered, recipe, job.seed)
            yield f"{job.name}, {name}, with letters", judge_chances(chances, labels)


def run_together(bench: Bench, job: Job) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the figures of a classifier on features of letters alone, and of a trunk that reads both quotes
    as one text. The article's quote is the one that shares most letters with the headline's. With the later
    set, its rows are training rows, too.
    """
    data, trunk = bench.data, bench.trunk
    learned, tested = bench.split(job)
    letters, labels = scale_letters(data, learned), data.labels[tested]
    values = letters.cpu().numpy()
    model = LogisticRegression().fit(values[learned], data.labels[learned])
    yield "letters", judge_chances(model.predict_proba(values[tested])[:, 1].astype(np.float32), labels)
    trunk.load_state_dict(bench.start)
    space = Space(encode_every(trunk, data, data.texts)).to(data.device)
    task = Task(data, space, learned, tested, data.nearest, together=True)
    more = np.concatenate([learned, bench.list_further()])
    for name, chosen in (
        (TOGETHER, task),
        (f"{TOGETHER}, with letters", replace(task, letters=letters)),
        (f"{TOGETHER}, with letters, later set", replace(task, letters=letters, learned=more)),
        (
            "trunk, fine-tuned, with letters, later set",
            replace(task, letters=letters, learned=more, together=False),
        ),
    ):
        trunk.load_state_dict(bench.start)
        yield name, judge_chances(train_classifier(trunk, chosen, job.classifier, job.seed), labels)


RUNS: dict[str, Callable[[Bench, Job], Iterator[tuple[str, dict[str, float]]]]] = {
    **dict.fromkeys(STARTS, run_start),
    TOGETHER: run_together,
}

_bench: Bench | None = None


def prepare_process(path: Path, device: str, rows: int | None) -> None:
    """Read the arrays, once in a process."""
    global _bench
    torch.set_num_threads(1)
    torch.backends.cuda.enable_cudnn_sdp(False)  # it plans again for every length
    _bench = Bench(path, torch.device(device), rows)


def run_job(job: Job) -> dict[str, Any]:
    """Return the figures of a job's systems.

    If one fails, return the figures of those before it, and the error.
    """
    assert _bench is not None
    begun = time.monotonic()
    figures: Figures = {}
    record: dict[str, Any] = {"key": job.key, "seed": job.seed, "figures": figures}
    try:
        figures.update(RUNS[job.name](_bench, job))
    except Exception:  # a job that fails must not end the others
        record["error"] = traceback.format_exc()
    return record | {"seconds": round(time.monotonic() - begun, 1)}


def read_figures(path: Path) -> list[dict[str, Any]]:
    """Return the records of earlier runs that did not fail."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [record for record in map(json.loads, lines) if "error" not in record]


def run_jobs(pool: Any, jobs: Sequence[Job], kept: Path, deadline: float) -> list[dict[str, Any]]:
    """Run the jobs whose figures `kept` lacks; write the figures of each when it ends, and return all.

    Stop at the deadline.
    """
    records = {record["key"]: record for record in read_figures(kept)}
    missing = [job for job in jobs if job.key not in records]
    results = pool.imap_unordered(run_job, missing)
    for _ in missing:
        try:
            record = results.next(max(0.1, deadline - time.monotonic()))
        except multiprocessing.TimeoutError:
            print("out of time", flush=True)
            break
        records[record["key"]] = record
        with kept.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(record) + "\n")
        f1 = {name: round(values["f1"], 3) for name, values in record["figures"].items()}
        print(record["key"], record["seconds"], f1, record.get("error", ""), flush=True)
    return [records[job.key] for job in jobs if job.key in records]


def choose_recipes(pool: Any, model: Job, kept: Path, deadline: float) -> Job:
    """Return the job with the learning rates that have the greatest area under the ROC curve on a part of the
    training rows.
    """
    jobs = [
        replace(model, name="QuoteCSE", seed=seed, choosing=True, contrast=replace(model.contrast, rate=rate))
        for rate in RATES["contrast"]
        for seed in range(CHOOSING_SEEDS)
    ]
    jobs += [
        replace(
            model, name="trunk", seed=seed, choosing=True, classifier=replace(model.classifier, rate=rate)
        )
        for rate in RATES["classifier"]
        for seed in range(CHOOSING_SEEDS)
    ]
    records = {record["key"]: record for record in run_jobs(pool, jobs, kept, deadline)}
    scores: dict[tuple[str, float], list[float]] = {}
    for job in jobs:
        figures: Figures = records.get(job.key, {}).get("figures", {})
        stage, system = ("contrast", "frozen") if job.name == "QuoteCSE" else ("classifier", "fine-tuned")
        if values := figures.get(f"{job.name}, {system}"):
            rate = (job.contrast if stage == "contrast" else job.classifier).rate
            scores.setdefault((stage, rate), []).append(values["auc"])
    best: dict[str, tuple[float, float]] = {}
    for (stage, rate), aucs in scores.items():
        best[stage] = max(best.get(stage, (0.0, 0.0)), (sum(aucs) / len(aucs), rate))
    for stage, (_, rate) in best.items():
        model = replace(model, **{stage: replace(getattr(model, stage), rate=rate)})
    return model


def make_summary(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return for every system the means and standard errors over the seeds, and the number of seeds."""
    systems: dict[str, list[dict[str, float]]] = {}
    for record in records:
        if not record["key"].startswith("rate"):
            for name, values in record["figures"].items():
                systems.setdefault(name, []).append(values)
    return {
        name: {"seeds": len(runs), **summarise([{name: run} for run in runs])[name]}
        for name, runs in systems.items()
    }


def count_missing(records: Sequence[dict[str, Any]], seeds: int) -> dict[str, int]:
    """Return for each incomplete job the number of seeds without figures."""
    keys = {record["key"] for record in records}
    missing = {name: sum(Job(name, seed).key not in keys for seed in range(seeds)) for name in RUNS}
    return {name: count for name, count in missing.items() if count}


def write_results(runs: Path, arrays: Path, seeds: int) -> None:
    """Write the figures of the runs to results/, with their provenance and the number of missing runs.

    The recorded device is that of the runs, not of the machine that combines them.
    """
    from benchmarks.provenance import record_provenance, write  # it needs the product, which a run does not

    setting = json.loads((runs / "setting.json").read_text("utf-8"))
    records = read_figures(runs / "figures.jsonl")
    source = record_provenance(None, [arrays])
    del source["machine"]
    figures = {"systems": make_summary(records), "seeds not run": count_missing(records, seeds)}
    write("korean-tuned", {**setting, **figures, **source})


def open_pool(workers: int, prepare: Callable[..., None], values: tuple[Any, ...]) -> Any:
    """Return a pool of processes, or of one thread for one worker."""
    if workers == 1:
        return ThreadPool(1, prepare, values)
    return multiprocessing.get_context("spawn").Pool(workers, prepare, values)


def main() -> None:
    """Read the command line, choose rates, train and judge, and write the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--arrays", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--workers", type=int, default=1, help="processes that train at the same time")
    parser.add_argument("--limit", type=float, default=86400, help="seconds after which the run stops")
    parser.add_argument("--epochs", type=int, help="for a trial: epochs of every stage")
    parser.add_argument("--rows", type=int, help="for a trial: labelled rows, and so many of the later set")
    parser.add_argument("--write", action="store_true", help="write results/ from the runs, train nothing")
    options = parser.parse_args()
    if options.write:
        write_results(options.runs, options.arrays, options.seeds)
        return
    deadline = time.monotonic() + options.limit
    options.runs.mkdir(parents=True, exist_ok=True)
    model = Job("trunk", 0)
    if options.epochs:
        stages = {
            name: replace(getattr(model, name), epochs=options.epochs)
            for name in ("contrast", "classifier", "frozen")
        }
        model = replace(model, **stages)
    kept = options.runs / "figures.jsonl"
    ready = (prepare_process, (options.arrays, options.device, options.rows))
    with open_pool(options.workers, *ready) as pool:
        model = choose_recipes(pool, model, kept, deadline)
        device = torch.cuda.get_device_name() if options.device == "cuda" else "cpu"
        setting = {"contrast": vars(model.contrast), "classifier": vars(model.classifier), "device": device}
        (options.runs / "setting.json").write_text(json.dumps(setting), "utf-8")
        jobs = [replace(model, name=name, seed=seed) for name in RUNS for seed in range(options.seeds)]
        records = run_jobs(pool, jobs, kept, deadline)
        (options.runs / "summary.json").write_text(json.dumps(make_summary(records), indent=1), "utf-8")


if __name__ == "__main__":
    main()
