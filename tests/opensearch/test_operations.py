"""What docs/operations.md has operators do with a cluster: certificates, backup and restore."""

import json
import os
import ssl
import subprocess

import pytest

from opensearch import Connection, Layout, OpenSearchStore
from rostrum_core.ports import Query
from tests.pages import blocks

PAGE = "operations.md"


def ran(commands, folder, **variables):
    """Standard output of commands, the first of which that fails ends them."""
    environment = {**os.environ, **variables}
    line = ["bash", "-euo", "pipefail", "-c", commands]
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_server_with_the_certificates_of_the_page_is_trusted(serve, tmp_path):
    [making] = [each for each in blocks(PAGE, "The stack") if "openssl" in each]
    ran(making, tmp_path)
    made = tmp_path / "secrets" / "certificates"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made / "node.pem", made / "node-key.pem")
    info = {"version": {"number": "2.0.0", "distribution": "opensearch"}}
    url = serve(lambda request: (200, info if request.path == "/" else []), context)
    url = url.replace("127.0.0.1", "localhost")
    with pytest.raises(Exception, match=r"2\.0\.0 at https://localhost:\d+ is older than"):
        OpenSearchStore(Connection(url, ca=made / "ca.pem", timeout_s=5)).count()
    assert not (made / "ca-key.pem").exists()
    assert "PRIVATE" in (tmp_path / "secrets" / "ca-key.pem").read_text()


@pytest.mark.slow
def test_a_snapshot_restores_an_archive_that_was_lost(opensearch_node, entry, publish, tmp_path):
    store = OpenSearchStore(Connection(opensearch_node.url, timeout_s=60), Layout("exact"))
    name = publish(store, entry("a", ["spoken one", "spoken two"]))
    [once, snapshot, restore] = blocks(PAGE, "Backup of a cluster")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "curl").touch()
    asked = {"URL": opensearch_node.url, "SNAPSHOT": "none"}
    try:
        ran(once, tmp_path, **asked)
        info = ran(snapshot + "\nprintf '\\n%s' $SNAPSHOT", tmp_path, **asked).splitlines()
        assert json.loads(info[0])["snapshot"]["state"] == "SUCCESS"
        later = publish(store, entry("a", ["spoken three"]))
        [*restoring, doctor] = restore.splitlines()
        ran("\n".join(restoring), tmp_path, **asked | {"SNAPSHOT": info[-1]})
        assert doctor == "rostrum doctor"
        assert sorted(
            each.paragraph.text for each in store.search(Query("spoken", "", None, every=True))
        ) == [
            "spoken one",
            "spoken two",
        ]
        assert [each.name for each in store.generations() if each.published] == [name]
        assert publish(store, entry("b", ["spoken four"])) == later
        assert store.count() == (2, 3)
    finally:
        store.server.call("DELETE", "/rostrum-*", expand_wildcards="all")
        store.server.call("DELETE", "/_snapshot/rostrum")
