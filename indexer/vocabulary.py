"""List the words that the rules for stage directions, speaker tags and sentences use.

The words come from the brackets and speaker tags of public transcripts, such as those of the White House.
"""

from __future__ import annotations


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Events to be heard or seen. A bracket of only these and of `SETTING` is a direction.
EVENTS = _split_words(
    """applause applauds applaud applauding applpause appaluse laughter laugher laughs laugh laughing
    chuckles chuckling chuckle cheers cheering cheer boos booing boo jeers jeering hisses hissing crosstalk
    cross-talk cross-talking overtalk chanting chants chant shouting shouts shout singing sings whistling
    whistles coughs coughing sneezes sighs gasps groans claps clapping crying cries weeping sobbing nods
    off-mike off-mic bell bells gong buzzer timer music drumroll gavel pause pauses silence interruption
    disruption interjection interjections turbulence voice-over voiceover muffled commotion heckling heckler
    ovation newsbreak break recess videotape video audio clip ph sic"""
)
# Words that may accompany them but are not a direction alone.
SETTING = _split_words(
    """and of the a an from in by with at on off to more loud louder continued continues prolonged sustained
    standing audience crowd member members reporters reporter participants participant protester protesters
    protestor people begin begins began end ends ended start starts playing plays plays rings ringing
    sounds reacts reaction commercial station broadcast coverage gap glitch drop drops cuts out technical
    difficulties stage background phone cell cellphone general brief briefly deleted some scattered mixed
    throat clears mike mic question questions response comment"""
)
# Words for missing speech. In mid-sentence they stay in the text: without them a quote would seem to be
# continuous.
GAPS = _split_words("inaudible unintelligible indiscernible unclear expletive bleep bleeped")
# With "audio" these mean the same.
LOST = _split_words("gap gaps drop drops glitch cuts deleted break lost")
# A bracket that starts with one of these is a direction, in any case and with or without a full stop.
ACTIONS = _split_words(
    """clears coughs sneezes knocks nods claps chuckles laughs sings sighs gasps groans whistles winks
    applauds"""
)
# These too, with a capital and a full stop inside the bracket.
CAPITAL_ACTIONS = ACTIONS | _split_words(
    """speaks speaking points pointing holds shakes makes looks gestures gesturing addressing referring
    calling drinks checks crosses removes returns goes pronounced interpreting reads imitates mimics waves
    raises pounds taps"""
)
HONORIFICS = _split_words(
    "mr mrs ms miss dr hon honourable honorable shri smt shrimati kumari adv mnr mev datuk dato tuan puan"
)
TITLES = HONORIFICS | _split_words(
    """sir madam president vice secretary senator sen representative rep congressman
    unidentified
    congresswoman governor gov mayor ambassador general gen admiral colonel col captain major sergeant
    lieutenant judge justice chief chairman chairwoman chair director administrator commissioner minister
    prime chancellor king queen prince princess emir pope taoiseach reverend rev pastor bishop father rabbi
    imam professor prof speaker leader attorney surgeon counselor counsellor lady gentleman acting deputy
    secretary-general president-elect press master sheriff officer superintendent premier councilman
    councilwoman councillor lord dame baroness
    baron earl viscount countess marquess duke duchess archbishop under-secretary
    chairperson manager counsel clerk officer whip convener"""
)
# Titles that are a tag without a name after them.
OFFICES = _split_words(
    """president president-elect chairman chairwoman chairperson chair speaker secretary senator governor
    mayor judge justice pastor reverend rabbi professor director lady gentleman officer clerk convener
    minister"""
)
ROLES = _split_words(
    """q a question answer audience moderator moderators operator interpreter translator reporter reporters
    interviewer participant participants aide unidentified announcer host narrator child children student
    students staffer staffers member members official officials voice voices panelist panelists crowd staff
    unknown correspondent clerk protester protesters man men woman women male female boy girl group caller
    callers guest witness bailiff deponent interviewee presenter juror foreperson v.o speaker all both"""
)
# Words that may follow a role: "Woman in the audience", "Voice from the gallery", "Man off camera".
PLACES = _split_words(
    """in on at from off of the a an audience gallery back front crowd hall room floor phone line camera
    screen distance press benches opposition government unknown unidentified"""
)
# Words that may precede a role: "An hon. Member", "Some honourable Senators", "Unidentified male".
QUANTITIES = _split_words(
    """the a an some several another many other hon honourable honorable unidentified unknown young old first
    second third opposition government female male"""
)
# Small words within an office: "SECRETARY OF STATE KERRY".
LINKS = _split_words(
    "the of de la van von der bin al el del di and d i y e du des da das dos do zu zur vom ter ten ibn bint"
)
PARTICLES = LINKS - {"and"}  # "JUSTICE AND PEACE" is not an office
VOCATIVES = frozenset(
    ("mr president", "mr speaker", "mr chairman", "mr vice president", "madam speaker", "madam president")
)
# Words that, before a colon, open a list, a section or a thought; nobody has such a name.
NO_NAMES = _split_words(
    """and but or so now then on in at for to from of by about with as if when where what who why how which
    the this that these those here there first second third fourth fifth sixth next finally one two three
    four five six seven eight nine ten number point note source sources fact facts myth see also date time
    subject background update result results total example examples remember consider conclusion summary
    key top bottom line section article chapter part step item title page figure table re cc via video
    transcript headline sitzung fortsetzung erstens zweitens drittens viertens fünftens hinweis beispiel fazit
    premièrement deuxièmement troisièmement primeramente enfin
    length publication-type load-date language citation dear yes no well okay warning reminder quote claim
    clarification policy program programs reform act history today tomorrow yesterday again"""
)
# A name of only such words is a label: "MEDIA CONTACT:", "FOR FURTHER INFORMATION:".
LABELS = NO_NAMES | _split_words(
    """agency action ps p.s summary addresses address contact contacts attn attention tel telephone phone fax
    email e-mail web website url media press embargo embargoed venue topic theme event location place purpose
    duration cost price amount total status priority deadline photo photos caption translation disclaimer
    copyright abstract introduction methods discussion objective objectives recommendation recommendations
    comment comments ingredients directions instructions requirements definitions definition exhibit docket
    index certificate appearances proceedings effective billing legal supplementary information further dates
    release immediate keywords duration recorded published updated posted credit credits music sound effect
    english french spanish german italian afrikaans original"""
)
# Heads of a list of participants; names follow on the line, not speech.
ROSTERS = _split_words(
    """participants participant speakers panelists panellists moderators moderator present attendees attending
    attendance witnesses guests hosts members chair interviewers interviewees"""
)
