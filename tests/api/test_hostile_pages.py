"""Markup, scripts, turned directions and endless words: every page shows them as text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Dialog

from archive.refresh import RefreshOptions
from rostrum.api.app import PAGES
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Document
from tests.engines import QUICK
from tools.service_process import ServiceProcess

from .browser import is_wider_than_screen, start_browser

SCRIPT = (
    "<script>window.harmed=1</script><img src=x onerror='window.harmed=1'>\"'><svg onload=window.harmed=1>"
)
TEMPLATE = "{{ 7*7 }}{% raw %}</textarea></title></style>"
TURNED = "\u202eevil\u202c \u2066live\u2069"
LONG = "w" * 50_000
WORDS = "We choose the moon and say"
HOSTILE = f"{WORDS} {SCRIPT} {TEMPLATE} {TURNED}"
IDS = (f"a/b?{SCRIPT}#é %2F", "long")
DRAFT = f"{SCRIPT} {TEMPLATE} {TURNED} The moon, he said: “{WORDS} {SCRIPT}”"

VISIBLE = """[...document.querySelectorAll("body *:not(textarea, input, [data-mirror], [data-mirror] *)")]
    .flatMap(item => [...item.childNodes]).filter(node => node.nodeType === Node.TEXT_NODE)
    .map(node => node.data).join("")"""
"""The text of a page, without fields and the copy behind one: these have what the reader typed."""

PATHS = [
    "/",
    "/check",
    "/login",
    "/documents",
    *(f"/documents/{quote(name, safe='')}" for name in IDS),
    "/search",
    f"/search?q={quote(WORDS)}",
    "/operate",
]
"""Addresses of the pages; a test asks that there is one for each page."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with start_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service over an archive of hostile speeches."""
    folder = tmp_path_factory.mktemp("hostile")
    service = assemble(replace(read_settings({}), archive=folder))
    documents = [
        Document(IDS[0], HOSTILE, f"{HOSTILE}.\n\n{HOSTILE}, he said.", f"{SCRIPT} {TURNED}", "1962-09-12",
                 url="javascript:window.harmed=1", collection=f"{SCRIPT}{TURNED}"),
        Document(IDS[1], f"{WORDS} {LONG}", f"{WORDS} {LONG} again.", LONG, url=f"https://example.org/{SCRIPT}"),
    ]  # fmt: skip
    service.refresh(documents, RefreshOptions(fresh=True))
    service.store.close()
    process = ServiceProcess(folder / "log", archive=str(folder), **QUICK)
    yield process.wait_serving().url
    process.kill()


@pytest.fixture(params=[True, False], ids=["scripts", "no-scripts"])
def page(request, browser: Browser, site: str) -> Iterator:
    """A page of a narrow screen; at the end, no script of the archive ran in it."""
    context = browser.new_context(
        base_url=site, java_script_enabled=request.param, viewport={"width": 360, "height": 700}
    )
    context.set_default_timeout(120_000)
    page = context.new_page()
    dialogs: list[Dialog] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog))
    yield page
    assert page.evaluate("window.harmed") is None
    assert page.locator("script:not([src])").count() == page.locator("img").count() == 0
    assert dialogs == []
    context.close()


def require_text(page, *words: str) -> None:
    """Asks that the words are shown as text, and that no character turns the direction of others."""
    shown = page.locator("body").inner_text()
    for word in words:
        assert word in re.sub(r"\s+", " ", shown)
    visible = page.evaluate(VISIBLE)
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", visible)
    assert not is_wider_than_screen(page)


def list_page_paths() -> set[str]:
    return {route.path for item in PAGES for route in item.router.routes if "GET" in route.methods}


def test_every_page_is_walked() -> None:
    patterns = {re.sub(r"{[\w:]+}", ".+", path): path for path in list_page_paths() - {"/static/{name}"}}
    walked = {
        path for pattern, path in patterns.items() if any(re.fullmatch(pattern, item) for item in PATHS)
    }
    assert walked == set(patterns.values())


@pytest.mark.parametrize("path", PATHS)
def test_a_page_shows_it_as_text(page, path: str) -> None:
    page.goto(path)
    require_text(page)


def test_write_shows_it_as_text(page) -> None:
    page.goto("/")
    page.fill("#title", HOSTILE.replace("\n", " "))
    page.fill("#text", DRAFT)
    if page.locator(".draft button:visible").count():
        page.locator(".draft button:visible").click()
    page.wait_for_selector(".card")
    page.wait_for_selector(".verdict")
    require_text(page, "<script>window.harmed=1</script>", "{{ 7*7 }}", "\ufffdevil\ufffd")
    assert page.input_value("#text") == DRAFT
    assert page.locator("a[href^=javascript]").count() == 0
    for find in ("evidence", "counter", "famous"):
        page.locator(f".jobs [value={find}]").click()
        page.wait_for_selector(f".jobs [value={find}][aria-pressed=true]")
        require_text(page)


def test_check_shows_it_as_text(page, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>\u202etxt.exe"
    page.goto("/check")
    page.set_input_files("[name=file]", {"name": name, "mimeType": "text/plain", "buffer": DRAFT.encode()})
    page.locator("#check button").click()
    page.wait_for_selector(".report")
    require_text(page, "<img src=x onerror=alert(1)>\ufffdtxt.exe", "<script>window.harmed=1</script>")


def test_an_error_page_shows_it_as_text(page) -> None:
    page.goto(f"/{quote(HOSTILE)}")
    require_text(page)
