"""Real-shaped files of text, Markdown, HTML and JSON lines, and what each reader makes of them."""

import html
import io
import json
import textwrap
import time
from pathlib import Path

import pytest

from indexer.formats import Source, get_format
from indexer.formats.html import split_page
from indexer.ingest import read
from indexer.metadata import Metadata
from indexer.paragraphs import split
from rostrum_core.errors import TranscriptError
from rostrum_core.types import NOBODY_KNOWN

SAMPLE = Path(__file__).parents[2] / "samples" / "speeches.jsonl"


def words(text):
    return len(text.split())


def documents(kind, data, refused=None, **known):
    source = Source(
        "a",
        io.BytesIO(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data),
        "a",
        **known,
    )
    found = get_format(kind).read(source, [].append if refused is None else refused.append)
    return [document for document, _ in found]


def documents_or_reason(kind, data):
    try:
        return documents(kind, data), ""
    except TranscriptError as error:
        return [], error.reason


def paragraphs(document):
    return [paragraph.text for paragraph in split(document, count_tokens=words)]


def test_the_sample_archive_has_its_first_tenth_and_last_speech():
    refused = []
    found = list(read([SAMPLE], refused=refused.append))
    assert (len(found), refused) == (57, [])
    first, tenth, last = found[0], found[9], found[-1]
    assert (first.id, first.speaker, first.spoken_on, len(first.breaks)) == (
        "1796-09-19-farewell-address",
        "George Washington",
        "1796-09-19",
        49,
    )
    assert first.text.startswith(
        "The period for a new election of a citizen to administer the Executive Government"
    )
    assert (tenth.id, tenth.speaker) == ("1962-09-12-address-space-effort", "John F. Kennedy")
    assert [mark.text for mark in tenth.marks] == ["[Laughter]"]
    assert last.speaker == "Joe Biden"
    assert [mark.text for mark in last.marks[:3]] == ["8:03 P.M. EDT", "THE PRESIDENT:", "(applause)"]


TEXT = """Title: Remarks on the Bridge
Speaker: Jane Roe
Date: March 4, 1965

THE MAYOR: Thank you. (Applause.) We came here to open a
bridge that took nine years to build.
Q: Who paid?
THE MAYOR: You did.

[Laughter]

Good night.
"""


def test_plain_text_gives_turns_marks_and_whole_lines():
    (found,) = documents("text", TEXT)
    assert (found.title, found.speaker, found.spoken_on, found.breaks) == (
        "Remarks on the Bridge",
        "Jane Roe",
        "1965-03-04",
        None,
    )
    assert [(p.text, p.speaker) for p in split(found, count_tokens=words)] == [
        ("Thank you. We came here to open a bridge that took nine years to build.", "THE MAYOR"),
        ("Who paid?", "Q"),
        ("You did.", "THE MAYOR"),
        ("Good night.", "THE MAYOR"),
    ]


INAUGURAL = next(
    row
    for row in map(json.loads, SAMPLE.read_text("utf-8").splitlines())
    if row["id"] == "1961-01-20-inaugural-address"
)
ABOUT = {"title": "Inaugural Address", "speaker": "John F. Kennedy", "date": "1961-01-20"}
AS_FILES = {
    "text": "Title: {title}\r\nSpeaker: {speaker}\r\nDate: January 20, 1961\r\n\r\n".format(**ABOUT)
    + "\r\n\r\n".join(textwrap.fill(text, 72) for text in INAUGURAL["paragraphs"]).replace("\n", "\r\n"),
    "markdown": "---\ntitle: {title}\nspeaker: {speaker}\ndate: {date}\n---\n\n".format(**ABOUT)
    + "\n\n".join(textwrap.fill(text, 72) for text in INAUGURAL["paragraphs"]),
    "html": "<html><head><title>{title}</title><meta name='speaker' content='{speaker}'>"
    "<meta name='date' content='{date}'></head><body><nav>Home About</nav><main>".format(**ABOUT)
    + "".join(f"<p>{html.escape(text)}</p>" for text in INAUGURAL["paragraphs"])
    + "</main><footer>Contact</footer></body></html>",
}


@pytest.mark.parametrize("kind", AS_FILES)
def test_a_whole_address_has_its_first_tenth_and_last_paragraph(kind):
    (found,) = documents(kind, AS_FILES[kind])
    assert (found.title, found.speaker, found.spoken_on) == tuple(ABOUT.values())
    texts = paragraphs(found)
    assert len(texts) == 28
    assert texts[0].startswith("Vice President Johnson, Mr. Speaker, Mr. Chief Justice, President Eisenhower")
    assert texts[9].startswith("To our sister republics south of our border, we offer a special pledge")
    assert texts[27].endswith("knowing that here on earth God's work must truly be our own.")
    assert [" ".join(text.split()) for text in texts] == [
        " ".join(t.split()) for t in INAUGURAL["paragraphs"]
    ]


def test_lines_without_a_blank_one_are_paragraphs_where_each_is_a_sentence():
    assert paragraphs(documents("text", "One is here.\r\nTwo is here.\r\nThree.")[0]) == [
        "One is here.",
        "Two is here.",
        "Three.",
    ]


def test_verse_keeps_its_lines():
    assert paragraphs(documents("text", "O Captain!\nmy Captain\nour trip\n\nDone.")[0])[0].count("\n") == 2


MARKDOWN = """---
speaker: Jane Roe
date: 1965-03-04
tags: [bridge]
---
# Remarks on *the* Bridge

**THE MAYOR:** Thank you
very much. \\(Applause.\\)

- One [bridge](https://example.org).
- Two.

    An indented paragraph.

<p>From <b>HTML</b>.</p>
"""


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        (
            "html",
            "<meta name=speaker content='Jane Roe'><p>Q: Will you resign?<br>THE MAYOR: No.</p><p>Never.</p>",
        ),
        ("markdown", "---\nspeaker: Jane Roe\n---\nQ: Will you resign?\nTHE MAYOR: No.\n\nNever."),
    ],
)
def test_a_turn_within_a_block_begins_a_paragraph_so_that_nobody_says_what_another_did(kind, page):
    (found,) = documents(kind, page)
    turns = [(each.speaker, each.text) for each in split(found, count_tokens=words)]
    assert turns == [("Q", "Will you resign?"), ("THE MAYOR", "No."), ("THE MAYOR", "Never.")]


def test_markdown_gives_title_text_and_supplied_paragraphs():
    (found,) = documents("markdown", MARKDOWN)
    assert (found.title, found.speaker, found.spoken_on) == (
        "Remarks on the Bridge",
        "Jane Roe",
        "1965-03-04",
    )
    assert paragraphs(found)[:3] == ["Thank you very much.", "One bridge.", "Two."]
    assert paragraphs(found)[-1] == "From HTML."
    assert "An indented paragraph." in found.text
    assert [mark.text for mark in found.marks] == ["THE MAYOR:", "(Applause.)"]


def test_a_heading_that_is_not_the_title_stays():
    (found,) = documents("markdown", "---\ntitle: Other\n---\n# Heading\n\nText.")
    assert (found.title, paragraphs(found)) == ("Other", ["Heading", "Text."])


NOTES = """# The Bridge[^a]

**THE MAYOR:** We opened a bridge[^1] in nine years.[^2][^3] It
was long[^1]—too long.

[^1]: See the report
of the city.

    Page 12.

It holds.
[^2]: https://example.org/cost
[^3]: Reason: none.

- First[^b] we pay.

  [^b]: In a list.
"""


def test_footnotes_of_markdown_and_their_marks_are_no_words(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(NOTES, "utf-8")
    [found] = read([path], refused=[].append)
    assert found.title == "The Bridge"
    assert paragraphs(found) == [
        "We opened a bridge in nine years. It was long—too long.",
        "It holds.",
        "First we pay.",
    ]
    marks = [
        (mark.text, found.text[: mark.start_char].split(" ")[-1])
        for mark in found.marks
        if mark.kind == "boilerplate"
    ]
    assert marks == [
        ("[^1]", ""),  # after "bridge ", as a space goes before a mark
        ("[^2]", ""),
        ("[^3]", ""),
        ("[^1]", "long"),
        ("[^1]: See the report\nof the city.\n\n    Page 12.", "long.\n\n"),
        ("[^2]: https://example.org/cost", "holds.\n\n"),
        ("[^3]: Reason: none.", "holds.\n\n"),
        ("[^b]", ""),
        ("[^b]: In a list.", "pay."),
    ]
    assert [found.text[mark.start_char :].split(" ")[0] for mark in found.marks[1:4]] == ["in", "It", "It"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1989. The wall fell.", ["1989. The wall fell."]),
        ("1989) The *wall* fell.", ["1989) The wall fell."]),
        ("It fell:\n\n1989. One.\n1990. Two.", ["It fell:", "1989. One.", "1990. Two."]),
        ("1. One.\n2. Two.", ["One.", "Two."]),
        ("12. One.", ["One."]),
        ("- One.", ["One."]),
    ],
)
def test_a_year_that_looks_like_the_number_of_an_item_stays(written, said):
    assert paragraphs(documents("markdown", written)[0]) == said


def test_a_mark_in_brackets_in_code_begins_no_footnote():
    (found,) = documents("markdown", "Words.\n\n    [^1]: in code\n\nOther words.")
    assert paragraphs(found)[-1] == "Other words."


def test_a_footnote_with_many_blank_lines_is_read_in_linear_time():
    started = time.process_time()
    (found,) = documents("markdown", "Hi.\n\n[^1]: x" + "\n" * 20_000 + "    y\n\nEnd.\n")
    assert time.process_time() - started < 2
    assert paragraphs(found) == ["Hi.", "End."]


HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bridge | City Hall</title>
<meta property="og:site_name" content="City Hall"><link rel="canonical" href="https://example.org/b">
<script type="application/ld+json">{"@type":"Article","headline":"Remarks on the Bridge",
"author":{"@type":"Person","name":"Jane Roe"},"datePublished":"1965-03-04T10:00:00Z"}</script>
<script type="application/ld+json">{broken</script></head>
<body><nav><p>Home</p></nav><article><header><h1>Remarks on the Bridge</h1></header>
<p>THE MAYOR: Thank&nbsp;you.&#32;<em>(Applause.)</em></p><script>evil()</script><!-- note -->
<div>Loose text <p>Second<br>line.</p> tail</div><p hidden>Secret</p><p>A<br><br>B</p></article>
<footer>Contact</footer></body></html>"""


def test_a_page_gives_its_main_part_and_what_it_says_of_itself():
    (found,) = documents("html", HTML)
    assert (found.title, found.spoken_on) == ("Remarks on the Bridge", "1965-03-04")
    assert (found.source, found.url, found.language) == ("City Hall", "https://example.org/b", "en")
    assert paragraphs(found) == ["Thank you.", "Loose text", "Second\nline.", "tail", "A", "B"]
    assert [mark.text for mark in found.marks] == ["THE MAYOR:", "(Applause.)"]


def test_a_page_in_a_declared_encoding_is_read_in_it():
    page = '<meta charset="windows-1251"><p>Мои сограждане, мы собрались здесь.</p>'
    assert documents("html", page.encode("cp1251"))[0].text == "Мои сограждане, мы собрались здесь."


def test_a_page_of_xhtml_is_read_in_the_encoding_that_its_prologue_declares():
    page = '<?xml version="1.0" encoding="ISO-8859-2"?><html><body><p>w Łodzi: zażółć</p></body></html>'
    assert documents("html", page.encode("iso8859-2"))[0].text == "w Łodzi: zażółć"


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        (
            'It took nine years<sup><a href="#f1">1</a></sup> and 40<sup>2</sup> days.',
            "nine years and 40 days",
        ),
        ('<a href="#f1"><sup>12</sup></a>So<sup>[3]</sup> it was<sup>*</sup>.', "So it was."),
        ('So<sup role="doc-noteref">b</sup> it was<sup>(4)</sup>.', "So it was."),
        ("The 1<sup>st</sup> of 10<sup>6</sup> over 5 km<sup>2</sup>.", "The 1st of 10^6 over 5 km2."),
        ("<b>10</b><sup>6</sup> in 1910<sup>6</sup>, 5 in<sup>2</sup>", "10^6 in 1910, 5 in2"),
        ("4<sup>1</sup>/<sub>2</sub> per cent, <sup>3</sup>&frasl;<sub>4</sub>", "4 1/2 per cent, 3⁄4"),
        ("3 <sup>1</sup><sub>4</sub> of H<sub>2</sub>O and a word<sup>1</sup>", "3 1/4 of H2O and a word"),
        ("It is $9<sup>99</sup> a month<sup>3</sup>, not $50<sup>3</sup>.", "It is $9.99 a month, not $50."),
        (
            "cost $50,<sup>12</sup> and/or<sup>3</sup>/both 2019<sup>4</sup>/2020",
            "cost $50, and/or/both 2019/2020",
        ),
        (
            "land<sup>3</sup> / And 4<sup>1</sup>/2 of SO<sup>2−</sup><sub>4</sub>",
            "land / And 4 1/2 of SO2−4",
        ),
        ("word<sup><a href='#n1'>1</a></sup><sub>2</sub>", "word2"),
        (
            "4<sup>1/2</sup> of 10<sup>-6</sup>, the 4<sup>th</sup> of x<sup>-1</sup>",
            "4 1/2 of 10^-6, the 4th of x-1",
        ),
        ("We ask for <del>eight</del><ins>nine</ins> <s>weeks</s>years.", "We ask for nine years."),
    ],
)
def test_marks_of_notes_and_what_was_struck_out_are_no_part_of_words(markup, said):
    (text,) = split_page(f"<p>{markup}</p>")
    assert said in text


@pytest.mark.parametrize(
    "hiding",
    [
        'style="display:none"',
        'style="color: red; DISPLAY : None !important"',
        'style="visibility:hidden;"',
        'style="display:block; display:none"',
        "hidden",
    ],
)
def test_what_a_page_hides_is_no_speech(tmp_path, hiding):
    path = tmp_path / "a.html"
    path.write_text(
        f"<p>We came.</p><div {hiding}><p>Secret.</p></div><p>It <i {hiding}>never </i>rained.</p>"
    )
    [found] = read([path], refused=[].append)
    assert paragraphs(found) == ["We came.", "It rained."]


@pytest.mark.parametrize("style", ["display:none", "visibility: hidden"])
def test_a_transcript_that_unfolds_at_a_click_is_read(style):
    start, speech = "<h1>Speech</h1><p>Click to show the transcript.</p>", "We choose to go. " * 30
    folded = f'<div style="{style}"><p>{speech}</p><p hidden>Secret.</p><i style="{style}">Never.</i></div>'
    assert page(start + folded) == ["Click to show the transcript.", speech.strip()]
    assert page(f'{start}<div style="{style}"><p>Short.</p></div>') == ["Click to show the transcript."]


@pytest.mark.parametrize(
    "style", ["display:block", "display:none; display:block", "visibility:visible", "none", ""]
)
def test_what_a_page_shows_is_speech(style):
    assert page(f'<p>We came.</p><p style="{style}">So.</p>') == ["We came.", "So."]


def test_blocks_that_fold_stand_by_themselves_and_what_stands_for_a_film_is_no_speech():
    folded = "<details><summary>Transcript</summary>We choose to go.</details>"
    markup = f"<video>Your browser does not support it.</video>{folded}<dialog>Accept?</dialog>"
    assert split_page(markup) == ["Transcript", "We choose to go."]


def test_a_page_that_leaves_out_the_end_of_its_head_is_read():
    page = '<html><head><meta name="speaker" content="Jane Roe"><title>T</title><p>Four score.<p>And seven.'
    (found,) = documents("html", page)
    assert (found.speaker, found.title, paragraphs(found)) == ("Jane Roe", "T", ["Four score.", "And seven."])


def test_a_page_nested_without_end_is_read_or_refused():
    found, reason = documents_or_reason("html", "<div>" * 20_000 + "deep")
    assert [document.text for document in found] == ["deep"] or reason.startswith("no HTML")


ROWS = [
    '{"id": "a", "title": "A", "paragraphs": ["One.\\n\\nStill one.", "(Applause.)", "Two \\ud800."],'
    ' "kind": "remarks"}',
    '{"id": 7, "title": null, "text": "One.\\n\\nTwo.", "date": "1965-03-04", "url": null}',
    "",
    "{broken",
    "[1]",
    '{"title": "no id", "text": "x"}',
    '{"id": "b", "text": 3}',
    '{"id": "c", "paragraphs": []}',
    '{"id": "d", "text": "x", "date": "soon"}',
    "[" * 100_000,
    '{"id": "e", "text": "Last."}',
]


def test_bad_lines_are_refused_by_number_and_the_others_read_on():
    refused = []
    found = documents("jsonl", "\ufeff" + "\n".join(ROWS), refused)
    assert [(d.id, d.title, d.text) for d in found] == [
        ("a", "A", "One.\n\nStill one.\n\nTwo \ufffd."),
        ("7", "7", "One.\n\nTwo."),
        ("d", "d", "x"),
        ("e", "e", "Last."),
    ]
    assert (found[0].collection, found[0].breaks, found[1].breaks) == ("remarks", ((0, 16), (18, 24)), None)
    assert [(error.line, error.reason.split(":")[0]) for error in refused] == [
        (4, "no JSON"),
        (5, "expected an object, found an array"),
        (6, "expected an id, found none"),
        (7, "expected paragraphs (a list of texts) or text, found neither"),
        (8, "no speech in it"),
        (9, "not a calendar date with year, month and day"),
        (10, "JSON nested too deeply"),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("null", "expected an object, found null"),
        ("true", "expected an object, found true"),
        ('"a"', "expected an object, found a string"),
        ("1.5", "expected an object, found a number"),
        ('{"id": "a\tb"}', "no JSON: Invalid control character at character 10"),
    ],
)
def test_wrong_row_is_described_in_the_terms_of_json(row, reason):
    refused = []
    assert documents("jsonl", row, refused) == []
    assert [error.reason for error in refused] == [reason]


@pytest.mark.parametrize(
    ("stated", "speaker", "remarks"),
    [
        ('"speaker": "Sam Doe"', "Sam Doe", []),
        ('"speaker": {"name": "Sam Doe"}', "Sam Doe", []),
        ('"speaker": ["Sam Doe", {"name": "Ann Poe"}]', "Sam Doe and Ann Poe", []),
        ('"speaker_name": "Sam Doe"', "Sam Doe", []),
        ('"Speaker": "Sam Doe"', "Sam Doe", []),
        ('"speaker": {"id": 7}', NOBODY_KNOWN, ["speaker is not a text: left out"]),
        ('"speaker": true', NOBODY_KNOWN, ["speaker is not a text: left out"]),
        ('"speaker": "Unknown"', NOBODY_KNOWN, []),
        ('"speaker": null', None, []),
        ('"speaker": ""', None, []),
        ('"date": "soon"', None, []),
    ],
)
def test_the_speaker_of_a_paragraph_is_read_as_that_of_a_row(stated, speaker, remarks):
    refused = []
    turns = f'[{{"text": "One."}}, {{"text": "Two.", {stated}}}]'
    row = f'{{"id": "a", "speaker": "Jane Roe", "paragraphs": {turns}}}'
    (found,) = documents("jsonl", row, refused)
    assert [p.speaker for p in split(found, count_tokens=words)] == [None, speaker]
    assert [(error.line, error.reason) for error in refused] == [(1, reason) for reason in remarks]


@pytest.mark.parametrize("paragraphs", ["[]", '""', "null", '["", {"text": " "}]'])
def test_the_text_of_a_row_counts_if_its_paragraphs_are_empty(paragraphs):
    (found,) = documents("jsonl", f'{{"id": "a", "paragraphs": {paragraphs}, "text": "One.\\n\\nTwo."}}')
    assert found.text == "One.\n\nTwo."


def test_a_sidecar_is_believed_before_the_file_and_the_file_before_its_name():
    known = {"sidecar": Metadata(title="S"), "name": Metadata("N", speaker="N", spoken_on="1900-01-01")}
    (found,) = documents("markdown", "---\ntitle: F\nspeaker: F\n---\n# H\n\nText.", **known)
    assert (found.title, found.speaker, found.spoken_on) == ("S", "F", "1900-01-01")


@pytest.mark.parametrize("kind", ["text", "markdown", "html"])
@pytest.mark.parametrize("data", ["", " \n\n ", "(Applause.)"])
def test_a_file_without_speech_is_refused(kind, data):
    with pytest.raises(TranscriptError, match="no speech in it"):
        documents(kind, data)


@pytest.mark.parametrize("run", [" ", "\n"])
def test_the_time_of_a_page_grows_with_its_length_whatever_runs_on(run):
    began = time.process_time()
    split_page("So" + run * 50_000)
    assert time.process_time() - began < 1  # seconds; the square takes longer


def test_the_prologue_of_a_page_is_no_speech():
    assert split_page('\n<?xml version="1.0"?><p>So.') == ["So."]


def test_a_page_that_looks_like_xml_is_a_page_and_warns_nobody():
    assert documents("html", '<!-- --><?xml version="1.0"?><p>Four score')[0].text == "Four score"


def test_markdown_with_html_that_no_parser_takes_is_refused():
    source = Source("a.md", io.BytesIO(b"<P><!["), "a")
    with pytest.raises(TranscriptError, match="no HTML within it"):
        list(get_format("markdown").read(source, lambda error: None))


def page(body):
    return paragraphs(documents("html", body)[0])


def test_a_form_around_a_whole_page_is_the_page():
    asp = '<form id="aspnetForm"><input><div><h1>Remarks</h1><p>We opened a bridge.</p></div></form>'
    assert page(f"<body>{asp}</body>") == ["We opened a bridge."]
    assert page("<form><div><p>We opened</p><p>a bridge.</p></div></form><p>So.</p>") == [
        "We opened", "a bridge.", "So."
    ]  # fmt: skip
    assert page("<form><p>Search</p></form><p>We opened</p><p>a bridge.</p>") == ["We opened", "a bridge."]
    comments = "<form><p>Your email address will not be published.</p><p>Comment *</p><p>Name *</p></form>"
    speech = "<h1>Remarks</h1><p>We opened</p><p>a bridge.</p>"
    assert page(f"<article>{speech}{comments}</article>") == ["We opened", "a bridge."]
    assert page(f"<div>{speech}</div>{comments}") == ["We opened", "a bridge."]


def test_forms_in_forms_are_read_in_time():
    def seconds(count):
        started = time.process_time()
        documents_or_reason("html", "<form>" * count + "<p>We opened a bridge.</p>")
        return time.process_time() - started

    assert seconds(4_000) < 30 * max(seconds(400), 0.05)


def test_a_single_article_is_the_speech_only_where_it_can_be():
    speech = "<div><h1>Remarks</h1><p>We came here to open a bridge.</p></div>"
    assert page(f"{speech}<article><p>Read next.</p></article>") == [
        "We came here to open a bridge.", "Read next."
    ]  # fmt: skip
    assert page("<p>Menu.</p><article><h1>Remarks</h1><p>So.</p></article>") == ["So."]
    logo, comment = "<h1>City News</h1>", "<div>A comment that is longer than the speech was.</div>"
    assert page(f"{logo}<main><article><h1>Remarks</h1><p>So.</p></article>{comment}</main>")[-1] == "So."
    assert page("<p>Menu.</p><article><p>We came here to open a bridge.</p></article>") == [
        "We came here to open a bridge."
    ]


def test_author_of_a_page_is_not_the_speaker():
    for said in ('"Staff Writer"', '[{"@type": "Person", "name": "Staff Writer"}]'):
        page = f'<script type="application/ld+json">{{"headline": "x", "author": {said}}}</script>'
        (found,) = documents("html", f'{page}<meta name="author" content="Web Editor"><p>So.</p>')
        assert (found.title, found.speaker) == ("X", None)


def test_a_page_whose_publishers_are_lists_in_lists_is_read():
    for depth in (3, 900, 3000):
        names = "[" * depth + '"a"' + "]" * depth
        metadata = f'<script type="application/ld+json">{{"headline": "x", "publisher": {names}}}</script>'
        assert page(f"{metadata}<p>So.</p>") == ["So."]


def test_the_text_of_a_row_is_cut_as_plain_text_is():
    rows = [
        {"id": "a", "text": "We came here.\nIt took nine years.\nWho paid?"},
        {
            "id": "b",
            "text": "We came here to open a bridge that took the govern-\nment nine years to build.",
        },
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    assert [paragraphs(document) for document in documents("jsonl", lines)] == [
        ["We came here.", "It took nine years.", "Who paid?"],
        ["We came here to open a bridge that took the government nine years to build."],
    ]
