"""Contradictions come first; what the statement itself says is no counter-voice."""

from jobs.evidence.counter import Statement, choose_voices, find_counter_voices, is_by
from rostrum_core.evidence import EvidenceSentence
from rostrum_core.types import DocumentInfo


def make_sentence(text: str, score: float | None, stance: str = "neutral", **more) -> EvidenceSentence:
    place = {"document": "d", "paragraph": 0, "speaker": "Ann Lee"} | more
    return EvidenceSentence(
        1,
        place["document"],
        place["paragraph"],
        "p",
        0,
        len(text),
        text,
        score,
        stance,
        0.5,
        speaker=place["speaker"],
    )


STATEMENT = Statement("We will not raise taxes.", "Ann Lee", "own", 3)


def test_contradictions_come_first_and_then_the_nearest() -> None:
    voices = choose_voices(
        STATEMENT,
        [
            make_sentence("Taxes are a burden.", 0.9),
            make_sentence("The weather is fine.", 0.05),
            make_sentence("We will raise taxes.", 0.02, "contradicts"),
            make_sentence("Taxes pay for schools.", 0.5),
        ],
        3,
    )
    assert [voice.text for voice in voices] == [
        "We will raise taxes.",
        "Taxes are a burden.",
        "Taxes pay for schools.",
    ]
    assert [voice.rank for voice in voices] == [1, 2, 3]


def test_the_statement_and_its_paragraph_are_no_counter_voices() -> None:
    sentences = [
        make_sentence("We will not raise taxes!", 0.9),
        make_sentence("Not now.", 0.9, document="own", paragraph=3),
        make_sentence("Taxes, later.", 0.9, document="own", paragraph=4),
    ]
    assert [voice.text for voice in choose_voices(STATEMENT, sentences, 5)] == ["Taxes, later."]


def test_a_speaker_is_the_same_by_the_last_name() -> None:
    assert is_by(make_sentence("Yes.", 1, speaker="Senator Lee"), "Ann Lee")
    assert not is_by(make_sentence("Yes.", 1, speaker="Bo Day"), "Ann Lee")
    assert not is_by(make_sentence("Yes.", 1, speaker="Cy Lee"), "Ann Lee")
    assert not is_by(make_sentence("Yes.", 1, speaker=None), "Ann Lee")


def test_a_namesake_is_one_of_the_others(make_finder) -> None:
    texts = {"Ann Lee": "Taxes fall.", "Bob Lee": "Taxes rise.", "Lee": "Taxes stay.", "Ann Roe": "No taxes."}
    finder = make_finder(
        *((DocumentInfo(name, "Remarks", name, speakers=(name,)), [text]) for name, text in texts.items())
    )
    statement = Statement("We will raise taxes.", "Ann Lee")
    voices = find_counter_voices(statement, finder, limit=9, timeout_s=60)
    assert {voice.speaker for voice in voices.own} == {"Ann Lee", "Lee"}
    assert {voice.speaker for voice in voices.others} == {"Bob Lee", "Ann Roe"}


def test_a_speaker_with_another_name_in_the_archive_is_none_of_the_others(make_finder) -> None:
    texts = {"Xi Jinping": "Roads rise.", "Ann Roe": "No roads."}
    finder = make_finder(
        *((DocumentInfo(name, "Remarks", name, speakers=(name,)), [text]) for name, text in texts.items())
    )
    voices = find_counter_voices(Statement("We build roads.", "Xi"), finder, limit=9, timeout_s=60)
    assert [voice.speaker for voice in voices.own] == ["Xi Jinping"]
    assert [voice.speaker for voice in voices.others] == ["Ann Roe"]
