"""Read the speakers of transcripts with marked turns, independently of the measured readers.

Akoma Ntoso and ParlaMint mark turns with elements. The Congressional Record prints them in one fixed form,
which a separate expression reads here; `mods.xml` lists who spoke that day.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

RECORD_TAG = re.compile(
    r"^ {1,4}(?P<name>(?:Mr|Mrs|Ms|Miss)\. (?:Mc|Mac|De|La|D')?[A-Z][A-Z'-]+"
    r"(?: of [A-Z][a-z]+(?: [A-Z][a-z]+)?)?"
    r"|The (?:ACTING |VICE )?(?:PRESIDENT|PRESIDING OFFICER|SPEAKER|CHAIRMAN|CHAIR|CLERK)(?: pro tempore)?)"
    r"(?P<remark> [\[(][^\])]*[\])])?\. "
)
NOT_SPOKEN = re.compile(
    r"\[\[Page |_{5,}|\{time\}|\[Congressional Record|\[(?:Senate|House)\]|\[Pages? |From the Cong"
)
PARTIES = re.compile(r"\s*[(\[][^)\]]*[)\]]")
EMBEDDED = re.compile(
    r"(?P<name>(?:The [A-Z][A-Z -]{4,}|(?:Mr|Ms|Mrs|Dr|Adv|Mnr|Prof) (?:[A-Z] )+[A-Z-]{2,})"
    r"(?: \([^)]*\))?):"
)


@dataclass(frozen=True)
class Utterance:
    """Hold words of one person; `speakers` are the correct names, none if nobody speaks."""

    speakers: frozenset[str]
    text: str
    printed: str = ""


def normalise_name(name: str) -> str:
    """Return a name in its form for comparison: lower case, without remarks in brackets and punctuation."""
    return " ".join(re.findall(r"\w+", PARTIES.sub("", name).casefold()))


def read_record(path: Path) -> list[Utterance]:
    """Return what each person says on a page of the Congressional Record, by the form of its print."""
    page = path.read_text("utf-8", errors="replace")
    body = html.unescape(re.sub(r"<[^>]+>", "", page[page.find("<pre>") :]))
    turns: list[tuple[str, list[str]]] = [("", [])]
    for line in body.split("\n"):
        if NOT_SPOKEN.search(line) or (line.startswith(" " * 8) and line.strip().isupper()):
            continue
        if tag := RECORD_TAG.match(line):
            turns.append((tag["name"], [line[tag.end() :]]))
        else:
            turns[-1][1].append(line)
    return [_make_utterance([name] if name else [], "\n".join(lines), name) for name, lines in turns]


def read_record_speakers(mods: Path) -> frozenset[str]:
    """Return the names of those who spoke on a day of the Congressional Record, as `mods.xml` lists them."""
    names = re.findall(r'role="SPEAKING".*?type="parsed">([^<]*)<', mods.read_text("utf-8"), re.DOTALL)
    return frozenset(map(normalise_name, names))


def read_record_titles(mods: Path) -> dict[str, str]:
    """Return the titles of the pages of a day of the Congressional Record, by the names of their files."""
    rows = re.findall(r'ID="id-(CREC-[^"]+)".*?<title>(.*?)</title>', mods.read_text("utf-8"), re.DOTALL)
    return {name: html.unescape(title) for name, title in rows}


def read_day(path: Path) -> str:
    """Return the day of a file, by its name or, for Akoma Ntoso, by the element in its preface."""
    if match := re.search(r"(?:CREC-|_)(\d{4}-\d{2}-\d{2})", path.name):
        return match[1]
    if path.suffix == ".xml" and (match := re.search(r'<docDate date="([^"]+)"', path.read_text("utf-8"))):
        return match[1]
    match = re.search(r"(\d{2})(\d{2})(\d{4})$", path.stem)
    return f"{match[3]}-{match[2]}-{match[1]}" if match else ""


def read_akoma_ntoso(path: Path) -> list[Utterance]:
    """Return the words of each person in a debate; after a printed tag within a speech they are the tag's.

    After such a tag either may continue: both are right.
    """
    root = ElementTree.parse(path).getroot()
    people = {person.get("id"): person.get("showAs", "") for person in _find_all(root, "TLCPerson")}
    utterances = []
    for speech in _find_all(root, "speech"):
        printed = "".join(_find_all(speech, "from")[0].itertext()).strip()
        names = [printed, people.get(speech.get("by", "").lstrip("#"), "")]
        for paragraph in _find_all(speech, "p"):
            text = "".join(paragraph.itertext()).strip()
            if tag := EMBEDDED.match(text):
                utterances.append(_make_utterance([tag["name"]], text[tag.end() :], tag["name"]))
                names = [*names, tag["name"]]
            else:
                utterances.append(_make_utterance(names, text, printed))
    return utterances


def read_parlamint(path: Path) -> list[Utterance]:
    """Return what each person says in a sitting: `u`, named by its `who` and by the note before it."""
    root = ElementTree.parse(path).getroot()
    utterances: list[Utterance] = []
    printed = ""
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name == "note" and element.get("type") == "speaker":
            printed = "".join(element.itertext()).strip()
        elif name == "u":
            names = [printed, element.get("who", "").lstrip("#")]
            utterances += [
                _make_utterance(names, _extract_text(seg), printed or names[1])
                for seg in _find_all(element, "seg")
            ]
    return utterances


def render(utterances: list[Utterance]) -> str:
    """Return a debate as plain text: a tag with a colon before each turn, a blank line between paragraphs."""
    blocks, floor = [], ""
    for utterance in utterances:
        tag = "" if utterance.printed == floor else f"{utterance.printed.rstrip(':')}: "
        blocks.append(f"{tag}{' '.join(utterance.text.split())}")
        floor = utterance.printed
    return "\n\n".join(blocks)


def _extract_text(seg: ElementTree.Element) -> str:
    """Return the text of a segment without its notes."""
    parts = [seg.text or ""]
    for inner in seg:
        if inner.tag.rpartition("}")[2] not in ("note", "kinesic", "vocal", "incident", "gap"):
            parts.append("".join(inner.itertext()))
        parts.append(inner.tail or "")
    return "".join(parts)


def _make_utterance(names: list[str], text: str, printed: str) -> Utterance:
    return Utterance(frozenset(filter(None, map(normalise_name, names))), text, printed)


def _find_all(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.tag.rpartition("}")[2] == name]
