"""The role in deploy/opensearch-role.json allows what Rostrum does, and nothing else.

A node notes every action that it is asked for; the security plugin grants or refuses by the same names.
"""

import json
import re
import time
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from archive.refresh import RefreshOptions
from opensearch import Connection, OpenSearchStore
from rostrum.assemble import assemble, open_site
from rostrum_core.settings import read_settings
from rostrum_core.types import Document, Draft

ROLE = json.loads((Path(__file__).parents[2] / "deploy" / "opensearch-role.json").read_text())
PREFIX = "role-"
TRACED = "logger.org.opensearch.tasks.TaskManager"
NOTED = re.compile(r"register \d+ \[\w+\] \[([a-z_:/]+)(?:\[.*\])?\] \[")
OF_CLUSTERS = ("cluster:", "indices:admin/index_template/")
OF_ALL_INDICES = {"indices:data/read/mget", "indices:data/read/msearch", "indices:data/write/bulk"}
"""Asked once for a request, whatever its indices; then again for each index, as what they consist of."""

OF_ROWS = {"indices:data/write/index", "indices:data/write/delete"}
"""No node is asked for them: the security plugin wants them of whoever sends a bulk request with such rows.
Source: OpenSearch's documentation, permissions of `_bulk`."""

OF_NODES = ("internal:", "indices:admin/seq_no/")
"""What nodes ask each other for by themselves, which no role need allow."""


@pytest.fixture
def noted(opensearch_node):
    """Actions that the node was asked for since the test began, by name."""

    def trace(level):
        body = json.dumps({"transient": {TRACED: level}}).encode()
        settings = f"{opensearch_node.url}/_cluster/settings"
        urlopen(Request(settings, body, {"Content-Type": "application/json"}, method="PUT")).close()

    log = opensearch_node.folder / "output"
    trace("TRACE")
    before = log.stat().st_size

    def act():
        size_bytes = None
        while size_bytes != (size_bytes := log.stat().st_size):  # the log is written a while later
            time.sleep(1)
        return {name for name in NOTED.findall(log.read_bytes()[before:].decode()) if "/" in name}

    yield act
    trace(None)


def life(url):
    """All that Rostrum asks a cluster for: indexing, changing, searching, looking after it."""
    named = {"opensearch_url": url, "opensearch_prefix": PREFIX, "opensearch_engine": "exact"}
    settings = replace(read_settings({}), **named, opensearch_timeout_s=60)
    service = assemble(settings)
    one, two = Document("a", "", "We choose the moon.\n\nAnd others."), Document("b", "", "A new nation.")
    service.refresh([one, two])
    service.refresh([replace(one, title="Another")])
    service.refresh([one], RefreshOptions(mirror=True))
    assert service.recommend(Draft("The moon", "He said so:")).degraded == ()
    service.explain(Draft("The moon"))
    assert service.store.get("a")
    assert len([*service.store.documents(), *service.store.documents(["a"])]) == 2
    service.withdraw(["a"])
    service.store.rollback()
    service.store.prune(1)
    site = open_site(settings)
    assert site.size_bytes() > 0
    assert [check() for check in site.checks().values()]


def allowed(section, name):
    return [pattern for pattern in section if fnmatchcase(name, pattern)]


@pytest.mark.slow
def test_the_role_allows_all_that_is_asked_for_and_no_more(opensearch_node, noted):
    url = opensearch_node.url
    try:
        life(url)
        asked = OF_ROWS | {name for name in noted() if not name.startswith(OF_NODES)}
    finally:
        server = OpenSearchStore(Connection(url, prefix=PREFIX, timeout_s=60)).server
        server.call("DELETE", f"/{PREFIX}*", expand_wildcards="all")
    of_cluster, [of_indices] = ROLE["cluster_permissions"], ROLE["index_permissions"]
    assert of_indices["index_patterns"] == [f"{read_settings({}).opensearch_prefix}*"]
    used = []
    for name in asked:
        if name.startswith(OF_CLUSTERS) or name in OF_ALL_INDICES:
            assert allowed(of_cluster, name), name
            used += allowed(of_cluster, name)
        if not name.startswith(OF_CLUSTERS) and name != "indices:data/read/msearch":
            assert allowed(of_indices["allowed_actions"], name), name
            used += allowed(of_indices["allowed_actions"], name)
    assert sorted(set(used)) == sorted(of_cluster + of_indices["allowed_actions"])
