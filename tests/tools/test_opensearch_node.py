"""What a node needs, and what it leaves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import jdk
from tools.opensearch_files import complete
from tools.opensearch_node import FOLDER, remove_abandoned


def java(folder: Path, version: str) -> Path:
    """A folder that looks like a JDK of a version."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").touch()
    (folder / "release").write_text(f'IMPLEMENTOR="Someone"\nJAVA_VERSION="{version}"\n')
    return folder


@pytest.fixture(autouse=True)
def _no_java_of_this_machine(monkeypatch, tmp_path):
    for name in jdk.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(jdk, "FOLDERS", (str(tmp_path / "jvm"),))


def test_the_newest_jdk_of_the_system_is_found(tmp_path):
    for name, version in (("a", "17.0.2"), ("b", "25"), ("c", "21.0.1"), ("d", "8u1")):
        java(tmp_path / "jvm" / name, version)
    assert jdk.find_jdk() == tmp_path / "jvm" / "b"


def test_the_jdk_of_the_environment_comes_first_if_it_is_new_enough(tmp_path, monkeypatch):
    java(tmp_path / "jvm" / "newest", "25")
    monkeypatch.setenv("JAVA_HOME", str(java(tmp_path / "mine", "21.0.4")))
    assert jdk.find_jdk() == tmp_path / "mine"
    monkeypatch.setenv("OPENSEARCH_JAVA_HOME", str(java(tmp_path / "old", "17")))
    assert jdk.find_jdk() == tmp_path / "mine"


def test_a_jdk_that_is_missing_is_told_with_where_it_was_looked_for(tmp_path):
    java(tmp_path / "jvm" / "old", "17")
    with pytest.raises(jdk.Missing, match=r"needs a JDK 21 or newer, .*OPENSEARCH_JAVA_HOME.*jvm"):
        jdk.find_jdk()


def test_a_plugin_nobody_publishes_is_told():
    with pytest.raises(jdk.Missing, match="no plugin sql: there are knn, "):
        complete(["sql"])


def test_folders_of_killed_owners_are_removed_and_no_others(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = (f"{FOLDER}{ended.pid}-x", f"{FOLDER}{os.getpid()}-x", f"{FOLDER}other", "something")
    for name in names:
        (tmp_path / name).mkdir()
    remove_abandoned(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(names[1:])
