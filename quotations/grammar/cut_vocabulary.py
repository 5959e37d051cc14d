"""List the words that the clause parser and the rules for quotations use: negations, verbs of saying,
openers.
"""

from __future__ import annotations


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Openers of adverbial clauses, by what a cut loses without them.
CONDITIONS = _split_words("if unless whether lest provided providing assuming suppose supposing")
UNREALISED = _split_words("until till before")
"""Openers of a clause about something that is not true, or not yet: "until every child is safe"."""
FACTUAL = _split_words(
    """because although though while whereas since as when whenever where wherever once after than whence
    like"""
)
ADVERBIALS = CONDITIONS | UNREALISED | FACTUAL
RELATIVES = _split_words("who whom whose which whoever whomever whichever")
QUESTION_WORDS = _split_words("what how why whatever")
BEFORE_OPENERS = _split_words("even only just except not and or but so in as especially particularly simply")
NOMINATIVES = _split_words("i we he she they it you there")
THIRD_PERSONS = _split_words(
    "he she they it him her them his its their hers theirs himself herself itself themselves"
)
POSSESSIVES = _split_words("his her its their")
COORDINATORS = _split_words("and or but nor yet so")

BE_FORMS = _split_words("is are was were be been being am 's 're 'm")
CAUSATIVES = _split_words(
    "make makes made making let lets help helps helped see saw seen hear heard watch watched have had bid"
)
TIMES = _split_words(
    """time times day days night week weeks month months year years decade decades century centuries moment
    today tonight tomorrow yesterday morning now hour hours way"""
)
"""Nouns of time after which a clause may be the main one: "in the next 40 years we must ..."."""

NEGATORS = _split_words(
    """not n't no never none nobody nothing nowhere neither nor without hardly barely scarcely rarely seldom
    unlikely impossible"""
)
NOT_NEGATIVE = {
    "no": _split_words("doubt matter wonder less question"),
    "not": _split_words("only just merely simply least"),
    "n't": _split_words("only just merely simply"),
    "nothing": _split_words("less"),
    "never": _split_words("before mind"),
}
"""Negations with the words that cancel them: "no doubt", "not only"."""
DENIALS = _split_words(
    """deny denies denied denying doubt doubts doubted doubting refuse refuses refused refusing reject rejects
    rejected rejecting fail fails failed failing dispute disputes disputed disbelieve disagree disagrees
    disagreed oppose opposes opposed opposing prevent prevents prevented preventing avoid avoids avoided
    avoiding stop stops stopped forbid forbids forbade forbidden ban bans banned prohibit prohibits
    prohibited false untrue wrong myth lie lies nonsense"""
)
"""Words that reverse the clause or verb after them."""

REPORT_VERBS = _split_words(
    """say says said saying tell tells told telling claim claims claimed claiming argue argues argued arguing
    allege alleges alleged assert asserts asserted insist insists insisted contend contends contended
    suggest suggests suggested maintain maintains maintained report reports reported complain complains
    complained warn warns warned predict predicts predicted write writes wrote written announce announces
    announced declare declares declared charge charges charged think thinks thought thinking believe believes
    believed believing feel feels felt fear fears feared assume assumes assumed imagine imagines imagined
    suspect suspects suspected worry worries worried expect expects expected conclude concludes concluded
    ask asks asked wonder wonders wondered reply replies replied answer answers answered add adds added
    tweet tweets tweeted post posts posted shout shouts shouted cry cries cried pretend pretends
    pretended accuse promise promises promised projected estimated"""
)
"""Verbs that report what somebody else says or thinks, if the subject is not the speaker."""
HEDGE_VERBS = _split_words(
    """think thinks thinking thought guess guessed suppose supposed suspect suspected imagine imagined assume
    assumed hope hopes hoped hoping wish wishes wished wishing seem seems seemed appear appears appeared doubt
    wonder wondered pray expect expected fear feared"""
)
"""Verbs that weaken a statement, if the subject is the speaker or "it"."""
THOUGHTS = _split_words("think thinks thought believe believes believed hope guess suppose suspect")
"""Verbs that are followed far more often by a clause than by a noun: "I think the road is lost"."""
WISHES = _split_words(
    """wish wishes wished hope hopes hoped hoping pray prays prayed want wants wanted dream dreams dreamed
    imagine suppose pretend ensure ensures ensured ensuring sure certain demand demands demanded propose
    proposes proposed ask asks asked insist require requires required so order"""
)
"""Verbs before a clause about something wanted or imagined, not stated as a fact."""
HEDGE_ADVERBS = _split_words(
    """perhaps maybe possibly probably apparently seemingly arguably presumably reportedly allegedly
    supposedly
    conceivably potentially hopefully ideally"""
)
HEDGE_ADJECTIVES = _split_words("possible likely probable conceivable unlikely doubtful unclear uncertain")
WEAK_MODALS = _split_words("may might could would 'd should ought")
QUANTIFIERS = _split_words("few some most many more all each both others several none any")
ANONYMOUS = _split_words(
    "some many others they people critics skeptics cynics pundits opponents folks those everybody everyone"
)
"""Unnamed subjects whose words a speaker repeats in order to answer them."""
REPORT_NOUNS = _split_words(
    """idea ideas notion notions claim claims argument arguments theory theories myth opinion opinions
    suggestion belief beliefs lie lies allegation allegations rumor rumors assumption assumptions impression
    perception accusation accusations charge charges view views complaint complaints fiction pretense fear
    fears prediction predictions hypothesis supposition objection objections delusion illusion fallacy
    misconception"""
)
HEDGE_NOUNS = _split_words("hope hopes chance possibility likelihood prospect wish risk danger")
CONTENT_NOUNS = (
    REPORT_NOUNS
    | HEDGE_NOUNS
    | _split_words(
        """fact facts truth conviction conclusion promise pledge proof evidence news message feeling sense
    knowledge reason doubt confidence faith principle proposition understanding word announcement decision
    guarantee assurance condition demand requirement realization recognition reminder certainty case"""
    )
)
"""Nouns whose content a that-clause states, instead of describing them."""
ASSERTIONS = _split_words(
    """know knows knew known show shows showed shown prove proves proved proven remember remembers remembered
    forget forgets forgot forgotten understand understands understood realize realizes realized recognize
    recognizes recognized learn learns learned discover discovers discovered find finds found see sees saw
    seen demonstrate demonstrates demonstrated mean means meant note notes noted notice remind reminds
    reminded hear heard agree agrees agreed acknowledge acknowledges acknowledged confirm confirms confirmed
    is was are were be been 's admit admits admitted clear true sure certain glad proud happy sorry aware
    confident convinced obvious evident thank grateful pledge pledges pledged teach teaches taught hold holds
    held pray swear decide decides decided determine determined trust"""
)
"""Other verbs and adjectives before a clause that remains true without them."""
CLAUSE_TAKERS = REPORT_VERBS | HEDGE_VERBS | WISHES | ASSERTIONS | DENIALS
NAMING_VERBS = _split_words(
    """call calls called calling describe describes described describing characterize characterizes
    characterized label labels labeled dub dubs dubbed brand brands branded"""
)
"""Verbs before a name that somebody gives to a thing."""
PROMISES = _split_words(
    "promised promises promise claimed claims claim vowed vows threatened threatens pretended pretends"
)
FRAME_VERBS = _split_words(
    """may like want look ask remember please think go add consider check count recall wish prefer notice
    noticed watch"""
)
"""Verbs in conditions with "you" or "I" that only lead to a statement: "If you look at the map, ..."."""
QUESTION_OPENERS = QUESTION_WORDS | RELATIVES | {"where", "when"}
TAG_WORDS = _split_words("right okay ok huh yes yeah correct")
"""Words that may end a statement before a question mark."""
CONTRASTS = _split_words("but yet however nevertheless nonetheless still instead")
FIRST_PERSONS = _split_words("i we")
BROKEN_OFF = _split_words(
    """a an the of to or and that is are was were in on at for with by from my our your his her its their this
    these those i we he she it they you but if because as who which what so not be been has have had will
    would can could should may might 's 're 'm 've 'll do does did than when where while how why"""
)
"""Words that cannot end a phrase. Before a dash they show that the speaker broke off and started again."""
FILLERS = _split_words("uh um er erm uhm hmm")
DEICTIC = _split_words(
    """nation country land republic union world earth planet day night morning evening afternoon week
    month year decade century hour moment time age era generation chamber house congress senate
    administration government office city state town room hall place oath occasion ceremony society
    people president season campaign election war crisis battle fight struggle anniversary capital
    continent university school institution economy community way body audience gathering conference
    summit meeting table podium stage field memorial monument cemetery church temple building
    hospital factory plant base ship bridge river island border wall gate beach coast hemisphere
    region area county district commonwealth speech address message program broadcast celebration
    holiday weekend spring summer fall autumn winter pandemic virus presidency court spot site point
    soil hill square road street"""
)
"""Nouns that "this" can point to without an earlier sentence, because they are near the speaker."""
SUMMING_NOUNS = _split_words(
    """right test issue problem question matter bill law legislation act measure plan policy program
    effort goal purpose aim idea belief principle conviction view experience fact duty need cause
    challenge threat decision choice change approach process power authority rule treaty agreement
    proposal opinion case reason result step task responsibility commitment promise action practice
    trend strategy mission deal investment doctrine theory assault operation outcome attack event
    development victory achievement order resolution amendment reform project initiative system
    method behavior condition position situation argument difference disease success failure danger
    evil violence injustice tradition spirit peace conflict progress relief scourge suffering interest
    scandal wisdom knowledge habit custom"""
)
"""Nouns by which "this" sums up what was said before, also within a sentence."""

CONNECTIVES = _split_words(
    """and but or so yet nor then therefore thus however moreover furthermore also besides meanwhile
    nevertheless nonetheless instead otherwise consequently hence indeed likewise accordingly"""
)
IRREGULAR_PLURALS = _split_words(
    "people men women children police folk media youth majority team family public press"
)
MONTHS = _split_words("january february march april may june july august september october november december")
JUDGING_VERBS = _split_words(
    """make makes made making find finds found consider considers considered think thought deem deems deemed
    believe hold holds held"""
)
"""Verbs before "it" and an adjective that announce a clause: "make it clear that ..."."""
COMPOUND_HEADS = _split_words(
    "high low long short well ill self full part half first second third semi anti non pre post multi one two"
)
"""Words after which a dash without spaces stands for a hyphen: "high—capacity magazines"."""
ENUMERATORS = _split_words(
    "second third fourth fifth another other latter former both neither either likewise same"
)
TAKING_VERBS = _split_words(
    """answer answered break bring broke brought build built carried carry change changed choose chose
    close cross end ended face faced faces facing fight finish fought gave get gets give gives got
    held hold join joined keep kept leave left lose loses losing lost made make makes making meet met
    open pass passed reach reached seize share shared sign signed spend spending spends spent take takes
    taking took use used uses using"""
)
"""Verbs whose object is "that" with a noun, not a clause: "we face that point"."""

COLLECTIVES = _split_words(
    """all army band both class community couple crew crowd enemy few generation government group many
    most one pair some staff these those"""
)
"""Words besides plural nouns that "they" may refer to."""

THINGS = _split_words(
    """after anger another answer barrier border cancer career center chapter character color computer
    corner corridor danger december disaster door either error ever factor favor fever flavor floor
    frontier harbor honor horror humor hunger labor ladder layer letter major matter minor mirror
    motor neither never november number october offer order other over paper power quarter river
    rumor sector september shelter shoulder summer terror tower trigger under water weather winter
    wonder"""
)
"""Nouns of things whose ending looks like that of a person's noun."""

PERSONS = _split_words(
    """anybody anyone aunt author baby boy brother candidate captain child citizen colleague dad
    daughter dictator doctor driver each everybody everyone farmer father fellow friend general
    gentleman girl governor grandfather grandmother guy hero husband immigrant judge kid king lady
    lawyer leader man marine mayor member minister mom mother neighbor nobody nurse officer one
    opponent owner parent partner pastor patient person player poet predecessor president priest
    prince queen reporter sailor secretary senator sergeant singer sister slave soldier somebody
    someone son speaker stranger student successor survivor teacher uncle veteran victim voter who
    whoever whom wife woman worker writer"""
)
"""Words that "he" and "she" may refer to."""
QUOTING_VERBS = _split_words("said told tweeted wrote claimed argued")

SAYING_IN_TAGS = (
    r"(?:said|says|told|tells|added|wrote|writes|asked|argued|warned|declared|continued|insisted|promised|vowed"
    r"|spoke|announced|accused|explained|noted|recalled|called|pleaded|replied|answered|went on|put it)"
)
"""Match a verb that says in a draft who speaks: ", she told the crowd,"."""
