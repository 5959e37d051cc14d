"""Time claims over a document of 300 sentences and over an archive, and a highlight request of 50 hits.

    python -m benchmarks.evidence_times --archive ARCHIVE [--claims 30]

The document is the first 300 sentences of the archive. The claims are sentences of the archive, in a random
order that a seed determines. Writes `results/evidence-times.json`: wall time and processor time, because wall
time also depends on other work on the machine. On two cores, processor time is at most twice the wall time of
a quiet machine.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from archive.service import Service
from benchmarks.provenance import record_provenance, write
from benchmarks.script import compute_quantiles, make_parser, open_service, time_calls
from jobs.evidence.highlight import Question, highlight
from jobs.evidence.passages import Passage, join_sentences
from quotations.text.sentences import split_sentences
from rostrum_core.evidence import Claim

SENTENCES, LISTED, HITS, HIT_WORDS, SEED, WARM, TIMEOUT_S = 300, 10, 50, 225, 7, 2, 600.0


def list_sentences(service: Service) -> Iterator[str]:
    """Yield the sentences of the archive, document by document."""
    for info in service.store.documents():
        speech = service.store.get(info.id)
        for paragraph in speech[1] if speech else ():
            for start, end in split_sentences(paragraph.text):
                yield paragraph.text[start:end]


def make_hits(texts: Sequence[str]) -> list[str]:
    """Return `HITS` texts of about 300 WordPieces: 225 words."""
    words = " ".join(texts).split()
    return [" ".join(words[at * HIT_WORDS : (at + 1) * HIT_WORDS]) for at in range(HITS)]


def time_claims(call: Callable[[str], Any], claims: Sequence[str]) -> dict[str, float]:
    """Return quantiles of the milliseconds of calls, one after the other."""
    walls, cpus = time_calls(call, claims)
    in_clock = compute_quantiles(walls[WARM:], "wall p{} ms", 1, of_s=1000)
    return in_clock | compute_quantiles(cpus[WARM:], "processor p{} ms", 1, of_s=1000)


def main() -> None:
    """Read the command line, time the calls, and write the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--archive", type=Path, required=True)
    parser.add_argument("--claims", type=int, default=30)
    options = parser.parse_args()
    service = open_service(archive=options.archive, timeout_s=TIMEOUT_S)
    texts = [text for text, _ in zip(list_sentences(service), range(12_000), strict=False)]
    claims = random.Random(SEED).sample(
        [text for text in texts if 8 <= len(text.split()) <= 30], options.claims
    )
    document: list[Passage] = join_sentences("d", texts[:SENTENCES], service.models.wordpieces)
    hits, ranker = make_hits(texts), service.make_sentence_ranker()
    result: dict[str, Any] = {
        "document of 300 sentences": time_claims(
            lambda claim: ranker.rank(Claim(claim), document, limit=LISTED, timeout_s=TIMEOUT_S), claims
        ),
        "archive": time_claims(lambda claim: service.evidence(Claim(claim)), claims),
        "50 hits of 300 tokens": time_claims(
            lambda claim: highlight([Question(claim, hit) for hit in hits], ranker, timeout_s=TIMEOUT_S),
            claims[: max(WARM + 3, options.claims // 3)],
        ),
        "claims": options.claims,
        "documents": service.store.count()[0],
        "paragraphs": service.store.count()[1],
        "document pieces": sum(
            len(row) for row in service.models.wordpieces.tokenise([p.text for p in document])
        ),
        "load": os.getloadavg()[0],
    }
    write("evidence-times", {**result, **record_provenance(service.models, [])})


if __name__ == "__main__":
    main()
