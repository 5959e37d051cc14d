"""Proxies are refused without keys and believed if they are listed; pages of other sites are refused."""

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import make_app
from rostrum.api.edge.keys import KeyScope, add_key
from rostrum.api.edge.proxies import Proxies
from rostrum_core.errors import BadInput
from rostrum_core.settings import read_settings

from .conftest import LOOPBACK

OURS = "https://desk.example.org"


def scope(peer: str, *forwarded_for: str) -> dict[str, object]:
    return {
        "type": "http",
        "client": (peer, 1),
        "headers": [(b"x-forwarded-for", each.encode()) for each in forwarded_for],
    }


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "address"),
    [
        ((), "10.0.0.9", ["8.8.8.8"], "10.0.0.9"),
        (("10.0.0.9",), "10.0.0.9", ["8.8.8.8"], "8.8.8.8"),
        (
            ("10.0.0.9",),
            "10.0.0.9",
            ["1.1.1.1, 8.8.8.8"],
            "8.8.8.8",
        ),  # the client may have invented the first
        (("10.0.0.0/8",), "10.0.0.9", ["1.1.1.1, 8.8.8.8", "10.0.0.7"], "8.8.8.8"),
        (("10.0.0.0/8",), "10.0.0.9", ["10.0.0.1"], "10.0.0.1"),
        (("10.0.0.9",), "10.0.0.9", [], "10.0.0.9"),
        (("fd00::/8",), "fd00::1", ["2001:db8::1"], "2001:db8::1"),
        (("10.0.0.9",), "10.0.0.9", ["not an address"], "not an address"),
        (("10.0.0.0/8",), "10.0.0.9", ["8.8.8.8:4711, 10.0.0.7:443"], "8.8.8.8"),
        (("fd00::/8",), "fd00::1", ["[2001:db8::1]:4711, [fd00::7]"], "2001:db8::1"),
    ],
)
def test_the_address_is_that_of_the_first_hop_that_no_trusted_proxy_made_up(
    trusted: tuple[str, ...], peer: str, forwarded: list[str], address: str
) -> None:
    assert Proxies(trusted).find_address(scope(peer, *forwarded)) == address


@pytest.mark.parametrize(
    "header",
    [
        "Forwarded",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "X-Forwarded-Host",
        "Via",
        "X-Real-IP",
        "X-Client-IP",
        "True-Client-IP",
        "CF-Connecting-IP",
    ],
)
def test_without_keys_what_a_proxy_passes_on_is_refused(client, header: str) -> None:
    answer = client.delete("/v1/documents/a", headers={header: "8.8.8.8"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (421, "behind_proxy")
    assert client.get("/health", headers={header: "8.8.8.8"}).status_code == 200
    assert client.get("/ready", headers={header: "8.8.8.8"}).json() == {"status": "ok"}


def test_a_page_of_another_site_is_refused_unless_its_origin_is_listed(service: Service) -> None:
    settings = replace(service.settings, api_origins=(OURS,))
    app = make_app(Service(settings, service.store, service.runner, service.models))
    cross = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    with TestClient(app, base_url=LOOPBACK) as client:
        for headers in (cross, cross | {"Origin": "https://evil.example"}):
            for method, path in (
                ("GET", "/v1/search?q=moon"),
                ("POST", "/v1/recommend"),
                ("GET", "/metrics"),
            ):
                answer = client.request(method, path, headers=headers)
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_page")
            assert client.get("/health", headers=headers).status_code == 200
        assert client.get("/v1/search?q=moon", headers=cross | {"Origin": OURS}).status_code == 200
        for site in ("same-origin", "same-site", "none"):
            assert client.get("/v1/search?q=moon", headers={"Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize("text", ["proxy.example.org", "10.0.0.0/40", "127.0.0.1,"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="ROSTRUM_API_TRUSTED_PROXIES"):
        read_settings({"ROSTRUM_ARCHIVE": "a", "ROSTRUM_API_TRUSTED_PROXIES": text})


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _block(fence: str) -> str:
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    return page.partition(f"```{fence}\n")[2].partition("```")[0]


PROXIES = {
    "nginx": ("nginx", ["-e", "stderr", "-g", "daemon off;", "-c"]),
    "caddy": ("caddy", ["run", "--adapter", "caddyfile", "--config"]),
}


@pytest.fixture(params=PROXIES)
def proxied(
    request, tmp_path: Path, served, sample_archive: Path
) -> Iterator[tuple[str, dict[str, str], object]]:
    """The proxy of docs/api.md before a service with keys: its address, a key's header, and the service."""
    program, options = PROXIES[request.param]
    if shutil.which(program) is None:
        import os

        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{program} is not installed")
    key = add_key(tmp_path / "keys.json", "newsroom", KeyScope.READ)
    service = served(
        archive=str(sample_archive), api_keys=str(tmp_path / "keys.json"), api_trusted_proxies="127.0.0.1"
    )
    port, config = _free_port(), tmp_path / "config"
    text = _block(request.param).replace("127.0.0.1:8000", service.url.removeprefix("http://"))
    config.write_text(_without_tls(request.param, text, port, tmp_path), "utf-8")
    with (tmp_path / "proxy.log").open("wb") as log:
        environment = {"PATH": "/usr/bin:/usr/sbin", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        process = subprocess.Popen([program, *options, str(config)], stdout=log, stderr=log, env=environment)
        try:
            yield f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {key}"}, service
        finally:
            process.terminate()
            process.wait(20)


def _without_tls(name: str, text: str, port: int, folder: Path) -> str:
    """The example with a port of loopback in place of its certificate and its name."""
    if name == "caddy":
        return "{\n\tadmin off\n}\n" + text.replace("archive.example.org", f"http://127.0.0.1:{port}")
    lines = [line for line in text.splitlines() if "ssl_certificate" not in line]
    server = "\n".join(lines).replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    return f"pid {folder}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{server}\n}}\n"


def test_the_proxies_of_the_docs_pass_on_requests_and_who_made_them(proxied) -> None:
    url, key, service = proxied
    with httpx2.Client(base_url=url, timeout=60, transport=httpx2.HTTPTransport(retries=20)) as client:
        assert client.get("/v1/documents?limit=1", headers=key).status_code == 200
        assert client.get("/v1/documents").status_code == 401
        forged = client.get("/v1/documents", headers={"X-Forwarded-For": "8.8.8.8"})
        assert forged.status_code == 401
        large = client.post("/v1/recommend", headers=key, json={"left": "moon " * 400_000})
        assert (large.status_code, large.json()["error"]["field"]) == (422, "left")  # 2 MB come through
    lines = [line for line in service.read_lines() if line.get("route") == "/v1/documents"]
    assert [line["status"] for line in lines][:1] == [200]
    assert {line["address"] for line in service.read_lines() if "status" in line} == {"127.0.0.1"}
    assert json.dumps(lines).count("newsroom") == 1
