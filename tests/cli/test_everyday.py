"""What a user meets every day: wrong ids, a port in use, counts, and how far a run is."""

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from archive.refresh import Hashes, Observer, Preparation, refresh
from rostrum.cli import indexing
from rostrum.cli.indexing import Bar
from rostrum.cli.terminal import count
from rostrum_core.ports import ParagraphStore
from rostrum_core.refresh_jobs import Progress
from rostrum_core.types import Document, Encoding, Paragraph

from .conftest import Rostrum

ROWS = [{"id": "gettysburg", "text": "Four score and seven years ago."}]


@pytest.fixture
def archive(rostrum: Rostrum, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, file = tmp_path / "archive", tmp_path / "speeches.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    monkeypatch.setenv("ROSTRUM_ARCHIVE", str(folder))
    assert rostrum("index", file).code == 0
    return folder


@pytest.mark.parametrize("command", ["show", "delete"])
def test_a_wrong_id_is_answered_with_what_may_be_meant(rostrum: Rostrum, archive: Path, command: str) -> None:
    shown = rostrum(command, "getysburg")
    assert shown.code == 2
    assert shown.complaint.endswith("no document 'getysburg' in the archive; did you mean 'gettysburg'?")
    assert "did you mean" not in rostrum(command, "zzz").complaint


def test_one_document_is_no_documents(rostrum: Rostrum, archive: Path) -> None:
    assert rostrum("documents").err == "1 document\n"
    assert count(2, "document") == "2 documents"


def test_a_port_in_use_is_said_in_words(rostrum: Rostrum, archive: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        shown = rostrum("serve", "--port", str(port))
    assert shown.code == 2
    last = shown.err.splitlines()[-1]
    assert last.startswith(f"rostrum: port {port} of 127.0.0.1 is in use already")
    assert "--port" in last


def test_progress_counts_paragraphs_while_they_are_encoded(
    tmp_path: Path, encoding: Callable[[str], Encoding]
) -> None:
    """1,200 texts are encoded in three steps; before the first is done, it is known how many there are."""
    from embedded.store import EmbeddedStore

    text = "\n".join(f"paragraph {i}" for i in range(1200))
    seen: list[Progress] = []
    _refresh(EmbeddedStore(tmp_path / "archive"), Document("a", "A", text), encoding, seen)
    steps = list(dict.fromkeys((each.encoded, each.to_encode) for each in seen))
    assert steps == [(0, 0), (512, 1200), (1024, 1200), (1200, 1200)]


def _refresh(
    store: ParagraphStore, document: Document, encoding: Callable[[str], Encoding], seen: list[Progress]
) -> None:
    def split(whole: Document) -> tuple[Paragraph, ...]:
        found, start = [], 0
        for i, line in enumerate(whole.text.split("\n")):
            found.append(Paragraph(f"p{i}", whole.id, i, line, start, start + len(line)))
            start += len(line) + 1
        return tuple(found)

    preparation = Preparation(split, lambda texts: [encoding(text) for text in texts], Hashes("e", "t"), 0)
    refresh([document], store, preparation, observer=Observer(on_progress=seen.append))


def test_the_bar_reads_first_and_then_goes_by_paragraphs(tmp_path: Path, monkeypatch) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("x" * 1000)
    monkeypatch.setattr(indexing, "open_messages", lambda: _terminal())
    bar = Bar([tmp_path])
    bar.on_file(tmp_path / "a.txt")
    assert bar.shown.tasks[0].description == "reading file 1 of 2"
    bar.on_document(Document("a", "A", "x" * 1000))
    bar.on_progress(Progress(documents=1, encoded=25, to_encode=100))
    task = bar.shown.tasks[0]
    assert task.description == "file 1 of 2: 25 of 200 paragraphs encoded"
    assert (task.completed, task.total) == (25, 200)
    bar.on_file(tmp_path / "b.txt")
    bar.on_document(Document("b", "B", "x" * 1000))
    bar.on_progress(Progress(documents=2, encoded=150, to_encode=150))
    assert (bar.shown.tasks[0].completed, bar.shown.tasks[0].total) == (150, 150)


def _terminal():
    import io

    from rich.console import Console

    return Console(file=io.StringIO(), force_terminal=True)
