"""Render the tables of README and docs from results/*.json with the templates in templates/.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`.

python -m benchmarks.render            rewrite the pages whose tables are stale python -m benchmarks.render
--check    exit 1 if a table is stale
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from archive.shipped_files import locate_shipped
from benchmarks.script import make_parser
from evaluation.naming import SYSTEMS
from reranker.models.weights import Manifest, read_manifest

Result = Mapping[str, Any]

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
TABLE = re.compile(r"(<!-- table: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
PARTS = ("encoder", "ranker", "tokenizer", "fusion")
ENCODING = ("encoder", "tokenizer")
LABELS = {
    "systems": SYSTEMS
    | {
        "first_stage": "first stage (both, what the draft quotes already, and adjacent paragraphs)",
        "model": "**Rostrum**",
    },
    "stages": {
        "lexical": "BM25 of paragraphs",
        "dense": "encoder",
        "lexical + document": "BM25 of paragraphs and documents",
        "lexical + document + dense": "both and encoder",
        "undated": "and what the draft quotes already, and adjacent paragraphs",
        "all": "**all** (and how recent the speech is on the draft's day)",
    },
    "kinds": {
        "record": "Congressional Record, printed form",
        "akoma-ntoso": "Akoma Ntoso (South Africa)",
        "akoma-ntoso-text": "the same as plain text",
        "parlamint": "ParlaMint (Austria, Catalonia)",
        "parlamint-text": "the same as plain text",
        "word": "Word (Catalonia)",
    },
    "settings": {
        "archive": "the whole archive",
        "so far": "what there was on the draft's day",
        "archive, dated": "the whole archive, with the draft's day",
        "30 days": "speeches of the 30 days before",
        "source": "the source alone",
    },
}


@dataclass(frozen=True)
class Table:
    """Pair a template with its result file, and list the parts of models that determine its figures."""

    template: str
    result: str | None = None
    decided_by: tuple[str, ...] = PARTS


TABLES = {
    "ranking-test": Table("ranking-test", "quality-test"),
    "spans-test": Table("spans-test", "quality-test"),
    "candidates": Table("candidates", "candidates"),
    "archive-wide-test": Table("archive-wide-test", "archive-wide-test"),
    "first-answers": Table("first-answers", "first-answers"),
    "early-answers": Table("early-answers", "early-answers"),
    "demo": Table("demo"),
    "runner": Table("runner", "runner"),
    "archive": Table("archive", "archive"),
    "first-stage": Table("first-stage", "first-stage"),
    "encoder": Table("encoder", "encoder", ENCODING),
    "load": Table("load", "load"),
    "load-whole": Table("load", "load-whole"),
    "query-kinds": Table("query-kinds", "query-kinds"),
    "calibration": Table("calibration", "query-kinds"),
    "recommend-profile": Table("recommend-profile", "recommend-profile"),
    "page-answers": Table("page-answers", "page-answers"),
    "refresh": Table("refresh", "refresh", ENCODING),
    "turns": Table("turns", "turns", ()),
    "scaling-sizes": Table("scaling-sizes", "scaling"),
    "scaling-vectors": Table("scaling-vectors", "scaling"),
    "scaling-workers": Table("scaling-workers", "scaling"),
    "stores": Table("stores", "stores"),
    "peers": Table("peers", "peers", ("ranker", "tokenizer")),
    "peers-short": Table("peers-short", "peers", ("ranker", "tokenizer")),
    "peers-gpu": Table("peers-gpu", "peers-gpu", ("tokenizer",)),
    "famous": Table("famous", "famous", ("encoder", "tokenizer")),
    "own-files": Table("own-files", "own-files"),
    "printability": Table("printability", "printability"),
    "voices": Table("voices", "printability"),
    "reporters-prints": Table("reporters-prints", "reporters-prints", ()),
    "printability-estimate": Table("printability-estimate", "printability-estimate", ()),
    "print-order-dev": Table("print-order", "print-order-dev", ("ranker", "tokenizer")),
    "printed-spans": Table("printed-spans", "printed-spans", ("ranker", "tokenizer")),
    "verify-readings": Table("verify-readings", "verify", ()),
    "verify-matrix": Table("verify-matrix", "verify", ()),
    "verify-figures": Table("verify-figures", "verify", ()),
    "verify-speed": Table("verify-speed", "verify-speed", ()),
}


def draw_table(table: Table, shipped_models: Manifest) -> str:
    """Return the table in Markdown, with a note below it if it was measured with other models."""
    result = {} if table.result is None else read_result(table.result)
    notes = name_other_models([result], shipped_models, table.decided_by)
    return "\n\n".join([render_result(table.template, result), *notes])


def render_result(template: str, result: Result) -> str:
    """Return a result in the form of templates/`template`.md."""
    demo = (RESULTS / "demo.txt").read_text("utf-8")
    text = _make_environment().get_template(f"{template}.md").render(result=result, demo=demo, **LABELS)
    return text.strip("\n")


def _make_environment() -> Environment:
    environment = Environment(  # Markdown, of our own figures
        loader=FileSystemLoader(Path(__file__).with_name("templates")), undefined=StrictUndefined
    )
    environment.filters["p_value"] = format_p_value
    environment.filters["milliseconds"] = _format_latency
    return environment


def _format_latency(latency: Mapping[str, float]) -> str:
    return f"{1000 * latency['p50_s']:.0f} / {1000 * latency['p95_s']:.0f} ms"


def name_other_models(
    results: Iterable[Result], shipped_models: Manifest, decided_by: Sequence[str] = PARTS
) -> list[str]:
    """Return a sentence that names the models of `results` that differ from the shipped ones in a part.

    Parts that an older result does not record are not compared.
    """
    ours = {part: shipped_models.hashes[part] for part in decided_by}
    measured = [result["models"] for result in results if "models" in result]
    others = [
        models for models in measured if any(models.get(part, ours[part]) != ours[part] for part in ours)
    ]
    if not others:
        return []
    share = "" if len(others) == len(measured) else "in part "
    names = ", ".join(sorted({models["name"] for models in others}))
    return [f"Measured {share}with the models {names}; those that are shipped are {shipped_models.name}."]


def format_p_value(p: float) -> str:
    """Format a p-value for readers.

    >>> format_p_value(0.0001), format_p_value(0.0312)
    ('< 0.001', '= 0.031')
    """
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def read_result(name: str) -> Result:
    """Read a result file."""
    result: Result = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    return result


def render_page(text: str) -> str:
    """Return the page's text with every table rendered from its result."""
    models = read_manifest(locate_shipped("models"))
    return TABLE.sub(lambda m: f"{m[1]}{draw_table(TABLES[m['name']], models)}\n{m[3]}", text)


def list_pages() -> list[Path]:
    """List the pages that have tables."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in pages if TABLE.search(page.read_text("utf-8"))]


def list_stale_pages() -> list[Path]:
    """List the pages whose tables differ from the results."""
    return [page for page in list_pages() if render_page(page.read_text("utf-8")) != page.read_text("utf-8")]


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if a table is stale")
    arguments = parser.parse_args()
    stale = list_stale_pages()
    if arguments.check:
        sys.exit(f"stale: {', '.join(page.name for page in stale)}" if stale else 0)
    for page in stale:
        page.write_text(render_page(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
