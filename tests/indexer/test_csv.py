"""Tables of speeches: a speech a row or a paragraph a row, in any delimiter, with bad rows left out."""

import csv
import gzip
import io
import json
import random
from pathlib import Path

import pytest

from indexer import ingest, tables
from indexer.files import open_file
from indexer.formats import Source, get_format
from indexer.paragraphs import split
from indexer.tables import Table
from rostrum_core.errors import ReadingRemark, TranscriptError
from rostrum_core.identifiers import hash_text

SAMPLE = Path(__file__).parents[2] / "samples" / "speeches.jsonl"
ABOUT = ("title", "speaker", "date", "source", "url")


def words(text):
    return len(text.split())


def read(data, refused=None, kind="csv"):
    stream = (
        data if isinstance(data, io.IOBase) else io.BytesIO(data.encode() if isinstance(data, str) else data)
    )
    found = get_format(kind).read(Source("t", stream, "t"), [].append if refused is None else refused.append)
    return [document for document, _ in found]


def paragraphs(document):
    return [(p.speaker, p.text) for p in split(document, count_tokens=words)]


def texts(document):
    return [text for _, text in paragraphs(document)]


def saved(names, rows, encoding="utf-8", **dialect):
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, names, extrasaction="ignore", **dialect)
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode(encoding)


@pytest.fixture(scope="module")
def sample():
    return [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def sample_read():
    with SAMPLE.open("rb") as stream:
        return read(stream, kind="jsonl")


@pytest.mark.slow
@pytest.mark.parametrize(
    "saving",
    [
        {},
        {"delimiter": ";", "encoding": "utf-8-sig"},
        {"delimiter": "\t", "encoding": "utf-16"},
        {"delimiter": "|", "quoting": csv.QUOTE_ALL, "lineterminator": "\n"},
    ],
)
def test_a_table_of_a_paragraph_a_row_has_the_speeches_of_the_sample_archive(sample, sample_read, saving):
    rows = [row | {"document": row["id"], "text": text} for row in sample for text in row["paragraphs"]]
    refused = []
    found = read(saved(("document", *ABOUT, "text"), rows, **saving), refused)
    assert (len(found), refused) == (57, [])
    assert found[0].id == "1796-09-19-farewell-address"
    assert found[9].id == "1962-09-12-address-space-effort"
    assert texts(found[9])[9].startswith("William Bradford, speaking in 1630 of the founding of the Plymouth")
    assert found[-1].title.startswith("Remarks by President Biden")
    assert found == sample_read


@pytest.mark.slow
def test_a_table_of_a_speech_a_row_has_the_speeches_of_the_sample_archive(sample):
    rows = [{**row, "text": "\n\n".join(row["paragraphs"]), "paragraphs": None} for row in sample]
    refused = []
    found = read(saved(("id", *ABOUT, "text"), rows, encoding="utf-16"), refused)
    assert (len(found), refused) == (57, [])
    assert found[0].text.startswith("The period for a new election of a citizen to administer the Executive")
    assert (found[9].id, found[9].speaker) == ("1962-09-12-address-space-effort", "John F. Kennedy")
    assert [mark.text for mark in found[9].marks] == ["[Laughter]"]
    assert found[-1].speaker == "Joe Biden"
    assert found == read("\n".join(map(json.dumps, rows)), kind="jsonl")


HANSARD = """Date,Title,Speaker_Name,Paragraph
1965-03-04,Bridges,Jane Roe,"I beg to move, that the bridge be opened."
1965-03-04,Bridges,Jane Roe,It took nine years.
1965-03-04,Bridges,John Doe,"Who paid?
Not I."
1965-03-04,Bridges,,Nobody knows.
1965-03-05,Bridges,Jane Roe,You did.
1965-03-05,Roads,Jane Roe,Next.
"""


def test_rows_without_an_id_are_one_speech_by_date_and_title_and_name_who_has_the_floor():
    found = read(HANSARD)
    assert [(d.id, d.title, d.speaker, d.spoken_on) for d in found] == [
        ("t/1965-03-04 Bridges", "Bridges", None, "1965-03-04"),
        ("t/1965-03-05 Bridges", "Bridges", "Jane Roe", "1965-03-05"),
        ("t/1965-03-05 Roads", "Roads", "Jane Roe", "1965-03-05"),
    ]
    assert paragraphs(found[0]) == [
        ("Jane Roe", "I beg to move, that the bridge be opened."),
        ("Jane Roe", "It took nine years."),
        ("John Doe", "Who paid?\nNot I."),
        ("John Doe", "Nobody knows."),
    ]
    assert paragraphs(found[1]) == [(None, "You did.")]


def test_a_speech_without_an_id_is_called_by_its_text():
    one, two = read("title,text\nA,Same words.\nB,Other words.\n")
    again = read("title,text\nB,Other words.\n")[0]
    assert one.id.startswith("t-")
    assert (one.id != two.id, two.id == again.id) == (True, True)


def test_rows_with_the_same_text_and_other_speakers_or_days_are_speeches_of_their_own(tmp_path):
    path = tmp_path / "t.csv"
    rows = ["2021-03-04,Jane Roe,We pay.", "2021-03-05,Sam Doe,We pay.", "2021-03-06,Sam Doe,We pay."]
    path.write_text("\n".join(["date,speaker,text", *rows, rows[1]]))
    refused = []
    found = list(ingest.read([path], refused=refused.append))
    assert [(each.spoken_on, each.speaker) for each in found] == [
        ("2021-03-04", "Jane Roe"),
        ("2021-03-05", "Sam Doe"),
        ("2021-03-06", "Sam Doe"),
    ]
    assert (len({each.id for each in found}), refused) == (3, [])
    path.write_text("\n".join(["date,speaker,text", rows[0]]))
    assert (
        next(ingest.read([path], refused=refused.append)).id
        == found[0].id
        == f"t-{hash_text('We pay.')[:12]}"
    )


@pytest.mark.parametrize("name", ["url", "source", "collection", "language"])
def test_same_words_of_one_day_at_two_places_are_two_speeches(tmp_path, name):
    (tmp_path / "t.csv").write_text(
        f"date,speaker,text,{name}\n2021-03-04,Jane Roe,Order.,es\n2021-03-04,Jane Roe,Order.,fr\n"
        "2021-03-04,Jane Roe,Order.,fr\n"
    )
    refused = []
    first, second = ingest.read([tmp_path / "t.csv"], refused=refused.append)
    assert (first.id, second.id == first.id, refused) == (f"t-{hash_text('Order.')[:12]}", False, [])


def test_paragraphs_with_the_same_speech_id_are_one_speech():
    refused = []
    found = read("speech_id,paragraph,text\ns1,1,We came.\ns1,2,So.\ns2,1,No.\n", refused)
    assert [(document.id, texts(document)) for document in found] == [
        ("s1", ["We came.", "So."]),
        ("s2", ["No."]),
    ]
    assert refused == []


def test_row_of_paragraphs_with_an_id_of_its_own_keeps_it():
    found = read("id,speech_id,paragraph,text\na,s1,1,We came.\nb,s1,2,So.\n")
    assert [document.id for document in found] == ["a", "b"]


@pytest.mark.parametrize("cut", [0, 1])
@pytest.mark.parametrize("stray", [b"", b"Caf\xe9.\n"])
def test_column_names_of_a_long_table_are_read_wherever_its_sample_ends(cut, stray):
    head = "κείμενο;ομιλητής\n".encode() + stray.replace(b"\n", b";Roe\n")
    long = head + b"." * cut + "α".encode() * 40_000 + ";Παππά\n".encode()
    table = Table(io.BytesIO(long), "t", {"text"}, {"κείμενο": "text", "ομιλητής": "speaker"})
    assert table.columns == ["text", "speaker"]
    assert [row.values["speaker"] for row in table.read_rows([].append)][-1] == "Παππά"


def test_a_speech_keeps_its_id_when_rows_are_added_after_it(tmp_path):
    path = tmp_path / "t.csv"
    rows = ["2021-03-04,Jane Roe,We pay.", "2021-03-05,Sam Doe,We pay.", "2021-03-04,Jane Roe,Again."]
    ids = []
    for count in (2, 3):
        path.write_text("\n".join(["date,speaker,text", *rows[:count]]))
        ids.append([each.id for each in ingest.read([path], refused=[].append)])
    assert ids[1][:2] == ids[0]


MAP = "name the one that holds the text with --map text=NAME"
BAD = """id,title,speaker,date,text
1,A,"Roe, Jane",1965-03-04,"One.

Two ""q""."
2,B,X,soon,Bad.
3,C
4,D,Y,,"left open
5,E,Z,,Good.
6,F,Z,,"So" then.

,,,,
7,G,Z,,,,
8,,,,
,H,,,No id.
9,I,,,"Last, but open.
"""


def test_a_bad_row_is_refused_by_its_line_and_the_others_are_read():
    refused = []
    found = read(BAD, refused)
    assert [(d.id, texts(d)) for d in found] == [
        ("1", ["One.", 'Two "q".']),
        ("2", ["Bad."]),
        ("5", ["Good."]),
    ]
    assert [(error.line, error.reason) for error in refused] == [
        (5, "not a calendar date with year, month and day: 'soon': left out"),
        (6, "no row of the table: expected 5 values, found 2"),
        (7, "no row of the table: ',' expected after '\"'"),
        (9, "no row of the table: ',' expected after '\"'"),
        (12, "no speech in it"),
        (13, "no speech in it"),
        (14, "'' is not an id"),
        (15, "no row of the table: unexpected end of data"),
    ]


def test_a_quote_left_open_costs_its_own_row_only(monkeypatch):
    monkeypatch.setattr(tables, "LARGEST_LINE_BYTES", 200)
    rows = "".join(f"{number},Speech {number}.\n" for number in range(2, 100))
    refused = []
    found = read(f'id,text\n1,"Open.\n{rows}', refused)
    assert [document.id for document in found] == [str(number) for number in range(2, 100)]
    assert [(error.line, error.reason) for error in refused] == [
        (2, "no row of the table: a row of more than 200 characters: is a quote left open?")
    ]


def test_a_bad_date_of_a_paragraph_costs_no_word_of_its_speech():
    refused = []
    (found,) = read("document,date,text\na,1965-03-04,One.\na,soon,Two.\na,1965-03-04,Three.\n", refused)
    assert (texts(found), found.spoken_on) == (["One.", "Two.", "Three."], "1965-03-04")
    assert [(type(error), error.line) for error in refused] == [(ReadingRemark, 3)]


def test_each_paragraph_that_names_no_speech_is_refused_by_its_line():
    refused = []
    (found,) = read("document,text\na,One.\n,Two.\n,Three.\na,Four.\n", refused)
    assert texts(found) == ["One.", "Four."]
    assert [(error.line, error.reason) for error in refused] == [
        (3, "'' is not an id"),
        (4, "'' is not an id"),
    ]


def test_quotes_between_tabs_are_words_where_no_value_is_enclosed_in_them():
    rows = 'id\ttext\n1\t"No," he said.\n2\tHe said "no\n'
    assert [texts(document) for document in read(rows)] == [['"No," he said.'], ['He said "no']]
    assert texts(read('id\ttext\n1\t"No," he said.')[0]) == ['"No," he said.']
    assert texts(read('id\ttext\n1\t"One\tor ""two""."\n')[0]) == ['One\tor "two".']


def test_values_may_hold_nul_and_be_as_long_as_a_speech():
    (found,) = read("id,text\n1," + "word " * 200_000 + "nu\0l.\n")
    assert found.text.endswith("word nul.")
    assert len(found.text) == 200_000 * 5 + 4


def test_lines_in_another_encoding_are_read_in_it():
    table = b"text\nSo.\n" + "Naïve — “so”.\n".encode("cp1252") + "Café.\n".encode()
    assert [document.text for document in read(table)] == ["So.", "Naïve — “so”.", "Café."]
    late = b"text\n" + (b"So it is. " * 1_000 + b"\n") * 10 + "Café.\n".encode("cp1252")
    assert read(late)[-1].text == "Café."


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (
            "",
            f"expected a column text or speech or paragraph, found none; {MAP}",
        ),
        (
            "name,words\nA,B\n",
            f"expected a column text or speech or paragraph, found name, words; {MAP}",
        ),
        ('"text\nA', "no row of a table: unexpected end of data"),
        ("\0\1\2" * 99, "binary data, not text"),
    ],
)
def test_table_without_speeches_is_refused_as_a_whole(table, reason):
    with pytest.raises(TranscriptError) as raised:
        read(table)
    assert raised.value.reason == reason


class Endless(io.RawIOBase):
    """A table without an end, and how much of it was read."""

    def __init__(self):
        self.size_bytes = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        data = (b"" if self.size_bytes else b"id,text\n") + b"1,So it is.\n" * 1_000
        data = data[: len(buffer)]
        buffer[: len(data)] = data
        self.size_bytes += len(data)
        return len(data)


def test_a_table_is_read_as_far_as_its_speeches_are_wanted():
    endless = Endless()
    found = get_format("csv").read(Source("t", io.BufferedReader(endless), "t"), [].append)
    assert [next(found).document.text for _ in range(3)] == ["So it is."] * 3
    assert endless.size_bytes < 1 << 18


def test_a_damaged_gzip_file_gives_what_stands_before_the_damage(tmp_path):
    rows = "".join(f"{n},{random.Random(n).getrandbits(4_000)}\n" for n in range(300))
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(f"id,text\n{rows}".encode())[:-2_000])
    found = []
    with open_file(path) as stream, pytest.raises(TranscriptError, match="no whole gzip file"):
        found.extend(get_format("csv").read(Source("t", stream, "t"), [].append))
    assert found[0].document.id == "0"


def test_the_name_of_a_table_of_many_speeches_is_that_of_none_of_them(tmp_path):
    path = tmp_path / "2024-01-05-export.csv"
    path.write_text("id,text\na,One speech.\nb,Another.\n")
    assert [(each.title, each.spoken_on) for each in ingest.read([path], refused=[].append)] == [
        ("a", None),
        ("b", None),
    ]
    path.write_text("document,paragraph\na,One speech.\na,Its end.\n")
    assert [(each.title, each.spoken_on) for each in ingest.read([path], refused=[].append)] == [("a", None)]
