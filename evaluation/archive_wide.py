"""Measure how well a whole archive answers drafts, through the product's own path: `Service.recommend`.

A draft's day is the day on which its article was published. The product answers each draft in five settings,
from different speeches, and with or without the draft's day:

- the whole archive, without stating the draft's day;
- the whole archive, with the draft's day;
- only the speeches up to the draft's day, without stating the day;
- only the speeches of the 30 days before the draft's day, without stating the day;
- only the transcript that the draft quotes. Here every paragraph gets a span, including the paragraph that
  the writer quoted.

A draft with a day looks better in an archive that also has later speeches, because later speeches are ranked
lower. The second and third settings show how much the day is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from archive.service import Service
from evaluation.fit import filter_thirty_days, filter_until_publication
from evaluation.measures import measure_rankings
from evaluation.metrics import compute_f1, match_exactly, split_words
from evaluation.pairs import Pair
from evaluation.row_file import RowFile
from evaluation.tallies import average_percent, span_figures
from jobs.recommend.candidates import normalise_wording
from quotations.text.transcript import Transcript
from rostrum_core.types import Answer, Draft, Filter, Paragraph, Recommendation

ANSWERED_BY = "4"
"""Version of the code that computes the answers.

Increment it after a change, so that old answers are not reused.
"""

CANDIDATES = 100
RECALLS = (10, 100)
TOLD_BY = 6  # consecutive words that occur in one place of a speech
TELLING_CHARS, NEAR = 40, 3  # a shorter paragraph may recur anywhere: search only this many ahead
EVERY = 100_000  # greater than the number of paragraphs of any speech
TIMEOUT_S = 600.0  # generous: a late answer would be measured as a degraded one
KEPT_AT_ONCE = 25  # at most this many drafts are lost to a kill


@dataclass(frozen=True)
class AnswerRanks:
    """Record at which ranks the product's answer to one draft has the quoted paragraphs.

    A quoted paragraph is a paragraph of the archive with words of the quote that the writer of the draft
    chose. `quoted` is the number of these paragraphs. `answer` has their ranks in the answer. `candidates`
    has their ranks by the scores of the first stage, before the ranker. An answer shows equal words only
    once. So a quoted paragraph also counts as retrieved if the answer has its words from another speech.

    `spans` has exact match and F1 of the quoted paragraphs' spans, compared with the quote. `spans` is `None`
    if the answer lacks a quoted paragraph or a span of one.
    """

    quoted: int
    answer: list[int]
    candidates: list[int]
    spans: tuple[bool, float] | None
    degraded: list[str]


def list_settings(pair: Pair) -> dict[str, tuple[Draft, Filter]]:
    """Return the draft and the filter that each setting of the evaluation passes to the product.

    The keys are the names of the settings. For example, "so far" allows only speeches until the draft's
    publication. If the day of publication is unknown, the settings that require it are left out.
    """
    undated, source = replace(pair.draft, written_on=None), Filter(documents=(pair.document,))
    settings = {"archive": (undated, Filter())}
    if pair.published:
        settings |= {
            "so far": (undated, filter_until_publication(pair)),
            "archive, dated": (pair.draft, Filter()),
            "30 days": (undated, filter_thirty_days(pair)),
        }
    return settings | {"source": (undated, source)}


def find_quoted(pair: Pair, transcript: Transcript, paragraphs: Iterable[Paragraph]) -> set[str]:
    """Return the ids of the archive's paragraphs that contain the quote or a part of it.

    The archive may have split and cleaned the transcript's paragraphs. If cleaning changed a quoted
    paragraph, the paragraph with the words of the quote is used. A quote of fewer than `TOLD_BY` words is too
    short to find it.
    """
    stored = list(paragraphs)
    places = list(locate_paragraphs(transcript, stored))
    ids = {paragraph.id for paragraph, *_ in places}
    changed = [paragraph for paragraph in stored if paragraph.id not in ids]
    repeating: set[str] = set()
    for part in pair.parts:
        here = {
            paragraph.id
            for paragraph, ordinal, start in places
            if ordinal == part.ordinal
            and start < part.end_char
            and start + len(paragraph.text) > part.start_char
        }
        repeating |= here or _find_repeating(
            transcript.paragraphs[part.ordinal][part.start_char : part.end_char], changed
        )
    return repeating


def _find_repeating(quote: str, paragraphs: Iterable[Paragraph]) -> set[str]:
    """Return the ids of the paragraphs that contain all words of a quote consecutively.

    Return an empty set if the quote has fewer than `TOLD_BY` words.
    """
    said = split_words(quote)
    if len(said) < TOLD_BY:
        return set()
    wanted = f" {' '.join(said)} "
    return {
        paragraph.id for paragraph in paragraphs if wanted in f" {' '.join(split_words(paragraph.text))} "
    }


def locate_paragraphs(
    transcript: Transcript, paragraphs: Iterable[Paragraph]
) -> Iterator[tuple[Paragraph, int, int]]:
    """Yield triples (paragraph, ordinal, start), which locate the archive's paragraphs in a transcript.

    The archive's `paragraph` begins at the offset `start` of the transcript's paragraph `ordinal`. Archive
    and transcript have the same order, so repeated text ("Thank you.") is matched at its own place. For a
    short paragraph, only the next few paragraphs are searched, because a wrong match further on would skip
    all paragraphs between. Paragraphs that cleaning changed are omitted.
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


def judge_answer(answer: Answer, quoted: Sequence[Paragraph], gold: str) -> AnswerRanks:
    """Measure how well an answer finds the paragraphs from which the draft's real quotation was taken.

    `quoted` are these paragraphs in order; `gold` is the text of the quotation.
    """
    first = sorted(answer.recommendations, key=lambda r: (-(r.scores["first_stage"] or 0.0), r.rank))
    ranks = _rank_quoted(quoted, answer.recommendations)
    quotes = [answer.recommendations[rank - 1] for rank in ranks]
    whole = bool(quoted) and len(quotes) == len(quoted) and all(quote.spans for quote in quotes)
    return AnswerRanks(
        len(quoted),
        sorted(ranks),
        sorted(_rank_quoted(quoted, first)),
        _compare_spans(quotes, gold) if whole else None,
        list(answer.degraded),
    )


def _rank_quoted(quoted: Sequence[Paragraph], ordered: Sequence[Recommendation]) -> list[int]:
    """Return the ranks, from 1, of the quoted paragraphs in `ordered`; a missing one has no rank.

    If `ordered` lacks a quoted paragraph, but has others with the same text, the rank of the first of these
    is used.
    """
    itself = {r.paragraph.id: rank for rank, r in enumerate(ordered, 1)}
    same = {normalise_wording(r.paragraph): rank for rank, r in reversed(list(enumerate(ordered, 1)))}
    ranks = (itself.get(paragraph.id) or same.get(normalise_wording(paragraph)) for paragraph in quoted)
    return [rank for rank in ranks if rank]


def _compare_spans(outcomes: Sequence[Recommendation], gold: str) -> tuple[bool, float]:
    """Join the best spans of the quoted paragraphs, and compare that text with the quote `gold`.

    Return (whether both are the same, F1).
    """
    cuts = [r.paragraph.text[r.spans[0].start_char : r.spans[0].end_char] for r in outcomes]
    text = " ".join(cuts)
    return match_exactly(text, gold), compute_f1(text, gold)


def judge_answers(
    chosen: Sequence[Pair],
    documents: Mapping[str, Transcript],
    service: Service,
    file: RowFile,
    tell: Callable[[int, int], None] = lambda done, of: None,
    *,
    settings: Collection[str] | None = None,
    candidates: int = CANDIDATES,
) -> dict[str, list[AnswerRanks]]:
    """Let the product answer the drafts in every setting of `list_settings`; return outcomes by setting.

    An outcome is the `AnswerRanks` of one draft. If `settings` is passed, only the named settings are used.
    `candidates` is the number of paragraphs that are ranked. Outcomes in `file` from an earlier run are
    reused, unless the answer was degraded because of the machine's load.
    """
    outcomes: dict[str, list[AnswerRanks]] = {}
    for done, pair in enumerate(chosen, 1):
        for setting, filter in list_settings(pair).items():
            if settings is not None and setting not in settings:
                continue
            id = f"{pair.id} {setting}"
            if id not in file or file[id]["degraded"]:
                file.add({"id": id, **asdict(_ask(pair, documents, service, *filter, candidates))})
            outcomes.setdefault(setting, []).append(_read(file[id]))
        if done % KEPT_AT_ONCE == 0 or done == len(chosen):
            file.save()
        tell(done, len(chosen))
    return outcomes


def _ask(
    pair: Pair,
    documents: Mapping[str, Transcript],
    service: Service,
    draft: Draft,
    filter: Filter,
    candidates: int = CANDIDATES,
) -> AnswerRanks:
    transcript = documents[pair.document]
    stored = service.store.get(pair.document)
    holds = find_quoted(pair, transcript, stored[1]) if stored else set()
    quoted = [paragraph for paragraph in stored[1] if paragraph.id in holds] if stored else []
    if not (draft.title + draft.left).strip():
        answer = Answer((), 0)  # an article without a title may begin with a quotation
    else:
        answer = service.recommend(
            draft, filter=filter, limit=EVERY, candidates=candidates, timeout_s=TIMEOUT_S, printed=False
        )
    return judge_answer(answer, quoted, pair.join_quoted(transcript.paragraphs))


def _read(row: Mapping[str, Any]) -> AnswerRanks:
    spans = None if row["spans"] is None else (bool(row["spans"][0]), float(row["spans"][1]))
    return AnswerRanks(row["quoted"], row["answer"], row["candidates"], spans, row["degraded"])


def summarise_outcomes(outcomes: Mapping[str, Sequence[AnswerRanks]]) -> dict[str, dict[str, float]]:
    """Average the outcomes of each setting over its drafts; the figures are in percent.

    A draft whose quote is not in the archive counts as missed.

    `recall@k` is the share of drafts with a quoted paragraph among the first k candidates. `em` and `f1`
    compare the spans of the quoted paragraphs with the quote. They are averaged only over drafts whose quoted
    paragraphs are all in the answer with a span. Two values are counts: `n` is the number of all drafts, and
    `cut` the number of drafts over which `em` and `f1` are averaged.
    """
    return {setting: _summarise(group) for setting, group in outcomes.items()}


def _summarise(outcomes: Sequence[AnswerRanks]) -> dict[str, float]:
    reached = {k: [min(outcome.candidates, default=k + 1) <= k for outcome in outcomes] for k in RECALLS}
    measures = measure_rankings(
        [range(1, max(outcome.answer, default=0) + 1) for outcome in outcomes],
        [_list_relevant(outcome) for outcome in outcomes],
    )
    cut = [outcome.spans for outcome in outcomes if outcome.spans is not None]
    return {
        "n": len(outcomes),
        **{f"recall@{k}": average_percent(hits) for k, hits in reached.items()},
        **{name: average_percent(values) for name, values in measures.items()},
        **(span_figures(cut) if cut else {}),
        "cut": len(cut),
        "absent": average_percent([outcome.quoted == 0 for outcome in outcomes]),
        "degraded": average_percent([bool(outcome.degraded) for outcome in outcomes]),
    }


def _list_relevant(outcome: AnswerRanks) -> set[int]:
    """Return the ranks of the quoted paragraphs in an answer, and a negative number for each missing one.

    So an answer with one of two quoted paragraphs, at rank 3, gives {3, -1}.
    """
    missed = max(1, outcome.quoted) - len(outcome.answer)
    return {*outcome.answer, *range(-missed, 0)}
