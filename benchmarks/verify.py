"""Measure the findings, verdicts and latency of `rostrum verify`.

    python -m benchmarks.verify --pairs PAIRS --archive FOLDER --large FOLDER --foreign ROWS --output JSON

`--archive` holds the transcripts of the pairs, `--large` has other speeches, all later than the foreign
quotations. Neither needs vectors: quotes are found by their words. `verify_checked.json` has a person's
verdicts on 300 rows of test, by whose errors the rules were mended; `verify_checked_again.json` has those on
225 other rows.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from benchmarks.planted_changes import plant_changes
from benchmarks.script import compute_quantiles, make_parser, time_calls
from embedded.store import EmbeddedStore
from evaluation.pairs import read_rows
from jobs.verify.job import Verifier
from jobs.verify.quote_lists import make_row
from jobs.verify.speakers import is_same_person
from jobs.verify.verdicts import RULES
from rostrum_core.quote_checks import QuoteCheck, QuoteRow, Verdict

SEED = 36
HIGH_COVERAGE = 0.9
KINDS_OF_NO = 50  # of each
CHECKED = Path(__file__).with_name("verify_checked.json")
CHECKED_AGAIN = Path(__file__).with_name("verify_checked_again.json")
MISALIGNED = Path(__file__).with_name("verify_misaligned.json")
JUDGED = ("altered", "out_of_context", "edited", "verbatim")
FOREIGN = 4000  # quotations that are sampled
FRESH_SEED = 37  # of quotations that were not looked at while the rules were made
OTHER_ROWS = {"dev": (2, None), "train": (4, 1500)}
"""Pairs into which changes are planted, too: the seed, and how many rows are sampled."""

WORD = re.compile(r"\w+")


def check_timed(verifier: Verifier, rows: Sequence[QuoteRow]) -> tuple[list[QuoteCheck], dict[str, float]]:
    """Check rows one by one, as a writer does; return the checks, and milliseconds of wall and processor."""
    checks: list[QuoteCheck] = []
    walls, cpus = time_calls(lambda row: checks.extend(verifier.check_rows([row])), rows)
    in_clock = compute_quantiles(walls, "wall_p{}_ms", 1, of_s=1000)
    return checks, {"n": len(rows), **in_clock, **compute_quantiles(cpus, "cpu_p{}_ms", 1, of_s=1000)}


def measure_finding(checks: Sequence[QuoteCheck], pairs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the share of quotations with a right place, by their form in print.

    A place is right if it is in the document of the pair, or in another document with exactly the same words.
    """
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for check, pair in zip(checks, pairs, strict=True):
        size = "6 words and more" if len(pair["quote"].split()) >= 6 else "4 and 5 words"
        name = f"{'exact' if pair['exact'] else 'edited'}, {size}"
        own = any(place.document == pair["document"] for place in check.places)
        same = any(read_words(place.words) == read_words(pair["quote"]) for place in check.places)
        right[name].append(own or same)
    return {
        name: {"n": len(kept), "right": round(float(np.mean(kept)), 4)}
        for name, kept in sorted(right.items())
    }


def read_words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def measure_planted(verifier: Verifier, pairs: Sequence[dict[str, Any]], seed: int = SEED) -> dict[str, Any]:
    """Plant changes into exact quotations of at least eight words; return the verdicts by kind."""
    quotes = [pair["quote"] for pair in pairs if pair["exact"] and len(pair["quote"].split()) >= 8]
    planted = [change for quote in quotes for change in plant_changes(quote, seed)]
    checks = list(
        verifier.check_rows([QuoteRow(str(n), (change.quote,)) for n, change in enumerate(planted)])
    )
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for change, check in zip(planted, checks, strict=True):
        kinds[change.kind][check.verdict.value] += 1
    altered = sum(check.verdict is Verdict.ALTERED for check in checks)
    passed = sum(check.verdict in (Verdict.VERBATIM, Verdict.EDITED) for check in checks)
    return {
        "n": len(planted),
        "altered": altered,
        "verbatim or edited": passed,
        "kinds": {kind: dict(counts) for kind, counts in sorted(kinds.items())},
    }


def measure_planted_elsewhere(verifier: Verifier, paths: dict[str, Path | None]) -> dict[str, Any]:
    """Plant changes into the pairs of other splits."""
    result = {}
    for name, (seed, most) in OTHER_ROWS.items():
        if (path := paths[name]) is not None:
            pairs = [*read_rows(path)]
            rows = random.Random(seed).sample(pairs, min(most or len(pairs), len(pairs)))
            title = f"{name}, seed {seed}" + (f", of {most:,} rows sampled" if most else "")
            result[title] = measure_planted(verifier, rows, seed)
    return result


def measure_checked(checks: Iterable[QuoteCheck], gold: dict[str, str]) -> dict[str, Any]:
    """Return the confusion matrix (gold, then verdict) and F1 by verdict over rows that a person checked."""
    matrix: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for check in checks:
        if check.row.id in gold:
            matrix[gold[check.row.id]][check.verdict.value] += 1
    scores = {}
    for name in matrix:
        hits = matrix[name][name]
        predicted = sum(counts[name] for counts in matrix.values())
        scores[name] = round(2 * hits / (sum(matrix[name].values()) + predicted), 3) if hits else 0.0
    common = [name for name in scores if sum(matrix[name].values()) >= 5]
    return {
        "matrix": {name: dict(counts) for name, counts in sorted(matrix.items())},
        "f1": scores,
        "macro_f1 of verdicts with five rows and more": round(
            float(np.mean([scores[name] for name in common])), 3
        ),
        "macro_f1 of all verdicts": round(float(np.mean([*scores.values()])), 3),
    }


def measure_readings(checks: Sequence[QuoteCheck]) -> dict[str, Any]:
    """Return the confusion matrix of the rows that were read: all, both halves, and by the first reading."""
    rows = json.loads(CHECKED.read_text("utf-8"))["rows"]
    gold = {row["id"]: row["verdict"] for row in rows}
    halves = {
        name: {row: verdict for row, verdict in gold.items() if is_unread(row) is unread}
        for name, unread in (("read half", False), ("unread half", True))
    }
    first = {row["id"]: row.get("first_verdict", row["verdict"]) for row in rows}
    unread_first = {row: verdict for row, verdict in first.items() if is_unread(row)}
    kinds = {"all": gold, **halves, "all, as first read": first, "unread half, as first read": unread_first}
    return {name: measure_checked(checks, verdicts) for name, verdicts in kinds.items()}


def measure_second_reading(
    checks: Sequence[QuoteCheck], planted: Sequence[tuple[QuoteCheck, str]]
) -> dict[str, Any]:
    """Return the confusion matrices of the rows that were read last.

    `natural` has exact and edited rows in their proportion, `edited` other edited rows only.
    """
    read = json.loads(CHECKED_AGAIN.read_text("utf-8"))
    natural, edited = ({row["id"]: row["verdict"] for row in read[name]} for name in ("rows", "more"))
    all_gold = natural | edited | {check.row.id: wanted for check, wanted in planted}
    return {
        "natural": measure_checked(checks, natural),
        "edited": measure_checked(checks, edited),
        "both": measure_checked(checks, natural | edited),
        "both, and planted kinds of no": measure_checked(
            [*(check for check in checks if check.row.id in all_gold), *(check for check, _ in planted)],
            all_gold,
        ),
    }


def measure_doubt(checks: Sequence[QuoteCheck]) -> dict[str, Any]:
    """Return how well the grade of doubt separates altered and out-of-context quotations from honest ones.

    The measure is the area under the ROC curve over the rows that a person read and that were found: against
    all honest quotations, and against edited ones only.
    """
    read = {"the 300": json.loads(CHECKED.read_text("utf-8"))["rows"]}
    again = json.loads(CHECKED_AGAIN.read_text("utf-8"))
    read["the 225"] = again["rows"] + again["more"]
    result = {}
    for name, rows in read.items():
        gold = {row["id"]: row["verdict"] for row in rows}
        judged = [(check, gold[check.row.id]) for check in checks if gold.get(check.row.id) in JUDGED]
        placed = [(check.doubt, verdict) for check, verdict in judged if check.places]
        bad, edited, verbatim = (
            [grade for grade, verdict in placed if verdict in kinds]
            for kinds in (("altered", "out_of_context"), ("edited",), ("verbatim",))
        )
        result[name] = {
            "n": len(placed),
            "altered or out of context": len(bad),
            "auc": round(compute_auc(bad, [*edited, *verbatim]), 3),
            "auc against edited": round(compute_auc(bad, edited), 3),
        }
    return result


def compute_auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """Return the share of pairs in which the first is greater; a tie is half a pair.

    >>> compute_auc([3, 1], [1, 0])
    0.875
    """
    pairs = [(a, b) for a in higher for b in lower]
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / max(1, len(pairs))


def is_unread(identity: str) -> bool:
    """Return whether the errors in a row were not looked at before the rules were final."""
    return int(hashlib.sha256(identity.encode()).hexdigest(), 16) % 2 == 1


def measure_by_coverage(checks: Sequence[QuoteCheck], pairs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the share of edited quotations of six words and more with a right place, by their coverage.

    Below 0.9 the alignment that made the pairs has often another sentence. `verify_misaligned.json` lists the
    rows without a right place, with what a person read there.
    """
    edited = [
        (check, pair)
        for check, pair in zip(checks, pairs, strict=True)
        if not pair["exact"] and len(pair["quote"].split()) >= 6
    ]
    read = json.loads(MISALIGNED.read_text("utf-8"))["rows"]
    misaligned = {row["id"] for row in read if row["reason"].startswith("another sentence")}
    chosen = {
        "0.9 and more": [item for item in edited if item[1]["coverage"] >= HIGH_COVERAGE],
        "less than 0.9": [item for item in edited if item[1]["coverage"] < HIGH_COVERAGE],
        "aligned with the right sentence": [item for item in edited if item[1]["id"] not in misaligned],
    }
    return {
        name: measure_finding(*zip(*items, strict=True)) if items else {} for name, items in chosen.items()
    }


def make_kinds_of_no(
    pairs: Sequence[dict[str, Any]], store: EmbeddedStore, foreign: Sequence[str]
) -> list[tuple[QuoteRow, str]]:
    """Return rows for each negative verdict: said by another person, not found, and two kinds of rows that
    cannot be checked.
    """
    source = random.Random(SEED)
    infos = {info.id: info for info in store.documents()}
    exact = [pair for pair in pairs if pair["exact"] and len(pair["quote"].split()) >= 10]
    source.shuffle(exact)
    rows: list[tuple[QuoteRow, str]] = []
    speakers = ["Barack Obama", "Hillary Clinton", "George W. Bush", "Bernie Sanders"]
    for pair in exact:
        speaker = infos[pair["document"]].speaker if pair["document"] in infos else None
        others = [name for name in speakers if speaker and not is_same_person(name, speaker)]
        if others and len(rows) < KINDS_OF_NO:
            rows.append((make_row(f"a{len(rows)}", pair["quote"], source.choice(others)), "said_by_another"))
    for number, quote in enumerate(foreign[:KINDS_OF_NO]):
        rows.append((make_row(f"n{number}", quote, "Barack Obama", "2015"), "not_found"))
    for number, quote in enumerate(foreign[KINDS_OF_NO : 2 * KINDS_OF_NO]):
        rows.append((make_row(f"c{number}", quote, "Ursula von der Leyen", "2015"), "cannot_be_checked"))
    for number, pair in enumerate(exact[:KINDS_OF_NO]):
        rows.append((make_row(f"s{number}", " ".join(pair["quote"].split()[2:5])), "cannot_be_checked"))
    return rows


def measure_foreign(
    verifier: Verifier, pairs: Sequence[dict[str, Any]], speaker: str | None
) -> dict[str, Any]:
    """Check quotations against speeches that are all later; a match with other words is wrong."""
    rows = [
        make_row(str(number), pair["quote"], speaker, pair["published"] if speaker else None)
        for number, pair in enumerate(pairs)
    ]
    verdicts = Counter(check.verdict.value for check in verifier.check_rows(rows))
    wrong = sum(verdicts[name] for name in ("edited", "altered", "merged", "out_of_context"))
    return {"n": len(rows), "verdicts": dict(verdicts), "found, not verbatim": wrong}


def time_rapidfuzz(quotes: Sequence[str], texts: Sequence[str]) -> float:
    """Return the mean processor seconds that RapidFuzz takes for one quotation and one transcript."""
    started = time.process_time()
    for quote in quotes:
        for text in texts:
            fuzz.partial_ratio_alignment(quote, text)
    return (time.process_time() - started) / (len(quotes) * len(texts))


def main() -> None:
    """Run all measurements and write them."""
    parser = make_parser(__doc__)
    for name in ("pairs", "archive", "large", "foreign", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in OTHER_ROWS:
        parser.add_argument(f"--{name}", type=Path, help="Pairs into which changes are planted as well.")
    parser.add_argument("--most", type=int, default=10**9, help="Quotations of each measurement at most.")
    options = parser.parse_args()
    pairs, foreign = [*read_rows(options.pairs)], [*read_rows(options.foreign)]
    store, large = EmbeddedStore(options.archive), EmbeddedStore(options.large)
    verifier, over_large = Verifier(store), Verifier(large)
    later = sample_sentences(large, 2 * KINDS_OF_NO)
    checks, timed = check_timed(
        verifier, [make_row(pair["id"], pair["quote"], None, pair["published"]) for pair in pairs]
    )
    gold = {row["id"]: row["verdict"] for row in json.loads(CHECKED.read_text("utf-8"))["rows"]}
    planted_no = make_kinds_of_no(pairs, store, later)
    no_checks = list(verifier.check_rows([row for row, _ in planted_no]))
    right = [check.verdict.value == wanted for check, (_, wanted) in zip(no_checks, planted_no, strict=True)]
    judged = [*(check for check in checks if check.row.id in gold), *no_checks[::2]]
    gold_both = gold | {row.id: wanted for row, wanted in planted_no}
    sample = random.Random(SEED).sample(foreign, min(len(foreign), options.most, FOREIGN))
    seen = {row["quote"] for row in sample}
    rest = [row for row in foreign if row["quote"] not in seen]
    fresh = random.Random(FRESH_SEED).sample(rest, min(len(rest), options.most, FOREIGN))
    _, timed_large = check_timed(over_large, [make_row("", row["quote"]) for row in sample[:300]])
    texts = [store.get(pair["document"])[0].text for pair in pairs[:10]]  # type: ignore[index]
    result = {
        "seed": SEED,
        "rules": RULES,
        "archive": dict(zip(("documents", "paragraphs"), store.count(), strict=True)),
        "large": dict(zip(("documents", "paragraphs"), large.count(), strict=True)),
        "finding": measure_finding(checks, pairs),
        "verdicts of exact": dict(
            Counter(c.verdict.value for c, p in zip(checks, pairs, strict=True) if p["exact"])
        ),
        "finding of edited, by coverage": measure_by_coverage(checks, pairs),
        "checked by a person": measure_readings(checks),
        "checked by a person and planted kinds of no": measure_checked(judged, gold_both),
        "read last": measure_second_reading(
            checks, [(check, row[1]) for check, row in zip(no_checks[1::2], planted_no[1::2], strict=True)]
        ),
        "doubt": measure_doubt(checks),
        "edited ones, all": dict(
            Counter(c.verdict.value for c, p in zip(checks, pairs, strict=True) if not p["exact"])
        ),
        "kinds of no": {"n": len(right), "accuracy": round(float(np.mean(right)), 3)},
        "planted": measure_planted(verifier, pairs),
        "planted, other rows": measure_planted_elsewhere(
            verifier, {n: getattr(options, n) for n in OTHER_ROWS}
        ),
        "foreign, attributed": measure_foreign(over_large, sample, "Theresa May"),
        "foreign, not attributed": measure_foreign(over_large, sample, None),
        "foreign, not attributed, fresh": measure_foreign(over_large, fresh, None),
        "time per quotation": timed,
        "time per quotation, large": timed_large,
        "rapidfuzz_s_per_transcript": round(time_rapidfuzz([p["quote"] for p in pairs[:20]], texts), 6),
    }
    options.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps(result, indent=1, ensure_ascii=False))


def sample_sentences(store: EmbeddedStore, count: int) -> list[str]:
    """Sample sentences of 12 to 30 words of an archive."""
    from quotations.text.sentences import split_sentences

    source, kept = random.Random(SEED), list[str]()
    ids = [info.id for info in store.documents()]
    while len(kept) < count:
        _, paragraphs = store.get(source.choice(ids)) or (None, ())
        texts = [p.text[start:end] for p in paragraphs for start, end in split_sentences(p.text)]
        long = [text for text in texts if 12 <= len(text.split()) <= 30]
        kept += [source.choice(long)] if long else []
    return kept


if __name__ == "__main__":
    main()
