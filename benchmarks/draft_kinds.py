"""Make drafts of several kinds from the speeches of an archive, each with the paragraph that it asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from quotations.text.sentences import split_sentences
from rostrum_core.types import Draft

Speech = Mapping[str, Any]
LEAST_WORDS, MOST_WORDS = 12, 120  # of a paragraph that a draft asks for
LEAST_LETTERS = 6  # of a word of a topic
WRONG = ("never", "people", "great", "many")
TENSES = {
    "is": "was",
    "are": "were",
    "we": "they",
    "our": "their",
    "i": "he",
    "my": "his",
    "will": "would",
    "have": "had",
    "do": "did",
    "can": "could",
    "us": "them",
    "you": "they",
}
OPENINGS = (
    "{name} had come to speak that day, and the hall was full.",
    "The morning papers had little else. In {year} {name} took the question up.",
    "Nobody had expected much. Then {name} began to speak.",
)
ANNOUNCED = (
    "As {name} put it:",
    "{name} went on:",
    "Then came the line that is still quoted:",
    "He told them:",
)
REMEMBERED = (
    "I remember it as something like",
    "the sentence starts with",
    "it went roughly like this:",
    "somewhere it says",
)


HEADLINES = (
    "{name}, forty years on",
    "Remembering {name}",
    "What {name} teaches us today",
    "{name} and the world after it",
    "A look back at {name}",
)
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{4,}\b")
KINDS_OF_SPEECHES = (
    "address remarks speech president vice inaugural state union message statement press conference news with"
    " from about before after first second third annual white house lady joint session congress their that"
    " this upon signing event national american"
)
OF_TITLES = frozenset(KINDS_OF_SPEECHES.split())


@dataclass(frozen=True)
class MadeDraft:
    """Hold a draft of a kind, and the speech and the text of the paragraph that it asks for."""

    kind: str
    draft: Draft
    speech: str
    text: str


def make_draft(kind: str, speech: Speech, drawn: Random) -> MadeDraft | None:
    """Return a draft of one of `KINDS`; `None` if the speech has no fitting paragraph."""
    if kind not in MAKERS:
        draft, text = make_query(kind, speech, drawn)
        if not f"{draft.title}{draft.left}".strip():
            return None
        return MadeDraft(kind, draft, speech["id"], text)
    texts = speech["paragraphs"]
    fitting = [i for i in range(1, len(texts)) if LEAST_WORDS <= len(texts[i].split()) <= MOST_WORDS]
    if not fitting:
        return None
    place = drawn.choice(fitting)
    text = texts[place]
    left = MAKERS[kind](texts, place, drawn)
    name = (speech.get("speaker") or "He").split()[-1]
    opening = drawn.choice(OPENINGS).format(name=speech.get("speaker") or "He", year=speech["date"][:4])
    return MadeDraft(kind, Draft("", f"{opening} {left}".format(name=name).strip()), speech["id"], text)


def make_query(kind: str, speech: Speech, drawn: Random) -> tuple[Draft, str]:
    """Return a query of a kind and the paragraph to be found."""
    texts = speech["paragraphs"]
    place = drawn.choice([i for i in range(1, len(texts)) if len(texts[i].split()) >= LEAST_WORDS])
    text, before = texts[place], texts[place - 1]
    if kind == "words":
        return Draft(left=_take_line(text, drawn.randrange(4, 8), drawn)), text
    if kind == "wrong word":
        words = _take_line(text, 6, drawn).split()
        words[drawn.randrange(1, len(words))] = drawn.choice(WRONG)
        return Draft(left=" ".join(words)), text
    if kind == "topic":
        return Draft(title=_take_topic(text, 3, drawn)), text
    if kind == "name":
        return Draft(title=drawn.choice(HEADLINES).format(name=_take_name(texts, drawn))), text
    if kind == "title":
        return Draft(title=" ".join(_list_title_words(speech["title"])[:3])), text
    topics = f"{_take_topic(text, 6, drawn)} and {_take_topic(before, 4, drawn)}"
    if kind == "draft":
        speaker = speech.get("speaker") or "He"
        title = re.sub(r"[,:–—].*", "", speech["title"])
        left = f"In {speech['date'][:4]} {speaker} spoke to the country. The speech turned to {topics}."
        return Draft(title, f"{left} As {speaker.split()[-1]} put it:"), text
    return Draft(
        left=f"The matter came up again this week. It was about {topics}. One president had said:"
    ), text


def _take_line(text: str, count: int, drawn: Random) -> str:
    words = text.split()
    first = drawn.randrange(0, max(1, len(words) - count))
    return " ".join(words[first : first + count]).strip('.,;:—-"“”')


def _take_name(texts: list[str], drawn: Random) -> str:
    """Return a capitalised word that begins no sentence, of the rarer half of a speech's names."""
    words = set(re.findall(r"\b[a-z]+\b", " ".join(texts)))
    names_of_texts = (name for text in texts for name in NAME.findall(text))
    names = Counter(name for name in names_of_texts if name.lower() not in words)
    rare = sorted(names, key=lambda name: (names[name], name))[: max(1, len(names) // 2)]
    return drawn.choice(rare) if rare else "America"


def _list_title_words(title: str) -> list[str]:
    """Return the long words of a title, without those that tell only what kind of speech it is."""
    words = re.findall(r"[^\W\d_]{4,}", title)
    return [word for word in words if word.lower() not in OF_TITLES]


def _take_topic(text: str, count: int, drawn: Random) -> str:
    words = [word.strip('.,;:—-"“”()').lower() for word in text.split()]
    long = [word for word in words if len(word) >= LEAST_LETTERS]
    drawn.shuffle(long)
    return " ".join(long[:count])


def misspell(word: str, drawn: Random) -> str:
    """Return a word with one letter left out, doubled or swapped with the next.

    >>> misspell("industry", Random(1)) != "industry"
    True
    """
    at = drawn.randrange(1, len(word) - 1)
    kind = drawn.randrange(3)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _pick_sentence(text: str, drawn: Random) -> str:
    bounds = [(s, e) for s, e in split_sentences(text) if len(text[s:e].split()) >= 6] or [(0, len(text))]
    return text[slice(*drawn.choice(bounds))]


def _change(words: list[str], drawn: Random, share: float) -> list[str]:
    """Return words of which some are left out, in another tense or person."""
    changed = [TENSES.get(word.lower(), word) for word in words]
    return [word for word in changed if drawn.random() > share] or changed


def _make_begun(texts: list[str], place: int, drawn: Random) -> str:
    words = _pick_sentence(texts[place], drawn).split()
    count = drawn.randrange(4, 9)
    begun = " ".join(_change(words[: max(3, min(count, len(words) - 2))], drawn, 0.1))
    return f"He said that {begun[:1].lower()}{begun[1:]}".rstrip('.,;:—-"“”')


def _make_remembered(texts: list[str], place: int, drawn: Random) -> str:
    words = _pick_sentence(texts[place], drawn).split()
    start = drawn.randrange(0, max(1, len(words) - 6))
    kept = _change(words[start : start + drawn.randrange(5, 9)], drawn, 0.12)
    spelled = [misspell(w, drawn) if w.isalpha() and len(w) > 5 and drawn.random() < 0.3 else w for w in kept]
    return f"{drawn.choice(REMEMBERED)} {' '.join(spelled)}"


def _make_retold(texts: list[str], place: int, drawn: Random) -> str:
    """Retell a sentence before the paragraph, and announce one word of it."""
    words = _change(_pick_sentence(texts[place - 1], drawn).split(), drawn, 0.15)
    long = [w.strip('.,;:—-"“”()').lower() for w in texts[place].split() if len(w) > 6] or ["it"]
    retold = " ".join(words)[:400].rstrip(".")
    topic = " and ".join(drawn.sample(long, min(2, len(long))))
    return f"He said that {retold[:1].lower()}{retold[1:]}. Then he came to {topic}."


def _make_topic(texts: list[str], place: int, drawn: Random) -> str:
    """Name the topics of the speech, then, in the last sentence, words of the paragraph."""
    pick: Callable[[str, int], str] = lambda text, count: " and ".join(  # noqa: E731
        drawn.sample(
            long := [w.strip('.,;:—-"“”()').lower() for w in text.split() if len(w) > 5] or ["it"],
            min(count, len(long)),
        )
    )
    return (
        f"The speech was about {pick(texts[place - 1], 3)}. He spoke of {pick(drawn.choice(texts), 2)}, too."
        f" Of {pick(texts[place], 3)} he said:"
    )


MAKERS = {
    "begun": _make_begun,
    "remembered": _make_remembered,
    "retold": _make_retold,
    "last topic": _make_topic,
}
KINDS = ("words", "wrong word", "topic", "name", "title", "draft", "topical draft", *MAKERS)
