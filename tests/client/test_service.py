"""Both clients against a `rostrum serve`: every call, in the words of the product."""

import json
from dataclasses import replace

import pytest

from jobs.evidence.counter import Statement
from jobs.rerank.job import rerank
from rostrum.api.app import BODY
from rostrum.api.edge.keys import KeyScope, add_key
from rostrum.assemble import assemble
from rostrum.client import NotAllowed, NotFound, RequestRefused, Unavailable
from rostrum.client.calls import recommend_many, verify
from rostrum.client.wire import build_request
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim
from rostrum_core.famous_quotes import QuoteFilter
from rostrum_core.quote_checks import QuoteRow, Verification
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft, Filter
from tests.engines import QUICK
from tools.service_process import ServiceProcess

MOON = Draft(
    "Why a rocket to the moon is worth its price",
    "A young president stood in a football stadium in Houston and told the crowd why the nation should want "
    "to go to space at all.",
)
SPACE = "1962-09-12-address-space-effort"

NO_TEXT = "expected paragraphs (a list of texts) or text, found neither"


@pytest.fixture(scope="module")
def service(sample_archive):
    return assemble(replace(read_settings({}), archive=sample_archive, timeout_s=280, candidates=8))


@pytest.fixture
def client(connect, service_url):
    return connect(service_url, timeout_s=280)


def untimed(answer):
    return replace(answer, timings_s=sorted(answer.timings_s))


def test_an_answer_is_the_one_of_the_same_service_in_this_process(client, service) -> None:
    chosen = Filter(speakers=("John F. Kennedy",), since="1961-01-01")
    answer = client.recommend(MOON, filter=chosen, limit=3)
    assert answer.recommendations[0].document.id == SPACE
    assert untimed(answer) == untimed(service.recommend(MOON, filter=chosen, limit=3))


def test_famous_quotes_are_those_of_the_same_service_in_this_process(client, service) -> None:
    left, chosen = (
        "The parties will not speak, and brother is set against brother:",
        QuoteFilter(most_words=9),
    )
    answer = client.famous(left, "So it was.", filter=chosen, limit=2)
    assert answer.quotes == service.famous(left, "So it was.", filter=chosen, limit=2).quotes
    assert (answer.list, len(answer.quotes)) == ("famous", 2)
    with pytest.raises(RequestRefused, match="no list of quotes named absent"):
        client.famous(left, list_name="absent")


def test_evidence_is_that_of_the_same_service_in_this_process(client, service) -> None:
    claim = Claim("America should land people on the moon.", title="Space", before="The goal was bold.")
    answer = client.evidence(claim, documents=[SPACE], heat=True, limit=2)
    here = service.evidence(claim, documents=[SPACE], heat=True, limit=2)
    assert len(answer.sentences) == 2
    assert untimed(answer) == untimed(here)
    with pytest.raises(RequestRefused):
        client.evidence("America should land people on the moon.", documents=["nowhere"])


def test_counter_voices_and_repeats_are_those_of_the_same_service(client, service) -> None:
    line = "We choose to go to the moon in this decade and do the other things."
    voices = client.counter(line, speaker="John F. Kennedy", document=SPACE, limit=2)
    here = service.counter(Statement(line, "John F. Kennedy", SPACE), limit=2)
    assert voices == here
    assert len(voices.own) == len(voices.others) == 2
    assert client.repeats(line) == service.repeats(line)
    assert [repeat.document for repeat in client.repeats(line).repeats] == [SPACE]
    with pytest.raises(RequestRefused):
        client.repeats(document=SPACE, paragraph=999)


def test_a_draft_may_be_the_text_before_the_quote_alone(client) -> None:
    alone = client.recommend(MOON.left, limit=3)
    assert untimed(alone) == untimed(client.recommend(Draft(left=MOON.left), limit=3))
    assert client.explain(MOON.left) == client.explain(Draft(left=MOON.left))


def test_many_drafts_have_an_answer_or_an_error_each_in_their_order(client, monkeypatch) -> None:
    monkeypatch.setattr("rostrum.client.calls.DRAFTS_TOGETHER", 2)
    first, second, third = client.recommend_many([MOON, "", "We shall overcome."], limit=1)
    assert untimed(first.answer) == untimed(client.recommend(MOON, limit=1))
    assert (second.answer, second.error.code) == (None, "bad_input")
    assert untimed(third.answer) == untimed(client.recommend("We shall overcome.", limit=1))


def answer_steps(steps, answer) -> tuple[list[dict], object]:
    """Answers all calls of `steps`; returns the bodies of their requests, and the result."""
    bodies = []
    call = next(steps)
    while True:
        content = build_request(call, 30.0)["content"]
        assert len(content) <= BODY.size_bytes
        bodies.append(json.loads(content))
        try:
            call = steps.send(answer(bodies[-1]))
        except StopIteration as end:
            return bodies, end.value


@pytest.mark.parametrize(
    ("draft", "counts"),
    [
        (Draft(left="ы" * 55_000), [16, 4]),
        (Draft(left="ы" * 200_000, right="ы" * 200_000), [4, 4, 4, 4, 4]),
        (Draft("moon \ud83d", '\u2028 \x00 "', "\U0001f680"), [16, 4]),
    ],
)
def test_drafts_are_sent_in_batches_that_the_service_accepts(draft: Draft, counts: list[int]) -> None:
    bodies, answers = answer_steps(recommend_many([draft] * 20), lambda body: range(len(body["drafts"])))
    assert [len(body["drafts"]) for body in bodies] == counts
    assert answers == tuple(at for count in counts for at in range(count))
    texts = {(sent["title"], sent["left"], sent["right"]) for body in bodies for sent in body["drafts"]}
    assert texts == {(draft.title, draft.left, draft.right)}


def test_long_quotations_are_sent_in_batches_that_the_service_accepts() -> None:
    # 99 quotations of 40,000 bytes with their ids have less than 4,000,000 bytes, and 100 have more.
    rows = [QuoteRow(str(number), ("ы" * 20_000,)) for number in range(200)]
    progress: list[int] = []
    bodies, _ = answer_steps(verify(rows, progress=progress.append), lambda body: Verification(()))
    sent = [quote for body in bodies for quote in body["quotes"]]
    assert [quote["id"] for quote in sent] == [row.id for row in rows]
    assert progress == [99, 198, 200]


def test_texts_are_ranked_as_the_same_service_ranks_them_in_this_process(client, service) -> None:
    texts = ["Ask not.", "We choose to go to the moon.", ""]
    ranked = client.rerank(MOON, texts)
    own = rerank(MOON, texts, runner=service.runner, models=service.models, timeout_s=280).texts
    assert [each.index for each in ranked] == sorted(range(3), key=lambda i: -own[i].score)
    assert ranked[0].span is not None
    assert (ranked[0].span.start_char, ranked[0].span.end_char) == (
        own[1].span.start_char,
        own[1].span.end_char,
    )
    assert [each.index for each in client.rerank(MOON, texts, limit=1)] == [1]


def test_a_string_to_rerank_for_is_the_text_before_the_quote_whatever_its_lines(client) -> None:
    texts = ["We choose to go to the moon.", "Taxes must fall for the valley.", "The harbour was rebuilt."]
    left = "The mayor praised the harbour to the crowd at length.\nThen she turned to taxes."
    assert client.rerank(left, texts) == client.rerank(Draft(left=left), texts)
    assert client.rerank(left, texts) != client.rerank(Draft(*left.split("\n")), texts)
    [alone] = client.rerank("One line.", texts[:1])
    assert alone == client.rerank(Draft(left="One line."), texts[:1])[0]


def test_one_row_in_place_of_rows_is_told(client) -> None:
    with pytest.raises(TypeError, match="one after the other"):
        client.upsert({"id": "a", "text": "We choose to go."})


def test_an_explanation_is_the_one_of_the_same_service_in_this_process(client, service) -> None:
    assert client.explain(MOON) == service.explain(MOON)


def test_pages_of_a_search_fit_together(client) -> None:
    whole = client.search(MOON, limit=9)
    pages = [client.search(MOON, limit=3, offset=offset) for offset in (0, 3, 6)]
    assert [each for page in pages for each in page.recommendations] == list(whole.recommendations)
    assert all(each.scores["model"] is None for each in whole.recommendations)


def test_the_documents_are_those_of_the_archive(client, service, monkeypatch) -> None:
    monkeypatch.setattr("rostrum.client.calls.PAGE", 20)  # three pages
    assert list(client.documents()) == list(service.store.documents())
    speech = client.get(SPACE)
    assert (speech.document, speech.paragraphs) == service.store.get(SPACE)


def test_a_service_says_that_it_lives_and_what_it_holds(client) -> None:
    client.health()
    assert client.ready().documents == 57


def test_what_is_asked_wrongly_is_told_in_the_words_of_the_service(client) -> None:
    with pytest.raises(RequestRefused, match="the draft is empty") as refused:
        client.recommend(Draft())
    assert isinstance(refused.value, BadInput)
    assert (refused.value.status, refused.value.code, refused.value.field) == (422, "bad_input", "left")
    assert len(refused.value.request_id) == 32
    with pytest.raises(NotFound, match="no document 'a/b c' in the archive"):
        client.get("a/b c")


def test_rows_are_added_in_several_requests_replaced_and_deleted(connect, tmp_path) -> None:
    process = ServiceProcess(tmp_path / "log", "--archive", str(tmp_path / "archive"), **QUICK).wait_serving()
    try:
        client = connect(process.url, timeout_s=280)
        with pytest.raises(Unavailable) as away:
            connect(process.url, timeout_s=1).ready()
        assert away.value.code == "nothing_published"
        rows = [{"id": name, "text": f"The word is {name}."} for name in "abc"]
        size_bytes = len(json.dumps(rows[0])) + 1
        rows[2]["titel"] = "C"
        done = client.upsert(iter([*rows, {"id": "d"}]), batch_bytes=2 * size_bytes + 30)
        assert (done.report.added, done.report.refused, done.report.generation) == (3, 1, "000002")
        assert [(each.line, each.reason) for each in done.refused] == [
            (4, f"{NO_TEXT}: name the field of the text with --map text=NAME; its fields are id")
        ]
        assert [(each.line, each.reason) for each in done.passed_over] == [
            (3, "a field that may be misspelt: 'titel', for 'title'")
        ]
        assert client.upsert([rows[0]]).report.unchanged == 1
        assert client.delete("a") == "000003"
        assert [each.id for each in client.documents()] == ["b", "c"]
        assert client.upsert([]).report is None
    finally:
        process.stop()


def test_a_key_is_sent_and_never_shown(connect, sample_archive, tmp_path) -> None:
    key = add_key(tmp_path / "keys.json", "a", KeyScope.READ)
    settings = QUICK | {"api_keys": str(tmp_path / "keys.json")}
    process = ServiceProcess(tmp_path / "log", "--archive", str(sample_archive), **settings).wait_serving()
    try:
        assert connect(process.url, key=key).get(SPACE).document.id == SPACE
        with pytest.raises(NotAllowed) as refused:
            connect(process.url, key=key).delete(SPACE)
        assert (refused.value.status, refused.value.code) == (403, "not_allowed")
        assert key not in str(refused.value)
        with pytest.raises(NotAllowed) as refused:
            connect(process.url).get(SPACE)
        assert refused.value.code == "no_key"
    finally:
        process.stop()


def test_printed_words_need_an_archive_of_articles(client):
    with pytest.raises(RequestRefused, match="there are no articles"):
        client.recommend_printed(MOON, "last", limit=2)
