"""A generation that copies from its base has the same files as one of which everything is computed."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from embedded.archive import Archive
from embedded.columns import Columns
from embedded.contents import ARCHIVE, COLUMNS, CONTENTS, RULES, VECTORS, WORDING
from embedded.dense import DenseIndex
from embedded.generations import FACTS, Generations
from embedded.reuse import RowMap
from embedded.store import EmbeddedStore
from embedded.wording import LEAST_BITS, POSTINGS_PER_BUCKET, WordingIndex, index_wording
from rostrum_core.ports import Entry
from tests.conftest import HASHES, WIDTH

DRAW = random.Random(3)
WORDS = [f"w{number}x" for number in range(60)] + ["the", "Lincoln", "naïve", "x\ud800y", "Seven"]
NAMES = [f"speech {number:02}" for number in range(14)]
FLAT_LIMIT = 18
"""Some of the generations have more paragraphs, so that their columns have vectors."""


def draw_entry(entry: Callable[..., Entry], name: str) -> Entry:
    texts = [" ".join(DRAW.choices(WORDS, k=DRAW.randrange(9))) for _ in range(DRAW.randrange(5))]
    return entry(name, texts)


def encode_otherwise(entry: Entry) -> Entry:
    """Return an entry of the same content hash whose vectors are not those of its texts."""
    vectors = np.random.default_rng(DRAW.randrange(1 << 20)).random((len(entry.encodings), WIDTH), np.float32)
    encodings = zip(entry.encodings, vectors, strict=True)
    return replace(entry, encodings=tuple(replace(old, vector=vector) for old, vector in encodings))


def write_at_random(store: EmbeddedStore, name: str, entry: Callable[..., Entry]) -> None:
    """Add, replace and delete a few documents of a generation, and add some again that were deleted."""
    published = {info.id for info in store.documents()} if store.published() else set()
    for document_id in DRAW.sample(NAMES, DRAW.randrange(1, 5)):
        act = DRAW.choice(["replace", "delete", "delete and add", "delete and add the same"])
        if act != "replace":
            store.delete(name, [document_id])
        if act == "delete and add the same" and document_id in published:
            document, paragraphs = store.get(document_id) or pytest.fail("it is published")
            same = entry(document.id, [paragraph.text for paragraph in paragraphs])
            store.add(name, [encode_otherwise(same)])
        elif act != "delete":
            store.add(name, [draw_entry(entry, document_id)])


def leave_half(generation: Path) -> None:
    """Leave half-written files in an unfinished generation, as a run that is killed while it completes it."""
    (generation / COLUMNS).mkdir()
    paths = [generation / VECTORS, generation / WORDING, generation / RULES, generation / CONTENTS]
    for path in DRAW.sample([*paths, generation / COLUMNS / "terms.npy"], 3):
        path.write_bytes(b"half")


def read_files(generation: Path) -> dict[str, bytes]:
    """Return all files of a generation that may be copied in part."""
    paths = [generation / WORDING, generation / VECTORS, *(generation / COLUMNS).glob("*")]
    return {path.name: path.read_bytes() for path in paths}


def build_whole(generation: Path, scratch: Path) -> dict[str, bytes]:
    """Return the same files, computed from all texts and vectors of the generation's archive."""
    archive, facts = Archive.immutable(generation / ARCHIVE), json.loads((generation / FACTS).read_bytes())
    keys = [key for key, _, _ in archive.list_documents()]
    keep_vectors = (generation / COLUMNS / "paragraph_vectors.npy").exists()
    scratch.mkdir(exist_ok=True)
    Columns.build(archive, scratch / COLUMNS, keep_vectors=keep_vectors)
    index_wording(archive).save(scratch / WORDING)
    earlier = None if facts["base"] is None else generation.with_name(facts["base"]) / VECTORS
    size = archive.count()[1], WIDTH, FLAT_LIMIT
    DenseIndex.build(lambda: archive.read_vectors(keys), *size, earlier).save(scratch / VECTORS)
    return read_files(scratch)


def count_copied(folder: Path, name: str) -> int:
    """Return how many paragraphs of a generation are rows of its base, which must still exist."""
    generations = Generations(folder)
    facts = generations.read_facts(name)
    if facts is None or facts.base is None:
        return 0
    archive, base = (Archive.immutable(generations.locate(each) / ARCHIVE) for each in (name, facts.base))
    return int(np.count_nonzero(RowMap.between(archive, base, archive.list_written() or set()).rows >= 0))


@pytest.mark.parametrize("steps", [15, pytest.param(60, marks=pytest.mark.slow)])
def test_files_are_the_same_after_any_changes(folder: Path, tmp_path: Path, entry, steps: int) -> None:
    copied = with_vectors = without = 0
    for step in range(steps):
        with EmbeddedStore(folder, flat_limit=FLAT_LIMIT) as store:
            name = store.begin(**HASHES).name
            write_at_random(store, name, entry)
        generation = folder / "generations" / name
        leave_half(generation)
        with EmbeddedStore(folder, flat_limit=FLAT_LIMIT) as store:  # it resumes what was left unfinished
            assert store.begin(**HASHES).name == name
            write_at_random(store, name, entry)
            store.publish(name)
            store.prune(2)
            if (generation / COLUMNS).exists():
                assert read_files(generation) == build_whole(generation, tmp_path / "whole")
                has_vectors = (generation / COLUMNS / "paragraph_vectors.npy").exists()
                with_vectors, without = with_vectors + has_vectors, without + (not has_vectors)
                copied += count_copied(folder, name)
            if step % 7 == 3:
                store.rollback()
    assert copied > 5 * steps
    assert min(with_vectors, without) > steps // 6


def test_an_index_of_wordings_with_another_number_of_buckets_is_not_updated() -> None:
    words = [f"w{number}" for number in range(POSTINGS_PER_BUCKET << (LEAST_BITS + 1))]
    index = WordingIndex.build([["We choose to go to the moon."]])
    rows = RowMap.of([(1, "a", 1), (2, "b", 1)], {1: 0}, 1)
    assert index.update([[" ".join(words)]], rows) is None
    assert index.update([[" ".join(words[: len(words) // 4])]], rows) is not None


@pytest.fixture
def changed(folder: Path, entry, publish) -> Path:
    """The folder of a generation in which the speech "b" has another stem than its text has."""
    name = publish(EmbeddedStore(folder), entry("a", ["spoken"]), entry("b", ["war and peace"]))
    [stems] = (folder / "generations" / name / COLUMNS).glob("stems_[0-9]*.npy")
    np.save(stems, np.full(len(np.load(stems)), 7, np.uint32))
    return folder / "generations" / name


def read_stems(folder: Path) -> list[int]:
    generation = EmbeddedStore(folder).published()
    assert generation is not None
    stems = Columns.open(folder / "generations" / generation.name / COLUMNS).words["stems"]
    return stems.values.tolist()


def test_unchanged_rows_are_copied(folder: Path, changed: Path, entry, publish) -> None:
    Generations(folder).keep_contents(changed.name, 2, 2)
    publish(EmbeddedStore(folder), entry("a", ["moon"]))
    assert read_stems(folder)[1:] == [7, 7]
    assert read_stems(folder)[0] != 7


def test_nothing_is_copied_from_damaged_columns(folder: Path, changed: Path, entry, publish) -> None:
    publish(EmbeddedStore(folder), entry("a", ["moon"]))
    assert 7 not in read_stems(folder)


@pytest.mark.parametrize("rules", ["words", "terms", "runs", "unicode"])
def test_nothing_is_copied_from_files_by_other_rules(
    folder: Path, changed: Path, entry, publish, rules: str
) -> None:
    versions = json.loads((changed / RULES).read_bytes())
    assert rules in versions
    (changed / RULES).write_text(json.dumps(versions | {rules: "other"}), "utf-8")
    Generations(folder).keep_contents(changed.name, 2, 2)
    publish(EmbeddedStore(folder), entry("a", ["moon"]))
    assert 7 not in read_stems(folder)


def test_nothing_is_copied_from_a_generation_without_versions_of_rules(
    folder: Path, changed: Path, entry, publish
) -> None:
    (changed / RULES).unlink()
    Generations(folder).keep_contents(changed.name, 2, 2)
    publish(EmbeddedStore(folder), entry("a", ["moon"]))
    assert 7 not in read_stems(folder)


def test_nothing_is_copied_if_the_generation_does_not_record_what_is_written(
    folder: Path, changed: Path, entry
) -> None:
    Generations(folder).keep_contents(changed.name, 2, 2)
    with EmbeddedStore(folder) as store:
        name = store.begin(**HASHES).name
        archive = Archive.writable(folder / "generations" / name / ARCHIVE)
        archive.connection.executescript("DROP TRIGGER track_written; DROP TABLE written")
        archive.close()
        store.add(name, [entry("a", ["moon"])])
        store.publish(name)
    assert 7 not in read_stems(folder)


def test_nothing_is_copied_for_other_models(folder: Path, changed: Path, entry) -> None:
    Generations(folder).keep_contents(changed.name, 2, 2)
    with EmbeddedStore(folder) as store:
        name = store.begin(encoder="encoder-1", tokenizer="tokenizer-2", fresh=True).name
        store.add(name, [entry("a", ["spoken"]), entry("b", ["war and peace"])])
        store.publish(name)
    assert 7 not in read_stems(folder)


def test_a_document_with_the_key_of_a_deleted_one_counts_as_written(folder: Path, entry, publish) -> None:
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken"]), entry("b", ["war and peace"]))
    name = store.begin(**HASHES).name
    store.delete(name, ["b"])
    store.add(name, [entry("c", ["moon"])])
    store.publish(name)
    archive = Archive.immutable(folder / "generations" / name / ARCHIVE)
    assert [key for key, _, _ in archive.list_documents()] == [1, 2]  # SQLite gives the key of "b" again
    assert archive.list_written() == {2}
