"""Captions become running text: sentences whole, nothing twice, speakers named, paragraphs with times."""

import contextlib
import io
import time
from pathlib import Path

import pytest

from indexer.captions.cues import parse_subrip, parse_webvtt
from indexer.formats import Source, get_format
from indexer.ingest import read
from indexer.metadata import Metadata
from indexer.paragraphs import split
from rostrum_core.errors import TranscriptError

CAPTIONS = Path(__file__).parent / "captions"


def pieces(text):
    """About as many as WordPieces."""
    return len(text) // 4


def document(kind, text, **known):
    data = text if isinstance(text, bytes) else text.encode()
    [found] = get_format(kind).read(Source("a", io.BytesIO(data), "a", **known), [].append)
    return found.document


def said(kind, text, **known):
    found = split(document(kind, text, **known), count_tokens=pieces)
    return [(p.start_s, p.end_s, p.speaker, p.text) for p in found]


def cue(start_s, end_s, *lines):
    return f"00:00:{start_s:06.3f} --> 00:00:{end_s:06.3f}\n" + "\n".join(lines) + "\n\n"


def vtt(*cues):
    return "WEBVTT\n\n" + "".join(cues)


def only(name):
    refused = []
    [found] = read([CAPTIONS / name], refused=refused.append)
    assert refused == []
    cues = [(p.start_s, p.end_s, p.speaker, p.text) for p in split(found, count_tokens=pieces)]
    return found, cues


def test_a_subrip_file_of_a_speech_has_its_first_tenth_and_last_paragraph():
    found, cues = only("1962-09-12-moon.srt")
    assert (found.id, found.spoken_on, len(cues)) == ("1962-09-12-moon", "1962-09-12", 25)
    assert cues[0] == (
        *(2.0, 6.75, "ANNOUNCER"),
        "Ladies and gentlemen, the President of the United States.",
    )
    assert cues[9] == (
        *(212.1, 229.48, "THE PRESIDENT"),
        "The Mariner spacecraft now on its way to Venus is the most intricate instrument in the history of"
        " space science. The accuracy of that shot is comparable to firing a missile from Cape Canaveral and"
        " dropping it in this stadium between the 40-yard lines.",
    )
    assert cues[-1] == (
        *(539.2, 555.44, "THE PRESIDENT"),
        "And, therefore, as we set sail we ask God's blessing on the most hazardous and dangerous and"
        " greatest adventure on which man has ever embarked. Thank you.",
    )
    stage = [mark.text for mark in found.marks if mark.kind == "stage"]
    assert stage == ["[APPLAUSE]", "[Laughter]", "♪♪"]


def test_live_captions_that_roll_up_have_their_first_tenth_and_last_paragraph():
    found, cues = only("1941-12-08-war.vtt")
    assert (found.id, found.language, len(cues)) == ("1941-12-08-war", "en", 13)
    assert cues[0] == (
        *(3725.0, 3745.41, "THE PRESIDENT"),
        "MR. VICE PRESIDENT, AND MR. SPEAKER, AND MEMBERS OF THE SENATE AND HOUSE OF REPRESENTATIVES:"
        " YESTERDAY, DECEMBER 7, 1941—A DATE WHICH WILL LIVE IN INFAMY—THE UNITED STATES OF AMERICA WAS"
        " SUDDENLY AND DELIBERATELY ATTACKED BY NAVAL AND AIR FORCES OF THE EMPIRE OF JAPAN.",
    )
    assert cues[9] == (
        *(3893.83, 3913.2, "THE PRESIDENT"),
        "I BELIEVE THAT I INTERPRET THE WILL OF THE CONGRESS AND OF THE PEOPLE WHEN I ASSERT THAT WE WILL NOT"
        " ONLY DEFEND OURSELVES TO THE UTTERMOST BUT WILL MAKE IT VERY CERTAIN THAT THIS FORM OF TREACHERY"
        " SHALL NEVER AGAIN ENDANGER US. HOSTILITIES EXIST.",
    )
    assert cues[-1] == (3943.97, 3945.97, None, "That was the president.")


def test_a_sentence_runs_on_through_cues_and_lines():
    text = vtt(
        cue(1, 2, "We choose to", "go to"), cue(2, 4, "the moon. Not because"), cue(4, 5, "it is easy.")
    )
    assert said("webvtt", text) == [(1.0, 5.0, None, "We choose to go to the moon. Not because it is easy.")]


def test_a_paragraph_ends_at_a_sentence_s_end_once_it_is_long_enough():
    long = " ".join(["word"] * 59) + " last."  # 5 * 59 + 5 = 300 characters
    text = vtt(cue(1, 2, f"Short. {long} And"), cue(2, 3, "so on."))
    assert [paragraph for *_, paragraph in said("webvtt", text)] == [f"Short. {long}", "And so on."]


def test_a_long_silence_ends_a_paragraph_where_a_sentence_has_ended_and_not_within_one():
    text = vtt(cue(1, 2, "We came."), cue(5, 6, "We went"), cue(9.5, 10, "away."), cue(12.9, 14, "We stay."))
    assert said("webvtt", text) == [
        (1.0, 2.0, None, "We came."),
        (5.0, 14.0, None, "We went away. We stay."),
    ]


def test_recognised_speech_without_punctuation_is_cut_at_silences():
    text = vtt(cue(1, 2, "so we came here"), cue(2, 3, "to open a bridge"), cue(7, 8, "it took nine years"))
    assert [paragraph for *_, paragraph in said("webvtt", text)] == [
        "so we came here to open a bridge",
        "it took nine years",
    ]


def test_voices_arrows_and_names_give_the_floor():
    text = vtt(
        cue(1, 2, "<v Mary Roe>So &amp; so."),
        cue(2, 3, "<v.loud Mary Roe>And on. <v Speaker 2>No.</v>"),
        cue(3, 4, "&gt;&gt; Who was that? >> JANE ROE: I was."),
        cue(4, 5, "MR. KIRBY: Was it", "you? >> Reporter: Yes."),
    )
    assert said("webvtt", text) == [
        (1.0, 3.0, "Mary Roe", "So & so. And on."),
        (2.0, 3.0, "Speaker 2", "No."),
        (3.0, 4.0, None, "Who was that?"),
        (3.0, 4.0, "JANE ROE", "I was."),
        (4.0, 5.0, "MR. KIRBY", "Was it you?"),
        (4.0, 5.0, "Reporter", "Yes."),
    ]


def test_words_before_a_colon_that_are_not_a_name_stay_speech():
    text = vtt(cue(1, 2, ">> We have a plan: work."), cue(2, 3, "Fact: it rains."))
    assert [paragraph for *_, paragraph in said("webvtt", text)] == ["We have a plan: work. Fact: it rains."]


def test_a_name_in_capitals_in_front_of_a_cue_names_its_speaker():
    text = vtt(cue(1, 2, "JANE ROE: So be it."))
    assert said("webvtt", text, sidecar=Metadata(speaker="Jane Roe")) == [(1.0, 2.0, "JANE ROE", "So be it.")]
    assert said("webvtt", text) == [(1.0, 2.0, "JANE ROE", "So be it.")]


def test_notes_styles_regions_tags_positions_and_directions_are_no_speech():
    text = (
        "WEBVTT - from the hall\n\nSTYLE\n::cue(i) {}\n\nREGION\nid:a\n\nNOTE\nnot\nsaid\n\n"
        "intro\n00:01.000 --> 00:02.000 line:0 align:start\n"
        "<c.red><i>Hail</i></c> <00:01.500>[Applause] a < b {\\an8}♪ and &lt;so&gt;\\Non ♪\n\nNOTE the end\n"
    )
    found = document("webvtt", text)
    assert found.text == "Hail a < b and <so> on"
    assert [mark.text for mark in found.marks if mark.kind == "stage"] == ["[Applause]", "♪", "♪"]


def test_a_cue_that_grows_is_said_once_and_what_was_said_twice_twice():
    growing = vtt(
        cue(1, 2, "WE"), cue(2, 3, "WE CAME"), cue(3, 4, "WE CAME HERE.", "NOW"), cue(4, 5, "NOW GO.")
    )
    assert [paragraph for *_, paragraph in said("webvtt", growing)] == ["WE CAME HERE. NOW GO."]
    chant = vtt(
        cue(1, 2, "Four more!"), cue(2, 3, "Four more!"), *(cue(n, n + 1, f"{n}.") for n in range(3, 9))
    )
    assert said("webvtt", chant)[0][3].startswith("Four more! Four more! 3.")


def test_recognised_speech_that_shows_each_line_twice_is_said_once():
    text = vtt(
        cue(0, 2, " ", "so<00:00:00.500><c> we</c><c> came</c>"),
        cue(2, 2.01, "so we came", " "),
        cue(2.01, 4, "so we came", "to<00:00:03.000><c> open</c>"),
        cue(4, 4.01, "to open", " "),
    )
    assert said("webvtt", text) == [(0.0, 4.0, None, "so we came to open")]


BROKEN_SUBRIP = """Subtitles by somebody

00:00:09.500 --> 00:00:10.000
Last.

1
00:00:01,000 --> 00:00:02,5
In
1863

2
00:00:03,000 -->
a war

went on.
3
00:00:05,000 --> 00:00:04,000 X1:10 Y1:20
Then
00:00:06 -> 00:00:07
peace came.

4
00:00:06 -> 00:00:07
peace came.

5
102:00:00,000 --> 102:00:01,000

6
--> 00:00:08
"""


@pytest.mark.parametrize(
    "as_saved", [str.encode, lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()]
)
def test_a_broken_subrip_file_is_read_as_far_as_it_can_be_understood(as_saved):
    assert [
        (c.start_s, c.end_s, " ".join(line.text for line in c.lines)) for c in parse_subrip(BROKEN_SUBRIP)
    ] == [
        (1.0, 2.5, "In 1863"),
        (3.0, None, "a war went on."),
        (5.0, None, "Then"),
        (6.0, 7.0, "peace came."),
        (9.5, 10.0, "Last."),
    ]
    assert said("subrip", as_saved(BROKEN_SUBRIP)) == [
        (1.0, 10.0, None, "In 1863 a war went on. Then peace came. Last.")
    ]


def test_a_number_that_is_spoken_is_no_number_of_the_cue_after_it():
    unnumbered = "0:01 --> 0:02\nIn the year\n1984\n\n0:03 --> 0:04\na war.\n"
    assert [[line.text for line in cue.lines] for cue in parse_subrip(unnumbered)] == [
        ["In the year", "1984"],
        ["a war."],
    ]
    numbered = "0:01 --> 0:02\nIn the year\n\n2\n\n0:03 --> 0:04\na war.\n3\n0:05 --> 0:06\nSo.\n"
    assert [[line.text for line in cue.lines] for cue in parse_subrip(numbered)] == [
        ["In the year"],
        ["a war."],
        ["So."],
    ]


def test_a_broken_webvtt_file_is_read_as_far_as_it_can_be_understood():
    cues, language = parse_webvtt(
        "00:01,500 -->\nOne\n100:00:02.000 --> 100:00:03.000\nand two.\n0:03 --> 0:04\nSo."
    )
    assert language is None
    assert [(c.start_s, c.end_s, c.lines[0].text) for c in cues] == [
        (1.5, None, "One"),
        (3.0, 4.0, "So."),
        (360_002.0, 360_003.0, "and two."),
    ]


@pytest.mark.parametrize("kind", ["subrip", "webvtt"])
@pytest.mark.parametrize(
    "text", ["", "WEBVTT\n\nNOTE so", "Only words.", "00:01.000 -->", "1\n00:00:01,000 --> 00:00:02,000\n \n"]
)
def test_a_file_without_a_cue_is_refused(kind, text):
    with pytest.raises(TranscriptError, match="no cue with a time and a text"):
        document(kind, text)


def test_a_file_of_directions_alone_is_refused():
    with pytest.raises(TranscriptError, match="no speech in it"):
        document("webvtt", vtt(cue(1, 2, "[Music]"), cue(2, 3, "♪♪")))


HEAD = "1\n00:00:01.000 --> 00:00:02.000\n"
LINES = ["1\n", "-->\n", "<\n", "NOTE\n\n", "1\n\n", "00:", "(", "So. ", ">> ", "<v A>", "A: "]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["subrip", "webvtt"])
@pytest.mark.parametrize("line", [*LINES, HEAD + "So.\n\n", HEAD + ">> [Applause]\n"])
def test_the_time_grows_with_the_length_whatever_runs_on(kind, line):
    began = time.process_time()
    with contextlib.suppress(TranscriptError):
        document(kind, HEAD + "So.\n" + line * 10_000)
    assert time.process_time() - began < 5  # seconds; a square would be minutes


ENGLISH = ["We came here to open a bridge.", "It took nine years to build.", "Who paid for it?"]
SPANISH = ["Vinimos a abrir un puente.", "Tardamos nueve años en construirlo.", "¿Quién lo pagó?"]


def read_two(kind, *shown):
    text = "".join(f"{n + 1}\n{cue(n, n + 1, *lines)}" for n, lines in enumerate(shown))
    data = (text if kind == "subrip" else "WEBVTT\n\n" + text).encode()
    return [found.document for found in get_format(kind).read(Source("a", io.BytesIO(data), "a"), [].append)]


@pytest.mark.parametrize("kind", ["subrip", "webvtt"])
def test_captions_in_two_languages_are_a_speech_of_each(kind):
    upper, lower = read_two(kind, *zip(ENGLISH, SPANISH, strict=True), ["[applause]"])
    assert (upper.id, upper.text) == ("a/1", " ".join(ENGLISH))
    assert (lower.id, lower.text) == ("a/2", " ".join(SPANISH))
    times = [[mark.text for mark in document.marks if mark.kind == "time"] for document in (upper, lower)]
    assert times[0][:3] == times[1]


def test_each_language_may_have_several_lines():
    upper, lower = read_two(
        "subrip",
        ["We came here", "to open a bridge.", "Vinimos a abrir", "un puente."],
        [ENGLISH[1], SPANISH[1]],
    )
    assert upper.text == "We came here to open a bridge. It took nine years to build."
    assert lower.text == "Vinimos a abrir un puente. Tardamos nueve años en construirlo."


def test_captions_of_two_lines_in_one_language_are_one_speech():
    [found] = read_two("subrip", *(sentence.split(" ", 3)[2:] for sentence in [*ENGLISH[:2], *ENGLISH[:2]]))
    assert found.id == "a"
    [found] = read_two("subrip", ["- Who paid for it?", "- You did."], ["- Did we?", "- Vinimos juntos."])
    assert found.id == "a"
