"""Requests that are changed by chance, sent to a service of its own: no fault of it may show.

python -m tests.fuzz.http_requests [--requests 20000] [--seed 1] [--clients 4]

Each request begins as one that a client would send; then bytes and values are changed. Every answer must be
below 500, or 503 or 504. Every error must be in the documented form, and the log without a
traceback or a line of the level `error`. Exit code 1 otherwise, with the first faults.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from rostrum.api.edge.keys import KeyScope, add_key
from tools.service_process import ServiceProcess

JSON, LINES = "application/json", "application/x-ndjson"
ALLOWED = (503, 504)
MOST_SHOWN = 10
DRAFT = {"title": "The moon", "left": "He told the crowd why we go.", "limit": 3, "candidates": 3}
RERANK = {"query": "The moon", "documents": ["Ask not.", {"text": "We choose to go."}], "top_n": 1}
SEEDS: list[tuple[str, str, Any]] = [
    ("POST", "/v1/recommend", DRAFT | {"filter": {"speakers": ["K"], "since": "1961"}, "explain": True}),
    ("POST", "/v1/recommend/batch", {"drafts": [DRAFT, {}], "timeout_ms": 900}),
    ("POST", "/v1/search", DRAFT | {"offset": 1}),
    ("GET", "/v1/search?q=the+moon&speaker=K&limit=2", None),
    ("GET", "/v1/documents?limit=2&after=a", None),
    ("GET", "/v1/documents/moon", None),
    ("DELETE", "/v1/documents/none", None),
    ("DELETE", "/v1/documents?speaker=none&dry_run=true&generation=000001", None),
    ("GET", "/v1/facets?collection=press&since=1960", None),
    ("POST", "/v1/verify", {"title": "T", "left": "He said: “We choose to go to the moon.”"}),
    ("POST", "/v1/rerank", RERANK),
    ("POST", "/v2/rerank", RERANK | {"return_documents": True, "rank_fields": ["text"]}),
    ("POST", "/jina/v1/rerank", RERANK),
    ("POST", "/infinity/rerank", RERANK | {"documents": ["Ask not."]}),
    ("POST", "/voyage/v1/rerank", {"query": "The moon", "documents": ["Ask not."], "top_k": 1}),
    ("POST", "/rerank", {"query": "The moon", "texts": ["Ask not."], "raw_scores": True}),
    ("POST", "/v1/rerank/opensearch", {"query": "The moon", "documents": ["a", None], "ids": [1, [2]]}),
    ("GET", "/v1/jobs", None),
    ("POST", "/v1/jobs", {"paths": ["*.txt"], "mirror": False}),
    ("GET", "/ready", None),
    ("GET", "/metrics", None),
]
VALUES: list[Any] = [
    None, True, 0, -1, 1, 10**30, 1.5, -0.0, 1e308, "", " ", "moon", "\ud800", "\x00", "\u202e", "a" * 3000,
    [], {}, [[]], [None], {"a": []}, ["a"] * 50, {"$ref": "x"}, "1962-13-40", "../..",
]  # fmt: skip
HEADERS: list[tuple[str, str]] = [
    ("Content-Type", "text/plain"),
    ("Content-Type", "application/json; charset=utf-16"),
    ("Content-Encoding", "gzip"),
    ("If-None-Match", 'W/"a", *'),
    ("If-Match", 'W/"a", "b", *'),
    ("Accept-Encoding", "gzip;q=0, *"),
    ("Range", "bytes=0-"),
    ("X-Forwarded-For", "8.8.8.8, \xff"),
    ("Sec-Fetch-Site", "cross-site"),
    ("X-Request-ID", "a b\tc"),
    ("Expect", "100-continue"),
    ("Authorization", "Bearer wrong"),
]


class Mutator:
    """Changes requests by a seed: the same seed gives the same requests."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def request(self) -> dict[str, Any]:
        """Return the arguments of the next request."""
        method, path, body = self._random.choice(SEEDS)
        headers = {"Content-Type": JSON}
        content = b"" if body is None else json.dumps(self._changed(body)).encode("utf-8", "surrogatepass")
        for _ in range(self._random.choice((0, 0, 1, 2, 8))):
            content = self._mangled(content)
        if self._random.random() < 0.1:
            method = self._random.choice(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "X"))
        if self._random.random() < 0.1:
            path = "/" + self._mangled(path[1:].encode()).decode("latin-1")
        if self._random.random() < 0.15:
            name, value = self._random.choice(HEADERS)
            headers[name] = value
        return {"method": method, "path": path, "headers": headers, "content": content}

    def _changed(self, value: Any) -> Any:
        """Return a value with some of its parts replaced, left out or added."""
        if self._random.random() < 0.12:
            return self._random.choice(VALUES)
        if isinstance(value, dict):
            found = {k: self._changed(v) for k, v in value.items() if self._random.random() > 0.08}
            if self._random.random() < 0.05:
                found[self._random.choice(("x", "", "texts", "documents", "timeout_ms"))] = (
                    self._random.choice(VALUES)
                )
            return found
        if isinstance(value, list):
            return [self._changed(each) for each in value] * self._random.choice((1, 1, 1, 3))
        return value

    def _mangled(self, content: bytes) -> bytes:
        """Return bytes with some left out, changed or repeated."""
        if not content or self._random.random() < 0.4:
            return content
        at = self._random.randrange(len(content))
        end = min(len(content), at + self._random.choice((1, 2, 9, 60)))
        new = self._random.choice(
            (b"", content[at:end] * 3, self._random.randbytes(end - at), b"[" * 40, b'"')
        )
        return content[:at] + new + content[end:]


class Run:
    """Requests to one service, from several threads."""

    def __init__(self, url: str, key: str, seed: int, count: int) -> None:
        self._url, self._key, self._seed, self._count = url, key, seed, count
        self.statuses: Counter[int] = Counter()
        self.faults: list[str] = []
        self._guard = threading.Lock()

    def send_all(self, clients: int) -> None:
        """Send all requests; `clients` at a time."""
        share = -(-self._count // clients)
        threads = [threading.Thread(target=self._send, args=(self._seed + i, share)) for i in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _send(self, seed: int, count: int) -> None:
        mutator = Mutator(seed)
        with httpx2.Client(base_url=self._url, timeout=280) as client:
            for _ in range(count):
                asked = mutator.request()
                for fault in self._faults_of(client, asked):
                    with self._guard:
                        self.faults.append(f"{fault}: {asked}")

    def _faults_of(self, client: httpx2.Client, asked: dict[str, Any]) -> Iterator[str]:
        headers = {"Authorization": f"Bearer {self._key}"} | asked["headers"]
        try:
            url = httpx2.URL(self._url + asked["path"])
            encoded = {name: value.encode("latin-1") for name, value in headers.items()}
            answer = client.request(asked["method"], url, headers=encoded, content=asked["content"])
        except (httpx2.InvalidURL, httpx2.LocalProtocolError, UnicodeError):
            return  # the client's own library does not send it
        except httpx2.HTTPError as error:
            yield f"no answer ({type(error).__name__})"
            return
        with self._guard:
            self.statuses[answer.status_code] += 1
        if answer.status_code >= 500 and answer.status_code not in ALLOWED:
            yield f"{answer.status_code} {answer.text[:200]}"
        if answer.status_code >= 400 and asked["method"] != "HEAD" and not is_documented(answer):
            yield f"{answer.status_code} in another form {answer.text[:200]}"


def is_documented(answer: httpx2.Response) -> bool:
    """Tell whether an error has the form that docs/api.md promises."""
    try:
        body = answer.json()
    except ValueError:
        return False
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, str):
        return {"error_type", "message", "detail"} <= body.keys()
    return isinstance(error, dict) and {"code", "message"} <= error.keys() <= {"code", "message", "field"}


def main() -> int:
    """Run it by the options of the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rostrum-fuzz-") as name:
        folder = Path(name)
        key = add_key(folder / "keys.json", "fuzz", KeyScope.ADMIN)
        settings = {"api_keys": str(folder / "keys.json"), "api_requests_per_minute": "0", "timeout_s": "20"}
        process = ServiceProcess(folder / "log", "--archive", str(folder / "archive"), **settings)
        try:
            process.wait_serving()
            rows = [
                {"id": "moon", "speaker": "K", "text": "We choose to go to the moon."},
                {"id": "b", "text": "B."},
            ]
            content = "\n".join(map(json.dumps, rows))
            headers = {"Authorization": f"Bearer {key}", "Content-Type": LINES}
            httpx2.post(
                f"{process.url}/v1/documents", content=content, headers=headers, timeout=280
            ).raise_for_status()
            run = Run(process.url, key, options.seed, options.requests)
            run.send_all(options.clients)
            run.faults += [f"log: {line}" for line in process.read_lines() if line["level"] == "error"]
            run.faults += ["a traceback in the log"] * process.read_output().count("Traceback")
        finally:
            process.kill()
    counts = ", ".join(f"{count} x {status}" for status, count in run.statuses.most_common())
    sys.stdout.write(f"{run.statuses.total()} answers, seed {options.seed}: {counts}\n")
    sys.stdout.writelines(f"{fault}\n" for fault in run.faults[:MOST_SHOWN])
    sys.stdout.write(f"{len(run.faults)} faults\n")
    return 1 if run.faults else 0


if __name__ == "__main__":
    sys.exit(main())
