"""Of long documents only the best passages run through all layers; what is listed is what all layers say."""

import json

import numpy as np
import pytest

from archive.shipped_files import locate_shipped
from jobs.evidence.finder import measure_heat
from jobs.evidence.highlight import Question, choose_ranges, cut_text, highlight, keep_whole_sentences
from jobs.evidence.job import RankedSentence, Ranker, choose_passages
from jobs.evidence.passages import Passage
from quotations.text.sentences import split_sentences
from reranker.evidence_calibration import EvidenceCalibration
from reranker.models.batches import BATCH_TOKENS
from rostrum_core.evidence import Claim
from rostrum_core.types import Paragraph
from workers.runner.inline import InlineRunner

CLAIM = Claim("Gorbachev should open the gate and tear down the wall.")


@pytest.fixture(scope="module")
def passages():
    """Paragraphs of some speeches, some 6,000 WordPieces, the Brandenburg Gate among them."""
    texts = []
    for line in locate_shipped("samples").joinpath("speeches.jsonl").read_text("utf-8").splitlines():
        speech = json.loads(line)
        if "brandenburg" in speech["id"] or len(texts) < 70:
            texts += speech["paragraphs"][:45]
    return [
        Passage("d", text, tuple(split_sentences(text)), paragraph=make_paragraph(at, text))
        for at, text in enumerate(texts)
    ]


def make_paragraph(ordinal, text):
    return Paragraph(f"p{ordinal}", "d", ordinal, text, 0, len(text))


def make_ranker(models, *, early):
    return Ranker(InlineRunner(lambda: models), models.calibration, BATCH_TOKENS, early)


def test_listed_sentences_have_the_scores_of_all_layers(models, passages):
    early = make_ranker(models, early=True).rank(CLAIM, passages, limit=10, timeout_s=60)
    whole = make_ranker(models, early=False).rank(CLAIM, passages, limit=1000, timeout_s=60)
    assert len(early) == len(whole)
    by_place = {(id(one.passage), one.start_char): one for one in whole}
    listed = [one for one in early if not one.is_estimated]
    assert 10 <= len(listed) < 0.7 * len(early)
    assert early[0].text == whole[0].text
    for one in listed:
        same = by_place[id(one.passage), one.start_char]
        assert one.score == pytest.approx(same.score, abs=0.05)  # the level of all others is estimated
    for one in listed[:10]:
        assert one.stance == by_place[id(one.passage), one.start_char].stance
    assert early[: len(listed)] == listed
    assert not any(one.is_estimated for one in whole)


def test_an_estimated_sentence_has_a_score_and_no_stance(models, passages):
    ranked = make_ranker(models, early=True).rank(CLAIM, passages, limit=10, timeout_s=60)
    estimated = [one for one in ranked if one.is_estimated]
    assert {(one.stance, one.share) for one in estimated} == {("neutral", None)}
    scores = [one.score for one in estimated]
    assert scores == sorted(scores, reverse=True)
    assert 0 < max(scores) < ranked[0].score


def test_as_many_sentences_as_are_asked_for_are_read_whole(models, passages):
    count = sum(len(passage.spans) for passage in passages)
    ranker = make_ranker(models, early=True)
    for limit in (180, count):
        ranked = ranker.rank(CLAIM, passages, limit=limit, timeout_s=60)
        assert sum(not one.is_estimated for one in ranked) >= min(limit, len(ranked))


def test_a_short_document_is_read_whole(models, passages):
    ranked = make_ranker(models, early=True).rank(CLAIM, passages[:12], limit=1, timeout_s=60)
    assert not any(one.is_estimated for one in ranked)


def test_every_group_has_its_best_passage_and_the_rest_goes_to_the_best_of_all():
    merits = np.array([1.0, 2.0, 9.0, 8.0, 7.0, 6.0])
    owners, sizes = np.arange(6), np.full(6, 1000)
    assert choose_passages(merits, owners, sizes, np.array([0, 0, 1, 1, 1, 1]), 1) == [1, 2]
    assert choose_passages(merits, owners, sizes, np.zeros(6, int), 3) == [2, 3, 4]
    assert choose_passages(merits, owners, np.full(6, 3000), np.zeros(6, int), 1) == [2, 3]  # a third of all


def test_a_sentence_without_a_word_does_not_count_as_one_of_the_limit():
    merits = np.array([3.0, -np.inf, 1.0])
    chosen = choose_passages(merits, np.array([0, 0, 1]), np.full(2, 5000), np.zeros(2, int), 2)
    assert chosen == [0, 1]


def test_no_estimated_sentence_is_hotter_than_the_best_that_is_read_whole():
    paragraphs = [make_paragraph(at, "We go. They stay.") for at in range(2)]
    first, second = (
        Passage("d", "We go. They stay.", ((0, 6), (7, 17)), paragraph=paragraph) for paragraph in paragraphs
    )
    ranked = [
        RankedSentence(first, 0, 0, 6, 0.4, "neutral", 0.9),
        RankedSentence(first, 1, 7, 17, 0.1, "neutral", 0.9),
        RankedSentence(second, 0, 0, 6, 0.6, "neutral", None, is_estimated=True),
        RankedSentence(second, 1, 7, 17, 0.2, "neutral", None, is_estimated=True),
    ]
    assert [row.heat for row in measure_heat([first, second], ranked)] == [1.0, 0.25, 1.0, 0.5]


def test_a_text_is_cut_between_sentences_and_its_places_stay():
    text = "  We go 🙂 to the cafe\u0301 of the town. " * 40
    parts = cut_text(text)
    assert len(parts) == 2
    spans = [(part.start_char + start, part.start_char + end) for part in parts for start, end in part.spans]
    assert spans == list(split_sentences(text))
    for part in parts:
        assert text[part.start_char :].startswith(part.text)
    assert cut_text("   ") == []


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("We won. They lost. So be it.", 17, "We won."),
        ("We won. They lost. So be it.", 18, "We won. They lost."),
        ("We won. They lost. So be it.", 28, "We won. They lost. So be it."),
        ("We won. They lost", 17, "We won. They lost"),
        ("We met in the U.S. Senate and left. We won.", 18, "We met in the U.S. Senate and left."),
        (" " * 50 + "We won. They lost.", 30, " " * 50 + "We won."),
    ],
)
def test_a_sentence_is_read_whole(text, most, kept):
    assert keep_whole_sentences(text, most) == kept


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("we met and we left " * 100, 26, "we met and we left we met"),
        ("we met, and we left " * 100, 28, "we met, and we left we met"),
        ("we met, and we left " * 100, 12, "we met"),
        ("we" * 1000, 25, "we" * 12 + "w"),
    ],
)
def test_a_text_without_full_stops_is_cut_at_a_comma_or_word(text, most, kept):
    assert keep_whole_sentences(text, most) == kept


def test_something_is_highlighted_in_a_long_text_without_full_stops(models):
    caption = "today we go to the moon and we choose it because it is hard and nasa has the money " * 40
    question, others = Question("Why do we go to the moon?", caption), [Question(" ", caption)] * 99
    ranges = highlight([question, *others], make_ranker(models, early=False), timeout_s=60)
    ((start, end),) = ranges[0]
    assert start == 0
    assert 800 < end <= 900  # as much as is read of each of 100 texts


def test_no_half_of_a_sentence_is_highlighted(models):
    answer = "The new bridge will be built"
    condition = ", but only if the council of the town votes for it in May."
    long = answer + " and so on" * 100 + condition
    texts = [long, f"{answer}. {'We shall see. ' * 80}", " " * 1000 + answer]
    questions = [Question("Will the bridge be built?", text) for text in texts]
    many = questions + [Question(" ", long)] * 100  # of which 900 characters of each text are read
    ranges = highlight(many, make_ranker(models, early=False), timeout_s=60)
    assert ranges[0] in ([], [(0, len(long))])
    assert ranges[2] == [(1000, 1000 + len(answer))]
    assert ranges[1][0] == (0, len(answer) + 1)


def test_nothing_is_highlighted_that_not_all_layers_have_read():
    passage = Passage("", "We go. They stay.", ((0, 6), (7, 17)), start_char=100)
    ranked = [
        RankedSentence(passage, 0, 0, 6, 0.3, "neutral", 0.9),
        RankedSentence(passage, 1, 7, 17, 0.9, "neutral", None, is_estimated=True),
    ]
    assert choose_ranges(ranked) == [(100, 106)]


def test_each_of_many_texts_has_its_answer_highlighted(models, passages):
    filler = [passage.text for passage in passages if "wall" not in passage.text.lower()]
    answer = "Mr. Gorbachev, open this gate and tear down this wall!"
    texts = []
    for at in range(12):
        own = " ".join(filler[at * 5 : at * 5 + 5])[:1200].rstrip(" .") + "."
        texts.append(f"{answer} {own}" if at % 2 else f"{own} {answer}")
    ranges = highlight(
        [Question(CLAIM.text, text) for text in texts], make_ranker(models, early=True), timeout_s=60
    )
    for text, own in zip(texts, ranges, strict=True):
        assert answer in [text[start:end] for start, end in own]


def test_without_stances_no_clause_is_compared(models, passages):
    ranker = make_ranker(models, early=True)
    (plain,) = ranker.rank_apart(CLAIM, [passages[:3]], limit=2, stances=False, timeout_s=60)
    (whole,) = ranker.rank_apart(CLAIM, [passages[:3]], limit=2, timeout_s=60)
    assert {(one.stance, one.share) for one in plain} == {("neutral", None)}
    assert [one.share is None for one in whole[:3]] == [False, False, True]
    assert [(one.text, one.score) for one in plain] == [(one.text, one.score) for one in whole]


@pytest.mark.parametrize(
    ("claim", "stance"),
    [("The president defended the border.", "neutral"), ("The president wanted to defend it.", "supports")],
)
def test_a_norm_does_not_support_a_report(claim, stance):
    ranker = Ranker(None, EvidenceCalibration(), BATCH_TOKENS)
    text = "We must defend the border."
    sentence = RankedSentence(Passage("d", text, ((0, len(text)),)), 0, 0, len(text), 0.9, "neutral", None)
    marked = ranker._add_stance(Claim(claim), sentence, [0.9, 0.0, 0.1])
    assert (marked.stance, marked.share) == (stance, 0.1 if stance == "neutral" else 0.9)
