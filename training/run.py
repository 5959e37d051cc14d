"""Run a whole training, from data to a folder of models.

The stages are encoder, ranker, export, judge (score the paragraphs for drafts of dev), archive, fit (the
weights that combine the scores) and evaluate. All files are in one folder. A stage writes its result
atomically and is never repeated. So a restarted run resumes where it stopped, even if it was killed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from embedded.store import EmbeddedStore
from evaluation.data import (
    DEV,
    DOCUMENTS,
    TRAIN,
    check_cut,
    count_news_left_out,
    count_shared_articles,
    prepare_folder,
)
from evaluation.fit import fit_archive, fit_within, make_row
from evaluation.judging import JudgedRow, judge_rows, name_judged_file
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from evaluation.tallies import compute_figures, tally
from quotations.text.transcript import Transcript
from reranker.fusion import read_weights
from reranker.models.engines import ON_CPU, Engine
from reranker.models.files import FILES, FUSION, MANIFEST
from reranker.models.loaded import Models
from reranker.models.weights import Manifest, read_manifest
from reranker.pytorch.device import has_bfloat16, report_lost_device
from rostrum_core.errors import BadInput, ModelError
from rostrum_core.locks import WriterLock
from rostrum_core.whole_files import write_json
from training import checks, curves, data_archive, encoder, export, kept_encoder, ranker
from training.manifest import describe_origin, make_manifest
from training.recipe import Recipe
from training.run_report import CURVES, run_report
from training.run_settings import claim
from training.teacher import Teacher
from training.unaligned import select_older_than_dev

Tell = Callable[[str], None]
TRAINED_ON = 400  # rows listed in a manifest; they identify a file that has one in a hundred of them, to 98 %


@dataclass(frozen=True)
class Inputs:
    """Hold the inputs of a training: the user's folder `data`, and the Hugging Face folder `base`.

    Training starts from the model in `base`, and runs in torch on the device of `engine`. `engine` also runs
    the trained models, to judge rows and to encode paragraphs. `teacher` is a folder of models
    whose ranker is the teacher (see `teacher_share` of the recipe). `encoder` is a folder of models whose
    encoder is kept, so that only a ranker is trained.
    """

    data: Path
    base: Path
    recipe: Recipe
    name: str
    engine: Engine = ON_CPU
    teacher: Path | None = None
    encoder: Path | None = None

    def __post_init__(self) -> None:
        if (self.teacher is not None) != bool(self.recipe.ranker.teacher_share):
            raise BadInput("a teacher and [ranker] teacher_share go together: one is given without the other")


class Run:
    """Run one training in `folder`, or resume it there.

    `tell` is called with progress, and `remark` with notes on the whole training.

    Raises:
        BadInput: if the folder was begun with another recipe, base, teacher, encoder or data; if the data
            cannot be used; or if the kept encoder does not fit base and recipe.
        ArchiveBusy: if another process trains in the folder; `train` raises this as well.
    """

    def __init__(
        self, inputs: Inputs, folder: Path, tell: Tell = lambda _: None, remark: Tell = lambda _: None
    ) -> None:
        self.inputs, self.folder, self.tell, self.remark = inputs, folder, tell, remark
        self.curves = curves.Curves(folder / "curves.jsonl")
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = WriterLock(folder / "lock")
        self._lock.acquire()
        try:
            self._begin(folder / "data", folder / "data.part", folder / "run.json")
        finally:
            self._lock.release()

    def _begin(self, place: Path, part: Path, claimed: Path) -> None:
        """Prepare the training data, check all inputs, and record them in the file `claimed`.

        If the user's files must be converted, the result is first written to the temporary folder `part`.
        After the checks, it replaces the folder `place`. If a check fails, `place` stays unchanged.
        """
        inputs, begun = self.inputs, claimed.exists()
        shutil.rmtree(part, ignore_errors=True)
        try:
            self.data = prepare_folder(inputs.data, inputs.recipe.data.dev_share, part)
            ours = begun and not inputs.data.resolve().is_relative_to(place.resolve())
            if self.data == part and place.exists() and not ours:
                raise BadInput(f"{place} is where a training keeps its own data: name another folder")
            self.made_of = describe_origin(inputs.base, self.data, inputs.recipe, self._teacher, self._kept)
            if self._kept is not None:
                kept_encoder.check_fits(self._kept, inputs.base, inputs.recipe.encoder.layers)
            if not begun:
                self._check()
            claim(claimed, self.made_of)
            if self.data == part:
                shutil.rmtree(place, ignore_errors=True)
                self.data = part.rename(place)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    @property
    def models(self) -> Path:
        """Return the folder of the finished models."""
        return self.folder / "models"

    def train(self) -> dict[str, Any]:
        """Run every unfinished stage of the training, and return the manifest of the models."""
        self._lock.acquire()
        try:
            if not self.models.exists():
                self.inputs.engine.check(loading=True)
                if not self._exported.exists():
                    self._learn()
                    self._export()
                self._fit()
                self._finish()
        finally:
            self._lock.release()
        finished = Models(self.models).manifest
        if finished.name != self.inputs.name:
            self.remark(f"trained before as {finished.name!r}: publish it under another name with --name")
        return finished.content

    def _check(self) -> None:
        """Check before training that the data fits the recipe.

        Also report, with `remark`, anything in the data that makes the figures on dev look better than they
        should.
        """
        inputs, recipe = self.inputs, self.inputs.recipe
        checks.check_ranker(recipe.ranker, self.data, self._trained, self._documents)
        if self._kept is None:
            checks.check_encoder(recipe.encoder, inputs.base, self.data, self._trained, self.remark)
        else:
            checks.warn_unused(recipe.encoder, self._kept, self.remark)
        dev = read_pairs(self.data / DEV, self._documents)
        check_cut(inputs.data, recipe.data.dev_share, len(self._trained), len(dev))
        checks.check_dev(dev, self._trained)
        for models in self._taken_over:
            checks.check_known(dev, models, self._documents, self.remark)
        shared = {row.document for row in dev} & {row.document for row in self._trained}
        remark = f"; both quote {len(shared)} speeches, which flatters dev" if shared else ""
        self.remark(f"{len(self._trained)} pairs to train on, {len(self._rows)} of dev to fit on{remark}")
        if articles := count_shared_articles(self.data):
            self.remark(f"{articles} articles have pairs to train on and pairs of dev, which flatters dev")
        if left_out := count_news_left_out(self.data):
            self.remark(f"{left_out} news quotations hold what dev or test quotes, and are left out")

    @cached_property
    def _teacher(self) -> Manifest | None:
        """Return the manifest of the models whose ranker is the teacher; `None` without a teacher."""
        return None if self.inputs.teacher is None else read_manifest(self.inputs.teacher)

    @cached_property
    def _kept(self) -> Manifest | None:
        """Return the manifest of the models whose encoder is reused; `None` if an encoder is trained."""
        return None if self.inputs.encoder is None else read_manifest(self.inputs.encoder)

    @property
    def _taken_over(self) -> list[Manifest]:
        """Return the manifests of the models that this training reuses, as teacher or for their encoder.

        Data on which these models were trained counts as data of this training.
        """
        return [models for models in (self._teacher, self._kept) if models is not None]

    def _learn(self) -> None:
        data, base, out, recipe = self.data, self.inputs.base, self.folder, self.inputs.recipe
        device = self.inputs.engine.device
        if not has_bfloat16(device):
            self.remark(f"trains in float32: the device ({device}) does not multiply bfloat16")
        with report_lost_device():
            if self._kept is None:
                encoder.train(data, base, out, recipe.encoder, self._log, device)
            else:
                kept_encoder.write_checkpoint(self._kept, base, out)
            teacher = None
            if self.inputs.teacher is not None:
                teacher = Teacher(Models(self.inputs.teacher, self.inputs.engine))
            ranker.train(data, base, out, recipe.ranker, recipe.encoder.layers, self._log, device, teacher)

    def _log(self, point: curves.Point) -> None:
        self.curves.add(point)
        done, left_s = point.step + 1, (point.of - point.step - 1) / max(point.steps_per_s, 1e-9)
        self.tell(
            f"{point.phase}: step {done} of {point.of}, loss {point.loss}, {left_s / 60:.0f} minutes left"
        )

    @property
    def _exported(self) -> Path:
        return self.folder / "exported"

    def _export(self) -> None:
        self.tell("export")
        part, recipe = _make_empty_folder(self.folder / "exported.part"), self.inputs.recipe
        layers = recipe.encoder.layers, recipe.ranker.layers
        export.export(self.inputs.base, self.folder, part, *layers, self._kept)
        part.rename(self._exported)

    @cached_property
    def _documents(self) -> dict[str, Any]:
        return read_transcripts(self.data / DOCUMENTS)

    @cached_property
    def _trained(self) -> list[Pair]:
        return read_pairs(self.data / TRAIN, self._documents)

    @cached_property
    def _rows(self) -> list[Pair]:
        recipe = self.inputs.recipe.fit
        pairs = read_pairs(self.data / DEV, self._documents)
        rows = sample_pairs(pairs, min(recipe.rows, (len(pairs) + 1) // 2), recipe.seed)
        if not rows:
            raise BadInput("dev has no row to fit the fusion on")
        return rows

    @cached_property
    def _judged(self) -> list[JudgedRow]:
        models = Models(self._exported, self.inputs.engine)
        path = name_judged_file(self.folder, models, self.data / DEV, self.data / DOCUMENTS)
        return judge_rows(
            path, self._rows, self._documents, models, lambda n, of: self.tell(f"judge: row {n} of {of}")
        )

    def _fit(self) -> None:
        path, recipe = self.folder / FUSION, self.inputs.recipe.fit
        if path.exists():
            return
        models = Models(self._exported, self.inputs.engine)
        judged = [make_row(row, self._documents[row.pair.document].paragraphs) for row in self._judged]
        data_archive.build(
            self.data / DOCUMENTS,
            self.folder / "archive",
            models,
            lambda done: self.tell(f"archive: document {done} of {len(self._documents)}"),
        )
        self.tell("fit")
        with EmbeddedStore(self.folder / "archive") as store:
            weights = fit_archive(self._rows, store, models, fit_within(judged), recipe.ranked_rows)
        fitted_on = {"split": "dev", "rows": len(self._rows), "seed": recipe.seed}
        known_by = {"fingerprints": [row.fingerprint for row in self._rows]}
        write_json(path, {**asdict(weights), "fitted_on": fitted_on | known_by})

    def _finish(self) -> None:
        """Assemble the folder of finished models, with a manifest, the learning curves and a report.

        The figures in the manifest are those of the dev rows on which the fusion was fitted.
        """
        weights = read_weights(_read(self.folder / FUSION))
        figures = compute_figures(tally(self._judged, self._documents, weights))
        recipe = self.inputs.recipe.fit
        dev = {
            "n": len(self._judged),
            "rows": {"first": None, "drawn": len(self._judged), "seed": recipe.seed},
            "ranking": figures["ranking"],
            "spans": figures["spans"],
        }
        part = _make_empty_folder(self.folder / "models.part")
        for file in FILES:
            shutil.copyfile((self.folder if file == FUSION else self._exported) / file, part / file)
        manifest = make_manifest(part, self.inputs.name, self.made_of, {"dev": dev})
        manifest["trained_on"] = [
            row.fingerprint for row in sample_pairs(self._trained, TRAINED_ON, recipe.seed)
        ]
        manifest["trained_speeches"] = sorted({speech.fingerprint for speech in self.learned_speeches})
        for models in self._taken_over:
            for name in ("trained_on", "trained_speeches"):
                manifest[name] = sorted({*manifest[name], *models.content.get(name, ())})
        write_json(part / MANIFEST, manifest)
        self.curves.draw(self.folder / CURVES)
        (self.folder / "report.md").write_text(run_report(manifest), "utf-8")
        part.rename(self.models)

    @property
    def learned_speeches(self) -> list[Transcript]:
        """Return the speeches on which the models may have been trained.

        These are the speeches that the pairs quote. If the encoder was trained with `speech_rows`, all
        speeches from which these rows may be sampled are added.
        """
        quoted = [self._documents[row.document] for row in self._trained]
        if self._kept is not None or not self.inputs.recipe.encoder.speech_rows:
            return quoted
        return quoted + select_older_than_dev(self.data)


def _make_empty_folder(folder: Path) -> Path:
    """Create an empty folder, removing the files of an interrupted run."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def _read(path: Path) -> dict[str, Any]:
    try:
        values: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    return values
