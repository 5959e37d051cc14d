"""Find what a question or message asks for: "who said X" becomes "X"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from jobs.recommend.asked_words import read_line
from quotations.text.sentences import split_sentences
from reranker.signals.compared_texts import split_words
from reranker.signals.exact_words import CACHED_DRAFTS, SHORT_WORDS, is_query
from rostrum_core.types import Draft

LONGEST_FRAME = 10
"""Most words of a question in addition to the words that it looks for."""

PERSON = r"(?P<person>(?:[A-Z][\w.'’-]*|(?i:president|senator|he|she|they))(?:\s+[A-Z][\w.'’-]*){0,3})"
SAYING = (
    r"(?:once |first |famously |ever )*(?:said|says?|ask(?:ed)?|told us|tell us|wrote|write|coined|used?"
    r"|put it|promised|(?:spoke|speak|talk|talked|warn|warned) (?:of|about|against))\b"
)
LINE = r"(?:quote|quotation|line|phrase|passage|saying|words|speech|address)"
CALLED = rf"(?:\s+(?:the|that|those)\s+(?:famous\s+|well-known\s+)?{LINE}\b)?"
FRAMES = tuple(
    map(
        re.compile,
        (
            r"^(?i:(?:please |(?:can|could|would) (?:you|anyone) (?:please )?|do you know "
            r"|i (?:need|want|remember) |i(?:['’]m| am) (?=looking))+)",
            r"^(?i:(?:please )?(?:find|search(?: for)?|look(?:ing)? for|show|give)(?: me)?\b"
            rf"{CALLED}[\s:]+)(?=.)",
            r"^(?i:(?:who|(?:which|what) (?:president|speaker|politician|leader))"
            r"(?: was it)?(?: that| who)? )"
            rf"(?i:{SAYING}(?: that\b)?{CALLED})",
            r"^(?i:where|when|how|in (?:which|what) (?:speech|address)|what|did|does)(?: exactly)?"
            rf"(?: did| does| has| had)? {PERSON} (?i:{SAYING}(?: about| of| on| that)?{CALLED})",
            rf"^(?i:was it) {PERSON} (?i:(?:who|that) {SAYING}(?: that)?{CALLED})",
            rf"^{PERSON}(?: (?i:on|about) [^:]{{1,40}}(?=: (?:\S+ ){{3}}))?(?::| [–—-]) (?=\S+ \S)",
            rf"^(?i:as) {PERSON} (?i:{SAYING}),?",
            r"^(?i:(?:what(?:['’]?s| is| was|) )?(?:(?:the|that|a|this|those|famous|exact|old|well-known) )*"
            rf"(?:(?:{LINE}|one|bit|part) (?:about|that goes|that says|where (?:he|she|they) (?:says?|said))"
            rf"|{LINE}(?: with| in which| saying|:)))",
            r"^(?i:(?:it (?:was|goes|went) )?something (?:like|about)\b)",
            r"\s(?i:(?:famous )?(?:quote|quotation)s?)[\s?.!]*$",
            rf"(?<=[\"”’'])\s(?i:(?:famous )?{LINE})[\s?.!]*$",
            r",?\s*(?i:\bwho (?:said|wrote) (?:that|this|it))[\s?.!]*$",
            r"\s(?i:in it|or something|or similar)[\s?.!]*$",
        ),
    )
)
"""Patterns of questions around the words that they look for. The name of a person is kept."""


VIEW = re.compile(
    rf"^(?i:what(?: exactly)?) (?i:did|does|has|had) {PERSON} (?i:say|said|think|thought|tell us|told us)"
    r"(?: (?i:in|at|to) [^?]{1,40}?)? (?i:about|of|on)\b"
)


def is_asking_view(draft: Draft) -> bool:
    """Return whether a draft asks what a person said about a subject.

    Only that person's words are an answer to such a question.

    >>> is_asking_view(Draft(left="What did Obama say about slavery?"))
    True
    >>> is_asking_view(Draft(left="where did Obama say that we the people"))
    False
    """
    return not draft.right.strip() and any(VIEW.match(text.strip()) for text in (draft.title, draft.left))


def take_question(draft: Draft) -> Draft:
    """Rewrite a draft that asks for words as a query for these words; leave other drafts unchanged.

    A question such as "when did Roosevelt say" becomes a query for the words and the person named. A message
    that asks for the exact wording or the speaker of some words becomes a query for these words.

    >>> take_question(Draft(left="who said “fear itself”?")).left
    '“fear itself”'
    >>> take_question(Draft(left="When did Roosevelt say the only thing we have to fear")).left
    'Roosevelt the only thing we have to fear'
    >>> take_question(Draft(left="freedom of speech")).left
    'freedom of speech'
    >>> take_question(Draft(left="the line of least resistance")).left
    'the line of least resistance'
    """
    remembered = replace(draft, title="", left=find_remembered(draft))
    if is_query(remembered) or read_line(remembered):
        return remembered
    if draft.right.strip() or len(split_words(f"{draft.title} {draft.left}")) > SHORT_WORDS + LONGEST_FRAME:
        return draft
    query = replace(draft, title=_remove_frames(draft.title), left=_remove_frames(draft.left))
    return query if is_query(query) else draft


def _remove_frames(text: str) -> str:
    """Remove the phrases that make a text a question: "who said fear itself" -> "fear itself".

    If nothing else would remain, the text stays unchanged.
    """
    rest = text.strip()
    for frame in FRAMES:
        shorter = frame.sub(_keep_person, rest, count=1)
        if shorter != rest and split_words(shorter):
            rest = " ".join(shorter.split()).strip(" ,:?")
    return text if rest == text.strip() else rest


def _keep_person(match: re.Match[str]) -> str:
    person = match.groupdict().get("person") or ""
    return f"{person} " if person[:1].isupper() else ""


WORDING = re.compile(
    r"\b(?:(?:exact|full|original|correct|precise|right)"
    r" (?:words?|wording|quotes?|quotations?|lines?|phrases?|text)"
    r"|who (?:was it that )?said (?:it|that|this)(?=\s*(?:[?.!]|$))|how (?:does|did) (?:it|that|the \w+) go"
    r"|word for word|verbatim|as (?:he|she|they) said it)(?!\w)",
    re.IGNORECASE,
)
REQUEST = re.compile(
    r"\?|\b(?:please|need|could you|can you|can anyone|send me|looking for|help me)\b", re.IGNORECASE
)
REMEMBERED = re.compile(
    r"[\"“]([^\"“”]+)[\"”]|\b(?:says?|said|goes|reads)(?: something like)?(?: that\b|[:,]) (.+)", re.DOTALL
)
FEWEST_REMEMBERED = 4
"""Fewest words that a writer remembers of a line."""


@lru_cache(CACHED_DRAFTS)
def find_remembered(draft: Draft) -> str:
    """Return the words that a writer remembers, if a draft asks for their exact wording or their speaker.

    These words stand in quotation marks or after "says that", or are the sentence before the question. The
    result is "" if the draft asks for neither.

    >>> find_remembered(Draft(left="I need the exact words where Lee says that we shall mend the road."))
    'we shall mend the road.'
    >>> find_remembered(Draft(left="Still true: we must mend the old road today. Who said it?"))
    'we must mend the old road today.'
    >>> find_remembered(Draft(left="He read out the exact words of the law, and said that it was void."))
    ''
    """
    text = f"{draft.title}\n\n{draft.left}"
    sentences = [text[start:end] for start, end in split_sentences(text)]
    asking = [i for i, sentence in enumerate(sentences) if WORDING.search(sentence)]
    if not asking or draft.right.strip() or not REQUEST.search(" ".join(sentences[asking[0] :])):
        return ""
    places = [*(sentences[i] for i in asking), *sentences[asking[-1] + 1 :]]
    spoken = [first or second for place in places for first, second in REMEMBERED.findall(place)]
    earlier = [words for place in reversed(sentences[: asking[0]]) for words, _ in REMEMBERED.findall(place)]
    asks_speaker = sentences[asking[-1]].lower().startswith("who") and asking[-1] > 0
    before = [sentences[asking[-1] - 1].rpartition(": ")[2]] if asks_speaker else []
    options = [*spoken, *earlier, *before]
    return next((option for option in options if len(split_words(option)) >= FEWEST_REMEMBERED), "")
