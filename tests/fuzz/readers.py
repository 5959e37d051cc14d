"""Coverage-guided fuzzing of every reader and of the splitter: `make fuzz`.

The first byte of an input chooses the target, the rest is the file. Documents or a `TranscriptError` must
come of it, in time, and every paragraph must stand in its document where it says. What fails is left in
build/fuzz; `python -m tests.fuzz.readers build/fuzz/crash-...` runs it again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

WORK = Path(__file__).parents[2] / "build" / "fuzz"
# Of libFuzzer: an input that takes so many seconds or megabytes counts as a failure.
LIMITS = ("-timeout=20", "-rss_limit_mb=3000", "-max_len=8192", f"-artifact_prefix={WORK}/")

with atheris.instrument_imports(include=["indexer"]):
    from tests.fuzz.seeds import seeds
    from tests.fuzz.targets import TARGETS, one_input


def main(options: list[str]) -> None:
    """Runs with the options of libFuzzer: `-max_total_time=600` ends it after ten minutes.

    Without a file among them it starts from the seeds and from what earlier runs have found.
    """
    corpus = WORK / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    kinds = list(TARGETS)
    for number, (target, data) in enumerate(seeds()):
        (corpus / f"seed-{number}").write_bytes(bytes([kinds.index(target)]) + data)
    files = [option for option in options if not option.startswith("-")]
    atheris.Setup([sys.argv[0], *LIMITS, *options, *([] if files else [str(corpus)])], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
