"""Measure the reading of many small files: memory by their number, and CPU per file.

python -m benchmarks.small_files [--files 50000]

Writes text files of three paragraphs, in folders of a thousand, reads them as `rostrum index` does, and
records the memory of the process during the run. Writes results/small_files.json.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from archive.cleaning_rules import load_boilerplate
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from indexer.ingest import read
from rostrum_core.errors import TranscriptError

FOLDER = 1_000  # files in one
POINTS = (0.02, 0.25, 0.5, 0.75, 1.0)  # shares of all files, at which memory is recorded
SPEECH = (
    "Title: Remarks {n}\nSpeaker: Jane Roe {speaker}\nDate: March 4, 2021\n\n"
    "We came here to open bridge number {n}, which took nine years to build.\n\n"
    "Who paid for it? You did, all of you.\n"
)


def main() -> None:
    """Write the files, read them, and write the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    count = parser.parse_args().files
    with tempfile.TemporaryDirectory() as name:
        for number in range(count):
            _write(Path(name), number)
        write("small_files", {**measure(Path(name), count), **record_provenance(None, [])})


def measure(folder: Path, count: int) -> dict[str, object]:
    """Read a folder of `count` files; return CPU per file in ms and memory in KiB at points of the run."""
    letters: list[TranscriptError] = []
    points = {max(1, int(count * point)) for point in POINTS}
    memory: dict[str, int] = {}
    began = time.process_time()
    documents = read([folder], refused=letters.append, boilerplate=load_boilerplate(None))
    for number, _ in enumerate(documents, start=1):
        if number in points:
            memory[str(number)] = _read_resident_kib()
    cpu_s = time.process_time() - began
    return {"files": count, "cpu_ms_per_file": round(1000 * cpu_s / count, 3), "resident_kib": memory}


def _write(folder: Path, number: int) -> None:
    part = folder / f"{number // FOLDER:04d}"
    part.mkdir(exist_ok=True)
    (part / f"{number:06d}.txt").write_text(SPEECH.format(n=number, speaker=number % 97), "utf-8")


def _read_resident_kib() -> int:
    """Return the resident memory of this process in KiB, as Linux counts it."""
    fields = Path("/proc/self/status").read_text().split("VmRSS:")[1].split()
    return int(fields[0])


if __name__ == "__main__":
    main()
