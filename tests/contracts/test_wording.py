"""Which paragraphs share runs of words with a text: the same of every store."""

import pytest

from rostrum_core.types import Filter

SPEECHES = {
    "a": ["We gather here.", "We choose to go to the moon in this decade.", "Not because it is easy."],
    "b": ["The moon is far away from us all.", "Nobody will go to the river today."],
}


def names(paragraphs):
    return [(paragraph.document_id, paragraph.ordinal) for paragraph in paragraphs]


def test_the_paragraph_with_most_runs_of_words_comes_first_and_its_neighbours_follow(
    store, entry, publish
) -> None:
    publish(store, *(entry(name, paragraphs) for name, paragraphs in SPEECHES.items()))
    [paragraphs] = store.find_wording(["we CHOOSE to go to the moon"])
    assert names(paragraphs)[0] == ("a", 1)
    assert {("a", 0), ("a", 2)} <= set(names(paragraphs))
    assert len(names(paragraphs)) == len(set(names(paragraphs)))


def test_each_text_has_an_answer_of_its_own_in_order(store, entry, publish) -> None:
    publish(store, *(entry(name, paragraphs) for name, paragraphs in SPEECHES.items()))
    first, none, last = store.find_wording(
        ["because it is easy", "quite unheard-of words", "moon is far away"]
    )
    assert names(first)[0] == ("a", 2)
    assert none == []
    assert names(last)[0] == ("b", 0)


def test_a_filter_keeps_other_speeches_out(store, entry, publish) -> None:
    publish(store, *(entry(name, paragraphs) for name, paragraphs in SPEECHES.items()))
    [paragraphs] = store.find_wording(["we choose to go to the moon"], filter=Filter(documents=("b",)))
    assert {document for document, _ in names(paragraphs)} <= {"b"}


@pytest.mark.parametrize("name", ["Ann Mary Roe", "ROE", "roe ann", "Roé"])
def test_a_filter_for_a_speaker_takes_parts_of_the_name(store, entry, publish, name) -> None:
    said = ["We choose to go to the moon."]
    publish(store, entry("a", said, speaker="Ann Mary Roe"), entry("b", said, speaker="Bob Royce"))
    [paragraphs] = store.find_wording(said, filter=Filter(speakers=(name,)))
    assert names(paragraphs) == [("a", 0)]


@pytest.mark.parametrize("name", ["Ro", "Ann Royce", "nobody"])
def test_a_filter_for_a_speaker_whom_nobody_is_finds_nothing(store, entry, publish, name) -> None:
    said = ["We choose to go to the moon."]
    publish(store, entry("a", said, speaker="Ann Mary Roe"), entry("b", said, speaker="Bob Royce"))
    assert store.find_wording([*said, "go to"], filter=Filter(speakers=(name,))) == [[], []]


def test_a_sentence_of_hundreds_of_speeches_is_found_with_all_that_stands_around_it(
    store, entry, publish
) -> None:
    stock = "I thank my right honourable friend for raising that important question today."
    speeches = [entry(f"{number:03}", [f"{number} before.", stock, "After."]) for number in range(600)]
    publish(store, *speeches)
    [paragraphs, none] = store.find_wording([stock, "quite unheard-of words"], limit=600)
    assert {ordinal for _, ordinal in names(paragraphs)[:600]} == {1}
    assert len(set(names(paragraphs))) == len(paragraphs) == 3 * 600
    assert none == []


def test_a_speech_that_is_gone_is_not_found(store, entry, publish) -> None:
    publish(store, *(entry(name, paragraphs) for name, paragraphs in SPEECHES.items()))
    publish(store, delete=["a"])
    [paragraphs] = store.find_wording(["we choose to go to the moon"])
    assert all(document != "a" for document, _ in names(paragraphs))


def test_words_of_the_next_speech_count_for_no_paragraph_of_this_one(store, entry, publish) -> None:
    publish(store, entry("a", ["The bridge is old."]), entry("b", ["The ferry left before the flood came."]))
    text = "the bridge is closed and the ferry left before the flood"
    [paragraphs] = store.find_wording([text], limit=1)
    assert names(paragraphs) == [("b", 0)]


def test_a_filter_for_a_speaker_keeps_the_turns_of_others_out(store, entry, publish) -> None:
    oath = "I will keep the bridge open until the last cart has crossed it"
    turns = tuple(f"MEMBER {number}" for number in range(40))
    texts = [f"{oath}."] * 40 + ["Order, order.", f"{oath}, and I mean it."]
    publish(store, entry("debate", texts, speaker="Cy Chair", turns=(*turns, "Cy Chair", "Ann Roe")))
    [paragraphs] = store.find_wording([oath], filter=Filter(speakers=("Ann Roe",)))
    assert names(paragraphs)[0] == ("debate", 41)


def test_long_lists_of_figures_and_addresses_are_looked_up(store, entry, publish) -> None:
    publish(store, entry("a", ["100,700,100, 101,737,191 and 102,774,282 of them"]))
    figures = ", ".join(f"{100 + i},{700 + 37 * i % 300},{100 + 91 * i % 900}" for i in range(400))
    addresses = " ".join(f"https://example.org/a/{i}/b-{i}?c={i}" for i in range(150))
    first, second = store.find_wording([figures, addresses])
    assert names(first) == [("a", 0)]
    assert second == []
