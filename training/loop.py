"""Run one training loop for every model: mixed precision, AdamW, linear warm-up and decay, resumable.

A run consists of phases. Each phase writes `<phase>.safetensors` at its end, so that a restarted run resumes
where it stopped. A model is trained on the device of its parameters. Matrix products are computed in bfloat16
if that device has instructions for it, else in float32.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from reranker.pytorch.device import has_bfloat16
from rostrum_core.errors import ModelError
from rostrum_core.whole_files import replace_file
from training.adapters import adapt_low_rank
from training.curves import Point

Log = Callable[[Point], None]
LOGGED = 50  # steps between two points of the learning curve


@dataclass(frozen=True)
class Plan:
    """Set the length and the learning rate of a training phase.

    `rate` is the peak learning rate; it is reached after the share `warmup` of the steps. If `lora_rank` is
    set, the transformer layers are trained through low-rank adapters of that rank (`training.adapters`).
    `seed` determines dropout and the initial adapters.
    """

    steps: int
    rate: float
    lora_rank: int = 0
    seed: int = 0
    warmup: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0

    def compute_rate(self, step: int) -> float:
        """Return the learning rate of a step: linear warm-up, then linear decay to 0.

        >>> [round(Plan(steps=10, rate=1.0, warmup=0.2).compute_rate(s), 3) for s in (0, 1, 2, 9)]
        [0.5, 1.0, 1.0, 0.125]
        """
        warm = max(1, int(self.steps * self.warmup))
        if step < warm:
            return self.rate * (step + 1) / warm
        return self.rate * (self.steps - step) / max(1, self.steps - warm)


def run_phase(
    name: str,
    model: nn.Module,
    loss_of: Callable[[int], Tensor],
    plan: Plan,
    folder: Path,
    log: Log,
    *,
    checkpoint_s: float = 900.0,
) -> None:
    """Train `model` for the plan's steps; `loss_of(step)` returns the loss, and must depend on the step and
    the weights only.

    If the phase is already finished in `folder`, its weights are loaded instead. If it was interrupted, it is
    resumed from its last checkpoint.

    Raises:
        ModelError: if a checkpoint in the folder does not fit the model, or loss or gradient is not finite.
    """
    if load_finished(name, model, folder):
        return
    done, part = folder / f"{name}.safetensors", folder / f"{name}.part.safetensors"
    with adapt_low_rank(model, plan.lora_rank, plan.seed):
        _learn(name, model, loss_of, plan, part, log, checkpoint_s)
    model.eval()
    _replace(done, model.state_dict(), {})
    part.unlink(missing_ok=True)


def _learn(
    name: str,
    model: nn.Module,
    loss_of: Callable[[int], Tensor],
    plan: Plan,
    part: Path,
    log: Log,
    checkpoint_s: float,
) -> None:
    """Run the steps of a phase that come after its checkpoint `part`, or all steps if there is no checkpoint.

    A new checkpoint is written every `checkpoint_s` seconds.
    """
    device = next(model.parameters()).device.type
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=plan.rate, weight_decay=plan.weight_decay, fused=True)
    first, mean = _resume(part, model, optimizer, plan) if part.exists() else (0, None)
    model.train()
    began = saved = time.monotonic()
    for step in range(first, plan.steps):
        for group in optimizer.param_groups:
            group["lr"] = plan.compute_rate(step)
        torch.manual_seed(random.Random(f"{plan.seed} {step}").getrandbits(63))
        with mix_precision(device):
            loss = loss_of(step)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        norm, value = nn.utils.clip_grad_norm_(learned, plan.clip).item(), loss.item()
        for what, number in (("loss", value), ("gradient's norm", norm)):
            if not math.isfinite(number):
                raise ModelError(f"{name}: the {what} is {number} at step {step}: lower the rate")
        optimizer.step()
        mean = value if mean is None else 0.98 * mean + 0.02 * value
        if step % LOGGED == 0 or step + 1 == plan.steps:
            rate = (step + 1 - first) / (time.monotonic() - began)
            log(Point(name, step, plan.steps, round(mean, 4), round(rate, 2)))
        if time.monotonic() - saved > checkpoint_s:
            _save(part, model, optimizer, plan, step + 1, mean)
            saved = time.monotonic()


def mix_precision(device: str) -> torch.autocast:
    """Return a context in which matrix products are in bfloat16 if `device` supports it, else in float32.

    Weights stay float32.
    """
    return torch.autocast(device, torch.bfloat16, enabled=has_bfloat16(device))


def load_finished(name: str, model: nn.Module, folder: Path) -> bool:
    """Load the weights of the finished phase `name` into `model`; return whether `folder` has them.

    Raises:
        ModelError: if the file does not fit the model.
    """
    done = folder / f"{name}.safetensors"
    if done.exists():
        _load(model, read_tensors(done))
    return done.exists()


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a checkpoint.

    Raises:
        ModelError: if the checkpoint cannot be read.
    """
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error


@contextmanager
def report_write_errors(path: Path) -> Iterator[None]:
    """Convert errors while writing tensors to a file, such as a full disk, to `ModelError`."""
    try:
        yield
    except SafetensorError as error:
        raise ModelError(f"{path} cannot be written: {error}") from error


def _save(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, plan: Plan, step: int, mean: float
) -> None:
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for i, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{i}.{name}": value for name, value in state.items()}
    _replace(path, tensors, {"plan": repr(plan), "step": str(step), "mean": repr(mean)})


def _replace(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    """Write tensors and metadata to a file atomically: if the process is killed, the old file is intact."""
    with report_write_errors(path), replace_file(path) as part:
        save_file(tensors, part, metadata=metadata)


def _resume(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, plan: Plan
) -> tuple[int, float | None]:
    """Load a checkpoint into model and optimizer; return the next step, and the mean loss so far.

    The mean is `None` if the checkpoint is of an older version, which did not store it.
    """
    tensors = read_tensors(path)
    with safe_open(path, "pt") as opened:
        metadata = opened.metadata() or {}
    if metadata.get("plan") != repr(plan):
        raise ModelError(f"{path.name} was begun with another plan: {metadata.get('plan')}")
    _load(model, {n.removeprefix("model."): v for n, v in tensors.items() if n.startswith("model.")})
    states: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        if name.startswith("optimizer."):
            _, i, field = name.split(".")
            states.setdefault(int(i), {})[field] = value
    optimizer.load_state_dict({"state": states, "param_groups": optimizer.state_dict()["param_groups"]})
    return int(metadata["step"]), float(metadata["mean"]) if "mean" in metadata else None


def _load(model: nn.Module, state: dict[str, Tensor]) -> None:
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        raise ModelError(f"a checkpoint does not fit the model: {error}") from error
    model.eval()
