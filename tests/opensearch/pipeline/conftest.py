"""An OpenSearch with its ml plugin, a user's own index in it, our service, and a road to it that can fail."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from opensearchpy import OpenSearch

from archive.shipped_files import locate_shipped
from indexer.ingest import read
from rostrum.api.edge.keys import KeyScope, add_key
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from tests.engines import QUICK
from tools.jdk import Missing
from tools.opensearch_files import DEFAULT_PLUGINS, cache, complete
from tools.opensearch_node import Node, find_memory_folder
from tools.service_process import ServiceProcess

from .road import Road

SPEECH = "1962-09-12-address-space-effort"
PLUGINS = (*DEFAULT_PLUGINS, "ml")


@pytest.fixture(scope="session")
def ml_url() -> Iterator[str]:
    """Address of an OpenSearch with the ml plugin: TEST_OPENSEARCH_URL if it has it, or a node of this run.

    The plugin has 391 MB: on a laptop that has not fetched it yet, tests skip; in CI they fetch it.
    """
    address = os.environ.get("TEST_OPENSEARCH_URL")
    if address and "opensearch-ml" in httpx2.get(f"{address}/_cat/plugins").text:
        yield address
        return
    fetched = any(cache().glob(f"opensearch-*-{'-'.join(complete(PLUGINS))}"))
    if not (fetched or os.environ.get("CI")):
        pytest.skip("the ml plugin is not fetched yet (391 MB): make opensearch PLUGINS=ml does it once")
    try:
        node = Node(PLUGINS, scratch=find_memory_folder())
    except Missing as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
    yield node.url
    node.stop()


@pytest.fixture(scope="session")
def models_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped models with all weights of first stages at zero: the ranker alone decides the order."""
    folder = tmp_path_factory.mktemp("models") / "alone"
    shutil.copytree(locate_shipped("models"), folder)
    fusion = json.loads((folder / "fusion.json").read_text())
    fusion["paragraph"] = dict.fromkeys(fusion["paragraph"], 0.0)
    fusion |= {"model": 1.0, "alpha": 0.0, "beta": 1.0}
    manifest = json.loads((folder / "manifest.json").read_text())
    text = json.dumps(fusion)
    manifest["files"]["fusion.json"] = hashlib.sha256(text.encode()).hexdigest()
    for name, content in (("fusion.json", text), ("manifest.json", json.dumps(manifest))):
        (folder / name).unlink()
        (folder / name).write_text(content)
    return folder


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A file of keys, and the one in it, which may read."""
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    return path, add_key(path, "opensearch", KeyScope.READ)


@pytest.fixture(scope="module")
def service_process(
    tmp_path_factory: pytest.TempPathFactory, models_alone: Path, key_file: tuple[Path, str]
) -> Iterator[ServiceProcess]:
    """`rostrum serve` over an archive of one speech; it asks for a key."""
    folder = tmp_path_factory.mktemp("served")
    _index(folder / "archive", models_alone)
    settings = QUICK | {"models": str(models_alone), "api_keys": str(key_file[0]), "timeout_s": "280"}
    process = ServiceProcess(folder / "log", "--archive", str(folder / "archive"), **settings)
    yield process.wait_serving()
    process.kill()


def _index(archive: Path, models: Path) -> None:
    service = assemble(replace(read_settings({}), archive=archive, models=models))
    speeches = read([locate_shipped("samples/speeches.jsonl")], refused=lambda _: None)
    service.refresh(each for each in speeches if each.id == SPEECH)
    service.store.close()


@pytest.fixture(scope="module")
def road(service_process: ServiceProcess) -> Iterator[Road]:
    """The road to the service."""
    road = Road(service_process.url)
    yield road
    road.close()


@pytest.fixture(scope="session")
def client(ml_url: str) -> Iterator[OpenSearch]:
    """A client as users have it."""
    client = OpenSearch(ml_url, timeout=60)
    yield client
    client.close()


@pytest.fixture(scope="module")
def paragraphs(service_process: ServiceProcess, key_file: tuple[Path, str]) -> list[str]:
    """The texts of the speech's paragraphs, as the archive has them."""
    headers = {"Authorization": f"Bearer {key_file[1]}"}
    speech = httpx2.get(f"{service_process.url}/v1/documents/{SPEECH}", headers=headers, timeout=60).json()
    return [each["text"] for each in speech["paragraphs"]]


@pytest.fixture(scope="module")
def index(client: OpenSearch, paragraphs: list[str]) -> Iterator[str]:
    """A user's own index: the paragraphs of the speech, under names of fields of their own."""
    name = f"users-own-{os.getpid()}"
    fields = {
        "body": {"type": "text"},
        "number": {"type": "integer"},
        "vector": {"type": "knn_vector", "dimension": 2, "method": {"name": "hnsw", "engine": "lucene"}},
    }
    body = {"settings": {"index.knn": True, "number_of_replicas": 0}, "mappings": {"properties": fields}}
    client.indices.create(index=name, body=body)
    for number, text in enumerate(paragraphs):
        client.index(index=name, id=number, body={"body": text, "number": number, "vector": [1.0, number]})
    client.indices.refresh(index=name)
    yield name
    client.indices.delete(index=name)
