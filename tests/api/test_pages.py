"""The pages in a real browser: Write and Check, with scripts and without, small and large, light and dark."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

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
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
"""Pictures of the pages are left here, to be looked at."""


SELECT_FROM_START = """length => {
    const paragraph = document.querySelector("[data-use]");
    const range = document.createRange();
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode(), left = length;
    while (!node.length) node = walker.nextNode();
    range.setStart(node, 0);
    while (left > node.length) { left -= node.length; node = walker.nextNode(); }
    range.setEnd(node, left);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    document.dispatchEvent(new PointerEvent("pointerup"));
}"""
"""Selects so many characters at the start of the first card's paragraph."""


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
        opened.page.on("console", lambda message: opened.complaints.append(message.text))
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
    name = f"{path.strip('/') or 'write'}-{width}-{scheme}.png"
    page.screenshot(path=SCREENSHOTS / name, full_page=True)
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


def test_the_kinds_of_results_stand_in_one_row_where_there_is_room(visit) -> None:
    page = visit("/", viewport={"width": 1440, "height": 900}).page
    write(page)
    boxes = [button.bounding_box() for button in page.locator(".jobs button").all()]
    assert len(boxes) == 4
    assert len({box["y"] for box in boxes if box}) == 1


def test_quotes_appear_while_one_types_and_quotations_are_underlined(visit) -> None:
    page = visit("/", viewport={"width": 1440, "height": 900}).page
    write(page)
    assert page.locator(".card mark").first.inner_text()
    expect(page.locator(".verdict .badge")).to_have_text(["altered", "verbatim"])
    assert page.locator("[data-mirror] mark.bad").inner_text() == "Ask what your country can do for you,"
    assert find_grave_faults(page) == []


def test_the_place_of_the_quote_is_the_cursor(visit) -> None:
    page = visit("/").page
    write(page, text="😀 The moon is far. The wall fell in Berlin.")
    with waiting_for_answer(page):
        page.evaluate("document.querySelector('#text').setSelectionRange(19, 19)")
        page.locator("#text").dispatch_event("keyup")
    assert page.locator("[data-summary] q").inner_text() == "… 😀 The moon is far."


def test_an_outdated_request_is_cancelled_and_one_is_in_flight_at_most(visit) -> None:
    opened = visit("/")
    page = opened.page
    running, most = set(), 0

    def begin(request: Request) -> None:
        nonlocal most
        if request.method == "POST":
            running.add(request)
            most = max(most, len(running))

    page.on("request", begin)
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: running.discard(request))
    page.fill("#title", TITLE)
    for words in TEXT.split(". ")[:3]:
        page.locator("#text").press_sequentially(words[:40], delay=15)
        page.wait_for_timeout(500)
    page.wait_for_selector(".card")
    assert most == 1


def test_other_words_of_the_paragraph_can_be_quoted(visit) -> None:
    page = visit("/").page
    write(page)
    paragraph = page.locator("[data-use]").first
    words = " ".join(paragraph.inner_text().split()[:5])
    page.evaluate(SELECT_FROM_START, len(words))
    page.get_by_role("button", name="Use the selected words").click()
    page.wait_for_function(
        "words => document.querySelector('[data-use] mark').textContent === words", arg=words
    )
    assert page.locator("[data-copy=plain]").first.input_value().startswith(f"“{words}” – ")
    card = page.locator(".card").first
    number = int(card.get_attribute("data-place").rpartition(":")[2]) + 1
    link = card.get_by_role("link", name="In the speech").get_attribute("href")
    assert link.endswith(f"#p{number}:0-{len(words)}")
    card.get_by_role("button", name="Counter-voices").click()
    page.locator(".jobs [aria-pressed=true]").get_by_text("Counter-voices").wait_for()
    assert page.locator("[data-summary] q").inner_text() == words


def test_a_quote_is_copied_with_its_attribution_in_three_forms(visit, site) -> None:
    page = visit("/", permissions=["clipboard-read", "clipboard-write"]).page
    write(page)
    card = page.locator(".card").first
    who = card.locator("h2").inner_text().split("\n")[0]
    for name, begins in (("Text", "“"), ("Markdown", "> “")):
        card.get_by_role("button", name=f"Copy: {name}").click()
        card.get_by_role("button", name=f"Copy: {name}").get_by_text("Copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(begins)
        assert who in copied
    card.get_by_role("button", name="Copy: HTML").click()
    page.wait_for_function("navigator.clipboard.read().then(items => items[0].types.includes('text/html'))")
    html = page.evaluate(
        "navigator.clipboard.read().then(items => items[0].getType('text/html')).then(item => item.text())"
    )
    assert "<blockquote" in html


def test_a_quote_is_inserted_at_the_cursor_and_can_be_undone(visit) -> None:
    page = visit("/").page
    write(page)
    words = page.locator("[data-use] mark").first.inner_text()
    page.get_by_role("button", name="Insert at the cursor").first.click()
    quote = words.replace("“", "‘").replace("”", "’")
    assert page.input_value("#text") == f"{TEXT} “{quote}”"
    page.keyboard.press("Control+z")
    assert page.input_value("#text") == TEXT


def test_cards_are_filtered_taken_away_and_used_to_find_others(visit) -> None:
    page = visit("/").page
    write(page, text="The moon, and the price of liberty in the long twilight struggle.")
    first = page.locator(".card").first.get_attribute("data-place")
    with waiting_for_answer(page):
        page.get_by_role("button", name="Not useful").first.click()
    assert first not in [card.get_attribute("data-place") for card in page.locator(".card").all()]
    with waiting_for_answer(page):
        page.get_by_role("button", name="More like this").first.click()
    page.get_by_text("More like this paragraph").wait_for()
    with waiting_for_answer(page):
        page.get_by_role("button", name="Back to the draft").click()
    chip = page.locator(".facets button[name=choose_speaker]").first
    speaker = chip.locator("bdi").inner_text()
    with waiting_for_answer(page):
        chip.click()
    assert page.input_value("[name=speaker]") == speaker
    assert {card.inner_text().split("\n")[0] for card in page.locator(".card h2").all()} == {speaker}


def test_evidence_counter_voices_and_well_known_lines_are_found_for_the_draft(visit) -> None:
    page = visit("/").page
    write(page, text="The Soviet leader should open the gate. Then he spoke of")
    page.evaluate("document.querySelector('#text').setSelectionRange(0, 39)")
    for name in ("Evidence", "Counter-voices", "Well-known lines"):
        page.locator(".jobs").get_by_role("button", name=name).click()
        page.locator(".jobs [aria-pressed=true]").get_by_text(name).wait_for()
        if name != "Well-known lines":
            claim = page.locator("[data-summary] q").inner_text()
            assert claim == "The Soviet leader should open the gate."
        assert find_grave_faults(page) == []
    assert page.locator(".card .paragraph").count() == 8


def test_evidence_for_a_claim_says_whose_words_it_looks_for_and_shows_no_markup(visit) -> None:
    page = visit("/").page
    claim = "Biden said that nearly all Americans in Afghanistan who wanted to leave were able to leave."
    write(page, "The end of the war in Afghanistan", claim)
    page.evaluate(f"document.querySelector('#text').setSelectionRange(0, {len(claim)})")
    page.locator(".jobs").get_by_role("button", name="Evidence").click()
    page.locator("[data-summary]").get_by_text("words of Biden").wait_for()
    first = page.locator(".card .paragraph").first.inner_text()
    assert first.startswith("The bottom line: [Ninety-eight] percent of Americans in Afghanistan")


def test_the_draft_is_still_there_when_the_page_is_loaded_again(visit) -> None:
    page = visit("/").page
    write(page)
    page.reload()
    assert (page.input_value("#title"), page.input_value("#text")) == (TITLE, TEXT)
    page.wait_for_selector(".card")
    assert page.locator("[data-mirror] mark.bad").inner_text() == "Ask what your country can do for you,"


def test_a_draft_is_asked_for_again_after_an_error(visit) -> None:
    opened = visit("/")
    page = opened.page
    busy = "<p data-error><span class='error'>Busy now.</span></p>"
    page.route("**/", lambda route: route.fulfill(status=503, content_type="text/html", body=busy))
    page.fill("#text", TEXT)
    page.locator("[data-results]").get_by_text("Busy now.").wait_for()
    page.locator("[data-verdicts]").get_by_text("Busy now.").wait_for()
    page.unroute("**/")
    page.press("#text", "ArrowLeft")
    page.wait_for_selector(".card")
    expect(page.locator(".verdict .badge")).to_have_text(["altered", "verbatim"])
    assert page.locator(".error").count() == 0
    complaints = [line for line in opened.complaints if "503" not in line]  # the browser notes each error
    opened.complaints[:] = complaints


def test_other_words_can_be_chosen_after_an_error(visit) -> None:
    opened = visit("/")
    page = opened.page
    write(page)
    words = page.locator("[data-use] mark").first.inner_text()
    page.route("**/", lambda route: route.fulfill(status=503, content_type="text/html", body="Busy"))
    page.evaluate(SELECT_FROM_START, 9)
    page.get_by_role("button", name="Use the selected words").click()
    page.locator("[data-words] .error").wait_for()
    assert page.locator("[data-use] mark").first.inner_text() == words
    page.unroute("**/")
    page.evaluate(SELECT_FROM_START, 9)
    page.get_by_role("button", name="Use the selected words").click()
    page.wait_for_function("() => document.querySelector('[data-use] mark').textContent.length === 9")
    assert page.locator("[data-words] .error").count() == 0
    opened.complaints[:] = [line for line in opened.complaints if "503" not in line]


def test_the_keyboard_reaches_everything(visit) -> None:
    page = visit("/").page
    write(page)
    page.focus("#text")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.textContent.trim().split(/\\s{2}/)[0]"))
    assert {"Filter", "Evidence", "Markdown", "In the speech", "More like this", "Numbers"} <= reached


def test_without_scripts_the_form_gives_the_same(visit) -> None:
    page = visit("/", java_script_enabled=False).page
    page.fill("#title", TITLE)
    page.fill("#text", TEXT)
    page.locator(".draft button:visible").click()
    assert page.locator(".card mark").first.inner_text()
    expect(page.locator(".verdict .badge")).to_have_text(["altered", "verbatim"])
    assert page.input_value("#text") == TEXT
    words = page.locator(".card mark").first.text_content()
    page.get_by_role("link", name="In the speech").first.click()
    assert "".join(page.locator("mark.target").all_text_contents()) == words
    assert page.locator("mark.target").first.get_attribute("id") == urlsplit(page.url).fragment


def test_a_draft_is_checked_with_and_without_scripts(visit) -> None:
    for scripts in (True, False):
        page = visit("/check", java_script_enabled=scripts).page
        page.fill("#text", TEXT)
        page.locator("#check button").click()
        assert page.locator(".report .badge").all_inner_texts()[-2:] == ["altered", "verbatim"]


def test_a_file_is_checked_and_its_record_kept(visit, tmp_path: Path) -> None:
    file = tmp_path / "ar<b>ticle.txt"
    file.write_text(TEXT, "utf-8")
    page = visit("/check").page
    page.set_input_files("[name=file]", file)
    page.locator("#check button").click()
    assert page.locator("#report-title").inner_text() == "Report: ar<b>ticle.txt"
    assert page.evaluate("document.activeElement.id") == "report-title"
    assert find_grave_faults(page) == []
    for kind, begins in (("html", "<!doctype html>"), ("json", "{"), ("csv", "id,verdict")):
        with page.expect_download() as download:
            page.locator(f"[name=record][value={kind}]").click()
        record = Path(download.value.path()).read_text("utf-8")
        assert record.startswith(begins)
        assert "altered" in record


def test_the_report_alone_is_printed(visit) -> None:
    page = visit("/check").page
    page.fill("#text", TEXT)
    page.locator("#check button").click()
    page.locator(".report").wait_for()
    page.emulate_media(media="print")
    assert page.locator(".report").is_visible()
    assert not page.locator("#check").is_visible()
    assert not page.locator(".top").is_visible()
