"""Offices and surnames stand for a document's speaker only where that is certain."""

import pytest

from rostrum_core.holders import resolve_holders
from rostrum_core.types import Document, Paragraph

P, VP, PB = "THE PRESIDENT", "THE VICE PRESIDENT", "PRESIDENT BIDEN"


@pytest.mark.parametrize(
    ("speaker", "title", "tags", "meant"),
    [
        (
            "Joe Biden",
            "Remarks by President Biden",
            ["THE PRESIDENT", "Q", "THE VICE PRESIDENT"],
            "THE PRESIDENT",
        ),
        (
            "Joe Biden",
            "Remarks of President Joseph R. Biden, Jr.",
            ["PRESIDENT BIDEN", None],
            "PRESIDENT BIDEN",
        ),
        (
            "Kamala Harris",
            "Remarks by Vice President Harris",
            ["THE PRESIDENT", "THE VICE PRESIDENT"],
            "THE VICE PRESIDENT",
        ),
        ("Jill Biden", "Remarks at a School", ["DR. BIDEN", "THE PRESIDENT"], "DR. BIDEN"),
        ("Jill Biden", "Remarks at a School", [None, "THE PRESIDENT"], None),
        ("Jane Roe", "The Bridge", ["MS. ROE"], "MS. ROE"),
        ("Jane Roe", "The Bridge", ["THE MAYOR", "Q"], "THE MAYOR"),
        ("Hillary Clinton", "Debate", ["MR. CLINTON", "MRS. CLINTON"], None),
        ("John F. Kennedy", "Debate", ["KENNEDY", "SENATOR NIXON"], "KENNEDY"),
        (None, "Debate", ["THE PRESIDENT"], None),
        ("Joe Biden", "Remarks", ["MR. LEE", "Q"], None),
    ],
)
def test_a_tag_means_the_speaker_or_another(speaker, title, tags, meant):
    document = Document("d", title, "So. " * len(tags), speaker=speaker)
    said = [Paragraph(f"p{n}", "d", n, "So.", 4 * n, 4 * n + 3, tag) for n, tag in enumerate(tags)]
    assert dict(resolve_holders(document, said)) == ({meant: speaker} if meant else {})


@pytest.mark.parametrize(
    "speaker", ["Jane Alder and Tom Birch", "Jane Alder; Tom Birch", "Jane Alder & Tom Birch"]
)
def test_no_tag_means_a_speaker_who_is_several_people(speaker: str) -> None:
    document = Document("d", "Debate", "", speaker=speaker)
    paragraphs = [
        Paragraph("i", "d", n, "So.", 0, 3, tag) for n, tag in enumerate(("Jane Alder", "Tom Birch"))
    ]
    assert resolve_holders(document, paragraphs) == {}


@pytest.mark.parametrize(
    ("speaker", "tag"),
    [
        ("Josh Earnest, Press Secretary", "EARNEST"),
        ("Jerome Powell, Federal Reserve Chair", "POWELL"),
        ("Ann Roe, New York", "ROE"),
    ],
)
def test_an_office_or_a_place_after_the_name_is_no_second_speaker(speaker: str, tag: str) -> None:
    document = Document("d", "Remarks", "", speaker=speaker)
    assert dict(resolve_holders(document, [Paragraph("i", "d", 0, "So.", 0, 3, tag)])) == {tag: speaker}
