"""Test who is said to have spoken, where names are written otherwise or only an office is named."""

import pytest

from jobs.evidence.claimed_speaker import read_claimed_speaker
from jobs.verify.job import Verifier
from jobs.verify.places import find_speaker
from jobs.verify.quote_lists import make_row
from jobs.verify.windows import make_window
from rostrum_core.quote_checks import Verdict
from rostrum_core.types import DocumentInfo, Draft, Paragraph

LANTERNS = "The lanterns on the pier were lit by hand until the year of the flood"
CLASSROOM = "Every classroom without a window teaches the children that nobody expects them to look out"
HARBOURS = "The harbours of this county were built by fishermen who owed nobody a penny"
PIER = "I will not sell a single pier to the port company while I am chairman of this council"
SALMON = "Nobody asked the salmon whether they wanted another turbine in their valley this year"
DIKES = "The dikes of the yellow plain need more hands than any ministry can ever count"
FERRY = "The ferries to the islands were late on every day of that wet and windy summer"
KILN = "The kilns beside the railway have burnt more coal than all the trains of the county"
MILL = "The mills along the lower river ground the flour for three counties and two armies"
SLUICE = "Why did nobody repair the sluice gate before the autumn storms arrived here"
CRANES = "The cranes of the northern harbour have never been painted by anybody who could paint"
ORCHARD = "The orchards of the high valley need more water than any cloud has ever promised them"


def make_speech(
    name: str, speaker: str | None, *texts: str, date: str | None = "2021-01-05"
) -> dict[str, object]:
    paragraphs = [f"{text}." if text[-1] not in ".?" else text for text in texts]
    return {"id": name, "title": "Remarks", "speaker": speaker, "date": date, "paragraphs": paragraphs}


SPEECHES = [
    make_speech(
        "joint",
        "Joe Biden",
        "THE PRESIDENT: Good morning, everybody, and thank you for standing in this weather with us.",
        f"THE VICE PRESIDENT: {LANTERNS}.",
        f"Q    {SLUICE}?",
        "THE PRESIDENT: We will rebuild every bridge between the mountains and the sea.",
    ),
    make_speech("party", "Ann Roe", f"JOBS: {CLASSROOM}.", "We will go on as we began."),
    make_speech("list", "Ann Roe and Bob Lee", HARBOURS),
    make_speech("irish", "Patrick O'Brien", PIER),
    make_speech("accent", "Angela M\u00fcller", SALMON),
    make_speech("order", "Xi, Jinping", DIKES),
    make_speech("press", "Josh Earnest, White House Press Secretary", FERRY),
    make_speech("heads", "President Obama and Prime Minister Cameron", KILN),
    make_speech("old list", "Eva Elm, Kurt Fir", MILL),
    {
        "id": "echo",
        "title": "Debate",
        "speaker": "Cy Holt",
        "date": "2021-01-05",
        "paragraphs": [
            {"speaker": "Cy Holt", "text": f"{CRANES}."},
            {"speaker": "Dee Lund", "text": f"I agree with him. {CRANES}."},
        ],
    },
    make_speech("undated", "Maria Delgado", ORCHARD, date=None),
    make_speech(
        "nobody", None, "The report on bridges has been in a drawer since the last flood.", date="2016-05-10"
    ),
]


@pytest.fixture(scope="module")
def verifier(make_verifier) -> Verifier:
    return make_verifier(SPEECHES)


@pytest.mark.parametrize(
    ("quote", "speaker"),
    [
        (HARBOURS, "Ann Roe"),
        (HARBOURS, "Bob Lee"),
        (HARBOURS, "Lee, Bob"),
        (PIER, "Patrick O\u2019Brien"),
        (PIER, "O\u2019Brien"),
        (PIER, "Patrick O'Brien (Ind.)"),
        (SALMON, "Angela Muller"),
        (SALMON, "Angela Mu\u0308ller"),
        (SALMON, "M\u00fcller, Angela"),
        (DIKES, "Xi"),
        (DIKES, "Xi Jinping"),
        (FERRY, "Josh Earnest"),
        (KILN, "Barack Obama"),
        (KILN, "David Cameron"),
        (MILL, "Kurt Fir"),
        (CLASSROOM, "Ann Roe"),
        (CLASSROOM, " "),
        (CLASSROOM, "N/A"),
        (CLASSROOM, "unknown"),
        (CLASSROOM, "the President"),
    ],
)
def test_the_right_person_is_not_accused(verifier, quote, speaker) -> None:
    (check,) = verifier.verify([make_row("1", quote, speaker)]).checks
    assert (check.verdict, check.warnings) == (Verdict.VERBATIM, ())
    assert len(check.places) == 1


@pytest.mark.parametrize(
    ("quote", "speaker", "said_by"),
    [
        (SLUICE, "Joe Biden", "Q"),
        (HARBOURS, "Cy Fox", "Ann Roe and Bob Lee"),
        (SALMON, "Angela Merkel", "Angela M\u00fcller"),
        (DIKES, "Deng Xiaoping", "Xi, Jinping"),
        (FERRY, "Jen Psaki, White House Press Secretary", "Josh Earnest, White House Press Secretary"),
        (KILN, "Angela Merkel", "President Obama and Prime Minister Cameron"),
    ],
)
def test_another_person_is_named(verifier, quote, speaker, said_by) -> None:
    (check,) = verifier.verify([make_row("1", quote, speaker)]).checks
    assert check.verdict is Verdict.SAID_BY_ANOTHER
    assert check.warnings[0].message == f"said by {said_by}, not by {speaker}"


@pytest.mark.parametrize(("speaker", "paragraph"), [("Cy Holt", 0), ("Dee Lund", 1)])
def test_words_of_two_adjacent_turns_are_of_the_speaker_whom_the_draft_names(
    verifier, speaker, paragraph
) -> None:
    (check,) = verifier.verify([make_row("1", CRANES, speaker)]).checks
    assert (check.verdict, check.places[0].paragraph) == (Verdict.VERBATIM, paragraph)


@pytest.mark.parametrize("speaker", ["Joe Biden", "Kamala Harris"])
def test_another_office_is_not_the_speaker_of_the_document(verifier, speaker) -> None:
    (check,) = verifier.verify([make_row("1", LANTERNS, speaker)]).checks
    assert check.places[0].speaker == "THE VICE PRESIDENT"
    assert check.warnings[0].message.startswith("said by THE VICE PRESIDENT, whom the archive does not name")


def test_the_office_of_the_documents_speaker_is_that_person(verifier) -> None:
    quote = "We will rebuild every bridge between the mountains and the sea"
    (check,) = verifier.verify([make_row("1", quote, "Joe Biden")]).checks
    assert (check.verdict, check.places[0].speaker) == (Verdict.VERBATIM, "Joe Biden")


@pytest.mark.parametrize(
    ("quote", "said_on"),
    [("The ferries of the southern harbour have never been counted by anybody", "2016-05")],
)
def test_speeches_of_nobody_count_as_speeches_of_their_time(verifier, quote, said_on) -> None:
    (check,) = verifier.verify([make_row("1", quote, None, said_on)]).checks
    assert check.verdict is Verdict.NOT_FOUND


def test_a_speaker_without_dated_speeches_is_known(verifier) -> None:
    draft = Draft(left=f"Delgado met Jackie Robinson in Brooklyn. She said: \u201c{ORCHARD}.\u201d")
    (check,) = verifier.verify_draft(draft).checks
    assert (check.verdict, check.row.speaker) == (Verdict.VERBATIM, "Delgado")


@pytest.mark.parametrize(
    ("tag", "speaker"),
    [
        ("SECRETARY ROSS", "SECRETARY ROSS"),
        ("SENIOR ADMINISTRATION OFFICIAL", "SENIOR ADMINISTRATION OFFICIAL"),
        ("MR. FOX", "MR. FOX"),
        ("HOLT", "HOLT"),
        ("LEE", "LEE"),
        ("FACT", None),
        ("OUR PLAN", None),
        ("CJ", None),
    ],
)
def test_capitals_before_a_colon_are_a_speaker_if_they_can_be_a_name(tag, speaker) -> None:
    text = f"{tag}: {CLASSROOM}"
    window = make_window([Paragraph("p", "d", 0, text, 0, len(text))])
    info = DocumentInfo("d", "Remarks", "Ann Roe")
    word = len(tag.replace(".", "").split()) + 2
    assert find_speaker(window, word, info, {"roe", "lee"}) == speaker


@pytest.mark.parametrize(
    ("speaker", "verdict"), [("N/A", "not_found"), ("Roe", "not_found"), ("Cy Fox", "cannot_be_checked")]
)
def test_invented_words_of_nobody_are_not_found(verifier, speaker, verdict) -> None:
    (check,) = verifier.verify(
        [make_row("1", "The moon is made of lightly salted yellow cheese", speaker)]
    ).checks
    assert check.verdict == verdict


def test_the_last_day_of_all_is_no_error(verifier) -> None:
    (check,) = verifier.verify([make_row("1", HARBOURS, "Ann Roe", "9999-12-31")]).checks
    assert check.verdict is Verdict.SAID_BY_ANOTHER


def test_a_claim_names_its_speaker_with_any_apostrophe() -> None:
    claimed = read_claimed_speaker("O\u2019Brien said that the pier is not for sale.")
    assert claimed is not None
    assert claimed.name == "O\u2019Brien"
