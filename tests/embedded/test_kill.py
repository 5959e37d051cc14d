"""Writers killed with SIGKILL at random moments: nothing acknowledged is lost, nothing is there twice."""

import random
import signal
import subprocess
import sys
import time

import pytest

from embedded.store import EmbeddedStore
from rostrum_core.ports import Query

KILLS = 10
BUDGET_S = 30.0
DOCUMENTS = 8
PARAGRAPHS = 3
HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}

WRITER = f"""
import sys
from pathlib import Path
import numpy as np
from embedded.store import EmbeddedStore
from rostrum_core.ports import Entry
from rostrum_core.identifiers import make_paragraph_id as paragraph_id
from rostrum_core.types import Document, Encoding, Paragraph, Tokens

piece = np.arange(2, dtype=np.int32)
one = Encoding(Tokens(piece, piece, piece + 1), np.eye(8, dtype=np.float32)[0])

def entry(number, version):
    texts = [f"document {{number}} paragraph {{n}} version {{version}}" for n in range({PARAGRAPHS})]
    name, text, start, found = f"document {{number}}", " ".join(texts), 0, []
    for n, said in enumerate(texts):
        found.append(Paragraph(paragraph_id(name, n, said), name, n, said, start, start + len(said)))
        start += len(said) + 1
    return Entry(Document(name, str(version), text), f"hash {{version}}", tuple(found), (one,) * len(texts))

store = EmbeddedStore(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    ready = [each for each in store.generations() if each.published]
    version = int(next(iter(store.documents())).title) + 1 if ready else 1
    name = store.begin(encoder="encoder-1", tokenizer="tokenizer-1").name
    known = store.content_hashes(name)
    for number in range({DOCUMENTS}):
        if known.get(f"document {{number}}") != f"hash {{version}}":
            store.add(name, [entry(number, version)])
            print(f"added {{version}} {{number}}", flush=True)
    store.publish(name)
    print(f"published {{version}}", flush=True)
    store.prune(2)
"""


def run_and_kill(folder, lines: int, then_s: float) -> list[str]:
    """What a writer had said when it was killed: so many lines, and what it did in the seconds after them."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, folder], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        said = [writer.stdout.readline() for _ in range(lines)]
        time.sleep(then_s)
        writer.send_signal(signal.SIGKILL)
        said += writer.stdout.readlines()
    assert writer.returncode == -signal.SIGKILL
    return said


def published_version(folder) -> int:
    """The one version that everything published has, after a look at all of it."""
    store = EmbeddedStore(folder)
    if not any(each.published for each in store.generations()):
        return 0
    version = int(next(iter(store.documents())).title)
    want = sorted(
        f"document {number} paragraph {n} version {version}"
        for number in range(DOCUMENTS)
        for n in range(PARAGRAPHS)
    )
    assert store.count() == (DOCUMENTS, len(want))
    found = store.search(Query("version", "paragraph", None, every=True))
    assert sorted(each.paragraph.text for each in found) == want
    assert None not in [each.scores["lexical"] for each in found]
    return version


def unfinished(folder) -> dict[str, str]:
    with EmbeddedStore(folder) as store:
        return dict(store.content_hashes(store.begin(**HASHES).name))


@pytest.mark.slow
def test_killed_writers_lose_nothing_and_double_nothing(folder):
    draw = random.Random(5)
    started, kills, newest, added = time.monotonic(), 0, 0, {}
    while kills < KILLS and (kills < 3 or time.monotonic() - started < BUDGET_S):
        for line in run_and_kill(folder, draw.randrange(2 * DOCUMENTS), draw.uniform(0, 0.1)):
            kind, version, *number = line.split()
            if kind == "published":
                newest = int(version)
            else:
                added[f"document {number[0]}"] = int(version)
        kills += 1
        version = published_version(folder)
        assert version in (newest, newest + 1)
        newest = version
        hashes = unfinished(folder)
        assert set(hashes.values()) <= {f"hash {version}", f"hash {version + 1}"}
        assert len(hashes) <= DOCUMENTS
        for name, known in added.items():
            assert int(hashes[name].split()[1]) >= known
    assert newest >= 1
