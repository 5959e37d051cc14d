"""Stores at the OpenSearch of this run, and servers that behave badly."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from opensearch import Connection, Layout, OpenSearchStore

EXACT = Layout(engine="exact")
Answer = Callable[[BaseHTTPRequestHandler], tuple[int, object]]


@pytest.fixture
def prefix(opensearch_prefix: str) -> str:
    """Of the archive of `open_store`."""
    return f"{opensearch_prefix}unit-"


@pytest.fixture
def open_store(opensearch_url: str, prefix: str) -> Iterator[Callable[..., OpenSearchStore]]:
    """Opens stores of one archive; the archive is removed at the end."""
    connection, stores = Connection(opensearch_url, prefix=prefix, timeout_s=60), []

    def act(layout: Layout = EXACT, **options: float) -> OpenSearchStore:
        stores.append(OpenSearchStore(connection, layout, **options))
        return stores[-1]

    yield act
    for store in stores:
        store.close()
    act().server.call("DELETE", f"/{prefix}paragraphs-*,{prefix}documents-*")
    for store in stores:
        store.server.close()


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Starts a server that answers every request by a function of it; its address."""
    servers = []

    def act(answer: Answer, tls: ssl.SSLContext | None = None) -> str:
        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, body = answer(self)
                text = isinstance(body, str)
                data = (body if text else json.dumps(body)).encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/html" if text else "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_DELETE = handle_any  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"

    yield act
    for server in servers:
        server.shutdown()
        server.server_close()
