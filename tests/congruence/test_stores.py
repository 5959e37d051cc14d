"""The embedded store and OpenSearch, filled with the same speeches, answer alike.

Where they may differ, and by how much:

- `BM25`: both add up float32, in another order.
- `without_terms`: a few paragraphs have no term. Lucene leaves them out of the number of texts and of their
  average length, tantivy counts them.
- `DENSE`: OpenSearch gives 1 + p or 1 / (1 - p) for an inner product p, in float32.
- `FUSED`: standard scores of all of these.
"""

from collections import Counter

import numpy as np
import pytest

from embedded.analysis import build_analyser
from jobs.recommend.candidates import choose, parse_encoded_draft, search
from jobs.recommend.queries import build_document_query, build_paragraph_query
from jobs.recommend.queries import list_terms as words
from opensearch.queries import PARAGRAPH_TEXT
from rostrum_core.ports import Query
from rostrum_core.types import Filter

BM25 = 2e-6
"""Relative."""

DENSE = 1e-6
"""Absolute."""

FUSED = 1e-3
"""Absolute."""

FILTERS = [
    Filter(),
    Filter(speakers=("kennedy", "Abraham Lincoln")),
    Filter(since="1930-01-01", until="1969-12-31"),
    Filter(until="1900-12-31"),
    Filter(languages=("en",)),
    Filter(collections=("no such collection",)),
]


def place(candidate):
    return candidate.paragraph.document_id, candidate.paragraph.ordinal


def read(runner, draft):
    [answer] = runner.run("draft", [{"title": draft.title, "left": draft.left}], timeout_s=60)
    return parse_encoded_draft(answer)


def query_of(draft, reading, **options):
    return Query(build_paragraph_query(draft), build_document_query(draft), reading.vector, **options)


def test_both_hold_the_same(pair):
    ours, theirs = pair
    assert ours.count() == theirs.count()
    infos = list(ours.documents())
    assert infos == list(theirs.documents())
    assert len(infos) == 57
    for info in infos:
        assert ours.get(info.id) == theirs.get(info.id)
    published = [[each for each in store.generations() if each.published] for store in pair]
    hashes = [store.content_hashes(each.name) for store, [each] in zip(pair, published, strict=True)]
    assert hashes[0] == hashes[1]


@pytest.fixture(scope="module")
def without_terms(pair) -> float:
    """The share of paragraphs without any term: what BM25 over paragraphs may differ by, relatively."""
    tokens, store = build_analyser(), pair.embedded
    said = [paragraph.text for info in store.documents() for paragraph in store.get(info.id)[1]]
    share = len([text for text in said if not tokens.analyze(text)]) / len(said)
    assert share < 1e-3
    return share


def test_both_analyse_alike(pair):
    tokens, index = build_analyser(), pair.opensearch.generations()[-1]
    name = f"{pair.opensearch.server.connection.prefix}paragraphs-{index.name}"
    for info in pair.embedded.documents():
        text = pair.embedded.get(info.id)[0].text
        counted: dict[str, int] = {}
        for term in tokens.analyze(text):
            counted[term] = counted.get(term, 0) + 1
        asked = {"field": PARAGRAPH_TEXT, "text": text}
        tokens_there = pair.opensearch.server.call("POST", f"/{name}/_analyze", asked)["tokens"]
        assert Counter(token["token"] for token in tokens_there) == counted


def test_both_count_words_alike(pair, drafts):
    asked = sorted({word for draft in drafts.values() for word in words(f"{draft.title} {draft.left}")})
    asked += ["nation's", "U.S.", "twenty-five", "the", ""]
    assert pair.embedded.document_frequency(asked) == pair.opensearch.document_frequency(asked)


@pytest.mark.parametrize("filter", FILTERS, ids=str)
def test_both_let_the_same_pass(pair, filter):
    every = Query("", "", None, filter, every=True)
    ours, theirs = (list(map(place, store.search(every))) for store in pair)
    assert ours == theirs


def test_every_score_is_the_same(pair, drafts, runner, without_terms):
    for draft in drafts.values():
        query = query_of(draft, read(runner, draft), every=True)
        ours, theirs = (store.search(query) for store in pair)
        assert list(map(place, ours)) == list(map(place, theirs))
        for one, other in zip(ours, theirs, strict=True):
            assert one.paragraph == other.paragraph
            np.testing.assert_array_equal(one.tokens.ids, other.tokens.ids, strict=True)
            assert other.scores["lexical"] == close(one.scores["lexical"], rel=BM25 + without_terms)
            assert other.scores["document"] == close(one.scores["document"], rel=BM25)
            assert other.scores["dense"] == close(one.scores["dense"], abs=DENSE)


def close(score, **tolerance):
    """A score within its tolerance; `None` is `None` in both."""
    return None if score is None else pytest.approx(score, **{"rel": 0, "abs": 0, **tolerance})


@pytest.mark.parametrize("filter", FILTERS[:4], ids=str)
def test_both_find_the_same_candidates(pair, drafts, runner, filter):
    found, missed = 0, 0
    for draft in drafts.values():
        query = query_of(draft, read(runner, draft), filter=filter, depth=60, documents=7)
        ours, theirs = (set(map(place, store.search(query))) for store in pair)
        found += len(ours)
        missed += len(ours - theirs)
        assert len(theirs - ours) <= len(ours - theirs)  # what comes next stands in for what is missed
    assert missed <= pair.missed * found


def test_the_fused_order_is_the_same(pair, drafts, runner, models):
    for draft in drafts.values():
        reading = read(runner, draft)
        ours, theirs = (
            choose(found, models.fusion.candidates, len(found))
            for found in (search(store, draft, reading, Filter()) for store in pair)
        )
        ours, theirs = (sorted(chosen, key=lambda c: -c.scores["first_stage"]) for chosen in (ours, theirs))
        fused = {place(each): each.scores["first_stage"] for each in ours}
        assert {place(each) for each in theirs} == set(fused)
        for one, other in zip(ours, theirs, strict=True):
            assert fused[place(one)] == pytest.approx(fused[place(other)], abs=FUSED)
        assert list(map(place, ours[:10])) == list(map(place, theirs[:10]))
