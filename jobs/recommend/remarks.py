"""Write the remarks of an answer, such as a warning that nothing seems to fit."""

from __future__ import annotations

from collections.abc import Sequence

from jobs.verify.speakers import is_same_person
from quotations.names.speaker_names import find_named
from reranker.fit_probability import LIKELY
from reranker.signals.attributed_speaker import find_attributed, read_lead
from reranker.signals.exact_words import has_phrases, list_required
from reranker.signals.word_forms import read_forms
from rostrum_core.types import Draft, Recommendation

UNLIKELY = "nothing here seems to fit"
"""Beginning of the remark on an answer whose first recommendation is unlikely to fit."""


def describe_answer(recommendations: Sequence[Recommendation], fit: float | None) -> list[str]:
    """Return up to two remarks on an answer, as sentences.

    One remark says that nothing seems to fit. The other lists the recommended speakers whom the draft names,
    because their speeches count more.
    """
    remarks = []
    if fit is not None and fit < LIKELY:
        remarks.append(f"{UNLIKELY} (probability {fit:.2f}); these are the nearest")
    named = {
        recommendation.document.speaker: None
        for recommendation in recommendations
        if recommendation.scores.get("named") and recommendation.document.speaker
    }
    if named:
        people = ", ".join(str(name) for name in named)
        remarks.append(f"the draft names {people}, whose speeches count more (--ignore-names: they do not)")
    return remarks


def describe_required(draft: Draft, recommendations: Sequence[Recommendation]) -> list[str]:
    """Return a remark if the first recommendation lacks a phrase that the query has in quotation marks.

    The result is a list with one sentence, or an empty list. The sentence names the phrases that no
    recommendation has. If each phrase is in some recommendation, it says that none has all of them.
    """
    phrases = list_required(draft)
    if not phrases or not recommendations:
        return []
    texts = [read_forms(recommendation.paragraph.text) for recommendation in recommendations]
    if has_phrases([read_forms(phrase) for phrase in phrases], texts[0]):
        return []
    absent = [p for p in phrases if not any(has_phrases([read_forms(p)], text) for text in texts)]
    named = ", ".join(f"“{phrase}”" for phrase in absent or phrases)
    return [f"none of these has {named}, word for word" if absent else f"none of these has all of {named}"]


def describe_absent(draft: Draft, recommendations: Sequence[Recommendation]) -> list[str]:
    """Return a remark if a draft seems to quote a person, and no recommendation is by that person.

    The result is a list with one sentence that names the person, or an empty list for no remark. There is no
    remark if the speaker of a recommendation is unknown, or has the person's surname and no given name. If
    the draft names the speaker of a recommendation, there is a remark only if the words that introduce the
    quote name the quoted person.
    """
    speakers = [recommendation.document.speaker for recommendation in recommendations]
    holders = [item.document.find_holder(item.paragraph) for item in recommendations]
    person = find_attributed(draft)
    is_named = any(recommendation.scores.get("named") for recommendation in recommendations)
    is_sure = find_attributed(Draft(left=read_lead(draft))) == person
    if not person or (is_named and not is_sure) or None in (*speakers, *holders):
        return []
    if find_named(speakers, person).any() or any(is_same_person(holder or "", person) for holder in holders):
        return []
    return [f"the draft seems to quote {person}, by whom none of these is"]
