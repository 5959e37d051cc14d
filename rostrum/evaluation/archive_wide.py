"""How a whole archive answers drafts, by the product's own path: `Service.recommend`.

Five settings: the archive as it is, asked without the draft's day and with it; what of it there was on that
day, asked without it; the speeches of the 30 days before; the source alone, where every paragraph has its
span, that which the writer picked too. An archive with later speeches flatters a draft that has a day: what
the day is worth is told by the second and the third.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from quotations.transcript import Transcript
from rostrum.archive.service import Service
from rostrum.evaluation.fit import filter_so_far, filter_thirty_days
from rostrum.evaluation.measures import measure_rankings
from rostrum.evaluation.metrics import compute_f1, match_exactly, split_words
from rostrum.evaluation.pairs import Pair
from rostrum.evaluation.row_file import RowFile
from rostrum.evaluation.tallies import average_percent, span_figures
from rostrum.jobs.recommend.candidates import wording
from rostrum_core.types import Answer, Draft, Filter, Paragraph, Recommendation

ANSWERED_BY = "4"
"""Names what chooses the answers and tells of them. A change of it gets the next number."""

CANDIDATES = 100
RECALLS = (10, 100)
TOLD_BY = 6  # words in a row that stand in one place of a speech
TELLING_CHARS, NEAR = 40, 3  # a shorter paragraph may be said anywhere: it is looked for in so many
EVERY = 100_000  # more paragraphs than a speech has
TIMEOUT_S = 600.0  # a late answer would be measured as a degraded one
KEPT_AT_ONCE = 25  # drafts that a kill may cost


@dataclass(frozen=True)
class Outcome:
    """How one draft was answered.

    `quoted` is how many paragraphs of the source hold quoted words; `answer` and `candidates` are the ranks
    of those found, in the answer and in the first stage. A paragraph is found where its words are, perhaps of
    another speech: an answer has them once. `spans`: whether what was cut from the quoted
    paragraphs is what was quoted, and its F1; `None` where one of them was not in the answer.
    """

    quoted: int
    answer: list[int]
    candidates: list[int]
    spans: tuple[bool, float] | None
    degraded: list[str]


def list_settings(pair: Pair) -> dict[str, tuple[Draft, Filter]]:
    """What is asked in each setting, and what may be found; some need the day of the draft."""
    undated, source = replace(pair.draft, written_on=None), Filter(documents=(pair.document,))
    found = {"archive": (undated, Filter())}
    if pair.published:
        found |= {
            "so far": (undated, filter_so_far(pair)),
            "archive, dated": (pair.draft, Filter()),
            "30 days": (undated, filter_thirty_days(pair)),
        }
    return found | {"source": (undated, source)}


def find_quoted(pair: Pair, transcript: Transcript, paragraphs: Iterable[Paragraph]) -> set[str]:
    """Ids of the archive's paragraphs with quoted characters; it may have cut and cleaned the supplied ones.

    A quote in paragraphs that cleaning changed is where its words stand, if there are `TOLD_BY` of them.
    """
    stored = list(paragraphs)
    places = list(locate_paragraphs(transcript, stored))
    known = {paragraph.id for paragraph, *_ in places}
    changed = [paragraph for paragraph in stored if paragraph.id not in known]
    found: set[str] = set()
    for part in pair.parts:
        here = {
            paragraph.id
            for paragraph, ordinal, start in places
            if ordinal == part.ordinal
            and start < part.end_char
            and start + len(paragraph.text) > part.start_char
        }
        found |= here or _find_repeating(
            transcript.paragraphs[part.ordinal][part.start_char : part.end_char], changed
        )
    return found


def _find_repeating(quote: str, paragraphs: Iterable[Paragraph]) -> set[str]:
    """Ids of the paragraphs with the words of a quote in a row; none for a quote of a few words."""
    said = split_words(quote)
    if len(said) < TOLD_BY:
        return set()
    wanted = f" {' '.join(said)} "
    return {each.id for each in paragraphs if wanted in f" {' '.join(split_words(each.text))} "}


def locate_paragraphs(
    transcript: Transcript, paragraphs: Iterable[Paragraph]
) -> Iterator[tuple[Paragraph, int, int]]:
    """The archive's paragraphs with the ordinal of the supplied one that each is from, and where it starts.

    Both go in the same order, so what is said twice ("Thank you.") is found where it stands; a short one is
    not looked for far ahead, since all between would be lost. Those that cleaning changed are left out.
    """
    first, after, missed = 0, 0, 0
    for paragraph in paragraphs:
        ahead = len(transcript.paragraphs) if len(paragraph.text) >= TELLING_CHARS else NEAR + missed
        missed += 1
        for ordinal in range(first, min(first + ahead, len(transcript.paragraphs))):
            start = transcript.paragraphs[ordinal].find(paragraph.text, after if ordinal == first else 0)
            if start >= 0:
                yield paragraph, ordinal, start
                first, after, missed = ordinal, start + len(paragraph.text), 0
                break


def judge_answer(answer: Answer, quoted: Sequence[Paragraph], gold: str) -> Outcome:
    """What became of the `quoted` paragraphs, in order, whose quoted words are `gold`."""
    first = sorted(answer.recommendations, key=lambda r: (-(r.scores["first_stage"] or 0.0), r.rank))
    ranks = _rank_quoted(quoted, answer.recommendations)
    found = [answer.recommendations[rank - 1] for rank in ranks]
    whole = bool(quoted) and len(found) == len(quoted) and all(each.spans for each in found)
    return Outcome(
        len(quoted),
        sorted(ranks),
        sorted(_rank_quoted(quoted, first)),
        _compare_spans(found, gold) if whole else None,
        list(answer.degraded),
    )


def _rank_quoted(quoted: Sequence[Paragraph], ordered: Sequence[Recommendation]) -> list[int]:
    """Where each of the paragraphs is that is there: itself, or else the first that says the same."""
    itself = {r.paragraph.id: rank for rank, r in enumerate(ordered, 1)}
    same = {wording(r.paragraph): rank for rank, r in reversed(list(enumerate(ordered, 1)))}
    ranks = (itself.get(each.id) or same.get(wording(each)) for each in quoted)
    return [rank for rank in ranks if rank]


def _compare_spans(found: Sequence[Recommendation], gold: str) -> tuple[bool, float]:
    """What was cut from the quoted paragraphs, in their order, against what was quoted."""
    cuts = [r.paragraph.text[r.spans[0].start_char : r.spans[0].end_char] for r in found]
    text = " ".join(cuts)
    return match_exactly(text, gold), compute_f1(text, gold)


def judge_answers(
    chosen: Sequence[Pair],
    documents: Mapping[str, Transcript],
    service: Service,
    file: RowFile,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, list[Outcome]]:
    """The outcome of each draft by setting; what an earlier run left in the file is not asked again.

    Unless it was degraded: that tells of the machine of that hour.
    """
    found: dict[str, list[Outcome]] = {}
    for done, pair in enumerate(chosen, 1):
        for setting, asked in list_settings(pair).items():
            id = f"{pair.id} {setting}"
            if id not in file or file[id]["degraded"]:
                file.add({"id": id, **asdict(_ask(pair, documents, service, *asked))})
            found.setdefault(setting, []).append(_read(file[id]))
        if done % KEPT_AT_ONCE == 0 or done == len(chosen):
            file.save()
        tell(done, len(chosen))
    return found


def _ask(
    pair: Pair, documents: Mapping[str, Transcript], service: Service, draft: Draft, filter: Filter
) -> Outcome:
    transcript = documents[pair.document]
    stored = service.store.get(pair.document)
    holds = find_quoted(pair, transcript, stored[1]) if stored else set()
    quoted = [each for each in stored[1] if each.id in holds] if stored else []
    if not (draft.title + draft.left).strip():
        answer = Answer((), 0)  # an article without a title may begin with a quotation
    else:
        answer = service.recommend(
            draft, filter=filter, limit=EVERY, candidates=CANDIDATES, timeout_s=TIMEOUT_S, printed=False
        )
    return judge_answer(answer, quoted, pair.quoted(transcript.paragraphs))


def _read(row: Mapping[str, Any]) -> Outcome:
    spans = None if row["spans"] is None else (bool(row["spans"][0]), float(row["spans"][1]))
    return Outcome(row["quoted"], row["answer"], row["candidates"], spans, row["degraded"])


def summarise_outcomes(found: Mapping[str, Sequence[Outcome]]) -> dict[str, dict[str, float]]:
    """Means in percent by setting. Drafts whose quote the archive does not hold count as missed.

    `recall@k` is the share of drafts with a quoted paragraph among the first k candidates; `em` and
    `compute_f1` are of the spans of the quoted paragraphs, where all of them are in the answer and cut. Two
    are counts: of `n` drafts, which the other figures are of, and of those `cut`, which `em` and
    `compute_f1` are of.
    """
    return {setting: _summarise(some) for setting, some in found.items()}


def _summarise(some: Sequence[Outcome]) -> dict[str, float]:
    reached = {k: [min(each.candidates, default=k + 1) <= k for each in some] for k in RECALLS}
    measures = measure_rankings(
        [range(1, max(each.answer, default=0) + 1) for each in some], [_list_relevant(each) for each in some]
    )
    cut = [each.spans for each in some if each.spans is not None]
    return {
        "n": len(some),
        **{f"recall@{k}": average_percent(hits) for k, hits in reached.items()},
        **{name: average_percent(values) for name, values in measures.items()},
        **(span_figures(cut) if cut else {}),
        "cut": len(cut),
        "absent": average_percent([each.quoted == 0 for each in some]),
        "degraded": average_percent([bool(each.degraded) for each in some]),
    }


def _list_relevant(outcome: Outcome) -> set[int]:
    """Ranks of the quoted paragraphs; negative numbers stand for those that are not in the answer."""
    missed = max(1, outcome.quoted) - len(outcome.answer)
    return {*outcome.answer, *range(-missed, 0)}
