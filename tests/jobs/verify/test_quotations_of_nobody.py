"""Test quotations that nobody is named for: shared phrases are no source, and a dropped "not" is found."""

import pytest

from jobs.verify.job import Verifier
from jobs.verify.quote_lists import make_row
from jobs.verify.readings import Printed, read_window
from jobs.verify.windows import make_window
from rostrum_core.types import Paragraph

SPEECHES = {
    "Ada Rivers": [
        "Our fishermen had hoped for it, but everything is supposed to come to a screeching halt by Friday.",
        "I am simply not going to go into greater detail on the harbor talks.",
        "At the end of the day, this isn't a dictatorship, and the members have to vote.",
        "In this room we speak of eels, of nets and of the smell of tar in the morning.",
        "We have come a long way since the first net was cast here by our grandfathers.",
    ],
    "Bela Marsh": [
        "On the dredging I am really not going to go into greater detail today.",
        "At the end of the day, this is a question of money.",
        "Nobody forgot the depths of the great herring winter.",
    ],
}


@pytest.fixture(scope="module")
def verifier(make_verifier) -> Verifier:
    return make_verifier(
        [
            {"id": name[0], "title": "Talk", "speaker": name, "date": "2016-10-09", "paragraphs": paragraphs}
            for name, paragraphs in SPEECHES.items()
        ]
    )


@pytest.mark.parametrize(
    ("quote", "speaker", "verdict"),
    [
        # pieces of two persons
        ("We have come a long way since the depths of the great herring winter", None, "not_found"),
        ("We have come a long way since the depths of the great herring winter", "Ada Rivers", "merged"),
        # two persons say nearly this
        ("I am not going to go into greater detail", None, "not_found"),
        ("I am not going to go into greater detail", "Ada Rivers", "edited"),
        # a phrase is shared, a word of it is not
        ("Work has come to a screeching halt", None, "not_found"),
        # one "not" is dropped from words of which most are common
        ("At the end of the day, this is a dictatorship", None, "altered"),
        # one word is added, the others stand there
        ("we speak of eels, of nets and of the sweet smell of tar", None, "edited"),
    ],
)
def test_a_shared_phrase_is_no_source(verifier, quote, speaker, verdict) -> None:
    [check] = verifier.verify([make_row("1", quote, speaker)]).checks
    assert check.verdict == verdict


@pytest.mark.parametrize(
    ("quote", "spoken", "changes"),
    [
        ("this is not the end of it for us", "this is the end of it for us", 0),
        ("they have not to report it", "they have to report it", 0),
        ("the Senate should not move forward with it", "the Senate to move forward with it", 1),
        ("1 percent of the 1 percent", "1 percent of taxpayers. Not the top 1 percent", 1),
        ("we speak of nets", "we always speak of old nets", 1),
        ("we are enemies, not friends", "we are not enemies, but friends", 0),
        ("we are doomed to decline", "we are not, as some would have us believe, doomed to decline", 0),
        ("we speak of nets", "we speak of old nets", 0),
    ],
)
def test_further_changes_next_to_an_altered_word_are_counted(quote, spoken, changes) -> None:
    paragraph = Paragraph("p", "d", 0, spoken, 0, len(spoken))
    reading = read_window(Printed.of((quote,)), make_window([paragraph]))
    assert reading is not None
    assert reading.further_changes == changes
