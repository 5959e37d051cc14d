import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from archive import encoding_batch
from archive import refresh as refreshing
from archive.encoding_batch import gather_batches
from archive.preview import preview
from archive.refresh import Hashes, Observer, Preparation, RefreshOptions
from embedded.store import EmbeddedStore
from indexer import paragraphs
from rostrum_core.errors import (
    BadInput,
    DocumentRefused,
    Overtaken,
    StoreError,
    TaskError,
    TranscriptError,
    Withheld,
)
from rostrum_core.identifiers import hash_text
from rostrum_core.ports import Entry
from rostrum_core.refresh_jobs import Progress, Report
from rostrum_core.types import Document, Encoding, Paragraph, Tokens

HASHES = Hashes("encoder-1", "tokenizer-1")
OBSERVED = {
    "refused": "count_refused",
    "refuse": "refuse",
    "progress": "on_progress",
    "complete": "on_complete",
}


def refresh(
    documents: Iterable[Document],
    store: EmbeddedStore,
    encode: Callable[[Sequence[str]], list[Encoding]],
    split: Callable[[Document], tuple[Paragraph, ...]],
    *,
    hashes: Hashes = HASHES,
    depth: int = 0,
    **options: Any,
) -> Report:
    """Run a refresh with options and callbacks as plain keywords."""
    observer = Observer(**{OBSERVED[name]: options.pop(name) for name in OBSERVED if name in options})
    preparation = Preparation(split, encode, hashes, depth)
    return refreshing.refresh(documents, store, preparation, RefreshOptions(**options), observer)


def encoding(text: str) -> Encoding:
    """A vector and tokens that depend on the text alone."""
    random = np.random.default_rng(int(hash_text(text)[:8], 16))
    vector = random.standard_normal(8).astype(np.float32)
    numbers = np.arange(len(text.split()), dtype=np.int32)
    return Encoding(Tokens(numbers, numbers, numbers + 1), vector / np.float32(np.linalg.norm(vector)))


class CountingEncoder:
    def __init__(self, stop_at: str | None = None, error: BaseException | None = None) -> None:
        self.texts: list[str] = []
        self.stop_at, self.error = stop_at, error

    def __call__(self, texts: Sequence[str]) -> list[Encoding]:
        if self.error and any(self.stop_at in text for text in texts if self.stop_at):
            raise self.error
        self.texts += texts
        return [encoding(text) for text in texts]


def split(document: Document) -> tuple[Paragraph, ...]:
    return paragraphs.split(document, count_tokens=lambda text: len(text.split()))


def speech(name: str, *texts: str, title: str = "A speech") -> Document:
    return Document(name, title, "\n\n".join(texts), spoken_on="1962-09-12")


Run = Callable[..., Report]


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return EmbeddedStore(tmp_path / "archive")


@pytest.fixture
def run(store: EmbeddedStore) -> Run:
    def run(*documents: Document, encode: CountingEncoder | None = None, **options: object) -> Report:
        given = {"hashes": HASHES, **options}
        return refresh(documents, store, encode or CountingEncoder(), split, **given)

    return run


def texts(store: EmbeddedStore) -> dict[str, list[str]]:
    found = {each.id: store.get(each.id) for each in store.documents()}
    return {name: [p.text for p in pair[1]] for name, pair in found.items() if pair}


def test_new_documents_are_added_and_published(run: Run, store: EmbeddedStore) -> None:
    report = run(speech("a", "one", "two"), speech("b", "three"))
    assert (report.added, report.paragraphs, report.encoded, report.reused) == (2, 3, 3, 0)
    assert texts(store) == {"a": ["one", "two"], "b": ["three"]}
    assert report.generation == next(g.name for g in store.generations() if g.published)


def test_a_second_run_over_the_same_documents_writes_nothing_and_begins_no_generation(
    run: Run, store: EmbeddedStore
) -> None:
    run(speech("a", "one", "two"))
    before, encode = store.generations(), CountingEncoder()
    report = run(speech("a", "one", "two"), encode=encode)
    assert (report.unchanged, report.paragraphs, report.generation) == (1, 0, None)
    assert encode.texts == []
    assert store.generations() == before


def test_a_paragraph_inserted_at_the_top_is_the_only_one_encoded(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one", "two", "three"))
    encode = CountingEncoder()
    report = run(speech("a", "zero", "one", "two", "three"), encode=encode)
    assert encode.texts == ["zero"]
    assert (report.replaced, report.paragraphs, report.encoded, report.reused) == (1, 4, 1, 3)
    assert texts(store) == {"a": ["zero", "one", "two", "three"]}


def test_reused_encodings_are_those_of_their_texts(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one", "two two"))
    report = run(speech("a", "two two", "zero", "one"))
    found = store.encodings(report.generation or "", [hash_text(text) for text in ("one", "two two", "zero")])
    for text in ("one", "two two", "zero"):
        assert found[hash_text(text)].vector.tolist() == encoding(text).vector.tolist()
        assert found[hash_text(text)].tokens.ids.tolist() == encoding(text).tokens.ids.tolist()


def test_a_text_that_stands_in_many_documents_is_encoded_once(run: Run) -> None:
    encode = CountingEncoder()
    report = run(speech("a", "Thank you.", "one"), speech("b", "Thank you.", "two"), encode=encode)
    assert sorted(encode.texts) == ["Thank you.", "one", "two"]
    assert (report.paragraphs, report.encoded, report.reused) == (4, 3, 1)


def test_a_change_of_the_title_alone_replaces_the_document_and_encodes_nothing(
    run: Run, store: EmbeddedStore
) -> None:
    run(speech("a", "one"))
    report = run(speech("a", "one", title="Another title"))
    assert (report.replaced, report.encoded, report.reused) == (1, 0, 1)
    assert [each.title for each in store.documents()] == ["Another title"]


def test_documents_that_are_not_given_stay(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one"), speech("b", "two"))
    run(speech("b", "two"), speech("c", "three"))
    assert sorted(texts(store)) == ["a", "b", "c"]


def test_a_mirror_deletes_documents_that_are_not_given(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one"), speech("b", "two"))
    report = run(speech("b", "two"), mirror=True)
    assert (report.deleted, report.unchanged) == (1, 1)
    assert texts(store) == {"b": ["two"]}


def test_a_mirror_deletes_nothing_if_an_input_was_refused(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one"), speech("b", "two"))
    report = run(speech("b", "two"), mirror=True, refused=lambda: 1)
    assert (report.deleted, report.refused, report.generation) == (0, 1, None)
    assert sorted(texts(store)) == ["a", "b"]


def test_what_an_interrupted_mirror_deleted_is_not_deleted_by_a_run_without(
    run: Run, store: EmbeddedStore
) -> None:
    run(speech("a", "one"), speech("b", "two"), speech("c", "three"))

    def stop(progress: Progress) -> None:
        if any(each.state == "building" and each.documents == 2 for each in store.generations()):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(speech("a", "one"), speech("d", "four"), mirror=True, progress=stop)
    report = run(speech("a", "one"))
    assert texts(store) == {"a": ["one"], "b": ["two"], "c": ["three"]}
    assert (report.deleted, report.renewed, report.encoded) == (0, 2, 0)


@pytest.mark.parametrize("option", ["mirror", "fresh"])
def test_no_option_empties_the_archive(run: Run, store: EmbeddedStore, option: str) -> None:
    run(speech("a", "one"))
    with pytest.raises(BadInput, match="no document"):
        run(**{option: True})
    assert run(**{option: True}, refused=lambda: 1).generation is None
    assert sorted(texts(store)) == ["a"]


def test_a_mirror_of_what_is_there_begins_no_generation(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one"))
    assert run(speech("a", "one"), mirror=True).generation is None


def test_a_fresh_run_keeps_only_what_it_is_given(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one"), speech("b", "two"))
    report = run(speech("b", "two"), fresh=True)
    assert (report.renewed, report.deleted) == (1, 1)
    assert texts(store) == {"b": ["two"]}


def all_junk(file: Path) -> None:
    file.write_bytes(b"junk")


def half_gone(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def junk_within(file: Path) -> None:
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(size // 4)
        opened.write(b"junk" * (size // 8))


def other_vectors(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE paragraphs SET vector = zeroblob(length(vector))")
    connection.close()


@pytest.mark.parametrize("damage", [Path.unlink, all_junk, half_gone, junk_within, other_vectors])
def test_a_fresh_run_takes_nothing_from_a_damaged_archive(
    run: Run, store: EmbeddedStore, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    several = [speech(f"speech-{number}", *(f"{number} and {n}" for n in range(20))) for number in range(30)]
    name = run(*several).generation
    damage(tmp_path / "archive" / "generations" / str(name) / "archive.sqlite")
    with pytest.raises(StoreError):
        run(*several, speech("b", "two"))
    name = run(*several, fresh=True).generation
    assert len(texts(store)) == 30
    said = [text for each in texts(store).values() for text in each]
    kept = store.encodings(str(name), [hash_text(text) for text in said])
    assert all(np.array_equal(kept[hash_text(text)].vector, encoding(text).vector) for text in said)
    store.check()


def test_a_run_over_nothing_makes_no_archive(run: Run, store: EmbeddedStore) -> None:
    assert run().generation is None
    assert store.generations() == []


def test_the_second_of_two_documents_with_one_id_is_left_out(run: Run, store: EmbeddedStore) -> None:
    assert run(speech("a", "one"), speech("a", "two")).repeated == 1
    assert texts(store) == {"a": ["one"]}
    report = run(speech("a", "one"), speech("a", "two"))
    assert (report.repeated, report.unchanged, report.generation) == (1, 1, None)


def test_a_document_without_words_is_kept_without_paragraphs(run: Run, store: EmbeddedStore) -> None:
    report = run(speech("a", ""), speech("b", "one"))
    assert (report.added, report.paragraphs) == (2, 1)
    assert texts(store) == {"a": [], "b": ["one"]}


def test_other_models_encode_the_whole_archive_anew_and_lose_nothing(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one"), speech("b", "two"))
    encode = CountingEncoder()
    report = run(speech("c", "three"), encode=encode, hashes=Hashes("encoder-2", "tokenizer-1"))
    assert sorted(encode.texts) == ["one", "three", "two"]
    assert (report.added, report.renewed, report.deleted) == (1, 2, 0)
    assert sorted(texts(store)) == ["a", "b", "c"]
    assert [g.encoder for g in store.generations() if g.published] == ["encoder-2"]


def test_other_models_and_a_mirror_keep_only_what_is_given(run: Run, store: EmbeddedStore) -> None:
    run(speech("a", "one"), speech("b", "two"))
    report = run(speech("b", "two"), mirror=True, hashes=Hashes("encoder-2", "tokenizer-1"))
    assert (report.renewed, report.deleted) == (1, 1)
    assert sorted(texts(store)) == ["b"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), TaskError("the worker is gone")])
def test_an_interrupted_run_publishes_nothing_and_the_next_goes_on_where_it_stopped(
    run: Run, store: EmbeddedStore, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    run(speech("z", "zero"))
    documents = [speech("a", "one"), speech("b", "two"), speech("c", "three")]
    with pytest.raises(type(error)):
        run(*documents, encode=CountingEncoder("three", error))
    assert texts(store) == {"z": ["zero"]}
    encode = CountingEncoder()
    report = run(*documents, encode=encode)
    assert encode.texts == ["three"]
    assert (report.added, report.unchanged) == (3, 0)
    assert sorted(texts(store)) == ["a", "b", "c", "z"]


def test_a_report_counts_what_an_interrupted_run_changed(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    run(speech("a", "one"), speech("b", "two"))
    later = [speech("a", "one"), speech("b", "zwei"), speech("c", "three"), speech("d", "four")]
    with pytest.raises(KeyboardInterrupt):
        run(*later, encode=CountingEncoder("four", KeyboardInterrupt()))
    report = run(speech("a", "one"), speech("b", "zwei"), speech("e", "five"))
    assert (report.added, report.replaced, report.renewed, report.unchanged) == (1, 1, 0, 1)
    assert sorted(texts(store)) == ["a", "b", "e"]
    with pytest.raises(KeyboardInterrupt):
        run(*later, hashes=Hashes("encoder-2", "t"), encode=CountingEncoder("three", KeyboardInterrupt()))
    report = run(*later[:2], hashes=Hashes("encoder-2", "t"))
    assert (report.added, report.replaced, report.renewed, report.unchanged) == (0, 0, 3, 0)
    assert sorted(texts(store)) == ["a", "b", "e"]


@pytest.mark.parametrize("hashes", [HASHES, Hashes("encoder-2", "tokenizer-2")])
def test_a_run_publishes_nothing_that_only_an_interrupted_one_was_given(
    run: Run, store: EmbeddedStore, hashes: Hashes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    run(speech("a", "one"), speech("b", "two"))
    wrong = [speech("a", "secret"), speech("s", "hidden"), speech("t", "late")]
    with pytest.raises(KeyboardInterrupt):
        run(*wrong, hashes=hashes, encode=CountingEncoder("late", KeyboardInterrupt()))
    report = run(speech("b", "two"), speech("c", "three"), hashes=hashes)
    assert texts(store) == {"a": ["one"], "b": ["two"], "c": ["three"]}
    assert (report.added, report.replaced, report.deleted) == (1, 0, 0)


def test_what_an_interrupted_run_wrote_is_published_even_if_the_next_finds_no_change(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    with pytest.raises(KeyboardInterrupt):
        run(speech("a", "one"), speech("b", "two"), encode=CountingEncoder("two", KeyboardInterrupt()))
    assert run(speech("a", "one")).generation is not None
    assert texts(store) == {"a": ["one"]}


@pytest.mark.parametrize("name", ["a", "s"])
def test_what_only_an_interrupted_run_wrote_is_dropped_if_the_next_version_is_refused(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    store, letters = RefusingStore(tmp_path / "archive"), list[TranscriptError]()
    refresh([speech("a", "one")], store, CountingEncoder(), split)
    wrong = [speech(name, "secret"), speech("t", "late")]
    with pytest.raises(KeyboardInterrupt):
        refresh(wrong, store, CountingEncoder("late", KeyboardInterrupt()), split)
    given = [speech(name, "poison"), speech("c", "three")]
    refresh(given, store, CountingEncoder(), split, refuse=letters.append)
    assert [error.args[0].split(":")[0] for error in letters] == [name]
    assert texts(store) == {"a": ["one"], "c": ["three"]}


def test_runs_that_are_withheld_each_night_leave_few_generations(run: Run, store: EmbeddedStore) -> None:
    def withhold(generation: str, tick: Callable[[], None]) -> None:
        raise Withheld("a draft lost its first answers", generation)

    first = run(speech("a", "one")).generation
    for _ in range(7):
        with pytest.raises(Withheld):
            run(speech("a", "one"), speech("b", "two"), complete=withhold)
    assert len(store.generations()) == refreshing.KEPT_GENERATIONS + 1
    assert [each.name for each in store.generations() if each.published] == [first]


def test_a_run_that_does_not_resume_publishes_nothing_of_an_interrupted_one(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    run(speech("z", "zero"))
    with pytest.raises(KeyboardInterrupt):
        run(speech("a", "one"), speech("b", "two"), encode=CountingEncoder("two", KeyboardInterrupt()))
    assert run(speech("z", "zero"), resume=False).generation is None
    assert run(speech("c", "three"), resume=False).added == 1
    assert sorted(texts(store)) == ["c", "z"]


def test_an_interrupted_fresh_run_is_not_taken_up_by_one_that_is_not_fresh(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    run(speech("a", "one"))
    encode = CountingEncoder("three", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run(speech("b", "two"), speech("c", "three"), encode=encode, fresh=True)
    run(speech("c", "three"))
    assert "a" in texts(store)


def test_an_interrupted_run_is_not_taken_up_by_a_fresh_one(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    run(speech("a", "one"))
    with pytest.raises(KeyboardInterrupt):
        run(speech("b", "two"), speech("c", "three"), encode=CountingEncoder("three", KeyboardInterrupt()))
    run(speech("c", "three"), fresh=True)
    assert sorted(texts(store)) == ["c"]


def test_a_fresh_run_keeps_nothing_of_an_interrupted_fresh_one_but_its_encodings(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    with pytest.raises(KeyboardInterrupt):
        run(
            *(speech("a", "one"), speech("b", "two"), speech("c", "three")),
            encode=CountingEncoder("three", KeyboardInterrupt()),
            fresh=True,
        )
    encode = CountingEncoder()
    run(speech("b", "two"), speech("d", "four"), encode=encode, fresh=True)
    assert encode.texts == ["four"]
    assert sorted(texts(store)) == ["b", "d"]


def test_a_second_writer_is_refused(run: Run, store: EmbeddedStore, tmp_path: Path) -> None:
    other = EmbeddedStore(tmp_path / "archive")
    other.begin(encoder=HASHES.encoder, tokenizer=HASHES.tokenizer)
    with pytest.raises(StoreError):
        run(speech("a", "one"))


def test_a_run_can_be_ended_until_the_moment_it_publishes(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for name in ("add", "content_hashes", "publish"):
        method = getattr(store, name)
        monkeypatch.setattr(
            store, name, lambda *arguments, of=method, name=name: done.append(name) or of(*arguments)
        )
    run(speech("a", "one"), progress=lambda _: done.append("progress"))
    assert done[-3:] == [
        "content_hashes",
        "progress",
        "publish",
    ]  # what was written is checked, then published

    def end_it(progress: Progress) -> None:
        if progress.paragraphs:
            raise KeyboardInterrupt

    before = store.published()
    with pytest.raises(KeyboardInterrupt):
        run(speech("a", "two"), progress=end_it)
    assert store.published() == before


def test_progress_only_grows_and_ends_at_what_was_done(run: Run) -> None:
    reports: list[Progress] = []
    run(speech("a", "one", "two"), speech("b", "three"), speech("b", "four"), progress=reports.append)
    assert reports[-1] == Progress(documents=2, paragraphs=3, encoded=3, to_encode=3)
    assert all(
        (a.documents, a.paragraphs, a.encoded) <= (b.documents, b.paragraphs, b.encoded)
        for a, b in pairwise(reports)
    )


def test_documents_are_taken_as_they_come_and_never_all_at_once(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 6)
    given = [(speech("abc"[i], "four"), "hash") for i in range(3)]
    taken: list[int] = []

    def source() -> Iterator[tuple[Document, str]]:
        for number, each in enumerate(given):
            taken.append(number)
            yield each

    sizes = [(len(several), len(taken)) for several in gather_batches(source())]
    assert sizes == [(2, 2), (1, 3)]


def test_another_splitter_writes_documents_anew_and_encodes_only_new_paragraphs(run: Run) -> None:
    run(speech("a", "one", "two"), hashes=Hashes("encoder-1", "tokenizer-1", "1"))
    encoder = CountingEncoder()
    report = run(speech("a", "one", "two"), encode=encoder, hashes=Hashes("encoder-1", "tokenizer-1", "2"))
    assert (report.replaced, report.unchanged, encoder.texts) == (1, 0, [])


def test_a_refresh_that_fails_lets_others_write(tmp_path: Path, run: Run) -> None:
    failing = CountingEncoder(stop_at="two", error=TaskError("no worker"))
    with pytest.raises(TaskError):
        run(speech("a", "one", "two"), encode=failing)
    other = EmbeddedStore(tmp_path / "archive")
    other.begin(encoder=HASHES.encoder, tokenizer=HASHES.tokenizer)
    other.close()


class RefusingStore(EmbeddedStore):
    """A store that does not keep documents with a certain word."""

    def add(self, generation: str, entries: Iterable[Entry]) -> None:
        several = list(entries)
        for each in several:
            if "poison" in each.document.text:
                raise DocumentRefused(each.document.id, "a word that cannot be kept")
        super().add(generation, several)


def test_a_document_that_the_archive_refuses_is_handed_over_and_the_rest_is_written(tmp_path: Path) -> None:
    store, letters = RefusingStore(tmp_path / "archive"), list[TranscriptError]()
    refresh([speech("b", "two"), speech("x", "three")], store, CountingEncoder(), split, hashes=HASHES)
    documents = [speech("a", "one"), speech("b", "poison"), speech("c", "poison"), speech("d", "four")]
    with pytest.raises(DocumentRefused, match="the archive refuses the document 'b'"):
        refresh(documents, store, CountingEncoder(), split, hashes=HASHES)
    report = refresh(
        documents,
        store,
        CountingEncoder(),
        split,
        hashes=HASHES,
        mirror=True,
        refused=lambda: len(letters),
        refuse=letters.append,
    )
    assert (report.added, report.replaced, report.refused, report.deleted) == (2, 0, 2, 0)
    assert (report.paragraphs, report.encoded, report.reused) == (2, 2, 0)
    assert [(each.file, each.reason) for each in letters] == [
        ("b", "the archive refuses it: a word that cannot be kept"),
        ("c", "the archive refuses it: a word that cannot be kept"),
    ]
    assert texts(store) == {"a": ["one"], "b": ["two"], "d": ["four"], "x": ["three"]}


def test_a_fresh_archive_of_nothing_but_refused_documents_is_not_published(tmp_path: Path) -> None:
    store, letters = RefusingStore(tmp_path / "archive"), list[TranscriptError]()
    refresh([speech("a", "one")], store, CountingEncoder(), split, hashes=HASHES)
    given, options = [speech("b", "poison")], {"refused": lambda: len(letters), "refuse": letters.append}
    with pytest.raises(BadInput, match="the archive would be emptied"):
        refresh(given, store, CountingEncoder(), split, hashes=HASHES, fresh=True, **options)
    assert (len(letters), texts(store)) == (1, {"a": ["one"]})


@pytest.mark.parametrize("batch_characters", [1, 1_000_000])
@pytest.mark.parametrize("depth", [0, 1])
def test_a_document_that_the_archive_refuses_stays_as_it_was_when_the_models_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch_characters: int, depth: int
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", batch_characters)
    store, letters = RefusingStore(tmp_path / "archive"), list[TranscriptError]()
    refresh([speech("a", "one"), speech("b", "two")], store, CountingEncoder(), split, hashes=HASHES)
    report = refresh(
        [speech("a", "poison"), speech("b", "three")],
        store,
        CountingEncoder(),
        split,
        hashes=Hashes("encoder-2", "tokenizer-1"),
        depth=depth,
        refused=lambda: len(letters),
        refuse=letters.append,
    )
    assert (report.renewed, report.replaced, report.refused, report.deleted) == (1, 1, 1, 0)
    assert texts(store) == {"a": ["one"], "b": ["three"]}


def test_batches_are_encoded_while_others_are_written_and_never_more_than_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding_batch, "BATCH_CHARACTERS", 1)
    lock, at_once, most = threading.Lock(), 0, 0

    def encode(given: Sequence[str]) -> list[Encoding]:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.05)
        with lock:
            at_once -= 1
        return [encoding(text) for text in given]

    store = EmbeddedStore(tmp_path / "archive")
    documents = [speech(f"{n:02}", f"number {n}") for n in range(12)]
    report = refresh(documents, store, encode, split, hashes=HASHES, depth=3)
    assert (report.added, report.encoded) == (12, 12)
    assert texts(store) == {f"{n:02}": [f"number {n}"] for n in range(12)}
    assert 2 <= most <= 4


@pytest.mark.slow
def test_a_run_can_be_ended_while_it_waits_for_encodings(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    never = threading.Event()

    def encode(given: Sequence[str]) -> list[Encoding]:
        never.wait(60)
        return []

    def progress(state: Progress) -> None:
        if time.monotonic() > began + 1:
            raise Enough

    store, began = EmbeddedStore(tmp_path / "archive"), time.monotonic()
    with pytest.raises(Enough):
        refresh([speech("a", "one")], store, encode, split, hashes=HASHES, progress=progress, depth=1)
    assert time.monotonic() < began + 10
    never.set()
    assert refresh([speech("a", "one")], store, CountingEncoder(), split, hashes=HASHES).added == 1


def test_what_was_written_and_is_not_there_is_not_published(
    run: Run, store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(speech("a", "one"))
    kept = EmbeddedStore.add

    def forgetful(self: EmbeddedStore, generation: str, entries: Iterable[Entry]) -> None:
        kept(self, generation, [each for each in entries if each.document.id != "c"])

    monkeypatch.setattr(EmbeddedStore, "add", forgetful)
    with pytest.raises(StoreError, match="1 documents were written and are not there, 'c' first"):
        run(speech("b", "two"), speech("c", "three"))
    assert texts(store) == {"a": ["one"]}


@pytest.mark.parametrize("content", ["{", None])
def test_a_fresh_run_replaces_a_published_generation_whose_metadata_is_damaged(
    run: Run, store: EmbeddedStore, tmp_path: Path, content: str | None
) -> None:
    run(speech("a", "one"), speech("b", "two"))
    facts = tmp_path / "archive" / "generations" / "000001" / "generation.json"
    kept = facts.read_text()
    if content is None:
        facts.unlink()
    else:
        facts.write_text(content)
    with pytest.raises(StoreError):
        run(speech("a", "one"))
    assert preview([speech("a", "one")], store, split, HASHES, RefreshOptions(fresh=True)).added == 1
    report = run(speech("a", "one"), fresh=True)
    assert (report.added, report.encoded, report.generation) == (1, 1, "000002")
    assert texts(store) == {"a": ["one"]}
    facts.write_text(kept.replace('"format": 3', '"format": 4'))
    (tmp_path / "archive" / "published").write_text('{"published": "000001", "newest": "000002"}')
    with pytest.raises(StoreError, match="has format 4"):
        run(speech("a", "one"), fresh=True)


def test_a_rollback_in_the_midst_of_a_refresh_is_not_undone_by_it(tmp_path: Path, run: Run) -> None:
    for name in "ab":
        run(speech(name, "One."))
    operator = EmbeddedStore(tmp_path / "archive")

    def roll_back(progress: Progress) -> None:
        if progress.paragraphs:
            operator.rollback("000001")

    for fresh in (False, True):
        operator.rollback("000002")
        with pytest.raises(Overtaken):
            run(speech("c", "Three."), progress=roll_back, fresh=fresh)
        assert [each.id for each in operator.documents()] == ["a"]
    run(speech("c", "Three."))
    assert [each.id for each in operator.documents()] == ["a", "c"]


def test_a_document_with_an_invalid_date_is_refused_and_the_rest_is_written(tmp_path: Path) -> None:
    store, letters = EmbeddedStore(tmp_path / "archive"), list[TranscriptError]()
    documents = [
        speech("a", "one"),
        replace(speech("b", "two"), spoken_on="2021-02-30"),
        speech("c", "three"),
    ]
    report = refresh(
        documents,
        store,
        CountingEncoder(),
        split,
        hashes=HASHES,
        refused=lambda: len(letters),
        refuse=letters.append,
    )
    assert (report.added, report.refused) == (2, 1)
    assert [letter.file for letter in letters] == ["b"]
    assert "'2021-02-30' is not a date" in letters[0].reason
    assert texts(store) == {"a": ["one"], "c": ["three"]}
