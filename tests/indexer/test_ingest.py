"""Folders, files and standard input: ids, order, what is refused and what is passed over."""

import gzip
import io
import json
import os
import sys
from hashlib import blake2b
from pathlib import Path

import pytest

import indexer.files
from indexer.dead_letters import DeadLetters
from indexer.ingest import read
from indexer.paragraphs import split
from rostrum_core.errors import BadInput, TranscriptError


def run(*paths, **options):
    refused = []
    found = list(read([Path(path) for path in paths], refused=refused.append, **options))
    return found, [(Path(error.file).name, error.line, error.reason) for error in refused]


def write(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def row(id, text):
    return json.dumps({"id": id, "text": text}) + "\n"


def test_a_folder_is_read_in_order_with_ids_from_places(tmp_path):
    write(tmp_path, b_DOT_txt="B.", a__z_DOT_md="Z.", a__y_DOT_html="<p>Y.", _DOT_hidden_DOT_txt="no")
    for name in ("~$speech.docx", "Thumbs.db", "desktop.ini"):
        (tmp_path / name).write_bytes(b"no")
    seen = []
    found, refused = run(tmp_path, on_file=lambda path: seen.append(path.name))
    assert [(document.id, document.text) for document in found] == [("a/y", "Y."), ("a/z", "Z."), ("b", "B.")]
    assert (refused, seen) == ([], ["y.html", "z.md", "b.txt"])


def test_a_single_file_has_its_name_as_id_and_date_and_title_from_it(tmp_path):
    write(tmp_path, **{"1863-11-19-gettysburg-address_DOT_txt": "Four score."})
    ((document,), _) = run(tmp_path / "1863-11-19-gettysburg-address.txt")
    assert (document.id, document.title, document.spoken_on) == (
        "1863-11-19-gettysburg-address",
        "Gettysburg Address",
        "1863-11-19",
    )


def test_sidecars_describe_a_file_its_folder_and_the_folders_above(tmp_path):
    write(tmp_path, a__x_DOT_txt="---\ntitle: T\nspeaker: S\n---\nX.")
    (tmp_path / "a" / "x.meta.json").write_text('{"title": "Own"}')
    (tmp_path / "a" / "_meta.yaml").write_text("title: Folder\nsource: Near\n")
    (tmp_path / "_meta.yaml").write_text("source: Far\ncollection: C\n")
    ((document,), refused) = run(tmp_path)
    assert (document.title, document.speaker, document.source, document.collection) == (
        "Own",
        "S",
        "Near",
        "C",
    )
    assert refused == []


def test_a_broken_sidecar_refuses_its_transcript_and_no_other(tmp_path):
    write(tmp_path, x_DOT_txt="X.", y_DOT_txt="Y.")
    (tmp_path / "x.meta.json").write_text("[1]")
    found, refused = run(tmp_path)
    assert [document.id for document in found] == ["y"]
    assert refused == [("x.txt", None, "its sidecar x.meta.json: no mapping of names to values")]


def test_a_misspelt_field_of_a_sidecar_is_told_once_and_loses_no_speech(tmp_path):
    write(tmp_path, a__x_DOT_txt="X.", a__y_DOT_txt="Y.")
    (tmp_path / "a" / "_meta.yaml").write_text("speeker: Jane Roe\ntitle: T\nvenue: V\n")
    letters = DeadLetters(tmp_path.parent / "letters.jsonl")
    assert [each.title for each in read([tmp_path], refused=letters)] == ["T", "T"]
    assert (letters.count, letters.count_reasons(9, "remark")) == (0, [(1, "a field that may be misspelt")])
    (line,) = letters.path.read_text().splitlines()
    assert json.loads(line)["file"] == str(tmp_path / "a" / "_meta.yaml")
    assert json.loads(line)["reason"] == "a field that may be misspelt: 'speeker', for 'speaker'"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"id": 1, "titel": "T", "text": "X."}\n{"id": 2, "titel": "T", "text": "Y."}\n'),
        ("a.csv", "id,titel,text,paragraphs\n1,T,X.,1\n2,T,Y.,1\n"),
        ("a.md", "---\ntitel: T\nlayout: post\n---\nX.\n\nY."),
    ],
)
def test_a_misspelt_field_of_a_file_is_told_once(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    found, refused = run(tmp_path)
    assert "X." in found[0].text
    assert [(file, reason) for file, _, reason in refused] == [
        (name, "a field that may be misspelt: 'titel', for 'title'")
    ]


def test_unreadable_file_is_refused_and_the_run_continues(tmp_path):
    write(tmp_path, c_DOT_txt="Last.", b_DOT_mp3="?")
    (tmp_path / "a.txt").write_bytes(b"\x00\x01\x02" * 99)
    os.mkfifo(tmp_path / "b.txt")
    found, refused = run(tmp_path)
    assert [document.text for document in found] == ["Last."]
    assert refused == [
        ("a.txt", None, "binary data, not text"),
        ("b.mp3", None, "no kind of file that is known by its suffix"),
        ("b.txt", None, "no regular file"),
    ]


def test_odd_dates_do_not_end_the_run(tmp_path):
    write(
        tmp_path,
        a_DOT_txt="Title: A\nDate: 0000-05\n\nFirst.",
        b_DOT_md="---\ndate: ٢٠٢١\n---\nSecond.",
        c_DOT_csv="id,date,text\nc,２０２１,Third.\n",
    )
    (tmp_path / "خطاب ٠٥-٠٦-٢٠٢١.txt").write_text("Fourth.")
    found, refused = run(tmp_path)
    assert [(document.text, document.spoken_on) for document in found] == [
        ("First.", None),
        ("Second.", "2021"),
        ("Third.", "2021"),
        ("Fourth.", "2021"),
    ]
    reason = "not a calendar date with year, month and day: '0000-05': left out"
    assert refused == [("a.txt", 1, reason)]


@pytest.mark.parametrize(
    ("suffix", "row"),
    [
        ("csv", "id,text\n1,Spoken in {}.\n"),
        ("tsv", "document\tparagraph\n1\tSpoken in {}.\n"),
        ("jsonl", '{{"id": 1, "text": "Spoken in {}."}}\n'),
    ],
)
def test_rows_that_two_files_number_alike_are_refused_naming_both(tmp_path, suffix, row):
    for place in ("a", "b"):
        (tmp_path / f"{place}.{suffix}").write_text(row.format(place))
    found, ((file, _, reason),) = run(tmp_path)
    assert [(each.id, each.text) for each in found] == [("1", "Spoken in a.")]
    assert file == f"b.{suffix}"
    assert reason.startswith(f"the same id as another document: '1' stands in {tmp_path}/a.{suffix}, line ")


@pytest.mark.parametrize("name", ["logo.png", "README", "talk.mp3", "notes.json.bak"])
def test_a_file_of_a_folder_that_is_none_by_its_suffix_is_no_speech_that_was_lost(tmp_path, name):
    write(tmp_path, a_DOT_txt="A.")
    (tmp_path / name).write_bytes(b"?")
    letters = DeadLetters(tmp_path.parent / "letters.jsonl")
    assert [each.text for each in read([tmp_path], refused=letters)] == ["A."]
    assert letters.count == 0
    assert letters.count_reasons(10, "passed over") == [(1, "no kind of file that is known by its suffix")]


def test_a_file_that_was_named_or_may_be_a_speech_is_one_that_was_lost(tmp_path):
    (tmp_path / "logo.png").write_bytes(b"?")
    (tmp_path / "speech.PAGES").write_bytes(b"?")
    letters = DeadLetters(tmp_path.parent / "letters.jsonl")
    assert list(read([tmp_path / "logo.png", tmp_path], refused=letters)) == []
    assert letters.count == 2
    assert letters.count_reasons(10, "passed over") == [(1, "no kind of file that is known by its suffix")]
    assert letters.count_reasons(10) == [
        (1, "no kind of file that is known by its suffix"),
        (1, "a format that is not read; save it as .docx or .txt"),
    ]


def test_links_out_of_the_folder_and_round_in_it_are_refused(tmp_path):
    write(tmp_path, out__secret_DOT_txt="S.", in__a_DOT_txt="A.")
    inside = tmp_path / "in"
    (inside / "b.txt").symlink_to(tmp_path / "out" / "secret.txt")
    (inside / "c").symlink_to(tmp_path / "out")
    (inside / "d").symlink_to(inside)
    (inside / "e.txt").symlink_to(inside / "nowhere")
    (inside / "a.meta.json").symlink_to(tmp_path / "out" / "secret.txt")
    found, refused = run(inside)
    assert found == []
    assert [name for name, _, _ in refused] == ["a.txt", "b.txt", "c", "d", "e.txt"]
    assert all("outside" in reason for name, _, reason in refused if name in ("a.txt", "b.txt", "c"))


def test_the_same_document_again_is_passed_over_and_a_different_one_refused(tmp_path):
    (tmp_path / "a.jsonl").write_text(row("x", "One.") + row("x", "One.") + row("x", "Two."))
    found, refused = run(tmp_path / "a.jsonl", tmp_path / "a.jsonl")
    assert [document.text for document in found] == ["One."]
    place = f"the same id as another document: 'x' stands in {tmp_path / 'a.jsonl'}, line 1"
    assert refused == [("a.jsonl", 3, place)] * 2


def test_path_left_out_is_not_read_by_any_route(tmp_path):
    write(tmp_path, a_DOT_txt="A.", out__b_DOT_txt="B.", c_DOT_txt="C.")
    (tmp_path / "d").symlink_to(tmp_path / "out")
    (tmp_path / "e.txt").symlink_to(tmp_path / "c.txt")
    left_out = [tmp_path / "a" / ".." / "out", tmp_path / "c.txt", tmp_path / "nowhere"]
    found, refused = run(tmp_path, tmp_path / "c.txt", leave_out=left_out)
    assert ([document.text for document in found], refused) == (["A."], [])


def test_dead_letters_within_the_folder_that_is_read_come_to_an_end(tmp_path):
    write(tmp_path, a_DOT_jsonl="{\n")
    for run_number in (1, 2):
        letters = DeadLetters(tmp_path / "letters.jsonl")
        left_out = [letters.path, letters.set_aside]
        assert list(read([tmp_path], refused=letters, leave_out=left_out)) == []
        assert (letters.count, len(letters.path.read_text().splitlines())) == (1, 1), run_number


def test_dead_letters_of_the_run_before_are_set_aside_at_the_first_letter_of_a_run(tmp_path):
    path, why = tmp_path / "letters.jsonl", TranscriptError("a.txt", "why")
    for _ in range(3):
        letters = DeadLetters(path)
        before = path.read_bytes() if path.exists() else None
        letters(why)
        letters(why)
        assert len(path.read_text().splitlines()) == 2
        assert before is None or letters.set_aside.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir()} == {"letters.jsonl", "letters.jsonl.1"}


def test_a_request_of_which_everything_is_left_out_fails_at_once(tmp_path):
    write(tmp_path, a_DOT_txt="A.")
    with pytest.raises(BadInput, match="nothing is left to read"):
        read([tmp_path], refused=lambda error: None, leave_out=[tmp_path])


def standard_input(monkeypatch, data, kind):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    return run("-", kind=kind)[0]


def test_standard_input_is_read_as_the_kind_that_is_named(monkeypatch):
    (document,) = standard_input(monkeypatch, b"# Title\n\nText.", "markdown")
    assert (document.title, document.text) == ("Title", "Text.")


def test_two_texts_of_standard_input_are_two_documents_and_the_same_text_is_one(monkeypatch):
    texts = (b"One.", b"Two.", b"---\ntitle: Count\n---\nOne.\n")
    one, two, again = (standard_input(monkeypatch, text, "text")[0].id for text in texts)
    assert one == f"standard-input-{blake2b(b'One.', digest_size=16).hexdigest()[:12]}"
    assert one != two
    assert one == again


def test_speeches_of_standard_input_keep_the_ids_they_are_given(monkeypatch):
    given = row("a", "One.") + row("standard-input", "Two.")
    found = standard_input(monkeypatch, given.encode(), "jsonl")
    assert [document.id for document in found] == ["a", "standard-input"]


def test_two_objects_of_standard_input_are_two_documents(monkeypatch):
    one, two, again = (
        standard_input(monkeypatch, json.dumps({"title": title, "text": text}).encode(), "json")[0].id
        for title, text in (("A", "One."), ("B", "Two."), ("C", "One."))
    )
    assert one == f"standard-input-{blake2b(b'One.', digest_size=16).hexdigest()[:12]}"
    assert (one == two, one == again) == (False, True)


def test_object_of_standard_input_keeps_its_own_id(monkeypatch):
    (document,) = standard_input(monkeypatch, b'{"ID": "a", "text": "One."}', "json")
    assert document.id == "a"


def test_two_sittings_of_standard_input_share_no_id(monkeypatch):
    debate = (
        '<publicwhip><major-heading id="h">Bridge</major-heading>'
        '<speech id="a.1" speakername="Jane Roe"><p>{}</p></speech>'
        '<speech id="a.2" speakername="Sam Doe"><p>Order.</p></speech></publicwhip>'
    )
    pages = [debate.format(words).encode() for words in ("We came.", "We went.", "We came.")]
    one, two, again = (
        [document.id for document in standard_input(monkeypatch, page, "xml")] for page in pages
    )
    digits = blake2b(pages[0], digest_size=16).hexdigest()[:12]
    assert one == [f"standard-input-{digits}/a.1", f"standard-input-{digits}/a.2"]
    assert (set(one) & set(two), one == again) == (set(), True)


def test_a_kind_is_believed_before_a_suffix(tmp_path):
    write(tmp_path, speech="Words.")
    assert [document.text for document in run(tmp_path, kind="text")[0]] == ["Words."]


@pytest.mark.parametrize(("paths", "kind"), [(["-"], None), (["nowhere.txt"], None), ([], "wav")])
def test_a_request_that_cannot_be_served_fails_at_once(paths, kind):
    with pytest.raises(BadInput):
        read([Path(path) for path in paths], kind=kind, refused=lambda error: None)


def test_gzip_is_read_through_and_a_cut_off_file_keeps_what_came_before(tmp_path):
    whole = gzip.compress("".join(row(str(n), os.urandom(2000).hex()) for n in range(200)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(whole)
    (tmp_path / "b.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "c.txt.gz").write_bytes(b"no gzip")
    assert len(run(tmp_path / "a.jsonl.gz")[0]) == 200
    found, refused = run(tmp_path / "b.jsonl.gz", tmp_path / "c.txt.gz")
    assert 0 < len(found) < 200
    assert [reason.split(":")[0] for _, _, reason in refused] == ["no whole gzip file"] * 2


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl"])
def test_a_gzip_file_within_a_gzip_file_is_refused_with_the_reason(tmp_path, name):
    (tmp_path / name).write_bytes(gzip.compress(gzip.compress(row("1", "We came here.").encode())))
    reason = "a gzip file within a gzip file; unpack it once"
    assert run(tmp_path / name) == ([], [(name, None, reason)])


def test_a_stream_that_grows_out_of_proportion_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(indexer.files, "UNJUDGED_BYTES", 1 << 16)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b" " * (1 << 22)))
    assert run(tmp_path / "a.jsonl.gz")[1] == [
        ("a.jsonl.gz", None, "unpacks to more than 200 times its size")
    ]


def test_an_overlong_line_is_passed_over_and_the_next_is_read(tmp_path):
    stream = io.BytesIO(b"x" * 50 + b"\nshort\n" + b"y" * 10 + b"\n" + b"z" * 11)
    assert list(indexer.files.read_lines(stream, 11)) == [
        (1, None),
        (2, b"short\n"),
        (3, b"y" * 10 + b"\n"),
        (4, b"z" * 11),
    ]


def test_a_file_past_the_bound_is_refused():
    assert indexer.files.read_whole(io.BytesIO(b"1234"), "a", 4) == b"1234"
    with pytest.raises(TranscriptError, match="more than 3 bytes"):
        indexer.files.read_whole(io.BytesIO(b"1234"), "a", 3)


def test_a_file_name_that_is_no_utf_8_is_read_and_its_letter_written(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    path.write_text("Words.")
    letters = DeadLetters(tmp_path / "dead" / "letters.jsonl")
    ((document,), _) = run(path)
    assert document.id == "caf\ufffd"
    letters(TranscriptError(str(path), "why"))
    letters(TranscriptError("a.jsonl", "why not", line=3))
    written = [json.loads(line) for line in letters.path.read_text().splitlines()]
    assert [(letter["line"], letter["reason"]) for letter in written] == [(None, "why"), (3, "why not")]
    assert letters.count == 2
    assert set(written[0]) == {"file", "line", "class", "reason", "at"}


def test_with_a_root_speeches_are_called_by_their_place_in_it_whatever_was_named(tmp_path):
    folder = tmp_path / "1962"
    folder.mkdir()
    (folder / "houston.txt").write_text("We choose to go to the moon.")
    (tmp_path / "_meta.yaml").write_text("collection: space\n")
    for named in (tmp_path, folder, folder / "houston.txt"):
        [document] = read([named], root=tmp_path, refused=pytest.fail)
        assert (document.id, document.collection) == ("1962/houston", "space")


FULL, SUMMARY = "The full speech.", "A short summary."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.jsonl", json.dumps({"id": "1", "Body": FULL, "text": SUMMARY})),
        ("t.jsonl", json.dumps({"id": "1", "text": SUMMARY, "Body": FULL})),
        ("t.json", json.dumps([{"id": "1", "Body": FULL, "Text": SUMMARY}])),
        ("t.csv", f"id,Body,text\n1,{FULL},{SUMMARY}\n"),
        ("t.csv", f"id,text,Body\n1,{SUMMARY},{FULL}\n"),
    ],
)
def test_a_mapped_field_is_read_instead_of_one_that_has_its_name(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    ((document,), refused) = run(tmp_path / name, fields={"body": "text"})
    assert (document.text, refused) == (FULL, [])


def test_a_field_with_a_usual_name_is_read_in_rows_without_the_mapped_one(tmp_path):
    (tmp_path / "t.jsonl").write_text(json.dumps({"id": "1", "text": SUMMARY}))
    ((document,), refused) = run(tmp_path / "t.jsonl", fields={"body": "text"})
    assert (document.text, refused) == (SUMMARY, [])


def test_a_mapped_id_is_read_in_a_json_file(tmp_path):
    (tmp_path / "t.json").write_text(json.dumps([{"key": "k", "text": "So."}, {"key": "l", "text": "No."}]))
    (found, _) = run(tmp_path / "t.json", fields={"key": "id"})
    assert [document.id for document in found] == ["k", "l"]


@pytest.mark.parametrize("head", ["title: Short\nheadline: Long", "headline: Long\ntitle: Short"])
def test_a_mapped_key_of_front_matter_is_read_instead_of_one_that_has_its_name(tmp_path, head):
    write(tmp_path, a_DOT_md=f"---\n{head}\n---\nSo.")
    ((document,), _) = run(tmp_path / "a.md", fields={"headline": "title"})
    assert document.title == "Long"


def test_a_folder_s_speaker_does_not_replace_a_name_on_a_paragraph(tmp_path):
    (tmp_path / "_meta.yaml").write_text("speaker: Chamber")
    paragraphs = [{"text": "I am Jane.", "speaker": "Jane Roe"}, {"text": "I am Sam.", "speaker": "Sam Doe"}]
    row = {"id": "k1", "speaker": "Jane Roe", "paragraphs": paragraphs}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    ((document,), _) = run(tmp_path)
    assert document.speaker == "Chamber"
    spoken = split(document, count_tokens=lambda text: len(text.split()))
    assert [(each.speaker, each.text) for each in spoken] == [
        ("Jane Roe", "I am Jane."),
        ("Sam Doe", "I am Sam."),
    ]
