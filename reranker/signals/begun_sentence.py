"""Score a paragraph by the draft's last words, because these may be words of the quote itself.

A draft may end with the beginning of the speaker's sentence ("to leave office before his term was
completed"), exactly or from memory. Only the unfinished sentence at the end of the draft counts; earlier
sentences may retell the speech, but do not begin the quote. Words are compared in order. They may have other
endings, and some may be skipped or replaced. For a draft that ends with a whole sentence, every paragraph
scores 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from quotations.grammar.cut_vocabulary import SAYING_IN_TAGS
from quotations.text.sentences import split_sentences
from quotations.text.stems import list_forms, shorten_word
from reranker.signals.compared_texts import compare_words, measure_rarity, split_words, spread_scores
from reranker.signals.exact_words import CACHED_DRAFTS, is_query
from reranker.signals.signal import Context, Floats, Signal

LAST_WORDS = 12
"""Number of words before the place of the quote that may be words of the quote."""

SKIPPED = 0.6
"""Cost of each word, of draft or paragraph, that is skipped between two matches."""

MOST_SKIPPED = 4
ENDED = re.compile(r"(?<!\.)[.!?][\"”’)]*\s*\Z")
"""Match the end of a whole sentence; three dots do not end one."""

CHANCE = 5.0
"""Score that two texts on the same subject reach by chance; it is subtracted."""

OPENING = ' “„«"'
OPENED = re.compile(r"(?:^|[\s(])[“\"„«]([^“”\"„«»]{1,200})\Z")
"""Match the words after a quotation mark that is not closed."""

PERSON = r"(?:he|she|they|(?:(?:the|an?) (?:[a-z]+ ){0,2}[a-z]+|[A-Z][\w.'’-]*)(?:\s[A-Z][\w.'’-]*){0,3})"
ADDRESSED = r"(?:(?:\s(?!that\b)[\w’'-]+){0,7}[,:]|(?:\s(?!that\b)[\w’'-]+){0,3}\s*\Z)"
SPEECH_TAG = re.compile(
    rf",[”\"’]?\s(?:{PERSON}\s(?:once |then |also |later )?{SAYING_IN_TAGS}|{SAYING_IN_TAGS}\s{PERSON})"
    rf"{ADDRESSED}"
)
"""Match the words that say who speaks, inside or after a sentence that a draft begins: ", he told them,"."""

LEAST_OPENED = 4  # words
VERBATIM = 20.0
"""Bonus for a paragraph with all words after the open mark: the writer has begun to write this quote."""


def is_open(left: str) -> bool:
    """Return whether the text before the quote ends with an unfinished sentence or a colon.

    >>> is_open("He told the crowd:"), is_open("I remember it as ..."), is_open("He asked for a ban.”")
    (True, True, False)
    """
    return ENDED.search(left) is None


def list_begun(left: str) -> list[str]:
    """Return the last words of the unfinished sentence or of the unclosed quotation at the end of `left`.

    `left` is the text before the place of the quote. A phrase within the sentence that says who speaks, such
    as ", she told the workers,", is left out.

    >>> list_begun("The guns were silent. Then he said:")
    ['then', 'he', 'said']
    >>> list_begun("Bridges like this one, she told the workers, are never")
    ['bridges', 'like', 'this', 'one', 'are', 'never']
    >>> list_begun("She said: “We have a bridge. It is")
    ['we', 'have', 'a', 'bridge', 'it', 'is']
    >>> list_begun("She spoke of the bridge. “")
    []
    """
    if opened := list_opened(left):
        return list(opened[-LAST_WORDS:])
    text = left.rstrip(OPENING)
    bounds = split_sentences(text) if is_open(text) else []
    last = text[slice(*bounds[-1])] if bounds else ""
    return split_words(SPEECH_TAG.sub(", ", last))[-LAST_WORDS:]


def score_begun(draft_words: Sequence[str], rarity: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the score of the best chain of words that a draft and a text share in the same order.

    The score of a chain is the sum of its words' rarities, minus the rarity of its rarest word, minus a
    penalty for each skipped word. A single shared word scores 0, because BM25 already counts it. The example
    is 2 + 3 + 2.5 - 3 - 0.6, because "his" is skipped.

    >>> rarity = {"leave": 2.0, "office": 3.0, "term": 2.5}
    >>> score_begun(["leave", "office", "his", "term"], rarity, ["leave", "office", "term"]).__round__(1)
    3.9
    """
    matches = _list_matches(_list_places(draft_words), words)
    return _find_best_chain(matches, [rarity.get(word, 0.0) for word in draft_words])


def _list_places(draft_words: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(draft_words):
        places.setdefault(word, []).append(at)
    return places


def _list_matches(places: Mapping[str, list[int]], words: Sequence[str]) -> list[tuple[int, list[int]]]:
    """Return pairs (index in the text, indices in the draft) for the words of a text that the draft also has.

    `places` has the indices in the draft by word.
    """
    return [(at, places[word]) for at, word in enumerate(words) if word in places]


def _find_best_chain(matches: Sequence[tuple[int, list[int]]], weights: Sequence[float]) -> float:
    """Return the score of the best chain of words that a draft and a text share in the same order.

    `matches` are the pairs that `_list_matches` returns, `weights` the rarities of the draft's words. See
    `score_begun` for the score.
    """
    chains: list[tuple[int, int, float, float]] = []  # place in draft, in text; sum; rarest word
    best = 0.0
    for j, places in matches:
        chains = [chain for chain in chains if j - chain[1] <= MOST_SKIPPED + 1]
        new = []
        for i in places:
            total = rarest = weight = weights[i]
            for before_i, before_j, value, most in chains:
                skipped = i - before_i + j - before_j - 2
                if before_i < i and skipped <= MOST_SKIPPED:
                    joined = value + weight - SKIPPED * skipped
                    if joined > total:
                        total, rarest = joined, max(most, weight)
            new.append((i, j, total, rarest))
            best = max(best, total - rarest)
        chains += new
    return best


def _score_begun(context: Context) -> Floats | None:
    left = context.draft.left
    if context.pieces is None or is_query(context.draft) or not is_open(left):
        return None
    draft_words = [shorten_word(word) for word in list_begun(left)]
    places = {form: at for stem, at in _list_places(draft_words).items() for form in list_forms(stem)}
    matches = {row: _list_matches(places, words) for row, words in context.compute(compare_words).items()}
    having = [{draft_words[at] for _, (at, *_) in of_text} for of_text in matches.values()]
    rarity = measure_rarity(set(draft_words), having, len(context.candidates))
    weights = [rarity[word] for word in draft_words]
    scores = {
        row: max(0.0, _find_best_chain(of_text, weights) - CHANCE)
        for row, of_text in matches.items()
        if len(of_text) > 1
    }
    opened = list_opened(left)
    if len(opened) >= LEAST_OPENED:
        for row, words in context.compute(compare_words).items():
            if has_run(words, opened):
                scores[row] = scores.get(row, 0.0) + VERBATIM
    return spread_scores(scores, len(context.candidates))


@lru_cache(CACHED_DRAFTS)
def list_opened(left: str) -> tuple[str, ...]:
    """Return the words after the last opening quotation mark in `left`, if it is not closed.

    `left` is the text before the place of the quote.

    >>> list_opened('She "knew". He said: "They do not see you'), list_opened('He said "no" to')
    (('they', 'do', 'not', 'see', 'you'), ())
    """
    match = OPENED.search(left)
    return tuple(split_words(match[1])) if match else ()


def has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Return whether `words` contains `run` as consecutive words.

    >>> has_run(["we", "choose", "to", "go"], ["choose", "to"]), has_run(["we", "go"], ["go", "we"])
    (True, False)
    """
    first, count = run[0], len(run)
    return any(word == first and list(words[at : at + count]) == list(run) for at, word in enumerate(words))


BEGUN = Signal(
    "begun", "the last words of the draft, in order", "log", "paragraph", _score_begun, default=0.3
)
