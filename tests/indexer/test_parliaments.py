"""Read the turns in records of parliaments that do not speak English: `parliaments/LANGUAGE.txt`."""

from pathlib import Path

import pytest

from indexer.cleaning_marks import clean
from indexer.ingest import read
from indexer.paragraphs import split

FILES = Path(__file__).parent / "parliaments"
CHAIR, ROE = "La presidenta", "Eva Roe i Doe"
SPEAKERS = {
    # A name before a quoted word is read out: who says it is not known.
    "ca": [
        *[CHAIR, ROE, ROE, ROE, CHAIR, "El secretari tercer"],
        *[None, None, None, None, CHAIR, "El conseller d'Obres (Jordi Kim)"],
    ],
    "de": [
        "Vizepräsidentin Petra Roe",
        *["Jan Doe (CDU/CSU)"] * 3,
        "Vizepräsidentin Petra Roe",
        "Lars Kim (BÜNDNIS 90/DIE GRÜNEN)",
        "Dr. Eva Moll, Bundesministerin für Verkehr",
        "Vizepräsidentin Petra Roe",
    ],
    "es": [
        *[None] * 3,
        *["La señora presidenta", "El señor Roe Díaz", "El señor Roe Díaz", "La señora presidenta"],
        *["La señora ministra de Obras (Gómez Doe)", "El señor Roe Díaz"],
        *["La secretaria primera", "La señora presidenta"],
    ],
    "es-caps": [
        *["El señor PRESIDENTE", "La señora DOE GÓMEZ", "La señora DOE GÓMEZ"],
        *["El señor MINISTRO DE OBRAS (Roe Díaz)", "El señor PRESIDENTE"],
    ],
    "fr": [
        *["M. le président", "Mme Jeanne Roe", "Mme Jeanne Roe"],
        *["M. Jean Doe", "M. le ministre", "M. le président", "M. Jean Doe"],
    ],
    "fr-colon": [
        *["Le président", "Mme Roe (PS)", "M. Doe (LR)", "Le président", "Le ministre des Travaux"],
    ],
    "it": [
        *["PRESIDENTE", "MARIO ROE (PD)", "MARIO ROE (PD)", "PRESIDENTE", "ANNA DOE (FI)"],
        *["LUCA KIM, Ministro dei Lavori", "PRESIDENTE"],
    ],
    "nl": [
        *["De voorzitter", "De heer Jansen (VVD)", "Mevrouw De Vries (D66)"],
        *["De heer Jansen (VVD)", "De voorzitter", "Minister Kim"],
    ],
    "pl": [
        *["Marszałek", "Poseł Jan Roe", "Poseł Jan Roe", "Wicemarszałek Anna Doe"],
        *["Minister Infrastruktury Piotr Kim", "Marszałek"],
    ],
    "pt": [
        *["O Sr. Presidente", "A Sr.ª Joana Roe (PS)", "A Sr.ª Joana Roe (PS)", "O Sr. João Doe (PSD)"],
        *["O Sr. Presidente", "A Sr.ª Ministra das Obras (Ana Kim)"],
    ],
}


@pytest.mark.parametrize("language", SPEAKERS)
def test_each_paragraph_is_the_right_person_s(language):
    document = next(iter(read([FILES / f"{language}.txt"], refused=[].append)))
    paragraphs = split(document, count_tokens=lambda text: len(text.split()))
    assert [paragraph.speaker for paragraph in paragraphs] == SPEAKERS[language]


def test_actions_of_a_parliament_are_stage_directions():
    document = next(iter(read([FILES / "de.txt"], refused=[].append)))
    stage = [mark.text for mark in document.marks if mark.kind == "stage"]
    assert stage == ["(Beifall bei der CDU/CSU)", "(Zuruf von der AfD: Schön teuer!)"]


def test_an_office_in_the_speech_of_one_person_is_no_tag():
    speech = ["La presidenta: una mujer de su tiempo.", "Nadie lo ha dicho mejor.", "El pueblo lo sabe."]
    assert not clean(speech).marks
    assert clean(speech).text.startswith("La presidenta: una mujer")


@pytest.mark.parametrize("address", ["Señor presidente", "Frau Präsidentin", "Sr. Presidente"])
def test_an_address_with_a_colon_leaves_the_floor_with_who_has_it(address):
    said = ["El Sr. ROE: Gracias.", f"{address}: usted lo sabe.", "LA SRA. DOE: No."]
    assert [mark.text for mark in clean(said).marks] == ["El Sr. ROE:", "LA SRA. DOE:"]
