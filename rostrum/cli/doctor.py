"""`rostrum doctor`: check an installation, and print a line for each check."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distributions, requires, version
from pathlib import Path

import click

from rostrum.cli.options import archive_option, load_settings
from rostrum.cli.terminal import print_findings
from rostrum_core.archive_names import choose_archive, list_archives
from rostrum_core.errors import RostrumError
from rostrum_core.extras import install_command
from rostrum_core.settings import Settings

OLDEST_PYTHON = (3, 11)
WORKERS_TIMEOUT_S = 10.0
MODULES = {
    "beautifulsoup4": "bs4",
    "faiss-cpu": "faiss",
    "faiss-gpu-cu12": "faiss",
    "google-re2": "re2",
    "markdown-it-py": "markdown_it",
    "pyyaml": "yaml",
    "webvtt-py": "webvtt",
}
INSTEAD = {"faiss-cpu": "faiss-gpu-cu12"}
"""Packages that may replace others; for example, an image for GPUs has the GPU version of FAISS."""

Finding = tuple[bool, str]


@click.command(short_help="Check the installation and the archive.")
@archive_option
def doctor(archive: Path | None) -> None:
    """Check Python, packages, weights, models, archive and saved drafts; print "ok" or "bad" for each.

    The exit code is 1 if something is bad.

    \b
    Example:
      rostrum doctor
    """
    print_findings(run_checks(load_settings(archive)))


def run_checks(settings: Settings) -> Iterator[Finding]:
    """Run the checks of an installation; yield for each whether it passed, and a line about the result."""
    python = sys.version_info[:3]
    yield python >= OLDEST_PYTHON, f"Python {'.'.join(map(str, python))}"
    for name in list_required():
        yield check_package(name)
    yield _run_check("weights", lambda: _check_weights(settings))
    if settings.redis_url is None:
        yield _run_check("engine", lambda: _check_engine(settings))
    else:
        yield _run_check("workers", lambda: _check_workers(settings))
    yield from check_archive(settings)
    yield _run_check("saved drafts", lambda: _count_saved_drafts(settings))


def list_required() -> list[str]:
    """Return the names of the packages that an installation without extras needs."""
    lines = [line for line in requires("rostrum-quotes") or () if "extra ==" not in line]
    return sorted(re.split(r"[^\w.-]", line)[0] for line in lines)


def check_package(name: str) -> Finding:
    """Return whether a package can be imported, and a line with its version or with the error.

    A package that replaces the missing one also passes: `faiss-gpu-cu12` replaces `faiss-cpu`.
    """
    if name in INSTEAD and not _is_installed(name) and _is_installed(INSTEAD[name]):
        name = INSTEAD[name]
    module = MODULES.get(name.lower(), name.lower().replace("-", "_"))
    try:
        import_module(module)
        return True, f"{name} {version(name)}"
    except (ImportError, OSError, PackageNotFoundError) as error:
        return False, f"{name}: {error}"


def _is_installed(name: str) -> bool:
    return next(iter(distributions(name=name)), None) is not None


def check_archive(settings: Settings) -> Iterator[Finding]:
    """Check the archive, the folder or cluster where it is stored, and the named archives.

    Yield for each check whether it passed, and a line about the result.
    """
    from rostrum.assemble import open_site

    try:
        checks = open_site(settings).checks()
    except (RostrumError, ImportError) as error:
        yield False, f"archive: {error}"
        return
    for what, check in checks.items():
        yield _run_check(what, check)
    yield from _check_named(settings)


def _check_named(settings: Settings) -> Iterator[Finding]:
    """Check each named archive, such as "articles".

    Lists of quotes, whose folders are in the same place, are skipped.
    """
    from archive.quote_lists import has_list
    from rostrum.assemble import open_site

    for name in list_archives(settings):
        if not has_list(settings, name):
            site = open_site(choose_archive(settings, name))
            yield _run_check(f"archive {name}", site.checks()["archive"])


def _count_saved_drafts(settings: Settings) -> str:
    from archive.canary.saved_drafts import SavedDrafts

    return str(len(SavedDrafts(settings.archive).read()))


def _run_check(what: str, check: Callable[[], str]) -> Finding:
    try:
        return True, f"{what}: {check()}"
    except (RostrumError, OSError, ImportError) as error:
        return False, f"{what}: {' '.join(str(error).split())}"


def _check_weights(settings: Settings) -> str:
    from archive.model_registry import locate_weights
    from reranker.models.weights import read_manifest

    manifest = read_manifest(locate_weights(settings))
    return f"{manifest.name}, every hash as published, at {manifest.folder}"


def _check_engine(settings: Settings) -> str:
    from rostrum.assemble import open_models

    models = open_models(settings, threads=settings.threads)
    models.encoder.encodings(["We choose to go to the moon."])
    engine = models.engine
    advice = (
        f"; {install_command('openvino')} makes it faster here" if engine.is_slower_than_could_be() else ""
    )
    return f"{engine.name} computes on {engine.device} in {engine.precision}{advice}"


def _check_workers(settings: Settings) -> str:
    from rostrum.assemble import open_models, open_runner

    runner = open_runner(settings, open_models(settings, threads=settings.threads))
    runner.run("draft", [{"title": "We choose to go to the moon.", "left": ""}], timeout_s=WORKERS_TIMEOUT_S)
    return f"a draft was read by one, with these models; candidates go to {settings.device}"
