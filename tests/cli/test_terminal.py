import dataclasses
import io
import sys

import pytest
from rich.console import Console
from rich.text import Text

from indexer.titles import capitalise_title
from jobs.attribution import make_address, make_attribution
from rostrum.cli.answers import print_answer
from rostrum.cli.terminal import mark_best_span, open_messages, open_output, safe
from rostrum_core.types import NOBODY_KNOWN, Answer, DocumentInfo, Paragraph, Recommendation, Span

GETTYSBURG = DocumentInfo(
    "g", "Gettysburg Address", "Abraham Lincoln", "1863-11-19", url="https://example.org/g"
)


def paragraph(text: str) -> Paragraph:
    return Paragraph("p", "g", 2, text, 0, len(text))


def console(width: int = 80, *, terminal: bool = True, **options: object) -> tuple[Console, io.StringIO]:
    written = io.StringIO()
    made = Console(
        file=written,
        width=width,
        force_terminal=terminal,
        color_system="standard" if terminal else None,
        highlight=False,
        markup=False,
        emoji=False,
        **options,  # type: ignore[arg-type]
    )
    return made, written


def answer(text: str, start: int = 0, end: int = 4) -> Answer:
    found = Recommendation(1, paragraph(text), GETTYSBURG, (Span(start, end, 1.0),), {"final": 0.5})
    return Answer((found,), candidates=1)


@pytest.mark.parametrize(
    "text", ["\x1b[31mred\x1b[0m", "bell\x07", "\x9b2J", "back\x08", "\u202eright", "\x00"]
)
def test_nothing_of_the_archive_steers_the_terminal(text: str) -> None:
    assert not any(ord(character) < 32 or 126 < ord(character) < 160 for character in safe(text))
    assert "\u202e" not in safe(text)


def test_words_worth_quoting_are_bold_on_a_terminal() -> None:
    shown, written = console()
    shown.print(mark_best_span(paragraph("we choose to go"), [Span(3, 9, 1.0)], shown))
    assert "\x1b[1;33mchoose\x1b[0m" in written.getvalue()


@pytest.mark.parametrize("plain", [{"terminal": False}, {"no_color": True}])
def test_words_worth_quoting_stand_between_guillemets_where_there_is_no_colour(
    plain: dict[str, bool],
) -> None:
    shown, written = console(**plain)  # type: ignore[arg-type]
    shown.print(mark_best_span(paragraph("we choose to go"), [Span(3, 9, 1.0)], shown))
    assert written.getvalue().strip() == "we »choose« to go"


def test_marks_stay_in_place_when_control_characters_before_them_are_dropped() -> None:
    shown, _ = console(terminal=False)
    assert mark_best_span(paragraph("\x1b[1mwe choose"), [Span(7, 13, 1.0)], shown).plain == "[1mwe »choose«"


def test_square_brackets_of_a_speech_are_not_read_as_markup() -> None:
    shown, written = console(terminal=False)
    print_answer(answer("Thanks. [Laughter] [/bold] :smile:"), shown)
    assert "[Laughter] [/bold] :smile:" in written.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 200])
@pytest.mark.parametrize(
    "text", ["we choose to go to the moon " * 9, "我们选择登月" * 20, "👩‍🚀🚀" * 30, "a" * 300]
)
def test_no_line_is_wider_than_the_terminal(width: int, text: str) -> None:
    shown, written = console(width)
    print_answer(answer(text), shown, explain=True)
    assert max(Text.from_ansi(line).cell_len for line in written.getvalue().splitlines()) <= width


def test_an_attribution_says_who_where_and_when_as_far_as_known() -> None:
    assert make_attribution(GETTYSBURG) == "Abraham Lincoln, Gettysburg Address, November 19, 1863"
    assert make_address(GETTYSBURG) == "https://example.org/g"
    assert make_attribution(DocumentInfo("g", "Gettysburg Address")) == "Gettysburg Address"


def test_words_of_somebody_else_are_not_put_into_the_speakers_mouth() -> None:
    assert make_attribution(GETTYSBURG, "LINCOLN").startswith("Abraham Lincoln, ")
    assert make_attribution(GETTYSBURG, NOBODY_KNOWN).startswith(
        "unknown speaker (speech of Abraham Lincoln), "
    )
    assert make_attribution(GETTYSBURG, "A VOICE").startswith("A Voice (speech of Abraham Lincoln), ")


@pytest.mark.parametrize(
    ("title", "speaker", "printed"),
    [
        (
            "Remarks by President Biden on Artificial Intelligence",
            "Joe Biden",
            "Remarks on Artificial Intelligence",
        ),
        ("Inaugural Address by President Joseph R. Biden, Jr.", "Joe Biden", "Inaugural Address"),
        ("Remarks by Vice President Harris at a Forum", "Kamala Harris", "Remarks at a Forum"),
        ("Remarks by President Biden | Atlanta, GA", "Joe Biden", "Remarks Atlanta, GA"),
        ("Remarks by President Obama", "Joe Biden", "Remarks by President Obama"),
        ("Address of Hope", "Bob Hope", "Address"),
        ("Remarks by Secretary of State Antony Blinken on Aid", "Antony Blinken", "Remarks on Aid"),
        (
            "Remarks by President Biden in a Call with President Xi",
            "Joe Biden",
            "Remarks in a Call with President Xi",
        ),
        ("Remarks by Robert F. Kennedy Jr. on Mills", "Robert F. Kennedy Jr.", "Remarks on Mills"),
        ("Remarks by Secretary Robert Kennedy, Jr., on Mills", "Robert F. Kennedy Jr.", "Remarks on Mills"),
        ("Remarks by Senator Roe at a Mill", "Sam Roe III", "Remarks at a Mill"),
        ("Remarks by Sam Roe III: A Mill", "Sam Roe", "Remarks A Mill"),
        ("Address by King Charles III", "Charles III", "Address"),
        ("Address by Pope Paul VI", "Paul VI", "Address"),
        ("Remarks by Ann Roe-Smith on Water", "Ann Roe-Smith", "Remarks on Water"),
        ("Remarks by President Biden, 12 March", "Joe Biden", "Remarks 12 March"),
    ],
)
def test_a_title_does_not_repeat_the_speaker(title: str, speaker: str, printed: str) -> None:
    assert make_attribution(DocumentInfo("d", title, speaker)) == f"{speaker}, {printed}"


@pytest.mark.parametrize(
    ("title", "speaker"),
    [
        (
            "Remarks by President Biden and Prime Minister Kishida of Japan in Joint Press Conference",
            "Joe Biden",
        ),
        ("Remarks by President Biden and Prime Minister Kishida of Japan at Camp David", "Fumio Kishida"),
        ("Remarks by President Biden, Vice President Harris, and Speaker Pelosi on Aid", "Joe Biden"),
        ("Remarks by President Biden of the United States and President Yoon of Korea", "Joe Biden"),
        ("Remarks by Biden & Harris at a Forum", "Joe Biden"),
        ("Address by Joseph R. Biden, Jr. and Jill Biden", "Joseph R. Biden, Jr."),
    ],
)
def test_a_title_that_names_another_person_after_the_speaker_stays_whole(title: str, speaker: str) -> None:
    assert make_attribution(DocumentInfo("d", title, speaker)) == f"{speaker}, {title}"


@pytest.mark.parametrize(
    ("title", "speaker"),
    [
        ("Remarks by President Biden’s Press Secretary on Jobs", "Joe Biden"),
        ("Remarks by President Biden's Press Secretary on Jobs", "Joe Biden"),
        ("Remarks by President Biden/Prime Minister Kishida", "Joe Biden"),
        ("Remarks by Ann Roe-Smith on Water", "Ann Roe"),
        ("Remarks by Barack Obama, 44th President of the United States", "Barack Obama"),
    ],
)
def test_a_title_in_which_the_name_runs_on_stays_whole(title: str, speaker: str) -> None:
    assert make_attribution(DocumentInfo("d", title, speaker)) == f"{speaker}, {title}"


def test_a_tag_that_the_archive_has_resolved_is_one_of_several_speakers() -> None:
    debate = DocumentInfo("d", "T", "Ann Roe and Bob Lee", speakers=("Ann Roe", "Bob Lee", "MR. FOX"))
    assert make_attribution(debate, "ROE") == "Ann Roe, T"
    assert make_attribution(debate, "Bob Lee") == "Bob Lee, T"
    assert make_attribution(debate, "MR. FOX") == "Mr. Fox (speech of Ann Roe and Bob Lee), T"
    assert make_attribution(debate) == "Ann Roe and Bob Lee, T"


def test_an_office_that_the_archive_has_resolved_is_the_speaker() -> None:
    speech = DocumentInfo("d", "T", "Joe Biden", speakers=("Joe Biden", "Q"))
    assert make_attribution(speech, "THE PRESIDENT") == "Joe Biden, T"
    assert make_attribution(speech, "Q") == "Q (speech of Joe Biden), T"


@pytest.mark.parametrize(
    ("speaker", "tag"),
    [
        ("Jill Biden", "BIDEN"),
        ("Jill Biden", "Jill Biden"),
        ("Dr. Jill Biden", "DR. BIDEN"),
        ("Martin Luther King, Jr.", "KING"),
        ("The President", "THE PRESIDENT"),
        ("Ben Ray Luján", "BEN RAY LUJAN"),
        ("Bob O'Neill", "O’NEILL"),
    ],
)
def test_a_tag_of_words_of_the_name_is_the_speaker(speaker: str, tag: str) -> None:
    assert make_attribution(DocumentInfo("d", "T", speaker), tag) == f"{speaker}, T"


@pytest.mark.parametrize(
    ("speaker", "tag"),
    [
        ("Jill Biden", "PRESIDENT BIDEN"),
        ("Jill Biden", "JOE BIDEN"),
        ("Hillary Clinton", "MR. CLINTON"),
        ("John F. Kennedy", "MRS. JOHN KENNEDY"),
        ("Vice President Harris", "THE PRESIDENT"),
        ("Barack Obama", "THE PRESIDENT"),
    ],
)
def test_a_tag_that_may_be_another_is_shown_beside_the_name(speaker: str, tag: str) -> None:
    assert (
        make_attribution(DocumentInfo("d", "T", speaker), tag)
        == f"{capitalise_title(tag)} (speech of {speaker}), T"
    )


def test_a_pipe_gets_no_escapes_whoever_forces_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for made in (open_output(), open_messages()):
        assert (made.is_terminal, made.color_system) == (False, None)


@pytest.mark.parametrize(("terminal", "width"), [(True, 37), (False, 1_000_000)])
def test_columns_is_the_width_of_a_terminal_and_of_nothing_else(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", "37")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert open_output().width == width


def test_outside_a_terminal_a_paragraph_is_one_line_without_blanks_at_its_end() -> None:
    shown, written = console(1_000_000, terminal=False)
    print_answer(answer("we choose\nto go " * 50), shown, explain=True)
    lines = written.getvalue().splitlines()
    assert len(lines) == 6
    assert max(map(len, lines)) < 1_000


def test_a_moment_of_a_recording_is_told_and_linked() -> None:
    assert make_attribution(GETTYSBURG, start_s=723.9) == (
        "Abraham Lincoln, Gettysburg Address, November 19, 1863, at 0:12:03"
    )
    assert make_address(GETTYSBURG, start_s=723.9) == "https://example.org/g#t=723"


def test_a_result_is_told_with_its_moment() -> None:
    shown, written = console(terminal=False)
    recorded = dataclasses.replace(paragraph("Four score"), start_s=3725.0, end_s=3730.0)
    print_answer(Answer((Recommendation(1, recorded, GETTYSBURG, (), {}),), candidates=1), shown)
    assert "at 1:02:05 [g, 3] https://example.org/g#t=3725" in " ".join(written.getvalue().split())
