"""Debates in Akoma Ntoso: one document per speech, with its speaker, its heading and its asides."""

import io

import pytest

from indexer.formats import Source, get_format
from indexer.paragraphs import split
from rostrum_core.errors import TranscriptError

SPEECHES = "".join(
    f"""<speech by="#{who}" eId="dbsect_2__speech_{number}"><from>{printed}</from>
      <p>Point {number} is about the bridge.</p></speech>"""
    for number, (who, printed) in enumerate(
        [("roe", "Jane Roe (North)"), ("doe", "Mr. Doe:"), ("stranger", "The Stranger:")] * 3, start=3
    )
)
DEBATE = f"""<?xml version="1.0" encoding="UTF-8"?>
<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><debate name="hansard">
  <meta><identification source="#us"><FRBRWork><FRBRthis value="/xx/debate/1965-03-04/main"/>
      <FRBRuri value="https://parliament.example.org/1965-03-04"/><FRBRdate date="1965-03-04" name="Sitting"/>
      <FRBRauthor href="#parliament"/></FRBRWork>
      <FRBRExpression><FRBRlanguage language="eng"/></FRBRExpression></identification>
    <references source="#us"><TLCPerson eId="roe" href="/ontology/person/roe" showAs="Jane Roe"/>
      <TLCPerson eId="chair" href="/ontology/person/chair" showAs="Ann Chair"/></references></meta>
  <preface><block name="title"><docTitle>House of
      Commons</docTitle></block></preface>
  <debateBody><debateSection name="sitting" eId="dbsect_1"><narrative>The House met at noon.</narrative>
    <speech by="#chair" as="#speaker" eId="dbsect_1__speech_1"><from>Madam Speaker</from>
      <p>Order.<recordedTime time="1965-03-04T12:01:00">12.01</recordedTime> The question is <i>whether</i> we
        build.</p><scene>Hear, hear</scene><p>First line<br/>second line.</p></speech>
    <debateSection name="debate" eId="dbsect_2"><num>2.</num><heading>The <i>Bridge</i></heading>
      <question by="#roe" eId="dbsect_2__question_1"><from>Jane Roe (North)</from><p>Who pays?</p></question>
      <scene>Laughter</scene>
      <speech by="#doe" eId="dbsect_2__speech_2"><scene>He rises.</scene></speech>{SPEECHES}
    </debateSection>
    <speech by="#chair"><p>The House <remark type="editorial">[inaudible]</remark> rises.</p></speech>
    <adjournment><p>Adjourned at one.</p></adjournment></debateSection></debateBody></debate></akomaNtoso>
"""


def documents(text, **known):
    data = text.encode() if isinstance(text, str) else text
    refused = []
    found = list(get_format("xml").read(Source("a.xml", io.BytesIO(data), "a", **known), refused.append))
    assert refused == []
    return [document for document, _ in found]


def marks(document):
    return [(mark.kind, mark.text, mark.start_char) for mark in document.marks]


def test_a_sitting_gives_a_document_for_each_speech():
    found = documents(DEBATE)
    first, second, tenth, last = found[0], found[1], found[9], found[-1]
    assert len(found) == 12
    assert (first.id, first.title, first.speaker) == (
        "a/dbsect_1__speech_1",
        "House of Commons",
        "Ann Chair",
    )
    assert (first.spoken_on, first.url) == ("1965-03-04", "https://parliament.example.org/1965-03-04")
    assert first.text == "Order. The question is whether we build.\n\nFirst line\nsecond line."
    assert (second.title, second.speaker) == ("2. The Bridge (House of Commons)", "Jane Roe")
    assert (tenth.id, tenth.speaker, tenth.text) == (
        "a/dbsect_2__speech_10",
        "Mr. Doe",
        "Point 10 is about the bridge.",
    )
    assert (last.id, last.title, last.text) == ("a/13", "House of Commons", "The House rises.")


def test_scenes_times_and_those_who_speak_are_marks_at_their_place():
    found = documents(DEBATE)
    assert marks(found[0]) == [
        ("stage", "The House met at noon.", 0),
        ("speaker", "Madam Speaker", 0),
        ("time", "12.01", 7),
        ("stage", "Hear, hear", 42),
    ]
    assert marks(found[2]) == [
        ("stage", "Laughter", 0),
        ("stage", "He rises.", 0),
        ("speaker", "Jane Roe (North)", 0),
    ]
    assert marks(found[-1]) == [("stage", "[inaudible]", 10), ("stage", "Adjourned at one.", 16)]


def test_a_paragraph_says_who_holds_the_floor():
    paragraphs = split(documents(DEBATE)[0], count_tokens=lambda text: len(text.split()))
    assert [(p.text, p.speaker) for p in paragraphs] == [
        ("Order. The question is whether we build.", "Madam Speaker"),
        ("First line\nsecond line.", "Madam Speaker"),
    ]


def test_deletions_and_marks_of_notes_are_no_words():
    words = "We came <ins>here</ins> <del>there</del> for nine<sup>1</sup> years, or 10<sup>2</sup> months"
    noted = f'{words}<sup><noteRef href="#n1" marker="1"/></sup>.'
    body = f'<speech by="#roe" eId="s"><p>{noted}</p></speech>'
    (found,) = documents(f"<akomaNtoso><debate><debateBody>{body}</debateBody></debate></akomaNtoso>")
    assert found.text == "We came here for nine years, or 10^2 months."


def test_the_speaker_tag_of_a_speech_without_words_does_not_go_to_the_next_speaker():
    body = """<speech by="#roe" eId="a"><from>Ms Roe:</from><p><remark>(Interruption)</remark></p></speech>
      <speech by="#doe" eId="b"><p>It took nine years.</p></speech>"""
    namespace = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
    (found,) = documents(
        f'<akomaNtoso xmlns="{namespace}"><debate><debateBody>{body}</debateBody></debate></akomaNtoso>'
    )
    assert (found.speaker, marks(found)) == ("doe", [("stage", "(Interruption)", 0)])


def test_the_older_version_is_read_as_well():
    older = DEBATE.replace(
        "http://docs.oasis-open.org/legaldocml/ns/akn/3.0", "http://www.akomantoso.org/2.0"
    )
    assert documents(older.replace("eId=", "id=")) == documents(DEBATE)


def test_an_act_is_refused():
    act = DEBATE.replace("<debate name", "<act name").replace("</debate>", "</act>")
    with pytest.raises(TranscriptError, match="kind 'act', expected 'debate'"):
        documents(act)


def test_text_handed_in_has_no_speaker():
    handed_in = """<communication eId="com_1"><heading>Letter</heading>
      <p>Dear Speaker, the bridge is closed.</p><p>Yours.</p></communication>
      <petitions><p>From ninety people: open it.</p></petitions>"""
    debate = DEBATE.replace("<adjournment>", f"{handed_in}<adjournment>")
    letter, petition = documents(debate)[-2:]
    assert (letter.id, letter.speaker, letter.text) == (
        "a/com_1",
        None,
        "Dear Speaker, the bridge is closed.\n\nYours.",
    )
    assert (petition.speaker, petition.text) == (None, "From ninety people: open it.")
