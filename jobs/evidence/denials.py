"""Find out whether a text denies what it says: "I deny that taxes will rise", "We refuse to raise taxes".

Such words have no negation, so that counting "not" and "never" misses them. A denial that is itself negated
("Nobody doubts that") states the words after it; `drop_cancelled` removes it. A text that denies words and
one that states them are not compared: whether they contradict each other is left open.
"""

from __future__ import annotations

import re

from jobs.verify.paraphrases import stem_words
from quotations.grammar.cut_vocabulary import NOT_NEGATIVE
from quotations.text.meaning import NEGATIONS, count_negations, is_opposite, normalise_word
from quotations.text.words import split_words

FALSE_NOUNS = "myth|hoax|fiction|fallacy|falsehood|delusion|illusion|fantasy|misconception|nonsense"
VIEWS = r"""(?:idea|notion|claim|suggestion|argument|allegation|charge|rumou?r|theory|belief|view|talk|story
    |accusation|assertion)s?"""
UNTRUE, UNSURE = "false|untrue|incorrect", "unlikely|impossible|unclear|uncertain"
UNWISE = "wrong|mistaken|unthinkable|absurd|ridiculous"
"""Words that deny "to do so", but not "that": "it is wrong that children starve" says that they do."""

DENIER = rf"""(?:den(?:y|ies|ied|ying)|doubt(?:s|ed|ing|ful)?|disput(?:ed|ing)
    |(?:i|we|they|can|would|to)[ ]dispute|disbeliev(?:e|es|ed|ing)|refus(?:e|es|ed|ing|al)|lied
    |rul(?:e|es|ed|ing)[ ]out|(?:fail|hesitat|neglect|omit)\w*[ ]to|(?:forget|forgets|forgot)[ ]to
    |declin\w+[ ]to(?![ ](?:the|an?|its|their|\d))
    |(?:{UNTRUE}|{UNWISE})[ ](?:\w+[ ])?(?:to|whether)|(?:{UNTRUE})[ ](?:\w+[ ])?that
    |(?:false|wrong|mistaken|erroneous)ly[ ]\w+
    |lies?[ ](?:is[ ])?that|(?:an?|the|no)[ ](?:\w+[ ])?lie[ ]to
    |(?:{FALSE_NOUNS})s?[ ](?:is[ ])?(?:that|to|of)
    |(?:is|was)[ ](?:an?|the)[ ](?:\w+[ ])?(?:lie|{FALSE_NOUNS})(?:[ ]\w+){{0,5}}?[ ]that
    |re(?:ject|fut|but)\w*[ ](?:\w+[ ])?{VIEWS}[ ](?:that|of))"""
"""Match words that deny what follows them, in normalised words. "That lies ahead" is no such denial."""

DOUBTER = rf"""(?:pretend(?:s|ed|ing)?|(?:{UNSURE})[ ](?:\w+[ ])?(?:that|to|whether)
    |far[ ]from[ ](?:certain|clear|sure|true|obvious|settled))"""
"""Match words that leave open what follows them, with a negation before them or without."""

FILLING = r"""(?:\w+ly|ever|even|once|yet|now|for|an?|any|the|single|moment|minute|in|much|can|could
    |will|would|should|shall|must|may|might|do|does|did|be|is|was|been|have|has|had|to|reason|room|cause|basis
    |going|of|us|you|them|here|today|dare|want|afford|need|serious|honest|person|man|woman|member)"""
"""Match a word that may stand between a negation and the word that it negates."""

NOT_DENYING = {word: "|".join(sorted(following)) for word, following in NOT_NEGATIVE.items()}
NOT = rf"(?:not(?![ ](?:{NOT_DENYING['not']})\b)|never|hardly|rarely|seldom|scarcely|barely)"
NOBODY = rf"(?:no(?![ ](?:{NOT_DENYING['no']})\b)[ ]\w+|nobody|none|neither|(?<!\ba[ ])few)"

CANCELLED = re.compile(
    rf"\b(?:(?:{NOT}|no|without|beyond|little)|{NOBODY}(?:[ ]\w+)?)(?:[ ]{FILLING})*?[ ]{DENIER}(?!\w)",
    re.VERBOSE,
)
"""Match a denial that a negation cancels: "no one can deny", "will never fail to"."""

NOT_FREE = re.compile(r"\b(?:not|never)(?: be)? (?:afford|choose|decide|like|want|wish) not to\b")
"""Match "cannot afford not to", which has two negations and denies nothing."""

NEGATED = rf"(?:{NOT}(?:[ ]{FILLING})*?|{NOBODY}(?:[ ]\w+){{0,9}}?)"
NEGATED_SAYING = rf"""{NEGATED}[ ](?:say|says|said|saying|claim\w*|tell|told|promi[sz]\w*|pledg\w+|vow\w*
    |argu\w+|insist\w*|predict\w*|mean|means|meant|impl(?:y|ies|ied)|suggest\w*|guarantee\w*|declar\w+
    |stat(?:e|es|ed)|wr[io]t\w+|know|knows|knew)"""
DENIAL = re.compile(rf"\b(?:{DENIER}|{DOUBTER}|{NEGATED_SAYING})(?!\w)", re.VERBOSE)
"""Match a denial before the words that it denies."""

DENIAL_AT_END = re.compile(rf"\b(?:deny|denies|denied|lied|{NEGATED_SAYING})$", re.VERBOSE)
"""Match a denial after the words that it denies: "he lied", "Kennedy never said"."""

NEGATED_THINKING = re.compile(
    rf"""\b{NEGATED}[ ](?:think|thinks|thought|believ\w+|suppos\w+|expect\w*|want|wants|wanted|wish\w*
    |intend\w*|plan\w*|true|certain|sure|clear|likely|possible|(?:the[ ])?case)\b""",
    re.VERBOSE,
)
"""Match a negation that may belong to the words after it: "I do not think that we should"."""

NO_WAY = re.compile(r"\b(?:(?:under|in) no (?:circumstances?|way|case|event)|by no means|on no account)\b")

VIEW = re.compile(
    rf"""^(?:(?:and|but|so|now|well)[ ])*(?:that|to[ ](?:say|claim|argue|suggest|think|believe|pretend)
    |(?:say|claim)ing|(?:\w+[ ]){{1,4}}?{VIEWS}[ ](?:that|of|about))\b""",
    re.VERBOSE,
)
"""Match the beginning of a clause that is about a view: "The idea that"."""

REJECTION = re.compile(
    rf"""\b(?:is|are|was|were|be)(?:[ ](?!not|never|no)\w+){{0,2}}?
    [ ](?:false|untrue|incorrect|{UNWISE}|lie|{FALSE_NOUNS}|out[ ]of[ ]the[ ]question)$""",
    re.VERBOSE,
)
"""Match the end of a clause that rejects a view: "is simply wrong"."""

NEXT_CLAUSE = re.compile(
    r"\b(?:but|yet|although|because|while|whereas|unless|and (?:i|we|he|she|they|it|you|the|this))\b"
)
NO_SUCH_SAYING = re.compile(rf"\b(?:{NOT}|no|{NOBODY})\b", re.VERBOSE)


def drop_cancelled(text: str, other: str) -> str:
    """Return a text without the denials that a negation cancels.

    A denial that says what must be done becomes "must", such as "cannot afford not to". A denial stays if
    the text `other` has the same word, or its opposite. If nothing is dropped, the text is returned
    unchanged, otherwise in normalised words.

    >>> drop_cancelled("No one can deny that we will win.", "We will win.")
    'that we will win'
    >>> drop_cancelled("They do not deny it.", "They deny it.")
    'They do not deny it.'
    """
    words = _join_words(text)

    def replace(match: re.Match[str]) -> str:
        if _is_shared(match[0], other):
            return match[0]
        return "must" if {"must", "should", "afford"}.intersection(match[0].split()) else ""

    kept = CANCELLED.sub(replace, NOT_FREE.sub(replace, words))
    return text if kept == words else " ".join(kept.split())


def is_denied_by_one(claim: str, clause: str) -> bool:
    """Return whether only one of a claim and a clause denies the words that both have.

    >>> is_denied_by_one("We will cut taxes.", "It is a myth that we will cut taxes")
    True
    >>> is_denied_by_one("Lee denied that we will cut taxes.", "I deny that we will cut taxes")
    False
    """
    return is_denied(claim, clause) != is_denied(clause, claim)


def is_denied(text: str, other: str) -> bool:
    """Return whether a text denies most of the words that it shares with the text `other`.

    A denial counts only if `other` has neither the same word nor its opposite: otherwise, the words can be
    compared as they are.

    >>> is_denied("We refuse to cut taxes.", "We will cut taxes.")
    True
    >>> is_denied("We will cut taxes and refuse to wait.", "We will cut taxes.")
    False
    """
    words = _join_words(text)
    shared = stem_words(words) & stem_words(other)
    if not shared:
        return False
    has_more_negations = count_negations(words.split()) > count_negations(_join_words(other).split())
    if (has_more_negations and NO_WAY.search(words)) or (VIEW.match(words) and REJECTION.search(words)):
        return True
    if (match := DENIAL_AT_END.search(words)) and not _is_shared(match[0], other):
        return True
    matches = [*DENIAL.finditer(words), *(NEGATED_THINKING.finditer(words) if has_more_negations else ())]
    return any(
        _has_most(words[match.end() :], shared) and not _is_shared(match[0], other) for match in matches
    )


def is_denying_attribution(text: str) -> bool:
    """Return whether words such as "Kennedy never said that" deny that somebody said so.

    >>> is_denying_attribution("Kennedy falsely claimed that"), is_denying_attribution("Kennedy said that")
    (True, False)
    """
    words = _join_words(text)
    return NO_SUCH_SAYING.search(words) is not None or DENIAL.search(words) is not None


def _has_most(following: str, shared: frozenset[str]) -> bool:
    """Return whether the words after a denial, up to its next clause, have most of the stems `shared`."""
    stems = stem_words(NEXT_CLAUSE.split(following, maxsplit=1)[0])
    return 2 * len(shared & stems) > len(shared)


def _is_shared(denial: str, other: str) -> bool:
    """Return whether a text has the content words of a denial, or the opposite of one of them."""
    others = _join_words(other).split()
    stems = stem_words(" ".join(word for word in denial.split() if word not in NEGATIONS))
    if stems and stems <= stem_words(other):
        return True
    return any(is_opposite(word, candidate) for word in denial.split() for candidate in others)


def _join_words(text: str) -> str:
    return " ".join(normalise_word(word.key) for word in split_words(text))
