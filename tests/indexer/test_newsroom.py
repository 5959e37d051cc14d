"""Formats and shapes that a newsroom has: word processors, recognisers, exports of other programs.

`newsroom/test-ole-file.doc` is from the tests of olefile (BSD licence).
"""

import io
import json
import shutil
import time
import zipfile
from pathlib import Path

import pytest

from indexer.formats import doc
from indexer.ingest import read
from indexer.paragraphs import split
from rostrum_core.errors import ReadingRemark
from rostrum_core.types import NOBODY_KNOWN

CASES = Path(__file__).parent / "newsroom"
BRIDGE = "We came here to open a bridge that took nine years to build, and no town was ever poorer for"


def run(path, **options):
    letters = []
    return list(read([path], refused=letters.append, **options)), letters


def read_first(path, **options):
    """Return title, speaker and day of the first speech, and speaker, start and words of its paragraphs."""
    found, letters = run(path, **options)
    assert letters == []
    first = found[0]
    paragraphs = [
        (each.speaker, each.start_s, each.text)
        for each in split(first, count_tokens=lambda text: len(text.split()))
    ]
    return first.title, first.speaker, first.spoken_on, paragraphs


@pytest.mark.parametrize(
    ("name", "title", "speaker", "spoken_on", "beginning"),
    [
        ("50.rtf", "50", None, None, "We came here to open a bridge."),
        ("56.eml", "Remarks", None, None, "We came here to open a bridge that took nine"),
        ("58.sbv", "58", None, None, "We came here to open a bridge."),
        ("59.ttml", "59", None, None, "We came here."),
        ("126-whisper.json", "126 Whisper", None, None, BRIDGE),
        ("127-json-epoch.jsonl", "Bridge", "Jane Roe", "2021-03-04", BRIDGE),
        ("122-toml.md", "Bridge", "Jane Roe", "2021-03-04", BRIDGE),
        ("132-sep.csv", "Bridge", "Jane Roe", "2021-03-04", BRIDGE),
        ("90-tei-sp.xml", "The Bridge (Debate on the bridge)", "Jane Roe", None, "The bridge took nine"),
        ("91-tei-plain-speech.xml", "Address at the bridge", "Jane Roe", None, "The bridge took nine"),
        ("92-publicwhip.xml", "The Bridge", "Jane Roe", "2021-03-04", "The bridge took nine years"),
        ("93-akn-no-ns.xml", "The Bridge", "Jane Roe", "2014-04-04", "It took nine years."),
        ("78-mojibake.txt", "78 Mojibake", None, None, "It’s a long bridge, and we don’t regret it."),
        ("31-utf16-nobom-cjk.txt", "31 Utf16 Nobom CJK", None, None, "我们来到这里开放一座桥。"),
        ("32-utf16-nobom-greek.txt", "32 Utf16 Nobom Greek", None, None, "Ήρθαμε εδώ για να"),
        ("36-gzip-in.txt", "36 Gzip In", None, None, "We came here to open a bridge"),
    ],
)
def test_a_shape_of_a_newsroom_is_read(name, title, speaker, spoken_on, beginning):
    known = read_first(CASES / name)
    assert (known[0].lower(), *known[1:3]) == (title.lower(), speaker, spoken_on)
    assert known[3][0][2].startswith(beginning)


def test_a_closing_mark_that_lost_its_last_byte_is_mended():
    _, _, _, [(_, _, text), _] = read_first(CASES / "78-mojibake.txt")
    assert "“Nobody pays twice,” she said — and she meant it." in text


def test_a_table_of_turns_is_one_speech_with_its_times():
    assert read_first(CASES / "134-zoom.csv")[3] == [
        ("Jane Roe", 0.0, "We came here to open a bridge."),
        ("Sam Doe", 3.3, "Who paid?"),
        ("Jane Roe", 4.1, "You did."),
    ]
    assert [holder for holder, _, _ in read_first(CASES / "133-twocols.tsv")[3]] == [
        "Jane Roe",
        "Sam Doe",
        "Jane Roe",
    ]


def test_a_paragraph_of_a_row_may_say_who_speaks_it():
    _, speaker, _, [(holder, _, _)] = read_first(CASES / "125-json-segments.jsonl")
    assert (speaker, holder) == ("Jane Roe", "Sam Doe")


def test_markup_and_entities_of_an_export_are_no_words():
    title, _, _, paragraphs = read_first(CASES / "129-html-escaped.jsonl")
    assert title == "Bridge & toll"
    assert [text for _, _, text in paragraphs] == [
        "We came here to open a bridge.",
        "It's long — very long.",
    ]


def test_columns_and_fields_of_other_names_are_named():
    fields = {"content": "text", "created_at": "date", "name": "speaker"}
    assert read_first(CASES / "124-json.jsonl", fields=fields)[:3] == ("Bridge", "Jane Roe", "2021-03-04")
    found, [*_, letter] = run(CASES / "124-json.jsonl")
    assert found == []
    assert "--map text=NAME; its fields are id, title, name, created_at, content" in letter.reason


def test_a_name_that_stands_twice_in_a_row_is_remarked():
    found, letters = run(CASES / "38-dupkeys.jsonl")
    assert [document.speaker for document in found] == ["Sam Doe"]
    assert [letter.reason for letter in letters if isinstance(letter, ReadingRemark)] == [
        "the name 'speaker' stands twice in an object: the last counts",
        "the name 'text' stands twice in an object: the last counts",
    ]


def test_every_column_that_may_be_misspelt_is_remarked():
    _, letters = run(CASES / "42-hundred-text.csv")
    assert [letter.reason.rpartition(": ")[2] for letter in letters] == [
        "'speaker name', for 'speaker_name'",
        "'speech date', for 'date'",
        "'speech title', for 'title'",
    ]


TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>{title}
<author>Jane Roe</author></titleStmt></fileDesc></teiHeader><text><body>
<div><head>Opening</head>
<p>We came <quote>here</quote>:<list><item>to build</item><item>to pay</item></list></p>
<list><head>Our aims</head><item>The crane must be sold.</item><item><p>Then we build.</p></item></list></div>
<div><head>Money</head><lg><l>Roses are <hi>red</hi><note>See report.</note>,</l>
<l>violets are blue.</l></lg><l>A line alone.</l><quote>Quoted outside.</quote></div>
<div><head>End</head><p>Thank you.</p></div></body></text></TEI>"""


@pytest.mark.parametrize(
    ("element", "title"),
    [("<title>On Bridges</title>", "On Bridges"), ("", "Opening")],
    ids=["title", "none"],
)
def test_lists_verse_and_quotes_outside_paragraphs_of_tei_are_read(tmp_path, element, title):
    (tmp_path / "a.xml").write_text(TEI.format(title=element))
    found_title, speaker, _, paragraphs = read_first(tmp_path / "a.xml")
    assert (found_title, speaker) == (title, "Jane Roe")
    assert [text for _, _, text in paragraphs] == [
        "We came here:",
        "to build",
        "to pay",
        "Our aims",
        "The crane must be sold.",
        "Then we build.",
        "Roses are red,\nviolets are blue.",
        "A line alone.",
        "Quoted outside.",
        "Thank you.",
    ]


def write_tei(path, body):
    header = "<teiHeader><fileDesc><titleStmt><author>A B</author></titleStmt></fileDesc></teiHeader>"
    path.write_text(
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{header}<text><body>{body}</body></text></TEI>'
    )


def test_quotations_in_notes_stage_directions_and_epigraphs_of_tei_are_not_the_speech(tmp_path):
    write_tei(
        tmp_path / "a.xml",
        """<div><p>We must act.</p>
        <note place="bottom">Compare <quote>Peace in our time</quote> in Smith.</note>
        <stage>A voice: <q>Never!</q></stage><epigraph><quote>To be or not to be.</quote></epigraph>
        <figure><head>Plate 1</head><p>A crane.</p></figure><argument><p>Of acting.</p></argument>
        <p>Thank you.</p></div>""",
    )
    [found], letters = run(tmp_path / "a.xml")
    assert letters == []
    assert (found.title, found.speaker, found.text) == ("A", "A B", "We must act.\n\nThank you.")
    assert [mark.text for mark in found.marks if mark.kind == "stage"] == [
        "Compare Peace in our time in Smith.",
        "A voice: Never!",
    ]


def test_words_outside_the_speeches_of_tei_are_no_speech_of_the_author(tmp_path):
    write_tei(
        tmp_path / "a.xml",
        """<epigraph><quote>To be</quote></epigraph><q>Never.</q>
        <sp><speaker>Mr. X</speaker><p>Speech here.</p></sp>""",
    )
    found, letters = run(tmp_path / "a.xml")
    assert letters == []
    assert [document.text for document in found] == ["Speech here."]


HTML_BESIDE = """Content-Type: multipart/alternative; boundary="x"

--x
Content-Type: text/plain; charset="utf-8"

\N{NO-BREAK SPACE}

--x
Content-Type: text/html; charset="utf-8"

<html><body><p>Le pont est payé.</p></body></html>
--x--
"""


@pytest.mark.parametrize(
    ("head", "body", "encoding", "text"),
    [
        ("Content-Type: text/plain\n\n", "Nous avons payé nos élèves.", "utf-8", None),
        ("\n", "Nous avons payé nos élèves.", "cp1252", None),
        ("Content-Type: text/plain; charset=unknown-8bit\n\n", "Nous avons payé le pont.", "utf-8", None),
        ("Content-Type: text/plain; charset=us-ascii\n\n", "We don’t pay for it.", "cp1252", None),
        ("Content-Type: text/plain; charset=koi8-r\n\n", "Мы открыли этот мост.", "koi8-r", None),
        ("Content-Type: text/plain; charset=iso-2022-jp\n\n", "橋を開いた。", "iso2022_jp", None),
        (HTML_BESIDE, "", "utf-8", "Le pont est payé."),
    ],
    ids=["no-charset", "no-type", "unknown-8bit", "ascii", "koi8-r", "seven-bit", "blank-text"],
)
def test_text_of_an_email_is_read_whatever_its_head_says_of_it(tmp_path, head, body, encoding, text):
    (tmp_path / "a.eml").write_bytes(f"Subject: Bridge\n{head}{body}\n".encode(encoding))
    title, _, _, paragraphs = read_first(tmp_path / "a.eml")
    assert (title, [said for _, _, said in paragraphs]) == ("Bridge", [text or body])


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("<choice><sic>hear</sic><corr>here</corr></choice>", "here"),
        ("<choice>\n<corr>here</corr>\n<sic>hear</sic>\n</choice>", "here"),
        ("<choice><orig>heere</orig><reg>here</reg></choice>", "here"),
        ("<choice><abbr>h.</abbr><expan>h<ex>ere</ex></expan></choice>", "here"),
        ("<choice><unclear>here</unclear><unclear>hear</unclear></choice>", "here"),
        ("<app><lem>here</lem><rdg>there</rdg></app>", "here"),
        ("<app><rdg>here</rdg><rdg>there</rdg></app>", "here"),
        ("<subst><del>there</del><add>here</add></subst>", "here"),
        ("<fw type='head'>THE BRIDGE</fw>here", "here"),
        ("he-<lb break='no'/>\nre", "here"),
        ("he <pb break='no'/>re", "here"),
        ("self-<lb break='no'/>evident", "self-evident"),
        ("Anglo-<lb break='no'/>Saxon", "Anglo-Saxon"),
        ("here<hi rend='sup'>12</hi>", "here"),
        ("10<hi rend='superscript'>6</hi> on the 4<hi rend='sup'>th</hi>", "10^6 on the 4th"),
        ("4<hi rend='sup'>1</hi>/2", "4 1/2"),
        ("<gap reason='inaudible'/> here", "[inaudible] here"),
        ("<gap reason='illegible'/> here", "[illegible] here"),
        ("<sic>heer</sic> and <abbr>Mr.</abbr> Doe", "heer and Mr. Doe"),  # with no other reading
        ("<restore><del>here</del></restore>", "here"),
        ("<hi rend='italic'>12</hi>", "12"),
        ("here,<lb/>there", "here,\nthere"),
    ],
)
def test_one_reading_of_tei_is_the_speech(tmp_path, written, said):
    write_tei(tmp_path / "a.xml", f"<p>We came {written}.</p>")
    assert [text for _, _, text in read_first(tmp_path / "a.xml")[3]] == [f"We came {said}."]


def test_a_gap_of_tei_that_was_left_out_on_purpose_is_a_mark(tmp_path):
    write_tei(tmp_path / "a.xml", "<p>We came <gap reason='sampling'/>here.</p>")
    ((document,), _) = run(tmp_path / "a.xml")
    assert (document.text, [mark.text for mark in document.marks]) == ("We came here.", ["sampling"])


def test_deleted_paragraphs_and_running_heads_of_tei_are_no_speech(tmp_path):
    write_tei(tmp_path / "a.xml", "<fw>THE BRIDGE</fw><del><p>We left.</p></del><p>We came.</p>")
    assert [text for _, _, text in read_first(tmp_path / "a.xml")[3]] == ["We came."]


def test_restored_paragraphs_of_tei_are_speech(tmp_path):
    write_tei(tmp_path / "a.xml", "<restore><del><p>We left.</p></del></restore><p>We came.</p>")
    assert [text for _, _, text in read_first(tmp_path / "a.xml")[3]] == ["We left.", "We came."]


def test_long_words_before_a_break_take_linear_time(tmp_path):
    write_tei(tmp_path / "a.xml", f"<p>{'a' * 60_000}<lb break='no'/>b{' ' * 60_000}<lb break='no'/>c</p>")
    began = time.process_time()
    ((_, _, text),) = read_first(tmp_path / "a.xml")[3]
    assert len(text) == 60_002
    assert time.process_time() - began < 2


def test_marks_of_notes_in_publicwhip_are_no_words(tmp_path):
    words = "It took nine<sup>1</sup> years, to the 4<sup>th</sup>."
    speech = f'<speech id="x/2021-03-04a.1.1"><p>{words}</p></speech>'
    (tmp_path / "a.xml").write_text(f"<publicwhip>{speech}</publicwhip>")
    assert [text for _, _, text in read_first(tmp_path / "a.xml")[3]] == ["It took nine years, to the 4th."]


@pytest.mark.parametrize(
    "nobody", ["N/A", "n/a", "-", "Unknown", "none", "Multiple Speakers", "[unknown]", " "]
)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", "---\ntitle: Bridge\nspeaker: '{}'\n---\nWe came here.\n"),
        ("a.jsonl", '{{"id": "a", "title": "Bridge", "speaker": "{}", "text": "We came here."}}\n'),
        ("a.csv", 'id,title,speaker,text\na,Bridge,"{}",We came here.\n'),
        ("b.csv", 'speaker,text\n"{}",We came here.\n'),
    ],
    ids=["front matter", "json", "table", "turns"],
)
def test_a_word_for_a_missing_speaker_names_nobody(tmp_path, name, content, nobody):
    (tmp_path / name).write_text(content.format(nobody))
    _, speaker, _, paragraphs = read_first(tmp_path / name)
    assert (speaker, paragraphs) == (None, [(None, None, "We came here.")])


def test_a_word_for_a_missing_speaker_in_a_sidecar_leaves_the_one_in_the_file(tmp_path):
    (tmp_path / "a.md").write_text("---\ntitle: Bridge\nspeaker: Jane Roe\n---\nWe came here.\n")
    (tmp_path / "a.meta.json").write_text('{"speaker": "N/A"}')
    assert read_first(tmp_path / "a.md")[1] == "Jane Roe"


def test_a_turn_of_an_unknown_speaker_is_not_the_words_of_the_one_before(tmp_path):
    turns = [("Jane Roe", "We came here."), ("N/A", "Who paid?"), ("", "Who?"), ("Jane Roe", "You did.")]
    (tmp_path / "a.csv").write_text("speaker,text\n" + "".join(f"{who},{said}\n" for who, said in turns))
    rows = [{"speaker": who, "text": said} for who, said in turns]
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "speaker": "Jane Roe", "paragraphs": rows}))
    assert [holder for holder, _, _ in read_first(tmp_path / "a.csv")[3]] == [
        "Jane Roe",
        None,
        None,
        "Jane Roe",
    ]
    assert [holder for holder, _, _ in read_first(tmp_path / "a.jsonl")[3]] == [
        None,  # as the document says
        NOBODY_KNOWN,
        NOBODY_KNOWN,
        "Jane Roe",
    ]


def test_open_document_is_read_as_it_shows(tmp_path):
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone.</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        '<text:p text:style-name="Title">On the Bridge</text:p>'
        "<text:p>Seaside, March 4, 2021</text:p>"
        "<text:p>THE MAYOR: We<text:s/>came<text:note><text:note-body><text:p>See the budget.</text:p>"
        "</text:note-body></text:note> here"
        "<office:annotation><text:p>No!</text:p></office:annotation>.</text:p>"
        "<text:p>Q: Who<text:line-break/>paid?</text:p>"
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text")
    )
    content = f"<office:document-content {spaces}><office:body>{body}</office:body></office:document-content>"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        package.writestr("content.xml", content)
    (tmp_path / "bridge.odt").write_bytes(held.getvalue())
    title, _, spoken_on, paragraphs = read_first(tmp_path / "bridge.odt")
    assert (title, spoken_on) == ("On the Bridge", "2021-03-04")
    assert [(holder, text) for holder, _, text in paragraphs] == [
        ("THE MAYOR", "We came here."),
        ("Q", "Who\npaid?"),
    ]


TURNS = [("Jane Roe", "We came here."), ("Sam Doe", "It took long."), ("Jane Roe", "The toll stays.")]
ODT_SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in [
        ("office", "office"),
        ("text", "text"),
        ("style", "style"),
        ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
    ]
)
ODT_STYLES = """<office:automatic-styles>
<style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="T2"><style:text-properties fo:font-style="italic"/></style:style>
<style:style style:name="T3"><style:text-properties fo:font-weight="normal"/></style:style>
<style:style style:name="P1"><style:text-properties fo:font-weight="bold"/></style:style>
</office:automatic-styles>"""


def write_odt(path, body):
    content = f"<office:document-content {ODT_SPACES}>{ODT_STYLES}<office:body>{body}</office:body>"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("content.xml", content + "</office:document-content>")


def read_turns(path):
    return [(holder, text) for holder, _, text in read_first(path)[3]]


@pytest.mark.parametrize(
    ("before", "between"),
    [("**", "**\n\n"), ("**", "**\n"), ("__", "__\n\n"), ("***", "***\n\n"), ("<b></b>**", "**\\\n")],
)
def test_names_in_bold_are_the_speakers_in_markdown(tmp_path, before, between):
    written = "\n\n".join(f"{before}{name}{between}{text}" for name, text in TURNS)
    (tmp_path / "a.md").write_text(written)
    assert read_turns(tmp_path / "a.md") == TURNS


def test_words_between_names_in_bold_are_not_those_of_the_speaker_in_the_front_matter(tmp_path):
    names = "**Sam Doe**\n\nIt is theft.\n\n**Jane Roe**\n\nHe has spoken.\n\n**Sam Doe**\n\nWe will see."
    (tmp_path / "a.md").write_text(f"---\nspeaker: Jane Roe\n---\nWe came here.\n\n{names}\n")
    assert read_turns(tmp_path / "a.md") == [
        (None, "We came here."),  # as the document says
        ("Sam Doe", "It is theft."),
        ("Jane Roe", "He has spoken."),
        ("Sam Doe", "We will see."),
    ]


@pytest.mark.parametrize(
    "said",
    [
        ["**We** came here.", "**It took** nine years.", "The **toll** stays.", "**We** will see."],
        ["**Freedom** is not free.", "**Freedom** is ours.", "**Freedom** stays."],
        ["**One Bridge.**", "We came here.", "**No Toll.**", "It stays.", "**Thank You.**", "So be it."],
    ],
)
def test_words_in_bold_that_are_no_names_stay_in_markdown(tmp_path, said):
    (tmp_path / "a.md").write_text("---\nspeaker: Jane Roe\n---\n" + "\n\n".join(said))
    assert read_turns(tmp_path / "a.md") == [(None, text.replace("**", "")) for text in said]


@pytest.mark.parametrize(
    "paragraph",
    [
        '<text:p><text:span text:style-name="T1">{name}</text:span></text:p><text:p>{text}</text:p>',
        '<text:p text:style-name="P1">{name}</text:p><text:p>{text}</text:p>',
        '<text:p><text:span text:style-name="Strong_20_Emphasis">{name}</text:span><text:line-break/>'
        "{text}</text:p>",
        '<text:p text:style-name="P1">{name} <text:span text:style-name="T3">{text}</text:span></text:p>',
    ],
)
def test_names_in_bold_are_the_speakers_in_open_document(tmp_path, paragraph):
    write_odt(tmp_path / "a.odt", "".join(paragraph.format(name=name, text=text) for name, text in TURNS))
    assert read_turns(tmp_path / "a.odt") == TURNS


def test_names_in_italics_stay_in_open_document(tmp_path):
    paragraph = '<text:p><text:span text:style-name="T2">{}</text:span></text:p><text:p>{}</text:p>'
    write_odt(tmp_path / "a.odt", "".join(paragraph.format(*turn) for turn in TURNS))
    assert [text for _, text in read_turns(tmp_path / "a.odt")] == [text for turn in TURNS for text in turn]


def test_descriptions_of_pictures_are_no_speech_and_the_field_of_the_title_is(tmp_path):
    picture = "<draw:frame><svg:title>Logo</svg:title><svg:desc>A minister</svg:desc></draw:frame>"
    write_odt(tmp_path / "a.odt", f"<text:p>We open{picture} the <text:title>Bridge</text:title>.</text:p>")
    assert read_turns(tmp_path / "a.odt") == [(None, "We open the Bridge.")]


@pytest.mark.parametrize(
    "paragraph",
    [
        r"{{\b {name}}}\par {text}\par ",
        r"\b {name}\b0\par {text}\par ",
        r"{{\b {name}\par}}{text}\par ",
        r"{{\b {{\*\bkmkstart x}}{name}}}\line {text}\par ",
        r"\pard\b {name}\par\pard\plain {text}\par ",
    ],
)
def test_names_in_bold_are_the_speakers_in_rich_text(tmp_path, paragraph):
    body = "".join(paragraph.format(name=name, text=text) for name, text in TURNS)
    (tmp_path / "a.rtf").write_text(r"{\rtf1\ansi " + body + "}")
    assert read_turns(tmp_path / "a.rtf") == TURNS


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        (r"nine {\v hidden }years", "nine years"),
        (r"nine \v hidden\'e9\u8220?\emdash\par \v0 years", "nine years"),
        (r"nine {\deleted eight\{\~ }years", "nine years"),
        (r"nine {\v {\i hidden }so {\v0 years}}", "nine years"),
        (r"nine \v hidden \plain years", "nine years"),
        (r"nine {\v0 long }{\deleted0 years}", "nine long years"),
        (r"{\b nine} caf\'e9s, {\b \u8220?never\u8221?}", "nine cafés, “never”"),
        (r"nine {\*\verbatim x}years \{v\}", "nine years {v}"),
    ],
)
def test_hidden_and_deleted_text_is_no_speech_in_rich_text(tmp_path, markup, said):
    (tmp_path / "a.rtf").write_text(r"{\rtf1\ansi It took " + markup + r".\par}")
    assert read_turns(tmp_path / "a.rtf") == [(None, f"It took {said}.")]


@pytest.mark.skipif(not (shutil.which("soffice") or shutil.which("antiword")), reason="needs a converter")
def test_a_document_of_word_97_is_converted():
    assert (
        "Test OLE file, saved as Word 97-2003 Document." in read_first(CASES / "test-ole-file.doc")[3][0][2]
    )


def test_without_a_converter_a_document_of_word_97_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr(doc.shutil, "which", lambda program: None)
    found, [letter] = run(CASES / "test-ole-file.doc")
    assert found == []
    assert "it needs LibreOffice (the program soffice) or antiword, and neither is installed" in letter.reason


@pytest.mark.parametrize("suffix", ["rtf", "odt", "doc", "json", "sbv", "ttml", "eml"])
@pytest.mark.parametrize("data", [b"\x00\x01\x02" * 99, b"[", b"{\\rtf1", b"PK\x03\x04", b"<tt/>", b""])
def test_a_damaged_file_is_a_letter_and_no_speech(tmp_path, suffix, data):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(data)
    found, letters = run(path)
    assert [document.text for document in found if document.text not in ("[", "<tt/>")] == []
    assert found or letters


def read_times(path):
    """Return the start and the end of the paragraphs of the first speech of a file, in seconds."""
    found, _ = run(path)
    spoken = split(found[0], count_tokens=lambda text: len(text.split()))
    return [(each.start_s, each.end_s) for each in spoken]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.jsonl",
            '{"id": "a", "paragraphs": [{"text": "We came.", "start": 4}, {"text": "Rain.", "start": 9}]}',
        ),
        ("a.csv", "start,speaker,text\n4,Jane Roe,We came.\n9,Sam Doe,It rained.\n"),
    ],
)
def test_a_paragraph_without_an_end_ends_where_the_next_begins(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert read_times(tmp_path / name) == [(4.0, 9.0), (9.0, None)]


def test_times_of_ttml_count_from_the_start_of_the_element_around(tmp_path):
    path = tmp_path / "a.ttml"
    path.write_text(
        '<tt xmlns="http://www.w3.org/ns/ttml"><body begin="1m"><div begin="10s">'
        '<p begin="1s" end="3s">We came.</p><p begin="20s" dur="2s">It rained.</p></div>'
        '<div begin="100s"><p end="5s">So.</p>'
        '<p><span begin="20s">Now.</span> <span begin="21s">Then.</span></p></div></body></tt>'
    )
    assert read_times(path) == [(71.0, 73.0), (90.0, 92.0), (160.0, 165.0), (180.0, None)]


def test_list_of_captions_alone_is_one_speech_with_times(tmp_path):
    rows = [
        {"text": "It took nine years.", "start": 3.2, "duration": 2.5},
        {"text": "Who paid for all of it?", "start": 20, "end": 21.5, "speaker": "Sam Doe"},
    ]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    ((document,), letters) = run(tmp_path / "a.json")
    assert (document.id, letters) == ("a", [])
    assert read_times(tmp_path / "a.json") == [(3.2, 5.7), (20.0, 21.5)]


@pytest.mark.parametrize(
    "more",
    [
        {"id": "b"},
        {"title": "Bridge"},
        {"Date": "2021-03-04"},
        {"url": "https://example.org/2"},
        {"document_id": "b"},
    ],
)
def test_rows_with_a_start_that_are_speeches_stay_speeches(tmp_path, more):
    rows = [{"text": "It took nine years.", "start": 0}, {"text": "Who paid?", "start": 9, **more}]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    assert len(run(tmp_path / "a.json")[0]) == 2


def test_names_of_a_row_count_in_any_case(tmp_path):
    rows = [{"ID": "a", "Text": "We came."}, {"Id": 2, "PARAGRAPHS": ["So."]}]
    for name, text in (("a.json", json.dumps(rows)), ("a.jsonl", "\n".join(map(json.dumps, rows)))):
        (tmp_path / name).write_text(text)
        assert [(each.id, each.text) for each in run(tmp_path / name)[0]] == [("a", "We came."), ("2", "So.")]


@pytest.mark.parametrize("items", [[], [1, 2], ["bridge"]])
def test_object_with_words_and_a_list_without_rows_is_a_speech(tmp_path, items):
    (tmp_path / "a.json").write_text(json.dumps({"id": "x", "text": "We came.", "items": items}))
    ((document,), letters) = run(tmp_path / "a.json")
    assert (document.id, document.text, letters) == ("x", "We came.", [])


def test_object_with_words_and_a_list_of_rows_is_its_rows(tmp_path):
    rows = [{"id": "a", "text": "We came."}]
    (tmp_path / "a.json").write_text(json.dumps({"text": "All speeches", "items": rows}))
    assert [each.id for each in run(tmp_path / "a.json")[0]] == ["a"]


def test_each_text_of_a_collection_in_plain_tei_is_a_speech(tmp_path):
    text = (
        "<TEI><teiHeader><fileDesc><titleStmt><title>{0}</title><author>{1}</author></titleStmt></fileDesc>"
        "</teiHeader><text><body>{2}</body></text></TEI>"
    )
    texts = [
        text.format("Bridge", "Jane Roe", "<head>One</head><p>We came.</p><p>So.</p>"),
        text.format("Debate", "Web Editor", "<sp><speaker>Lee Kim</speaker><p>No.</p></sp>"),
        text.format("School", "Sam Doe", "<p>We went.</p>"),
    ]
    header = "<teiHeader><fileDesc><titleStmt><title>All</title></titleStmt></fileDesc></teiHeader>"
    (tmp_path / "a.xml").write_text(
        f'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">{header}{"".join(texts)}</teiCorpus>'
    )
    found, letters = run(tmp_path / "a.xml")
    assert [(each.id, each.title, each.speaker, each.text) for each in found] == [
        ("a/1", "Bridge", "Jane Roe", "We came.\n\nSo."),
        ("a/2", "Debate", "Lee Kim", "No."),
        ("a/3", "School", "Sam Doe", "We went."),
    ]
    assert letters == []


@pytest.mark.parametrize(
    ("rates", "begin", "end"),
    [
        ('ttp:tickRate="10000000"', "10000000t", "15000000t"),
        ('ttp:frameRate="25"', "25f", "37.5f"),
        ('ttp:frameRate="25"', "25t", "37.5t"),
        ('ttp:frameRate="50" ttp:frameRateMultiplier="1 2"', "25f", "37.5f"),
        ("", "30f", "45f"),
        ("", "1t", "1.5t"),
        ('ttp:tickRate="0" ttp:frameRate="soon"', "30f", "1.5t"),
    ],
)
def test_ticks_and_frames_of_ttml_are_times(tmp_path, rates, begin, end):
    (tmp_path / "a.ttml").write_text(
        f'<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" {rates}>'
        f'<body><div><p begin="{begin}" end="{end}">We came.</p></div></body></tt>'
    )
    assert read_times(tmp_path / "a.ttml") == [(1.0, 1.5)]
