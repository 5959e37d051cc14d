"""Sittings in ParlaMint TEI: one document per speech; names from the corpus around it."""

import io

import pytest

from indexer.formats import Source, get_format
from indexer.ingest import read
from rostrum_core.errors import TranscriptError

PEOPLE = """<listPerson xmlns="http://www.tei-c.org/ns/1.0">
<person xml:id="RoeJane"><persName to="1960-01-01"><surname>Poe</surname><forename>Jane</forename></persName>
<persName from="1960-01-01"><surname>Roe</surname><nameLink>de</nameLink><forename>Jane</forename></persName>
<sex value="F"/></person><person xml:id="DoeJohn"><persName>John
 Doe</persName></person></listPerson>"""
HEADER = """<teiHeader><fileDesc><titleStmt>
<title type="main" xml:lang="sl">Zbornica, seja 1 [ParlaMint SAMPLE]</title>
<title type="main" xml:lang="en">House of Commons, sitting 1 [ParlaMint]</title>
<title type="sub" xml:lang="en">1965-03-04</title></titleStmt>
<sourceDesc><bibl><title>Hansard</title><idno type="URI">https://parliament.example.org/1</idno>
</bibl></sourceDesc></fileDesc><profileDesc><settingDesc><setting><name type="city">London</name>
<date when="1965-03-04">4 March</date></setting></settingDesc>{people}</profileDesc></teiHeader>"""
UTTERANCES = "".join(
    f'<u who="#DoeJohn" ana="#regular" xml:id="X.u{n}"><seg xml:id="X.seg{n}">Point {n}.</seg></u>'
    for n in range(3, 12)
)
BODY = f"""<text xml:lang="en"><body><div type="debateSection"><head>Oral answers</head>
<note type="time">12.00</note><note type="speaker">Madam Speaker:</note>
<u who="#RoeJane" ana="#chair" xml:id="X.u1"><note>reads</note>
  <seg xml:id="X.seg1">Order.
    <vocal type="laughter"><desc>Laughter</desc></vocal> We
    <gap reason="inaudible"><desc>lost</desc></gap> here.</seg>
  <kinesic type="applause"><desc>Ploskanje</desc></kinesic><seg>Next<lb/>point.</seg></u>
<u who="#Guest" xml:id="X.u2" xml:lang="sl"><seg>Hvala.</seg></u>{UTTERANCES}
<u who="#DoeJohn" xml:id="X.u12"><vocal><desc>Hear, hear</desc></vocal></u></div>
<div type="commentSection"><note>The House rose.</note></div></body></text>"""


def sitting(body=BODY, people=""):
    header = HEADER.format(people=f"<particDesc>{people}</particDesc>" if people else "")
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en" xml:id="X">{header}{body}</TEI>'


def documents(text):
    refused = []
    found = get_format("xml").read(Source("X.xml", io.BytesIO(text.encode()), "X"), refused.append)
    documents = [document for document, _ in found]
    assert refused == []
    return documents


def marks(document):
    return [(mark.kind, mark.text, mark.start_char) for mark in document.marks]


def test_a_sitting_gives_a_document_for_each_speech():
    found = documents(sitting(people=PEOPLE))
    first, tenth, last = found[0], found[9], found[-1]
    assert len(found) == 11
    assert (first.id, first.title, first.speaker, first.spoken_on, first.language, first.url) == (
        "X/u1",
        "Oral answers (House of Commons, sitting 1)",
        "Jane de Roe",
        "1965-03-04",
        "en",
        "https://parliament.example.org/1",
    )
    assert first.text == "Order. We [inaudible] here.\n\nNext\npoint."
    assert (tenth.id, tenth.speaker, tenth.text) == ("X/u10", "John Doe", "Point 10.")
    assert (last.id, last.text) == ("X/u11", "Point 11.")


def test_notes_and_noises_are_marks_and_those_at_the_end_belong_to_the_last_speech():
    found = documents(sitting())
    assert marks(found[0]) == [
        ("time", "12.00", 0),
        ("speaker", "Madam Speaker:", 0),
        ("stage", "reads", 0),
        ("stage", "Laughter", 7),
        ("stage", "Ploskanje", 29),
    ]
    assert marks(found[-1]) == [("stage", "Hear, hear", 9), ("stage", "The House rose.", 9)]


def test_the_speaker_tag_of_a_speech_without_words_does_not_go_to_the_next_speaker():
    body = """<text><body><div><note type="speaker">Madam Speaker:</note>
      <u who="#RoeJane" xml:id="X.u1"><note type="speaker">The Chair:</note>
      <seg><vocal><desc>Laughter</desc></vocal></seg></u>
      <u who="#DoeJohn" xml:id="X.u2"><seg>It took nine years.</seg></u>
      <note type="speaker">Mr Doe:</note><u who="#DoeJohn" xml:id="X.u3"><seg>Next point.</seg></u>
      <note type="speaker">Ms Roe:</note>
      <u who="#RoeJane" xml:id="X.u4"><kinesic><desc>Nods</desc></kinesic></u>
      </div></body></text>"""
    assert [(document.id, document.speaker, marks(document)) for document in documents(sitting(body))] == [
        ("X/u2", "DoeJohn", [("stage", "Laughter", 0)]),
        ("X/u3", "DoeJohn", [("speaker", "Mr Doe:", 0), ("stage", "Nods", 11)]),
    ]


def test_a_speech_in_another_language_has_the_title_in_it_and_an_unknown_speaker_is_an_id():
    second = documents(sitting())[1]
    assert (second.speaker, second.language, second.title) == (
        "Guest",
        "sl",
        "Oral answers (Zbornica, seja 1)",
    )


def test_annotated_text_is_put_together_again_from_its_tokens():
    body = """<text><body><div><u who="#a" xml:id="X.u1"><seg><s><name type="PER"><w lemma="Mr">Mr</w>
      <w join="right">Roe</w></name>
      <pc join="right">’</pc><w>s</w> <w join="right">cat<w norm="ca"/><w norm="t"/></w> <pc>.</pc>
      <linkGrp type="UD-SYN"><link ana="ud-syn:root"/></linkGrp></s>
      <s><w>It</w> <vocal><desc>Laughter</desc></vocal> <w join="right">sat</w><pc>!</pc></s>
      </seg></u></div></body></text>"""
    (found,) = documents(sitting(body))
    assert (found.text, marks(found)) == ("Mr Roe’s cat. It sat!", [("stage", "Laughter", 17)])


def test_one_reading_of_a_word_is_the_speech():
    body = """<text><u who="#a" xml:id="X.u1"><seg>We came
      <choice><sic>hear</sic><corr>here</corr></choice> <del>eight</del> nine times.</seg>
      <seg><choice><sic><w>Gone</w></sic><corr><w>Go</w></corr></choice>
      <w join="right">home</w><pc>.</pc></seg>
      </u></text>"""
    (found,) = documents(sitting(body))
    assert found.text == "We came here nine times.\n\nGo home."


def test_a_speaker_is_found_by_an_id_in_another_file_too():
    body = '<text><u who="ParlaMint-XX-listPerson.xml#DoeJohn"><seg>So be it.</seg></u></text>'
    (found,) = documents(sitting(body, PEOPLE))
    assert (found.id, found.speaker) == ("X/1", "John Doe")


def test_an_id_that_stands_twice_is_no_error_of_the_file():
    (found,) = documents(
        sitting('<text><u xml:id="a"><seg xml:id="b">So</seg> <seg xml:id="b">be it.</seg></u></text>')
    )
    assert (found.id, found.text) == ("X/a", "So\n\nbe it.")


def corpus(folder, people="ParlaMint-XX-listPerson.xml"):
    (folder / "1965").mkdir()
    (folder / "1965" / "ParlaMint-XX_1965-03-04.xml").write_text(sitting())
    (folder / people).write_text(PEOPLE)
    root = (
        f'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0" xmlns:xi="http://www.w3.org/2001/XInclude">{HEADER}'
    )
    root = root.format(people=f'<particDesc><xi:include href="{people}"/></particDesc>')
    (folder / "ParlaMint-XX.xml").write_text(
        root + '<xi:include href="/etc/passwd" parse="text"/></teiCorpus>'
    )
    (folder / "ParlaMint-XX-taxonomy-topic.xml").write_text('<taxonomy xmlns="http://www.tei-c.org/ns/1.0"/>')


def run(folder):
    refused = []
    return list(read([folder], refused=refused.append)), [error.reason for error in refused]


def test_a_corpus_names_the_speakers_of_its_sittings_and_its_other_files_are_no_speeches(tmp_path):
    corpus(tmp_path)
    found, refused = run(tmp_path)
    assert refused == ["no speech in it"] * 3  # the root, the list of people and a taxonomy
    assert [(document.id, document.speaker) for document in found][:2] == [
        ("1965/ParlaMint-XX_1965-03-04/X.u1", "Jane de Roe"),
        ("1965/ParlaMint-XX_1965-03-04/X.u2", "Guest"),
    ]
    assert len(found) == 11


def test_a_list_of_people_outside_of_the_folder_that_was_given_is_left_alone(tmp_path):
    corpus(tmp_path)
    found, _ = run(tmp_path / "1965")
    assert found[0].speaker == "RoeJane"
    inside = tmp_path / "1965" / "ParlaMint-XX-listPerson.xml"
    inside.symlink_to(tmp_path / "ParlaMint-XX-listPerson.xml")
    found, refused = run(tmp_path / "1965")
    assert found[0].speaker == "RoeJane"
    assert refused == ["a link that leads outside the folder"]


def test_a_broken_list_of_people_refuses_the_sittings_that_need_it(tmp_path):
    corpus(tmp_path)
    (tmp_path / "ParlaMint-XX-listPerson.xml").write_text(PEOPLE[:100])
    found, refused = run(tmp_path)
    assert found == []
    assert any(
        reason.startswith("its list of people ParlaMint-XX-listPerson.xml: no well") for reason in refused
    )


def test_xml_of_another_vocabulary_is_refused_by_its_name():
    with pytest.raises(TranscriptError, match="no Akoma Ntoso, TEI or publicwhip: 'rss' without a namespace"):
        documents("<rss/>")


def test_words_of_a_normalised_word_and_of_a_time_that_was_spoken_are_kept():
    tokens = (
        '<w>We</w> <w>go</w> <w norm="najbolj"><w>naj</w><w>bolj</w></w> <w>at</w>'
        ' <time ana="ne:T"><w>ten</w> <w join="right">o\'clock</w></time><pc>.</pc>'
    )
    body = (
        f'<text><body><div><u who="#RoeJane" xml:id="X.u1"><seg><s>{tokens}</s></seg></u></div></body></text>'
    )
    (document,) = documents(sitting(body))
    assert document.text == "We go naj bolj at ten o'clock."
    assert document.marks == ()
