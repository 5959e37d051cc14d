"""Find what a draft has just retold, and where the quote is expected then."""

import math
from dataclasses import replace

import numpy as np
import pytest

from quotations.text.kept_words import KEPT
from reranker.models.wordpieces import DraftPieces
from reranker.signals import Context
from reranker.signals.compared_texts import split_words
from reranker.signals.neighbours import AROUND
from reranker.signals.paraphrase import (
    FRESH,
    LIFT,
    REACH_PIECES,
    RETOLD,
    find_retold,
    list_retelling,
    place_candidates,
    read_retold,
)
from rostrum_core.candidates import make_columns
from rostrum_core.types import Candidate, Draft, Paragraph, Placing, Tokens
from rostrum_core.word_rows import WordRows

SPEECH = [
    "We stand on a lonely shore.",
    "Two hundred came. After 2 days of fighting, only 90 could still bear arms.",
    "These are the boys of the cliff.",
    "We thank you all.",
]
LEFT = "Of 225 who landed there ninety could still bear arms after two days of fighting. He told the crowd"
IDS: dict[str, int] = {}


def tokens(text: str) -> Tokens:
    """One piece a word, at its place."""
    starts, at = [], 0
    for word in text.split():
        starts.append(text.index(word, at))
        at = starts[-1] + len(word)
    ends = [start + len(word.rstrip(".,")) for start, word in zip(starts, text.split(), strict=True)]
    ids = [IDS.setdefault(word, len(IDS) + 1) for word in split_words(text)]
    assert len(ids) == len(starts)
    return Tokens(*(np.array(values, np.int32) for values in (ids, starts, ends)))


def context(left: str = LEFT, texts: list[str] = SPEECH) -> Context:
    rows = [
        Candidate(Paragraph(str(i), "a", i, text, 0, len(text)), tokens(text), {})
        for i, text in enumerate(texts)
    ]
    ids = np.array([IDS.setdefault(word, len(IDS) + 1) for word in split_words(left)], np.int32)
    return Context(make_columns(rows), Draft(left=left), DraftPieces(ids, ids[:0]))


def test_a_sentence_in_other_words_is_retold():
    (sentence,) = find_retold(LEFT, SPEECH)[1]
    assert SPEECH[1][sentence.start_char : sentence.end_char].startswith("After 2 days")
    assert sentence.share == 1.0


def test_a_number_that_its_sentence_reads_otherwise_does_not_count():
    # "thousand, six" is one number unless another "thousand" follows
    left = "He said that soldiers marched bravely across wide rivers. They wept, and he said"
    text = "Soldiers marched bravely across wide rivers, five thousand, six hundred. Two thousand came."
    (sentence,) = find_retold(left, [text])[0]
    assert sentence.share == 1.0


@pytest.mark.parametrize(
    "left",
    [
        "He spoke of the war. After two days of fighting only ninety could still bear arms",  # announces it
        'He said: "After 2 days of fighting, only 90 could still bear arms." Then he said',  # quotes it
        "They fought for days and some could still fight. He said",  # shares too few words
        "",
    ],
)
def test_announced_or_quoted_words_are_not_retold(left):
    assert not any(find_retold(left, SPEECH))


def test_a_clause_before_the_last_one_is_read():
    assert list_retelling("He blamed the Union for what it had done, and then announced:") == [
        "He blamed the Union for what it had done"
    ]


def test_the_quote_is_expected_after_what_is_retold():
    lifts = RETOLD.column(context())
    assert lifts is not None
    assert lifts[:2].tolist() == [0.0, 0.0]
    after = np.arange(7)  # words of the next paragraph, right after the sentence
    assert lifts[2] == pytest.approx(math.log(np.mean(1 + LIFT * np.exp(-after / REACH_PIECES))))
    assert lifts[2] > lifts[3] > 0


def test_texts_are_read_for_retold_sentences_only_if_the_archive_keeps_no_words():
    plain = context()
    read: list[int] = []

    def note(rows):
        read.extend(rows)
        return plain.candidates.read(rows)

    rows = {name: WordRows.of(map(words, SPEECH)) for name, words in KEPT.items()}
    kept = replace(plain.candidates, read=note, words={name: lambda _, n=name: rows[n] for name in rows})
    found = read_retold(replace(plain, candidates=kept, _computed={}))
    assert found == read_retold(plain)
    assert read == [1]


def test_a_second_retold_sentence_begins_the_count_anew():
    texts = [*SPEECH, "Strength and patience and courage won the long battle. Then came peace."]
    left = "Courage and patience and strength won the long battle of the Rangers. " + LEFT
    lifts = RETOLD.column(context(left, texts))
    assert lifts is not None
    near, far = np.arange(3), np.full(9, np.inf)  # "Then came peace.", and the sentence itself
    assert lifts[4] == pytest.approx(
        math.log(np.mean(1 + LIFT * np.exp(-np.concatenate([near, far]) / REACH_PIECES)))
    )


def test_the_retold_sentence_itself_is_no_news():
    column = FRESH.column(context())
    assert column is not None
    assert column.tolist() == [0.0, -1.0, 0.0, 0.0]


def test_pieces_of_a_retold_sentence_count_as_quoted():
    placings = place_candidates(context())
    assert list(placings) == [1]
    since = placings[1].words_since.tolist()
    assert since == [Placing.NOTHING] * 3 + [Placing.QUOTED] * 11


def test_a_query_retells_nothing():
    retold = RETOLD.column(context("only 90 could still bear arms"))
    assert retold is not None
    assert not retold.any()


def test_the_quote_is_expected_after_the_last_of_two_retold_paragraphs():
    again = SPEECH[1].replace("Two hundred came.", "Hear it once more.")
    lifts = RETOLD.column(context(texts=[*SPEECH[:3], again, SPEECH[3]]))
    assert lifts is not None
    after = np.arange(4)  # words of the paragraph after the second one
    assert lifts[4] == pytest.approx(math.log(np.mean(1 + LIFT * np.exp(-after / REACH_PIECES))))


def test_what_a_draft_retells_does_not_raise_its_neighbours_by_its_words():
    asked = context()
    scored = Context(
        asked.candidates.add_columns({"lexical": np.array([1.0, 9.0, 2.0, 1.5])}), asked.draft, asked.pieces
    )
    column = AROUND.column(scored)
    assert column is not None
    assert column.tolist() == [1.0, 1.5, 1.25, 1.5]  # the retold paragraph counts with the least, 1


def test_a_short_sentence_next_to_a_retold_one_is_retold_too():
    text = "We gave them seed. They planted every field between the river and the wood. We mourn. They sang."
    left = "They had planted each field between the river and the wood with the seed that he gave. He said"
    [sentences] = find_retold(left, [text])
    assert [text[s.start_char : s.end_char] for s in sentences] == [
        "We gave them seed.",
        "They planted every field between the river and the wood.",
    ]
    assert find_retold("They sang, and the seed was given. He said", [text]) == [[]]
