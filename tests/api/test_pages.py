"""The pages in a real browser: Write and Check, with scripts and without, small and large, light and dark."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request

from tools.service_process import ServiceProcess

from .browser import find_grave_faults, is_wider_than_screen, start_browser

TITLE = "Why a rocket to the moon is worth its price"
TEXT = (
    "A young president stood in a football stadium in Houston and told the crowd why the nation should want "
    "to go to space at all. “Ask what your country can do for you,” Kennedy had said a year before.\n\n"
    "“We choose to go to the moon,” he said now. The cost would be"
)
PATIENCE_MS = 120_000  # the machine may be busy
FIRST_LOAD_BYTES = 150_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with start_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(sample_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service over the sample archive, in a process of its own."""
    process = ServiceProcess(tmp_path_factory.mktemp("site") / "log", archive=str(sample_archive))
    yield process.wait_serving().url
    process.kill()


@dataclass
class Visit:
    """A page with what it asked for and what it complained of."""

    page: Page
    requests: list[Request] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator:
    """Opens a page of the site; at the end, nothing was asked of another host and nothing failed."""
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []

    def start(path: str, **options) -> Visit:
        context = browser.new_context(base_url=site, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        opened = Visit(context.new_page())
        opened.page.on("request", lambda request: opened.requests.append(request))
        opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        opened.page.on("console", lambda told: opened.complaints.append(told.text))
        visits.append(opened)
        opened.page.goto(path)
        return opened

    yield start
    for opened in visits:
        assert {urlsplit(request.url).netloc for request in opened.requests} == {urlsplit(site).netloc}
        assert opened.complaints == []
    for context in contexts:
        context.close()


@contextmanager
def waiting_for_answer(page: Page) -> Iterator[None]:
    """Waits until the answer to what is done within is shown."""
    before = page.locator("[data-results]").inner_html()
    yield
    page.wait_for_function(
        "before => document.querySelector('[data-results]').innerHTML !== before", arg=before
    )


def write(page: Page, title: str = TITLE, text: str = TEXT) -> None:
    page.fill("#title", title)
    with waiting_for_answer(page):
        page.fill("#text", text)
    page.wait_for_selector(".card")


@pytest.mark.parametrize("path", ["/", "/check"])
@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_accessible_and_fits_the_screen(visit, path: str, width: int, scheme: str) -> None:
    page = visit(path, viewport={"width": width, "height": 800}, color_scheme=scheme).page
    assert find_grave_faults(page) == []
    assert not is_wider_than_screen(page)


@pytest.mark.parametrize("path", ["/", "/check"])
def test_the_first_load_is_small(visit, path: str) -> None:
    opened = visit(path)
    opened.page.wait_for_load_state("networkidle")
    sizes = [request.sizes() for request in opened.requests]
    received = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    assert 3 <= len(sizes) <= 6
    assert received <= FIRST_LOAD_BYTES


def test_quotes_appear_while_one_types_and_quotations_are_underlined(visit) -> None:
    page = visit("/", viewport={"width": 1440, "height": 900}).page
    write(page)
    assert page.locator(".card mark").first.inner_text()
    assert page.locator(".verdict .badge").all_inner_texts() == ["altered", "verbatim"]
    assert page.locator("[data-mirror] mark.bad").inner_text() == "Ask what your country can do for you,"
    assert find_grave_faults(page) == []


def test_without_scripts_the_form_gives_the_same(visit) -> None:
    page = visit("/", java_script_enabled=False).page
    page.fill("#title", TITLE)
    page.fill("#text", TEXT)
    page.locator(".draft button:visible").click()
    assert page.locator(".card mark").first.inner_text()
    assert page.locator(".verdict .badge").all_inner_texts() == ["altered", "verbatim"]
    assert page.input_value("#text") == TEXT


def test_a_draft_is_checked_with_and_without_scripts(visit) -> None:
    for scripts in (True, False):
        page = visit("/check", java_script_enabled=scripts).page
        page.fill("#text", TEXT)
        page.locator("#check button").click()
        assert page.locator(".report .badge").all_inner_texts()[-2:] == ["altered", "verbatim"]
