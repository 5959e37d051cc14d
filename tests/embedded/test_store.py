import json
import os
import re
import shutil
import sqlite3
import threading

import faiss
import numpy as np
import pytest

from embedded.generations import Generations
from embedded.site import FolderSite
from embedded.store import EmbeddedStore
from rostrum_core.errors import StoreError
from rostrum_core.ports import Query
from rostrum_core.types import Filter

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}
EVERYTHING = Query("spoken", "spoken", np.eye(8, dtype=np.float32)[0], every=True)


def test_reading_makes_no_folder(folder):
    store = EmbeddedStore(folder)
    assert (store.generations(), store.prune(1)) == ([], [])
    with pytest.raises(StoreError, match="nothing is published"):
        store.count()
    with pytest.raises(StoreError):
        store.rollback()
    assert not folder.exists()


def test_a_folder_whose_name_is_not_utf8_is_refused_at_the_start(tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    with pytest.raises(StoreError, match="caf\ufffd is not UTF-8"):
        EmbeddedStore(folder)
    with pytest.raises(StoreError, match="is not UTF-8"):
        FolderSite(folder).checks()["archive"]()
    assert EmbeddedStore(tmp_path / "café").generations() == []


def test_the_second_writer_is_told_who_is_at_work(folder):
    first = EmbeddedStore(folder)
    first.begin(**HASHES)
    with pytest.raises(StoreError, match=rf"another writer is at work .*process {os.getpid()}\)"):
        EmbeddedStore(folder).begin(**HASHES)
    first.close()
    EmbeddedStore(folder).begin(**HASHES)


def test_a_store_that_is_let_go_of_stops_writing(folder, entry):
    store = EmbeddedStore(folder)
    store.add(store.begin(**HASHES).name, [entry("a", ["spoken"])])
    del store
    with EmbeddedStore(folder) as again:
        assert again.begin(**HASHES).documents == 1


def test_lone_surrogates_are_kept(folder, entry, publish):
    store = EmbeddedStore(folder)
    odd = entry("id \ud800", ["spoken \udfff words"], speaker="\ud800 Ann")
    publish(store, odd)
    assert store.get("id \ud800") == (odd.document, odd.paragraphs)
    for chosen in (Filter(documents=("id \ud800",)), Filter(speakers=("\ud800 ANN",))):
        [found] = store.search(Query("spoken \ud800", "\udfff", None, chosen))
        assert found.paragraph == odd.paragraphs[0]


def test_clustered_vectors_are_scored_exactly(folder, entry, publish):
    said = [f"spoken {number}" for number in range(400)]
    exact, clustered = EmbeddedStore(folder / "flat"), EmbeddedStore(folder / "clustered", flat_limit=100)
    for store in (exact, clustered):
        publish(store, entry("a", said[:150]), entry("b", said[150:]))
    for seed in range(5):
        vector = np.random.default_rng(seed).standard_normal(8).astype("f4")
        want = {each.paragraph.id: each.scores for each in exact.search(Query("", "", vector, depth=50))}
        found = {each.paragraph.id: each.scores for each in clustered.search(Query("", "", vector, depth=50))}
        shared = want.keys() & found.keys()
        assert len(shared) >= 45
        assert {name: want[name] for name in shared} == {name: found[name] for name in shared}


@pytest.mark.slow
def test_readers_in_threads_see_one_generation_at_a_time(folder, entry, publish):
    def version(number):
        return [entry(f"{name} {number}", [f"spoken {number}"] * (3 + number)) for name in "abc"]

    store, seen, wrong = EmbeddedStore(folder), set(), []
    publish(store, *version(0))
    done = threading.Event()

    def read():
        try:
            while not done.is_set():
                found = store.search(EVERYTHING)
                numbers = {int(each.paragraph.text.split()[1]) for each in found}
                [number] = numbers
                assert len(found) == 3 * (3 + number)
                assert len(list(store.documents())) == 3
                seen.add(number)
        except BaseException as error:
            wrong.append(error)
            raise

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(1, 6):
        name = store.begin(**HASHES, fresh=True).name
        store.add(name, version(number))
        store.publish(name)
        store.prune(1)
        assert {each.paragraph.text for each in store.search(EVERYTHING)} == {f"spoken {number}"}
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert seen


def test_what_was_opened_stays_usable_when_its_folder_is_removed(folder, entry, publish):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken", "words"]), entry("b", ["others"]))
    reader = store._open_published()
    listing = store.documents()
    publish(EmbeddedStore(folder), entry("c", ["spoken later"]))
    assert EmbeddedStore(folder).prune(1) == ["000001"]
    assert not (folder / "generations" / "000001").exists()
    assert [info.id for info in listing] == ["a", "b"]
    assert reader.get("b")[0].text == "others"
    assert reader.paragraphs.document_frequency(["spoken"]) == [1]
    assert reader.dense.search_best(np.ones(8, np.float32), 9).tolist() != []
    assert store.count() == (3, 4)


@pytest.mark.slow
def test_a_reader_that_comes_late_follows_the_pointer(folder, entry, publish, monkeypatch):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken"]))
    publish(store, entry("b", ["words"]))
    names = iter(["000001", "000002"])  # what is published changes, and the folder goes, before it is opened
    shutil.rmtree(folder / "generations" / "000001")
    late = EmbeddedStore(folder)
    monkeypatch.setattr(late, "_name_published", lambda: next(names, "000002"))
    assert late.count() == (2, 2)


def test_a_name_is_never_used_again(folder, entry, publish):
    store = EmbeddedStore(folder)
    for name in "abc":
        publish(store, entry(name, ["spoken"]))
    store.rollback()
    store.prune(0)
    assert publish(store, entry("d", ["words"])) == "000004"
    assert [found.name for found in store.generations()] == ["000002", "000004"]


def test_damaged_files_are_told_and_not_mended(folder, entry, publish):
    store = EmbeddedStore(folder)
    name = publish(store, entry("a", ["spoken"]))
    facts = folder / "generations" / name / "generation.json"
    kept = facts.read_text()
    facts.write_text(json.dumps({**json.loads(kept), "format": 99}))
    with pytest.raises(StoreError, match="format 99"):
        store.generations()
    facts.write_text("{")
    with pytest.raises(StoreError, match=r"damaged.*`rostrum index --fresh` rebuilds it"):
        store.published()
    facts.write_text(kept)
    (folder / "generations" / name / "archive.sqlite").write_bytes(b"nonsense" * 1000)
    with pytest.raises(StoreError):
        EmbeddedStore(folder).count()
    for content in ("000001", '{"published": "000001", "newest": "00000r"}'):
        (folder / "published").write_text(content)
        with pytest.raises(StoreError, match="damaged"):
            store.generations()


@pytest.mark.parametrize("damage", ["archive.sqlite", "paragraphs", "generation.json"])
def test_a_generation_that_cannot_be_opened_is_not_published(folder, entry, publish, damage):
    store = EmbeddedStore(folder)
    first, second = (publish(store, entry(name, ["spoken"])) for name in "ab")
    damaged = folder / "generations" / first / damage
    if damaged.is_dir():
        shutil.rmtree(damaged)
    else:
        damaged.write_bytes(b"nonsense" * 1000)
    for name in (first, None):
        with pytest.raises(StoreError, match=f"generation {first} cannot be opened and is not published: "):
            EmbeddedStore(folder).rollback(name)
    assert store.count() == EmbeddedStore(folder).count() == (2, 2)
    assert EmbeddedStore(folder).published().name == second


@pytest.mark.parametrize("content", ["{", "{}", None])
def test_a_damaged_generation_is_listed_as_that_and_the_archive_is_used_on(folder, entry, publish, content):
    store = EmbeddedStore(folder)
    first, second = (publish(store, entry(name, ["spoken"])) for name in "ab")
    facts = folder / "generations" / first / "generation.json"
    facts.unlink() if content is None else facts.write_text(content)
    listed = [(each.name, each.state, each.published, each.documents) for each in store.generations()]
    assert listed == [(first, "damaged", False, 0), (second, "ready", True, 2)]
    third = publish(store, entry("c", ["spoken"]))
    assert store.rollback().name == second
    assert store.prune(1) == [first]
    assert [each.name for each in store.generations()] == [second, third]


@pytest.mark.parametrize("file", ["generation.json", "previous.json"])
@pytest.mark.parametrize("content", ["{", "{}", "[]"])
def test_a_damaged_published_generation_is_rolled_back_to_the_newest_older_one(
    folder, entry, publish, caplog, file, content
):
    store = EmbeddedStore(folder)
    first, second = (publish(store, entry(name, ["spoken"])) for name in "ab")
    third = store.begin(**HASHES, fresh=True).name
    store.add(third, [entry("c", ["spoken"])])
    store.publish(third)
    (folder / "generations" / third / file).write_text(content)

    assert EmbeddedStore(folder).prune(2) == [first]
    assert EmbeddedStore(folder).rollback().name == second
    assert f"the generation before {third} is not known" in caplog.text


def test_the_published_generation_of_another_version_is_not_rolled_back(folder, entry, publish):
    store = EmbeddedStore(folder)
    name = [publish(store, entry(name, ["spoken"])) for name in "ab"][-1]
    facts = folder / "generations" / name / "generation.json"
    facts.write_text(json.dumps({**json.loads(facts.read_text()), "format": 1}))
    for use in (EmbeddedStore.rollback, lambda store: store.prune(1)):
        with pytest.raises(StoreError, match="has format 1"):
            use(EmbeddedStore(folder))


def test_a_damaged_unfinished_generation_is_begun_again(folder, entry, publish):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken"]))
    name = store.begin(**HASHES).name
    store.close()
    (folder / "generations" / name / "generation.json").write_text("{")
    assert [each.state for each in store.generations()] == ["ready", "damaged"]
    assert publish(store, entry("b", ["spoken"])) == name
    assert store.count() == (2, 2)


def test_the_archive_of_another_version_is_refused_with_the_way_out(folder, entry, publish):
    name = publish(EmbeddedStore(folder), entry("a", ["spoken"]))
    facts = folder / "generations" / name / "generation.json"
    facts.write_text(json.dumps({**json.loads(facts.read_text()), "format": 1}))
    way_out = f"has format 1, this is for 3: index into another folder, or remove {folder}"
    for use in (EmbeddedStore.count, EmbeddedStore.generations, lambda store: store.begin(**HASHES)):
        with pytest.raises(StoreError, match=re.escape(way_out)):
            use(EmbeddedStore(folder))


def test_what_a_killed_removal_left_is_cleared_away(folder, entry, publish):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken"]))
    left = folder / "generations" / ".removed-000000-1234"
    left.mkdir()
    (left / "archive.sqlite").write_text("")
    assert Generations(folder).list_ready() == ["000001"]
    store.prune(1)
    assert not left.exists()


def test_a_full_disk_is_told_as_that_and_what_was_there_stays(folder, entry, publish):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken before"]))
    name = store.begin(**HASHES).name
    connection = store._writing[1].connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="database or disk is full"):
        store.add(name, [entry("b", ["spoken " * 100_000])])
    assert store.content_hashes(name).keys() == {"a"}


def test_a_damaged_index_is_built_anew_with_the_encodings_that_there_are(folder, entry, publish):
    store = EmbeddedStore(folder)
    published = publish(store, entry("a", ["spoken"]))
    (folder / "generations" / published / "vectors.faiss").write_bytes(b"junk")
    with EmbeddedStore(folder) as damaged:
        with pytest.raises(StoreError, match=r"cannot be read.*`rostrum index --fresh` rebuilds it"):
            damaged.count()
        name = damaged.begin(**HASHES, fresh=True).name
        spoken = entry("a", ["spoken"])
        digest = spoken.paragraphs[0].hash_text()
        assert list(damaged.encodings(name, [digest])) == [digest]
        damaged.add(name, [spoken])
        damaged.publish(name)
        assert damaged.count() == (1, 1)


def test_a_damaged_index_of_texts_is_told_with_the_way_out(folder, entry, publish):
    name = publish(EmbeddedStore(folder), entry("a", ["spoken"]))
    (folder / "generations" / name / "documents" / "meta.json").write_text("{")
    with pytest.raises(StoreError, match=r"documents cannot be read.*`rostrum index --fresh` rebuilds it"):
        EmbeddedStore(folder).count()


def test_a_refresh_does_without_the_clusters_of_a_damaged_index(folder, entry, publish):
    store = EmbeddedStore(folder, flat_limit=100)
    published = publish(store, entry("a", [f"spoken {number}" for number in range(150)]))
    (folder / "generations" / published / "vectors.faiss").write_bytes(b"junk")
    with EmbeddedStore(folder, flat_limit=100) as again:
        publish(again, entry("b", ["words"]))
        assert again.count() == (2, 151)
        assert len(again.search(Query("", "", np.ones(8, np.float32), depth=200))) > 100


def test_a_refresh_does_without_clusters_that_are_not_as_they_were_written(folder, entry, publish):
    def centroids(path):
        index = faiss.read_index(str(path))
        return index, index.quantizer.reconstruct_n(0, index.nlist)

    published = publish(
        EmbeddedStore(folder, flat_limit=100), entry("a", [f"spoken {number}" for number in range(150)])
    )
    path = folder / "generations" / published / "vectors.faiss"
    index, before = centroids(path)
    index.quantizer.reset()
    index.quantizer.add(np.zeros_like(before))
    faiss.write_index(index, str(path))
    with EmbeddedStore(folder, flat_limit=100) as again:
        name = publish(again, entry("b", ["words"]))
    assert centroids(folder / "generations" / name / "vectors.faiss")[1].any()


@pytest.mark.parametrize(
    "chosen",
    [Filter(documents=("unknown",)), Filter(since="2030-01-01"), Filter(speakers=("nobody",))],
    ids=["documents", "since", "speakers"],
)
def test_a_filter_that_passes_nothing_of_clustered_vectors_finds_nothing(folder, entry, publish, chosen):
    store = EmbeddedStore(folder, flat_limit=1)
    publish(store, entry("a", [f"spoken {number}" for number in range(150)], spoken_on="2001-02-03"))
    vector = np.ones(8, np.float32)
    for query in (
        Query("", "", vector, chosen),
        Query("spoken 3", "spoken", vector, chosen, wording="spoken"),
    ):
        assert list(store.search(query)) == []
    assert len(store.search(Query("", "", vector, Filter(documents=("a",)), depth=5))) == 5


def test_an_archive_without_columns_has_the_same_candidates(folder, entry, publish):
    said = [f"spoken {number} {number % 7}" for number in range(300)]
    store = EmbeddedStore(folder, flat_limit=100)
    name = publish(store, entry("a", said[:200]), entry("b", said[200:]), entry("c", ["others"]))
    queries = [
        EVERYTHING,
        Query("spoken 3 17", "spoken 201", np.eye(8, dtype=np.float32)[1], documents=1, depth=50),
        Query("", "3", np.eye(8, dtype=np.float32)[2], Filter(documents=("a",)), depth=20),
    ]
    columns = [store.search(query) for query in queries]
    shutil.rmtree(folder / "generations" / name / "columns")
    for query, fast in zip(queries, columns, strict=True):
        slow = EmbeddedStore(folder).search(query)
        assert [(c.paragraph, c.tokens.ids.tolist()) for c in fast] == [
            (c.paragraph, c.tokens.ids.tolist()) for c in slow
        ]
        assert (fast.piece_ids.tolist(), fast.piece_ends.tolist()) == (
            slow.piece_ids.tolist(),
            slow.piece_ends.tolist(),
        )
        for signal, column in fast.columns.items():
            assert column.tolist() == pytest.approx(slow.columns[signal].tolist(), rel=1e-5, nan_ok=True)


def test_many_documents_are_scored_as_few(folder, entry, publish, monkeypatch):
    store = EmbeddedStore(folder)
    documents = (entry(f"{n:03}", [f"spoken {n}", "x " * n], speaker=f"Ann {n % 2}") for n in range(1, 60))
    publish(store, *documents)
    for filter in (Filter(), Filter(speakers=("Ann 1",))):
        query = Query("x", "spoken x", np.eye(8, dtype=np.float32)[0], filter, depth=3, documents=5)
        monkeypatch.setattr("embedded.candidates.SCORED_TOGETHER", 20_000)
        together = store.search(query)
        monkeypatch.setattr("embedded.candidates.SCORED_TOGETHER", 10)
        apart = store.search(query)
        assert list(together.documents) == list(apart.documents)
        assert together.ordinals.tolist() == apart.ordinals.tolist()
        for signal, column in together.columns.items():
            assert column.tolist() == pytest.approx(apart.columns[signal].tolist(), nan_ok=True)


def test_damaged_contents_are_found_and_hinder_no_reader_and_no_fresh_run(folder, entry, publish):
    name = publish(EmbeddedStore(folder), entry("a", ["spoken", "words"]))
    (folder / "generations" / name / "contents.json").write_text('{"documents": 1, "par')
    store = EmbeddedStore(folder)
    assert store.published().paragraphs == 2
    for refused in (store.check, lambda: store.begin(**HASHES)):
        with pytest.raises(StoreError, match=r"contents\.json is damaged"):
            refused()
    with EmbeddedStore(folder) as fresh:
        begun = fresh.begin(**HASHES, fresh=True).name
        assert fresh.encodings(begun, [entry("a", ["spoken"]).paragraphs[0].hash_text()]) == {}
        fresh.add(begun, [entry("a", ["spoken"])])
        fresh.publish(begun)
        fresh.check()


def test_who_asks_for_the_counts_of_a_generation_does_not_read_its_archive(folder, entry, publish):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken", "words"]))
    published = publish(store, entry("b", ["others"]))
    (folder / "generations" / published / "archive.sqlite").write_bytes(b"junk")
    counts = [(each.documents, each.paragraphs) for each in EmbeddedStore(folder).generations()]
    assert counts == [(1, 2), (2, 3)]
    assert EmbeddedStore(folder).published().documents == 2


def test_a_generation_whose_contents_nobody_wrote_down_is_counted_and_checked(folder, entry, publish):
    store = EmbeddedStore(folder)
    name = publish(store, entry("a", ["spoken", "words"]))
    path = folder / "generations" / name
    (path / "contents.json").unlink()
    assert EmbeddedStore(folder).published().paragraphs == 2
    store.check()
    assert publish(store, entry("b", ["others"])) == "000002"


def changed_within(path):
    """A byte is another in the midst of it, where no reader looks before it answers.

    The file keeps its length throughout: to cut it short would end a process that has it in its memory.
    """
    with path.open("r+b") as file:
        middle = file.seek(path.stat().st_size // 2)
        (before,) = file.read(1)
        file.seek(middle)
        file.write(bytes([before ^ 1]))


@pytest.mark.parametrize("file", ["archive.sqlite", "vectors.faiss", "paragraphs", "documents"])
def test_a_change_within_a_file_that_opens_is_found(folder, entry, publish, file):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken", "words"]))
    store.check()
    path = folder / "generations" / "000001" / file
    changed = next(path.glob("*.term")) if path.is_dir() else path
    changed_within(changed)
    with pytest.raises(StoreError, match=re.escape(f"{changed} is damaged: it is not as it was written")):
        EmbeddedStore(folder).check()


def test_a_change_within_a_column_is_found(folder, entry, publish):
    name = publish(EmbeddedStore(folder), entry("a", ["spoken", "words"]))
    path = folder / "generations" / name / "columns" / "piece_ids.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x07")
    with pytest.raises(StoreError, match=re.escape(f"{path} is damaged: it is not as it was written")):
        EmbeddedStore(folder).check()


def test_nothing_is_built_upon_a_damaged_archive(folder, entry, publish):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken"]))
    changed_within(folder / "generations" / "000001" / "archive.sqlite")
    with pytest.raises(StoreError, match=r"is damaged: .*`rostrum index --fresh` rebuilds it"):
        EmbeddedStore(folder).begin(**HASHES)
    with EmbeddedStore(folder) as damaged:
        name = damaged.begin(**HASHES, fresh=True).name
        assert damaged.encodings(name, [entry("a", ["spoken"]).paragraphs[0].hash_text()]) == {}
        assert not list(folder.rglob("*.copy"))


def test_encodings_that_an_archive_without_checksums_cannot_give_are_made_anew(folder, entry, publish):
    name = publish(EmbeddedStore(folder), entry("a", ["spoken"]))
    (folder / "generations" / name / "contents.json").unlink()
    with sqlite3.connect(folder / "generations" / name / "archive.sqlite") as connection:
        connection.execute("UPDATE paragraphs SET tokens = CAST(x'ffff' AS TEXT)")
    connection.close()
    with EmbeddedStore(folder) as damaged:
        begun = damaged.begin(**HASHES, fresh=True).name
        for _ in range(2):
            assert damaged.encodings(begun, [entry("a", ["spoken"]).paragraphs[0].hash_text()]) == {}


def test_a_row_that_cannot_be_read_is_damage(folder, entry, publish):
    store = EmbeddedStore(folder)
    name = publish(store, entry("a", ["spoken"]))
    with sqlite3.connect(folder / "generations" / name / "archive.sqlite") as connection:
        connection.execute("UPDATE paragraphs SET text = x'ff', tokens = x'00'")
    connection.close()
    with pytest.raises(StoreError, match="it is damaged"):
        EmbeddedStore(folder).get("a")
    with pytest.raises(StoreError, match="it is damaged"):
        list(EmbeddedStore(folder).search(EVERYTHING))


def test_a_paragraph_that_cannot_be_read_is_damage_when_it_is_read(folder, entry, publish):
    store = EmbeddedStore(folder)
    name = publish(store, entry("a", ["spoken"]))
    with sqlite3.connect(folder / "generations" / name / "archive.sqlite") as connection:
        connection.execute("UPDATE paragraphs SET text = x'ff'")
    connection.close()
    found = EmbeddedStore(folder).search(EVERYTHING)
    with pytest.raises(StoreError, match="it is damaged"):
        found.take([0])


def test_an_unfinished_generation_is_counted_whenever_it_is_told_of(folder, entry):
    store, reader = EmbeddedStore(folder), EmbeddedStore(folder)
    name = store.begin(**HASHES).name
    for number in range(3):
        store.add(name, [entry(str(number), ["spoken"])])
        assert [each.documents for each in reader.generations()] == [number + 1]
    store.publish(name)
    store.add(store.begin(**HASHES).name, [entry("b", ["spoken"])])
    assert [each.documents for each in reader.generations()] == [3, 4]


def test_an_archive_made_anew_in_its_folder_is_counted_anew(folder, entry, publish):
    reader, known = EmbeddedStore(folder), []
    for said in (["spoken"], ["spoken", "words"]):
        shutil.rmtree(folder, ignore_errors=True)
        publish(EmbeddedStore(folder), entry("a", said))
        known.append((reader.published().name, reader.published().paragraphs))
    assert known == [("000001", 1), ("000001", 2)]


@pytest.mark.parametrize("read", [EmbeddedStore.count, lambda store: store.content_hashes("000001")])
def test_what_sqlite_reports_names_the_folder(folder, entry, publish, read):
    name = publish(EmbeddedStore(folder), entry("a", ["spoken"]))
    (folder / "generations" / name / "archive.sqlite").unlink()
    with pytest.raises(StoreError, match=f"{re.escape(str(folder))}: unable to open database file"):
        read(EmbeddedStore(folder))


def test_what_goes_wrong_while_documents_are_listed_names_the_folder(folder, entry, publish):
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken"]))
    listed = store.documents()
    store._open_published().archive.close()
    with pytest.raises(StoreError, match=re.escape(str(folder))):
        list(listed)


def test_generations_are_told_though_one_is_pruned_meanwhile(folder, entry, publish, monkeypatch):
    store = EmbeddedStore(folder)
    first, second = (publish(store, entry("a", [text])) for text in ("one", "two"))
    build = store._build_generation

    def pruned_first(name):
        if name == first:
            store.prune(1)
        return build(name)

    monkeypatch.setattr(store, "_build_generation", pruned_first)
    assert [each.name for each in store.generations()] == [second]
