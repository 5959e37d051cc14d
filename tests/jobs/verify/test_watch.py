"""Printed articles under watch: only what changed in the archive or in an article is reported."""

import json
from pathlib import Path

import pytest

from benchmarks.archive_without_vectors import build_archive
from embedded.store import EmbeddedStore
from jobs.drafts import read_draft
from jobs.verify.job import Verifier
from jobs.verify.watch import (
    STATE,
    WatchState,
    find_changes,
    has_words,
    keep_quotes,
    read_state,
    write_state,
)

MOON = "We choose to go to the moon in this decade and do the other things."
HARD = "We choose to go to the moon in this decade and do the hard things."
ROE = {"id": "roe", "title": "Remarks", "speaker": "Jane Roe", "date": "1961-05-25", "paragraphs": ["No."]}
KENNEDY = {"id": "m", "title": "Moon", "speaker": "John Kennedy", "date": "1962-09-12", "paragraphs": [MOON]}
ECHO = {**KENNEDY, "id": "a-echo", "title": "Echo", "date": "1962-09-13"}


class Desk:
    """A folder of articles over an archive of speeches; both are real."""

    def __init__(self, base: Path) -> None:
        self.base, self.articles = base, base / "articles"
        self.articles.mkdir()

    def index(self, *speeches: dict) -> None:
        (self.base / "speeches.jsonl").write_text(
            "".join(f"{json.dumps(row)}\n" for row in speeches), "utf-8"
        )
        build_archive(self.base / "speeches.jsonl", self.base / "archive")

    def write(self, text: str) -> None:
        (self.articles / "a.md").write_text(text, "utf-8")

    def watch(self) -> list[str]:
        store = EmbeddedStore(self.base / "archive")
        verification = Verifier(store).verify_draft(read_draft(self.articles / "a.md"))
        before, quotes = read_state(self.articles), keep_quotes("a.md", verification.checks)

        def is_said(document: str, words: str) -> bool:
            speech = store.get(document)
            return has_words([item.text for item in speech[1]] if speech else [], words)

        changes = find_changes(before.quotes if before else (), quotes, ["a.md"], is_said)
        write_state(self.articles, WatchState(verification.generation, tuple(quotes), ("a.md",)))
        return [
            f"{change.before.verdict}, {change.after and change.after.verdict}: {change.reason}"
            for change in changes
        ]


@pytest.fixture
def desk(tmp_path) -> Desk:
    return Desk(tmp_path)


def test_one_quotation_of_two_speakers_is_no_change(desk) -> None:
    desk.index(KENNEDY, ROE)
    desk.write(f"Kennedy said: “{MOON}”\n\nLater Jane Roe said: “{MOON}”\n")
    assert desk.watch() == []
    assert [quote.verdict for quote in read_state(desk.articles).quotes] == ["verbatim", "said_by_another"]
    assert desk.watch() == []


def test_a_second_speech_with_the_same_words_is_no_change(desk) -> None:
    desk.index(KENNEDY, ROE)
    desk.write(f"Kennedy said: “{MOON}”\n")
    assert desk.watch() == []
    desk.index(KENNEDY, ROE, ECHO)
    assert desk.watch() == []


def test_many_speeches_with_the_same_words_are_no_change(desk) -> None:
    desk.index({**KENNEDY, "date": "1963-01-01"}, ROE)
    desk.write(f"Kennedy said: “{MOON}”\n")
    desk.watch()
    echoes = [{**ECHO, "id": f"echo-{n}"} for n in range(8)]
    desk.index({**KENNEDY, "date": "1963-01-01"}, ROE, *echoes)
    assert desk.watch() == []


def test_a_speech_that_has_its_words_is_not_reported_as_taken_down(desk) -> None:
    desk.index({**KENNEDY, "speaker": "Jane Roe"})
    desk.write(f"Kennedy said: “{MOON}”\n")
    assert desk.watch() == []
    desk.index({**KENNEDY, "speaker": "Jane Roe"}, ECHO)
    (change,) = desk.watch()
    assert change.endswith(", verbatim: m still has these words, but the best source is a-echo now")


def test_a_corrected_speech_is_reported_though_another_has_the_words(desk) -> None:
    desk.index(KENNEDY)
    desk.write(f"Kennedy said: “{MOON}”\n")
    desk.watch()
    desk.index({**KENNEDY, "paragraphs": ["It was corrected."]}, ECHO)
    assert desk.watch() == ["verbatim, verbatim: m has these words no longer, or was taken down"]


def test_a_corrected_word_is_reported_with_the_new_wording(desk) -> None:
    desk.index(KENNEDY)
    desk.write(f"Kennedy said: “{MOON}”\n")
    desk.watch()
    desk.index({**KENNEDY, "paragraphs": [HARD]})
    (change,) = desk.watch()
    assert change.endswith(f": the transcript reads “{HARD[:-1]}” now, “{MOON[:-1]}” before")


def test_a_quotation_that_is_found_now_names_its_source(desk) -> None:
    desk.index(ROE)
    desk.write(f"Somebody said: “{MOON}”\n")
    desk.watch()
    desk.index(ROE, KENNEDY)
    (change,) = desk.watch()
    assert change.endswith(f": m reads “{MOON[:-1]}”")


def test_an_article_that_loses_its_quotations_is_reported(desk) -> None:
    desk.index(KENNEDY)
    desk.write(f"Kennedy said: “{MOON}”\n")
    desk.watch()
    desk.write("Kennedy spoke of the moon.\n")
    assert desk.watch() == ["verbatim, None: the article has no such quotation any more"]
    assert read_state(desk.articles) == WatchState(read_state(desk.articles).generation, (), ("a.md",))
    assert desk.watch() == []


def test_the_state_of_an_earlier_version_is_read(desk) -> None:
    desk.index(KENNEDY)
    desk.write(f"Kennedy said: “{MOON}”\n")
    row = {"article": "a.md", "quote": MOON, "verdict": "verbatim", "document": "m", "words": MOON[:-1]}
    earlier = {"format": 1, "generation": "g", "quotes": [row, row]}
    (desk.articles / STATE).write_text(json.dumps(earlier), "utf-8")
    assert read_state(desk.articles).articles == ("a.md",)
    assert desk.watch() == ["verbatim, None: the article has no such quotation any more"]
    stored = json.loads((desk.articles / STATE).read_bytes())
    assert (stored["format"], stored["articles"], stored["quotes"]) == (1, ["a.md"], [row])
