"""docker-compose.yml agrees with the code: commands, settings, ports, versions; its health checks tell."""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import fields

import pytest
import yaml
from redis import Redis

from rostrum.cli import program
from rostrum_core.settings import Settings, read_settings
from tests.pages import blocks
from tools.opensearch_files import VERSION
from tools.program import PROGRAM, START_TIMEOUT_S, ProgramProcess
from tools.service_process import ServiceProcess
from tools.worker_process import WorkerProcess
from workers.app import QUEUES, make_app
from workers.presence import is_present

from .conftest import ROOT, VARIABLE, ours

FILE = ROOT / "docker-compose.yml"
VARIABLES = set(re.findall(r"^(\w+)=", (ROOT / "deploy" / "env.example").read_text(), re.MULTILINE))
PROFILES = {"demo", "gpu", "metrics"}


def test_compose_accepts_the_file():
    found = shutil.which("docker-compose")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no docker-compose")
    profiles = [option for name in sorted(PROFILES) for option in ("--profile", name)]
    environment = os.environ | dict.fromkeys(VARIABLES, "secret")
    command = [found, "-f", FILE, *profiles, "config", "-q"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_profiles_are_those_that_the_file_tells_of(services):
    assert {name for each in services.values() for name in each.get("profiles", ())} == PROFILES


def test_every_needed_variable_is_explained_in_the_example_and_no_other():
    assert set(re.findall(r"\$\{(\w+):\?", FILE.read_text())) == VARIABLES


def test_every_setting_can_be_changed_without_changing_the_file(services):
    """But those that follow from how the services are put together, and those of a shell without them."""
    given = {name for each in filter(ours, services.values()) for name in each["environment"]}
    passed = {
        name
        for each in filter(ours, services.values())
        for name, value in each["environment"].items()
        if value is None
    }
    optional = set(re.findall(r"\$\{(\w+):-", FILE.read_text()))
    fixed = {
        "API_KEYS",
        "OPENSEARCH_CA",
        "OPENSEARCH_PASSWORD",
        "OPENSEARCH_URL",
        "OPENSEARCH_USER",
        "REDIS_URL",
        "SOURCES",
    }
    absent = {
        "ARCHIVE",
        "DATA",
        "FEEDBACK",
        "MODELS",
        "RULES",
        "API_KEY",
        "OPENSEARCH_CERTIFICATE",
        "OPENSEARCH_KEY",
    }
    known = {f"ROSTRUM_{field.name.upper()}" for field in fields(Settings)}
    assert passed | optional == known - {f"ROSTRUM_{name}" for name in fixed | absent}
    assert given & known >= passed


def test_variables_of_the_shell_reach_the_services_and_defaults_hold_without():
    found = shutil.which("docker-compose")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no docker-compose")

    def environment_of(name, **variables):
        shell = {k: v for k, v in os.environ.items() if not k.startswith("ROSTRUM_")}
        shell |= dict.fromkeys(VARIABLES, "secret") | variables
        done = subprocess.run(
            [found, "-f", FILE, "config"], env=shell, capture_output=True, text=True, check=True
        )
        return yaml.safe_load(done.stdout)["services"][name]["environment"]

    assert environment_of("beat")["ROSTRUM_REFRESH_SCHEDULE"] == "30 3 * * *"
    assert (
        environment_of("beat", ROSTRUM_REFRESH_SCHEDULE="0 1 * * *")["ROSTRUM_REFRESH_SCHEDULE"]
        == "0 1 * * *"
    )
    assert environment_of("api", ROSTRUM_CANDIDATES="20")["ROSTRUM_CANDIDATES"] == "20"
    assert environment_of("api").get("ROSTRUM_CANDIDATES") is None


def test_every_command_of_ours_is_one_that_the_program_takes(services):
    for each in filter(ours, services.values()):
        name, *arguments = each["command"]
        parameters = program.commands[name].make_context(name, arguments).params
        assert set((parameters.get("queues") or QUEUES[0]).split(",")) <= set(QUEUES)


def test_every_variable_of_ours_is_a_setting(services):
    for each in filter(ours, services.values()):
        variables = {name: value for name, value in each["environment"].items() if name != "CHECK" and value}
        given = {name: _filled(value) for name, value in variables.items()}
        settings = read_settings(given | {"ROSTRUM_ARCHIVE": "/var/lib/rostrum/archive"})
        assert settings.redis_url == "redis://:secret@redis:6379/0"
        ca = settings.opensearch_ca
        assert ca is None or ca.name in each["secrets"]


def _filled(value):
    """A value with its variables' defaults, or a secret in place of those without."""
    defaults = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)
    return VARIABLE.sub("secret", defaults)


def test_requests_and_refreshes_have_workers_of_their_own(services):
    taken = {
        name: each["command"][2] for name, each in services.items() if "--queues" in each.get("command", ())
    }
    assert taken == {
        "worker": "rerank.cpu",
        "encoder": "encode",
        "refresh": "refresh",
        "worker-gpu": "rerank.gpu,encode",
    }


def test_what_sends_work_is_started_with_workers_for_it(services):
    for name in ("api", "api-demo"):
        assert {"worker", "encoder"} <= services[name]["depends_on"].keys()
    assert "encoder" in services["refresh"]["depends_on"]


def test_addresses_are_those_of_services(services):
    text = FILE.read_text() + (ROOT / "deploy" / "prometheus.yml").read_text()
    named = re.findall(r"""(?:://|@|\[")([a-z-]+):\d+""", VARIABLE.sub("secret", text))
    assert {"api", "opensearch", "opensearch-demo", "redis"} <= set(named) <= {*services, "localhost"}


def test_nothing_is_published_beyond_loopback_and_no_port_twice(services):
    published = [port.split(":") for each in services.values() for port in each.get("ports", ())]
    assert {host for host, _, _ in published} == {"127.0.0.1"}
    assert len({port for _, port, _ in published}) == len(published)


def test_the_service_is_published_checked_and_watched_at_the_port_it_listens_on(services):
    [job] = yaml.safe_load((ROOT / "deploy" / "prometheus.yml").read_text())["scrape_configs"]
    listens = services["api"]["command"][services["api"]["command"].index("--port") + 1]
    assert job["static_configs"] == [{"targets": [f"api:{listens}"]}]
    assert f"EXPOSE {listens}\n" in (ROOT / "Dockerfile").read_text()
    for name in ("api", "api-demo"):
        assert services[name]["ports"][0].split(":")[2] == listens
        assert f":{listens}/health" in services[name]["healthcheck"]["test"][-1]
    assert job["authorization"]["credentials_file"] == f"/run/secrets/{services['prometheus']['secrets'][0]}"


def test_every_service_is_bounded_checked_and_started_again(services):
    for name, each in services.items():
        limits = each["deploy"]["resources"]["limits"]
        assert set(limits) == {"cpus", "memory"}, name
        assert each["restart"] == "unless-stopped"
        assert each["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
        assert each["security_opt"] == ["no-new-privileges:true"]
        assert each["logging"]["options"]["max-size"]


def test_foreign_images_have_whole_versions_and_opensearch_the_tested_one(services):
    images = {each["image"] for each in services.values() if not ours(each)}
    assert all(re.fullmatch(r"[\w/]+:v?\d+\.\d+\.\d+(-alpine)?", image) for image in images)
    assert f"opensearchproject/opensearch:{VERSION}" in images


def test_security_is_off_in_the_demo_alone(services):
    off = {
        name for name, each in services.items() if "DISABLE_SECURITY_PLUGIN" in each.get("environment", ())
    }
    assert off == {"opensearch-demo"}
    assert {name for name, each in services.items() if "demo" in each.get("profiles", ())} == {
        "api-demo",
        "opensearch-demo",
    }


def test_the_cluster_shows_the_certificates_that_operators_are_told_to_make(services):
    shown = {
        value
        for name, value in services["opensearch"]["environment"].items()
        if "plugins.security.ssl" in name and name.endswith("_filepath")
    }
    [making] = [each for each in blocks("operations.md", "The stack") if "openssl" in each]
    made = {f"certificates/{name}" for name in re.findall(r"-(?:key)?out secrets/certificates/(\S+)", making)}
    assert shown == made == {"certificates/ca.pem", "certificates/node.pem", "certificates/node-key.pem"}
    config = "/usr/share/opensearch/config"
    assert [each for each in services["opensearch"]["volumes"] if "secrets" in each] == [
        f"./secrets/certificates:{config}/certificates:ro",
        f"./secrets/internal_users.yml:{config}/opensearch-security/internal_users.yml:ro",
    ]


def test_the_production_cluster_has_neither_users_nor_certificates_of_the_demo(services):
    environment = services["opensearch"]["environment"]
    assert environment["DISABLE_INSTALL_DEMO_CONFIG"] == "true"
    [making] = [each for each in blocks("operations.md", "The stack") if "<<USERS" in each]
    users = yaml.safe_load(re.search(r"<<USERS\n(.*)\nUSERS", making, re.DOTALL)[1])
    assert users.keys() == {"_meta", "admin"}
    [certificates] = [each for each in blocks("operations.md", "The stack") if "openssl" in each]
    assert f'-subj "/{environment["plugins.security.authcz.admin_dn"]}"' in certificates


def checked(service, environment, *replaced):
    """Exit code of the health check of the service, run here."""
    kind, python, option, code = service["healthcheck"]["test"]
    assert (kind, python, option) == ("CMD", "python", "-c")
    line = [sys.executable, option, code.replace(*replaced)]
    return subprocess.run(line, env=os.environ | environment, cwd=ROOT, capture_output=True).returncode


def checked_by_command(service, environment):
    """Exit code of the command in a worker's health check; what ends a container is not run here."""
    kind, script = service["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert script.startswith("if rostrum $$CHECK --healthy; then")
    line = [sys.executable, *PROGRAM, *service["environment"]["CHECK"].split(), "--healthy"]
    return subprocess.run(line, env=os.environ | environment, cwd=ROOT, capture_output=True).returncode


@pytest.mark.parametrize(("failures", "ends"), [(1, False), (2, False), (3, True)])
def test_a_container_that_fails_its_check_three_times_in_a_row_is_ended(services, tmp_path, failures, ends):
    script = services["worker"]["healthcheck"]["test"][1].replace("$$", "$")
    assert script.count("kill -KILL -1") == 1
    script = script.replace("kill -KILL -1", "echo ended").replace(
        "/tmp/failures", str(tmp_path / "failures")
    )
    (tmp_path / "rostrum").write_text("#!/bin/sh\nexit $STATUS\n")
    (tmp_path / "rostrum").chmod(0o755)

    def check(status):
        shell = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "STATUS": str(status), "CHECK": "worker"}
        return subprocess.run(["sh", "-c", script], env=shell, capture_output=True, text=True)

    assert check(1).returncode == 1
    assert check(0).returncode == 0  # and begins to count from 0
    outputs = [check(1).stdout for _ in range(failures)]
    assert ("ended" in outputs[-1]) is ends


def test_the_health_check_of_the_service_tells_whether_it_is_up(services, tmp_path):
    serving = ServiceProcess(tmp_path / "log", archive=str(tmp_path)).wait_serving()
    here = ("http://127.0.0.1:8000", serving.url)
    try:
        assert checked(services["api"], {}, *here) == 0
    finally:
        serving.stop()
    assert checked(services["api"], {}, *here) == 1


def test_the_health_check_of_refresh_jobs_tells_whether_somebody_takes_them(services, redis_server, tmp_path):
    url = redis_server.take_unused()
    mine = {"ROSTRUM_REDIS_URL": url}
    assert checked_by_command(services["refresh"], mine) == 1
    assert checked_by_command(services["beat"], mine) == 1
    assert checked_by_command(services["beat"], {"ROSTRUM_REDIS_URL": "redis://127.0.0.1:1/0"}) == 0
    settings = {"archive": str(tmp_path / "archive"), "sources": str(tmp_path), "redis_url": url}
    working = ProgramProcess(tmp_path / "log", services["refresh"]["command"], settings)
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while checked_by_command(services["refresh"], mine) and time.monotonic() < deadline:
            assert working.process.poll() is None, working.read_output()
        assert "ready: takes from refresh" in working.read_output()
    finally:
        working.stop()


def test_transcripts_are_read_where_they_are_mounted_and_by_refresh_jobs_alone(services):
    mounted = {
        name for name, each in services.items() if "./transcripts:/transcripts:ro" in each.get("volumes", ())
    }
    assert mounted == {"refresh", "api-demo"}
    assert services["refresh"]["environment"]["ROSTRUM_SOURCES"] == "/transcripts"


def test_the_health_check_of_a_worker_tells_whether_one_is_up(services, redis_server, tmp_path):
    mine, another = redis_server.take_unused(), redis_server.take_unused()
    working = WorkerProcess(mine, tmp_path / "log", "--queues", "rerank.cpu").wait_ready()
    try:
        assert checked_by_command(services["worker"], {"ROSTRUM_REDIS_URL": mine}) == 0
        assert checked_by_command(services["worker"], {"ROSTRUM_REDIS_URL": another}) == 1
        assert checked_by_command(services["worker-gpu"], {"ROSTRUM_REDIS_URL": mine}) == 1
    finally:
        working.stop()


@pytest.mark.parametrize(
    ("name", "queue"),
    [("worker", "rerank.cpu"), ("encoder", "encode"), ("refresh", "refresh"), ("worker-gpu", "rerank.gpu")],
)
def test_a_worker_that_hangs_is_not_healthy_for_another_elsewhere(services, redis_server, name, queue):
    url = redis_server.take_unused()
    with Redis.from_url(url) as client:
        client.set(f"rostrum.worker.{queue}", 1)
        client.set(f"rostrum.worker.{queue}@another-container", 1)
    assert is_present(make_app(url), queue)
    assert checked_by_command(services[name], {"ROSTRUM_REDIS_URL": url}) == 1
