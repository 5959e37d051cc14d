"""List the words and patterns by which a draft attributes a quotation to a person."""

from __future__ import annotations

import re

from quotations.text.meaning import make_word_set

VERBS = (
    r"(?:sa(?:id|ys|ying)|told|tells|added|adds|declared?s?|wrote|writes|tweeted|announced|argued?s?|asked|asks"
    r"|insist(?:ed|s)|recalled|replied|responded|remark(?:ed|s)|stated|warn(?:ed|s)|promised|vowed|continued"
    r"|concluded|explain(?:ed|s)|noted|joked|quipped|claim(?:ed|s)|call(?:ed|s)|observed|acknowledged|admitted"
    r"|proclaimed|urged|pledged|testified|shouted|exclaimed|teased|boasted|bragged|predicted|complained|cautioned"
    r"|countered|retorted|reiterated|lamented|answered|began|begins|went on|cried|thundered|mused|asserted"
    r"|affirmed|maintained|contended|stressed|emphasi[sz]ed|conceded|confessed|repeated|posted|put it"
    r"|demand(?:ed|s)|spoke|speaks|read|intoned|opined|offered|hailed|praised|mocked|describe[ds]|denounced"
    r"|quote[ds]|cite[ds]|paraphrased|echoe[ds]|invoke[ds]|challenged|vented|ventured|opened|closed|ended"
    r"|like[ds]\ to\ say|been\ (?:clear|blunt|explicit)|made\ (?:it\ )?clear)"
)
WORD = r"[A-Z][^\W\d_]*(?:[.'’-][^\W\d_]+)*\.?"
NAME = rf"(?P<name>{WORD}(?:\ (?:{WORD}|of|de|van|von|bin|al)){{0,5}})"
ROLE_NOUN = (
    r"(?:[Pp]resident|[Ss]enator|[Cc]ongressman|[Cc]ongresswoman|[Gg]overnor|[Cc]andidate|[Nn]ominee|[Mm]inister"
    r"|[Ss]ecretary|[Ll]eader|[Cc]hancellor|[Mm]ayor|[Bb]illionaire|[Ll]awmaker|[Rr]epresentative"
    r"|(?:[Aa]ttorney\ )?[Gg]eneral|[Pp]rosecutor"
    r"|[Jj]udge|[Ll]ady|[Ss]peaker|Republican|Democrat)"
)
PRONOUN = (
    r"(?P<pronoun>\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he\ (?:(?:then-)?(?:former|same|new|newly\ elected|young"
    r"|younger|outgoing|incoming|late|future|current|sitting|aging|vice|[Vv]ice|first|[Ff]irst|prime|[Pp]rime"
    rf"|American|\d+(?:st|nd|rd|th)|US|U\.S\.)[\ -])*(?:[A-Z][a-z]+\ ){{0,2}}{ROLE_NOUN})\b)"
)
WHO = rf"(?:{PRONOUN}|{NAME})"
APPOSITION = (
    r"(?:\ \([^()]{1,30}\))?(?:,(?:(?!\ (?:he|she|they)\ )[^,.;:“”\"]{1,80},)?)?"
    r"(?:\ (?:in|at|from)\ (?:the\ )?[A-Z][\w.’'-]*(?:\ [A-Z][\w.’'-]*){0,3})?"
    r"(?:\ (?!(?:he|she|they)\b)[a-z]+){0,3}?"
)
AIDE = (
    r"(?:spokes\w+|aides?|advis[eo]rs?|allies|ally|lawyers?|attorneys?|donors?|supporters?|critics?|strategists?"
    r"|managers?|directors?|officials?|surrogates?|delegates?|pollsters?|biographers?|historians?|opponents?|rivals?"
    r"|friends?|sons?|daughters?|wife|husband|widow|brother|sister|mother|father|campaign|team|office|staff|camp"
    r"|predecessors?|successors?|press\ secretary|chief\ of\ staff|running\ mate|speechwriters?|fans|voters)"
)
"""Nouns for people who speak for or about a person: "Obama spokesman", "Obama's wife"."""

AFTER = [
    re.compile(rf"^[^.!?;:“”\"]{{1,60}}?\bquot(?:ed|es|ing)\ {WHO}\ as\ (?:saying|telling)\b"),
    re.compile(rf"^\s*\((?:in\ )?{NAME}(?:,[^()]{{1,60}})?\)"),
    re.compile(rf"^[\s,.!?…—–-]*{VERBS}\ [^.!?;:“”\"]{{0,60}}?\b{AIDE},?\ {NAME}"),
    re.compile(rf"^[\s,.!?…—–-]*[^.!?;:“”\"]{{0,60}}?\b{AIDE},?\ {NAME},?\ {VERBS}\b"),
    re.compile(rf"^[\s,.!?…—–-]*{VERBS}\ {WHO}"),
    re.compile(rf"^[\s,.!?…—–-]*(?:as\ )?{WHO}{APPOSITION}\ {VERBS}\b"),
    re.compile(rf"^[\s,.!?…—–-]*(?:according\ to|in\ the\ words\ of)\ {WHO}"),
    re.compile(rf"^[\s,.!?…]*[—–-]+\s*{NAME}\s*(?:[,(?]|\ (?:at|in|on|to)\ |$)"),
]
WORK = (
    r"(?:lines?|words?|phrases?|quotes?|quip|remarks?|speech|address|warning|promise|pledge|dictum|motto|maxim"
    r"|slogan|inaugural|farewell|eulogy|testimony|verdict|conclusion|answer|response|reply|comment"
    r"|State\ of\ the\ Union|declaration|claim|boast|plea|vow|book|letter|memoir)"
)
"""Nouns for something that a person said or wrote: "Kennedy's line about the poor"."""

BEFORE = [
    re.compile(rf"{WHO}{APPOSITION}\ {VERBS}\b[^.!?“”\"]{{0,90}}$"),
    re.compile(rf"(?:[Aa]ccording\ to|[Ii]n\ the\ words\ of)\ {WHO}[^.!?“”\"]{{0,60}}$"),
    re.compile(rf"^\W*{NAME}(?:,[^,.;:]{{1,60}},)?\ [a-z][^.!?“”\":]{{0,60}}:\s*$"),  # Lincoln knew it:
    re.compile(rf"{PRONOUN}(?P<name>)\ (?:was|is|had|has)\b[^.!?“”\":]{{0,60}}:\s*$"),  # He was angry:
    re.compile(
        rf"^\W*{NAME},(?:[^.!?;:“”\"]|\b[A-Z][a-z]{{1,3}}\.){{1,80}}:\s*$"
    ),  # Lincoln, two years later:
    re.compile(
        rf"quot(?:ed|es|ing)\ (?:{WHO}|(?P<object>him|her))\ as\ (?:saying|telling)\b[^.!?“”\"]{{0,60}}$"
    ),
    re.compile(
        rf"{NAME}(?<=[’']s)\ (?:[^.!?“”\":;]{{0,60}}?\ )?{WORK}\b[^.!?“”\"]{{0,80}}$"
    ),  # his words on it
]
APPOSED = re.compile(rf",\ {NAME}(?:,|\ {VERBS}\b)")
"""Match the name after a role: "the Republican leader, Mitch McConnell, said"."""

ATTACHED = (
    r"(?:campaign|senior|top|longtime|former|then|deputy|chief|national|security|policy|press|communications|media|foreign"
    r"|economic|legal|political|domestic|health|budget|transition|administration|re-?election|family|debate|team)"
)
OWNED = re.compile(rf"(?:\ {ATTACHED}){{0,3}}\ {AIDE}\b")
"""Match words after a name that make somebody else the subject: "Obama campaign spokesman"."""

NO_SUBJECT = re.compile(
    r"\b(?:for|of|in|at|on|to|by|from|against|with|about|than|near|between)\ (?:the\ |then-)?$"
)
"""Match a word before a name that shows that the name is not the subject: "a spokesman for Obama said"."""
ADDRESSES = r"(?:told|tells|asked|asks|urged|warned|reminded|assured)"
LEADS_IN = re.compile(rf"(?::|\bthat|{VERBS},?|{ADDRESSES}\ [^,.;:“”\"]{{1,60}},?)\s*$")
"""Match the end of a text that introduces a quotation and nothing else."""

INTRODUCED = re.compile(r"[^.!?“”\"«„]{0,90}[“\"«„]")
"""Match the words between a verb and the next quotation, which the verb introduces."""

CONTINUED = [
    re.compile(rf"[”\"»]\s+{tag}[^.!?“”\"]{{0,60}}\.\s*$")
    for tag in (rf"{VERBS}\ {WHO}", rf"{WHO}{APPOSITION}\ {VERBS}\b")
]
"""Match the end of a sentence that closes with an attribution, before a quotation without one of its own."""

OTHER_WORDS = re.compile(r"\s+that\b(?!\s+(?:day|night|morning|afternoon|evening|week|month|year|time)\b)")
"""Match the word after a verb that reports other words than the quotation before it."""

LABEL = re.compile(rf"(?:^|[\s(])(?<!\bthe ){NAME}\s*(?:\([^()]{{1,40}}\)\s*)?[:—–]\s*$")
ITEM = re.compile(r"\n(?=\s*(?:[*•-]|\d+[.)])\s)")
"""Match the line break before an item of a list."""

QUOTED = re.compile(r"“[^“”]*”|«[^«»]*»")
QUOTING = (
    r"(?:quot(?:ed|es|ing)|cit(?:ed|es|ing)|paraphras(?:ed|es|ing)|echo(?:ed|es|ing)|invok(?:ed|es|ing))"
)
ADDRESSED = re.compile(rf"\b(?:{ADDRESSES}|{QUOTING}|to|with)\s+$")
"""Match a word before the name of an addressee or of a quoted person."""

RELAYS = re.compile(
    rf"\b(?:{QUOTING}|recit(?:ed|es|ing)|read(?:ing)?\ (?:from|out|aloud)|used\ to\ (?:say|tell)"
    r"|recall(?:ed|s|ing)|recount(?:ed|s|ing)|retold|relay(?:ed|s|ing)|imitat(?:ed|es|ing)|mimick(?:ed|ing)|mock(?:ed|s|ing)"
    r"|had\ (?:told|asked|urged|warned)|(?:would|will)\ say)\b"
)
"""Match words by which a writer says that the speaker repeats somebody else's words."""

QUOTED_PERSON = re.compile(rf"\b{QUOTING}\ {NAME}")
RELAYED_TO = re.compile(rf"\bhad\ {ADDRESSES}\ [^,.;:“”\"]{{1,60}}\s$")
"""Match the end of a text that introduces what others said to the speaker: "critics had urged him to"."""

WORKS = re.compile(rf"[’']s\ [^“”\"]{{0,60}}?{WORK}\b")
BY_NAME = re.compile(
    r"\b(?:according\ to|[Ii]n\ the\ words\ of|quoting|quoted)\ (?:the\ |then-)?$", re.IGNORECASE
)
LONE_NAME = re.compile(
    rf"(?<![\w.])(?<!\b[Ii]n )(?<!\b[Aa]t )(?<!\b[Oo]f )(?<!from )(?:(?<=ccording to )|(?<!\bto )){NAME}"
)
NO_CERTAIN_NAME = re.compile(r"(?:\A[\W\d_]*|[\"“‘«]|\b(?i:the|an?)\s+)\Z")
"""Match the words of a sentence before a capitalised word that may be no name: it is the first word of the
sentence or of a quotation, or it follows an article.
"""

HEADING_LINE = re.compile(r"(?:\A|(?<=\n\n))[^\n]*(?:[^\W_][\"”’'»)]*|[?!])[ \t]*\n[ \t]*\n")
"""Match a paragraph of one line that does not end like a sentence: a title or a heading."""

PLACED = frozenset(("In", "At", "On", "Near", "Across"))
"""Words before the name of a place, at the beginning of a sentence."""

FOREIGN_PRONOUNS = make_word_set("er sie il elle el ella")
NO_NAMES = make_word_set("""
the a an in on at but and so if when while as after before he she it they we i his her
    their this that these those there then now not what who how why monday tuesday wednesday thursday friday
    saturday sunday yes no well for to from with of or by one americans american democrats republicans
    congress house senate white even only also later earlier asked speaking once still here today yesterday
    tonight both my our your like unlike again next instead across near two three four five six ten some many
    most few several all critics supporters opponents aides officials reporters journalists voters protesters
    activists progressives conservatives liberals lawmakers experts analysts observers historians economists
    allies advisers police claim claims quote fact note question answer verdict rating headline source caption
    update correction slide photo q a er sie wir ich il elle el ella""")
