"""Paragraphs are slices of their document; supplied ones are kept, overlong ones cut at sentences."""

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.paragraphs import split
from rostrum_core.identifiers import make_paragraph_id
from rostrum_core.types import NOBODY_KNOWN, Document, Mark


def words(text):
    return len(text.split())


def document(text, **more):
    return Document(id="d", title="t", text=text, **more)


def test_text_without_breaks_is_cut_at_blank_lines():
    found = split(document("One.\n\nTwo,\nstill two.\n \nThree."), count_tokens=words)
    assert [(p.text, p.start_char, p.ordinal) for p in found] == [
        ("One.", 0, 0),
        ("Two,\nstill two.", 6, 1),
        ("Three.", 24, 2),
    ]


def test_a_turn_starts_a_paragraph_and_names_its_speaker():
    marks = (Mark("speaker", "Q:", 5), Mark("stage", "(Laughter.)", 9), Mark("speaker", "MR. KIRBY:", 10))
    found = split(document("Hello Why?\nNo.", marks=marks), count_tokens=words)
    assert [(p.text, p.speaker) for p in found] == [("Hello", None), ("Why?", "Q"), ("No.", "MR. KIRBY")]


def test_supplied_paragraphs_are_kept_even_with_blank_lines_and_turns_inside():
    marks = (Mark("speaker", "Q:", 3),)
    found = split(document("A.\n\nB.", marks=marks, breaks=((0, 6),)), count_tokens=words)
    assert [(p.text, p.speaker) for p in found] == [("A.\n\nB.", None)]


def test_a_supplied_paragraph_in_which_the_floor_changes_hands_has_no_single_speaker():
    marks = (Mark("speaker", "Q:", 0), Mark("speaker", "MR. KIRBY:", 5), Mark("speaker", "Q:", 14))
    breaks = ((0, 8), (10, 13), (14, 22))
    found = split(document("Why? No.\n\nSo.\nWhen? No", marks=marks, breaks=breaks), count_tokens=words)
    assert [(p.text, p.speaker) for p in found] == [
        ("Why? No.", None),
        ("So.", "MR. KIRBY"),
        ("When? No", "Q"),
    ]


def test_two_turns_of_one_speaker_in_a_supplied_paragraph_are_the_speaker_s():
    marks = (Mark("speaker", "Q:", 0), Mark("speaker", "Q:", 5))
    (found,) = split(document("Why? How?", marks=marks, breaks=((0, 9),)), count_tokens=words)
    assert found.speaker == "Q"


def test_of_an_overlong_supplied_paragraph_only_the_piece_where_the_floor_changes_has_no_speaker():
    marks = (Mark("speaker", "Q:", 0), Mark("speaker", "MR. KIRBY:", 14))
    text = "A b c. D e f. G h i. J k l."
    long = document(text, marks=marks, breaks=((0, len(text)),))
    assert [p.speaker for p in split(long, count_tokens=words, limit=9)] == ["Q", "MR. KIRBY"]
    assert [p.speaker for p in split(long, count_tokens=words, limit=4)] == ["Q", "Q", *["MR. KIRBY"] * 2]
    assert [p.speaker for p in split(long, count_tokens=words, limit=12)] == [None]


def test_an_id_comes_from_document_ordinal_and_text():
    (found,) = split(document("One."), count_tokens=words)
    assert found.id == make_paragraph_id("d", 0, "One.")


def test_an_overlong_paragraph_is_cut_at_sentences_into_about_equal_pieces():
    text = "A b c. D e f. G h i. J k l."
    found = split(document(text), count_tokens=words, limit=9)
    assert [p.text for p in found] == ["A b c. D e f.", "G h i. J k l."]


def test_an_overlong_sentence_is_cut_at_words_and_an_overlong_word_within():
    assert [p.text for p in split(document("a b c d"), count_tokens=words, limit=2)] == ["a b", "c d"]
    assert [p.text for p in split(document("abcdefgh"), count_tokens=len, limit=4)] == ["abcd", "efgh"]


def test_tokens_are_counted_once_a_paragraph_and_once_a_sentence_of_an_overlong_one():
    counted = []

    def count(text):
        counted.append(text)
        return words(text)

    split(document("One two.\n\nA b c. D e f."), count_tokens=count, limit=4)
    assert counted == ["One two.", "A b c. D e f.", "A b c.", "D e f."]


def test_empty_text_has_no_paragraphs():
    assert split(document(""), count_tokens=words) == ()
    assert split(document(" \n\n ", breaks=((0, 1),)), count_tokens=words) == ()


@settings(deadline=None)
@given(st.text(st.sampled_from("ab. \n\u0301A!?\t")), st.integers(1, 6), st.lists(st.integers(0, 40)))
def test_every_paragraph_is_a_slice_within_the_limit_and_no_word_is_lost(text, limit, turns):
    marks = tuple(Mark("speaker", "Q:", min(at, len(text))) for at in sorted(turns))
    for count in (words, len):
        found = split(document(text, marks=marks), count_tokens=count, limit=limit)
        assert "".join("".join(p.text for p in found).split()) == "".join(text.split())
        for ordinal, paragraph in enumerate(found):
            assert text[paragraph.start_char : paragraph.end_char] == paragraph.text
            assert paragraph.ordinal == ordinal
            assert count is len or count(paragraph.text) <= limit


def test_words_that_are_not_known_to_be_the_speaker_s_are_nobody_s():
    marks = (Mark("speaker", "Q:", 4), Mark("speaker", "", 8))
    document = Document("a", "A", "One\n\nTwo\n\nSix", speaker="Jane Roe", marks=marks)
    found = split(document, count_tokens=lambda text: len(text.split()))
    assert [paragraph.speaker for paragraph in found] == [None, "Q", NOBODY_KNOWN]
