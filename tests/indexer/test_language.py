"""Languages are told where there is enough to tell them by, and not guessed where there is not."""

import io
import time

import pytest

from indexer.formats import text
from indexer.formats.source import Source
from indexer.language import detect_language
from indexer.metadata import Metadata

ENGLISH = """We observe today not a victory of party, but a celebration of freedom, symbolizing an end as
well as a beginning, signifying renewal as well as change. For I have sworn before you and
Almighty God the same solemn oath our forebears prescribed nearly a century and three quarters
ago. The world is very different now."""
GERMAN = """Wir haben uns heute versammelt, um der Menschen zu gedenken, die vor vielen Jahren für die
Freiheit eingetreten sind, und wir wollen nicht vergessen, was sie uns hinterlassen haben. Es
ist unsere Aufgabe, dieses Erbe zu bewahren und es an die nächste Generation weiterzugeben,
damit auch sie in Frieden leben kann."""
KOREAN = "존경하는 국민 여러분, 오늘 우리는 새로운 시대의 출발점에 서 있습니다. 함께 앞으로 나아갑시다."


def read(body, **known):
    source = Source("a.txt", io.BytesIO(body.encode()), "a", **known)
    ((found, _),) = text.read(source, lambda error: None)
    return found.language


@pytest.mark.parametrize(("said", "code"), [(ENGLISH, "en"), (GERMAN, "de"), (KOREAN, "ko")])
def test_a_language_is_told_by_its_code(said, code):
    assert detect_language(said) == code
    assert detect_language(said.upper()) == code


@pytest.mark.parametrize(
    "said", ["", " ", "Yes, we can.", "1776 1812 1865 1945 " * 20, "Merci. Danke. Thank you.", "\0" * 999]
)
def test_language_of_a_short_or_meaningless_text_is_not_guessed(said):
    assert detect_language(said) is None


@pytest.mark.parametrize("said", [f"{ENGLISH} {GERMAN}", f"{GERMAN} {ENGLISH}", f"{ENGLISH} {KOREAN * 3}"])
def test_a_speech_in_two_languages_has_none(said):
    assert detect_language(said) is None
    assert detect_language(said * 20) is None


def test_a_speech_keeps_the_language_that_file_or_sidecar_says():
    assert read(ENGLISH) == "en"
    assert read(f"---\nlanguage: fr\n---\n{ENGLISH}") == "fr"
    assert read(ENGLISH, sidecar=Metadata(language="pt")) == "pt"


@pytest.mark.parametrize("tag", ["en", "EN", "en-US", "en_GB", "en-Latn-US"])
def test_a_language_is_kept_without_its_region_since_filters_ask_for_the_language(tag):
    assert read(f"---\nlanguage: {tag}\n---\n{ENGLISH}") == "en"


def test_a_long_speech_takes_no_longer_than_a_page():
    detect_language(ENGLISH)
    began = time.process_time()
    assert detect_language(ENGLISH * 20_000) == "en"
    assert time.process_time() - began < 1  # seconds, for six million characters
