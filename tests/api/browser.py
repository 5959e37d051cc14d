"""Start a headless Chromium, and look at pages as their reader does."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
GRAVE = ("serious", "critical")
AXE = Path(AXE_FILE_PATH).read_text("utf-8")


def find_chromium() -> str:
    """The path of Chromium; without it, tests skip on a laptop and fail in CI."""
    path = shutil.which(CHROMIUM)
    if path is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium: apt install chromium")
    return path


@contextmanager
def start_browser() -> Iterator[Browser]:
    """A browser without a window."""
    path = find_chromium()
    with sync_playwright() as playwright:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]  # Chromium has none for root
        browser = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield browser
        browser.close()


def find_grave_faults(page: Page) -> list[str]:
    """The serious and critical findings of axe, each with the places where it was found."""
    page.evaluate(AXE)  # not by a tag, which the page's policy forbids
    report = page.evaluate("axe.run(document)")
    return [
        f"{item['id']}: {node['html'][:120]} {node.get('failureSummary', '')}"
        for item in report["violations"]
        if item["impact"] in GRAVE
        for node in item["nodes"]
    ]


def is_wider_than_screen(page: Page) -> bool:
    """Whether the page has to be moved sideways to be read."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
