"""Save the output of `rostrum demo --limit 1` for the README.

    python -m benchmarks.demo

Writes results/demo.txt: standard output, lines broken at 110 columns.
"""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

from benchmarks.provenance import RESULTS
from benchmarks.script import ROSTRUM, make_parser

WIDTH = 110


def main() -> None:
    """Run the command line of the script."""
    make_parser(__doc__).parse_args()
    command = [*ROSTRUM, "demo", "--limit", "1"]
    response = subprocess.run(command, capture_output=True, text=True, check=True)
    printed = response.stdout.replace(str(Path.home()), "~")  # no path of this machine in a result
    lines = [part for line in printed.splitlines() for part in textwrap.wrap(line, WIDTH) or [""]]
    (RESULTS / "demo.txt").write_text("\n".join(lines) + "\n", "utf-8")
    print("wrote benchmarks/results/demo.txt")


if __name__ == "__main__":
    main()
