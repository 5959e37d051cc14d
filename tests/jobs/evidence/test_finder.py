"""An answer lists a sentence that a speech repeats once."""

from jobs.evidence.finder import drop_repeats
from jobs.evidence.job import RankedSentence
from jobs.evidence.passages import Passage


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
