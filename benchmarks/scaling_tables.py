"""The tables of docs/scaling.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Result = Mapping[str, Any]


def sizes_table(found: Result) -> str:
    """Disk, shards, encoding, memory and money by number of paragraphs."""
    heads = (
        "paragraphs",
        "disk of a generation",
        "shards",
        "core hours of indexing",
        "memory",
        "dollars a month",
    )
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for paragraphs, row in found["sizes"].items():
        disk, memory = f"{row['disk_gb']:,.0f} GB", f"{row['memory_gb']:,.0f} GB"
        cells = (disk, str(row["shards"]), f"{row['core_hours']:,.0f}", memory, f"{row['dollars_a_month']:,}")
        lines.append(f"| {paragraphs} | {' | '.join(cells)} |")
    measured = found["measured"]
    told = (
        f"Measured: {measured['disk_bytes'] / 1000:.1f} kB of disk for a paragraph, at"
        f" {measured['disk_at_paragraphs']:,} of them; {measured['indexed_per_core_s']} paragraphs"
        " indexed a second and core, read, encoded and written. Extrapolated: all else."
    )
    return "\n".join([*lines, "", told])


def vectors_table(found: Result) -> str:
    """Memory of graphs by encoding of the vectors and number of paragraphs."""
    rows = found["sizes"]
    lines = [f"| vectors | {' | '.join(rows)} |", "|---" * (1 + len(rows)) + "|"]
    for name in next(iter(rows.values()))["vectors_gb"]:
        cells = [f"{row['vectors_gb'][name]:,.1f} GB" for row in rows.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def workers_table(found: Result) -> str:
    """Workers of one core for a rate of requests, by the simulation."""
    lines = ["| requests a second | workers of one core | p95 of ranking |", "|---|---|---|"]
    for rate, row in found["workers"].items():
        lines.append(f"| {rate} | {row['workers']} | {row['p95_s']:.2f} s |")
    measured = found["measured"]
    told = (
        f"Measured: {measured['ranking_core_s']} core seconds to rank {measured['ranked']} candidates, in"
        f" {found['parts']} parts, by {measured['engine']}. Simulated: all else; the goal is a p95 of"
        f" {found['goal_s']:.0f} s."
    )
    return "\n".join([*lines, "", told])


def stores_table(found: Result) -> str:
    """The first stage in both stores, and what an archive lies on in OpenSearch."""
    heads = ("paragraphs", "OpenSearch, lucene: p50 / p95", "embedded", "disk in OpenSearch")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for each in found["archives"]:
        names = ("opensearch lucene", "embedded")
        cells = (_latency(each["latency"].get(name)) for name in names)
        lines.append(f"| {each['paragraphs']:,} | {' | '.join(cells)} | {each['disk_mb']:,.0f} MiB |")
    load = f"load {found['load']['before']:.0f} before, {found['load']['after']:.0f} after"
    told = f"{found['drafts']} drafts; {found['machine']['cores']} cores shared with the node, {load}."
    return "\n".join([*lines, "", told])


def _latency(told: Result | None) -> str:
    return "" if told is None else f"{told['p50_ms']:,.0f} / {told['p95_ms']:,.0f} ms"
