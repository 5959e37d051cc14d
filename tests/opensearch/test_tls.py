"""Certificates, ours and the cluster's."""

import ssl
import subprocess

import pytest

from opensearch import Connection, OpenSearchStore
from rostrum_core.errors import BadInput, StoreError


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Files of a certificate for 127.0.0.1, signed by itself, and of its key."""
    folder = tmp_path_factory.mktemp("tls")
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *files, *about]
    subprocess.run(make, check=True, capture_output=True)
    return folder / "certificate.pem", folder / "key.pem"


@pytest.fixture
def tls(certificate):
    """What a server needs that shows the certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


def old(request):
    return 200, {"version": {"number": "2.0.0", "distribution": "opensearch"}} if request.path == "/" else []


def complaint(url, **options):
    with pytest.raises(StoreError) as caught:
        OpenSearchStore(Connection(url, timeout_s=2, **options)).count()
    return str(caught.value)


@pytest.fixture(autouse=True)
def _handshakes_may_fail(monkeypatch):
    """A server tells nothing of clients that do not like it."""
    monkeypatch.setattr("socketserver.BaseServer.handle_error", lambda *_: None)


def test_a_server_with_a_foreign_certificate_is_not_trusted(serve, tls):
    assert "CERTIFICATE_VERIFY_FAILED" in complaint(serve(old, tls)).upper().replace(" ", "_")


def test_a_server_with_a_certificate_of_ours_is_asked(serve, tls, certificate):
    url = serve(old, tls)
    assert complaint(url, ca=certificate[0]) == f"OpenSearch 2.0.0 at {url} is older than 3.6"


def test_our_certificate_is_shown_to_a_server_that_asks_for_it(serve, tls, certificate):
    tls.verify_mode = ssl.CERT_REQUIRED
    tls.load_verify_locations(certificate[0])
    url = serve(old, tls)
    shown = {"certificate": certificate[0], "key": certificate[1]}
    assert complaint(url, ca=certificate[0], **shown).endswith("is older than 3.6")
    assert "cannot be reached" in complaint(url, ca=certificate[0])


@pytest.mark.parametrize("name", ["ca", "certificate", "key"])
def test_a_file_that_is_not_there_is_told(tmp_path, name):
    with pytest.raises(BadInput, match=r"there is no file .*none\.pem"):
        Connection("https://127.0.0.1:1", **{name: tmp_path / "none.pem"})
