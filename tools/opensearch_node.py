"""Run an OpenSearch node on loopback, for tests, benchmarks and `make opensearch`; it ends with the process
that started it.

python -m tools.opensearch_node [PLUGIN...]     with more plugins, such as ml; runs until Ctrl-C
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from urllib.error import URLError

from tools.jdk import Missing, find_jdk
from tools.opensearch_config import UNPRIVILEGED, configure, list_joining_settings, list_lone_settings
from tools.opensearch_files import DEFAULT_PLUGINS, install_opensearch
from tools.owner import end_with_owner

HEAP = "-Xms512m -Xmx512m"
JAVA_OPTIONS = f"{HEAP} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java options for nodes in tests, which live for minutes: short compilation and one collecting thread leave
the cores to tests.
"""

START_TIMEOUT_S = 180.0
STOP_TIMEOUT_S = 30.0
FOLDER = "rostrum-opensearch-"
"""Prefix of the name of a node's folder; the process id of its owner follows."""

LEAST_MEMORY_BYTES = 500_000_000


class Node:
    """Run an OpenSearch node with its own folder in `scratch`, which `stop` removes.

    Without `joins`, the node is a cluster by itself. With `joins`, it is a data-only node in the cluster of
    that node.

    Raises:
        Missing: this machine lacks Java or Maven, or the node does not start.
    """

    def __init__(
        self,
        plugins: Sequence[str] = DEFAULT_PLUGINS,
        *,
        java_options: str = JAVA_OPTIONS,
        scratch: Path | None = None,
        joins: Node | None = None,
    ) -> None:
        self._java_home, self._java_options = find_jdk(), java_options
        self._home = install_opensearch(self._java_home, plugins)
        remove_abandoned(scratch)
        self.folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-", dir=scratch))
        self._addresses = {"http": "127.0.0.1:0", "transport": "127.0.0.1:0"}
        try:
            within = (
                list_lone_settings(self.folder.name)
                if joins is None
                else list_joining_settings(joins.folder.name, joins.transport)
            )
            configure(self._home, self.folder, within)
            self.start()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """Return the URL of the node's REST interface."""
        return f"http://{self._addresses['http']}"

    @property
    def transport(self) -> str:
        """Return the address at which other nodes reach the node."""
        return self._addresses["transport"]

    def start(self) -> None:
        """Start the process, with the same addresses and data as before, and wait until it responds."""
        for name in self._addresses:
            self._locate_ports(name).unlink(missing_ok=True)
        self.process = self._start()
        self._wait()

    def end(self) -> None:
        """End the process and keep its data."""
        process = getattr(self, "process", None)
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """Kill the process, as a power failure would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End the process and remove its files; a second call does nothing."""
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: value for name, value in os.environ.items() if "JAVA" not in name}
        environment |= {
            "OPENSEARCH_JAVA_HOME": str(self._java_home),
            "OPENSEARCH_JAVA_OPTS": self._java_options,
            "OPENSEARCH_PATH_CONF": str(self.folder / "config"),
            "OPENSEARCH_TMPDIR": str(self.folder / "tmp"),
        }
        ports = [f"-E{name}.port={address.rpartition(':')[2]}" for name, address in self._addresses.items()]
        root = os.geteuid() == 0
        with (self.folder / "output").open("ab") as output:
            return subprocess.Popen(
                [self._home / "bin" / "opensearch", *ports],
                env=environment,
                cwd=self.folder,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the owner, who then stops the node
                preexec_fn=end_with_owner,
                user=UNPRIVILEGED if root else None,
                group=pwd.getpwnam(UNPRIVILEGED).pw_gid if root else None,
                extra_groups=[] if root else None,
            )

    def _locate_ports(self, name: str) -> Path:
        return self.folder / "logs" / f"{name}.ports"

    def _wait(self) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self.process.poll() is None:
            written = [self._locate_ports(name) for name in self._addresses]
            if all(path.exists() and path.read_text().strip() for path in written):
                self._addresses = {path.stem: path.read_text().split()[0] for path in written}
                if _is_healthy(self.url):
                    return
            time.sleep(0.2)
        output = (self.folder / "output").read_text(errors="replace")[-3000:]
        raise Missing(f"OpenSearch does not start within {START_TIMEOUT_S:.0f} s:\n{output}")


def remove_abandoned(scratch: Path | None) -> None:
    """Remove the folders of nodes whose owner was killed.

    A node's owner is the process that started the node. The node itself ends together with its owner.
    """
    for folder in Path(scratch or tempfile.gettempdir()).glob(f"{FOLDER}*"):
        owner = folder.name.removeprefix(FOLDER).partition("-")[0]
        if owner.isdigit() and not _is_alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def find_memory_folder() -> Path | None:
    """Return a folder in memory, where syncing to the disk costs nothing; `None` if none exists."""
    shared = Path("/dev/shm")
    return shared if shared.is_dir() and shutil.disk_usage(shared).free > LEAST_MEMORY_BYTES else None


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it belongs to another user
        return True
    return True


def _is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_cluster/health?wait_for_status=yellow&timeout=5s") as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def main() -> None:
    """Run a node, with the additional plugins that the arguments name, until interrupted."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        node = Node([*DEFAULT_PLUGINS, *sys.argv[1:]], scratch=find_memory_folder())
    except Missing as missing:
        sys.exit(str(missing))
    try:
        print(f"{node.url} (process {node.process.pid}, data in {node.folder}); Ctrl-C ends it", flush=True)
        node.process.wait()
    except KeyboardInterrupt:
        print("stopping", flush=True)
    finally:
        node.stop()


if __name__ == "__main__":
    main()
