"""The pages Search and Read in a real browser and by their HTML."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl

import pytest
from fastapi.testclient import TestClient

from archive.index_files import index
from archive.service import Service
from indexer.dead_letters import DeadLetters
from rostrum.api.app import make_app
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Document, Mark
from tests.engines import QUICK
from tools.service_process import ServiceProcess

from .browser import find_grave_faults, is_wider_than_screen
from .test_pages import PATIENCE_MS, browser, site, visit  # noqa: F401  fixtures

SPACE = "1962-09-12-address-space-effort"
SPEECH = f"/documents/{SPACE}"
CLAIM = "America will land people on the moon."
PAGES = ["/search", "/search?q=moon", "/search?q=Getysburg", "/documents", f"{SPEECH}?at=p27:4-72"]
HTML = {"accept": "text/html"}


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1440, "dark")])
def test_a_page_is_accessible_and_fits_the_screen(visit, path: str, width: int, scheme: str) -> None:  # noqa: F811
    page = visit(path, viewport={"width": width, "height": 800}, color_scheme=scheme).page
    assert find_grave_faults(page) == []
    assert not is_wider_than_screen(page)


def test_words_are_found_marked_narrowed_and_read_with_and_without_scripts(visit) -> None:  # noqa: F811
    for scripts in (True, False):
        page = visit("/search", java_script_enabled=scripts).page
        page.fill("#q", "choose moon")
        page.press("#q", "Enter")
        assert page.locator(".hits mark").first.inner_text().lower() in ("choose", "moon")
        page.locator(".order a", has_text="Oldest").click()
        assert "sort=oldest" in page.url
        page.goto("/search?q=moon")
        page.locator(".search-facets a", has_text="John F. Kennedy").click()
        assert set(page.locator(".hits h3").all_inner_texts()) == {
            "John F. Kennedy, Address on the Space Effort, September 12, 1962"
        }
        page.locator(".hits h3 a").first.click()
        page.locator("mark.target").first.wait_for()
        assert page.locator("mark.target").all_inner_texts() == ["moon. We choose to go to the moon"]
        assert page.locator("mark.target").first.is_visible()


def test_the_address_of_words_marks_them_and_another_fragment_marks_others(visit) -> None:  # noqa: F811
    page = visit(f"{SPEECH}#p27:4-72").page
    marked = "if I were to say, my fellow citizens, that we shall send to the moon"
    assert page.locator("mark.target").all_inner_texts() == [marked]
    assert page.locator("mark.target").first.evaluate(
        "mark => { const box = mark.getBoundingClientRect(); return box.top > 0 && box.bottom < innerHeight }"
    )
    page.evaluate("location.hash = '#p1:0-16'")
    page.wait_for_function("document.querySelector('mark.target').textContent === 'President Pitzer'")
    assert page.locator("mark.target").count() == 1
    assert page.locator("[data-paragraph='27']").inner_text().startswith(f"But {marked}, 240,000")


def test_heat_shows_where_to_look_and_the_slider_takes_the_cold_away(visit) -> None:  # noqa: F811
    page = visit(SPEECH, viewport={"width": 1440, "height": 900}).page
    page.fill("#heat-text", CLAIM)
    page.locator("[data-heat-form] button:visible").click()
    page.wait_for_selector("[data-threshold]")
    heats = [int(text.split()[1]) for text in page.locator(".block .measure").all_inner_texts()]
    assert (len(heats), max(heats)) == (33, 100)
    assert page.locator(".hottest li").count() == 5
    assert find_grave_faults(page) == []
    page.locator("[data-threshold]").evaluate(
        "slider => { slider.value = 90; slider.dispatchEvent(new Event('input')) }"
    )
    shown = page.locator(".hot:not(.cold)").evaluate_all("parts => parts.map(part => +part.dataset.heat)")
    assert shown
    assert min(shown) >= 90
    assert page.locator("[data-threshold-value]").inner_text() == "90"
    page.locator(".hottest a").first.click()
    page.wait_for_selector("mark.target")


def test_heat_for_a_draft_works_without_scripts(visit) -> None:  # noqa: F811
    page = visit(SPEECH, java_script_enabled=False).page
    page.locator(".tools summary").click()
    page.locator("[value=draft]").check()
    page.fill("#heat-text", "Why a rocket to the moon is worth its price")
    page.fill("[name=threshold]", "60")
    page.locator("[data-heat-form] button:visible").click()
    assert page.locator(".legend strong").inner_text() in ("strong", "good", "possible", "weak")
    hot = page.locator(".block[data-heat]:not(.cold)")
    assert 1 <= hot.count() < page.locator(".block.cold").count()
    assert page.input_value("#heat-text") == "Why a rocket to the moon is worth its price"


def test_a_link_to_selected_words_is_made(visit) -> None:  # noqa: F811
    page = visit(SPEECH).page
    page.locator("[data-paragraph='2']").evaluate(
        "p => { const range = document.createRange(), text = p.firstChild; range.setStart(text, 2);"
        " range.setEnd(text, 12); getSelection().removeAllRanges(); getSelection().addRange(range) }"
    )
    page.locator("[data-link]").click()
    page.wait_for_function("location.hash === '#p2:2-12'")
    assert page.locator("mark.target").inner_text() == "appreciate"


def test_words_of_a_speech_with_time_codes_are_marked_and_linked(browser, tmp_path: Path, models) -> None:  # noqa: F811
    (tmp_path / "clock.vtt").write_text(
        "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nThe moon is far away. [Laughter] It is far.\n"
    )
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    index(service, [tmp_path / "clock.vtt"], DeadLetters(tmp_path / "letters.jsonl"))
    address = f"/documents/{only_id(service)}"
    service.store.close()
    process = ServiceProcess(tmp_path / "log", archive=str(tmp_path / "archive"), **QUICK)
    context = browser.new_context(base_url=process.wait_serving().url)
    context.set_default_timeout(PATIENCE_MS)
    try:
        page = context.new_page()
        page.goto(f"{address}#p1:4-8")
        page.wait_for_selector("mark.target")
        assert page.locator("mark.target").all_text_contents() == ["moon"]
        page.goto(f"{address}?at=p1:22-31")  # reloads, which leaves the mark of the other fragment out
        assert page.locator("mark.target").all_text_contents() == ["It is far"]
        page.goto(address)
        page.locator("[data-paragraph='1']").evaluate(
            "p => { const text = [...p.childNodes].find(node => node.data?.includes('moon'));"
            " const range = document.createRange(), start = text.data.indexOf('moon');"
            " range.setStart(text, start); range.setEnd(text, start + 4);"
            " getSelection().removeAllRanges(); getSelection().addRange(range) }"
        )
        page.locator("[data-link]").click()
        page.wait_for_function("() => location.hash === '#p1:4-8'")
        assert page.locator("[data-paragraph='1']").inner_text().startswith("0:00:01 The moon")
    finally:
        context.close()
        process.kill()


# By their HTML

SPOKEN = "</p><script>alert(6)</script> the moon {% raw %} \u202e " + "w" * 50_000
NASTY = Document(
    "<script>alert(1)</script>/../a b?&#\u202e\"'",
    "<img src=x onerror=alert(2)>\u202e{{ 7*7 }}" + "t" * 50_000,
    SPOKEN,
    "<b onclick=alert(3)>Ann</b>",
    "2001-02-03",
    url="javascript:alert(5)",
    collection='"><script>alert(4)</script>',
    marks=(Mark("stage", "<script>alert(9)</script>", 0),),
)


class Scripts(HTMLParser):
    """What a page would run or load: scripts with text, handlers, addresses of scripts; and its marks."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = False

    def handle_starttag(self, tag, attrs) -> None:
        self.inside = tag == "script"
        for name, value in attrs:
            if name.startswith("on") or (
                name in ("href", "src", "action") and "javascript:" in (value or "").lower()
            ):
                self.found.append(f"{tag} {name}={value}")
        if tag == "script" and not str(dict(attrs).get("src", "")).startswith("/static/"):
            self.found.append("script")
        if tag in ("img", "iframe", "object", "base"):
            self.found.append(tag)

    def handle_data(self, data) -> None:
        if self.inside and data.strip():
            self.found.append(data)

    def handle_endtag(self, tag) -> None:
        self.inside = False


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of an archive whose every text is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    service = assemble(replace(read_settings({}), archive=folder / "archive"))
    service.refresh([NASTY])
    quoted = {
        "document": NASTY.id,
        "paragraph": 0,
        "start": 0,
        "end": 8,
        "quote": "<script>alert(7)</script>",
    }
    row = quoted | {
        "article": "<i>",
        "title": "<script>alert(8)</script>",
        "outlet": "\u202e<b>",
        "published": "2002",
    }
    (folder / "archive" / "quoted-by.jsonl").write_text("{broken\n" + json.dumps(row) + "\n")
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        yield client


def only_id(service: Service) -> str:
    [info] = service.store.documents()
    return info.id


def read_links(html: str) -> list[str]:
    return re.findall(r'href="(/documents/[^"]+)"', html)


def test_hostile_texts_are_shown_as_text_on_every_page(hostile: TestClient) -> None:
    listing = hostile.get("/documents", headers=HTML)
    [link] = read_links(listing.text)
    found = hostile.get("/search", params={"q": "moon", "speaker": "Ann"}, headers=HTML)
    evil = "<script>alert(9)</script>\u202e"
    pages = [
        listing,
        found,
        hostile.get(link, headers=HTML),
        hostile.post(link, data={"kind": "claim", "text": evil}, headers=HTML),
        hostile.post(link, data={"kind": "draft", "text": evil}, headers=HTML),
        hostile.get("/search", params={"q": evil}, headers=HTML),
        hostile.get("/search", params={"q": "x", "speaker": evil, "since": evil}, headers=HTML),
        hostile.get("/documents", params={"speaker": evil, "after": evil}, headers=HTML),
        hostile.get("/documents/" + "%3Cscript%3E", headers=HTML),
    ]
    for page in pages:
        parser = Scripts()
        parser.feed(page.text)
        assert parser.found == []
        assert "default-src 'none'" in page.headers["content-security-policy"]
    assert [page.status_code for page in pages] == [200] * 8 + [404]
    speech = pages[2].text
    shown = unescape(re.sub(r"<[^>]+>", "", speech))
    assert "</p><script>alert(6)</script> the moon {% raw %} \ufffd www" in shown
    assert "<img src=x onerror=alert(2)>\ufffd{{ 7*7 }}" in shown
    assert "<script>alert(8)</script>" in shown
    assert "<script>alert(9)</script>" in shown
    assert "javascript:" not in speech
    assert "\u202e" not in speech
    assert len(read_links(found.text)) == 1


def test_a_speech_shows_its_turns_directions_clocks_and_who_quoted_it(tmp_path: Path, models) -> None:
    folder = tmp_path / "speeches"
    folder.mkdir()
    (folder / "debate.vtt").write_text(
        "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ann Roe>The moon is far away. [Laughter] It is far.\n\n"
        "00:01:05.000 --> 00:01:09.000\n<v Bo Li>No, it is near.\n"
    )
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    index(service, [folder], DeadLetters(tmp_path / "letters.jsonl"))
    name = only_id(service)
    rows = [{"document": name, "paragraph": 0, "start": 4, "end": 8, "quote": "moon", "outlet": "The Daily"}]
    (tmp_path / "archive" / "quoted-by.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        html = client.get(f"/documents/{name}", headers=HTML).text
        quotations = client.get("/v1/quoted-by", params={"document": name}).json()["quotations"]
    assert re.findall(r'class="turn"[^>]*>([^<]+)<', html) == ["Ann Roe", "Bo Li"]
    assert re.findall(r'class="clock">([^<]+) <', html) == ["0:00:01", "0:01:05"]
    assert re.search(r'<i class="stage"> \[?Laughter\]? </i>', html)
    assert '<span class="quoted">moon</span>' in html
    assert "The Daily" in html
    assert [(row["ordinal"], row["start_char"], row["end_char"]) for row in quotations] == [(0, 4, 8)]


def test_quoted_words_are_marked_where_the_archive_has_them(tmp_path: Path, models) -> None:
    quote = "We will not let the ships of this harbour rot in the yard."
    words = [" ".join(["The moon is far away."] * 108), "(Applause.)", f"Hear me. {quote}"]
    speech = {"id": "s1", "title": "A speech", "paragraphs": words}
    (tmp_path / "speeches.jsonl").write_text(json.dumps(speech) + "\n")
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    index(service, [tmp_path / "speeches.jsonl"], DeadLetters(tmp_path / "letters.jsonl"))
    row = {"document": "s1", "paragraph": 2, "start": 9, "end": 9 + len(quote), "quote": quote}
    lost = {"document": "s1", "paragraph": 0, "start": 4, "end": 8, "quote": "A bridge that fell"}
    rows = [json.dumps(row).replace(": 9,", ": 1e999,"), "[" * 100_000, json.dumps(row), json.dumps(lost)]
    (tmp_path / "archive" / "quoted-by.jsonl").write_text("\n".join(rows))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        html = client.get("/documents/s1", headers=HTML).text
        quotations = client.get("/v1/quoted-by", params={"document": "s1"}).json()["quotations"]
    stored = service.store.get("s1")
    assert stored is not None
    [ordinal] = [paragraph.ordinal for paragraph in stored[1] if quote in paragraph.text]
    assert ordinal != 2
    assert re.findall(r'<span class="quoted">([^<]+)<', html) == [quote.removesuffix(".")]
    places = [(row["ordinal"], row["start_char"], row["end_char"]) for row in quotations]
    assert places == [(0, 0, 0), (ordinal, 9, 9 + len(quote) - 1)]


def test_suggested_searches_have_the_corrected_word_alone_and_never_the_same_words(
    tmp_path: Path, models
) -> None:
    speech = {"id": "s1", "title": "Rice", "speaker": "Zoe O’Brien", "text": "The price of the moon is high."}
    (tmp_path / "speeches.jsonl").write_text(json.dumps(speech) + "\n")
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    index(service, [tmp_path / "speeches.jsonl"], DeadLetters(tmp_path / "letters.jsonl"))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:

        def list_corrections(words: str) -> list[str]:
            page = client.get("/search", params={"q": words}, headers=HTML).text
            links = re.findall(r'<a [^>]*href="/search\?([^"]*)"', page)
            queries = [parse_qs(unescape(link))["q"][0] for link in links]
            return [query for query in queries if query not in (words, words.strip('"'))]

        assert list_corrections("Ricee price ricees") == ["Rice price ricees"]
        assert list_corrections('"O\'Brienn price"') == ['"O’Brien price"']
        assert list_corrections("Ricee\u0301 price") == ["Rice price"]
        assert list_corrections("zoe planet") == []
        unknown = client.get("/v1/search/words", params={"q": "zoe planet"}).json()["unknown"]
    assert [(word["word"], word["suggestions"]) for word in unknown] == [("planet", []), ("zoe", [])]


def list_sent(html: str) -> list[tuple[str, str]]:
    """The fields that a browser sends from the form of the page Search, without empty ones."""
    form = html[html.index('<form method="get" action="/search"') : html.index("<datalist")]
    sent = re.findall(r'<input (?=[^>]*name="(\w+)")(?=[^>]*value="([^"]*)")', form)
    sent += [("collection", value) for value in re.findall(r'<option value="([^"]*)" selected>', form)]
    return [(name, unescape(value)) for name, value in sent if value]


@pytest.mark.parametrize(
    "address",
    [
        "q=moon",
        "q=moon&sort=newest&speaker=Kennedy&since=1960&until=1970",
        "q=moon&speaker=Kennedy&speaker=Nixon&speaker=Ann+Roe",
        "q=moon&collection=us",
        "q=moon&collection=us&collection=UK",
        "q=moon&collection=%3Cb%3E%22&collection=us&collection=UK&language=en&language=de&document=a",
    ],
)
def test_a_search_from_the_form_keeps_the_whole_filter(client: TestClient, address: str) -> None:
    page = client.get(f"/search?{address}", headers=HTML).text
    assert sorted(list_sent(page)) == sorted(parse_qsl(address))


def test_a_part_of_a_name_has_the_count_of_its_speakers(client: TestClient) -> None:
    page = client.get("/search", params={"q": "moon", "speaker": "kennedy"}, headers=HTML).text
    facets = page[page.index("search-facets") :]
    counts = re.findall(r'<li><a [^>]*>([^<]*)</a> <span class="faint">(\d+)</span>', facets)
    [total] = [int(count) for name, count in counts if name == "kennedy"]
    assert total == sum(int(count) for name, count in counts if name.endswith(" Kennedy")) > 0


def test_a_speech_that_is_not_there_is_a_page_that_says_so(client: TestClient) -> None:
    answer = client.get("/documents/none", headers=HTML)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "no speech" in answer.text.lower()


def test_an_empty_search_says_what_to_try(client: TestClient) -> None:
    misspelt = client.get("/search", params={"q": "Getysburg"}, headers=HTML).text
    assert 'href="/search?q=Gettysburg"' in misspelt
    nobody = client.get("/search", params={"q": "moon", "speaker": "Kenedy"}, headers=HTML).text
    assert 'href="/search?q=moon&amp;speaker=John+F.+Kennedy"' in nobody
    phrase = client.get("/search", params={"q": '"moon choose"'}, headers=HTML).text
    assert 'href="/search?q=moon+choose"' in phrase


def test_long_lists_come_in_pages(client: TestClient) -> None:
    first = client.get("/documents", headers=HTML).text
    [following] = re.findall(r'rel="next" href="([^"]+)"', first)
    second = client.get(following, headers=HTML).text
    listed = [len(re.findall(r'<td class="day">', page)) for page in (first, second)]
    total = client.get("/v1/facets").json()["documents"]
    assert listed == [50, total - 50]
