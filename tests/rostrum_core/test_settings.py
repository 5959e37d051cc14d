"""Settings are read once, and a mistake in them refuses to start."""

from pathlib import Path

import pytest

from opensearch.connection import Connection
from opensearch.templates import Layout
from rostrum_core.errors import BadInput
from rostrum_core.settings import read_settings


def test_without_a_setting_the_archive_is_in_the_users_data_folder(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/another")  # only the mapping counts
    assert read_settings({"XDG_DATA_HOME": "/somewhere"}).archive == Path("/somewhere/rostrum/archive")
    assert read_settings({"HOME": "/ann"}).archive == Path("/ann/.local/share/rostrum/archive")
    assert read_settings({"ROSTRUM_DATA": "/data"}).archive == Path("/data/archive")


@pytest.mark.parametrize("value", ["", "share", "./share", "~/share"])
def test_a_data_folder_that_is_not_absolute_counts_as_unset(value):
    settings = read_settings({"XDG_DATA_HOME": value, "HOME": "/ann"})
    assert settings.archive == Path("/ann/.local/share/rostrum/archive")


def test_every_field_is_set_by_its_variable():
    values = {"ARCHIVE": "a", "MODELS": "m", "THREADS": "2", "CANDIDATES": "7", "TIMEOUT_S": "1.5"}
    settings = read_settings({f"ROSTRUM_{name}": value for name, value in values.items()})
    assert (settings.archive, settings.models) == (Path("a"), Path("m"))
    assert (settings.threads, settings.candidates, settings.timeout_s) == (2, 7, 1.5)


@pytest.mark.parametrize("name", ["ARCHIVE", "MODELS", "THREADS"])
def test_an_empty_value_refuses_to_start(name):
    with pytest.raises(BadInput, match=f"ROSTRUM_{name} is empty"):
        read_settings({f"ROSTRUM_{name}": ""})


def test_a_user_without_a_home_learns_what_to_set_and_needs_none_once_it_is_set(monkeypatch):
    def find_no_user(uid):
        raise KeyError(uid)

    monkeypatch.setattr("rostrum_core.settings.pwd.getpwuid", find_no_user)
    with pytest.raises(BadInput, match="set ROSTRUM_ARCHIVE"):
        read_settings({})
    assert read_settings({"ROSTRUM_ARCHIVE": "a"}).archive == Path("a")


def test_the_defaults_stand_in_one_place():
    assert (Connection("http://127.0.0.1:9200").prefix, Layout().engine) == ("rostrum-", "lucene")
    assert Connection("http://127.0.0.1:9200").timeout_s == read_settings({}).opensearch_timeout_s


def test_an_unknown_variable_refuses_to_start():
    with pytest.raises(BadInput, match="ROSTRUM_ARCHIV is not a setting"):
        read_settings({"ROSTRUM_ARCHIV": "x"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("THREADS", "-1"),
        ("THREADS", "two"),
        ("CANDIDATES", "0"),
        ("TIMEOUT_S", "0"),
        ("TIMEOUT_S", "nan"),
        ("TIMEOUT_S", "inf"),
        ("OPENSEARCH_TIMEOUT_S", "1e9"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(name, value):
    with pytest.raises(BadInput, match=f"ROSTRUM_{name}"):
        read_settings({f"ROSTRUM_{name}": value})


def test_variables_of_others_do_not_matter():
    assert read_settings({"PATH": "/bin", "rostrum_x": "1"}).threads == 0


@pytest.mark.parametrize(
    "url", ["127.0.0.1:6379", "http://:secret@127.0.0.1", "amqp://guest:secret@localhost"]
)
def test_an_address_that_is_no_redis_is_refused_and_not_repeated(url):
    with pytest.raises(BadInput, match="ROSTRUM_REDIS_URL must begin with redis://") as caught:
        read_settings({"ROSTRUM_REDIS_URL": url})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["redis://:secret@h:abc/0", "redis://:secret@[::1/0", "redis://h:99999/0"])
def test_a_port_or_host_that_no_address_has_is_refused_and_not_repeated(url):
    with pytest.raises(BadInput, match="ROSTRUM_REDIS_URL has a host or a port") as caught:
        read_settings({"ROSTRUM_REDIS_URL": url})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "end",
    [
        *("/3?socket_timeout=5", "/?db=3", "?db=3", "/0?", "/0#", "#x"),
        *("/abc", "/-1", "/1.5", "/0/1", "//0", "/ 0", "/%30", "/٣"),
    ],
)
def test_a_redis_address_ends_with_a_database_and_is_not_repeated(end):
    with pytest.raises(BadInput, match="ROSTRUM_REDIS_URL must end with the host or a database") as caught:
        read_settings({"ROSTRUM_REDIS_URL": f"redis://:secret@127.0.0.1:6379{end}"})
    assert "secret" not in str(caught.value)


def test_a_password_with_a_mark_of_addresses_is_no_port():
    with pytest.raises(BadInput, match=r"in a password \? is %3F, and # is %23"):
        read_settings({"ROSTRUM_REDIS_URL": "redis://user:12#34@127.0.0.1/0"})


@pytest.mark.parametrize("end", ["", "/", "/0", "/15", ":6379", ":6379/", ":6379/007"])
@pytest.mark.parametrize("start", ["redis://", "rediss://:a;b%3F%23%2F@", "redis://ann:p%20w:x@"])
def test_addresses_of_a_redis_are_taken_as_they_are(start, end):
    url = f"{start}redis.example.org{end}"
    assert read_settings({"ROSTRUM_REDIS_URL": url}).redis_url == url


def test_model_code_runs_in_the_process_and_on_the_cpu_unless_told():
    settings = read_settings({})
    assert (settings.redis_url, settings.device) == (None, "cpu")
    assert read_settings({"ROSTRUM_DEVICE": "cuda"}).device == "cuda"
    with pytest.raises(BadInput, match="ROSTRUM_DEVICE must be one of cpu, cuda"):
        read_settings({"ROSTRUM_DEVICE": "gpu"})


def test_a_gpu_is_asked_for_with_torch_or_with_no_engine_named():
    settings = read_settings({"ROSTRUM_DEVICE": "cuda", "ROSTRUM_ENGINE": "torch"})
    assert (settings.engine, settings.precision) == ("torch", None)
    with pytest.raises(BadInput, match="ROSTRUM_ENGINE=openvino computes on a CPU") as caught:
        read_settings({"ROSTRUM_DEVICE": "cuda", "ROSTRUM_ENGINE": "openvino"})
    assert caught.value.field == "engine"
