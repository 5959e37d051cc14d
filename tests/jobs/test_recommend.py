"""The main job over the sample archive with the shipped models, and what happens when a part fails."""

import json
import math
import time
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from archive.service import Service
from archive.shipped_files import locate_shipped
from embedded.store import EmbeddedStore
from jobs.recommend.job import FEWEST_RANKED, RANKED, RANKED_TOKENS, take_best
from jobs.recommend.print_order import compute_order
from rostrum.assemble import assemble
from rostrum_core.deadline import get_left_s
from rostrum_core.errors import BadInput, StoreError, TaskError
from rostrum_core.settings import read_settings
from rostrum_core.types import Document, Draft, Filter
from workers.runner.inline import InlineRunner

MOON = Draft(
    "Why a rocket to the moon is worth its price",
    "When the first astronauts were still in training, a young president stood in a hot football stadium in "
    "Houston and told the crowd why the nation should want to go to space at all.",
)
SPACE = "1962-09-12-address-space-effort"


@pytest.fixture(scope="module")
def service(sample_archive) -> Service:
    return assemble(replace(read_settings({}), archive=sample_archive))


class Failing:
    """A runner that fails at one task, and runs the others."""

    def __init__(self, inner: InlineRunner, task: str) -> None:
        self.inner, self.task = inner, task

    def run(
        self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float
    ) -> list[Mapping[str, Any]]:
        if task == self.task:
            raise TaskError("no worker answered")
        return self.inner.run(task, payloads, timeout_s=timeout_s)


def failing(service: Service, task: str) -> Service:
    return Service(service.settings, service.store, Failing(service.runner, task), service.models)


def test_the_speech_that_the_draft_is_about_comes_first(service):
    answer = service.recommend(MOON, limit=5)
    assert answer.recommendations[0].document.id == SPACE
    assert answer.degraded == ()
    assert answer.candidates == 50


@pytest.mark.parametrize(
    ("length", "limit", "taken"),
    [
        (30, 3, RANKED),
        (RANKED_TOKENS // RANKED, 3, RANKED),
        (RANKED_TOKENS // 13, 3, 13),
        (300, 3, FEWEST_RANKED),  # 6 of them would fill the budget
        (30, 25, 25),
        (300, 12, 12),
    ],
)
def test_candidates_with_many_wordpieces_leave_the_ranker_sooner(length, limit, taken):
    scores = np.arange(40.0)
    assert take_best(scores, np.full(40, length), limit) == list(range(39, 39 - taken, -1))


def test_the_best_candidates_are_read_whole_until_one_is_too_long():
    scores, lengths = -np.arange(40.0), np.full(40, 50)
    lengths[15] = RANKED_TOKENS  # shorter ones after it stay out too: they are worse
    assert take_best(scores, lengths, 3) == list(range(15))


def test_all_of_few_candidates_are_read_whole():
    assert take_best(np.array([0.5, 2.0, 1.0]), np.full(3, 900), 1) == [1, 2, 0]


@pytest.fixture(scope="module")
def yearly(tmp_path_factory, models) -> Service:
    """The same speech, but for its year, held in 1960, 1970 and 1980, and once on a day that nobody knows."""
    service = assemble(replace(read_settings({}), archive=tmp_path_factory.mktemp("yearly") / "archive"))
    service.refresh(
        Document(f"of-{year}", "Space", f"In {year} we choose to go to the moon.", spoken_on=day)
        for year, day in (
            ("1960", "1960-06-01"),
            ("1970", "1970-06-01"),
            ("1980", "1980-06-01"),
            ("19", None),
        )
    )
    weights = service.models.fusion
    raised = {**weights.candidates, "recency": 100.0}, {**weights.paragraph, "recency": 100.0}
    models = copy(service.models)  # tests share the shipped ones
    models._loaded = models._loaded | {"fusion": replace(weights, candidates=raised[0], paragraph=raised[1])}
    return Service(service.settings, service.store, service.runner, models)


@pytest.mark.parametrize("ranked", [True, False])
def test_of_speeches_before_the_day_of_the_draft_the_latest_comes_first(yearly, ranked):
    draft = Draft(left="A young president spoke of the moon.", written_on="1970-06-08")
    answer = yearly.recommend(draft, ranked=ranked).recommendations
    assert [each.document.id for each in answer[:2]] == ["of-1970", "of-1960"]
    scores = {each.document.id: each.scores["recency"] for each in answer}
    assert scores["of-1970"] == pytest.approx(-math.log(8))  # seven days
    assert scores["of-1980"] == scores["of-19"] < scores["of-1960"]  # not held yet, or who knows when


def test_without_a_day_no_speech_is_recent(yearly):
    dated = yearly.recommend(Draft(left="He spoke of the moon.", written_on="1990-01-01")).recommendations
    assert dated[0].document.id == "of-1980"
    answer = yearly.recommend(Draft(left="He spoke of the moon.")).recommendations
    assert {each.scores["recency"] for each in answer} == {None}
    finals = [each.scores["final"] for each in answer]
    assert max(finals) - min(finals) < 5.0  # with a day, 100 times the log of years lies between


def test_a_day_that_is_none_is_bad_input(service):
    with pytest.raises(BadInput, match="'1962-9-12' is not a date like 1863-11-19") as caught:
        service.recommend(replace(MOON, written_on="1962-9-12"))
    assert caught.value.field == "written_on"


@pytest.mark.parametrize("after", [False, True], ids=["before the quote", "after the quote"])
def test_a_speech_that_the_draft_quotes_already_is_found_by_the_quotation(service, after):
    source, paragraphs = service.store.get(SPACE)
    quoted = next(p for p in paragraphs if "not because they are easy" in p.text)
    unrelated = "The town council met on Tuesday to discuss the new library and the price of bread. "
    quoting = f"“{quoted.text[:120]}”, read a banner on the wall. " + unrelated
    draft = Draft("Library", unrelated, quoting) if after else Draft("Library", unrelated + quoting)
    without = service.recommend(Draft("Library", unrelated * 2), limit=100).recommendations
    answer = service.recommend(draft, limit=100).recommendations
    assert answer[0].document.id == source.id
    assert answer[0].scores["quoted"] > 0
    assert max(r.scores["follows"] for r in answer) > 0
    assert all(r.scores["quoted"] == r.scores["follows"] == 0 for r in without)


def test_a_span_follows_what_the_draft_quotes_of_its_paragraph(service):
    _, paragraphs = service.store.get(SPACE)
    said = "But why, some say, the moon? Why choose this as our goal?"
    quoted = next(p for p in paragraphs if said in p.text)
    draft = Draft(MOON.title, f"{MOON.left} “{said}”, he asked.")
    answer = service.recommend(draft, limit=100, filter=Filter(documents=(SPACE,))).recommendations
    found = next(r for r in answer if r.paragraph.id == quoted.id)
    assert found.cut.start_char >= quoted.text.index(said) + len(said)
    assert found.rank <= 3


def test_a_search_finds_what_is_pasted_and_not_what_follows_it(service):
    _, paragraphs = service.store.get(SPACE)
    pasted = [p for p in paragraphs if len(p.text) > 300][1:6]
    for paragraph in pasted:
        draft, asked = Draft(left=paragraph.text), {"limit": 1, "filter": Filter(documents=(SPACE,))}
        assert service.recommend(draft, ranked=False, **asked).recommendations[0].paragraph == paragraph


def test_ranks_count_from_one_and_scores_fall(service):
    found = service.recommend(MOON, limit=20, printed=False).recommendations
    assert [r.rank for r in found] == list(range(1, 21))
    finals = [r.scores["final"] for r in found]
    assert finals == sorted(finals, reverse=True)


def test_what_can_be_printed_comes_before_what_fits_about_as_well(service):
    ranked = service.recommend(MOON, limit=20, printed=False).recommendations
    printed = service.recommend(MOON, limit=5).recommendations
    assert [r.rank for r in printed] == list(range(1, 6))
    orders = [compute_order(r) for r in printed]
    assert orders == sorted(orders, reverse=True)
    assert {r.paragraph.id for r in printed} < {r.paragraph.id for r in ranked}
    assert all(0 < r.spans[0].printability < 1 and r.cut.printability is None for r in printed)


def test_an_answer_to_words_is_in_the_order_of_its_scores(service):
    asked = Draft(left="we choose to go to the moon")
    finals = [r.scores["final"] for r in service.recommend(asked, limit=5).recommendations]
    assert finals == sorted(finals, reverse=True)


def test_every_result_has_a_span_of_whole_words_inside_its_paragraph(service):
    for result in service.recommend(MOON, limit=100).recommendations:
        text = result.paragraph.text
        for span in (*result.spans, result.cut):
            assert 0 <= span.start_char < span.end_char <= len(text)
            for edge in (span.start_char, span.end_char):
                assert not (text[edge - 1 : edge].isalnum() and text[edge : edge + 1].isalnum())


def test_the_same_draft_gets_the_same_answer(service):
    first, again = (service.recommend(MOON).recommendations for _ in range(2))
    assert first == again


def test_of_a_named_document_every_paragraph_is_a_candidate(service):
    document, paragraphs = service.store.get(SPACE)
    answer = service.recommend(MOON, filter=Filter(documents=(SPACE,)), limit=1000)
    assert answer.candidates == len(paragraphs)
    assert sorted(r.paragraph.ordinal for r in answer.recommendations) == list(range(len(paragraphs)))
    assert {r.document.title for r in answer.recommendations} == {document.title}


def test_filters_hold_for_every_result(service):
    chosen = Filter(speakers=("joe biden",), since="2022-01-01", until="2022-12-31")
    found = service.recommend(MOON, filter=chosen, limit=50).recommendations
    assert found
    assert {r.document.speaker for r in found} == {"Joe Biden"}
    assert {r.document.spoken_on[:4] for r in found} == {"2022"}


def test_candidates_bound_what_is_reranked(service):
    answer = service.recommend(MOON, candidates=7, limit=10)
    assert answer.candidates == len(answer.recommendations) == 7


def test_without_the_ranker_the_first_stage_order_comes_marked_degraded(service):
    whole = service.recommend(MOON, limit=100)
    answer = failing(service, "rank").recommend(MOON, limit=100)
    assert answer.degraded == ("rank: no worker answered",)
    first = [r.scores["first_stage"] for r in answer.recommendations]
    assert first == sorted(first, reverse=True)
    assert all(r.scores["model"] is None and r.spans == () for r in answer.recommendations)
    assert {r.paragraph.id for r in answer.recommendations} == {r.paragraph.id for r in whole.recommendations}


def test_without_vectors_bm25_alone_answers_marked_degraded(service):
    answer = failing(service, "draft").recommend(MOON, limit=10)
    assert [entry.split(":")[0] for entry in answer.degraded] == ["dense", "quoted", "rank"]
    assert answer.recommendations
    assert all(r.scores["dense"] is r.scores["quoted"] is None for r in answer.recommendations)


def test_without_vectors_a_day_changes_nothing(service):
    dated = replace(MOON, written_on="2024-06-01")
    assert service.recommend(dated).recommendations[0].scores["recency"] is not None
    with_day, without = (failing(service, "draft").recommend(draft) for draft in (dated, MOON))
    assert with_day.recommendations == without.recommendations


def test_of_a_search_no_ranker_is_told_skipped(service):
    answer = failing(service, "draft").recommend(MOON, ranked=False)
    assert [entry.split(":")[0] for entry in answer.degraded] == ["dense", "quoted"]


def test_a_deadline_that_has_passed_gives_the_first_stage(service):
    answer = service.recommend(MOON, timeout_s=1e-6)
    assert answer.recommendations
    assert {entry.split(":")[0] for entry in answer.degraded} >= {"rank"}


@pytest.mark.parametrize(
    ("encoder", "tokenizer", "skipped"),
    [
        ("another", None, ["dense"]),
        (None, "another", ["quoted", "rank"]),
        ("another", "another", ["dense", "quoted", "rank"]),
    ],
)
def test_an_archive_of_other_models_is_used_as_far_as_it_fits_and_says_so(
    tmp_path, service, encoder, tokenizer, skipped
):
    hashes = service.models.hashes
    with EmbeddedStore(tmp_path / "archive") as store:
        generation = store.begin(
            encoder=encoder or hashes["encoder"], tokenizer=tokenizer or hashes["tokenizer"]
        )
        store.publish(generation.name)
        other = Service(service.settings, store, service.runner, service.models)
        assert [e.split(":")[0] for e in other.recommend(MOON).degraded] == skipped


class Late(Failing):
    """A runner whose ranking ends after the time is up, as that in this process does with a long part."""

    def __init__(self, inner: InlineRunner, task: str, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(inner, task)
        self.monkeypatch = monkeypatch

    def run(
        self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float
    ) -> list[Mapping[str, Any]]:
        if task == self.task:
            over = time.monotonic() + get_left_s()
            self.monkeypatch.setattr("rostrum_core.deadline.time", SimpleNamespace(monotonic=lambda: over))
        return super().run(task, payloads, timeout_s=timeout_s)


class Punctual:
    """A store that is asked nothing once the time is up, as OpenSearch's refuses it."""

    def __init__(self, inner: EmbeddedStore) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        if get_left_s() <= 0:
            raise StoreError(f"{name}: no time is left")
        return getattr(self.inner, name)


def test_ranking_that_overruns_costs_the_ranker_and_not_the_answer(service, monkeypatch):
    runner = Late(service.runner, "rank", monkeypatch)
    late = Service(service.settings, Punctual(service.store), runner, service.models)
    answer = late.recommend(MOON, limit=5, timeout_s=60)
    assert answer.degraded == ("rank: no worker answered",)
    assert answer.recommendations[0].document.title == "Address on the Space Effort"
    assert len(answer.recommendations) == 5


class Restless:
    """A store in which another generation is published whenever a search is over, so many times."""

    def __init__(self, inner: EmbeddedStore, times: int) -> None:
        self.inner, self.times, self.searches = inner, times, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def search(self, query: Any) -> Any:
        self.searches += 1
        return self.inner.search(query)

    def published(self) -> Any:
        found = self.inner.published()
        return replace(found, name=f"{found.name}-{min(self.searches, self.times)}")


def test_an_answer_comes_out_of_one_generation(service):
    store = Restless(service.store, times=1)
    answer = Service(service.settings, store, service.runner, service.models).recommend(MOON, limit=3)
    assert store.searches == 2
    assert answer.generation.endswith("-1")


def test_an_archive_that_never_rests_is_an_error(service):
    store = Restless(service.store, times=99)
    with pytest.raises(StoreError, match="published the archive during each"):
        Service(service.settings, store, service.runner, service.models).recommend(MOON)


@pytest.mark.parametrize("option", ["limit", "candidates"])
def test_none_is_not_a_number_of_results(service, option):
    with pytest.raises(BadInput, match=f"{option} must be at least 1"):
        service.recommend(MOON, **{option: 0})


@pytest.mark.parametrize("draft", [Draft(), Draft(" ", "\n\t"), Draft(right="only what follows")])
def test_an_empty_draft_is_bad_input(service, draft):
    with pytest.raises(BadInput, match="draft is empty"):
        service.recommend(draft)


@pytest.mark.parametrize(
    "draft",
    [
        Draft("?!", "-- ... --"),
        Draft("the of and", "to be or not to be"),
        Draft('quote" AND (', "a:b OR * ~ ^2 [x TO y] \\"),
        Draft("月球", "我们选择登月"),
        Draft("x" * 10_000, "word " * 20_000),
        Draft("\x00\ud800", "\U0001f680 to the moon"),
    ],
)
def test_odd_drafts_are_answered(service, draft):
    answer = service.recommend(draft, limit=3)
    assert len(answer.recommendations) == 3


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (Draft(left='who said "fear itself"?'), '"fear itself"'),
        (Draft(left="Subject: Re: the moon\n\nHi Ann"), "the moon Hi Ann"),
        (Draft(left="the goverment and the moon"), "the government and the moon"),
        (MOON, f"{MOON.title} {MOON.left}"),
    ],
)
def test_an_explanation_has_the_queries_that_a_recommendation_sends(service, draft, words):
    sent = []

    class Store:
        def __getattr__(self, name):
            return getattr(service.store, name)

        def search(self, query):
            sent.append(query)
            return service.store.search(query)

    Service(service.settings, Store(), service.runner, service.models).recommend(draft, ranked=False)
    queries = service.explain(draft).queries
    assert queries["documents"] == sent[0].document_text == words
    assert set(queries["paragraphs"].split()) <= set(sent[0].paragraph_text.split())


def test_without_an_archive_the_error_says_so(tmp_path):
    empty = assemble(replace(read_settings({}), archive=tmp_path / "nothing"))
    with pytest.raises(StoreError):
        empty.recommend(MOON)


def test_the_answer_says_which_models_and_generation_made_it(service):
    answer = service.recommend(MOON)
    assert answer.models["encoder"] == service.models.hashes["encoder"]
    assert answer.models["fusion"] == service.models.manifest.hash_of("fusion.json")
    assert answer.generation == next(g.name for g in service.store.generations() if g.published)
    assert set(answer.timings_s) == {"draft", "candidates", "rank", "merge", "print"}


@pytest.mark.parametrize("path", sorted(locate_shipped("samples/drafts").glob("*.md")), ids=lambda p: p.stem)
def test_a_sample_draft_finds_its_speech_among_the_first_three(service, path):
    from jobs.drafts import read_draft

    about = next(line for line in path.read_text("utf-8").splitlines() if line.startswith("about: "))
    found = service.recommend(read_draft(path), limit=3).recommendations
    assert about.removeprefix("about: ") in {r.document.id for r in found}


def test_the_samples_speak_of_speeches_that_are_there(service):
    known = {
        json.loads(line)["id"]
        for line in locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines()
    }
    assert {d.id for d in service.store.documents()} == known
