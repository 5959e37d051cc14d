"""A sample of the news quotations that `rostrum align` refuses, to be read: were they said after all?

    python -m benchmarks.align_refused --data DATA

prints 600 of those that are "too different" or have "nothing in common", each beside the paragraph of its
days that shares most triples of words with it; those that share much are drawn more often. What a reader
said of them is results/align-refused.json; the text stays on the terminal.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.align import DAYS, iso, kept, outcome, refuse
from quotations.matching import Matcher
from quotations.transcript import Transcript
from quotations.word_index import WordIndex
from rostrum.evaluation.pairs import rows
from rostrum.jobs.align.transcripts import read_transcripts

REFUSED = ("too different", "nothing in common")
STRATA = ((0.6, inf, 25), (0.4, 0.6, 25), (0.2, 0.4, 100), (1e-9, 0.2, 300), (0.0, 1e-9, 150))
"""At least and below which share of its triples, and how many of these are read."""

LATE, FREQUENT = 3, 3000  # days that a transcript may be dated too late; quotations with a triple of no use
SHOWN_CHARS = 300
WORD = re.compile(r"\w+")
Triple = tuple[str, ...]


@dataclass(frozen=True)
class Nearest:
    """A paragraph, and how many of a quotation's triples it has; of no document where it has none."""

    triples: int = 0
    document: str = ""
    ordinal: int = 0


def triples(text: str) -> set[Triple]:
    """Every three words in a row.

    >>> sorted(triples("We don't choose to."))
    [('dont', 'choose', 'to'), ('we', 'dont', 'choose')]
    """
    said = WORD.findall(text.casefold().replace("’", "").replace("'", ""))
    return {tuple(said[i : i + 3]) for i in range(len(said) - 2)}


def share(quote: str, nearest: Nearest) -> float:
    """The triples of a quotation that the paragraph has, each counted once, by the places for them in it."""
    count = len(WORD.findall(quote.replace("’", "").replace("'", ""))) - 2
    return nearest.triples / max(1, count)


def nearest_to(quotations: Sequence[Mapping[str, Any]], speeches: Iterable[Transcript]) -> list[Nearest]:
    """For each quotation the paragraph of the days before it that shares most triples with it."""
    known: dict[Triple, list[int]] = defaultdict(list)
    for number, row in enumerate(quotations):
        for triple in triples(row["quote"]):
            known[triple].append(number)
    days = [_day(iso(row["published"])) for row in quotations]
    best = [Nearest()] * len(quotations)
    for speech in speeches:
        held = _day(speech.spoken_on)
        for ordinal, text in enumerate(speech.paragraphs if held else ()):
            counts: Counter[int] = Counter()
            for triple in triples(text):
                if len(found := known.get(triple, ())) < FREQUENT:
                    counts.update(found)
            for number, count in counts.items():
                if count > best[number].triples and -LATE <= days[number] - held <= DAYS + 1:
                    best[number] = Nearest(count, speech.id, ordinal)
    return best


def _day(told: str | None) -> int:
    return date.fromisoformat(told[:10]).toordinal() if told else 0


def drawn(shares: Sequence[float], seed: int) -> list[tuple[int, int]]:
    """Numbers of the quotations to read, and the stratum of each."""
    chance, found = Random(seed), []
    for stratum, (least, below, count) in enumerate(STRATA):
        pool = [number for number, each in enumerate(shares) if least <= each < below]
        found += [(number, stratum) for number in chance.sample(pool, min(count, len(pool)))]
    return found


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that holds that of the pairs")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    quotations = given.data / "quotations"
    speeches: list[Transcript] = []
    read = read_transcripts([quotations / "documents.jsonl.gz"], count_tokens=len, refused=refuse)
    matcher = Matcher(WordIndex(kept(read, speeches)), days=DAYS)
    refused = [
        (number, row)
        for number, row in enumerate(rows(quotations / "news-quotes.jsonl.gz"))
        if outcome(matcher.match([row["quote"]], iso(row["published"]))) in REFUSED
    ]
    found = nearest_to([row for _, row in refused], speeches)
    shares = [share(row["quote"], near) for (_, row), near in zip(refused, found, strict=True)]
    by_id = {speech.id: speech for speech in speeches}
    for number, stratum in drawn(shares, given.seed):
        (place, row), near = refused[number], found[number]
        print(f"row {place}, stratum {stratum}, {shares[number]:.2f}, {row['published']}: {row['quote']}")
        if near.document:
            speech = by_id[near.document]
            print(f"    {speech.spoken_on} {speech.speaker}: {_around(speech, near, row['quote'])}")
    counted = Counter(next(i for i, (least, _, _) in enumerate(STRATA) if each >= least) for each in shares)
    print(f"refused by stratum: {sorted(counted.items())}")


def _around(speech: Transcript, near: Nearest, quote: str) -> str:
    """The paragraph from the first triple that it shares with the quotation."""
    text, wanted = speech.paragraphs[near.ordinal], triples(quote)
    found = [each.start() for each in WORD.finditer(text)]
    first = next((at for at in found if triples(" ".join(text[at:].split()[:6])) & wanted), 0)
    return text[first : first + SHOWN_CHARS]


if __name__ == "__main__":
    main()
