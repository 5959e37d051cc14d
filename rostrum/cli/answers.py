"""An answer as people and programs read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from rostrum.cli.terminal import attribution, marked, safe
from rostrum_core.types import Answer, Filter, Recommendation, Scores

INDENT = 4
SPEAKERS = "a speaker is who holds the floor in a paragraph"
COLLECTIONS = "a collection is named in full, in capitals and small letters as it is kept"
LANGUAGES = "a language is named by its code, such as en"
DATES = "a speech without a date passes neither --since nor --until"
NARROW = 50  # columns below which indentation costs more than it shows


def print_answer(answer: Answer, console: Console, *, explain: bool = False) -> None:
    """The recommendations in order: rank, paragraph with its marked words, who said it where and when.

    Last come the id of the speech and the number of the paragraph, as `rostrum show` takes them.
    """
    if not answer.recommendations:
        console.print("No paragraph fits.")
    for recommendation in answer.recommendations:
        _print_one(recommendation, console, explain)


def print_json(told: Mapping[str, Any], console: Console) -> None:
    """One JSON object, ASCII only."""
    console.print(json.dumps(told, indent=2), soft_wrap=True)


def print_remarks(answer: Answer, console: Console, filter: Filter = Filter()) -> None:
    """What was skipped, a filter that nothing passed, the number of candidates, the time of each stage."""
    for stage in answer.degraded:
        console.print(f"degraded: {stage}", style="yellow", soft_wrap=True)
    if not answer.candidates and not answer.degraded and filter != Filter():
        console.print(nothing_passes(filter), style="yellow", soft_wrap=True)
    stages = ", ".join(f"{stage} {elapsed_s:.3f} s" for stage, elapsed_s in answer.timings_s.items())
    console.print(f"{answer.candidates} candidates; {stages}", style="dim", soft_wrap=True)


def nothing_passes(filter: Filter) -> str:
    """What may be wrong with a filter that no speech passes.

    >>> nothing_passes(Filter(languages=("English",)))
    'no speech passes the filter: a language is named by its code, such as en (rostrum documents lists all)'
    """
    advice = (
        (filter.speakers, SPEAKERS),
        (filter.collections, COLLECTIONS),
        (filter.languages, LANGUAGES),
        (filter.since or filter.until, DATES),
    )
    told = "; ".join(advised for given, advised in advice if given)
    return f"no speech passes the filter: {told} (rostrum documents lists all)"


def scores_line(scores: Scores) -> str:
    """Scores of every stage in one line, `-` for a stage that gave none.

    >>> scores_line({"lexical": 7.25, "dense": None, "final": 0.5})
    'lexical 7.25, dense -, final 0.5'
    """
    return ", ".join(
        f"{name} {'-' if value is None else format(value, '.4g')}" for name, value in scores.items()
    )


def _print_one(recommendation: Recommendation, console: Console, explain: bool) -> None:
    paragraph = recommendation.paragraph
    said_by = attribution(recommendation.document, paragraph.speaker, paragraph.start_s)
    where = f"- {said_by} [{safe(paragraph.document_id)}, {paragraph.ordinal + 1}]"
    below = [where, scores_line(recommendation.scores)] if explain else [where]
    body = marked(paragraph, recommendation.spans, console)
    rank = f"{recommendation.rank}."
    if not console.is_terminal:
        console.print(Text.assemble(f"{rank} ", body), *map(Text, below), sep="\n", soft_wrap=True)
    else:
        indent = INDENT if console.width >= NARROW else 0
        console.print(Text.assemble(f"{rank:<{indent}}" if indent else f"{rank} ", body))
        for line in below:
            console.print(Padding(Text(line, style="dim"), (0, 0, 0, indent), expand=False))
    console.print()
