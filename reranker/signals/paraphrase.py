"""Find the sentences that a draft has just retold in its own words, and expect the quote after them.

Of 1,300 drafts of the training pairs, 203 retell half of a sentence of the speech that they quote next. In 40
of these 203, the quote begins within 300 characters after the sentence, ten times as often as by chance; in
7, it overlaps the sentence. A retold sentence is not offered again as a quote. The last clause of a draft is
not used here, because it announces the quote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from math import fsum

import numpy as np
from numpy.typing import NDArray

from quotations.text.sentences import split_paragraph, split_sentences
from quotations.text.stems import read_stems
from reranker.signals.compared_texts import choose_compared, read_kept, spread_scores
from reranker.signals.exact_words import is_query
from reranker.signals.following import read_quoted
from reranker.signals.signal import Context, Floats, Signal
from rostrum_core.candidates import Candidates
from rostrum_core.types import Placing, Tokens
from rostrum_core.word_rows import WordRows

READ_CHARS = 900
"""Number of characters before the place of the quote that are read, some 150 words."""

LEAST_SHARED = 4
"""Minimum words that a draft's sentence shares with the sentence that it retells."""

LEAST_SHARE = 0.5
"""Minimum share of a sentence's words, by their rarity, that the draft's sentence has."""

LEAST_SHARE_NEXT = 0.6
"""Minimum share of the words of a sentence next to a retold one for it to be retold, too, however short."""

LEAST_WEIGHT = 0.5
"""Weight of a word that all texts have, where a rare one has the log of its rarity more."""

MOST_READ = 64
"""Number of texts whose sentences are compared. 32 share enough words with a draft on average, 106 at the
95th percentile; of 300 drafts of dev, 298 retell no other text.
"""

LIFT, REACH_PIECES = 8.0, 60.0
"""Likelihood ratio of a quote after a retold sentence, and the WordPieces after which it falls to one
third.
"""

MISSING_PIECES = 100
"""Assumed length of a paragraph that is not a candidate."""

QUOTED = re.compile(r"“[^“”]*(?:”|$)|\"[^\"]*\"")
CLAUSE = re.compile(r"[;:]|,\s+(?:and|but|then|before|while)\b|\b(?:and|but) then\b")


@dataclass(frozen=True, slots=True)
class RetoldSentence:
    """Locate a sentence that a draft retells; `share` is the part of the sentence that is retold, 0 to 1."""

    start_char: int
    end_char: int
    share: float


def list_retelling(left: str) -> list[str]:
    """Return the draft's last sentences before the quote, without the clause that announces the quote.

    Text between quotation marks is left out, because the signals *quoted* and *follows* read it.

    >>> list_retelling("He blamed Europe. It had failed to act, and then he announced the measure:")
    ['He blamed Europe.', 'It had failed to act']
    >>> list_retelling("He asked for a ban.")
    []
    """
    text = QUOTED.sub("", left[-READ_CHARS:]).strip().rstrip(":;,–—- ")
    bounds = split_sentences(text)
    if not bounds:
        return []
    start, end = bounds[-1]
    begun = [m.start() for m in CLAUSE.finditer(text, start, end)]
    last = [text[start : begun[-1]]] if begun else []
    return [text[first:stop] for first, stop in bounds[:-1]] + last


def find_retold(left: str, texts: Sequence[str]) -> list[list[RetoldSentence]]:
    """Return, for each text, those of its sentences that the draft retells in its own words.

    `left` is the draft's text before the quote. Words are weighted by their rarity among the texts.

    >>> find_retold("He fought. Of 225 only ninety could bear arms after two days of fighting. He said",
    ...     ["We came. After 2 days of fighting, only 90 could still bear arms."])[0][0].start_char
    9
    """
    return _find_retold(left, WordRows.of(map(read_stems, texts)), lambda rows: [texts[row] for row in rows])


def _find_retold(
    left: str, stems: WordRows, read: Callable[[Sequence[int]], Sequence[str]]
) -> list[list[RetoldSentence]]:
    """Return, for each text, its sentences that the draft retells in other words.

    `left` is the draft before the quote, and `stems` has the word stems of each text. `read` returns the
    texts with the given indices. Only texts that share enough stems with the draft are read.
    """
    if not len(stems):
        return []
    retelling = [stems for stems in map(read_stems, list_retelling(left)) if len(stems) >= LEAST_SHARED]
    sharing = _list_sharing(stems, retelling)
    texts = dict(zip(sharing, read(sharing), strict=True))
    near = {row: _list_near(text, retelling) for row, text in texts.items()}
    wanted = sorted(frozenset[str]().union(*(own for of_text in near.values() for _, _, own in of_text)))
    rarity = _measure_rarity(stems, wanted)
    retold: list[list[RetoldSentence]] = [[] for _ in range(len(stems))]
    for row, of_text in near.items():
        retold[row] = _rate_sentences(of_text, retelling, rarity)
        if retold[row]:
            retold[row] = _add_next(texts[row], retold[row], retelling)
    return retold


def _add_next(
    text: str, retold: Sequence[RetoldSentence], retelling: Sequence[Set[str]]
) -> list[RetoldSentence]:
    """Return the retold sentences of a text, together with adjacent sentences that are retold, too.

    An adjacent sentence counts as retold if one sentence of the draft has at least the share
    `LEAST_SHARE_NEXT` of its stems. `retelling` has the stems of each sentence of the draft.
    """
    bounds = split_paragraph(text)
    shares = {sentence.start_char: sentence.share for sentence in retold}
    for sentences in (bounds, bounds[::-1]):
        for (nearby, _), (start, end) in pairwise(sentences):
            own = read_stems(text[start:end]) if nearby in shares and start not in shares else set()
            if own and max(len(own & others) for others in retelling) >= LEAST_SHARE_NEXT * len(own):
                shares[start] = min(shares[nearby], LEAST_SHARE_NEXT)
    return [RetoldSentence(start, end, shares[start]) for start, end in bounds if start in shares]


def _list_sharing(stems: WordRows, retelling: Sequence[Set[str]]) -> list[int]:
    """Return the indices of the texts that share enough word stems with one sentence of the draft.

    `stems` has the stems of each text, `retelling` the stems of each sentence of the draft. At most
    `MOST_READ` texts are returned: those that share the rarest stems.
    """
    wanted = sorted(frozenset[str]().union(*retelling))
    rows, places = stems.find(wanted)
    rarity = np.log(len(stems) / np.maximum(np.bincount(places, minlength=len(wanted)), 1)) + LEAST_WEIGHT
    best = np.zeros(len(stems))
    for sentence in retelling:
        at = np.flatnonzero(np.array([stem in sentence for stem in wanted])[places])
        counts = np.bincount(rows[at], minlength=len(stems))
        weights = np.bincount(rows[at], rarity[places[at]], minlength=len(stems))
        best = np.maximum(best, np.where(counts >= LEAST_SHARED, weights, 0))
    rarest = np.argsort(-best, kind="stable")[:MOST_READ]
    return sorted(rarest[best[rarest] > 0].tolist())


def _share_enough(stems: Set[str], others: Set[str]) -> bool:
    return len(stems & others) >= LEAST_SHARED


def _list_near(text: str, retelling: Sequence[Set[str]]) -> list[tuple[int, int, Set[str]]]:
    """Return the sentences of a text that share enough word stems with a sentence of the draft.

    Each is a triple (start, end, stems). `retelling` has the stems of each of the draft's sentences.
    """
    near = []
    for start, end in split_paragraph(text):
        stems = read_stems(text[start:end])
        if _is_near(stems, retelling):
            stems = stems & read_stems(text)  # a number may be another one without the next sentence
            if _is_near(stems, retelling):
                near.append((start, end, stems))
    return near


def _is_near(stems: Set[str], retelling: Sequence[Set[str]]) -> bool:
    return any(_share_enough(stems, others) for others in retelling)


def _measure_rarity(stems: WordRows, wanted: Sequence[str]) -> dict[str, float]:
    """Return the rarity of each wanted stem among n texts: log(n / texts with the stem) + `LEAST_WEIGHT`."""
    _, places = stems.find(wanted)
    counts = np.bincount(places, minlength=len(wanted)).tolist()
    weights = {n: float(np.log(len(stems) / n)) + LEAST_WEIGHT for n in set(counts)}
    return {stem: weights[count] for stem, count in zip(wanted, counts, strict=True)}


def _rate_sentences(
    near: Sequence[tuple[int, int, Set[str]]], retelling: Sequence[Set[str]], rarity: Mapping[str, float]
) -> list[RetoldSentence]:
    shares = [max(_measure_share(own, others, rarity) for others in retelling) for _, _, own in near]
    return [
        RetoldSentence(start, end, share)
        for (start, end, _), share in zip(near, shares, strict=True)
        if share >= LEAST_SHARE
    ]


def _measure_share(own: Set[str], others: Set[str], rarity: Mapping[str, float]) -> float:
    if not _share_enough(own, others):
        return 0.0
    return fsum(rarity[stem] for stem in own & others) / fsum(rarity[stem] for stem in own)


def read_retold(context: Context) -> dict[int, list[RetoldSentence]]:
    """Return the sentences that the draft retells, by the row number of their paragraph.

    Paragraphs without such sentences are left out.
    """
    if context.pieces is None or is_query(context.draft):
        return {}
    rows = context.compute(choose_compared)

    def read(places: Sequence[int]) -> list[str]:
        wanted = [rows[place] for place in places]
        return [paragraph.text for paragraph, _ in context.candidates.read(wanted)] if wanted else []

    retold = _find_retold(context.draft.left, read_kept(context, "stems"), read)
    return {row: of_row for row, of_row in zip(rows, retold, strict=True) if of_row}


def _score_retold(context: Context) -> Floats | None:
    """Return, for each paragraph, the log-likelihood ratio that the next quote is there.

    The ratio is higher soon after a sentence that the draft retells.
    """
    if context.pieces is None:
        return None
    candidates = context.candidates
    lifts = np.zeros(len(candidates))
    retold = context.compute(read_retold)
    for owner in {int(candidates.owners[row]) for row in retold}:
        rows = range(*np.searchsorted(candidates.owners, [owner, owner + 1]).tolist())
        lifts[rows.start : rows.stop] = _lift_speech(candidates, rows, retold)
    return lifts


def _lift_speech(
    candidates: Candidates, rows: range, retold: Mapping[int, Sequence[RetoldSentence]]
) -> Floats:
    """Return, for the paragraphs `rows` of one speech, the log-likelihood ratio that the next quote is there.

    The ratio falls with the distance from the nearest preceding sentence that the draft retells.
    """
    sizes = np.diff(np.concatenate([[0], candidates.piece_ends]))[rows.start : rows.stop]
    ordinals = candidates.ordinals[rows.start : rows.stop]
    missing = np.concatenate([[0], np.diff(ordinals) - 1]) * MISSING_PIECES
    begins = np.cumsum(sizes + missing) - sizes
    holding = [row for row in rows if row in retold]
    tokens = {row: t for row, (_, t) in zip(holding, candidates.read(holding), strict=True)}
    lifts, end = np.zeros(len(sizes)), -np.inf  # `end` of the last retold sentence, in pieces of the speech
    for place in range(holding[0] - rows.start, len(rows)):  # nothing is retold before
        row = rows[place]
        distances = begins[place] + np.arange(sizes[place], dtype=np.float64) - end
        for sentence in retold.get(row, ()):
            inside = np.flatnonzero(_mark_inside(tokens[row], sentence))
            if len(inside):
                first, after = int(inside[0]), int(inside[-1]) + 1
                distances[first:after] = np.inf
                distances[after:] = np.arange(len(distances) - after)
                end = begins[place] + after
        if len(distances):
            lifts[place] = np.log(np.mean(1 + LIFT * np.exp(-distances / REACH_PIECES)))
    return lifts


def place_candidates(context: Context) -> dict[int, Placing]:
    """Return the distances of candidates' WordPieces from the words that the draft already quotes.

    The result maps the row numbers of candidates to distances. If the draft retells a sentence in its own
    words, the sentence counts as quoted. A candidate has no entry if the draft neither quotes its document
    nor retells one of its sentences.
    """
    quoted = context.compute(read_quoted)
    if quoted is None:
        return {}
    retold = context.compute(read_retold)
    read = context.candidates.read(list(retold))
    marked = {
        row: _mark_retold(quoted.placings.get(row), tokens, retold[row])
        for row, (_, tokens) in zip(retold, read, strict=True)
    }
    return {**quoted.placings, **marked}


def _mark_retold(placing: Placing | None, tokens: Tokens, retold: Sequence[RetoldSentence]) -> Placing:
    nothing = np.full(len(tokens), Placing.NOTHING, np.int32)
    since, until = (
        (placing.words_since.copy(), placing.words_until.copy()) if placing else (nothing, nothing.copy())
    )
    for sentence in retold:
        inside = _mark_inside(tokens, sentence)
        since[inside] = until[inside] = Placing.QUOTED
    return Placing(since, until)


def _mark_inside(tokens: Tokens, sentence: RetoldSentence) -> NDArray[np.bool_]:
    """Return a mask of a text's WordPieces that belong to a retold sentence."""
    inside: NDArray[np.bool_] = (tokens.starts < sentence.end_char) & (tokens.ends > sentence.start_char)
    return inside


def _score_fresh(context: Context) -> Floats | None:
    """Return a score, from -1 to 0, for each candidate paragraph; it is 0 if the draft retells none of it.

    If the draft retells a sentence of the paragraph, the score is minus the share of the sentence that it
    retells. If it retells several sentences, the largest share counts.
    """
    if context.pieces is None:
        return None
    shares = {
        row: -max(s.share for s in sentences) for row, sentences in context.compute(read_retold).items()
    }
    return spread_scores(shares, len(context.candidates))


FRESH = Signal("fresh", "not what the draft retells itself", "log", "paragraph", _score_fresh, default=6.0)
RETOLD = Signal("retold", "after what the draft retells", "log", "paragraph", _score_retold, default=1.0)
