"""A finder over a few sentences, with a search and a ranker whose answers can be worked out by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

from jobs.evidence.finder import EvidenceFinder
from jobs.evidence.job import list_sentences
from jobs.evidence.passages import SentenceCache
from jobs.filters import is_selected
from jobs.verify.speakers import RosterCache
from rostrum_core.types import Answer, DocumentInfo, Paragraph, Recommendation


class FakeStore:
    """A store of documents of which only the metadata can be read."""

    def __init__(self, infos: Sequence[DocumentInfo]) -> None:
        self._infos = infos

    def published(self) -> None:
        return None

    def documents(self, ids: Sequence[str] | None = None) -> Iterable[DocumentInfo]:
        return [info for info in self._infos if ids is None or info.id in ids]


class FakeRanker:
    """A ranker that keeps the order, and by which the first `limit` sentences support every claim."""

    def rank(self, claim, passages, *, limit, timeout_s):
        ranked = [replace(sentence, score=0.5) for sentence in list_sentences(passages)]
        return [replace(one, stance="supports", share=0.9) for one in ranked[:limit]] + ranked[limit:]


@pytest.fixture
def make_finder() -> Callable[..., EvidenceFinder]:
    """Return a function that makes a finder over (document, its paragraphs); the search finds the last
    paragraph first."""

    def make(*speeches: tuple[DocumentInfo, Sequence[str]]) -> EvidenceFinder:
        places = [
            Recommendation(
                1, Paragraph(f"{info.id}{at}", info.id, at, text, 0, len(text)), info, (), {"lexical": 1.0}
            )
            for info, texts in speeches
            for at, text in enumerate(texts)
        ]

        def search(draft, filter, most) -> Answer:
            passing = [place for place in places[::-1] if is_selected(place.document, filter)]
            return Answer(tuple(passing[:most]), len(passing))

        infos = [info for info, _ in speeches]
        return EvidenceFinder(FakeStore(infos), search, FakeRanker(), SentenceCache(), RosterCache(), {})

    return make
