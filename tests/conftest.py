"""What several packages' tests share: the shipped models, and the sample archive indexed once a run."""

import pytest

from rostrum.service.shipped import shipped


@pytest.fixture(scope="session")
def models():
    """The shipped models."""
    from reranker.models import Models

    return Models(shipped("models"))


@pytest.fixture(scope="session")
def sample_archive(tmp_path_factory, models):
    """Folder of an archive that holds the sample speeches. Read only: a test that writes takes a copy."""
    from dataclasses import replace

    from indexer.ingest import read
    from rostrum.core.settings import read_settings
    from rostrum.service.assemble import assemble

    folder = tmp_path_factory.mktemp("sample") / "archive"
    service = assemble(replace(read_settings({}), archive=folder))
    refused = []
    service.refresh(read([shipped("samples/speeches.jsonl")], refused=refused.append))
    service.store.close()
    assert refused == []
    return folder


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
