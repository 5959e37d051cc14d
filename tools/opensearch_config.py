"""Write the configuration of an OpenSearch node: its name, its cluster, and the folders of its files."""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
from pathlib import Path

UNWANTED = re.compile(r"logs/|=data|G1|HeapDump")
"""Java options that write into the shared installation, or contradict ours."""

UNPRIVILEGED = "nobody"
"""User as which a node runs if root starts it, because OpenSearch refuses root."""

REPOSITORY = "repository"
"""Folder for snapshots, inside the node's own folder."""


def configure(home: Path, folder: Path, settings: dict[str, object]) -> None:
    """Create the folder of a node, which runs the installation at `home`.

    `settings` are added to the settings that all nodes share.
    """
    shutil.copytree(home / "config", folder / "config")
    for name in ("data", "logs", "tmp", REPOSITORY):
        (folder / name).mkdir()
    lines = [f"{name}: {json.dumps(value)}\n" for name, value in (_list_settings(folder) | settings).items()]
    (folder / "config" / "opensearch.yml").write_text("".join(lines))
    options = folder / "config" / "jvm.options"
    kept = [line for line in options.read_text().splitlines() if not UNWANTED.search(line)]
    options.write_text("\n".join(kept))
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, UNPRIVILEGED, pwd.getpwnam(UNPRIVILEGED).pw_gid)


def list_lone_settings(name: str) -> dict[str, object]:
    """Return the settings of the first node of a cluster; the cluster gets the same name as the node."""
    return {"cluster.name": name, "node.name": name, "cluster.initial_cluster_manager_nodes": [name]}


def list_joining_settings(cluster: str, transport: str) -> dict[str, object]:
    """Return the settings of a data-only node in the cluster of the node at the address `transport`."""
    return {"cluster.name": cluster, "node.roles": ["data"], "discovery.seed_hosts": [transport]}


def _list_settings(folder: Path) -> dict[str, object]:
    return {
        "cluster.routing.allocation.disk.threshold_enabled": False,
        "discovery.seed_hosts": [],
        "http.port": 0,
        "indices.breaker.total.use_real_memory": False,  # garbage not yet collected counts as used
        "network.host": "127.0.0.1",
        "node.portsfile": True,
        "path.data": str(folder / "data"),
        "path.logs": str(folder / "logs"),
        "path.repo": [str(folder / REPOSITORY)],
        "transport.port": 0,
    }
