"""Tell users how to install a missing extra of Rostrum."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

DISTRIBUTION = "rostrum-quotes"
CONSTRAINTS = "constraints.txt"
ROOT = Path(__file__).resolve().parents[1]


def install_command(extra: str, root: Path = ROOT) -> str:
    """Return the command that installs the packages of an extra, such as "cluster".

    Rostrum is not on a package index. In a checkout of the repository, the command names the folder of the
    checkout. Otherwise it names the required packages, as listed in the metadata of the installed
    distribution.
    """
    if (root / CONSTRAINTS).is_file():
        folder = "." if root == Path.cwd() else str(root)
        return f"pip install -c {root / CONSTRAINTS} -e '{folder}[{extra}]'"
    try:
        packages = list(list_packages(extra, requires(DISTRIBUTION) or ()))
    except PackageNotFoundError:
        packages = []
    return " ".join(["pip install", *(f"'{package}'" for package in packages)])


def list_packages(extra: str, requirements: Iterable[str]) -> Iterable[str]:
    """Yield the packages that an extra adds to the requirements of a distribution.

    >>> list(list_packages("gpu", ["numpy>=2", "torch<3,>=2.8; extra == 'gpu'", "onnx; extra == 'train'"]))
    ['torch<3,>=2.8']
    """
    for requirement in requirements:
        package, _, marker = requirement.partition(";")
        if re.search(rf"""extra == ['"]{re.escape(extra)}['"]""", marker):
            yield package.strip()
