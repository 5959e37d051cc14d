"""Read the metadata of a speech, and choose between its sources."""

import tracemalloc

import pytest

from indexer.dates import find_day, parse_day
from indexer.front_matter import split_front_matter
from indexer.metadata import Metadata, find_misspelt, parse_name, read_mapping
from rostrum_core.errors import TranscriptError


@pytest.mark.parametrize(
    "written",
    [
        "1863-11-19",
        "1863/11/19",
        "18631119",
        "November 19, 1863",
        "Nov. 19th, 1863",
        "19 November 1863",
        "Thursday, November 19, 1863",
        "1863-11-19T15:00:00Z",
        "1863-11-19 15:00",
        " 19 nov 1863 ",
    ],
)
def test_a_date_is_read_in_the_forms_that_name_one_day(written):
    assert parse_day(written) == "1863-11-19"


@pytest.mark.parametrize(
    "written", ["1863", "2021-02-30", "soon", "", "1863-11-19x", "31 June 1863", "13/13/2021", "-0431-01-01"]
)
def test_date_that_is_not_a_single_day_is_refused(written):
    with pytest.raises(ValueError, match=f"not a calendar date.*: {written!r}"):
        parse_day(written)


@pytest.mark.parametrize("written", ["02/03/2016", "2.3.2016", "12-11-2016"])
def test_figures_that_are_two_days_in_two_countries_are_refused(written):
    with pytest.raises(ValueError, match="may be two days: write the year first"):
        parse_day(written)


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("25/03/2016", "2016-03-25"),
        ("3/25/2016", "2016-03-25"),
        ("04.04.2016", "2016-04-04"),
        ("Thu, 4 Mar 2021 10:02:00 +0000", "2021-03-04"),
        ("2021-03-04T23:30:00-05:00", "2021-03-04"),
        ("1614816000", "2021-03-04"),
        ("1614816000000", "2021-03-04"),
        ("٢٥/٠٣/٢٠١٦", "2016-03-25"),
    ],
)
def test_a_day_is_read_where_figures_leave_no_doubt(written, day):
    assert parse_day(written) == day


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2021", "2021"),
        ("March 2021", "2021-03"),
        ("Sept. 1962", "1962-09"),
        ("2021-03", "2021-03"),
        ("03/2021", "2021-03"),
        ("4 March 2021", "2021-03-04"),
        ("٢٠٢١", "2021"),
        ("２０２１", "2021"),
        ("２０２１-０３", "2021-03"),
        ("٢٠٢١-٠٣-٠٤", "2021-03-04"),
        ("٤ March ٢٠٢١", "2021-03-04"),
    ],
)
def test_a_month_or_a_year_is_kept_as_such(written, date):
    remarks = []
    assert read_mapping({"date": written}, remarks.append).spoken_on == date
    assert remarks == []


@pytest.mark.parametrize("written", ["0000", "0000-05", "05/0000", "May 0000", "0000-05-01", "٠٠٠٠-٠٥"])
def test_a_date_in_the_year_0_is_left_out_with_a_remark(written):
    remarks = []
    assert read_mapping({"date": written}, remarks.append).spoken_on is None
    assert len(remarks) == 1


def test_a_date_is_found_within_text_past_one_that_is_none():
    assert find_day("No. 2021-02-31, given on March 4, 1865") == "1865-03-04"


def test_a_file_name_gives_date_and_title():
    assert parse_name("1863-11-19-gettysburg-address") == Metadata(
        "Gettysburg Address", spoken_on="1863-11-19"
    )
    assert parse_name("2021-02-31_speech") == Metadata("2021 02 31 Speech")
    assert parse_name("1863-11-19") == Metadata("1863-11-19", spoken_on="1863-11-19")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("20210304_Roe_Bridge", "Roe Bridge"),
        ("Roe_2021-03-04_bridge", "Roe bridge"),
        ("ParlaMint-XX_2021-03-04-commons", "ParlaMint XX commons"),
        ("CREC-2021-03-04-pt1-PgS201", "CREC pt1 PgS201"),
        ("Bridge 4 March 2021", "Bridge"),
    ],
)
def test_a_date_counts_anywhere_in_a_file_name(name, title):
    assert parse_name(name) == Metadata(title, spoken_on="2021-03-04")


@pytest.mark.parametrize(
    ("name", "title", "date"),
    [
        ("خطاب ٠٥-٠٦-٢٠٢١", "خطاب", "2021"),
        ("خطاب ٢٥-٠٦-٢٠٢١", "خطاب", "2021-06-25"),
        ("演説 ２０２１-０３-０４", "演説", "2021-03-04"),
    ],
)
def test_a_date_in_the_digits_of_another_script_counts_in_a_file_name(name, title, date):
    assert parse_name(name) == Metadata(title, spoken_on=date)


@pytest.mark.parametrize("name", ["report-12345678", "2010-11-season", "1984", "no-2021-13-01", "120210304"])
def test_a_number_in_a_file_name_that_is_no_day_is_none(name):
    assert parse_name(name).spoken_on is None


def test_the_first_name_of_a_field_counts_and_a_list_is_joined():
    found = read_mapping({"Author": ["Ann Lee", "Bo Day"], "kind": "debate", "collection": "", "lang": None})
    assert (found.speaker, found.collection, found.language) == ("Ann Lee and Bo Day", "debate", None)


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("speeker", "speaker"),
        ("Titel", "title"),
        ("auther", "author"),
        ("spoken on", "spoken_on"),
        ("langauge", "language"),
        ("collecton", "collection"),
    ],
)
def test_a_name_that_is_nearly_one_that_is_read_is_told(key, meant):
    assert list(find_misspelt([key])) == [(key, meant)]


@pytest.mark.parametrize("key", ["subtitle", "locale", "id", "venue", "event", "updated", "note", "tags", ""])
def test_another_name_is_nobody_s_mistake(key):
    assert list(find_misspelt([key])) == []


def test_a_name_like_one_that_is_given_too_is_another_name():
    assert list(find_misspelt(["speaker", "speaker_id", "date", "dates"])) == []


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"title": {"a": 1}}, "title is not a text"),
        ({"title": True}, "title is not a text"),
        ({"date": "soon"}, "not a calendar date with year, month and day: 'soon'"),
        ({"url": "javascript:alert(1)"}, "neither http nor https"),
        ({"speaker": "x" * 2001}, "speaker has 2001 characters"),
    ],
)
def test_a_value_that_cannot_be_kept_is_left_out_with_its_reason(values, reason):
    remarks = []
    assert read_mapping({**values, "source": "S"}, remarks.append) == Metadata(source="S")
    assert len(remarks) == 1
    assert reason in remarks[0]
    assert remarks[0].endswith(": left out")


def test_a_person_may_be_an_object_with_a_name_or_a_list_of_them():
    assert read_mapping({"author": {"name": "Jane Roe"}}).speaker == "Jane Roe"
    assert read_mapping({"speakers": ["Jane Roe", {"name": "Sam Doe"}]}).speaker == "Jane Roe and Sam Doe"


def test_front_matter_is_taken_off_and_keeps_words_as_they_are_written():
    said, body = split_front_matter("---\ntitle: No\ndate: 1863-11-19\n---\nFour score", "a.md")
    assert (said, body) == (Metadata("No", spoken_on="1863-11-19"), "Four score")


@pytest.mark.parametrize(
    "head", ["---\ntitle: No\nspeeker: Jane Roe\n---\n", "Title: No\nDate: 1863-11-19\nspeeker: Jane Roe\n\n"]
)
def test_a_misspelt_name_in_a_head_is_told_and_the_head_is_no_speech(head):
    remarks: list[TranscriptError] = []
    said, body = split_front_matter(f"{head}Four score", "a.txt", remarks.append)
    assert (said.title, said.speaker, body) == ("No", None, "Four score")
    assert [str(each) for each in remarks] == [
        "a.txt: a field that may be misspelt: 'speeker', for 'speaker'"
    ]


def test_plain_lines_are_a_head_only_where_two_stand_alone():
    said, body = split_front_matter("Title: Address\nDate: Nov 19, 1863\n\nFour score", "a.txt")
    assert (said, body) == (Metadata("Address", spoken_on="1863-11-19"), "Four score")
    for text in ("Speaker: Good morning.\n\nYes.", "Title: A\nDate: 1863-11-19\nFour score\n\nand"):
        assert split_front_matter(text, "a.txt") == (Metadata(), text)


@pytest.mark.parametrize("text", ["---\n\nOne\n\n---\n\nTwo", "---\nno end", "--- \nOne\n---\n"])
def test_dashes_around_no_mapping_are_no_front_matter(text):
    assert split_front_matter(text, "a.md") == (Metadata(), text)


@pytest.mark.parametrize(
    "head",
    ["title: a: b\n- c", "title: [", "&a [*a", "a: b: c\ntitle: [x"],
)
def test_broken_front_matter_is_refused_with_its_line(head):
    with pytest.raises(TranscriptError) as caught:
        split_front_matter(f"---\n{head}\n---\nFour score", "a.md")
    assert (caught.value.file, caught.value.line is not None) == ("a.md", True)


def test_a_value_in_front_matter_may_have_a_colon_in_it():
    head = (
        "title: Remarks: a bridge\nspeaker: Jane Roe\n\ndate: 5th of March, 1965\nurl: https://example.org/x"
    )
    said, body = split_front_matter(f"---\n{head}\n---\nFour score", "a.md")
    assert (said.title, said.speaker, said.spoken_on) == ("Remarks: a bridge", "Jane Roe", "1965-03-05")
    assert (said.url, body) == ("https://example.org/x", "Four score")


@pytest.mark.parametrize(
    "turn",
    [
        "JANE ROE: Good morning. We came here to open a bridge.",
        "Moderator: Good morning, everyone.",
        "JANE ROE: I say this: it is done.\nSAM DOE: So it is.",
    ],
)
def test_turns_between_lines_of_dashes_are_no_front_matter(turn):
    text = f"---\n{turn}\n---\nSAM DOE: Who pays?"
    assert split_front_matter(text, "a.txt") == (Metadata(), text)


@pytest.mark.parametrize(
    "head",
    [
        "layout: post\npermalink: /bridge",
        "Layout: post",
        "summary: We came here to open a bridge.",
        "Titel: Remarks\nUntertitel: We came here to open a bridge.",
        "Title: Remarks\nNote: We came here to open a bridge.",
        "Description: A speech about freedom.",
        "WPID: 55\nExcerpt: A speech about freedom.",
        "layout: post\nbody: >\n  JANE ROE: We came here.",
    ],
)
def test_front_matter_without_a_sentence_of_a_speaker_stays_front_matter(head):
    assert split_front_matter(f"---\n{head}\n---\nWho pays?", "a.md")[1] == "Who pays?"


def test_mapped_key_marks_front_matter():
    text = "---\nRedner: Jane Roe spricht.\n---\nWho pays?"
    said, body = split_front_matter(text, "a.md", fields={"redner": "speaker"})
    assert (said.speaker, body) == ("Jane Roe spricht.", "Who pays?")


def test_a_head_may_have_names_that_are_not_read():
    metadata, body = split_front_matter(
        "Title: Remarks\nSpeaker: Jane Roe\nLocation: Houston, Tex.\n \nWe came.\n\nSo.", "a.txt"
    )
    assert (metadata.title, metadata.speaker, body) == ("Remarks", "Jane Roe", "We came.\n\nSo.")


@pytest.mark.parametrize(
    "line",
    [
        "JANE ROE: Good morning.",
        "Moderator: Good morning, everyone.",
        "Jane Roe: Good morning.\nAudience: Hello!",
        "One thing is sure: we came here.",
        "We came here.",
        "Place: a\nTime: b\nTopic: c",
    ],
)
def test_a_head_that_runs_into_the_speech_is_none(line):
    text = f"Title: Remarks\nSpeaker: Jane Roe\n{line}\n\nWe came."
    assert split_front_matter(text, "a.txt")[1] == text


def test_aliases_multiply_no_list_before_it_is_measured():
    mapping = {"title": ["x" * 1000] * 1_000_000}
    tracemalloc.start()
    assert read_mapping(mapping) == Metadata()
    assert read_mapping({"title": ["x" * 1000] * 1000}) == Metadata()
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()
