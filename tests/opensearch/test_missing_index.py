"""An index that somebody deleted is noticed by everybody, and `--fresh` rebuilds the archive."""

import json

import pytest

from opensearch import Connection, Layout
from opensearch.server import Server
from rostrum.assemble import open_site
from rostrum.cli import run
from rostrum_core.errors import StoreError
from rostrum_core.ports import Query
from rostrum_core.settings import read_settings

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


@pytest.fixture
def archive(opensearch_url, prefix):
    """The check of the archive by `rostrum doctor`."""
    named = {"opensearch_url": opensearch_url, "opensearch_prefix": prefix, "opensearch_timeout_s": "60"}
    settings = read_settings({f"ROSTRUM_{name.upper()}": value for name, value in named.items()})
    return lambda: open_site(settings).checks()["archive"]()


@pytest.mark.parametrize("kind", ["paragraphs", "documents"])
def test_an_index_that_is_gone_is_noticed_and_a_fresh_archive_takes_its_place(
    open_store, entry, publish, prefix, archive, kind
):
    store = open_store()
    name = publish(store, entry("a", ["spoken one"]), entry("b", ["spoken two"]))
    assert "2 documents" in archive()
    index = f"{prefix}{kind}-{name}"
    store.server.call("DELETE", f"/{index}")
    message = f"{prefix}.*{name}.* missing: rostrum index --fresh rebuilds the archive"
    if kind == "paragraphs":
        message = f"the index {index} of generation {name} is missing: rostrum index --fresh"
        assert [each.state for each in store.generations()] == ["damaged"]
        with pytest.raises(StoreError, match=message):
            store.search(Query("spoken", "", None))
        with pytest.raises(StoreError, match=message):
            store.content_hashes(name)
    with pytest.raises(StoreError, match=message if kind == "paragraphs" else "missing: rostrum index"):
        archive()
    with pytest.raises(StoreError, match="missing: rostrum index --fresh"):
        open_store().begin(**HASHES)
    fresh = store.begin(**HASHES, fresh=True).name
    assert store.encodings(fresh, ["hash"]) == {}
    store.add(fresh, [entry("a", ["spoken three"])])
    store.publish(fresh)
    assert [each.paragraph.text for each in store.search(Query("spoken", "", None))] == ["spoken three"]
    store.prune(2)
    if kind == "paragraphs":
        assert archive().startswith("1 documents, 1 paragraphs")


def test_rows_that_are_gone_are_noticed(open_store, entry, publish, prefix, archive):
    store = open_store()
    name = publish(store, entry("a", ["spoken one", "spoken two"]))
    index = f"/{prefix}paragraphs-{name}"
    store.server.call("PUT", f"{index}/_settings", {"index.blocks.write": False})
    query = {"query": {"match": {"text": "one"}}}
    store.server.call("POST", f"{index}/_delete_by_query", query, refresh="true")
    with pytest.raises(StoreError, match=rf"generation {name} has 1 documents and 1 paragraphs of 1 and 2"):
        archive()


def test_a_damaged_generation_is_not_rolled_back_to(open_store, entry, publish, prefix):
    store = open_store()
    first = publish(store, entry("a", ["spoken one"]))
    publish(store, entry("b", ["spoken two"]))
    store.server.call("DELETE", f"/{prefix}paragraphs-{first}")
    for name in (first, None):
        with pytest.raises(StoreError, match=f"paragraphs-{first} of generation {first} is missing"):
            store.rollback(name)
    assert store.count() == (2, 2)
    assert store.prune(5) == [first]


def test_the_commands_name_a_missing_index(
    opensearch_url, prefix, entry, open_store, monkeypatch, capfd, tmp_path
):
    speech = tmp_path / "speeches.jsonl"
    speech.write_text(json.dumps({"id": "a", "title": "A", "paragraphs": ["We choose to go to the moon."]}))
    for name, value in {
        "URL": opensearch_url,
        "PREFIX": prefix,
        "TIMEOUT_S": "60",
        "ENGINE": "exact",
    }.items():
        monkeypatch.setenv(f"ROSTRUM_OPENSEARCH_{name}", value)
    assert run(["index", str(speech)]) == 0
    store = open_store()
    [generation] = store.generations()
    store.server.call("DELETE", f"/{prefix}paragraphs-{generation.name}")
    for command in (["index", str(speech)], ["delete", "a"], ["recommend", "--text", "moon"]):
        capfd.readouterr()
        assert run(command) != 0
        assert "NullPointer" not in capfd.readouterr().err
    assert run(["status"]) == 0
    assert run(["generations", "list"]) == 0
    assert "damaged" in capfd.readouterr().out
    assert run(["index", str(speech), "--fresh"]) == 0
    assert store.count() == (1, 1)


def test_a_published_generation_has_one_segment_per_shard(open_store, entry, publish, prefix):
    store = open_store()
    for number in range(4):
        name = store.begin(**HASHES).name
        for part in range(3):
            store.add(name, [entry(f"{number}-{part}", [f"spoken {number} {part}"])])
        store.publish(name)
        stats = store.server.call("GET", f"/{prefix}paragraphs-{name}*,{prefix}documents-{name}*/_segments")
        shards = [shard for index in stats["indices"].values() for [shard] in index["shards"].values()]
        assert [shard["num_search_segments"] for shard in shards] == [1, 1]
    assert store.count() == (12, 12)


def test_faiss_is_refused_where_its_native_libraries_are_known_to_lack(
    opensearch_url, prefix, open_store, archive
):
    store = open_store(Layout("faiss"))
    with pytest.raises(
        StoreError, match=r"lacks the native libraries of FAISS .*ROSTRUM_OPENSEARCH_ENGINE=lucene"
    ):
        store.begin(**HASHES)
    assert store.generations() == []
    assert Layout().engine == "lucene"


@pytest.mark.parametrize(
    ("build", "system", "refused"),
    [("zip", "Linux", True), ("tar", "Linux", False), ("zip", "Windows", False)],
)
def test_a_node_of_the_full_distribution_may_use_faiss(serve, build, system, refused):
    node = {"name": "node-1", "build_type": build, "os": {"name": system}}
    server = Server(Connection(serve(lambda request: (200, {"nodes": {"a": node}}))))
    if refused:
        with pytest.raises(StoreError, match="node node-1"):
            server.require_faiss()
    else:
        server.require_faiss()
