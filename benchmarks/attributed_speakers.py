"""Measure how often the speaker to whom a draft attributes the quote is whose words follow.

    python -m benchmarks.attributed_speakers --data DATA

Asks `attribute_quote` about the reporters' drafts of dev and test that contain the sentence with the quote,
up to the quote. Debates are left out, because they have no single speaker. Writes
results/attributed-speakers.json: the drafts that name a speaker so, and those whose transcript is by that
speaker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from evaluation.data import DEV, DOCUMENTS, TEST
from evaluation.pairs import Pair, read_pairs, read_transcripts
from quotations.text.transcript import Transcript
from reranker.signals.attributed_speaker import attribute_quote
from rostrum_core.types import Draft

NO_SPEAKER = ("debate", "rebuttal")


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    data = parser.parse_args().data
    documents = read_transcripts(data / DOCUMENTS)
    files = {"dev": data / DEV, "test": data / TEST}
    counts = {split: count_right(read_pairs(file, documents), documents) for split, file in files.items()}
    write(
        "attributed-speakers",
        {**counts, **record_provenance(None, [data / DOCUMENTS, *files.values()])},
    )


def count_right(pairs: list[Pair], documents: Mapping[str, Transcript]) -> dict[str, int]:
    """Return the numbers of drafts asked, of those that attribute the quote, and of the right ones."""
    speakers = sorted({str(source.speaker) for source in documents.values() if _has_speaker(source)})
    counts = Counter({"drafts": 0, "attributed": 0, "right": 0})
    for pair in pairs:
        source = documents[pair.document]
        if not pair.lead_in or not _has_speaker(source):
            continue
        draft = Draft(pair.title, f"{pair.left} {pair.lead_in}")
        attributed = attribute_quote(draft, speakers)
        counts.update(drafts=1, attributed=bool(attributed), right=source.speaker in attributed)
    return dict(counts)


def _has_speaker(transcript: Transcript) -> bool:
    speaker = (transcript.speaker or "").casefold()
    return bool(speaker) and not any(word in speaker for word in NO_SPEAKER)


if __name__ == "__main__":
    main()
