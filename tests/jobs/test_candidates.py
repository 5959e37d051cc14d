"""How many paragraphs of named documents become candidates."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded.store import EmbeddedStore
from jobs.recommend import job
from jobs.recommend.candidates import EncodedDraft, parse_encoded_draft, search
from jobs.recommend.job import Recommender
from reranker.models.loaded import Models
from rostrum_core.errors import TaskError
from rostrum_core.ports import Entry
from rostrum_core.types import Draft, Encoding, Filter

SPOKEN = ["seven", "seven years", "seven long years", "hope", "faith", "silence"]


@pytest.fixture
def store(tmp_path: Path, entry: Callable[..., Entry], publish: Callable[..., str]) -> EmbeddedStore:
    """An archive of a long speech and a short one."""
    store = EmbeddedStore(tmp_path / "archive")
    publish(store, entry("long", SPOKEN), entry("short", ["seven hopes"]))
    return store


def found(store: EmbeddedStore, *names: str, depth: int) -> int:
    return len(search(store, Draft(title="seven"), EncodedDraft(), Filter(documents=names), depth=depth))


def test_all_paragraphs_of_named_documents_are_candidates(store: EmbeddedStore) -> None:
    assert found(store, "long", depth=6) == 6
    assert found(store, "long", "short", depth=7) == 7


def test_of_named_documents_that_are_too_long_each_stage_contributes_its_best(store: EmbeddedStore) -> None:
    assert found(store, "long", depth=2) == 2
    assert found(store, "long", "short", depth=6) == 4
    assert found(store, "unknown", depth=6) == 0


class Reader:
    """A runner that reads a draft as this vector, and has nobody to rank."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding

    def run(self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float) -> list[Any]:
        if task != "draft":
            raise TaskError("nobody ranks")
        ids = np.arange(3, dtype=np.int32)
        return [{"query": ids, "before": ids, "after": ids[:0], "vector": self.encoding.vector}]


def recommender_over(store: EmbeddedStore, vector: Encoding, models: Models) -> Recommender:
    return Recommender(
        store,
        Reader(vector),
        models.fusion,
        encoder="encoder-1",
        tokenizer="tokenizer-1",
        models={},
        batch_tokens=1000,
    )


def test_a_text_that_several_speeches_hold_is_answered_once(
    store: EmbeddedStore,
    entry: Callable[..., Entry],
    publish: Callable[..., str],
    encoding: Callable[[str], Encoding],
    models: Models,
) -> None:
    publish(store, entry("copy", SPOKEN), entry("wrapped", ["seven\nlong  years"]))
    recommender = recommender_over(store, encoding("seven"), models)
    asked = {"limit": 100, "timeout_s": 60.0}
    whole = recommender.recommend(Draft(title="seven"), filter=Filter(), candidates=100, **asked)
    said = [" ".join(each.paragraph.text.split()) for each in whole.recommendations]
    assert sorted(said) == sorted([*SPOKEN, "seven hopes"])
    assert whole.candidates == len(said)
    few = recommender.recommend(Draft(title="seven"), filter=Filter(), candidates=5, **asked)
    assert few.recommendations == whole.recommendations[:5]
    both = Filter(documents=("copy", "long"))
    assert recommender.recommend(Draft(title="seven"), filter=both, candidates=100, **asked).candidates == 12


def test_no_more_are_ranked_than_a_stage_contributes(
    store: EmbeddedStore,
    encoding: Callable[[str], Encoding],
    models: Models,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job, "DEPTH", 3)
    vector = encoding("hope")
    beyond = found_by_vector(store, vector)
    assert beyond > 3
    recommender = recommender_over(store, vector, models)
    asked = {"filter": Filter(documents=("long",)), "limit": 100, "timeout_s": 60.0}
    assert recommender.recommend(Draft(title="seven"), candidates=1, **asked).candidates == 3
    assert recommender.recommend(Draft(title="seven"), candidates=5, **asked).candidates == 5


def found_by_vector(store: EmbeddedStore, encoding: Encoding) -> int:
    reading = EncodedDraft(vector=encoding.vector)
    return len(search(store, Draft(title="seven"), reading, Filter(documents=("long",)), depth=3))


def test_an_answer_of_a_worker_of_another_version_is_a_task_error() -> None:
    with pytest.raises(TaskError, match="another version answered, without 'before'"):
        parse_encoded_draft({"query": [], "words": [], "vector": []})
