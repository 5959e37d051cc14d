"""Check our language rules: names of functions, names of values, first words of docstrings.

python -m tools.check_language            exit 1 with a line per fault in the packages of `SWEPT`
python -m tools.check_language PACKAGE    the same for a package or file that is not swept yet

The name of a function begins with a verb of verbs.txt. Properties, constructors, methods that override those
of libraries, commands and tests are exempt. No value has a name in `BANNED`. No docstring begins with a word
in `OPENINGS`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SWEPT: tuple[str, ...] = (
    "archive",
    "benchmarks",
    "embedded",
    "evaluation",
    "indexer",
    "jobs",
    "opensearch",
    "quotations",
    "reranker",
    "rostrum",
    "rostrum_core",
    "tools",
    "training",
    "workers",
)
BANNED = frozenset(("told", "found", "each", "known", "asked", "held", "given", "some", "both"))
OPENINGS = frozenset(("what", "where", "whether", "which", "nothing", "who", "whoever", "how"))
VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text("utf-8").split())
EXCEPTED = frozenset(
    (
        *("main", "forward", "safe", "items", "keys", "values"),
        *("json", "connection_made", "connection_lost", "data_received"),
        *("readable", "readinto", "tick"),
    )
)
"""Function names that need no verb.

`forward` is torch's, every command calls `safe`, `items` to `values` are of mappings, `json` is of
Starlette's requests, the next three are of asyncio's protocols, two of io's streams, one of Celery's beat.
"""
PUBLIC_METHODS = frozenset(
    (
        *("checks", "content_hashes", "document_frequency", "documents", "encodings", "free_bytes"),
        *("generations", "published", "size_bytes", "view", "writer"),
        *("counter", "evidence", "famous", "famous_many", "repeats"),
        *("health", "job", "jobs", "ready", "uploads"),
    )
)
"""Methods of the ports that are named after the collection they return; jobs and endpoints of the service."""


def find_faults(path: Path) -> Iterator[str]:
    """Yield a line for each fault in a module, as `path:line: fault`."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    tree = ast.parse(path.read_text("utf-8"))
    for node, inside in _walk(tree, None):
        for fault in _check_node(node, inside):
            yield f"{name}:{getattr(node, 'lineno', 1)}: {fault}"


def _walk(node: ast.AST, inside: ast.AST | None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    yield node, inside
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, node if isinstance(node, ast.ClassDef | ast.FunctionDef) else inside)


def _check_node(node: ast.AST, inside: ast.AST | None) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if not _is_excepted(node, inside) and node.name.strip("_").split("_")[0] not in VERBS:
            yield f"{node.name} does not begin with a verb"
        yield from _check_parameters(node)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.strip("_") in BANNED:
        yield f"{node.id} names nothing: say what it is"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
        opening = (ast.get_docstring(node) or "Return").split()[0].strip("`,.:;").lower()
        if opening in OPENINGS:
            yield f"a docstring begins with {opening!r}: begin with a verb"


def _check_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    arguments = node.args
    for argument in (
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ):
        if argument is not None and argument.arg.strip("_") in BANNED:
            yield f"the parameter {argument.arg} names nothing: say what it is"


def _is_excepted(node: ast.FunctionDef | ast.AsyncFunctionDef, inside: ast.AST | None) -> bool:
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    marks = (
        "property",
        "classmethod",
        "command",
        "fixture",
        ".group",
        "override",
        ".setter",
        "cached_property",
    )
    return (
        node.name in EXCEPTED
        or (node.name in PUBLIC_METHODS and isinstance(inside, ast.ClassDef))
        or (node.name.startswith("__") and node.name.endswith("__"))
        or node.name.startswith(("test_", "visit_", "do_", "on_"))
        or any(mark in decorator for mark in marks for decorator in decorators)
    )


def list_modules(places: list[str]) -> Iterator[Path]:
    """Yield the modules of packages and files, in order."""
    for place in places:
        path = ROOT / place
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def main() -> None:
    """Print the faults; exit 1 if there are some."""
    faults = [fault for path in list_modules(sys.argv[1:] or list(SWEPT)) for fault in find_faults(path)]
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
