"""An answer lists a sentence that a speech repeats once, and no greeting."""

from jobs.evidence.finder import drop_greetings, drop_repeats
from jobs.evidence.job import RankedSentence
from jobs.evidence.passages import Passage
from rostrum_core.evidence import Claim


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
