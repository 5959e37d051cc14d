"""The page Operate in a real browser: what it shows, and what it does, with scripts and without."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Locator, Page, expect

from archive.canary.saved_drafts import SavedDraft, SavedDrafts
from archive.history import Event, History
from archive.index_files import index
from indexer.dead_letters import DEAD_LETTERS, DeadLetters
from rostrum.api.app import make_app
from rostrum.api.edge.keys import KeyScope, add_key
from rostrum.assemble import assemble
from rostrum_core.errors import TranscriptError
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft
from tests.engines import QUICK
from tools.service_process import ServiceProcess

from .browser import find_grave_faults, is_wider_than_screen
from .test_page_search_read import Scripts
from .test_pages import browser  # noqa: F401  a fixture

PATIENCE_MS = 120_000
MOON = "We choose to go to the moon in this decade, not because it is easy, but because it is hard."
HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    (folder / "road.txt").write_text("The road is long, and it is to be mended before the winter.")
    (folder / "night.txt").write_text("The night is young, and so are all of you.")
    return folder


@pytest.fixture(scope="module")
def site(models, sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service over two generations, of two speeches and of three; what loses results is kept back."""
    archive = tmp_path_factory.mktemp("operate") / "archive"
    service = assemble(replace(read_settings({}), archive=archive))
    letters = DeadLetters(archive / DEAD_LETTERS)
    index(service, [sources], letters)
    (sources / "moon.txt").write_text(MOON)
    index(service, [sources], letters)
    process = ServiceProcess(
        archive.parent / "log",
        archive=str(archive),
        sources=str(sources),
        canary="block",
        **QUICK,
    )
    yield process.wait_serving().url
    process.kill()


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def page(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Page]:  # noqa: F811
    context = browser.new_context(base_url=site, java_script_enabled=request.param)
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def find_published(page: Page) -> Locator:
    return page.locator("tr:has(.badge.good) th").first


def published(page: Page) -> str:
    return find_published(page).inner_text()


def wait_for_job(page: Page) -> str:
    """The text of the newest job, once it is over."""
    deadline = time.monotonic() + 120
    while (state := page.locator(".refreshes .badge").first.inner_text()) in ("running", "waiting"):
        assert time.monotonic() < deadline
        time.sleep(0.3)
        page.goto("/operate")
    return f"{state}: {page.locator('.refreshes li').first.inner_text()}"


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1440, "light")])
def test_the_page_is_accessible_and_fits_the_screen(
    browser: Browser,  # noqa: F811
    site: str,
    width: int,
    scheme: str,
) -> None:
    context = browser.new_context(
        base_url=site, viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    page = context.new_page()
    page.goto("/operate")
    assert find_grave_faults(page) == []
    assert not is_wider_than_screen(page)
    context.close()


def test_a_generation_is_rolled_back_and_published_again(page: Page) -> None:
    page.goto("/operate")
    before = published(page)
    page.get_by_role("button", name="Roll back").click()
    expect(page.get_by_role("status")).to_contain_text("Rolled back.")
    assert published(page) < before
    page.get_by_role("button", name=f"Publish {before}").click()
    expect(page.get_by_role("status")).to_contain_text("Published.")
    expect(find_published(page)).to_have_text(before)
    assert "Publication" in page.locator(".history tbody tr").first.inner_text()


def test_a_publication_that_loses_results_leads_to_the_comparison(page: Page) -> None:
    page.goto("/operate")
    if page.locator("details:not([open]) > summary", has_text="Save a draft").count():
        page.locator("summary", has_text="Save a draft").click()
    page.fill("[name=name]", "moon")
    page.fill("[name=text]", "A rocket to the moon\n\nThe president said")
    page.fill("[name=expect]", "moon")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("The draft is saved.")
    current = published(page)
    older = page.locator("tbody th", has_text=re.compile("^0")).all_inner_texts()[-1]

    page.get_by_role("button", name=f"Publish {older}").click()

    expect(find_published(page)).to_have_text(current)
    assert "Expected and missing: moon" in page.locator("#comparison").inner_text()
    assert "its speech was deleted" in page.locator("#comparison").inner_text()
    page.get_by_role("button", name=f"Publish {older} all the same").click()
    expect(find_published(page)).to_have_text(older)
    page.get_by_role("button", name=f"Publish {current}").click()
    expect(find_published(page)).to_have_text(current)
    page.get_by_role("button", name="Remove moon").click()
    expect(page.get_by_role("status")).to_contain_text("The draft is removed.")


def test_refused_files_are_shown_by_cause_and_read_again(page: Page, sources: Path) -> None:
    bad = sources / "bad.jsonl"
    bad.write_text('{"id": "a"\n')
    page.goto("/operate")
    page.fill("#paths", "bad.jsonl")
    page.get_by_role("button", name="Start").click()
    assert wait_for_job(page).startswith("done")
    assert "1 × no JSON" in page.locator("section:has(#letters-title)").inner_text()
    number = time.monotonic_ns()
    bad.write_text(
        json.dumps({"id": f"sun-{number}", "paragraphs": [f"The sun rises {number} times."]}) + "\n"
    )
    page.get_by_role("button", name="Read refused files again (1)").click()
    assert "1 added" in wait_for_job(page)
    assert page.locator("#letters-title").count() == 0


def test_a_job_that_fails_says_why_and_a_wrong_name_is_an_error_on_the_page(page: Page) -> None:
    page.goto("/operate")
    page.fill("#paths", "none/*.txt")
    page.get_by_role("button", name="Start").click()
    assert "'none/*.txt' is not there among the sources" in wait_for_job(page)


def test_only_an_admin_reaches_the_page_and_forms_need_their_token(models, tmp_path: Path) -> None:
    keys = {scope: add_key(tmp_path / "keys.json", scope.value, scope) for scope in KeyScope}
    service = assemble(
        replace(read_settings({}), archive=tmp_path / "archive", api_keys=tmp_path / "keys.json")
    )
    for scope, key in keys.items():
        with TestClient(make_app(service), base_url="https://archive.example.org") as client:
            client.post("/login", data={"key": key, "next": "/search"}, follow_redirects=False)
            answer = client.get("/operate", headers=HTML)
            assert answer.status_code == (200 if scope is KeyScope.ADMIN else 403)
            search = client.get("/search", headers=HTML).text
            assert ('href="/operate"' in search) == (scope is KeyScope.ADMIN)
            forms = ("publish", "rollback", "refresh", "cancel", "retry", "save", "remove")
            for name in forms:
                assert client.post(f"/operate/{name}", data={}, headers=HTML).status_code == 403


def test_hostile_files_reasons_and_names_are_shown_as_text(models, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\u202e\"'>"
    archive = tmp_path / "archive"
    service = assemble(replace(read_settings({}), archive=archive, sources=tmp_path))
    letters = DeadLetters(archive / DEAD_LETTERS)
    letters(TranscriptError(f"/{evil}", evil, line=1))
    SavedDrafts(archive).save(SavedDraft(evil, Draft(evil)))
    History(archive).append(Event("refresh", "failed", evil, evil, {"previous": evil, "added": 1}))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        pages = [
            client.get("/operate", headers=HTML),
            client.get("/operate", params={"done": evil, "compare": evil}, headers=HTML),
            client.post("/operate/refresh", data={"paths": evil}, headers=HTML),
            client.post("/operate/publish", data={"generation": evil}, headers=HTML),
            client.post("/operate/remove", data={"name": f"{evil}!"}, headers=HTML),
            client.post("/operate/save", data={"name": evil, "text": evil, "expect": evil}, headers=HTML),
        ]
    for answer in pages:
        parser = Scripts()
        parser.feed(answer.text)
        assert parser.found == []
        shown = re.sub(r'value="[^"]*"', "", answer.text)  # a field keeps what was typed
        assert "\u202e" not in shown
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in answer.text
    assert [answer.status_code for answer in pages[:2]] == [200, 200]
