"""The road between OpenSearch and our service, which can fail in every way that a road can."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2

SLOW_S = 20  # far above the second that OpenSearch is to wait, on a busy machine too
FAULTS = {
    "error": (503, b'{"error": {"code": "workers_unavailable", "message": "no"}}'),
    "junk": (200, b"<html>"),
    "other": (200, b'{"scores": [1]}'),
    "short": (200, b'{"results": [{"score": 1.5, "span": "", "start": 0, "end": 0}]}'),
}


class Road:
    """Between OpenSearch and our service: passes requests on, unless told to fail in some way."""

    def __init__(self, service_url: str) -> None:
        self.fault = "none"
        self.requests: list[dict] = []
        road = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                road.requests.append(json.loads(body))
                status, answer = road._answer(service_url + self.path, body, self.headers["Authorization"])
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, url: str, body: bytes, key: str | None) -> tuple[int, bytes]:
        if self.fault == "slow":
            time.sleep(SLOW_S)
        if self.fault in FAULTS:
            return FAULTS[self.fault]
        headers = {"Content-Type": "application/json", "Authorization": key or ""}
        try:
            answer = httpx2.post(url, content=body, headers=headers, timeout=120)
        except httpx2.TransportError:
            return 502, b"{}"
        return answer.status_code, answer.content
