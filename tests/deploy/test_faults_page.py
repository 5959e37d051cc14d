"""What docs/operations.md says of faults is what the code says."""

import re

from tests.pages import section

from .conftest import ROOT

PACKAGES = ("rostrum", "archive", "jobs", "workers", "opensearch", "embedded", "indexer")
SOURCE = "".join(path.read_text() for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py")))
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in section("operations.md", "What each fault looks like").splitlines()
    if line.startswith("| ")
][1:]
OF_THE_SERVER = ("circuit_breaking_exception", "cluster_block_exception")  # tests/opensearch/faults


def spans(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_every_row_has_every_cell():
    assert {len(row) for row in ROWS} == {5}
    assert len(ROWS) > 15


def test_every_message_is_one_of_the_code():
    for _, message, *_ in ROWS:
        for quoted in spans(message):
            pieces = [piece.strip() for piece in re.split("…|:", quoted) if piece.strip()]
            for piece in pieces:
                assert piece in SOURCE or piece in OF_THE_SERVER, piece


def test_every_code_is_one_that_the_service_answers():
    codes = {name for _, _, cell, *_ in ROWS for name in spans(cell)}
    assert {name for name in codes if f'"{name}"' not in SOURCE} <= {"degraded", "/ready"}


def test_every_metric_is_one_that_the_service_has():
    metrics = (ROOT / "rostrum" / "api" / "edge" / "metrics.py").read_text()
    for _, _, _, cell, _ in ROWS:
        for name in spans(cell):
            plain = re.sub(r"(_count|_total)?(\{.*\})?$", "", name)
            assert f'"{plain}"' in metrics, name
