"""Print answers to a draft: as text for people, as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from jobs.attribution import make_address, make_attribution
from quotations.text.markup import put_in_quotes, remove_markup
from reranker.fit_probability import LIKELY
from rostrum.cli.terminal import mark_best_span, safe
from rostrum_core.types import Answer, Filter, Recommendation, Scores, Span, SpanWarning

INDENT = 4
SPEAKERS = "a speaker is who holds the floor in a paragraph"
COLLECTIONS = "a collection is named in full, in capitals and small letters as it is kept"
LANGUAGES = "a language is named by its code, such as en"
DATES = "a speech without a date passes neither --since nor --until"
NARROW = 50  # columns below which indentation costs more than it shows


def print_answer(answer: Answer, console: Console, *, explain: bool = False, context: bool = False) -> None:
    """Print the recommendations in order: rank, paragraph with its marked words, and further lines below.

    The first further line gives speaker, title and date, and the id of the speech with the number of the
    paragraph; `rostrum show` accepts this id and number. The URL of the speech follows, unless an earlier
    recommendation already gave it. Then come the words with their attribution, ready to copy, and a line for
    each warning. With `context`, the sentences before and after the words follow. With `explain`, the scores
    are printed, too.
    """
    if not answer.recommendations:
        console.print("No paragraph is left." if answer.candidates else "No paragraph fits.")
    elif answer.fit is not None and answer.fit < LIKELY:
        console.print("Nothing here seems to fit; these are the nearest:\n")
    seen: set[str] = set()
    for recommendation in answer.recommendations:
        document_id = recommendation.paragraph.document_id
        _print_one(recommendation, console, explain, context=context, with_address=document_id not in seen)
        seen.add(document_id)


def print_json(values: Mapping[str, Any], console: Console) -> None:
    """Print `values` as one JSON object; characters outside ASCII are escaped."""
    console.print(json.dumps(values, indent=2), soft_wrap=True)


def print_remarks(answer: Answer, console: Console, filter: Filter = Filter()) -> None:
    """Print how an answer was made: skipped stages, remarks, the number of candidates, and seconds per stage.

    If no speech passes the filter, also print what may be wrong with the filter.
    """
    for stage in answer.degraded:
        console.print(f"degraded: {stage}", style="yellow", soft_wrap=True)
    for remark in answer.remarks:
        console.print(f"remark: {remark}", style="yellow", soft_wrap=True)
    if not answer.candidates and not answer.degraded and filter != Filter():
        console.print(explain_empty_filter(filter), style="yellow", soft_wrap=True)
    stages = ", ".join(f"{stage} {elapsed_s:.3f} s" for stage, elapsed_s in answer.timings_s.items())
    console.print(f"{answer.candidates} candidates; {stages}", style="dim", soft_wrap=True)


def explain_empty_filter(filter: Filter) -> str:
    """Return a message that says what may be wrong with a filter that matches no speech.

    >>> explain_empty_filter(Filter(languages=("English",)))
    'no speech passes the filter: a language is named by its code, such as en (rostrum documents lists all)'
    """
    advice = (
        (filter.speakers, SPEAKERS),
        (filter.collections, COLLECTIONS),
        (filter.languages, LANGUAGES),
        (filter.since or filter.until, DATES),
    )
    suggestions = "; ".join(advised for values, advised in advice if values)
    return f"no speech passes the filter: {suggestions} (rostrum documents lists all)"


def format_scores(scores: Scores) -> str:
    """Return the scores of every stage in one line, with `-` for a missing score.

    >>> format_scores({"lexical": 7.25, "dense": None, "final": 0.5})
    'lexical 7.25, dense -, final 0.5'
    """
    return ", ".join(
        f"{name} {'-' if value is None else format(value, '.4g')}" for name, value in scores.items()
    )


def format_warnings(recommendation: Recommendation) -> list[str]:
    """Return the lines to print about the spans (words worth quoting) of a recommendation.

    The first line is "ready to print" if the first span is ready for print, or "do not print as marked" if it
    is unfit; otherwise this line is missing. Next comes a line for each warning about the first span, then a
    line for each further span.
    """
    text = recommendation.paragraph.text
    spans = recommendation.spans
    is_ready = bool(spans and spans[0].ready)
    lines = ["ready to print"] if is_ready else []
    lines += ["do not print as marked"] if spans and spans[0].is_unfit else []
    lines += [
        f"{'note' if is_ready else 'check'}: {warning.message}{_quote_outside(text, spans[0], warning)}"
        for warning in (spans[0].warnings if spans else ())
    ]
    further = [f"{_name_further(spans[0], s)}: {safe(text[s.start_char : s.end_char])}" for s in spans[1:]]
    return lines + further


def _name_further(first: Span, span: Span) -> str:
    """Return "shorter" if a further span lies inside the first span, or else "closer".

    A span that is closer fits the draft better than the first span, but cannot be understood alone.
    """
    is_inside = first.start_char <= span.start_char and span.end_char <= first.end_char
    return "shorter" if is_inside else "closer"


def _quote_outside(text: str, span: Span, warning: SpanWarning) -> str:
    """Return the words that a warning is about, in round brackets, if these words are outside the span.

    Otherwise the reader sees the words in the span already, and the result is empty.
    """
    is_outside = warning.end_char <= span.start_char or warning.start_char >= span.end_char
    words = safe(text[warning.start_char : warning.end_char]).strip()
    return f" ({words})" if is_outside and words else ""


def format_context(recommendation: Recommendation) -> list[str]:
    """Return the sentences right before and after the marked words as lines, such as "before: Thank you."

    The list is empty if there are no such sentences.
    """
    context = recommendation.context
    if context is None:
        return []
    sentences = (("before", context.before), ("after", context.after))
    return [f"{name}: {safe(sentence)}" for name, sentence in sentences if sentence]


def _print_one(
    recommendation: Recommendation, console: Console, explain: bool, *, context: bool, with_address: bool
) -> None:
    paragraph, document = recommendation.paragraph, recommendation.document
    said_by = make_attribution(document, paragraph.speaker, paragraph.start_s)
    url = make_address(document, paragraph.start_s) if with_address or paragraph.start_s is not None else None
    place = f"[{safe(paragraph.document_id)}, {paragraph.ordinal + 1}]"
    below = [f"- {said_by}", f"{place} {url}" if url else place]
    if recommendation.spans:
        below.append(f"{put_in_quotes(safe(read_quote(recommendation)))} – {said_by}")
    below += format_warnings(recommendation)
    below += format_context(recommendation) if context else []
    if explain:
        below.append(format_scores(recommendation.scores))
    body = mark_best_span(paragraph, recommendation.spans, console)
    rank = f"{recommendation.rank}."
    if not console.is_terminal:
        console.print(Text.assemble(f"{rank} ", body), *map(Text, below), sep="\n", soft_wrap=True)
    else:
        indent = INDENT if console.width >= NARROW else 0
        console.print(Text.assemble(f"{rank:<{indent}}" if indent else f"{rank} ", body))
        for number, line in enumerate(below):
            style = "" if number == 0 else "dim"
            console.print(Padding(Text(line, style=style), (0, 0, 0, indent), expand=False))
    console.print()


def read_quote(recommendation: Recommendation) -> str:
    """Return the words of the first span as they are printed, without the transcript's markup.

    A service of an earlier version does not send these words; they are then cut out of the paragraph.
    """
    if recommendation.quote is not None:
        return recommendation.quote
    span = recommendation.spans[0]
    return remove_markup(recommendation.paragraph.text[span.start_char : span.end_char])
