import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from archive.shipped_files import locate_shipped
from rostrum.cli.answers import format_warnings
from rostrum_core.types import DocumentInfo, Paragraph, Recommendation, Span, SpanWarning

from .conftest import PROGRAM, Rostrum

MOON = locate_shipped("samples/drafts/moon.md")
SPACE = "1962-09-12-address-space-effort"
NO_MARKS = str.maketrans("", "", "»«")


def about(draft: Path) -> str:
    return yaml.safe_load(draft.read_text().split("---")[1])["about"]


@pytest.mark.parametrize(
    "draft", sorted(locate_shipped("samples/drafts").glob("*.md")), ids=lambda path: path.stem
)
def test_the_speech_a_sample_draft_is_about_is_among_the_first_three(
    rostrum: Rostrum, sample_archive: Path, draft: Path
) -> None:
    found = json.loads(rostrum("recommend", draft, "--archive", sample_archive, "--limit", "3", "--json").out)
    assert about(draft) in [each["document"]["id"] for each in found["recommendations"]]


@pytest.mark.parametrize(
    "draft", sorted(locate_shipped("samples/drafts").glob("*.md")), ids=lambda path: path.stem
)
@pytest.mark.parametrize(
    "day", ["2024-01-06", "2024-05-20", "2024-11-20"]
)  # a day after others, and long after
def test_a_speech_of_long_ago_is_first_in_a_draft_of_today_that_is_about_it(
    rostrum: Rostrum, sample_archive: Path, draft: Path, day: str
) -> None:
    asked = ("--archive", sample_archive, "--date", day, "--limit", "1", "--json")
    [first] = json.loads(rostrum("recommend", draft, *asked).out)["recommendations"]
    assert first["document"]["id"] == about(draft)


def test_results_are_ranked_paragraphs_with_marked_words_and_an_attribution(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    shown = rostrum("recommend", MOON, "--archive", sample_archive, "--limit", "2")
    assert shown.code == 0
    first, where, place, copied, state, blank, second, *_ = shown.out.splitlines()
    assert first.startswith("1. ")
    assert second.startswith("2. ")
    assert blank == ""
    assert first.count("»") == first.count("«") == 1
    assert where == "- John F. Kennedy, Address on the Space Effort, September 12, 1962"
    assert place.startswith(f"[{SPACE}, ")
    words = first.partition("»")[2].partition("«")[0].translate(str.maketrans("“”", "‘’"))
    assert copied == f"“{words}” – {where.removeprefix('- ')}"
    assert state == "ready to print"
    number = place.rpartition(", ")[2].removesuffix("]")
    named = rostrum("show", SPACE, "--paragraph", number, "--archive", sample_archive)
    assert named.out.splitlines()[-1] == f"[{number}] {first.removeprefix('1. ').translate(NO_MARKS)}"


def test_words_that_should_not_be_printed_as_marked_say_so_with_the_reason() -> None:
    flaw = SpanWarning("grammar", "the words have no verb", 0, 5)
    paragraph = Paragraph("a:0", "a", 0, "And peace. We choose to go.", 0, 27)
    cut = Span(0, 9, 1.0, (flaw,), 0.1, False)
    recommendation = Recommendation(1, paragraph, DocumentInfo("a", "T"), (cut,), {})
    assert format_warnings(recommendation) == ["do not print as marked", "check: the words have no verb"]
    likely = replace(recommendation, spans=(replace(cut, printability=0.5),))
    assert format_warnings(likely) == ["check: the words have no verb"]


def test_the_quote_to_copy_has_no_markup_of_the_transcript(rostrum: Rostrum, sample_archive: Path) -> None:
    left = "Of Americans in Afghanistan who wanted to leave, almost all were able to leave, Biden said. "
    shown = rostrum("recommend", "--left", left, "--archive", sample_archive, "--limit", "1")
    first, _, _, copied, *_ = shown.out.splitlines()
    assert r"<s>Ninety</s> \[Ninety-eight\] percent of Americans" in first
    assert (
        "[Ninety-eight] percent of Americans in Afghanistan who wanted to leave were able to leave” –"
        in copied
    )
    assert not {"<", "\\"} & set(copied)


def test_the_day_of_a_draft_is_told_by_an_option_or_by_its_front_matter(
    rostrum: Rostrum, sample_archive: Path, tmp_path: Path
) -> None:
    dated = tmp_path / "dated.md"
    dated.write_text(MOON.read_text().replace("---\n", "---\ndate: 19 September 1962\n", 1))
    where = ("--archive", sample_archive, "--json")
    asked = [("recommend", MOON, "--date", "1962-09-19"), ("recommend", dated)]
    by_option, by_file = (json.loads(rostrum(*each, *where).out)["recommendations"] for each in asked)
    assert by_option == by_file
    assert by_option[0]["scores"]["recency"] == pytest.approx(-2.0794, abs=1e-4)  # seven days: -log(8)
    refused = rostrum("recommend", MOON, "--date", "soon", *where)
    assert (refused.code, refused.out) == (2, "")
    assert "--date: 'soon' is not a date like 1863-11-19" in refused.err
    dated.write_text(MOON.read_text().replace("---\n", "---\ndate: TBD\n", 1))
    assert (
        json.loads(rostrum("recommend", dated, "--date", "1962-09-19", *where).out)["recommendations"]
        == by_option
    )


def test_timings_are_told_on_standard_error_only(rostrum: Rostrum, sample_archive: Path) -> None:
    shown = rostrum("recommend", MOON, "--archive", sample_archive, "--limit", "1")
    assert "50 candidates; draft " in shown.err
    assert "candidates;" not in shown.out


def test_scores_are_shown_only_if_asked_for(rostrum: Rostrum, sample_archive: Path) -> None:
    plain = rostrum("recommend", MOON, "--archive", sample_archive, "--limit", "1")
    explained = rostrum("recommend", MOON, "--archive", sample_archive, "--limit", "1", "--explain")
    assert "lexical" not in plain.out
    assert "lexical " in explained.out
    assert "final " in explained.out


def test_json_holds_the_whole_answer_and_its_spans_lie_in_their_paragraphs(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    answer = json.loads(rostrum("recommend", MOON, "--archive", sample_archive, "--json").out)
    assert answer.keys() == {
        "recommendations",
        "candidates",
        "degraded",
        "timings_s",
        "models",
        "generation",
        "fit",
        "remarks",
        "engine",
    }
    assert answer["engine"] in ("onnxruntime float32 cpu", "openvino float32 cpu", "openvino bfloat16 cpu")
    assert [each["rank"] for each in answer["recommendations"]] == list(range(1, 11))
    for each in answer["recommendations"]:
        for span in each["spans"]:
            assert 0 <= span["start_char"] < span["end_char"] <= len(each["paragraph"]["text"])


def test_a_draft_may_come_from_standard_input(
    rostrum: Rostrum, sample_archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MOON.read_bytes())))
    shown = rostrum("recommend", "-", "--archive", sample_archive, "--limit", "1")
    assert "John F. Kennedy, Address on the Space Effort" in shown.out


def test_a_draft_may_come_from_options(rostrum: Rostrum, sample_archive: Path) -> None:
    words = (
        "The president asked Congress to declare that a state of war with the Japanese Empire existed, and"
    )
    shown = rostrum("recommend", "--left", words, "--archive", sample_archive, "--limit", "1")
    assert "Franklin D. Roosevelt, Address to Congress Requesting a Declaration of War" in shown.out


def test_all_paragraphs_of_a_named_document_are_candidates_and_no_other(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    name = "1863-11-19-gettysburg-address"
    line = ("recommend", MOON, "--archive", sample_archive, "--document", name, "--json", "--limit", "99")
    answer = json.loads(rostrum(*line).out)
    paragraphs = rostrum("show", name, "--archive", sample_archive).out.count("\n[")
    assert answer["candidates"] == len(answer["recommendations"]) == paragraphs
    assert {each["document"]["id"] for each in answer["recommendations"]} == {name}


def test_filters_hold_for_every_result(rostrum: Rostrum, sample_archive: Path) -> None:
    options = (
        "--speaker",
        "john f. kennedy",
        "--speaker",
        "Ronald Reagan",
        "--since",
        "1963",
        "--until",
        "1984-06",
    )
    answer = json.loads(rostrum("recommend", MOON, "--archive", sample_archive, *options, "--json").out)
    found = [each["document"] for each in answer["recommendations"]]
    assert found
    assert {each["speaker"] for each in found} <= {"John F. Kennedy", "Ronald Reagan"}
    assert all("1963-01-01" <= each["spoken_on"] <= "1984-06-30" for each in found)


def test_nothing_that_fits_is_said_and_is_no_failure(rostrum: Rostrum, sample_archive: Path) -> None:
    options = ("--speaker", "Kennedy", "--since", "1999")
    shown = rostrum("recommend", MOON, "--archive", sample_archive, *options)
    assert (shown.code, shown.out) == (0, "No paragraph fits.\n")
    assert "no speech passes the filter: a speaker is who holds the floor" in shown.err
    assert "collection" not in shown.err


def test_a_part_of_a_name_is_enough_and_a_misspelt_one_is_answered_with_names(
    rostrum: Rostrum, sample_archive: Path
) -> None:
    answer = rostrum("recommend", MOON, "--archive", sample_archive, "--speaker", "kennedy", "--json")
    found = json.loads(answer.out)["recommendations"]
    assert {each["document"]["speaker"] for each in found} == {"John F. Kennedy"}
    for command in (("recommend", MOON), ("documents",)):
        shown = rostrum(*command, "--archive", sample_archive, "--speaker", "Kenedy")
        assert shown.code == 2
        assert "nobody called 'Kenedy' speaks in the archive; did you mean 'John F. Kennedy'?" in shown.err


def test_what_may_be_wrong_with_a_filter_is_told_of_each_part_of_it(rostrum: Rostrum, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "---\ncollection: Town\nlanguage: en\n---\nWe came here to open a bridge."
    )
    archive = ("--archive", tmp_path / "archive")
    assert rostrum("index", tmp_path / "a.txt", *archive).code == 0
    line = ("recommend", "--left", "The bridge", *archive)
    assert "1. " in rostrum(*line, "--collection", "Town", "--language", "en").out
    assert "in capitals and small letters" in rostrum(*line, "--collection", "town").err
    wrong = rostrum(*line, "--language", "English", "--since", "1990").err
    assert "a language is named by its code, such as en; a speech without a date passes neither" in wrong


def test_a_language_is_asked_for_as_speeches_tell_it(rostrum: Rostrum, sample_archive: Path) -> None:
    for tag in ("en", "EN", "en-US"):
        shown = rostrum("recommend", MOON, "--archive", sample_archive, "--language", tag, "--limit", "1")
        assert shown.out.startswith("1. ")
        assert "no speech passes the filter" not in shown.err


def test_a_stage_that_was_skipped_is_named_on_standard_error(
    rostrum: Rostrum, sample_archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_TIMEOUT_S", "0.001")
    shown = rostrum("recommend", MOON, "--archive", sample_archive, "--limit", "1")
    assert shown.code == 0
    assert "degraded: " in shown.err
    assert shown.out.startswith("1. ")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ([], "give a draft"),
        (["--left", "  "], "give a draft"),
        (["none.md"], "none.md: No such file"),
        ([str(MOON), "--left", "x"], "not both"),
        (
            ["--left", "x", "--since", "2020", "--until", "1999"],
            "no day is since 2020-01-01 and until 1999-12-31",
        ),
        (["--left", "x", "--since", "yesterday"], "'yesterday' is not a date"),
        (["--left", "x", "--limit", "0"], "'--limit'"),
        (["--left", "x", "--document", "none"], "no document 'none' in the archive"),
        (["--left", "x", "--frobnicate"], "No such option"),
        (["--left", "x", "--speaker", ""], "'--speaker': it is empty"),
        (["--left", "x", "--since", ""], "'--since': it is empty"),
        (["--left", "x", "--url", ""], "'--url': it is empty"),
    ],
)
def test_bad_input_is_told_in_one_line_with_exit_code_2(
    rostrum: Rostrum, sample_archive: Path, options: list[str], complaint: str
) -> None:
    shown = rostrum("recommend", "--archive", sample_archive, *options)
    assert (shown.code, shown.out) == (2, "")
    assert shown.complaint.startswith("rostrum: ")
    assert complaint in shown.complaint


def test_without_an_archive_the_exit_code_is_1(rostrum: Rostrum, tmp_path: Path) -> None:
    shown = rostrum("recommend", MOON, "--archive", tmp_path / "none")
    assert (shown.code, shown.out) == (1, "")
    assert shown.complaint.startswith("rostrum: ")


def test_an_unknown_setting_refuses_to_start(rostrum: Rostrum, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSTRUM_CANDIDATE", "5")
    shown = rostrum("recommend", MOON)
    assert shown.code == 2
    assert "ROSTRUM_CANDIDATE is not a setting" in shown.complaint


def test_a_reader_that_stops_early_is_no_failure(sample_archive: Path) -> None:
    line = [*PROGRAM, "recommend", str(MOON), "--archive", str(sample_archive), "--limit", "100", "--explain"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        started.stdout.close()
        assert started.stderr is not None
        messages = started.stderr.read()
        assert started.wait() == 0
    assert "Traceback" not in messages
    assert "Broken pipe" not in messages
