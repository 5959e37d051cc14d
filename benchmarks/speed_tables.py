"""Tables of docs/performance.md: archives, refreshes, the encoder and its peer, the service under load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Result = Mapping[str, Any]


def archive_table(found: Result) -> str:
    """What indexing, memory, disk and answers cost, of all speeches and of a part."""
    lines = ["| | all speeches | a part |", "|---|---|---|"]
    runs, archives = (found["index"], found["index of a part"]), (found["whole"], found["part"])
    rows = {
        "documents": [f"{each['documents']:,}" for each in archives],
        "paragraphs": [f"{each['paragraphs']:,}" for each in archives],
        "indexed in": [f"{run['seconds']:,.0f} s" for run in runs],
        "documents a second": [f"{run['documents_per_s']:.1f}" for run in runs],
        "paragraphs a second": [f"{run['paragraphs_per_s']:.0f}" for run in runs],
        "peak resident memory": [f"{run['peak_rss_mb']:,.0f} MiB" for run in runs],
        "its vectors as float32": [f"{run['vectors_mb']:,.0f} MiB" for run in runs],
        "disk": [f"{each['disk_mb']:,.0f} MiB" for each in archives],
        "first search after opening": [f"{each['open_s']:.2f} s" for each in archives],
        "candidates p50 / p95": [_latency(each, "candidates") for each in archives],
        "whole answer p50 / p95": [_latency(each, "recommend") for each in archives],
    }
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items()]
    return "\n".join([*lines, "", _change(found)])


def _latency(archive: Result, stage: str) -> str:
    told = archive["latency"][stage]
    return f"{1000 * told['p50_s']:.0f} / {1000 * told['p95_s']:.0f} ms"


def _change(found: Result) -> str:
    change = found["one percent"]
    kept = "left what was published as it was" if change["killed"]["published_unchanged"] else "lost it"
    share = f"{100 * change['share_of_full_run']:.1f} % of the whole"
    return (
        f"{found['engine']}, {found['machine']['cores']} cores. With 1 % of the speeches replaced, a run"
        f" takes {change['seconds']:.0f} s, {share}, and {change['peak_rss_mb']:,.0f} MiB at most; one killed"
        f" after {change['killed']['after_s']:.0f} s {kept}, and the next ended it."
    )


def encoder_table(found: Result) -> str:
    """Paragraphs a second of each system, against sentence-transformers in the same run."""
    lines = ["| encoder | paragraphs/s | ratio | least cosine |", "|---|---|---|---|"]
    for name, row in found["systems"].items():
        cells = (f"{row['paragraphs_per_s']:.0f}", f"{row['ratio']:.2f}", f"{row['least_cosine']:.5f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    told = (
        f"{found['n']:,} paragraphs, medians of {found['rounds']} rounds in turn, {found['threads']} threads"
    )
    return "\n".join([*lines, "", f"{told}; the same weights."])


def load_table(found: Result) -> str:
    """What many clients at once get of the service."""
    lines = ["| clients | requests | errors | degraded | answers/s | p50 / p95 | load of the machine |"]
    lines.append("|---|---|---|---|---|---|---|")
    for clients, row in found["clients"].items():
        times = f"{1000 * row['p50_s']:,.0f} / {1000 * row['p95_s']:,.0f} ms"
        counts = (row["requests"], sum(row["errors"].values()), row["degraded"])
        cells = (clients, *counts, f"{row['per_s']:.1f}", times, row["machine_load"])
        lines.append(f"| {' | '.join(map(str, cells))} |")
    longest = max(row["seconds"] for row in found["clients"].values())
    told = (
        f"{found['documents']:,} speeches, {found['paragraphs']:,} paragraphs; {found['engine']}"
        f" {found['precision']}, {found['machine']['cores']} cores; {longest:.0f} s each at most; the service"
        f" takes {found['places']} requests at once, and ranks {found['ranked']} paragraphs for each."
    )
    return "\n".join([*lines, "", told])


def refresh_table(found: Result) -> str:
    """What a refresh job costs over workers: all speeches into an empty archive, then a change of some."""
    runs = {"all": found["whole"], f"{found['change']['drawn']} changed": found["change"]}
    lines = ["| speeches | written | paragraphs encoded | seconds | documents/s |", "|---|---|---|---|---|"]
    for name, run in runs.items():
        counts = (
            f"{run['documents']:,} | {run['encoded']:,} | {run['seconds']:.1f} | {run['documents_per_s']:.2f}"
        )
        lines.append(f"| {name} | {counts} |")
    told = (
        f"{found['whole']['paragraphs']:,} paragraphs, {found['encoders']} encoding workers of one thread;"
        f" the change costs {100 * found['change']['cost_share']:.1f} % of the whole;"
        f" {found['machine']['cores']} cores, load {found['load']['before']:.0f} before."
    )
    return "\n".join([*lines, "", told])
