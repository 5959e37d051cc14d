"""Drafts of many kinds over the sample archive: what their last words ask for comes first, or nearly."""

from dataclasses import replace
from pathlib import Path

import pytest

from archive.shipped_files import locate_shipped
from jobs.drafts import read_draft
from reranker.fit_probability import LIKELY
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Answer, Draft

DRAFTS = Path(__file__).parents[2] / "benchmarks" / "own_drafts"
FIRST = {
    "essay-lincoln-begun.md": "With malice toward none",
    "email-eisenhower-typos.txt": "large arms industry",
    "german-berlin.md": "Ich bin ein Berliner",
    "news-nixon-begun.md": "abhorrent to every instinct",
    "news-covid-right.md": "suspending all travel from Europe",
    "email-jfk-peace-typos.txt": "in the final analysis",
    "essay-great-society.md": "a place where every child",
    "news-guns.md": "reinstate the assault weapons ban",
    "essay-dday-reagan.md": "These are the boys of Pointe du Hoc",
}
"""What stands in the paragraph that should be first."""

FIRST_THREE = {
    "long-afghanistan.md": "third decade of war",
    "shorttitle.txt": "AI",
}
TIMEOUT_S = 250.0


@pytest.fixture(scope="module")
def ask(sample_archive):
    service = assemble(replace(read_settings({}), archive=sample_archive))

    def ask(path: Path) -> Answer:
        return service.recommend(read_draft(path), limit=3, timeout_s=TIMEOUT_S)

    return ask


@pytest.fixture(scope="module")
def ask_draft(sample_archive):
    service = assemble(replace(read_settings({}), archive=sample_archive))
    return lambda draft: service.recommend(draft, limit=3, timeout_s=TIMEOUT_S)


@pytest.mark.parametrize("name", FIRST)
def test_the_paragraph_that_a_draft_asks_for_is_first(ask, name):
    assert FIRST[name] in ask(DRAFTS / name).recommendations[0].paragraph.text


@pytest.mark.parametrize("name", FIRST_THREE)
def test_the_paragraph_that_a_draft_asks_for_is_among_the_first_three(ask, name):
    assert any(FIRST_THREE[name] in r.paragraph.text for r in ask(DRAFTS / name).recommendations)


@pytest.mark.parametrize(
    ("draft", "document"),
    [
        (
            "Vor dem Brandenburger Tor sprach Ronald Reagan im Juni 1987 und wandte sich direkt an den Mann"
            " in Moskau. Er forderte Gorbatschow auf, das Tor zu öffnen und die Mauer",
            "1987-06-12",
        ),
        (
            "En junio de 2009 Barack Obama habló en la Universidad de El Cairo. Dijo que había venido a"
            " buscar un nuevo comienzo entre Estados Unidos y los musulmanes, basado en el interés mutuo",
            "2009-06-04",
        ),
    ],
)
def test_a_draft_in_another_language_finds_the_speech_of_the_speaker_it_names(ask, tmp_path, draft, document):
    path = tmp_path / "draft.txt"
    path.write_text(draft, "utf-8")
    answer = ask(path)
    assert answer.recommendations[0].document.id.startswith(document)
    assert "draft: it does not look like English: only names and shared words can match" in answer.degraded


def test_the_draft_of_the_demo_finds_its_wall(ask):
    answer = ask(locate_shipped("samples/drafts/wall.md"))
    assert "tear down this wall" in answer.recommendations[0].paragraph.text


def test_a_name_in_a_headline_finds_its_speech(ask):
    answer = ask(DRAFTS / "short-challenger.txt")
    assert {r.document.title for r in answer.recommendations} == {"Address on the Space Shuttle “Challenger”"}


def test_what_a_draft_has_retold_is_not_offered_again(ask):
    for name, retold in (("essay-dday-reagan.md", "bear arms"), ("news-covid-right.md", "precautions")):
        for recommendation in ask(DRAFTS / name).recommendations:
            (span, *_) = recommendation.spans
            assert retold not in recommendation.paragraph.text[span.start_char : span.end_char]


def test_misspelt_words_are_read_and_named(ask):
    answer = ask(DRAFTS / "email-eisenhower-typos.txt")
    assert any("indstry as industry" in remark for remark in answer.remarks)


def test_a_draft_about_a_speaker_who_is_not_in_the_archive_is_told_so(ask):
    answer = ask(DRAFTS / "absent-churchill.md")
    assert answer.fit is not None
    assert answer.fit < LIKELY
    assert any("nothing here seems to fit" in remark for remark in answer.remarks)


@pytest.mark.parametrize("name", [*FIRST, "short-challenger.txt", "shorttitle.txt"])
def test_a_right_answer_is_not_called_unlikely(ask, name):
    answer = ask(DRAFTS / name)
    assert answer.fit is not None
    assert answer.fit >= LIKELY


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("what did Obama say about the Constitution and slavery?", "Barack Obama"),
        ("What did Lyndon Johnson say about the moon?", "Lyndon B. Johnson"),
        ("what did Reagan think of slavery", "Ronald Reagan"),
    ],
)
def test_a_question_about_what_a_person_said_is_answered_by_that_person(sample_archive, question, speaker):
    service = assemble(replace(read_settings({}), archive=sample_archive))
    answer = service.recommend(Draft(left=question), limit=3, timeout_s=TIMEOUT_S)
    assert {row.document.speaker for row in answer.recommendations} == {speaker}


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (
            "The president, at Morehouse on Sunday, warned the young men about those who would erase their"
            " history. \"They don't see you",
            "They don’t see you in the future of America",
        ),
        (
            "Johnson went up to the Hill and told a joint session of Congress what he thought of the poll tax"
            " and the literacy test. “It is wrong, deadly wrong, to deny",
            "It is wrong—deadly wrong—to deny any of your fellow Americans",
        ),
    ],
)
def test_a_quotation_that_the_draft_opens_is_marked_first(ask_draft, left, words):
    best = ask_draft(Draft("A speech, recalled", left)).recommendations[0]
    [span] = best.spans[:1]
    assert words in best.paragraph.text[span.start_char : span.end_char]


@pytest.mark.parametrize(
    ("title", "left", "words"),
    [
        (
            "Wording for Sunday",
            'Dear all, I remember "with malice toward none" from the second inaugural. I am sure you have'
            " it at hand. Could you send me the exact words, and the date?",
            "With malice toward none",
        ),
        (
            "Posted today",
            "Sixty years on, and with a deficit that grows each year, it is still true: we must act"
            " today to preserve tomorrow. Who said it? @library",
            "We must act today in order to preserve tomorrow",
        ),
    ],
)
def test_a_message_that_asks_for_the_wording_gets_the_words_that_it_remembers(ask_draft, title, left, words):
    best = ask_draft(Draft(title, left)).recommendations[0]
    [span, *_] = best.spans
    assert best.paragraph.text[span.start_char :].startswith(words)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "freedom has many dificulties, and democracy isn't perfect, but we never put up a wall to keep"
            " our people in",
            "Freedom has many difficulties and democracy is not perfect",
        ),
        (
            "There is no Negro problem, no Southern problem, no Northern problem, only an American problem",
            "There is no Negro problem. There is no Southern problem.",
        ),
        (
            "happiness lies not in the mere possession of money; it lies in the joy of achievment",
            "Happiness lies not in the mere possession of money; it lies in the joy of achievement",
        ),
    ],
)
def test_a_long_line_that_is_remembered_is_marked(ask_draft, line, words):
    best = ask_draft(Draft(left=line)).recommendations[0]
    [span, *_] = best.spans
    assert best.paragraph.text[span.start_char :].startswith(words)


SPOKEN = (
    "Let’s give Medicare the power to save hundreds of billions of dollars by negotiating lower prices for"
    " prescription drugs."
)


@pytest.mark.parametrize(
    "left",
    [
        SPOKEN,
        SPOKEN.removesuffix("."),
        f"Who said this? “{SPOKEN}”",
        f"I need the exact words where Biden says that {SPOKEN}",
    ],
)
def test_a_sentence_that_is_typed_word_for_word_comes_first_and_is_marked(ask_draft, left):
    best = ask_draft(Draft(left=left)).recommendations[0]
    [span, *_] = best.spans
    assert best.paragraph.text[span.start_char :].startswith(SPOKEN.removesuffix("."))


def test_a_typed_sentence_comes_before_others_on_its_subject(ask_draft):
    line = (
        "And in the past year alone, about 10 million uninsured Americans finally gained the security of"
        " health coverage."
    )
    best = ask_draft(Draft(left=line)).recommendations[0]
    assert best.paragraph.text[best.spans[0].start_char :].startswith(line.removesuffix("."))


def test_a_sentence_that_an_article_has_below_its_title_is_not_offered_again(ask_draft):
    for recommendation in ask_draft(Draft("Prices of drugs", SPOKEN)).recommendations:
        [span, *_] = recommendation.spans
        assert "the power to save" not in recommendation.paragraph.text[span.start_char : span.end_char]


@pytest.mark.parametrize(
    ("title", "left", "retold"),
    [
        (
            "Reagan in Normandy",
            "Reagan told how the Rangers saw enemy soldiers above them at the edge of the cliffs, firing"
            " machine guns and throwing grenades down on them. Then he said",
            "saw the enemy soldiers",
        ),
        (
            "The airlift",
            "Biden noted that more than 120,000 people had been evacuated, in one of the largest airlifts in"
            " history, double what experts had believed possible. Then he went on to say:",
            "most experts thought",
        ),
    ],
)
def test_what_a_draft_has_retold_is_not_marked_before_an_announcement(ask_draft, title, left, retold):
    for recommendation in ask_draft(Draft(title, left)).recommendations:
        [span, *_] = recommendation.spans
        assert retold not in recommendation.paragraph.text[span.start_char : span.end_char]


def test_a_person_who_is_quoted_and_is_not_in_the_archive_is_named(ask_draft):
    left = "In 1930 Mahatma Gandhi walked to the sea and picked up some salt. With this, he told the crowd,"
    answer = ask_draft(Draft("Gandhi and salt", left))
    assert "the draft seems to quote Mahatma Gandhi, by whom none of these is" in answer.remarks
    assert answer.fit is not None
    assert answer.fit < LIKELY


def test_a_speaker_who_is_named_after_the_quote_counts(ask_draft):
    left = (
        "WASHINGTON - The department will wipe out loans of former students of a college that has closed. “"
    )
    answer = ask_draft(Draft("Relief for debtors", left, "” Vice President Kamala Harris said on Thursday."))
    assert {r.document.speaker for r in answer.recommendations} == {"Kamala Harris"}
    assert any("names Kamala Harris" in remark for remark in answer.remarks)


def test_words_in_quotation_marks_that_occur_nowhere_are_named(ask_draft):
    remarks = ask_draft(Draft(left='"peace dividend"')).remarks
    assert "none of these has “peace dividend”, word for word" in remarks
    assert not any("word for word" in remark for remark in ask_draft(Draft(left='"fear itself"')).remarks)


@pytest.mark.parametrize(
    ("left", "note"),
    [
        ("Fragt nicht, was euer Land für euch tun kann", "draft: it does not look like English: "),
        ("대통령은 베를린에서 연설했다", "draft: it does not look like English: "),
        ("🚀🌕", "draft: there is no word to search by"),
    ],
)
def test_a_short_draft_that_cannot_be_read_is_noted(ask_draft, left, note):
    assert any(reason.startswith(note) for reason in ask_draft(Draft(left=left)).degraded)


@pytest.mark.parametrize(
    ("lead", "speaker"),
    [
        ("Abraham Lincoln asked the nation to act without hatred:", "Abraham Lincoln"),
        ("Lincoln asked a divided country to forgive:", "Abraham Lincoln"),
        ("Franklin Roosevelt warned Americans about being afraid:", "Franklin D. Roosevelt"),
        ("President Kennedy promised to send a man to the moon:", "John F. Kennedy"),
        ("In 1961 Dwight Eisenhower warned of the power of arms makers:", "Dwight D. Eisenhower"),
        ("Reagan called the Soviet Union evil when he said", "Ronald Reagan"),
        ("Lyndon Johnson said of the right to vote,", "Lyndon B. Johnson"),
        ("Obama told Muslims in Cairo that he wanted a new start:", "Barack Obama"),
    ],
)
def test_the_speaker_to_whom_a_short_draft_attributes_the_quote_comes_before_those_who_name_him(
    ask_draft, lead, speaker
):
    answer = ask_draft(Draft(left=lead))
    assert answer.recommendations[0].document.speaker == speaker


def test_a_short_draft_that_quotes_an_absent_person_says_so_though_it_names_a_speaker(ask_draft):
    answer = ask_draft(Draft(left="Gerald Ford explained why he had to pardon Nixon:"))
    assert "the draft seems to quote Gerald Ford, by whom none of these is" in answer.remarks
