"""Draw curves as SVG, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, LEGEND = 420, 300, 60, 40, 230
COLOURS = ("#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#b07aa1", "#9c755f", "#bab0ac")


def draw_lines(lines: Mapping[str, Sequence[tuple[float, float]]], across: str, up: str) -> str:
    """Return an SVG of named lines of points (x, y), all above 0, with the titles of both axes.

    >>> draw_lines({"a": [(1, 1), (10, 10)]}, "x", "y").count("<polyline")
    1
    """
    points = [point for line in lines.values() for point in line]
    xs, ys = ([math.log10(point[axis]) for point in points] for axis in (0, 1))
    place_x = _scale(min(xs), max(xs), LEFT, WIDTH - 20)
    place_y = _scale(min(ys), max(ys), HEIGHT - BOTTOM, 20)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + LEGEND} {HEIGHT}"'
        f' width="{WIDTH + LEGEND}" height="{HEIGHT}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH + LEGEND}" height="{HEIGHT}" fill="white"/>',
    ]
    for x in sorted({point[0] for point in points}):
        at = place_x(math.log10(x))
        drawn.append(f'<text x="{at:.0f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    for y in _list_ticks(min(ys), max(ys)):
        at = place_y(math.log10(y))
        drawn.append(f'<text x="{LEFT - 6}" y="{at + 4:.0f}" text-anchor="end">{y:g}</text>')
        drawn.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{at:.0f}" y2="{at:.0f}" stroke="#ddd"/>')
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{place_x(math.log10(x)):.1f},{place_y(math.log10(y)):.1f}" for x, y in line)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = 30 + 18 * number
        drawn.append(f'<rect x="{WIDTH}" y="{y - 8}" width="12" height="4" fill="{colour}"/>')
        drawn.append(f'<text x="{WIDTH + 18}" y="{y}">{escape(name)}</text>')
    drawn.append(f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(across)}</text>')
    drawn.append(f'<text x="{LEFT}" y="12">{escape(up)}</text></svg>')
    return "\n".join(drawn) + "\n"


def _scale(least: float, most: float, start: float, end: float) -> Callable[[float], float]:
    span = (most - least) or 1.0
    return lambda value: start + (value - least) / span * (end - start)


def _list_ticks(least: float, most: float) -> list[float]:
    """Return powers of ten, and twice and five times them, between two logarithms."""
    powers = range(math.floor(least), math.ceil(most) + 1)
    every = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    return [tick for tick in every if least <= math.log10(tick) <= most]
