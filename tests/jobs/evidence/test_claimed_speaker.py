"""A claim names the person whose words it reports; sentences by others count for less."""

import time

import pytest

from jobs.evidence.claimed_speaker import (
    OTHERS_ODDS,
    find_speakers,
    is_named,
    read_claimed_speaker,
    weigh_speakers,
)
from jobs.evidence.job import RankedSentence
from jobs.evidence.passages import Passage
from rostrum_core.types import DocumentInfo, Paragraph


@pytest.mark.parametrize(
    ("claim", "name", "content"),
    [
        ("Ann Lee said that taxes will rise.", "Ann Lee", "taxes will rise."),
        ("Sen. Lee has repeatedly argued that taxes will rise.", "Lee", "taxes will rise."),
        ("Lee, the Senate leader, warned that taxes rise.", "Lee", "taxes rise."),
        ("Lee told the unions of his state that taxes will rise.", "Lee", "taxes will rise."),
        ("Taxes will rise, President Lee said.", "Lee", "Taxes will rise"),
        ("According to Mr. Lee, taxes will rise.", "Lee", "taxes will rise."),
        ("Lee never said that taxes will rise.", "Lee", "Lee never said that taxes will rise."),
        ("Lee said he knew that taxes will rise.", "Lee", "Lee said he knew that taxes will rise."),
        ("Lee denied that taxes will rise.", "Lee", "Lee denied that taxes will rise."),
        ("Lee wrongly claimed that taxes rise.", "Lee", "Lee wrongly claimed that taxes rise."),
        ("Lee has not promised that taxes rise.", "Lee", "Lee has not promised that taxes rise."),
        ("Taxes will rise, Lee never said.", "Lee", "Taxes will rise, Lee never said."),
        ("Lee asked Congress to raise taxes.", "Lee", "Lee asked Congress to raise taxes."),
        ("O'Neill mourned the dead.", "O'Neill", "O'Neill mourned the dead."),
    ],
)
def test_the_beginning_or_the_end_of_a_claim_names_who_said_it(claim, name, content):
    assert read_claimed_speaker(claim) == (name, content)


@pytest.mark.parametrize(
    "claim",
    [
        "Taxes will rise.",
        "Lee resigned after the vote.",
        "they said that taxes will rise.",
        "President said that.",
    ],
)
def test_other_claims_name_nobody(claim):
    assert read_claimed_speaker(claim) is None


def make_sentence(text, document, score, stance="supports"):
    paragraph = Paragraph(text, document, 0, text, 0, len(text))
    passage = Passage(document, text, ((0, len(text)),), paragraph=paragraph)
    return RankedSentence(passage, 0, 0, len(text), score, stance, None if score is None else 0.9)


INFOS = {
    "lee": DocumentInfo("lee", "Remarks", "Ann Lee"),
    "day": DocumentInfo("day", "Remarks", "Bo Day"),
    "cy": DocumentInfo("cy", "Remarks", "Cy Lee"),
}


def test_sentences_by_others_fall_and_support_nothing_unless_they_name_the_person():
    ranked = [
        make_sentence("Taxes rise.", "day", 0.8),
        make_sentence("As Lee has it, they rise.", "day", 0.6),
        make_sentence("They rise.", "lee", 0.4),
    ]
    weighed = weigh_speakers(ranked, INFOS, "Ann Lee")
    assert [(item.text, item.stance) for item in weighed] == [
        ("As Lee has it, they rise.", "supports"),
        ("They rise.", "supports"),
        ("Taxes rise.", "neutral"),
    ]
    assert [item.score for item in weighed[:2]] == [0.6, 0.4]
    odds = weighed[2].score / (1 - weighed[2].score)
    assert odds == pytest.approx(0.8 / 0.2 * OTHERS_ODDS)
    assert weighed[2].share is None


@pytest.mark.parametrize(
    ("name", "text", "stance"),
    [
        ("Theresa May", "Taxes rise at the end of May.", "neutral"),
        ("Theresa May", "May taxes rise!", "neutral"),
        ("Theresa May", "As Prime Minister May has it, they rise.", "supports"),
        ("Theresa May", "As Theresa May has it, they rise.", "supports"),
        ("May", "As Mrs. May has it, they rise.", "supports"),
        ("Ann Grant", "Grant them lower taxes.", "neutral"),
        ("Ann Grant", "Grant said that they rise.", "supports"),
        ("Bo Day", "Day after day they rise.", "neutral"),
        ("Margaret Thatcher", "Thatcher raised them.", "supports"),
        ("Mikhail Gorbachev", "Gorbachev raised them.", "supports"),
        ("Bo Day", "They rise, as Day has it.", "supports"),
        ("Theresa May", "As May has it, they rise.", "supports"),
        ("Theresa May", "May said they rise.", "supports"),
        ("Theresa May", "We heard May say so.", "supports"),
        ("Theresa May", "May's taxes rise.", "supports"),
        ("John March", "I met March yesterday.", "supports"),
        ("Gordon Brown", "Brown announced taxes.", "supports"),
        ("Hugo Black", "Black wrote the law.", "supports"),
        ("Ann Price", "Price opposed them.", "supports"),
        ("Bo Law", "Law resigned.", "supports"),
        ("Ann Grant", "Grant and Lee met.", "supports"),
        ("Theresa May", "In early May they rise.", "neutral"),
        ("Theresa May", "They rise on May 5.", "neutral"),
        ("Theresa May", "They rose on the 5th May.", "neutral"),
        ("Theresa May", "They rise in March and May.", "neutral"),
        ("Theresa May", "May God help us!", "neutral"),
        ("John March", "They joined the March on Washington.", "neutral"),
        ("Ann Price", "Price rises hurt us.", "neutral"),
        ("Ann Grant", "Grant money helps us.", "neutral"),
        ("Hugo Black", "Black lives matter.", "neutral"),
        ("Hugo Black", "Black and Hispanic families pay them.", "neutral"),
    ],
)
def test_a_word_that_is_no_name_there_does_not_name_the_person(name, text, stance):
    (weighed,) = weigh_speakers([make_sentence(text, "lee", 0.8)], INFOS, name)
    assert weighed.stance == stance


def test_a_person_with_another_name_in_the_archive_keeps_the_score():
    infos = {"xi": DocumentInfo("xi", "Remarks", "Xi Jinping")}
    ranked = [make_sentence("We build roads.", "xi", 0.8)]
    assert weigh_speakers(ranked, infos, "Xi", ("Xi Jinping",)) == ranked
    assert weigh_speakers(ranked, infos, "Xi")[0].stance == "neutral"


def test_an_organisation_is_not_the_person_whose_name_it_has():
    names = ("America First Committee", "Xi Jinping", "Luiz Lula da Silva", "Moon Jae-in, President of Korea")
    infos = [DocumentInfo("d", "Remarks", speakers=names)]
    assert find_speakers("America", infos) == ()
    assert [find_speakers(name, infos) for name in ("Xi", "Lula", "Moon")] == [(name,) for name in names[1:]]


def test_a_name_that_a_text_repeats_thousands_of_times_is_read_at_once():
    before = time.process_time()
    assert not is_named("Theresa May", "in May " * 4000)
    assert time.process_time() - before < 3


def test_sentences_without_scores_are_sorted_only():
    ranked = [make_sentence("Taxes rise.", "day", None), make_sentence("They rise.", "lee", None)]
    assert [item.text for item in weigh_speakers(ranked, INFOS, "Lee")] == ["They rise.", "Taxes rise."]


def test_another_first_name_is_another_person():
    ranked = [make_sentence("Taxes rise.", "cy", 0.5), make_sentence("They rise.", "lee", 0.4)]
    assert weigh_speakers(ranked, INFOS, "Ann Lee")[0].text == "They rise."


def test_a_title_and_a_nickname_are_the_same_person():
    infos = {"lee": DocumentInfo("lee", "Remarks", "Senator William Lee"), "day": INFOS["day"]}
    ranked = [make_sentence("Taxes rise.", "day", 0.5), make_sentence("They rise.", "lee", 0.4)]
    assert weigh_speakers(ranked, infos, "Bill Lee")[0].text == "They rise."


@pytest.mark.parametrize(
    ("claim", "content"),
    [
        ("Nixon said that he had never been a quitter.", "I have never been a quitter."),
        ("Nixon said that he would resign his office.", "I will resign my office."),
        ("Clinton warned that she was ready.", "I am ready."),
        ("Lee said that he opposed it himself.", "I opposed it myself."),
        ("Lee said that he had a plan.", "I have a plan."),
        ("Lee said that they had never been asked.", "they had never been asked."),
        ("Lee said that history had shown he was right.", "history had shown he was right."),
    ],
)
def test_what_a_person_said_of_himself_is_read_in_the_first_person(claim, content):
    assert read_claimed_speaker(claim).content == content
