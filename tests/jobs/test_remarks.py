"""Test which remarks an answer gets."""

import pytest

from jobs.recommend.remarks import describe_absent
from rostrum_core.types import DocumentInfo, Draft, Paragraph, Recommendation

QUOTED = Draft(left="President Astrid Lindqvist told the reporters about the harbour treaty:")
ABSENT = ["the draft seems to quote Astrid Lindqvist, by whom none of these is"]


def recommend(speaker: str | None, tag: str | None, *speakers: str) -> Recommendation:
    """Return a recommendation by a speaker tag in the speech of a speaker."""
    info = DocumentInfo("d", "Harbours", speaker, speakers=speakers)
    return Recommendation(1, Paragraph("i", "d", 0, "So.", 0, 3, tag), info, (), {})


@pytest.mark.parametrize(
    "tag", ["President Lindqvist", "MS. LINDQVIST", "LINDQVIST", "Astrid Lindqvist", "A. LINDQVIST"]
)
def test_a_person_who_speaks_in_the_speech_of_another_is_not_called_absent(tag: str) -> None:
    assert describe_absent(QUOTED, [recommend("Petra Olsen", tag, "Petra Olsen", tag)]) == []


@pytest.mark.parametrize("tag", [None, "Q", "MR. LINDGREN", "Karl Lindqvist"])
def test_a_person_by_whom_no_recommendation_is_is_called_absent(tag: str | None) -> None:
    assert describe_absent(QUOTED, [recommend("Petra Olsen", tag)]) == ABSENT


@pytest.mark.parametrize(("speaker", "tag"), [(None, None), (None, "Q"), ("Petra Olsen", "")])
def test_no_person_is_called_absent_if_a_speaker_is_unknown(speaker: str | None, tag: str | None) -> None:
    assert describe_absent(QUOTED, [recommend(speaker, tag)]) == []


def test_a_tag_that_means_the_documents_speaker_is_not_somebody_else() -> None:
    speech = recommend("Astrid Lindqvist", "THE PRESIDENT", "Astrid Lindqvist", "Q")
    assert describe_absent(QUOTED, [speech]) == []
