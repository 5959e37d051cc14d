"""From the model's cut to the span for print, by small speeches of our own."""

from dataclasses import replace

import pytest

from jobs.recommend.print_order import prepare_best
from jobs.recommend.printing import Preparer, Surroundings, prepare_for_print, read_context
from jobs.recommend.timings import Stages
from rostrum_core.deadline import limit_time
from rostrum_core.errors import StoreError
from rostrum_core.types import (
    Context,
    Document,
    DocumentInfo,
    Mark,
    Paragraph,
    Recommendation,
    Span,
)

OPENING = "Friends, we came here in the spring."
QUOTE = "We built this road with our own hands. Some say that the work is lost, but I know what we built."
CLOSING = "Let us walk it together. Thank you."


def speech(*texts, marks=()):
    paragraphs, start = [], 0
    for ordinal, text in enumerate(texts):
        paragraphs.append(Paragraph(f"p{ordinal}", "s", ordinal, text, start, start + len(text)))
        start += len(text) + 2
    document = Document("s", "The road", "\n\n".join(texts), speaker="Ada Lee", marks=tuple(marks))
    return Surroundings(document, paragraphs)


def recommend(surroundings, words, ordinal=1):
    paragraph = surroundings.paragraphs[ordinal]
    start = paragraph.text.index(words)
    span = Span(start, start + len(words), 1.5)
    return Recommendation(1, paragraph, DocumentInfo("s", "The road"), (span,), {})


def printed(recommendation):
    return [recommendation.paragraph.text[s.start_char : s.end_char] for s in recommendation.spans]


def test_a_cut_that_is_fit_for_print_stays_and_has_its_context():
    road = speech(OPENING, QUOTE, CLOSING)
    found = prepare_for_print(recommend(road, "We built this road with our own hands"), road)
    assert printed(found) == ["We built this road with our own hands"]
    assert found.spans[0].warnings == ()
    assert found.spans[0].ready
    assert replace(found.spans[0], printability=None, ready=None) == found.cut
    assert found.context == Context(OPENING, "Some say that the work is lost, but I know what we built.")


def test_a_cut_that_drops_who_says_it_grows_until_it_has_it():
    road = speech(OPENING, QUOTE, CLOSING)
    found = prepare_for_print(recommend(road, "the work is lost"), road)
    assert printed(found) == ["Some say that the work is lost, but I know what we built"]
    assert QUOTE[found.cut.start_char : found.cut.end_char] == "the work is lost"


def test_a_joke_says_where_the_audience_laughed():
    joke = "I am the machine. Blame it on the machine, my dear friends."
    at = len(OPENING) + 2 + joke.index("Blame")
    road = speech(OPENING, joke, marks=[Mark("stage", "(Laughter.)", at)])
    found = prepare_for_print(recommend(road, joke[:-1]), road)
    assert "the audience laughed here" in [warning.message for warning in found.spans[0].warnings]


def test_the_paragraph_before_and_the_tag_of_the_turn_tell_whose_words_they_are():
    law = "A keeper of a gate may not refuse a traveller, nor ask for more than a penny."
    warning = "the speaker may be reading this out from a law, a letter or scripture"
    read_out = speech("It is as plainly written in the charter as the rest:", law)
    own = speech(OPENING, law)
    assert [
        warning in [w.message for w in prepare_for_print(recommend(road, law[:-1]), road).spans[0].warnings]
        for road in (read_out, own)
    ] == [True, False]
    asked = speech(OPENING, "What made you build the road by hand?")
    asked.paragraphs[1] = replace(asked.paragraphs[1], speaker="Q")
    (span,) = prepare_for_print(recommend(asked, "What made you build the road by hand?"), asked).spans
    assert [warning.kind for warning in span.warnings] == ["meaning"]


def test_a_long_span_has_a_shorter_one_after_it():
    first = (
        "We built this road with our own hands and with the hands of those who came before us in the spring"
    )
    second = "we will walk it together with all who came here from the farms and the towns and the mills"
    text = f"{first}, and {second}."
    road = speech(OPENING, text)
    found = prepare_for_print(recommend(road, text[:-1]), road)
    assert printed(found) == [text[:-1], first]
    assert [warning.kind for warning in found.spans[0].warnings] == ["length"]


def test_a_sentence_that_cannot_be_read_alone_comes_after_one_that_can():
    text = "Our fathers built the road by hand in the long winter. They never asked who would walk it."
    far = (
        "That was not about the few who came late and asked for more than the men who had built it could give"
        " them in all their lives."
    )
    road = speech(OPENING, f"{text} {far}")
    found = prepare_for_print(recommend(road, "They never asked who would walk it"), road)
    assert printed(found) == [text[:-1]]
    found = prepare_for_print(recommend(road, far[:-1]), road)
    assert printed(found)[1] == far[:-1]
    assert printed(found)[0] in text
    assert [warning.kind for warning in found.spans[0].warnings] == ["doubt"]
    assert "context" in [warning.kind for warning in found.spans[1].warnings]


@pytest.mark.parametrize(
    ("words", "ordinal", "before", "after"),
    [
        ("we came here in the spring", 0, "Friends,", "We built this road with our own hands."),
        ("Thank you", 2, "Let us walk it together.", ""),
        ("I know what we built", 1, "Some say that the work is lost, but", "Let us walk it together."),
    ],
)
def test_context_is_what_stands_next_to_the_span(words, ordinal, before, after):
    road = speech(OPENING, QUOTE, CLOSING)
    found = recommend(road, words, ordinal)
    assert read_context(found.paragraph, found.spans[0], road) == Context(before, after)


class Store:
    """Only `get`, of one speech or a failure."""

    def __init__(self, answer):
        self.answer = answer

    def get(self, document_id):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_an_archive_that_fails_leaves_the_spans_without_context():
    road, stages = speech(OPENING, QUOTE), Stages()
    wanted = recommend(road, "We built this road with our own hands")
    found = Preparer(Store(StoreError("gone")), stages).prepare(wanted)
    assert found.context is None
    assert printed(found) == ["We built this road with our own hands"]
    assert stages.degraded == ["context: gone"]


def test_a_paragraph_of_another_generation_has_no_context():
    road = speech(OPENING, QUOTE)
    wanted = recommend(road, "We built this road with our own hands")
    wanted = replace(wanted, paragraph=replace(wanted.paragraph, id="other"))
    found = Preparer(Store((road.document, tuple(road.paragraphs))), Stages()).prepare(wanted)
    assert found.context is None


def test_without_time_the_cuts_go_out_as_they_are():
    road, stages = speech(OPENING, QUOTE), Stages()
    wanted = recommend(road, "the work is lost")
    with limit_time(0):
        (found,) = prepare_best(
            [wanted], Preparer(Store((road.document, tuple(road.paragraphs))), stages).prepare, 1
        )
    assert found == wanted
    assert stages.degraded == ["print: no time after the first 0 spans"]
