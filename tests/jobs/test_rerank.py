"""Texts that a caller brings are ranked as those of an archive are."""

import numpy as np
import pytest

from jobs.rerank.job import LEAST_SCORE, LONGEST_PIECE, MOST_PIECES, RerankedText, _read, rerank
from reranker.models.loaded import Models
from reranker.models.wordpieces import find_word_bounds, mark_word_edges
from rostrum_core.errors import BadInput, TaskError
from rostrum_core.types import Draft, Span
from workers.runner.inline import InlineRunner

DRAFT = Draft("Moon", "He spoke in Houston.")


@pytest.fixture
def reranked(models: Models):
    runner = InlineRunner(lambda: models)

    def act(texts, draft=DRAFT, timeout_s=60.0, **options):
        return rerank(draft, texts, runner=runner, models=models, timeout_s=timeout_s, **options)

    return act


def test_scores_and_spans_are_the_ranker_s_in_the_order_of_the_texts(reranked, models) -> None:
    texts = ["We choose to go to the moon. " * n for n in (9, 1, 30)]
    tokens = models.wordpieces.tokenise(texts)
    expected = models.ranker.rank(models.wordpieces.tokenise_query(DRAFT.title, DRAFT.left), texts, tokens)
    found = reranked(texts)
    np.testing.assert_allclose([each.score for each in found.texts], [e.score for e in expected], atol=1e-4)
    assert [bounds(each.span) for each in found.texts] == [bounds(each.span) for each in expected]
    # [CLS] moon [body_start] he spoke in houston . [SEP], and eight pieces for each of 40 sentences
    assert found.pieces == 9 + 40 * 8


def test_a_span_does_not_repeat_what_the_draft_has_of_the_text(reranked) -> None:
    text = "We choose to go to the moon in this decade. We do it because it is hard."
    [plain] = reranked([text]).texts
    [found] = reranked([text], draft=Draft("", f"He said: {text[:43]} And then he told them why:")).texts
    assert text[plain.span.start_char :].startswith("We choose")
    assert found.span.start_char >= 44


def bounds(span: Span | None) -> tuple[int, int] | None:
    return span and (span.start_char, span.end_char)


def test_texts_without_words_come_last_and_keep_their_places(reranked) -> None:
    found = reranked(["", "We choose to go.", " \n"]).texts
    assert found[0] == found[2] == RerankedText(LEAST_SCORE, None)
    assert found[1].score > LEAST_SCORE
    assert reranked(["", ""]).texts == (RerankedText(LEAST_SCORE, None),) * 2
    assert reranked([]).texts == ()


def test_of_a_long_text_the_beginning_is_read(reranked) -> None:
    begins, ends = "moon " * 5, "rocket " * 50
    whole, cut = reranked([begins + ends], most_pieces=5), reranked([begins])
    assert whole.pieces == cut.pieces
    assert whole.texts[0].score == pytest.approx(cut.texts[0].score, abs=1e-4)


def test_of_a_long_text_no_more_is_handed_on_than_is_read(models: Models) -> None:
    handed: list[str] = []

    class Noting(InlineRunner):
        def run(self, task, payloads, *, timeout_s):
            handed.extend(text for each in payloads for text in each.get("texts", ()))
            return super().run(task, payloads, timeout_s=timeout_s)

    text = "moon " * 2_000_000
    rerank(DRAFT, [text], runner=Noting(lambda: models), models=models, timeout_s=60.0, most_pieces=50)
    assert [len(each) for each in handed] == [len("moon ") * 50 + 1]


@pytest.mark.parametrize(
    "text",
    [
        "Constitutional responsibilities notwithstanding, the president went.",
        "We don't know what it costs, 3.50 or more, at AT&T.",
        "A well-known and long-lived antidisestablishmentarianism of the country's",
    ],
)
def test_a_word_that_is_cut_off_is_no_word_to_end_with(reranked, models, text) -> None:
    [whole] = models.wordpieces.tokenise([text])
    ends = set(whole.ends[mark_word_edges(find_word_bounds(text), whole)[1]].tolist())
    for most in range(1, len(whole) + 1):
        if whole.ends[most - 1] >= min(ends):  # or else no word is whole
            assert reranked([text], most_pieces=most).texts[0].span.end_char in ends


@pytest.mark.parametrize(
    ("text", "most"), [("unbelievably great moon rockets fly", 1), ("Xyzzyquuxian wonder", 2)]
)
def test_where_no_word_was_read_whole_there_is_no_span(reranked, text, most) -> None:
    [found] = reranked([text], most_pieces=most).texts
    assert found.span is None
    assert found.score > LEAST_SCORE


def test_the_pieces_of_a_cut_text_are_those_of_the_whole(models) -> None:
    text = "Notwithstanding constitutional responsibilities, antidisestablishmentarianism. " * 40
    [whole] = models.wordpieces.tokenise([text])
    for most in range(1, len(whole)):
        [cut] = _read([text], models.wordpieces, most, truncate=True)
        assert cut.ids.tolist() == whole.ids[:most].tolist()


@pytest.mark.parametrize("text", ["\u200b", "\ufeff\u200b \u00ad", "\x00"])
def test_a_text_of_what_nobody_sees_is_one_without_words(reranked, text) -> None:
    assert reranked([text, "We choose to go."]).texts[0] == RerankedText(LEAST_SCORE, None)


@pytest.mark.parametrize("text", ["moon " * 6, "m" * (5 * LONGEST_PIECE + 1)])
def test_a_text_that_may_not_be_truncated_is_refused(reranked, text) -> None:
    with pytest.raises(BadInput, match="more than 5 WordPieces"):
        reranked([text], most_pieces=5, truncate=False)
    assert len(reranked(["moon " * 5], most_pieces=5, truncate=False).texts) == 1


def test_no_more_is_read_than_the_service_allows(reranked) -> None:
    with pytest.raises(BadInput, match=f"more than {MOST_PIECES} WordPieces"):
        reranked(["m" * (MOST_PIECES * LONGEST_PIECE + 1)], most_pieces=10**9, truncate=False)


@pytest.mark.parametrize("draft", [Draft(), Draft(" ", "\n")])
def test_a_draft_of_blanks_is_refused(reranked, draft) -> None:
    with pytest.raises(BadInput, match="empty"):
        reranked(["moon"], draft)


def test_work_that_is_late_is_an_error(reranked) -> None:
    with pytest.raises(TaskError):
        reranked(["moon"], timeout_s=0.0)
