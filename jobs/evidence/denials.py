"""Find out whether a text denies what it says: "I deny that taxes will rise", "We refuse to raise taxes".

Such words have no negation, so that counting "not" and "never" misses them. A denial that is itself negated
("Nobody doubts that") states the words after it; `drop_cancelled` removes it. So do words by which others
miss what is so ("They refuse to see that"); `drop_unseen` removes them from sentences. A text that denies
words and one that states them are not compared: whether they contradict each other is left open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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

FILLING = r"""(?:(?!(?:hardly|rarely|scarcely|barely)\b)\w+ly|ever|even|once|yet|now|for|an?|any|the|single
    |moment|minute|in|much|can|could
    |will|would|should|shall|must|may|might|do|does|did|be|is|was|been|have|has|had|to|reason|room|cause|basis
    |going|of|us|you|them|here|today|dare|want|afford|need|serious|honest|person|man|woman|member)"""
"""Match a word that may stand between a negation and the word that it negates."""

NOT_DENYING = {word: "|".join(sorted(following)) for word, following in NOT_NEGATIVE.items()}
NOT = rf"(?:not(?![ ](?:{NOT_DENYING['not']})\b)|never|hardly|rarely|seldom|scarcely|barely)"
NOBODY = rf"(?:no(?![ ](?:{NOT_DENYING['no']})\b)[ ]\w+|nobody|none|neither|(?<!\ba[ ])(?<!\btoo[ ])few)"

CANCELLED = re.compile(
    rf"\b(?:(?:{NOT}|no|without|beyond|little)|{NOBODY}(?:[ ]\w+)?)(?:[ ]{FILLING}){{0,9}}?[ ]{DENIER}(?!\w)",
    re.VERBOSE,
)
"""Match a denial that a negation cancels: "no one can deny", "will never fail to"."""

NOT_FREE = re.compile(
    r"\b(?:(?:not|never)(?: be)? (?:afford|choose|decide|like|want|wish)|too(?: \w+){1,5}?) not to\b"
)
"""Match "cannot afford not to" and "too wise not to", which have two negations and deny nothing."""

SURPRISE = re.compile(r"\bi never (?:thought|believed|expected|imagined|dreamed)(?=(?: \w+){0,6}? i would\b)")
"""Match "I never thought" before "that I would be here": the speaker is there, against expectation."""

UNSEEN = re.compile(
    r"""(?<!\bi[ ])\b(?:refus(?:e|es|ed|ing|al)|(?:fail|neglect|omit)\w*|forg[eo]t(?:s|ting)?)[ ]to[ ]
    (?:see|know|understand|tell|mention|reali[sz]e|notice|recogni[sz]e|remember)
    (?=(?:[ ]\w+){0,4}?[ ]that\b)""",
    re.VERBOSE,
)
"""Match words by which others miss what a speaker takes for granted: "They refuse to see that"."""

NEGATED = rf"(?:{NOT}(?:[ ]{FILLING}){{0,9}}?|{NOBODY}(?:[ ]\w+){{0,9}}?)"
NEGATED_SAYING = rf"""{NEGATED}[ ](?:say|says|said|saying|claim\w*|promi[sz]\w*|pledg\w+|vow\w*
    |argu\w+|insist\w*|predict\w*|mean|means|meant|impl(?:y|ies|ied)|suggest\w*|guarantee\w*|declar\w+
    |stat(?:e|es|ed)|wr[io]t\w+
    |(?:tell|told)(?=[ ](?:you|us|me|them|him|her)\b|(?:[ ]\w+){{0,4}}?[ ]that\b|$
        |(?:[ ]\w+){{1,2}}[ ](?:people|nation|country|public|world)\b)
    |(?:know|knows|knew)(?=[ ](?:whether|if)\b))"""
I_DO_NOT_KNOW = r"(?:i|we)[ ](?:do|did)[ ]not[ ](?:really[ ])?know(?=[ ]that\b)"
"""Match "I do not know that", which doubts. "They do not know that" takes for granted what follows."""

DENIAL = re.compile(rf"\b(?:{DENIER}|{DOUBTER}|{NEGATED_SAYING}|{I_DO_NOT_KNOW})(?!\w)", re.VERBOSE)
"""Match a denial before the words that it denies."""

DENIAL_AT_END = re.compile(
    rf"^(?!(?:and|but|or|so)\b)(?:\w+[ ]){{0,3}}?(?:deny|denies|denied|lied|{NEGATED_SAYING})$", re.VERBOSE
)
"""Match a denial after the words that it denies and a comma: "he lied", "Kennedy never said"."""

LAST_PAUSE = re.compile(r"""^.*(?:[,"”]|[.!?]’)\s""", re.DOTALL)
"""Match a text up to the last comma or quotation mark within it."""

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

CLAUSE_WORDS = "but|yet|although|because|while|whereas|unless|and (?:i|we|he|she|they|it|you|the|this)"
NEXT_CLAUSE = re.compile(rf"\b(?:{CLAUSE_WORDS})\b")
"""Match the beginning of a clause that is not denied."""

ADDRESS = re.compile(r"(?:to )?(?:\w+ ){0,3}?(?:who|whoever|anyone|critics|cynics|doubters)\b")
"""Match the beginning of a text that names those whom it addresses: "Those who", "To those who"."""

AFTER_ADDRESS = re.compile(
    rf"\b(?:{CLAUSE_WORDS}|(?:should|must|ought to|need to) (?:know|hear|learn|understand|remember)"
    r"|(?:i|we) (?:say|tell|promise))\b"
)
"""Match the beginning of what such a text says, which is not denied: "Those who doubt us should know"."""

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
    return _drop(text, other, (SURPRISE, NOT_FREE, CANCELLED))


def drop_unseen(clause: str, claim: str) -> str:
    """Return a clause without words by which others miss what the speaker takes for granted.

    Such words stay if the claim has them. If words are dropped, the result is in normalised words.

    >>> drop_unseen("They refuse to see that children starve.", "Children starve.")
    'they that children starve'
    """
    return _drop(clause, claim, (UNSEEN,))


def _drop(text: str, other: str, patterns: Sequence[re.Pattern[str]]) -> str:
    words = _join_words(text)

    def replace(match: re.Match[str]) -> str:
        if _is_shared(match[0], other):
            return match[0]
        return "must" if {"must", "should", "afford"}.intersection(match[0].split()) else ""

    kept = words
    for pattern in patterns:
        kept = pattern.sub(replace, kept)
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
    if has_more_negations and NO_WAY.search(words):
        return True
    rejection = REJECTION.search(words) if VIEW.match(words) else None
    if (match := rejection or _find_denial_at_end(text)) and not _is_shared(match[0], other):
        return True
    matches = [*DENIAL.finditer(words), *(NEGATED_THINKING.finditer(words) if has_more_negations else ())]
    next_clause = AFTER_ADDRESS if ADDRESS.match(words) else NEXT_CLAUSE
    denied = [(match[0], next_clause.split(words[match.end() :], maxsplit=1)[0]) for match in matches]
    return any(_has_most(part, shared) and not _is_shared(denial, other) for denial, part in denied)


def is_denying_attribution(text: str) -> bool:
    """Return whether words such as "Kennedy never said that" deny that somebody said so.

    >>> is_denying_attribution("Kennedy falsely claimed that"), is_denying_attribution("Kennedy said that")
    (True, False)
    """
    words = _join_words(text)
    return NO_SUCH_SAYING.search(words) is not None or DENIAL.search(words) is not None


def _find_denial_at_end(text: str) -> re.Match[str] | None:
    """Return the denial that ends a text after a comma or quotation mark, if there is one."""
    pause = LAST_PAUSE.match(text)
    return DENIAL_AT_END.match(_join_words(text[pause.end() :])) if pause else None


def _has_most(text: str, shared: frozenset[str]) -> bool:
    """Return whether a text has most of the stems `shared`."""
    return 2 * len(shared & stem_words(text)) > len(shared)


def _is_shared(denial: str, other: str) -> bool:
    """Return whether a text has the content words of a denial, or the opposite of one of them."""
    others = _join_words(other).split()
    stems = stem_words(" ".join(word for word in denial.split() if word not in NEGATIONS))
    if stems and stems <= stem_words(other):
        return True
    return any(is_opposite(word, candidate) for word in denial.split() for candidate in others)


def _join_words(text: str) -> str:
    return " ".join(normalise_word(word.key) for word in split_words(text))
