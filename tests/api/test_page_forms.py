"""The forms of Write and Check without a browser: what is refused is said, and what is kept is asked for."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import make_app
from rostrum.api.page.rendering import read_texts

HTML = {"Accept": "text/html"}
GETTYSBURG = "1863-11-19-gettysburg-address:0"


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
