"""`rostrum index`, killed at moments nobody chose, loses nothing and doubles nothing."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from archive.cleaning_rules import load_boilerplate
from archive.shipped_files import locate_shipped
from embedded.store import EmbeddedStore
from indexer.boilerplate import Boilerplate
from indexer.ingest import read
from rostrum_core.identifiers import hash_text
from rostrum_core.ports import Query

from .conftest import PROGRAM, Rostrum

SPEECHES = 12
MOST_KILLS = {"index": 5, "any step": 20}
LONGEST_S = 30.0  # of killing, however slow the machine is

# The same run with an encoder that costs nothing, so that kills fall on every step and not on encoding alone.
CHEAP = """
import sys
from pathlib import Path
import numpy as np
from embedded.store import EmbeddedStore
from indexer.ingest import read
from indexer.paragraphs import split
from rostrum_core.types import Encoding, Tokens
from archive import encoding_batch, refresh

def encode(texts):
    for text in texts:
        ids = np.frombuffer(text.encode("utf-8"), np.uint8)[:64].astype(np.int32)
        vector = np.random.default_rng(len(text)).standard_normal(16).astype(np.float32)
        yield Encoding(Tokens(ids, ids, ids), vector / np.linalg.norm(vector))

encoding_batch.BATCH_CHARACTERS = 20_000
store = EmbeddedStore(Path(sys.argv[2]))
report = refresh.refresh(
    read([Path(sys.argv[1])], refused=print), store,
    refresh.Preparation(
        lambda document: split(document, count_tokens=lambda text: len(text.split())),
        lambda texts: list(encode(texts)),
        refresh.Hashes("cheap", "bytes"),
    ),
)
print(report.encoded)
"""


@pytest.fixture(autouse=True)
def _compute_as_the_sample_archive_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSTRUM_ENGINE", "onnxruntime")


@pytest.fixture
def speeches(tmp_path: Path) -> Path:
    """A file of the shortest sample speeches."""
    lines = sorted(locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines(), key=len)
    path = tmp_path / "speeches.jsonl"
    path.write_text("\n".join(lines[:SPEECHES]), "utf-8")
    return path


def killed(line: list[str], after_s: float) -> bool:
    """Whether a process was killed after so many seconds; if not, it came to its end before."""
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as started:
        try:
            _, messages = started.communicate(timeout=after_s)
        except subprocess.TimeoutExpired:
            started.kill()
            return True
    assert started.returncode == 0, messages
    return False


def moments(seed: int, most: int, longest_s: float) -> Iterator[float]:
    """Seconds after which to kill, drawn with `seed`; at most so many, and none once the time is up."""
    chance, deadline = random.Random(seed), time.monotonic() + LONGEST_S
    for _ in range(most):
        if time.monotonic() < deadline:
            yield chance.uniform(0.1, 1.0) * longest_s


def is_sound(archive: Path, documents: set[str]) -> None:
    """Every reader sees a whole published generation, or none."""
    store = EmbeddedStore(archive)
    if not any(each.published for each in store.generations()):
        return
    assert {each.id for each in store.documents()} <= documents
    found = store.search(Query("freedom nation people", "freedom", None))
    assert len({each.paragraph.id for each in found}) == len(found) > 0


def holds_each_once(archive: Path, source: Path, rules: Boilerplate | None = None) -> None:
    """The archive is what a run that nobody killed makes: each speech once, its paragraphs in order."""
    store = EmbeddedStore(archive)
    documents = read([source], refused=pytest.fail, boilerplate=rules or Boilerplate())
    expected = {document.id: document for document in documents}
    assert [each.id for each in store.documents()] == sorted(expected)
    paragraphs = 0
    for name, document in expected.items():
        found = store.get(name)
        assert found is not None
        assert found[0] == document
        assert [each.ordinal for each in found[1]] == list(range(len(found[1])))
        assert all(document.text[each.start_char : each.end_char] == each.text for each in found[1])
        assert "".join("".join(each.text for each in found[1]).split()) == "".join(document.text.split())
        paragraphs += len(found[1])
    assert store.count() == (len(expected), paragraphs)
    assert len(list((archive / "generations").iterdir())) == len(store.generations())


def test_killed_at_random_moments_it_goes_on_without_loss_or_doubles(
    tmp_path: Path, speeches: Path, sample_archive: Path, rostrum: Rostrum
) -> None:
    archive = tmp_path / "archive"
    ids = {document.id for document in read([speeches], refused=pytest.fail)}
    line = [*PROGRAM, "index", str(speeches), "--archive", str(archive)]
    for after_s in moments(1863, MOST_KILLS["index"], 8.0):
        killed(line, after_s)
        is_sound(archive, ids)
    assert rostrum("index", speeches, "--archive", archive).code == 0
    holds_each_once(archive, speeches, load_boilerplate(None))
    vectors_are_those_of_a_run_that_nobody_killed(archive, sample_archive)
    again = rostrum("index", speeches, "--archive", archive)
    assert again.out.startswith(f"documents: {SPEECHES} unchanged\nnothing changed")


def vectors_are_those_of_a_run_that_nobody_killed(archive: Path, other: Path) -> None:
    store, sound = EmbeddedStore(archive), EmbeddedStore(other)
    speeches = [store.get(info.id) or pytest.fail(info.id) for info in store.documents()]
    texts = {hash_text(each.text) for _, paragraphs in speeches for each in paragraphs}
    found, expected = (each.encodings(published(each), sorted(texts)) for each in (store, sound))
    assert found.keys() == expected.keys() == texts
    for name in texts:
        np.testing.assert_allclose(found[name].vector, expected[name].vector, atol=1e-4)
        assert found[name].tokens.ids.tolist() == expected[name].tokens.ids.tolist()


def published(store: EmbeddedStore) -> str:
    return next(each.name for each in store.generations() if each.published)


def test_killed_at_any_step_it_goes_on_without_loss_or_doubles(tmp_path: Path) -> None:
    source, archive = locate_shipped("samples/speeches.jsonl"), tmp_path / "archive"
    ids = {document.id for document in read([source], refused=pytest.fail)}
    line = [sys.executable, "-c", CHEAP, str(source), str(archive)]
    began = time.monotonic()
    subprocess.run([*line[:-1], str(tmp_path / "whole")], check=True, stdout=subprocess.DEVNULL)
    whole_s = time.monotonic() - began
    for after_s in moments(1941, MOST_KILLS["any step"], whole_s):
        killed(line, after_s)
        is_sound(archive, ids)
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    holds_each_once(archive, source)
    last = subprocess.run(line, check=True, capture_output=True, text=True)
    assert last.stdout.split() == ["0"]
