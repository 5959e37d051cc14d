"""Record learning curves as JSON lines during a training, and draw them as an SVG at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

SIZE_INCHES = (7.0, 4.0)


@dataclass(frozen=True)
class Point:
    """Hold one point of a learning curve: the loss of a training phase at one step.

    `step` counts from 0; `of` is the number of the phase's steps. `loss` is a moving mean.
    """

    phase: str
    step: int
    of: int
    loss: float
    steps_per_s: float


class Curves:
    """Store the points of a training's learning curves in a file of JSON lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, point: Point) -> None:
        """Append a point of a learning curve to the file, as a line of JSON."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(point)) + "\n")

    def group_points(self) -> dict[str, list[Point]]:
        """Return the stored points, by training phase, in the order of steps.

        If a step was repeated after an interruption, the later point is used.
        """
        by_phase: dict[str, dict[int, Point]] = {}
        for point in self._read_points():
            by_phase.setdefault(point.phase, {})[point.step] = point
        return {phase: [points[step] for step in sorted(points)] for phase, points in by_phase.items()}

    def _read_points(self) -> Iterator[Point]:
        """Yield the points of the curves that the file has.

        Truncated lines are skipped: the process may have been killed while it wrote the last line.
        """
        lines = self._path.read_text("utf-8").splitlines() if self._path.exists() else []
        for line in lines:
            with suppress(ValueError, TypeError):
                yield Point(**json.loads(line))

    def draw(self, path: Path) -> None:
        """Draw the learning curves as an SVG: the loss of each phase against the percentage of its steps.

        Raises:
            ImportError: if the extra `train` is not installed.
        """
        from matplotlib.figure import Figure

        figure = Figure(figsize=SIZE_INCHES)
        axes = figure.add_subplot(xlabel="percent of the phase", ylabel="loss")
        for phase, points in self.group_points().items():
            done = [100 * (point.step + 1) / point.of for point in points]
            axes.plot(done, [point.loss for point in points], label=phase)
            axes.legend()
        axes.grid(visible=True, alpha=0.3)
        figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
