"""Measure how long both stores take to find the candidates of a draft, over the same paragraphs and
vectors.

    python -m benchmarks.stores --archive FOLDER [--archive FOLDER] --drafts pairs-test.jsonl.gz

Each embedded archive, or its first `--paragraphs`, is copied into an OpenSearch node of this run:
documents, paragraphs and stored vectors, without encoding. Then both answer drafts in turn, each with the
whole first stage of `recommend`; both have answered all of them once before. The node uses Lucene's graphs:
only the full distribution of OpenSearch has FAISS's native libraries. Writes results/stores.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from archive.shipped_files import locate_shipped
from benchmarks.provenance import provenance, write
from embedded.store import EmbeddedStore
from jobs.recommend.candidates import Reading, parse_reading, search
from opensearch import Connection, Layout, OpenSearchStore
from opensearch.site import ClusterSite
from reranker.models.loaded import Models
from rostrum_core.ports import Entry, ParagraphStore
from rostrum_core.types import Draft, Filter, Generation
from tools.opensearch_node import Node
from workers.runner.tasks import TASKS

TOGETHER = 20  # documents written at once
PREFIX = "stores-"
HEAP = "-Xms2g -Xmx2g"
Question = tuple[Draft, Reading]


def copied(source: ParagraphStore, target: ParagraphStore, most: int | None = None) -> tuple[int, int]:
    """Copy a published archive, or its first documents until they have `most` paragraphs.

    Return the numbers of copied documents and paragraphs.
    """
    published = next(each for each in source.generations() if each.published)
    name = target.begin(encoder=published.encoder, tokenizer=published.tokenizer, fresh=True).name
    found = entries(source, published, most)
    while some := list(islice(found, TOGETHER)):
        target.add(name, some)
    target.publish(name)
    return target.count()


def entries(source: ParagraphStore, published: Generation, most: int | None) -> Iterator[Entry]:
    """Yield the documents of an archive with their paragraphs and encodings, ordered by id."""
    hashes, count = source.content_hashes(published.name), 0
    for info in source.documents():
        found = source.get(info.id)
        if found is None or (most is not None and count >= most):
            return
        document, paragraphs = found
        texts = [each.hash_text() for each in paragraphs]
        known = source.encodings(published.name, list(dict.fromkeys(texts)))
        yield Entry(document, hashes[info.id], paragraphs, tuple(known[each] for each in texts))
        count += len(paragraphs)


def questions(path: Path, count: int, seed: int, models: Models) -> list[Question]:
    """Sample drafts from a file of quotation pairs, read by the models."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        drafts = [Draft(row["title"], row["left"]) for row in map(json.loads, lines)]
    return [(each, read(each, models)) for each in Random(seed).sample(drafts, count)]


def read(draft: Draft, models: Models) -> Reading:
    """Compute the models' reading of a draft."""
    return parse_reading(TASKS["draft"].run(models, {"title": draft.title, "left": draft.left}))


def latencies(stores: dict[str, ParagraphStore], asked: Sequence[Question]) -> dict[str, Any]:
    """Measure the first stage in each store: p50 and p95 in milliseconds, drafts one after the other.

    Send all once before, untimed, so that files are read and the node's code is compiled.
    """
    taken: dict[str, list[float]] = {name: [] for name in stores}
    for number, (draft, reading) in enumerate([*asked, *asked]):
        for name, store in stores.items():
            began = time.monotonic()
            search(store, draft, reading, Filter())
            if number >= len(asked):
                taken[name].append(1000 * (time.monotonic() - began))
    return {
        name: {f"p{q}_ms": round(float(np.quantile(each, q / 100)), 1) for q in (50, 95)}
        for name, each in taken.items()
    }


def compared(archive: Path, url: str, asked: Sequence[Question], most: int | None) -> dict[str, Any]:
    """Compare both stores over one archive: time of copying, disk, and latency of candidates.

    If only a part is copied, omit the figures of the embedded store, which still searches the whole.
    """
    embedded = EmbeddedStore(archive)
    connection = Connection(url, prefix=PREFIX, timeout_s=120)
    cluster, began = OpenSearchStore(connection, Layout("lucene")), time.monotonic()
    documents, paragraphs = copied(embedded, cluster, most)
    filled_s = time.monotonic() - began
    stores: dict[str, ParagraphStore] = {"opensearch lucene": cluster}
    if (documents, paragraphs) == embedded.count():
        stores["embedded"] = embedded
    result = {
        "documents": documents,
        "paragraphs": paragraphs,
        "filled_s": round(filled_s, 1),
        "disk_mb": round(ClusterSite(cluster).size_bytes() / 2**20, 1),
        "latency": latencies(stores, asked),
    }
    cluster.server.call("DELETE", f"/{PREFIX}*", expand_wildcards="all")
    return result


def main() -> None:
    """Run the command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, action="append", required=True, help="embedded archive")
    parser.add_argument("--drafts", type=Path, required=True, help="quotation pairs, JSON lines, gzip")
    parser.add_argument("--paragraphs", type=int, help="copies no more documents once they have so many")
    parser.add_argument("--count", type=int, default=100, help="how many drafts are asked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="stores", help="of the result")
    given = parser.parse_args()
    models = Models(locate_shipped("models"))
    asked = questions(given.drafts, given.count, given.seed, models)
    node, before = Node(java_options=HEAP), os.getloadavg()[0]
    try:
        archives = [compared(each, node.url, asked, given.paragraphs) for each in given.archive]
    finally:
        node.stop()
    load = {"before": before, "after": os.getloadavg()[0]}
    values = {"archives": archives, "drafts": given.count, "heap": HEAP, "load": load, "seed": given.seed}
    write(given.name, {**values, **provenance(models, [given.drafts])})


if __name__ == "__main__":
    main()
