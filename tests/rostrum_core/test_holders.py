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
        ("Ben Ray Luján", "Debate", ["LUJAN", None], "LUJAN"),
        ("Ben Ray Lujan", "Debate", ["BEN RAY LUJÁN", None], "BEN RAY LUJÁN"),
        ("Ben Ray Luján", "Debate", ["SENATOR LUJAN", "MR. SMITH"], "SENATOR LUJAN"),
        ("Luis Peña Roe", "Remarks by President Peña Roe", ["PRESIDENT ROE", None], "PRESIDENT ROE"),
        ("José Martínez", "Remarks by Governor Martínez", ["GOVERNOR MARTINEZ", None], "GOVERNOR MARTINEZ"),
        ("Bob O'Neill", "Remarks by Mayor O'Neill", ["MAYOR O’NEILL", None], "MAYOR O’NEILL"),
        ("Bob O'Neill", "Debate", ["O’NEILL", None], "O’NEILL"),
        ("Bob Neill", "Debate", ["O’NEILL", None], None),
        ("Bob O'Neill", "Debate", ["NEILL", None], None),
    ],
)
def test_a_tag_means_the_speaker_or_another(speaker, title, tags, meant):
    document = Document("d", title, "So. " * len(tags), speaker=speaker)
    said = [Paragraph(f"p{n}", "d", n, "So.", 4 * n, 4 * n + 3, tag) for n, tag in enumerate(tags)]
    assert dict(resolve_holders(document, said)) == ({meant: speaker} if meant else {})


@pytest.mark.parametrize(
    "speaker", ["Jane Alder and Tom Birch", "Jane Alder; Tom Birch", "Jane Alder & Tom Birch"]
)
def test_the_names_of_several_speakers_mean_themselves(speaker: str) -> None:
    document = Document("d", "Debate", "", speaker=speaker)
    paragraphs = [
        Paragraph("i", "d", n, "So.", 0, 3, tag) for n, tag in enumerate(("Jane Alder", "Tom Birch"))
    ]
    assert resolve_holders(document, paragraphs) == {}


@pytest.mark.parametrize(
    ("speaker", "meant"),
    [
        ("Ann Roe and Bob Lee", {"ROE": "Ann Roe", "ANN ROE": "Ann Roe", "LEE": "Bob Lee"}),
        ("Ann Roé; Bob Lee", {"ROE": "Ann Roé", "ANN ROE": "Ann Roé", "LEE": "Bob Lee"}),
        ("Ann Roe and Bob Roe", {"ANN ROE": "Ann Roe"}),
        ("Bob and Ann Roe", {}),
        ("Senators Ann Roe and Bob Lee", {}),
    ],
)
def test_a_name_means_the_one_of_several_speakers_who_has_it(speaker: str, meant: dict[str, str]) -> None:
    tags = ("ROE", "ANN ROE", "LEE", "ANN", "MR. LEE", "THE MAYOR", "Q", None)
    paragraphs = [Paragraph("i", "d", n, "So.", 0, 3, tag) for n, tag in enumerate(tags)]
    assert resolve_holders(Document("d", "Debate", "", speaker=speaker), paragraphs) == meant


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
