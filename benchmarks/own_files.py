"""Ask 20 drafts of an archive of own files: the sample's speeches as text, Markdown, HTML, Word and CSV.

    python -m benchmarks.own_files --work FOLDER

Writes the files into FOLDER/files, runs `rostrum index` on them as a user does, and sends the drafts of
`own_drafts`. `own_drafts/drafts.json` says what stands in the right paragraphs; for two drafts the archive
has none, and the answer must say so. Writes results/own-files.json.
"""

from __future__ import annotations

import csv
import html
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from archive.service import Service
from archive.shipped_files import locate_shipped
from benchmarks.provenance import record_provenance, write
from benchmarks.script import ROSTRUM, make_parser, open_service
from evaluation.pairs import read_rows
from jobs.drafts import read_draft
from reranker.fit_probability import LIKELY

DRAFTS = Path(__file__).with_name("own_drafts")
TIMEOUT_S = 600.0
Speech = Mapping[str, Any]


def write_text(speech: Speech, folder: Path) -> None:
    """Write a speech as text with a head of names and values."""
    head = f"Title: {speech['title']}\nSpeaker: {speech['speaker']}\nDate: {speech['date']}\n\n"
    (folder / f"{speech['id']}.txt").write_text(head + "\n\n".join(speech["paragraphs"]), "utf-8")


def write_markdown(speech: Speech, folder: Path) -> None:
    """Write a speech as Markdown with front matter."""
    head = json.dumps({name: speech[name] for name in ("title", "speaker", "date")})
    text = f"---\n{head}\n---\n\n" + "\n\n".join(speech["paragraphs"])
    (folder / f"{speech['id']}.md").write_text(text, "utf-8")


def write_day(speech: Speech) -> str:
    """Return the day of a speech as it is printed: "March 4, 1865"."""
    day = date.fromisoformat(speech["date"])
    return f"{day:%B} {day.day}, {day.year}"


def write_html(speech: Speech, folder: Path) -> None:
    """Write a speech as a page that begins with title, speaker and day."""
    lines = (f"by {speech['speaker']}", write_day(speech), *speech["paragraphs"])
    body = "\n".join(f"<p>{html.escape(text)}</p>" for text in lines)
    title = html.escape(speech["title"])
    article = f"<article><h1>{title}</h1>\n{body}</article>"
    page = f"<html><head><title>{title}</title></head><body>{article}</body></html>"
    (folder / f"{speech['id']}.html").write_text(page, "utf-8")


def write_word(speech: Speech, folder: Path) -> None:
    """Write a speech as a Word file that begins with title, speaker and day."""
    import docx

    document = docx.Document()
    document.add_heading(speech["title"], 0)
    document.add_paragraph(f"by {speech['speaker']}")
    document.add_paragraph(write_day(speech))
    for text in speech["paragraphs"]:
        document.add_paragraph(text)
    document.save(str(folder / f"{speech['id']}.docx"))


def write_table(speeches: Sequence[Speech], folder: Path) -> None:
    """Write speeches as rows of one table."""
    with (folder / "speeches.csv").open("w", encoding="utf-8", newline="") as opened:
        rows = csv.writer(opened)
        rows.writerow(["title", "speaker", "date", "text"])
        for speech in speeches:
            text = "\n\n".join(speech["paragraphs"])
            rows.writerow([speech["title"], speech["speaker"], speech["date"], text])


WRITERS: tuple[Callable[[Speech, Path], None], ...] = (write_text, write_markdown, write_html, write_word)


def write_files(folder: Path) -> dict[str, int]:
    """Write the sample's speeches in turn in five formats; return the number of speeches by format."""
    folder.mkdir(parents=True, exist_ok=True)
    speeches = list(read_rows(locate_shipped("samples/speeches.jsonl")))
    formats = len(WRITERS) + 1
    for number, speech in enumerate(speeches):
        if number % formats < len(WRITERS):
            WRITERS[number % formats](speech, folder)
    rows = speeches[len(WRITERS) :: formats]
    write_table(rows, folder)
    counts = {w.__name__.removeprefix("write_"): len(speeches[i::formats]) for i, w in enumerate(WRITERS)}
    return {**counts, "table": len(rows)}


def ask(service: Service, name: str, right: Sequence[str]) -> dict[str, Any]:
    """Return the rank of the first right paragraph among the first ten, and the probability that it fits."""
    answer = service.recommend(read_draft(DRAFTS / name), limit=10, timeout_s=TIMEOUT_S)
    texts = [" ".join(r.paragraph.text.split()) for r in answer.recommendations]
    ranks = [rank for rank, text in enumerate(texts, 1) if any(words in text for words in right)]
    return {"draft": name, "rank": ranks[0] if ranks else None, "fit": round(answer.fit or 0.0, 3)}


def summarise(rows: Sequence[Mapping[str, Any]], drafts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the counts of the drafts with an answer and of those without."""
    answerable = [row for row in rows if drafts[row["draft"]]]
    absent = [row for row in rows if not drafts[row["draft"]]]
    return {
        "answerable": len(answerable),
        "first": sum(row["rank"] == 1 for row in answerable),
        "first_three": sum(row["rank"] is not None and row["rank"] <= 3 for row in answerable),
        "said_to_fit": sum(row["fit"] >= LIKELY for row in answerable),
        "absent": len(absent),
        "absent_said": sum(row["fit"] < LIKELY for row in absent),
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of the files and the archive")
    arguments = parser.parse_args()
    archive = arguments.work / "archive"
    counts = write_files(arguments.work / "files")
    command = [*ROSTRUM, "index", str(arguments.work / "files"), "--archive", str(archive)]
    subprocess.run(command, check=True)
    service = open_service(archive=archive)
    drafts = json.loads((DRAFTS / "drafts.json").read_text("utf-8"))
    rows = [ask(service, name, right) for name, right in drafts.items()]
    sources = [locate_shipped("samples/speeches.jsonl"), DRAFTS / "drafts.json"]
    result = {"formats": counts, **summarise(rows, drafts), "drafts": rows}
    write("own-files", {**result, **record_provenance(service.models, sources)})


if __name__ == "__main__":
    main()
