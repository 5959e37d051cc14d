"""Find spans for print that are not the speaker's own statement, though they have no quotation marks.

The speaker may read the words out from a text, or report what others think. The words may depend on a
condition, or be somebody else's question. The signs of this stand before the span: in its sentence, in the
sentences before, or at the end of the paragraph before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quotations.grammar.cut_vocabulary import NEGATORS, TIMES
from quotations.grammar.passages import Passage, Sentence
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import SPEAKERS, Flaw, FlawKind, Part, PrintSpan

WRITINGS = r"""(?:clause|section|article|amendment|laws?|statute|ordinance|constitution|charter|declaration
    |treaty|resolution|bible|scriptures?|psalms?|psalmist|verse|gospel|good\s+book|book\s+of\s+\w+|prophet
    |proverb|saying|talmud|torah|koran|quran|poet|poem|hymn|song|letter|note|inscription|plaque|oath
    |provisions?|decree|edict|code|platform|manifesto|creed|pledge|ecclesiastes|isaiah|corinthians|deuteronomy)"""
STATING = r"""(?:reads?|says?|said|stated|provides?|provided|declares?|declared|teach(?:es)?|taught
    |tells?|told|reminds?|goes|ran|commands?|wrote|has\s+it)"""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.IGNORECASE)


READING_OUT = re.compile(
    rf"""(?:\b(?:{WRITINGS}\b(?!\s+(?:our|we|my|i)\b)[^.?!;]{{0,40}}\b{STATING}\b[^.?!;,:]{{0,25}}
        |(?:it|this|that|which)\s+reads?\b[^.?!;]{{0,15}}
        |(?:i|and)\s+quote\b
        |(?:psalm|verse|poem|prayer|oath|creed)\s+by\s+heart
        |as\s+follows
        |(?:section|article|clause|amendment|chapter)\s+(?:[ivx]+|\d+|one|two|three|four|five|six)
        |(?:let\s+me|i['’]ll|i\s+will|i['’]d\s+like\s+to|i\s+want\s+to)\s+(?:read|quote)\b[^.?!;]{{0,20}}
            \b(?:{WRITINGS}|words|passage|sentence|lines?|it|this|that|from\s+[^.?!]{{1,40}})
        |(?:jesus|christ|moses|the\s+lord|saint\s+\w+)\s+(?:said|says|taught|teaches|tells|told)\b[^.?!;:]{{0,30}}
        |here(?:['’]s|\s+is|\s+are)\s+(?:what|how|the\s+(?:words|text))\s+(?!i\b|we\b|you\b)
            [^.?!;:]{{1,40}}\b{STATING})
    |^\s*remember\s+(?:the\s+)?{WRITINGS}
    )[.,:]?[\s"“—–-]*$
    |\b(?:{WRITINGS}|written|read)\b(?![^.?!;]*\b(?:things|steps|reasons|points|ways|parts)\b)[^.?!;]{{0,60}}:\s*$""",
    re.VERBOSE,
)
"""Match words in lower case whose last announce that what follows is read out: "it reads:", "and i quote,".

Ignoring case would take four times as long, and a word boundary in each alternative twice as long.
"""

QUOTING = _compile(r"\bI\s+quote\b")

NAMING = re.compile(
    rf"""\b{WRITINGS}\b[^.?!;]{{0,20}}\b(?:is|are)\s+(?:very\s+)?(?:plain|clear|simple|explicit|short|in\s+writing)\b
    [^.?!;]{{0,20}}[.:]\s*$
    |\b(?:had|has|have)\s+a\s+(?:creed|theory|doctrine|slogan|motto|saying)\b[^.?!;]{{0,20}}[.:]\s*$
    |\b(?:books?|statutes?)\s+(?:\w+\s+)?(?:carry|carries|carried|say|says|contain|contains)\b[^.?!;]{{0,20}}[.:]\s*$""",
    re.VERBOSE,
)
"""Match a sentence about a law or creed, after which it may be read out."""

LETTERS = re.compile(
    r"""(?:\b(?:letter|note|e-?mail|postcard)\b[^.?!]{0,12}\bfrom\b
    |\bwrote\s+(?:to\s+)?(?:me|us)\b
    |\b(?:his|her|their|last)\s+(?:\w+\s+)?(?:letter|note|message|diary|postcard)\b
    |\bleft\s+(?:a|this)\s+(?:\w+\s+)?(?:message|note|letter)\b
    |\btell\s+you\s+what\s+(?!i\b|we\b)[^.?!]{1,50}\b(?:said|told|wrote)\b
    |\blisten\s+to\s+(?:what|how|the\s+words|these\s+words)\b
    |\bput\s+it\s+this\s+way\b
    |\bin\s+(?:his|her|their)\s+(?:own\s+)?words\b
    |\bin\s+(?:his|her|their)\s+(?:note|letter)\b)[^.?!]*[.:,][\s"“]*$""",
    re.VERBOSE,
)
"""Match the end of a sentence about the words of another person, which may follow."""

ANNOUNCERS = (
    "clause section article amendment law laws statute statutes ordinance constitution charter declaration"
    " treaty resolution bible scripture scriptures psalm psalms psalmist verse gospel book books prophet"
    " proverb saying talmud torah koran quran poet poem hymn song letter note inscription plaque oath"
    " provision provisions decree edict code platform manifesto creed pledge ecclesiastes isaiah corinthians"
    " deuteronomy written read reads quote prayer heart follows chapter jesus christ moses lord saint here"
    " theory doctrine slogan motto mail email postcard wrote message diary tell listen put words"
)
ANNOUNCING = frozenset(ANNOUNCERS.split())
"""Each match of `READING_OUT`, `NAMING` and `LETTERS` has one of these words; most texts have none."""

SPOKEN_WORD = re.compile(r"\w+")

ARCHAIC = frozenset(("thou", "thee", "thy", "thine", "hath", "doth", "saith", "shalt", "ye"))
NOT_ARCHAIC = re.compile(r".*(?:ieth|teeth|boleth)$")
LEGAL = frozenset(
    ("thereof", "therein", "thereto", "hereof", "herein", "hereby", "aforesaid", "hereinafter", "thereunder")
)
ENACTING = _compile(
    r"""(?:be\s+it\s+(?:further\s+)?(?:enacted|resolved|ordained)|whereas,\s|resolved,\s
    |now,?\s+therefore,?\s+be\s+it|congress\s+shall\s+make\s+no|no\s+(?:person|state|soldier)\s+shall\b
    |all\s+persons\b[^.;]*\bshall\b|neither\b[^.;]{0,60}\bshall\s+exist\b|blessed\s+(?:is|are)\b)"""
)
GENERIC = frozenset(("no", "any", "every", "each", "all"))


def find_read_out(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if the speaker may be reading out another text, such as a law, scripture or a letter."""
    first = span.parts[0]
    lead, earlier = _read_lead(span), _read_earlier(span)
    before = (lead or earlier).lower()
    is_announced = is_in_letter = False
    if not ANNOUNCING.isdisjoint(SPOKEN_WORD.findall(before)):
        announcing = READING_OUT.search(before)
        is_announced = announcing is not None and " not " not in announcing[0]
        is_announced |= bool(NAMING.search(before)) and not _has_own_view(span)
        is_in_letter = bool(LETTERS.search(before)) and _has_speaker(first)
    is_announced |= bool(
        QUOTING.search(lead) or (QUOTING.match(span.text) and not {'"', "“"} & set(span.text))
    )
    is_old = any(
        not _is_marked(span, word) for part in span.parts for word in part.sentence.compute(_list_archaic)
    )
    is_law = any(_is_law(part) for part in span.parts)
    if is_announced or is_in_letter or is_old or is_law:
        yield span.make_flaw(FlawKind.MEANING, "read out", first.words[0], span.parts[-1].words[-1])


def _has_speaker(part: Part) -> bool:
    """Return whether "I", "we" or "my" is among the first three printed words of a sentence."""
    return any(word.lower in SPEAKERS for word in part.words[:3])


def _has_own_view(span: PrintSpan) -> bool:
    """Return whether the span has a word for the speaker: "I", "we", "our"."""
    return any(word.lower in SPEAKERS for part in span.parts for word in part.words)


def _is_marked(span: PrintSpan, word: Word) -> bool:
    """Return whether a word is between quotation marks; other rules check such words."""
    return any(opens <= word.start_char < closes for opens, closes in span.passage.quoted)


def _list_archaic(sentence: Sentence) -> list[Word]:
    return [word for word in sentence.words if word.lower in ARCHAIC or _is_archaic_verb(word)]


def _is_archaic_verb(word: Word) -> bool:
    is_verb = word.lower.endswith("eth") and len(word.lower) > len("doeth") and not word.is_capital
    return is_verb and not NOT_ARCHAIC.match(word.lower)


def _is_law(part: Part) -> bool:
    """Return whether the printed words of a sentence have the form of a law.

    Example: "No person ..., under the laws thereof, shall be ...".
    """
    words = part.words
    if ENACTING.match(part.passage.text, words[0].start_char):
        return True
    lowers = {word.lower for word in words}
    opens = words[0].lower in GENERIC or words[0].tag == "DET"
    return opens and "shall" in lowers and not lowers.isdisjoint(LEGAL) and lowers.isdisjoint(SPEAKERS)


THINKING = r"""(?:believed?(?!\s+in\b)|counted\s+on|gambled|told\s+themselves|thought
    |thinks?|(?:was|were|is|are)\s+(?:so\s+)?(?:certain|sure|convinced)
    |expected|assumed|calculated|bet|figured|imagined|hoped|predicted|said|say|told\s+(?:me|us)|claimed|argued|insisted)"""
OTHERS = r"""(?:he|she|they|some|many|others|people|folks|skeptics|cynics|critics|pundits|experts|doubters
    |hitler|stalin|putin|saddam|dictators?|tyrants?|tyranny|aggressors?|terrorists?|enem(?:y|ies)
    |adversar(?:y|ies)|rivals?|opponents?|generals|invaders?|regime|nazis?|communists?)"""
VIEW_OF_OTHERS = _compile(
    rf"""(?:^|[,;]\s)(?:(?:and|but|now|so|well|yes|the|our|our\s+\w+|all|those|these|a\s+lot\s+of|lots\s+of|most)
    ,?\s+){{0,3}}{OTHERS}\s+(?:\w+\s+){{0,2}}{THINKING}\b"""
)
PLAN_OF_OTHERS = _compile(
    r"""\b(?:(?:opponents?|critics|republicans|democrats|party|side|administration)['’]s?|their|his|her)\s+
    (?:plan|answer|message|idea|argument|solution|theory|advice|slogan|philosophy|view)
    (?::|\s+(?:is|was)\b[^.?!]{0,40}[.:])\s*$"""
)
ANSWER = _compile(
    r"""\s*(?:but|yet|well,|instead|wrong\b|(?:we|and\s+we)\s+proved|how\s+wrong|they\s+underestimated
    |(?:he|she|they|it|that|this|you)\s+(?:was|were|is|are)(?:n['’]t|\s+not)?\s+(?:\w+\s+)?
    (?:wrong|mistaken|false|nonsense|untrue|lies?|a\s+lie)\b
    |(?:he|she|they)\s+(?:miscalculated|misjudged|misread|guessed\s+wrong)\b
    |(?:we|it)\s+(?:will|did|do|have|are|was|is|has)(?:\s+not|n['’]t)\s*\.)"""
)
REFUTATION = _compile(
    r"""[.!?]?[”"]?\s*(?:well,?\s+)?(?:but\s+)?(?:he|she|they|that)\s+
    (?:was|were|is|are)(?:n['’]t)?\s+(?:not\s+)?
    (?:(?:dead|so|all|badly|simply|just)\s+)?(?:wrong|mistaken|false|nonsense|untrue|not\s+true|lies|a\s+lie)\b"""
)
ANSWERED_WITHIN = 3  # sentences


def find_thought_of_others(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if the span states an opinion of others, which the speaker does not share.

    Sentences before or after the span show this. Example, with the span in brackets: "Skeptics said it was
    over. [The mill would close]. But we mended it."
    """
    part = span.parts[0]
    earlier = _list_before(span, 2)
    if part.first or _is_contrasting(part) or _is_attributed(span):
        return
    if part.words[0].lower in ("he", "she", "they"):
        return  # the speaker goes on about them
    is_view = any(VIEW_OF_OTHERS.match(text) for text in earlier)
    is_plan = bool(earlier) and bool(PLAN_OF_OTHERS.search(earlier[0]))
    ends = [span.end_char, *(later.words[-1].end_char for later in span.parts[:-1])]
    is_denied = any(REFUTATION.match(span.passage.text, end) for end in ends)
    if is_plan or is_denied or (is_view and any(ANSWER.match(text) for text in _list_after(span))):
        yield span.make_flaw(FlawKind.MEANING, "unnamed opinion", part.words[0], span.parts[-1].words[-1])


def _is_contrasting(part: Part) -> bool:
    """Return whether the printed words begin with a reply to the words before them, such as "But", or "I"."""
    return bool(ANSWER.match(part.passage.text, part.words[0].start_char)) or part.words[0].lower == "i"


def _is_attributed(span: PrintSpan) -> bool:
    """Return whether the span itself says that others hold the view: "Some people thought it was over"."""
    return any(VIEW_OF_OTHERS.match(part.passage.text[part.words[0].start_char :]) for part in span.parts)


SUPPOSING = _compile(
    r"""(?:(?:and|but|so|now|just|let['’]s|let\s+us)\s+)*(?:imagine|suppose|picture|assume|let\s+us\s+say|let['’]s\s+say
    |(?:think|consider)\s+(?:of\s+)?what\s+(?:would|will|might)
    |what\s+(?:if\b|(?:will|would|could)\s+happen\s+if|happens\s+if))"""
)
CONDITIONAL = _compile(
    r"(?:(?:and|but|so|now|because|for)\s+)*(?:if|unless|had\s+(?:we|he|she|they|it|I)|without)\b"
)
FUTURE = {"will": "will", "'ll": "will", "would": "would", "'d": "would", "could": "would", "can": "will"}


def find_supposition(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if what a span says depends on a condition in the sentence before.

    In these examples, the brackets are the span: "Suppose we wait. [The river will rise]", "If we wait, we'll
    lose the mill. [We'll lose the town]".
    """
    part, before = span.parts[0], _list_before(span, 1)
    if part.first or not before or part.words[0].lower in ("if", "but"):
        return
    modal = _find_modal(part.words)
    if modal is None or not (SUPPOSING.match(before[0]) or _is_parallel_condition(span, modal)):
        return
    yield span.make_flaw(FlawKind.MEANING, "condition", part.words[0], part.words[modal])


def _find_modal(words: Sequence[Word]) -> int | None:
    """Return the index of the first verb if this verb is "will", "would" or the like, or else `None`."""
    verb = next((i for i, word in enumerate(words) if word.tag in ("VERB", "AUX")), None)
    return verb if verb is not None and words[verb].lower in FUTURE else None


def _is_parallel_condition(span: PrintSpan, modal: int) -> bool:
    """Return whether the previous sentence has a condition, and the same subject and modal verb as the span.

    Example: "If they help, we will win. [We will build roads.]", where the brackets are the span.
    """
    at = span.passage.sentences.index(span.parts[0].sentence)
    previous, words = span.passage.sentences[at - 1], span.parts[0].words
    if at == 0 or not CONDITIONAL.match(previous.text, previous.start_char) or not modal:
        return False
    subject, kind = words[modal - 1].lower, FUTURE[words[modal].lower]
    return any(
        one.lower == subject and FUTURE.get(two.lower) == kind
        for one, two in zip(previous.words, previous.words[1:], strict=False)
    )


LEADS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "reported_speech",
        re.compile(
            r"""(?:\b(?:in|through)\s+(?:(?:the|their|his|her)\s+)?(?:eyes|minds?|view|opinion|imagination|judgment)
            (?:\s+of\s+(?!our\b)[^,;.]+)?,
            |\b(?:we|you|they|people)(?:\s+are|\s+were|['’]re|\s+have\s+been|['’]ve\s+been)\s+(?:\w+\s+)?told(?:\s+that)?,?
            |\bin\s+the\s+(?:\w+\s+)?words(?:\s+of\s+[^,;.]+)?,
            |\b(?:supposed|expected|asked|led|want\s+(?:us|you))\s+to\s+believe(?:\s+that)?
            |\bif\s+you\s+ask\s+(?!me\b)[^,;.]+,
            |\b(?:their|his|her|its|\w+s['’])\s+(?:\w+\s+)?(?:recommendation|advice|assessment|conclusion|argument|claim|view
            |opinion|judgment|verdict|finding|answer|warning|theory|belief|excuse|charge)s?\s+(?:is|was|are|were)\s+that
            |\b(?:the|this|an?|one|another)\s+(?:\w+\s+)?(?:assumption|expectation|prediction|forecast|suspicion|premise|fear
            |notion|myth|rumou?r|charge|accusation|complaint|objection)\s+(?:is|was|has\s+(?:always\s+)?been)\s+that
            |\b(?:tired|sick|weary)\s+of\s+hearing\s+(?:how|that)
            |\b(?:act|acts|acted|acting|behave|behaves|talk|talks|talked)\s+like
            |\b(?<!i\s)(?:told|taught|reminded|warned)\s+(?:me|us)(?:\s+\w+)?,
            )\s*$""",
            re.VERBOSE,
        ),
    ),
    (
        "negation",
        re.compile(
            r"""(?:\b(?:the\s+last\s+(?:man|woman|person|one)\s+to|far\s+be\s+it\s+from\s+\w+\s+to
            |not\s+(?:come\s+|here\s+|going\s+|about\s+)*to|(?:wrong|false|foolish|absurd|a\s+mistake|a\s+lie)\s+to)
            \s+(?:say|claim|tell|argue|suggest|pretend|think|believe|imply)\b[^,.;]*that
            |^(?:\w+\s+){0,2}(?:at|under|on|in)\s+no\s+\w+\s+(?:did|do|does|has|have|had|will|would|shall|should|can|could)
            |\brather\b[^.;:]*\bthan\s+(?:say|admit|believe|accept|hear|tell\s+\w+)(?:\s+that)?
            |\b(?:refuse[sd]?|decline[sd]?)\s+to\s+(?:accept|concede|admit|agree)\b[^.;:]*that
            |\bfurther\s+from\s+the\s+truth\s+than(?:\s+that)?
            |\b(?:gone|over|past|end(?:ed)?|behind\s+us)\b[^,.;:]{0,30}\bwhen)\s*$""",
            re.VERBOSE,
        ),
    ),
    (
        "condition",
        re.compile(
            r"""(?:^(?:(?:and|but|so|for)\s+)?(?:had|were|should)\s+(?:we|i|you|he|she|it|they|the|this|that)\b[^;.:]*,
            |^(?:[^;.:]*[,\s])?only\s+(?:with|by|if|when|through|after|as)\b[^;.:]*,?
            |^(?:(?:and|but|so)\s+)?at\s+(?:its|their|our|the)\s+(?:very\s+)?(?:peak|height|worst|best|highest|lowest)\b[^;.:]*,
            |\b(?:un)?til\s+(?:the|that)\s+(?:day|time|moment)\s+(?:when|that)
            |\bwhat\s+(?:happens|will\s+happen|would\s+happen)\b[^;.:]*\b(?:when|if|once)\b[^;.:]*,)\s*$""",
            re.VERBOSE,
        ),
    ),
    (
        "hedge",
        re.compile(
            r"""^(?:(?:and|but|so|for)\s+)?(?:(?:so|as|in\s*so)\s*far\s+as\s+(?:is\s+)?(?:possible|practicable|i\s+know|we\s+know)
            |(?:where|when)ever\s+possible|to\s+the\s+(?:best|extent)\b[^,;.:]*|for\s+the\s+most\s+part
            |in\s+(?:most|many|some)\s+cases|with\s+(?:few|some)\s+exceptions),\s*$""",
            re.VERBOSE,
        ),
    ),
    (
        "described",
        re.compile(
            r"""\b(?:dream|dreams|dreamed|wants?|imagine|envision|i\s+(?:can\s+)?see|build|building|create|creating|seeks?|hopes?
            |future|vision|towards?|longs?|deserves?|tomorrow|wish|wishes|countries|nations|those
            |any|every|kind|sort)\b[^.—–]{0,400}\b(?:where|in\s+which|wherein|under\s+which)\s*$
            |^(?:(?:and|but|so)\s+)?in\s+a\s+(?:\w+\s+)?(?:world|future|country|nation|town)\s+where\s*$
            |\b(?:longs?|dream|dreams|hopes?|yearns?|nostalgia)\b[^.;—–]{0,60}\bwhen\s*$""",
            re.VERBOSE,
        ),
    ),
)
"""Rules with the end of what stands in the sentence before a span, in lower case."""

MOCKING = _compile(r"(?:oh,?\s+(?:sure|yes|yeah|right|of\s+course)|yeah,?\s+right)\b,")

TIMED = _compile(r"(?:(?:and|but|so|for)\s+)?(?:when|once|as\s+soon\s+as|the\s+(?:day|moment))\b[^;.:]*,\s*$")
LATER_TIMED = _compile(r"[^;.:]*,\s+when\b[^;.:]*,\s*$")
BOUND = _compile(
    r"""(?:(?:and|but|so|for)\s+)?(?:as\s+long\s+as|so\s+long\s+as|in\s+the\s+event|in\s+case)\b[^;.:]*,\s*$"""
)
LACKING = _compile(
    r"""(?:(?:and|but|so|for)\s+)?(?:without|absent|in\s+(?:the\s+)?absence\s+of|failing|barring|short\s+of
    |(?:if|were\s+it)\s+not\s+for)\b(?!\s+(?:(?:a|any)\s+)?(?:doubt|question|delay|hesitation|exception|objection
    |ado|fail|warning))[^;.:]*,\s*(?:there\s+(?:is|was|are|were)\s*)?$"""
)
ACTING = _compile(r"(?:\w+\s+)?without\s+(?:(?!\w*thing\b)\w+ing\b|.*\band\b)")
"""Match "Without looking back," and lists, which are only conditions of what will be."""
POSSIBLE = frozenset(("can", "may", "could", "might", "would"))
VIEWED = _compile(
    r"(?:(?:and|but|so)\s+)?(?:to|for)\s+(?:the|a|an|these|those|some|many)\s+[^,;:.]{3,60},\s*$"
)
TIME_WORDS = TIMES | {"first", "last", "next"}
VIEWING = frozenset(("is", "are", "was", "were", "means", "meant", "seems", "seemed", "looks", "looked"))


def find_lost_lead(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if the words before the span in its sentence make it a wish, a condition or others' view.

    "In the eyes of the generals, [we are children]", "a land where [all can read]", "Had we waited, [...]".
    The brackets are the span.
    """
    part, lead = span.parts[0], _read_lead(span)
    if MOCKING.match(part.passage.text, part.sentence.start_char):
        yield span.make_flaw(FlawKind.MEANING, "mockery", part.sentence.words[0], part.sentence.words[1])
    if not lead:
        return
    lower = lead.lower()
    rule = next((rule for rule, pattern in LEADS if pattern.search(lower)), "")
    main = part.clauses[0]
    verb = "" if main.verb is None else part.words[main.verb].lower
    if rule == "described" and main.verb is None:
        rule = ""
    is_timed = TIMED.match(lead) or LATER_TIMED.match(lead)
    is_bound = BOUND.match(lead) or (is_timed and (verb in POSSIBLE or _is_general(part)))
    denies = any(word.lower in NEGATORS for word in part.words) and not ACTING.match(lead)
    is_lacking = LACKING.match(lead) and (verb in FUTURE or denies)
    if not rule and ((is_bound and _is_open_time(part)) or is_lacking):
        rule = "condition"
    is_viewed = VIEWED.match(lead) is not None and not any(
        word.lower in TIME_WORDS for word in part.sentence.words[: part.first]
    )
    if not rule and verb in VIEWING and is_viewed and not _has_speaker(part):
        rule = "reported_speech"
    if rule:
        before = part.sentence.words[part.first - 1]
        yield span.make_flaw(FlawKind.MEANING, rule, part.sentence.words[0], before)


def _is_general(part: Part) -> bool:
    """Return whether the verb of the printed words is in the present, third person: "the mill stops"."""
    main = part.clauses[0]
    word = None if main.verb is None else part.words[main.verb]
    return word is not None and word.tag == "VERB" and word.is_finite and word.lower.endswith("s")


def _is_open_time(part: Part) -> bool:
    """Return whether a clause of time before the printed words ("when ...") is about the future.

    A clause of time is about the future if it has no verb in the past.
    """
    lead = part.sentence.words[: part.first]
    opener = max((i for i, word in enumerate(lead) if word.lower == "when"), default=0)
    return not any(
        word.lower.endswith("ed") or word.lower in PAST for word in lead[opener:] if word.is_finite
    )


PAST = frozenset(
    ("was", "were", "had", "did", "came", "took", "went", "began", "saw", "made", "became", "got")
)


ADDRESS = _compile(
    r"""(?:Q\s?[:.]?\s+(?-i:(?=[A-Z]))|(?:governor|senator|congressman|congresswoman|minister|chancellor)\s*,\s)|(?:(?:and|so|thank\s+you|thanks|yes|hi|okay|sir)[,.]?\s+)*
    (?:(?:mr|madam|mister)\.?\s+(?:vice\s+)?(?:president|secretary|prime\s+minister|chancellor|speaker|chairman)
    |(?:president|secretary|governor|senator)\s+[A-Z]\w+|sir)\s*[,—–.]"""
)
TURNS_OF_OTHERS = _compile(
    r"(?:q|questions?|(?:the\s+)?(?:press|reporters?|moderator|interviewer|audience)|(?:a\s+)?voices?)\b"
)
"""Match speaker tags of a turn that is not the speaker's of a speech."""

ASKING = re.compile(
    r"""\b(?:just\s+curious|(?:a|one|quick|my)\s+follow-?\s?up|my\s+question\s+(?:is|to\s+you)
    |(?:can|could|would)\s+you\s+(?:please\s+)?(?:elaborate|tell\s+us|talk\s+(?:a\s+little|about)))\b""",
    re.VERBOSE,
)
"""Match words in lower case that ask the speaker something."""

QUESTIONED = frozenset(("you", "your", "you're", "you've", "you'd"))


def find_question_of_another(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if the paragraph of a span is a question to the speaker.

    The speaker tag of such a paragraph names a reporter, or the paragraph addresses somebody and asks "you"
    something. A transcript of a press conference may attribute a reporter's question to the speaker.
    """
    if TURNS_OF_OTHERS.match(span.turn) or span.passage.compute(_has_question_to_speaker):
        first, last = span.parts[0].words[0], span.parts[-1].words[-1]
        yield span.make_flaw(FlawKind.MEANING, "question of another", first, last)


def _has_question_to_speaker(passage: Passage) -> bool:
    text = passage.text
    is_curious = bool(ASKING.search(text.lower()))
    if not is_curious and not (ADDRESS.match(text) and "?" in text):
        return False
    asks = [
        sentence
        for sentence in passage.sentences
        if text[sentence.start_char : sentence.end_char].rstrip(" ”\"'").endswith(("?", "? —", "?—"))
        or is_curious
        or sentence is passage.sentences[-1]
    ]
    return any(word.lower in QUESTIONED for sentence in asks for word in sentence.words)


def _read_lead(span: PrintSpan) -> str:
    """Return the beginning of the sentence in which the span begins, up to the span.

    Return "" if the span begins with the first word of the sentence.
    """
    part = span.parts[0]
    if not part.first:
        return ""
    return span.passage.text[part.sentence.start_char : part.words[0].start_char]


def _read_earlier(span: PrintSpan) -> str:
    """Return the sentence before the span's first sentence, if necessary from the paragraph before."""
    before = _list_before(span, 1)
    return before[0] if before else span.preceding


def _list_before(span: PrintSpan, count: int) -> list[str]:
    """Return the last `count` sentences of the paragraph before the sentence in which the span begins.

    The nearest sentence comes first. Return fewer if the paragraph has fewer.
    """
    at, text = span.passage.sentences.index(span.parts[0].sentence), span.passage.text
    chosen = span.passage.sentences[max(0, at - count) : at]
    return [text[sentence.start_char : sentence.end_char] for sentence in reversed(chosen)]


def _list_after(span: PrintSpan) -> list[str]:
    """Return the few sentences, `ANSWERED_WITHIN` of them, that follow the span in its paragraph.

    If fewer follow there, also return the beginning of the next paragraph.
    """
    at, text = span.passage.sentences.index(span.parts[-1].sentence), span.passage.text
    chosen = span.passage.sentences[at + 1 : at + 1 + ANSWERED_WITHIN]
    after = [text[sentence.start_char : sentence.end_char] for sentence in chosen]
    return after if len(chosen) == ANSWERED_WITHIN else [*after, span.following]
