"""Keys that expire, and the day on which each was used last."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rostrum.api.edge.keys import Keys, KeyScope, add_key, read_last_use, revoke_key
from rostrum.cli import run

TODAY = datetime.now(UTC).date()


def test_a_key_is_accepted_on_its_last_day_and_not_after(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    last = add_key(path, "last", KeyScope.READ, TODAY)
    past = add_key(path, "past", KeyScope.READ, TODAY - timedelta(days=1))
    keys = Keys(path)
    match = keys.find(last)
    assert match is not None
    assert match.name == "last"
    assert keys.find(past) is None


def test_the_day_of_the_last_use_is_kept_for_keys_that_were_accepted(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    first, _ = add_key(path, "first", KeyScope.READ), add_key(path, "second", KeyScope.READ)
    past = add_key(path, "past", KeyScope.READ, TODAY - timedelta(days=1))
    keys = Keys(path)
    for given in (first, first, past, "wrong"):
        keys.find(given)
    assert read_last_use(path) == {"first": TODAY}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["keys.json", "keys.json.used"]
    revoke_key(path, "first")
    assert read_last_use(path) == {}


def test_a_folder_that_cannot_be_written_shuts_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    key = add_key(path, "desk", KeyScope.READ)
    (tmp_path / "keys.json.used").mkdir()
    assert Keys(path).find(key) is not None
    assert sorted(file.name for file in tmp_path.iterdir()) == ["keys.json", "keys.json.used"]


def test_a_file_of_keys_made_before_they_could_expire_is_read(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    key = add_key(path, "desk", KeyScope.READ)
    assert set(json.loads(path.read_text())["keys"][0]) == {"name", "scope", "hash"}
    assert Keys(path).find(key) is not None


def test_the_command_makes_keys_that_expire_and_lists_their_days(tmp_path: Path, capfd) -> None:
    file = ["--file", str(tmp_path / "keys.json")]
    assert run(["key", "add", "desk", "--expires-on", "2999-01-31", *file]) == 0
    key = capfd.readouterr().out.strip()
    assert run(["key", "add", "old", "--expires-on", "2001-01-31", *file]) == 0
    assert Keys(tmp_path / "keys.json").find(key) is not None
    capfd.readouterr()
    assert run(["key", "list", *file]) == 0
    assert capfd.readouterr().out.splitlines() == [
        f"read  desk  until 2999-01-31  used {TODAY}",
        "read  old  expired 2001-01-31",
    ]
    assert run(["key", "add", "new", "--expires-on", "tomorrow", *file]) == 2
