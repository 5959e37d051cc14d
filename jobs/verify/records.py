"""Write the record of a verification (its checks and the facts of the run) as JSON, CSV or a printable HTML
page.
"""

from __future__ import annotations

import csv
import html
import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import (
    GRAVEST_FIRST,
    QuoteCheck,
    QuoteDifference,
    Verdict,
    Verification,
    sort_gravest_first,
)
from rostrum_core.whole_files import replace_file

COLUMNS: Final = (
    "id", "verdict", "confidence", "quote", "attributed_to", "said_on", "source", "speaker", "spoken_on",
    "document", "paragraph", "start_char", "end_char", "url", "differences", "warnings", "exact_words",
)  # fmt: skip
LABELS: Final = {
    Verdict.ALTERED: "altered: a word that carries the meaning differs",
    Verdict.OUT_OF_CONTEXT: "perhaps out of context: look at what the cut leaves out",
    Verdict.SAID_BY_ANOTHER: "said by someone else, or on another occasion",
    Verdict.MERGED: "merged from several places without a mark",
    Verdict.NOT_FOUND: "not found in the speeches of that time",
    Verdict.PARAPHRASED: "paraphrased: said in other words",
    Verdict.SOURCE_SUSPECT: "the transcript itself is doubtful there",
    Verdict.CANNOT_BE_CHECKED: "cannot be checked",
    Verdict.EDITED: "edited: words differ, the meaning does not",
    Verdict.VERBATIM: "verbatim",
}
"""Labels of the verdicts for display."""

STYLE: Final = """
body{font:11pt/1.45 Georgia,serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
h1{font-size:1.5rem;margin-bottom:.2rem} h2{font-size:1.1rem;border-bottom:1px solid #888;margin-top:2rem}
table{border-collapse:collapse;font-size:.9rem}
td,th{text-align:left;padding:.1rem 1rem .1rem 0;vertical-align:top}
article{margin:1rem 0;padding:.2rem 0 .2rem .8rem;border-left:4px solid #888;break-inside:avoid}
article.altered,article.out_of_context,article.said_by_another{border-color:#a30}
article.verbatim,article.edited{border-color:#275} blockquote{margin:.3rem 0;color:#333}
del{background:#fdd;text-decoration:line-through} ins{background:#dfd;text-decoration:underline}
.meta{font-size:.85rem;color:#444} strong.flag{color:#a30}
"""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Hold the facts of a run: the user, the time (ISO 8601 with zone), the name of what was checked, and the
    version of Rostrum.
    """

    run_by: str
    run_at: str
    checked: str
    version: str


def write_record(path: Path, verification: Verification, facts: RunFacts) -> None:
    """Write the record of a verification, in the format given by the file's suffix: `.json`, `.csv` or
    `.html`.

    Raises:
        BadInput: the file has another suffix.
        OSError: the file cannot be written.
    """
    forms = {
        ".json": write_json_record,
        ".csv": write_csv_record,
        ".html": write_html_record,
        ".htm": write_html_record,
    }
    if path.suffix.lower() not in forms:
        raise BadInput(f"{path}: a record ends in .json, .csv or .html", field="record")
    with replace_file(path) as part:
        part.write_text(
            forms[path.suffix.lower()](verification, facts), "utf-8", errors="replace", newline=""
        )


def make_record(verification: Verification, facts: RunFacts) -> dict[str, Any]:
    """Return the record of a verification as a JSON object: facts of the run, counts by verdict, and all
    checks.
    """
    return {
        **asdict(facts),
        "generation": verification.generation,
        "models": verification.models,
        "rules": verification.rules,
        "degraded": list(verification.degraded),
        "elapsed_s": round(verification.elapsed_s, 3),
        "counts": verification.count_verdicts(),
        "checks": [write_check(check) for check in verification.checks],
    }


def write_check(check: QuoteCheck) -> dict[str, Any]:
    """Return the check of a quotation as a JSON object, without the draft's text around the quotation."""
    row = check.row
    return {
        **check.build_line(),
        "quote": row.quote,
        "attributed_to": row.speaker,
        "said_on": row.said_on,
        "places": [asdict(place) for place in check.places],
        "before": check.before,
        "after": check.after,
        "suggestion": check.suggestion,
    }


def write_json_record(verification: Verification, facts: RunFacts) -> str:
    """Format the record of a verification as JSON."""
    return json.dumps(make_record(verification, facts), ensure_ascii=False, indent=1) + "\n"


def write_csv_record(verification: Verification, facts: RunFacts) -> str:
    """Format a verification as CSV with a header row and a row for each quotation.

    The last columns describe the run; they are the same in each row.
    """
    about = {
        **asdict(facts),
        "generation": verification.generation or "",
        "rules": verification.rules,
        "models": " ".join(f"{name}={value}" for name, value in (verification.models or {}).items()),
    }
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [*COLUMNS, *about])
    writer.writeheader()
    for check in verification.checks:
        writer.writerow(
            {name: _escape_cell(value) for name, value in {**_list_columns(check), **about}.items()}
        )
    return text.getvalue()


def _escape_cell(value: Any) -> Any:
    """Return a value of a table, with an apostrophe before text that a spreadsheet would run as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _list_columns(check: QuoteCheck) -> dict[str, Any]:
    place, row = check.place, check.row
    return {
        "id": row.id,
        "verdict": check.verdict.value,
        "confidence": round(check.confidence, 3),
        "quote": row.quote,
        "attributed_to": row.speaker or "",
        "said_on": row.said_on or "",
        "source": place.title if place else "",
        "speaker": (place.speaker or "") if place else "",
        "spoken_on": (place.spoken_on or "") if place else "",
        "document": place.document if place else "",
        "paragraph": place.paragraph if place else "",
        "start_char": place.start_char if place else "",
        "end_char": place.end_char if place else "",
        "url": (place.url or "") if place else "",
        "differences": "; ".join(map(describe_difference, check.differences)),
        "warnings": "; ".join(warning.message for warning in check.warnings),
        "exact_words": place.words if place else "",
    }


def describe_difference(difference: QuoteDifference) -> str:
    """Describe a difference between a quotation and its source in a few words.

    >>> describe_difference(QuoteDifference("changed", "eight", "seven", ("number",)))
    'changed “seven” to “eight” (number)'
    """
    said = {
        "dropped": f"dropped “{difference.source}”",
        "added": f"added “{difference.quote}”",
        "moved": f"moved “{difference.quote}”",
        "cut": f"left out “{difference.source}” at a mark",
    }.get(difference.kind, f"changed “{difference.source}” to “{difference.quote}”")
    note = ", ".join(difference.meaning) or difference.reason
    return f"{said} ({note})" if note else said


def write_html_record(verification: Verification, facts: RunFacts) -> str:
    """Format the record of a verification as a printable HTML page without scripts.

    The gravest verdicts come first.
    """
    counts = "".join(
        f"<tr><td>{count}</td><td>{_escape(LABELS[Verdict(verdict)])}</td></tr>"
        for verdict, count in verification.count_verdicts().items()
        if count
    )
    about = {
        "Checked": facts.checked,
        "Run by": facts.run_by,
        "Run at": facts.run_at,
        "Archive generation": verification.generation or "none",
        "Models": ", ".join(f"{name} {value[:12]}" for name, value in (verification.models or {}).items()),
        "Rules": verification.rules,
        "Rostrum": facts.version,
        "Not done": "; ".join(verification.degraded),
    }
    rows = "".join(
        f"<tr><th>{name}</th><td>{_escape(value)}</td></tr>" for name, value in about.items() if value
    )
    checks = sort_gravest_first(verification.checks)
    sections = "".join(
        _write_section(verdict, [check for check in checks if check.verdict is verdict])
        for verdict in GRAVEST_FIRST
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Quotations checked</title>'
        f"<style>{STYLE}</style></head><body><h1>Quotations checked: {_escape(facts.checked)}</h1>"
        f"<table>{rows}</table><h2>Result</h2><table>{counts}</table>{sections}</body></html>\n"
    )


def _write_section(verdict: Verdict, checks: list[QuoteCheck]) -> str:
    if not checks:
        return ""
    return f"<h2>{_escape(LABELS[verdict].capitalize())}</h2>{''.join(map(_write_article, checks))}"


def _write_article(check: QuoteCheck) -> str:
    place, row = check.place, check.row
    said_by = f" <span class=meta>attributed to {_escape(row.speaker)}</span>" if row.speaker else ""
    parts = [f"<p><b>{_escape(row.id)}</b> “{_escape(row.quote)}”{said_by}</p>"]
    parts += [f"<p><strong class=flag>{_escape(warning.message)}</strong></p>" for warning in check.warnings]
    if place:
        before, after = _escape(check.before), _escape(check.after)
        words = mark_words(check)
        parts.append(f"<blockquote>{before} <b>{words}</b> {after}</blockquote>")
    if check.differences:
        parts.append(f"<p class=meta>{_escape('; '.join(map(describe_difference, check.differences)))}</p>")
    parts += [f"<p class=meta>{_write_place(check, number)}</p>" for number in range(len(check.places))]
    parts.append(f"<p class=meta>confidence {check.confidence:.2f}</p>")
    return f'<article class="{check.verdict.value}">{"".join(parts)}</article>'


def mark_words(check: QuoteCheck) -> str:
    """Return the words of the source as HTML, with the differences from the quotation marked.

    Words that the quotation omits or changes are struck out. The quotation's words, if any, follow them. A
    difference is not marked if its words occur more than once in the source. The check must have at least
    one place.
    """
    words = _escape(check.places[0].words)
    for difference in check.differences:
        source = _escape(difference.source)
        if difference.kind in ("dropped", "changed") and source and words.count(source) == 1:
            quote = f"<ins>{_escape(difference.quote)}</ins>" if difference.quote else ""
            words = words.replace(source, f"<del>{source}</del>{quote}")
    return words


def _write_place(check: QuoteCheck, number: int) -> str:
    place = check.places[number]
    details = (
        place.speaker,
        place.title,
        place.spoken_on,
        f"paragraph {place.paragraph + 1}",
        place.document,
    )
    text = _escape(", ".join(part for part in details if part))
    if place.url and place.url.startswith(("http://", "https://")):
        return f'<a href="{_escape(place.url)}">{text}</a>'
    return text


def _escape(text: str | None) -> str:
    return html.escape(text or "")
