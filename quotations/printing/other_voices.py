"""Find signs that the words of a span may be another person's, or that the speaker denies them.

One sign is enough here, because the result is only a doubt, which asks a person to look. The rules in
`unmarked_words` need two signs, and yield flaws. Of the judged spans that were otherwise ready to print, one
in nine gets such a doubt.
"""

from __future__ import annotations

import re

from quotations.grammar.cut_vocabulary import REPORT_VERBS
from quotations.grammar.passages import Sentence
from quotations.printing.lost_meaning import LEAST_QUOTATION
from quotations.printing.print_spans import Flaw, FlawKind, PrintSpan
from quotations.text.meaning import make_word_set
from quotations.text.sentences import split_paragraph

SHOWN_CHARS = 120
LONGEST_ANNOUNCEMENT = 150
"""Number of characters from which a paragraph before a span does not announce its words.

Callers pass only the end of a longer paragraph.
"""


def find_other_voice(span: PrintSpan) -> Flaw | None:
    """Return a doubt if the words of a span may be another person's, or are denied afterwards; else `None`.

    The signs are in the span itself, or in the sentences right before and after it. These sentences may be in
    the adjacent paragraphs, because some transcripts begin a new paragraph after each sentence.
    """
    sentences = span.passage.sentences
    at, after = (sentences.index(part.sentence) for part in (span.parts[0], span.parts[-1]))
    spoken = frozenset(word.lower for part in span.parts for word in part.words)
    if (quoted := _find_quotation(span)) is not None:
        return quoted
    if (hearsay := _find_hearsay(span)) is not None:
        return hearsay
    if not at and _is_announced(span.preceding, spoken):
        return span.make_flaw(FlawKind.DOUBT, "perhaps the words of another", span.parts[0].words[0])
    if at and not span.parts[0].first and _may_announce(sentences[at - 1], spoken):
        return _make_flaw("perhaps the words of another", sentences[at - 1])
    following = sentences[after + 1] if after + 1 < len(sentences) else None
    if following is not None and DENIAL.match(following.text, following.start_char):
        return _make_flaw("perhaps denied afterwards", following)
    if following is None and DENIAL.match(span.following):
        return span.make_flaw(FlawKind.DOUBT, "perhaps denied afterwards", span.parts[-1].words[-1])
    return None


def _find_hearsay(span: PrintSpan) -> Flaw | None:
    """Return a flaw (a doubt) if a span repeats what others say: "I have been told that it is too late"."""
    text = span.passage.text
    matches = [HEARSAY.match(text, part.words[0].start_char, span.end_char) for part in span.parts]
    matches.append(SAID_BY_NOBODY.search(text, span.start_char, span.end_char))
    first = next(filter(None, matches), None)
    return first and Flaw(FlawKind.DOUBT, "perhaps hearsay", first.start(), first.end())


def _find_quotation(span: PrintSpan) -> Flaw | None:
    """Return a doubt if a span contains a quotation of several words: "As a senator said, “...”"."""
    if span.passage.is_statement:
        return None
    for opens, closes in span.passage.quoted:
        inside = span.start_char < opens and closes < span.end_char
        if inside and len(span.passage.text[opens:closes].split()) >= LEAST_QUOTATION:
            return Flaw(FlawKind.DOUBT, "perhaps a quotation", opens, closes)
    return None


def _make_flaw(rule: str, sentence: Sentence) -> Flaw:
    end = min(sentence.end_char, sentence.start_char + SHOWN_CHARS)
    return Flaw(FlawKind.DOUBT, rule, sentence.start_char, end)


def _is_announced(preceding: str, spoken: frozenset[str]) -> bool:
    """Return whether the paragraph before a span, `preceding`, may announce the words of another.

    It may do so by a colon at its end. A short paragraph of one sentence does so if it names a view or has a
    report, with two exceptions: only the speaker is in it and in `spoken`, or it calls on the listeners to
    think. Longer paragraphs are not read, because a new subject follows them more often.
    """
    if preceding.rstrip().endswith(":"):
        return True
    bounds = split_paragraph(preceding)
    if len(bounds) != 1 or len(preceding) >= LONGEST_ANNOUNCEMENT:
        return False
    words = [word.lower for word in Sentence(preceding, *bounds[0]).words]
    if words and words[0] in REPORT_VERBS - SUPPOSITIONS:
        return False  # a call to the listeners: "Think about those who came first."
    is_own = bool(FIRST_PERSONS & spoken) and OTHER_PERSONS.isdisjoint(words)
    return _has_view(words) and not is_own


def _may_announce(before: Sentence, spoken: frozenset[str]) -> bool:
    """Return whether the sentence `before` may say that the next words, `spoken`, are not the speaker's view.

    It may introduce them as a view of others ("their slogan"), as a supposition ("suppose"), or by a verb of
    saying whose subject is somebody else. Two of three other signs are also enough: the sentence has no
    "I" or "we", `spoken` has none, and the sentence has another person.
    """
    words = [word.lower for word in before.words]
    names = frozenset(words)
    if _has_view(words):
        return True
    if "i" in names and EARLIER & names and not PLURAL_PERSONS & spoken:
        return True  # "I was young, and I had it all worked out."
    signs = (not FIRST_PERSONS & names, not FIRST_PERSONS & spoken, bool(OTHER_PERSONS & names))
    return sum(signs) >= FEWEST_SIGNS


def _has_view(words: list[str]) -> bool:
    """Return whether a sentence, given as words in lower case, has a supposition, or a view of others."""
    if SUPPOSITIONS & set(words[:3]) or words[:1] == ["had"] or NOUNS_OF_VIEWS & set(words):
        return True
    return any(_is_report(words, i) for i in range(len(words)))


def _is_report(words: list[str], at: int) -> bool:
    """Return whether the word `at` is a verb by which somebody else says or thinks something.

    "I said" and "let us ask" do not count.
    """
    return words[at] in REPORT_VERBS and not FIRST_PERSONS & set(words[max(0, at - REPORTER_WITHIN) : at])


REPORTER_WITHIN = 4  # words
FEWEST_SIGNS = 2
FIRST_PERSONS = frozenset(("i", "we", "me", "us", "my", "our", "ours", "let"))
"""Words by which a speaker goes on in his own voice."""
PLURAL_PERSONS = frozenset(("we", "us", "our", "ours"))
EARLIER = frozenset(("was", "were", "had", "used", "thought", "grew", "dreamed", "dreamt"))
OTHER_PERSONS = make_word_set(
    """he she him his her they them their himself herself man woman men women fellow boy girl child friend
    neighbor adviser advisers advisors doctor doctors lawyer lawyers teacher priest preacher soldier farmer
    widow reporter minister senator colleague chairman king queen admiral general boss clerk mother father
    grandmother grandfather someone somebody everyone people folks others some many"""
)
"""Words for people whose views or words may follow."""

SUPPOSITIONS = frozenset(("imagine", "picture", "suppose", "pretend", "consider", "assume", "if", "unless"))
NOUNS_OF_VIEWS = make_word_set(
    """slogan motto sign letter note message caller saying proverb oath pledge creed article section amendment
    clause statute decree order excuse argument myth myths lie lies lied rumor rumors headline headlines
    newspaper newspapers verdict view views opinion theory theories critics cynic cynics skeptic skeptics
    pundits experts opponent opponents enemy enemies generals answer reply response plan warned warning
    prophet textbook textbooks poem song prayer psalm scripture bible verse gospel telegram email diary
    inscription plaque banner poster adage doctrine dogma propaganda post quote quotes words claim claims
    notion idea belief logic reasoning reason dream nightmare question questions"""
)
"""Nouns of words and views, and of those who have others: "You know their slogan by now."."""

HEARSAY = re.compile(
    r"""(?:(?:and|but|so|now),?\s+)?(?:I|we)(?:
    (?:\s+(?:have|had)|['’](?:ve|d))\s+(?:\w+\s+)?been\s+(?:told|taught|warned)\b
    |(?:\s+(?:was|were|am|are)|['’](?:m|re))\s+(?:\w+\s+)?(?:told|taught|warned)\b
    |(?:\s+have|['’]ve)?\s+(?:often\s+)?(?:hear|heard)\s+(?:that|it\s+said|people|some)\b
    |\s+(?:know|understand|realize)\s+(?:that\s+)?(?:some|many|others)\b[^.,;—]{0,40}\s
     (?:say|claim|argue|insist|believe|think|suggest)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
"""Match the beginning of a sentence that repeats what others say: "I've been told that it cannot be done"."""

SAID_BY_NOBODY = re.compile(
    r"\b(?:it\s+(?:is|was|has\s+been|had\s+been)|it['’]s)\s+(?:\w+ly\s+|often\s+|sometimes\s+)?"
    r"(?:said|suggested|claimed|alleged|argued|rumored|assumed|supposed(?!\s+to\b))\b",
    re.IGNORECASE,
)
"""Match words that say nothing of who says so: "the plan, it was suggested, was a display of strength"."""

DENIAL = re.compile(
    r"""\W*(?:and\s|but\s|well,?\s|so\s|no,?\s)*(?:
    (?:that|this|it|they|he|she)\s+(?:[\w’']+\s+){0,2}?(?:not|never|wrong|false|lies?|myth|nonsense|said)\b
    |(?:that|this|it|they|he|she)\s+\w+n['’]t\b
    |so\s+(?:ran|said|says|went|goes|wrote|spoke|thought|read|reads|ends|ended|they\s+say)\b
    |(?:it|that|this)\s+sounds\b|that(?:['’]s|\s+(?:is|was))\s+what\s+(?:i|we)\s+(?:have\s+)?(?:hear|heard|was|were)\b|(?:that|this)\s+(?:is|was)\s+what\s+(?:you|he|she|they)\b
    |(?:i|we)\s+(?:reject|disagree|refuse|know\s+better|do\s+not\s+believe|don['’]t\s+believe|never)\b
    |(?:i|we)(?:\s+have|['’]ve)\s+(?:all\s+)?heard\s+(?:that|this|it)\b
    |(?:if\s+only|would\s+that)\s+(?:that|this|it)\b
    |(?:at\s+least|or\s+so),?\s+(?:that|this|it|i|we|you|he|she|they)\b
    |except\b|(?:in\s+theory|on\s+paper|supposedly|allegedly|hardly)\s*[,.:;!—–]|far\s+from\s+it\b
    |(?:(?:i\s+am|i['’]m)\s+)?(?:just|only)\s+(?:kidding|joking)\b|(?:i\s+am|i['’]m)\s+(?:kidding|joking)\b
    |in\s+(?:fact|truth)\b|on\s+the\s+contrary|quite\s+the\s+opposite|(?:do\s+not|don['’]t)\s+believe|nonsense|wrong\b|not\s+so\b|that['’]s\s+not\b)""",
    re.VERBOSE | re.IGNORECASE,
)
"""Match the beginning of a sentence that denies the words before it, or says whose they are."""
