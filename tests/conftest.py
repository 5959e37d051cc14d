"""What several packages' tests share: models, the sample archive, entries of a store, and servers."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import hypothesis
import numpy as np
import pytest

from archive.shipped_files import locate_shipped
from reranker.models.engines import Engine
from rostrum_core.identifiers import hash_text, make_paragraph_id
from rostrum_core.ports import Entry, ParagraphStore
from rostrum_core.types import Document, Encoding, Paragraph, Tokens
from tests.distribution import Distribution, put_longest_first
from tests.sample_archive import copy_sample_archive
from tools.jdk import Missing
from tools.opensearch_node import Node, find_memory_folder

hypothesis.settings.register_profile(
    "busy", suppress_health_check=[hypothesis.HealthCheck.too_slow], deadline=None
)
hypothesis.settings.load_profile("busy")  # other processes may slow a test down, which is no fault of it
hypothesis.settings.register_profile(
    "quick", hypothesis.settings.get_profile("busy"), max_examples=25, derandomize=True
)  # for `make quick`; `make test` tries four times as many, drawn by chance

WIDTH = 8
HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


@pytest.fixture(scope="session")
def opensearch_node() -> Iterator[Node]:
    """An OpenSearch node of this run; where there can be none, tests skip on a laptop and fail in CI."""
    try:
        node = Node(scratch=find_memory_folder())
    except Missing as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
    yield node
    node.stop()


@pytest.fixture(scope="session")
def opensearch_url(request: pytest.FixtureRequest) -> str:
    """Address of an OpenSearch: TEST_OPENSEARCH_URL, as `make opensearch` prints it, or of this run's."""
    if "TEST_OPENSEARCH_URL" in os.environ:
        return os.environ["TEST_OPENSEARCH_URL"]
    node: Node = request.getfixturevalue("opensearch_node")
    return node.url


@pytest.fixture(scope="session")
def opensearch_prefix(opensearch_url: str) -> Iterator[str]:
    """Begins the names of this run's archives, as others may share the cluster; what is left of them goes."""
    prefix = f"test-{os.getpid()}-"
    yield prefix
    for kind in ("", "_index_template/", "_component_template/"):
        path = f"{opensearch_url}/{kind}{prefix}*{'' if kind else '?expand_wildcards=all'}"
        with suppress(HTTPError):  # there is none
            urlopen(Request(path, method="DELETE")).close()


@pytest.fixture(scope="session")
def models():
    """The shipped models."""
    from reranker.models.loaded import Models

    return Models(locate_shipped("models"))


@pytest.fixture(autouse=True, scope="session")
def _load_shipped_models_once() -> Iterator[None]:
    """Let all services and commands in this process share the shipped models, once for each engine."""
    from reranker.models.loaded import Models
    from rostrum import assemble

    shipped, share = locate_shipped("models"), cache(Models)

    def open_once(folder: Path, engine: Engine) -> Models:
        return share(folder, engine) if folder == shipped else Models(folder, engine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assemble, "Models", open_once)
        yield


@pytest.fixture(scope="session")
def sample_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of an archive that holds the sample speeches. Read only: a test that writes takes a copy."""
    return copy_sample_archive(tmp_path_factory.mktemp("sample") / "archive")


@pytest.fixture(scope="session")
def redis_server():
    """A Redis of this run; without redis-server, tests skip on a laptop and fail in CI."""
    import os

    from tools.redis_server import RedisMissing, RedisServer

    try:
        server = RedisServer()
    except RedisMissing as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
    yield server
    server.close()


@pytest.fixture
def encoding() -> Callable[[str], Encoding]:
    """An encoding that depends on the text alone."""

    def encode(text: str) -> Encoding:
        vector = np.random.default_rng(int(hash_text(text)[:8], 16)).standard_normal(WIDTH)
        numbers = np.arange(len(text.split()), dtype=np.int32)
        return Encoding(
            Tokens(numbers + 7, numbers, numbers + 1), (vector / np.linalg.norm(vector)).astype("f4")
        )

    return encode


@pytest.fixture
def entry(encoding: Callable[[str], Encoding]) -> Callable[..., Entry]:
    """A document of these paragraphs, with whatever else is known of it."""

    def make(
        document_id: str,
        paragraphs: Sequence[str],
        *,
        title: str = "",
        turns: Sequence[str | None] = (),
        **known: str,
    ) -> Entry:
        document = Document(document_id, title, "\n".join(paragraphs), **known)
        found, start = [], 0
        for ordinal, text in enumerate(paragraphs):
            name = make_paragraph_id(document_id, ordinal, text)
            holder = turns[ordinal] if turns else None
            found.append(Paragraph(name, document_id, ordinal, text, start, start + len(text), holder))
            start += len(text) + 1
        return Entry(document, document.hash_content(), tuple(found), tuple(map(encoding, paragraphs)))

    return make


@pytest.fixture
def publish() -> Callable[..., str]:
    """Begins a generation, adds entries, deletes ids and publishes it; its name."""

    def act(store: ParagraphStore, *entries: Entry, delete: Sequence[str] = (), fresh: bool = False) -> str:
        name = store.begin(**HASHES, fresh=fresh).name
        store.add(name, entries)
        store.delete(name, delete)
        store.publish(name)
        return name

    return act


HEAVY = {
    "sample_archive",
    "service_url",
    "opensearch_url",
    "opensearch_node",
    "redis_server",
    "redis_url",
    "nodes",
    "served",
    "browser",
}


WHOLE = {
    *("api", "cli", "client", "clients", "congruence", "contracts", "deploy", "opensearch", "workers"),
    *("test_companions.py", "test_library.py", "reranker/test_engines.py"),
}
"""Folders and files whose tests start services, commands or workers, fill whole archives or load the shipped
models.
"""

TESTS = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare `make quick` the import of what it leaves out."""
    is_left_out = _is_whole(collection_path) and "not heavy" in config.option.markexpr
    return True if is_left_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make quick` leaves out: whole services, the sample archive, servers and shipped models."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & (HEAVY | {"models"}) or _is_in_whole(item.path):
            item.add_marker("heavy")
    put_longest_first(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Distribution | None:
    """Share tests by files and servers where processes share them by files."""
    if config.option.dist != "loadfile":
        return None
    config.option.loadscopereorder = False  # they are in order already
    return Distribution(config, log)


@cache
def _is_in_whole(path: Path) -> bool:
    return any(map(_is_whole, (path, *path.parents)))


def _is_whole(path: Path) -> bool:
    return path.is_relative_to(TESTS) and path.relative_to(TESTS).as_posix() in WHOLE
