"""The forms of Write and Check without a browser: what is refused is said, and what is kept is asked for."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import make_app
from rostrum.api.page.rendering import read_texts

HTML = {"Accept": "text/html"}
GETTYSBURG = "1863-11-19-gettysburg-address:0"
NINETY = "2021-08-31-remarks-by-president-biden-on-the-end-of-the-war-in-afghanistan:16"
MOON = "“We choose to go to the moon in this decade and do the other things.”"
ON_TUESDAY = f"On Tuesday, John F. Kennedy said: {MOON}"


@pytest.fixture(scope="module")
def reader(service: Service):
    with TestClient(make_app(service), base_url="http://127.0.0.1", headers=HTML) as client:
        yield client


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": "A [quote] and a [quote]"}, "[quote] stands in it more than once"),
        ({"text": "A word", "since": "soon"}, "is not a date"),
        ({"text": "A word", "since": "1970", "until": "1960"}, "no day is since 1970"),
        ({"text": "A word", "speaker": "Nobody At All"}, "Nobody At All"),
        ({"text": "A word", "like": "none:0"}, "no longer in the archive"),
        ({"text": "A word", "like": "none"}, "names no paragraph"),
        ({"text": "A word", "against": f"{GETTYSBURG}:x:y"}, "is not a number"),
    ],
)
def test_what_can_be_mended_in_the_form_is_said_beside_the_draft(reader, fields, message) -> None:
    page = reader.post("/", data=fields)
    assert page.status_code == 200
    assert message.lower() in page.text.lower()
    assert "A word" in page.text or "[quote]" in page.text


@pytest.mark.parametrize("find", ["evidence", "counter", "famous"])
def test_the_filter_applies_to_speeches_and_is_said_not_to_apply_to_well_known_lines(reader, find) -> None:
    texts = read_texts()["write"]
    form = {"text": "The Soviet leader should open the gate.", "find": find}
    unlimited = reader.post("/", data=form).text
    late = reader.post("/", data=form | {"since": "2050"}).text
    if find == "famous":
        assert late.count("<article") == unlimited.count("<article") == 8
    else:
        assert late.count("<article") == 0 < unlimited.count("<article")
    assert (texts["jobs"]["unfiltered"] in late) == (find == "famous")
    assert (texts["jobs"]["filtered"] in late) == (find != "famous")
    assert (texts["jobs"][f"no_{find}"] in late) == (find != "famous")
    assert texts["nothing_filtered"] not in late
    assert texts["jobs"]["filtered"] not in unlimited
    assert texts["jobs"]["unfiltered"] not in unlimited


def test_a_card_says_that_its_words_are_ready_to_print_or_what_to_look_at(reader) -> None:
    page = reader.post("/", data={"text": "He spoke of the dead, and of what the living owe them. [quote]"})
    cards = page.text.split("<article")[1:]
    states = {("Ready to print" in card, "Before you print it" in card) for card in cards}
    assert {(True, False), (False, True)} <= states
    assert (False, False) not in states
    unfit = [card for card in cards if "Do not print as marked" in card]
    assert unfit
    assert not any("Ready to print" in card for card in unfit)


@pytest.mark.parametrize(
    "fields", [{"place": "-1"}, {"place": "x"}, {"title": "x" * 2_001}, {"claim": "x" * 4_001}]
)
def test_a_field_that_no_form_sends_is_refused(reader, fields) -> None:
    assert reader.post("/", data={"text": "A word"} | fields).status_code == 422


def test_a_day_of_print_that_is_none_is_said_in_the_form(reader) -> None:
    page = reader.post("/check", data={"text": "“A word,” he said.", "written_on": "soon"})
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert "“A word,” he said." in page.text


@pytest.mark.parametrize("name", ["a.pages", "a.docx", "a.pdf"])
def test_a_file_that_is_no_draft_is_said_in_the_form(reader, name: str) -> None:
    page = reader.post("/check", files={"file": (name, b"\x00\x01\x02" * 50)})
    assert page.status_code == 422
    assert 'role="alert"' in page.text


def test_a_draft_as_long_as_one_may_be_is_checked(reader) -> None:
    draft = "“We choose to go to the moon,” he said.\n\n" + "A, [b], {c}. " * 15_000
    page = reader.post("/check", files={"file": ("long.txt", draft.encode())})
    assert page.status_code == 200
    assert "verbatim" in page.text
    assert reader.post("/check", data={"text": "x" * 200_001}).status_code == 422


def test_an_uploaded_draft_with_two_marks_of_a_place_is_checked(reader) -> None:
    draft = "[quote]“We choose to go to the moon,” Kennedy said.[/quote] A, [quote]b[/quote]."
    page = reader.post("/check", files={"file": ("post.txt", draft.encode())})
    assert page.status_code == 200
    assert "verbatim" in page.text


def read_form(html: str) -> dict[str, str]:
    """The fields that a browser sends from the form of the page Check, without a file."""
    [text] = re.findall(r'<textarea id="text"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)
    inputs = re.findall(r'<input type="(?:hidden|date)" name="(\w+)" value="([^"]*)"', html)
    return {name: unescape(value) for name, value in [("text", text.replace("\n", "\r\n")), *inputs]}


DATED_FILES = {
    "a.md": f"---\ntitle: Moon\ndate: 1961-03-03\n---\n\n{ON_TUESDAY}\n",
    "a.json": json.dumps({"left": ON_TUESDAY, "written_on": "1961-03-03"}),
    "a.html": '<html><head><meta property="article:published_time" content="1961-03-03T10:00:00Z">'
    f"<title>M</title></head><body><article><p>{ON_TUESDAY}</p></article></body></html>",
}
"""Files with a day, a Friday: their Tuesday is 28 February."""


@pytest.mark.parametrize("name", DATED_FILES)
def test_the_record_of_an_uploaded_draft_agrees_with_the_report(reader, name: str) -> None:
    page = reader.post("/check", files={"file": (name, DATED_FILES[name].encode())}).text
    assert "John F. Kennedy, 1961-02-28" in page
    [verdict] = re.findall(r'<article class="\w+">\s*<p><span class="badge \w+">([^<]+)<', page)
    form = read_form(page)
    assert (form["name"], form["written_on"]) == (name, "1961-03-03")
    record = reader.post("/check", data=form | {"record": "json"}).json()
    [check] = record["checks"]
    assert check["said_on"] == "1961-02-28"
    assert read_texts()["check"]["verdicts"][check["verdict"]] == verdict
    assert record["checked"] == name


def test_another_text_or_file_does_not_keep_what_an_uploaded_draft_said_of_itself(reader) -> None:
    form = read_form(reader.post("/check", files={"file": ("a.md", DATED_FILES["a.md"].encode())}).text)
    edited = reader.post("/check", data=form | {"text": f"Another article. {ON_TUESDAY}"}).text
    assert "Report: <bdi>" not in edited
    assert read_form(edited)["name"] == ""
    another = {"file": ("b.txt", ON_TUESDAY.encode())}
    for fields in (form, read_form(edited)):
        uploaded = read_form(reader.post("/check", data=fields, files=another).text)
        assert (uploaded["name"], uploaded["written_on"]) == ("b.txt", "")
    typed = read_form(reader.post("/check", data=form | {"written_on": "1962-09-14"}, files=another).text)
    assert (typed["name"], typed["written_on"]) == ("b.txt", "1962-09-14")
    again = read_form(reader.post("/check", data=typed, files=another).text)
    assert again["written_on"] == "1962-09-14"


def test_chosen_words_come_with_their_own_links_and_go_into_a_draft_without_markup(reader) -> None:
    words = "The bottom line: <s>Ninety</s> \\[Ninety-eight\\] percent of Americans in Afghanistan"
    fields = {"part": "words", "at": NINETY, "start_char": "17", "end_char": str(len(words))}
    html = reader.post("/", data=fields).text
    speech = NINETY.partition(":")[0]
    assert f'href="/documents/{speech}?at=p17:17-{len(words)}#p17:17-{len(words)}"' in html
    assert f'name="against" value="{NINETY}:17:{len(words)}"' in html
    assert 'data-insert="“[Ninety-eight] percent of Americans in Afghanistan”"' in html
    [fragment] = re.findall(r'href="https://[^"]+#:~:text=([^"]+)"', html)
    assert unquote(fragment) == "Ninety [Ninety-eight] percent of Americans in Afghanistan"


def read_places(html: str) -> list[str]:
    return re.findall(r'data-card data-place="([^"]+)"', html)


def test_dismissed_paragraphs_take_no_place_from_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rostrum.api.page.results.TYPING_CANDIDATES", 2)
    settings = replace(service.settings, candidates=5)
    app = make_app(Service(settings, service.store, service.runner, service.models))
    fields = {"text": "He spoke of the dead, and of what the living owe them. ", "part": "results"}
    with TestClient(app, base_url="http://127.0.0.1", headers=HTML) as client:
        first = read_places(client.post("/", data=fields).text)
        second = read_places(client.post("/", data=fields | {"hidden": first}).text)
        third = read_places(client.post("/", data=fields | {"hidden": [*first, *second]}).text)
    assert (len(first), len(second), len(third)) == (2, 2, 1)
    assert len({*first, *second, *third}) == 5


def test_that_nothing_fits_is_said_once(reader) -> None:
    page = reader.post("/", data={"text": "The bakery sold twelve loaves of rye bread before nine, it said:"})
    assert page.text.count("othing here seems to fit") == 1


def test_the_page_says_that_nothing_fits_when_those_that_did_are_dismissed(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(service.settings, candidates=8)
    app = make_app(Service(settings, service.store, service.runner, service.models))
    fields = {"text": "The moon is hard to reach, and we choose to go there now, he said."}
    unlikely = "Nothing here seems to fit well"
    with TestClient(app, base_url="http://127.0.0.1", headers=HTML) as client:
        page = client.post("/", data=fields).text
        fits = [int(fit) for fit in re.findall(r"<td>(\d+) %</td>", page)]
        likely = [place for place, fit in zip(read_places(page), fits, strict=True) if fit >= 33]
        assert 0 < len(likely) < len(fits)
        assert unlikely not in page
        assert unlikely in client.post("/", data=fields | {"hidden": likely}).text
        assert unlikely not in client.post("/", data=fields | {"hidden": likely[1:]}).text


def test_not_useful_is_kept_only_where_the_operator_asks_for_it(service: Service, tmp_path: Path) -> None:
    fields = {
        "title": "The war",
        "text": "At Gettysburg [quote] he said.",
        "not_useful": GETTYSBURG,
        "part": "results",
    }
    kept = tmp_path / "feedback.jsonl"
    for feedback in (None, kept):
        settings = replace(service.settings, feedback=feedback, candidates=5)
        app = make_app(Service(settings, service.store, service.runner, service.models))
        with TestClient(app, base_url="http://127.0.0.1", headers=HTML) as client:
            page = client.post("/", data=fields)
        assert f'name="hidden" value="{GETTYSBURG}"' in page.text
        assert f'data-place="{GETTYSBURG}"' not in page.text
        assert kept.exists() == (feedback is not None)
    [line] = [json.loads(text) for text in kept.read_text("utf-8").splitlines()]
    assert (line["document"], line["paragraph"]) == ("1863-11-19-gettysburg-address", 0)
    assert (line["title"], line["left"], line["right"]) == ("The war", "At Gettysburg", "he said.")
    assert kept.stat().st_mode & 0o777 == 0o600


def test_no_key_of_the_words_hides_behind_a_method_of_mappings() -> None:
    def walk(words: dict) -> None:
        for name, value in words.items():
            assert not hasattr(dict, name), f"{name} is a method: templates would show it"
            if isinstance(value, dict):
                walk(value)

    walk(read_texts())


def test_a_paragraph_is_dismissed_even_if_that_cannot_be_recorded(
    service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = replace(service.settings, feedback=tmp_path, candidates=5)  # a folder, not a file
    app = make_app(Service(settings, service.store, service.runner, service.models))
    fields = {"text": "At Gettysburg he said", "not_useful": GETTYSBURG, "part": "results"}
    with TestClient(app, base_url="http://127.0.0.1", headers=HTML) as client:
        page = client.post("/", data=fields)
    assert page.status_code == 200
    assert f'name="hidden" value="{GETTYSBURG}"' in page.text
    assert "feedback was not recorded" in caplog.text
