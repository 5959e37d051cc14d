"""An answer lists a sentence that a speech repeats once, and no greeting; a claim says whose words count."""

import pytest

from jobs.evidence.finder import MOST_PARAGRAPHS, drop_greetings, drop_repeats
from jobs.evidence.job import RankedSentence
from jobs.evidence.passages import Passage
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim
from rostrum_core.types import DocumentInfo, Filter


def make_sentence(text: str, document: str) -> RankedSentence:
    return RankedSentence(Passage(document, text, ((0, len(text)),)), 0, 0, len(text), 0.5, "neutral", 0.9)


def test_a_sentence_that_a_document_repeats_is_kept_once_and_another_document_s_stays():
    ranked = [
        make_sentence("Let them come to Berlin.", "a"),
        make_sentence("Let them come — to Berlin!", "a"),
        make_sentence("Let them come to Berlin.", "b"),
        make_sentence("Let us come to Berlin.", "a"),
    ]
    assert [id(item) for item in drop_repeats(ranked)] == [id(ranked[at]) for at in (0, 2, 3)]


def test_thanks_are_listed_only_if_the_claim_is_about_them():
    ranked = [make_sentence("Thank you very much.", "a"), make_sentence("We came to Berlin.", "a")]
    assert list(drop_greetings(Claim("They came to Berlin."), ranked)) == ranked[1:]
    assert list(drop_greetings(Claim("He thanked the crowd."), ranked)) == ranked


def test_listed_sentences_have_their_stance_however_few_are_listed(make_finder):
    refrain = ("Yes, we can!", "Yes we can.", "YES WE CAN.", "Yes -- we can.", "We must go.", "They stay.")
    finder = make_finder((DocumentInfo("a", "Speech", "Ann Lee"), refrain))
    answer = finder.find(Claim("We can."), limit=3, timeout_s=60)
    assert [(one.text, one.stance) for one in answer.sentences] == [
        ("They stay.", "supports"),
        ("We must go.", "supports"),
        ("Yes -- we can.", "supports"),
    ]
    backwards = make_finder((DocumentInfo("a", "Speech", "Ann Lee"), refrain[::-1]))
    answer = backwards.find(Claim("We can."), limit=3, timeout_s=60)
    assert [(one.text, one.stance) for one in answer.sentences] == [
        ("Yes, we can!", "supports"),
        ("We must go.", "supports"),
        ("They stay.", "supports"),
    ]


def test_the_heat_of_long_documents_is_in_the_order_of_the_request_and_of_the_text(make_finder):
    finder = make_finder(
        (DocumentInfo("a", "Debate", paragraphs=MOST_PARAGRAPHS), ("We go.", "They stay.")),
        (DocumentInfo("b", "Debate", paragraphs=2), ("We won.", "They lost.")),
    )
    heat = finder.find(Claim("We go."), documents=["b", "a"], heat=True, limit=1, timeout_s=60).heat
    assert [(row.document, row.paragraph) for row in heat] == [("b", 0), ("b", 1), ("a", 0), ("a", 1)]


def make_speech(speaker: str, text: str, day: str = "2019-01-01") -> tuple[DocumentInfo, list[str]]:
    return DocumentInfo(speaker, "Remarks", speaker, day, speakers=(speaker,)), [text]


SPEECHES = [
    make_speech("William J. Clinton", "The era is over."),
    make_speech("John Kennedy", "We land on the moon."),
    make_speech("Robert Kennedy", "We land, he said."),
    make_speech("Xi Jinping", "We build roads."),
    make_speech("Ann Roe", "We know what is over and who lands."),
]


@pytest.mark.parametrize(
    ("claim", "supporting"),
    [
        ("Bill Clinton said that the era is over.", {"William J. Clinton"}),
        ("Clinton said that the era is over.", {"William J. Clinton"}),
        ("John F. Kennedy said that we land.", {"John Kennedy"}),
        ("Kennedy said that we land.", {"John Kennedy", "Robert Kennedy"}),
        ("Kennedy\u00a0said that we land.", {"John Kennedy", "Robert Kennedy"}),
        ("  John  Kennedy said\nthat we land.", {"John Kennedy"}),
        ("Xi said that we build roads.", {"Xi Jinping"}),
        ("Ted Clinton said that the era is over.", {speech[0].speaker for speech in SPEECHES}),
    ],
)
def test_the_words_of_the_person_whom_the_claim_names_support_it(make_finder, claim, supporting):
    answer = make_finder(*SPEECHES).find(Claim(claim), limit=9, timeout_s=60)
    assert {one.speaker for one in answer.sentences if one.stance == "supports"} == supporting


def test_others_support_nothing_if_the_person_spoke_at_another_time(make_finder):
    finder = make_finder(
        make_speech("Theresa May", "We leave.", "2018-01-01"), make_speech("Ann Roe", "We leave in May.")
    )
    claim, since = Claim("Theresa May said that we leave."), Filter(since="2019-01-01")
    answer = finder.find(claim, filter=since, limit=9, timeout_s=60)
    assert answer.speaker == "Theresa May"
    assert [(one.speaker, one.stance) for one in answer.sentences] == [("Ann Roe", "neutral")]


def test_a_claim_of_invisible_characters_is_empty(make_finder):
    with pytest.raises(BadInput, match="the claim is empty"):
        make_finder(*SPEECHES).find(Claim("\u200b"), limit=1, timeout_s=60)
