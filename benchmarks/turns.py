"""Measure the names assigned to paragraphs of real transcripts against the marks of their makers.

python -m benchmarks.turns FOLDER

FOLDER holds files of parliaments, in folders of any depth: Akoma Ntoso and ParlaMint (`.xml`), Word files of
the same sittings (`.docx`), pages of the Congressional Record (`CREC-*.htm`) with their `mods.xml`. A debate
in XML is read twice: as it is, and the hard way, printed as plain text with a tag and a colon before each
turn. Writes results/turns.json.

The day of each speech is compared with that of the file, the title of each page of the Record with the one in
`mods.xml`.

A paragraph is *wrong* if another person is named for it or for a fifth of its words, or if anybody is named
while nobody has the floor. It is *unknown* if nobody is named and somebody speaks.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from archive.cleaning_rules import load_boilerplate
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from benchmarks.turn_gold import (
    Utterance,
    normalise_name,
    read_akoma_ntoso,
    read_day,
    read_parlamint,
    read_record,
    read_record_speakers,
    read_record_titles,
    render,
)
from indexer.ingest import read
from indexer.paragraphs import split

PART = 0.2  # of a paragraph's words, from which on they count as another's
FIRST_WORDS, NEAR, WINDOW = 8, 3, 2_000  # words
KINDS = ("record", "akoma-ntoso", "akoma-ntoso-text", "parlamint", "parlamint-text", "word")


@dataclass
class Tally:
    """Count paragraphs by outcome, and turns; `examples` are the first mistakes."""

    files: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    turns: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def summarise(self) -> dict[str, Any]:
        """Return counts and shares; precision and recall are of turns, by place and name."""
        counted = sum(self.outcomes[name] for name in ("right", "wrong", "unknown"))
        matched, predicted, gold = (self.turns[name] for name in ("matched", "predicted", "gold"))
        return {
            "files": self.files,
            "paragraphs": counted,
            **{name: self.outcomes[name] for name in ("right", "wrong", "unknown", "unplaced")},
            "wrong_share": round(self.outcomes["wrong"] / max(1, counted), 4),
            "unknown_share": round(self.outcomes["unknown"] / max(1, counted), 4),
            "turns": gold,
            "precision": round(matched / max(1, predicted), 4),
            "recall": round(matched / max(1, gold), 4),
            **dict(self.facts),
        }


def measure(path: Path, gold: Sequence[Utterance], tally: Tally) -> None:
    """Read a file and add how its paragraphs and turns compare with the gold ones."""
    tally.files += 1
    owners = [number for number, said in enumerate(gold) for _ in _split_words(said.text)]
    words = [word for said in gold for word in _split_words(said.text)]
    predicted: list[tuple[int, str]] = []
    at = 0
    for name, begins, text in _read(path):
        spoken = _split_words(text)
        place = _find(words, spoken, at)
        if place is None and ":" in text:  # a tag that was not recognised precedes the words
            spoken = _split_words(text.partition(":")[2])
            place = _find(words, spoken, at)
        if place is None:
            tally.outcomes["unplaced"] += 1
            continue
        at = place + max(1, len(spoken) // 2)
        if begins and name:
            predicted.append((place, name))
        outcome = _judge(
            name, [gold[owners[n]].speakers for n in range(place, min(place + len(spoken), len(owners)))]
        )
        tally.outcomes[outcome] += 1
        if outcome in ("wrong", "unknown"):
            tally.examples.append(
                f"{outcome} {path.name}: {name!r} for {sorted(gold[owners[place]].speakers)}: {text[:60]}"
            )
    _count_turns(predicted, gold, owners, tally)


def _read(path: Path) -> Iterator[tuple[str, bool, str]]:
    """Yield who is named for each paragraph, whether a tag stands before it, and its text."""
    for document in read([path], refused=lambda error: None, boilerplate=load_boilerplate(None)):
        tags = {mark.start_char for mark in document.marks if mark.kind == "speaker" and mark.text}
        for paragraph in split(document, count_tokens=lambda text: len(text.split()) * 4 // 3):
            name = paragraph.find_holder(document.speaker) or ""
            yield normalise_name(name), paragraph.start_char in tags, paragraph.text


def measure_facts(path: Path, titles: Mapping[str, str], tally: Tally) -> None:
    """Add how the day of a file's speeches compares with the gold one, and the title if `titles` has it."""
    day = read_day(path)
    for document in read([path], refused=lambda error: None, boilerplate=load_boilerplate(None)):
        outcome = "unknown" if document.spoken_on is None else "wrong"
        if document.spoken_on and day.startswith(document.spoken_on):
            outcome = "right" if document.spoken_on == day else "imprecise"
        tally.facts[f"days_{outcome}"] += 1
        if outcome != "right":
            tally.examples.append(f"day {path.name}: {document.spoken_on} for {day}")
        if (title := titles.get(path.stem)) is not None:
            is_right = _split_words(title) == _split_words(document.title)
            tally.facts["titles_right" if is_right else "titles_wrong"] += 1
            if not is_right:
                tally.examples.append(f"title {path.name}: {document.title!r} for {title!r}")


def _split_words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _find(words: Sequence[str], spoken: Sequence[str], at: int) -> int | None:
    """Return the next position among all words of a paragraph's first words."""
    first = list(spoken[:FIRST_WORDS])
    if not first:
        return None
    end = min(at + WINDOW, len(words) - len(first) + 1)
    places = (n for n in range(at, end) if words[n] == first[0])
    return next((n for n in places if list(words[n : n + len(first)]) == first), None)


def _judge(name: str, speakers: Sequence[frozenset[str]]) -> str:
    """Return the outcome of a paragraph, whose words belong to `speakers`."""
    if not name:
        return "unknown" if sum(map(bool, speakers)) > len(speakers) / 2 else "nobody"
    others = sum(name not in right for right in speakers)
    return "wrong" if others >= PART * len(speakers) else "right"


def _count_turns(
    predicted: list[tuple[int, str]], gold: Sequence[Utterance], owners: Sequence[int], tally: Tally
) -> None:
    """Count the turns that begin within a few words of a gold one, with a right name."""
    starts = [
        (at, gold[owner].speakers)
        for at, owner in enumerate(owners)
        if gold[owner].speakers
        and (at == 0 or owners[at - 1] != owner)
        and (owner == 0 or gold[owner].printed != gold[owner - 1].printed)
    ]
    before = ["", *(name for _, name in predicted)]
    changes = [turn for turn, last in zip(predicted, before, strict=False) if turn[1] != last]
    left = list(starts)
    for place, name in changes:
        fits = next((turn for turn in left if abs(turn[0] - place) <= NEAR and name in turn[1]), None)
        if fits:
            left.remove(fits)
            tally.turns["matched"] += 1
    tally.turns["predicted"] += len(changes)
    tally.turns["gold"] += len(starts)


def main() -> None:
    """Measure all files of a folder and write the result."""
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--examples", type=int, default=0, help="print so many mistakes of each kind of file")
    options = parser.parse_args()
    began = time.process_time()
    files = sorted(options.folder.rglob("*"))
    tallies = {
        name: Tally() for name in ("record", "akoma-ntoso", "akoma-ntoso-text", "parlamint", "parlamint-text")
    }
    tallies["word"] = Tally()
    _measure_all(files, tallies)
    speakers = [read_record_speakers(path) for path in files if path.name == "mods.xml"]
    kinds = {name: tally.summarise() for name, tally in tallies.items()}
    result = {
        "kinds": kinds,
        "listed_speakers": sum(map(len, speakers)),
        "cpu_s": round(time.process_time() - began, 1),
    }
    for name, tally in tallies.items():
        print(name, kinds[name])
        print("".join(f"  {line}\n" for line in tally.examples[: options.examples]), end="")
    data = [path for path in files if path.is_file() and path.suffix in (".xml", ".htm", ".docx")]
    write("turns", {**result, **record_provenance(None, data)})


def _measure_all(files: Sequence[Path], tallies: dict[str, Tally]) -> None:
    titles: dict[str, str] = {}
    for path in files:
        if path.name == "mods.xml":
            titles |= read_record_titles(path)
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            if kind := _name_kind(path):
                measure_facts(path, titles, tallies[kind])
            if path.suffix == ".docx":
                if twin := _find_twin(path, files):
                    measure(path, read_parlamint(twin), tallies["word"])
            elif path.suffix == ".htm":
                measure(path, read_record(path), tallies["record"])
            elif path.suffix == ".xml" and path.name != "mods.xml":
                kind, gold = _read_debate(path)
                measure(path, gold, tallies[kind])
                printed = Path(folder) / f"{path.stem}.txt"
                printed.write_text(render(gold), "utf-8")
                measure(printed, gold, tallies[f"{kind}-text"])


def _name_kind(path: Path) -> str | None:
    """Return the kind of a file, `None` if it is no transcript."""
    if path.suffix == ".xml" and path.name != "mods.xml":
        return "akoma-ntoso" if b"akomaNtoso" in path.read_bytes()[:2_000] else "parlamint"
    return {".docx": "word", ".htm": "record"}.get(path.suffix)


def _find_twin(word: Path, files: Sequence[Path]) -> Path | None:
    """Return the ParlaMint file of the sitting of a Word file, by the day that ends the Word file's name."""
    day = re.search(r"(\d{2})(\d{2})(\d{4})$", word.stem)
    part = f"_{day[3]}-{day[2]}-{day[1]}-" if day else "\n"
    return next((path for path in files if path.suffix == ".xml" and part in path.name), None)


def _read_debate(path: Path) -> tuple[str, list[Utterance]]:
    if b"akomaNtoso" in path.read_bytes()[:2_000]:
        return "akoma-ntoso", read_akoma_ntoso(path)
    return "parlamint", read_parlamint(path)


if __name__ == "__main__":
    main()
