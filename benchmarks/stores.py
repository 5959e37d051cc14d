"""Measure how long both stores take to find the candidates of a draft, over the same paragraphs and
vectors.

    python -m benchmarks.stores --archive FOLDER [--archive FOLDER] --drafts pairs-test.jsonl.gz

Each embedded archive, or its first `--paragraphs`, is copied into an OpenSearch node of this run:
documents, paragraphs and stored vectors, without encoding. Then both answer drafts in turn, each with the
whole first stage of `recommend`; both have answered all of them once before. The node uses Lucene's graphs:
only the full distribution of OpenSearch has FAISS's native libraries. Writes results/stores.json.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from archive.shipped_files import locate_shipped
from benchmarks.provenance import record_provenance, write
from benchmarks.script import compute_quantiles, make_parser
from embedded.store import EmbeddedStore
from evaluation.pairs import read_rows
from jobs.recommend.candidates import EncodedDraft, parse_encoded_draft, search
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
Question = tuple[Draft, EncodedDraft]


def copy_archive(source: ParagraphStore, target: ParagraphStore, most: int | None = None) -> tuple[int, int]:
    """Copy a published archive, or its first documents until they have `most` paragraphs.

    Return the numbers of copied documents and paragraphs.
    """
    published = next(generation for generation in source.generations() if generation.published)
    name = target.begin(encoder=published.encoder, tokenizer=published.tokenizer, fresh=True).name
    documents = read_entries(source, published, most)
    while batch := list(islice(documents, TOGETHER)):
        target.add(name, batch)
    target.publish(name)
    return target.count()


def read_entries(source: ParagraphStore, published: Generation, most: int | None) -> Iterator[Entry]:
    """Yield the documents of an archive with their paragraphs and encodings, ordered by id."""
    hashes, count = source.content_hashes(published.name), 0
    for info in source.documents():
        document_and_paragraphs = source.get(info.id)
        if document_and_paragraphs is None or (most is not None and count >= most):
            return
        document, paragraphs = document_and_paragraphs
        texts = [paragraph.hash_text() for paragraph in paragraphs]
        encodings = source.encodings(published.name, list(dict.fromkeys(texts)))
        yield Entry(document, hashes[info.id], paragraphs, tuple(encodings[text] for text in texts))
        count += len(paragraphs)


def sample_questions(path: Path, count: int, seed: int, models: Models) -> list[Question]:
    """Sample drafts from a file of quotation pairs, read by the models."""
    drafts = [Draft(row["title"], row["left"]) for row in read_rows(path)]
    return [(draft, read(draft, models)) for draft in Random(seed).sample(drafts, count)]


def read(draft: Draft, models: Models) -> EncodedDraft:
    """Compute the models' reading of a draft."""
    return parse_encoded_draft(TASKS["draft"].run(models, {"title": draft.title, "left": draft.left}))


def measure_latencies(stores: dict[str, ParagraphStore], questions: Sequence[Question]) -> dict[str, Any]:
    """Measure the first stage in each store: p50 and p95 in milliseconds, drafts one after the other.

    Send all once before, untimed, so that files are read and the node's code is compiled.
    """
    taken: dict[str, list[float]] = {name: [] for name in stores}
    for number, (draft, encoded) in enumerate([*questions, *questions]):
        for name, store in stores.items():
            began = time.monotonic()
            search(store, draft, encoded, Filter())
            if number >= len(questions):
                taken[name].append(time.monotonic() - began)
    return {name: compute_quantiles(times, "p{}_ms", 1, of_s=1000) for name, times in taken.items()}


def compare_stores(
    archive: Path, url: str, questions: Sequence[Question], most: int | None
) -> dict[str, Any]:
    """Compare both stores over one archive: time of copying, disk, and latency of candidates.

    If only a part is copied, omit the figures of the embedded store, which still searches the whole.
    """
    embedded = EmbeddedStore(archive)
    connection = Connection(url, prefix=PREFIX, timeout_s=120)
    cluster, began = OpenSearchStore(connection, Layout("lucene")), time.monotonic()
    documents, paragraphs = copy_archive(embedded, cluster, most)
    filled_s = time.monotonic() - began
    stores: dict[str, ParagraphStore] = {"opensearch lucene": cluster}
    if (documents, paragraphs) == embedded.count():
        stores["embedded"] = embedded
    result = {
        "documents": documents,
        "paragraphs": paragraphs,
        "filled_s": round(filled_s, 1),
        "disk_mb": round(ClusterSite(cluster).size_bytes() / 2**20, 1),
        "latency": measure_latencies(stores, questions),
    }
    cluster.server.call("DELETE", f"/{PREFIX}*", expand_wildcards="all")
    return result


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--archive", type=Path, action="append", required=True, help="embedded archive")
    parser.add_argument("--drafts", type=Path, required=True, help="quotation pairs, JSON lines, gzip")
    parser.add_argument("--paragraphs", type=int, help="copies no more documents once they have so many")
    parser.add_argument("--count", type=int, default=100, help="how many drafts are asked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="stores", help="of the result")
    options = parser.parse_args()
    models = Models(locate_shipped("models"))
    questions = sample_questions(options.drafts, options.count, options.seed, models)
    node, before = Node(java_options=HEAP), os.getloadavg()[0]
    try:
        archives = [
            compare_stores(archive, node.url, questions, options.paragraphs) for archive in options.archive
        ]
    finally:
        node.stop()
    load = {"before": before, "after": os.getloadavg()[0]}
    values = {"archives": archives, "drafts": options.count, "heap": HEAP, "load": load, "seed": options.seed}
    write(options.name, {**values, **record_provenance(models, [options.drafts])})


if __name__ == "__main__":
    main()
