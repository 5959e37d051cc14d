"""Spans read by a copy editor, and small ones of our own for each rule. `[` and `]` mark the span."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotations.grammar.passages import read_passage
from quotations.printing.mending import mend, shorten
from quotations.printing.print_rules import find_flaws
from quotations.printing.print_spans import FlawKind, PrintSpan

VERDICTS = {"M": 5, "G": 4, "B": 3, "C": 2}
JUDGED = [
    json.loads(line) for line in (Path(__file__).parent / "judged_spans.jsonl").read_text().splitlines()
]


def span_of(marked, **known):
    start, end = marked.index("["), marked.index("]") - 1
    return PrintSpan(read_passage(marked.replace("[", "").replace("]", "")), start, end, **known)


def rules(marked, **known):
    return {flaw.rule for flaw in find_flaws(span_of(marked, **known))}


def judged(row):
    passage = read_passage(row["text"], row["speaker"])
    return PrintSpan(passage, row["start_char"], row["end_char"], tuple(row["laughter"]), row["following"])


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: row["verdict"] + " " + row["reason"][:40])
def test_a_span_gets_the_verdict_of_the_copy_editor(row):
    flaws = [flaw for flaw in find_flaws(judged(row)) if flaw.kind > FlawKind.LENGTH]
    if row["reason"].startswith("list cut off"):
        assert {flaw.kind for flaw in flaws} == {
            FlawKind.BOUNDARY,
            FlawKind.CONTEXT,
        }  # both are in the reason
    else:
        assert (flaws[0].kind if flaws else 0) == VERDICTS.get(row["verdict"], 0)


@pytest.mark.parametrize("row", [row for row in JUDGED if row["verdict"] == "P"], ids=lambda row: "P")
def test_a_printable_span_stays_as_it_is(row):
    assert mend(judged(row))[0] == judged(row)


@pytest.mark.parametrize("row", [row for row in JUDGED if row["verdict"] == "M"], ids=lambda row: "M")
def test_another_persons_words_are_never_offered_without_them_or_a_warning(row):
    span, flaws = mend(judged(row))
    assert span.start_char < row["start_char"] or FlawKind.MEANING in {flaw.kind for flaw in flaws}


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        ("[We did what we — we did what was right].", "false start"),
        ("[It is the — the only way to do this work].", "false start"),
        ("[We are the people who will bring — do great things].", "false start"),
        ("[After being — no longer being a teacher, I built a house].", "false start"),
        ("He built it for the [men, women] and children of this land.", "inside a series"),
        ("[We built it for men, women], young people and children.", "inside a list"),
        ("We remember the [young men who stormed that beach].", "inside a noun phrase"),
        ("[Because the road was long and the night was dark].", "subordinate clause alone"),
        ("[Building a road with our own hands in the spring].", "gerund alone"),
        ("[Every man who came to this valley in the spring] built a house.", "subject without a verb"),
        ("[Here is the truth of the matter]: we have no time.", "before what follows the dash or colon"),
        ("[Will you come with us to the valley now]?", "question mark outside"),
        ("[And what better way to honor the valley than to build the bridge here]?", "question mark outside"),
        (
            "[We will not raise the toll of the bridge so long] as others do not raise theirs.",
            "inside a clause",
        ),
        ('[She told us, "Go on and build] the road."', "unbalanced marks"),
        ("[But we will build it again].", "opening connective"),
        ("[They will build it again in the spring].", "pronoun without referent"),
        ("[The third is the freedom to build roads].", "item of an enumeration"),
        ("[It is true that the road is long]. But we will walk it.", "concession"),
        ("[Some say that the road is too long for us].", "unnamed opinion"),
        ("We went, [you know, to the valley] in the spring.", "filler"),
    ],
)
def test_each_rule_finds_its_flaw(marked, rule):
    assert rule in rules(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "[We shall fight on the beaches, we shall fight on the landing grounds].",
        "[Much deeper—deeper than the well in the valley—lies the truth].",
        "[It is time to build the road again].",
        "They promised us [a road that leads to the valley].",
        "He wants [to build a road to the valley with us].",
        "[Building a road with our own hands is hard work].",
        "[If we build a road, they who follow us will walk it].",
        "[Never forget that we built this road by hand].",
    ],
)
def test_rhetoric_and_phrases_that_can_be_embedded_are_no_flaws(marked):
    assert rules(marked) == set()


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        ("[For freedom has many friends in the valley].", "opening connective"),
        ("[It's why we built the road by hand].", "pronoun without referent"),
        ("[In fact, we warned it was coming].", "pronoun without referent"),
        ("[He passed the old mill and never came back to it].", "pronoun without referent"),
        ("[That hope guides my conviction that roads matter].", "demonstrative without referent"),
        ("[We are deeply committed to this].", "demonstrative without referent"),
        ("[The road was more profound than that].", "demonstrative without referent"),
        ("[Every device has been used to deny this right].", "demonstrative without referent"),
        ("I know that for many, [the face of the valley is strange].", "reported_speech"),
        ("[We did not build the road] because it was easy.", "negation"),
        ("[The promise will not be kept] until we build the road.", "condition"),
        ("[The farmers are committing to use — committed to using their own hands].", "false start"),
        ("[The norms of responsibility — responsible conduct on the road are clear].", "false start"),
        (
            "[We have lost so much to this devastating] — this devastating winter that took our roads.",
            "inside a clause",
        ),
        ("They wish [to rest on the road], to wait.", "inside a list"),
        ("[We have to shore up the competitive]\\[ness\\] of the valley.", "inside a word"),
        ("[Without roads no trade is (inaudible) possible].", "marks of the transcript"),
        (
            "[I saw tears as I embraced them; their young children] — their young children wept.",
            "inside a clause",
        ),
        ("It is a place where so [many roads have been built].", "inside a noun phrase"),
        ("We see that the old mill and [the new road have come down together].", "inside a noun phrase"),
        ("[The three roads of our plan are these]:", "before what follows the dash or colon"),
    ],
)
def test_a_span_that_hangs_on_words_outside_is_flawed(marked, rule):
    assert rule in rules(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "[For many years, we have waited for the road].",
        "[Within these last 19 months we have built the road].",
        "[This is the tenth time we have met on the road].",
        "[Instead of rewarding failure, we build roads].",
        "[As long as the farmers rest, they—not we—will choose the road].",
        "[The crew of the ship honored us by the manner in which they lived].",
        "[Folks, it is time to build the road again].",
        "So [let us build the road again together].",
        "Because [if the farmers leave the valley, then we lose the road].",
    ],
)
def test_a_span_that_can_be_read_alone_is_not_flawed(marked):
    assert rules(marked) == set()


def mended(marked):
    span, _ = mend(span_of(marked))
    return span.text


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("[Will you come with us to the valley now]?", "Will you come with us to the valley now?"),
        ("[And we built the road in the spring].", "we built the road in the spring"),
        (
            "We remember the [young men who stormed that beach].",
            "We remember the young men who stormed that beach",
        ),
        (
            "Friends, I do not think that [the road is lost to us].",
            "I do not think that the road is lost to us",
        ),
        (
            "It means that — [it means that — it means that you can walk the road today].",
            "you can walk the road today",
        ),
        (
            "[This was the first nation in the valley to be built by hand].",
            "the first nation in the valley to be built by hand",
        ),
        (
            "[They promote cruel leaders in every part of the land].",
            "promote cruel leaders in every part of the land",
        ),
        (
            "[It would place the farmers in a better position].",
            "place the farmers in a better position",
        ),
        (
            "The farmers built the old road by hand. Yet [it was theirs for one winter only].",
            "The farmers built the old road by hand. Yet it was theirs for one winter only",
        ),
        (
            "[So, first of all, let me state the truth that the road is ours to build].",
            "let me state the truth that the road is ours to build",
        ),
        (
            "[First, the farmers must end their dependence on the road].",
            "the farmers must end their dependence on the road",
        ),
    ],
)
def test_a_flawed_span_moves_to_the_nearest_one_that_is_fit(marked, wanted):
    assert mended(marked) == wanted


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        (
            "[We need two safeguards: there must be strict supervision of all banks]; and an end.",
            "inside a list",
        ),
        ("The hope that [we have always had as a people is not simply a dream].", "inside a clause"),
        ("[One is a road that leads to the valley and the sea].", "pronoun without referent"),
        ("[It would put the farmers in a position to build the road].", "pronoun without referent"),
        ("[The bank is lowering — switched to lowering rates for us].", "false start"),
        ("[President Brown, Mrs. Brown, Secretary Gray, distinguished guests].", "no verb"),
        ("[I urge every farmer of this valley], to join me in the work.", "inside a clause"),
        ("We will make [the valley another country because it is ours].", "inside a clause"),
        ("He turned the tide of \\ — [destruction and saved our whole valley].", "inside a noun phrase"),
        ("Except in the valley, [no farmer sought to build a road].", "condition"),
        ("One day men will say: It was then that [we built the road to the valley].", "reported_speech"),
        ("But neither can two great and [powerful towns take comfort from the road].", "negation"),
        ("There is a road which, [in our own interest, must be kept open].", "inside a clause"),
        ("[The building of the road is such a matter].", "demonstrative without referent"),
        ("[With this promise taken, I build the road to the valley].", "demonstrative without referent"),
        ("[Neither expected that the war would last so long].", "pronoun without referent"),
        ("Fervently do we pray that [the long war may pass away from our valley].", "wish"),
        ("We will build a road so [all farmers of the valley can sell their grain].", "wish"),
        ("I proposed closing the old toll so [the rich pay more than the farmers of this valley].", "wish"),
        (
            "I ask that the town declare that since the flood, [the mill has been closed to all farmers].",
            "wish",
        ),
        ("So far as possible, [the people everywhere shall have a road to the sea].", "hedge"),
        ("You know what happens when the dam is sold, [strangers come for the water].", "condition"),
        ("They built a dam so that [no flood would ever reach our valley again].", "wish"),
        (
            "[He saw my brother fall. The last thing that he said was], “Do not give up the road.”",
            "before a quotation",
        ),
        (
            "[We have to fear fear itself—nameless], groundless terror that holds us back.",
            "inside a noun phrase",
        ),
        ("[There your children's lives will be shaped].", "pronoun without referent"),
        (
            "[We must never let the weight of this combination endanger our liberties].",
            "demonstrative without referent",
        ),
    ],
)
def test_what_a_copy_editor_stops_at_is_a_flaw(marked, rule):
    assert rule in rules(marked)


def test_what_another_says_of_himself_is_no_statement_of_the_speaker():
    marked = "He told us he was [more afraid of the road than of the sea]."
    assert "reported_speech" in rules(marked)
    assert mended(marked).startswith("He told us")


@pytest.mark.parametrize(
    "marked",
    [
        "[It would be wrong to build the road without you].",
        "The road was closed, and so [all farmers of the valley can sell their grain at home].",
        "It rained in the valley so [the rich pay more than the farmers of this valley].",
        "It is safe, [the most honest town in which to live].",
        "[To those asking for a third winter of war, I ask: What is there to win?]",
        "If we say so [the farmers of the valley will build a road].",
        "[I took heart from what Thoreau once said about the farmers of the valley], “whose hands are hard.”",
        "[We thank the farmers, and for that matter all people of the valley].",
        "[I urge every farmer of the valley to join me in the work].",
        "[The bank raised the price — a high price — of every road].",
    ],
)
def test_what_only_looks_like_a_flaw_is_none(marked):
    assert rules(marked) == set()


def test_a_place_that_there_is_is_no_flaw():
    assert not rules("[There is no strife, no prejudice and no national conflict in outer space].")


def test_a_predicate_may_be_left_out_to_lose_a_false_start():
    text = (
        "[Companies must protect their systems by guarding them against threats"
        " and sharing the practices that are — that are necessary]."
    )
    assert mended(text) == "Companies must protect their systems by guarding them against threats"


def test_a_sentence_before_is_added_that_says_what_there_is():
    text = "We build in the classrooms of America. [There your children's lives will be shaped]."
    assert mended(text) == "We build in the classrooms of America. There your children's lives will be shaped"


def test_of_a_far_too_long_span_a_part_is_offered():
    sentence = "We will build roads and schools in every state of the Union, and we will pay our debts"
    text = mended("[" + ". ".join([sentence] * 5) + "].")
    assert sentence in text
    assert len(text.split()) <= 40


def test_a_short_span_needs_no_shorter_one():
    assert shorten(span_of("[We built the road in the spring].")) is None


@given(st.text(alphabet='ab .,—?"“”Iif not they say', max_size=60), st.integers(0, 60), st.integers(1, 60))
def test_any_span_is_mended_to_a_range_of_its_paragraph(text, start, length):
    start = min(start, len(text))
    span, _ = mend(PrintSpan(read_passage(text), start, min(start + length, len(text))))
    assert 0 <= span.start_char <= span.end_char <= len(text)


def test_the_time_grows_with_the_length_of_the_paragraph():
    import time

    def seconds(times):
        text = "They say that the road is lost, but we will build it again in the spring. " * times
        began = time.process_time()
        mend(PrintSpan(read_passage(text), 14, 30))
        return time.process_time() - began

    seconds(1)
    assert seconds(80) < 40 * seconds(20) + 0.5


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        (
            "[The farmers of this valley know that their neighbors have], in the main, kept the road.",
            "inside a clause",
        ),
        (
            "[We will found a council of farmers which], like the old mill, will serve us all.",
            "inside a clause",
        ),
        (
            "[We built a council of farmers which, like the mill of old], will serve us all.",
            "inside a clause",
        ),
        ("[We knew something about the farmers, something] — something about the road.", "inside a clause"),
        ("[I see before me an incredibly] — incredible people of the valley.", "inside a clause"),
        ("[Many have spent years building more] than he did in his whole life.", "inside a clause"),
        ("[The wall was made as strong] as the farmers could build it.", "inside a clause"),
        ("[We help to build a country] where you need not fear the road.", "inside a clause"),
        ("[They are ready to build, but we must make sure] they know the road.", "inside a clause"),
        (
            "[The plan will be followed unless the winter shows a need] or change to be proper.",
            "inside a series",
        ),
        ("Here, on that [summer morning, the farmers were ready to march].", "inside a noun phrase"),
        (
            "If God is on your side, that truth and that [justice will prevail in the valley].",
            "inside a noun phrase",
        ),
        ("My letter of the 4th of May, [1802, is the key to my plan].", "inside a noun phrase"),
        (
            "A group of farmers — five men, [six women — part of the council — have built the road].",
            "inside a list",
        ),
        ("Did we take the kind of steps that — [to unite the valley and the town?]", "inside a clause"),
        ("It cost a fortune or [whatever the number turns out to be].", "subordinate clause alone"),
        ("It cost $[300 million to build the road through the valley].", "inside a word"),
        ("[I stood up for Anna — with Anna's family to build the road].", "false start"),
        ("[We paid for clean water road cuts — clean water, and road cuts].", "false start"),
        ("[We let the building of the road go over — get overseas].", "false start"),
        ("[I want you to know – now, I just have to say I am glad of the road].", "false start"),
        (
            "They will help fulfill — [the industry fulfill its duty to the people of the road].",
            "inside a clause",
        ),
        ("It will let — [the town build a new road for its children].", "inside a clause"),
        ("[They help fulfill — the industry fulfill its duty to the people of the road].", "false start"),
        ("It is not about whether or not — excuse me — [you can give them water on the road].", "question"),
        ("It is not about whether — [you can give them water on the road].", "question"),
        ("And no task — no task — [poses a greater threat to the road than the river].", "negation"),
        ("We met to ensure that the roads — [the roads are built in the way that helps all].", "wish"),
        (
            "The assumption was that [the roads we had built would be strong enough for the river].",
            "reported_speech",
        ),
        ("Raise the toll and mend the road, so [no one has to wade through the river].", "wish"),
        ("[It is about the road — excuse me — the bridge over the river].", "false start"),
        ("[It is the best road in U].S. history, and we built it.", "inside a word"),
        ("With that [being said, the rest of the road is going to be built].", "inside a clause"),
        ("[We do not build roads anymore], relatively speaking.", "hedge"),
        ("[This road is the best in the world], in my opinion.", "hedge"),
        ("[The old — an old mill burned down in the winter].", "false start"),
        ("[The town will provide narrow-gauge — a narrow-gauge railway to the sea].", "false start"),
        ("It is the safest, [the most honest town in which to live].", "inside a noun phrase"),
        ("[They will read it in 10], 20, 30, 50 years from now.", "inside a list"),
        (
            "And [there is nothing the miller would rather have], would want more than a road.",
            "inside a clause",
        ),
        ("[We have to make just — we have to make a choice].", "false start"),
        ("[I am getting to work right — right away on the road].", "false start"),
        ("[We pay for countries that are — have been poor for years].", "false start"),
        ("[We spent a lot of time together on this one].", "demonstrative without referent"),
        ("[We did just that with what I call our plan].", "demonstrative without referent"),
        ("[The farmers are working hard to get that done].", "demonstrative without referent"),
        ("[When I raised that before, some of you looked away].", "demonstrative without referent"),
        ("[I think not. No farmer could reach the point of doing this].", "demonstrative without referent"),
        ("[It is a milestone in a journey we have made for quite some time].", "pronoun without referent"),
        ("[It is nothing less than a challenge to the whole valley].", "pronoun without referent"),
        ("[It means farmers who work with schools that offer training].", "pronoun without referent"),
        ("I shall take care that [the laws be faithfully kept in the valley].", "wish"),
        ("We are launching the “Road to Home” initiative so [people can get home by night].", "wish"),
        ("The senator said, quote, [this bill is about the farmers of the valley].", "reported_speech"),
        ("Always will [our whole valley remember the winter of the war].", "inside a clause"),
        ("But here is [the point: Even if you doubt it, we will build the road].", "inside a clause"),
        ("A mill that is old or that [feeds sorrow may only do harm to the valley].", "inside a clause"),
        ("Let all know, whether it [wishes us well or ill, that we shall pay].", "inside a clause"),
        ("He mocked women, farmers, [smiths, old men -- now his target is the road].", "inside a list"),
        ("We will keep an over—the—[horizon watch on the road].", "inside a word"),
        ("[Friends, we cannot be pro-ex]- — pro-war and pro-peace.", "inside a word"),
        ("[We all must learn to work together honestly], openly, and with joy.", "inside a list"),
        ("[They lack the tools to get their fair — and get their fair share of the land].", "false start"),
        ("[Idleness — the idleness of one man may seem to last].", "false start"),
        ("[The time for a new vote of the farmers being not far distant].", "no verb"),
        ("But this time, it is [so different].", "scrap"),
        ("The towns had hoped [the use of force could be avoided].", "wish"),
        ("It is now projected [our trade is going to grow this year].", "reported_speech"),
        ("That is a poor belief. It leads to the conclusion that [war is inevitable].", "reported_speech"),
        ("[Our people are losing that faith, and no farmer knows why].", "demonstrative without referent"),
        ("We keep them by which to [test the true value of the old road].", "inside a clause"),
        ("That [the road is long and the winter hard I will not deny].", "inside a clause"),
        (
            "However fixed it may seem, the tide of time and [events will change the road].",
            "inside a noun phrase",
        ),
        ("[Let us focus instead on a more practical], more attainable peace.", "inside a noun phrase"),
        ("[It is real money for farmers who have faced], over these years, great debt.", "inside a clause"),
        (
            "[The farmers must not fear the winter, and must be], instead, a band of friends.",
            "inside a clause",
        ),
        ("[We know that this valley, ever growing smaller], must avoid another war.", "inside a clause"),
        ("[The price of the road will be small, no matter] how long it takes.", "inside a clause"),
        ("[It will cost no more than 10-, 12]-, 14,000 coins.", "inside a word"),
        ("[We built the road, as the previous spoker] \\ — speaker told us.", "inside a word"),
        ("[The wall offends the very valley — our very valley and its people].", "false start"),
        ("[We owe it to the friends of the history — of our historical road].", "false start"),
        ("[I leave my subject so far as to say that], holding it to be true, I agree.", "inside a clause"),
        ("[We thank the people who helped] <s>mend</s> [build] the road.", "inside a word"),
        ("[There are so many people in — farmers, rural folks and old men].", "false start"),
        ("We hold the fort; but beyond what we need for it, [there will be no use of force].", "condition"),
        ("They had one message for [all of us: Build the road. Just build it].", "inside a clause"),
        ("I promise you: as the old song says [sorrow may last but joy comes].", "reported_speech"),
        ("[Showing that from fear — the fear of winter — we can learn to build].", "gerund alone"),
        ("[It may be that the need for a road] and the fear of war will call for haste.", "inside a series"),
        ("[It is a tale of farmers, of winter], of the old road to the sea.", "inside a clause"),
        ("[It is a light for you], for your sons, for all the farmers.", "inside a clause"),
        ("Well, guess what? Not [a whole lot came down to the farmers of the valley].", "negation"),
        ("There is no evacuatio- — [evacuation of a valley that you can run in a day].", "negation"),
        ("The enemy thought farmers were weak, that [the future belonged to kings].", "reported_speech"),
        (
            "[The study shows that when a child goes to school—not to work]—they do well.",
            "before the main clause",
        ),
        ("[I know four years ago, as some of you have said], it felt like winter.", "before the main clause"),
        (
            "The road — investments that we made together that [only our town was able to make].",
            "inside a clause",
        ),
        ("[I mean, if I were writing a book and I said a king did that].", "no verb"),
        ("But if I were to say that we shall go, and do it soon, [then we must be bold].", "condition"),
        ("United, [there is little that the farmers of the valley cannot do].", "condition"),
    ],
)
def test_a_cut_inside_what_belongs_together_is_a_flaw(marked, rule):
    assert rule in rules(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "[Now, much has been made of the fact that the road is long].",
        "[We are making it clear to the farmers that the road is open].",
        "[I do not consider it necessary to close the road in winter].",
        "[We — each of us in this room who has built the road — must be clear in our resolve].",
        "[The road will be used according to need, and no farmer will pay].",
        "[Recall that earlier farmers built the road with their hands].",
        "It follows that [no farmer can leave the valley], according to circumstances.",
        "[We will build a road where the old mill stood].",
        "[A town that lives as a family must value all its farmers].",
        "Even as we rest, [we will keep an over—the—horizon watch on the road].",
        "I have come to the conclusion that [the road must be built by hand].",
        "But [always will our whole valley remember the winter of the war].",
    ],
)
def test_what_belongs_to_the_span_is_no_flaw(marked):
    assert rules(marked) == set()


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        (
            "The road cost $[300 million to build, and the farmers paid for every mile].",
            "The road cost $300 million to build, and the farmers paid for every mile",
        ),
        (
            "[The farmers of the valley paid no more than 10]%.",
            "The farmers of the valley paid no more than 10%",
        ),
        (
            "[That is why the farmers of this valley ask the town to come together].",
            "the farmers of this valley ask the town to come together",
        ),
        (
            "[It is for these reasons that I regard the road as our most important work].",
            "I regard the road as our most important work",
        ),
        (
            "[It is going to change the valley and put us on a path to the sea].",
            "change the valley and put us on a path to the sea",
        ),
        (
            "[He has called upon us to make good the promise of the valley].",
            "called upon us to make good the promise of the valley",
        ),
        (
            "[They risked their lives to build a road for all people].",
            "risked their lives to build a road for all people",
        ),
        ("ANNA LEE: [We must build the road again by hand].", "We must build the road again by hand"),
    ],
)
def test_the_words_offered_begin_and_end_where_an_editor_would_cut(marked, wanted):
    assert mended(marked) == wanted


def test_a_quotation_at_the_head_of_a_sentence_keeps_its_mark_and_its_source():
    text = '"[We built the road by hand in a winter of snow]," the farmers told me in the spring.'
    assert mended(text) == text.replace("[", "").replace("]", "")[:-1]


def test_a_quotation_of_others_with_its_marks_alone_is_flawed():
    text = '["We built the road by hand in a winter of snow]," the farmers told me in the spring.'
    assert "quoted_words" in rules(text.replace('snow],"', 'snow,"]'))


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        (
            "[The council looked for a quiet solution], only to learn that the mayor had left.",
            "The council looked for a quiet solution, only to learn that the mayor had left",
        ),
        (
            "[We were sure that this was a town of builders], not of speculators.",
            "We were sure that this was a town of builders, not of speculators",
        ),
        (
            "[The bridge is sound and strong], and I want to keep it that way.",
            "The bridge is sound and strong",
        ),
        (
            "[I know that years ago, as you have said], it felt like the end of the town.",
            "I know that years ago, as you have said, it felt like the end of the town",
        ),
    ],
)
def test_a_span_ends_inside_a_sentence_only_where_a_clause_ends(marked, text):
    assert mend(span_of(marked))[0].text == text


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        (
            "[That would be one of the biggest mills in the history of the county].",
            "one of the biggest mills in the history of the county",
        ),
        (
            "[They promote weak leaders, and they fan the flames of local violence in every village].",
            "fan the flames of local violence in every village",
        ),
        (
            "[They had the strength to open a long road from the harbor to the mill].",
            "had the strength to open a long road from the harbor to the mill",
        ),
    ],
)
def test_a_phrase_to_embed_replaces_a_sentence_that_cannot_be_read_alone(marked, text):
    span, flaws = mend(span_of(marked))
    assert (span.text, flaws) == (text, [])


@pytest.mark.parametrize(
    "marked",
    [
        "[That would not be one of the biggest mills in the history of the county].",
        "[They say that it was one of the biggest mills in the history of the county].",
        "[If that were one of the biggest mills in the county, they would know].",
    ],
)
def test_no_phrase_is_taken_from_a_denial_a_report_or_a_condition(marked):
    assert "biggest" not in mend(span_of(marked))[0].text or mend(span_of(marked))[1]


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        ("[We act when it comes in — whether it comes in by sea or by land].", "false start"),
        ("[We brought down child — poor child mortality in the valley].", "false start"),
        ("[Mr. Speaker, Senator Lee, distinguished guests], fellow citizens:", "no verb"),
        ("[Officers of the county doing their work, facing threats to their lives].", "no verb"),
        ("With clear, [lasting rules for the mill, the town can grow again].", "inside a noun phrase"),
        ("Remember that [he came home; that he saw the mill in flames].", "inside a series"),
        ("[No limits. The river is higher than the bridge of the old town].", "opening fragment"),
        ("[Yes, there was a quarrel about the bridge of the old town].", "opening connective"),
        ("[A monument to the kind of worker I spoke of earlier].", "back reference"),
        (
            "[We must be much harder on the sellers of gin to stop this scourge].",
            "demonstrative without referent",
        ),
        ("[We will press for peace in the interest of both].", "pronoun without referent"),
        ("[We are one nation – and their pain is our pain].", "pronoun without referent"),
        ("In order to do it — [get it done in the council, we need ten voices].", "inside a clause"),
        ("Our bread and [wine, salt and oil, did not last to the spring].", "inside a list"),
        ("[We are going to take — make sure we take back the mill].", "false start"),
        ("[We will see to it that both move through the council by spring].", "pronoun without referent"),
        (
            "[My clerk has been deeply involved in this from the very beginning].",
            "demonstrative without referent",
        ),
        ("Without trust, [there is no trade between the towns of the valley].", "condition"),
        ("In the absence of a bridge, [there is no way into the old town].", "condition"),
        ("[There can be no peace in this valley] without a just council.", "condition"),
        ("We cut the use of U.S. [coal by half before the end of the year].", "inside a noun phrase"),
        ("It is not a burden that Ohio or [any other state should bear alone].", "inside a list"),
        ("In the early years, that [law expired and we have mended nothing since].", "inside a noun phrase"),
        (
            "Our first mayor, [Ada Lee, wrote a long letter to the towns of the valley].",
            "inside a noun phrase",
        ),
        ("[Making sure we match our power with patience, and use it wisely].", "gerund alone"),
        ("[As do the miners, who work below the hills of the valley].", "subordinate clause alone"),
        ("You asked three. [The first one related to what, again]?", "question mark outside"),
        ("Perhaps [someday in the future there will be a moment when the towns meet].", "hedge"),
        ("Hopefully [the mill will open again before the end of the year].", "hedge"),
        ("[We know there is no easy road, but by work] — by work, we mend it.", "inside a clause"),
        ("[We are giving the mill — we’re giving the mill the power to grow].", "false start"),
        ("[Men came to stop the peaceful tranfer — transfer of the mill].", "false start"),
        ("[For without trust, there is no trade between the old towns].", "opening connective"),
        (
            "It is a hard game. And [worst of all, “If I can’t keep you down, I lose my place.”]",
            "quoted_words",
        ),
    ],
)
def test_rarer_faults_are_seen(marked, rule):
    assert rule in rules(marked)


def test_a_span_may_end_before_a_phrase_that_is_begun_again():
    span, flaws = mend(
        span_of("[The mayor watched the fire from the small room off my — off the great hall].")
    )
    assert (span.text, flaws) == ("The mayor watched the fire from the small room", [])


def test_a_cut_from_a_long_quotation_grows_to_its_closing_mark():
    text = 'Listen to him: "[We are here for more than the price of bread]. We came to stay. We will."'
    assert mend(span_of(text))[0].text.endswith('We will."')


def test_this_with_a_colon_announces_what_it_refers_to():
    assert not rules("[I made this sacred promise: to mend the bridge before the winter].")


def test_a_noun_phrase_may_end_before_which():
    assert not rules("[A remarkable loss of people in so short a time], which brings me to the mill.")


def test_flaws_that_begin_at_one_place_are_ordered_by_their_end():
    flaws = find_flaws(span_of("They met, [all — all — all our Eur- — all the towns mend the same road]."))
    starts_and_ends = [(flaw.start_char, flaw.end_char) for flaw in flaws if flaw.rule == "false start"]
    assert starts_and_ends == sorted(starts_and_ends)
    assert len(starts_and_ends) > len({start for start, _ in starts_and_ends})


def test_so_long_as_is_not_cut_after_so():
    span, _ = mend(span_of("So long as men are hungry, [there is no peace that will hold for a year]."))
    assert span.text.startswith("So long as")


@pytest.mark.parametrize(
    "marked",
    [
        "Without a doubt, [the bridge between the old towns will stand].",
        "[As is the custom in our valley, we meet at the bridge in spring].",
        "[Looking at the river, we see what our fathers built].",
        "But for too long, [we have ignored the towns along the river].",
        "Without fanfare, [the old miller gave his savings to the school].",
        "[For only ten coins a month, you can feed a child of the town].",
        "[We love our towns — town by town, we will mend the valley].",
        "[We will win — we’ll win for every town of the valley].",
        "[We must keep the dream alive — the hope alive in every town].",
        "Without looking back, [the old miller crossed the river at night].",
        "[The miller said, “A house divided against itself cannot stand.”]",
        "[The mayor wrote a book about the river, “The Long Way Home from the Sea.”]",
        "[We are free — free to speak in the market of the old town].",
    ],
)
def test_what_only_looks_like_a_rarer_fault_is_none(marked):
    assert not rules(marked)


def test_an_opening_for_is_left_out_and_what_it_opens_is_kept():
    span, flaws = mend(span_of("[For without trust, there is no trade between the old towns]."))
    assert (span.text, flaws) == ("without trust, there is no trade between the old towns", [])


def test_he_may_refer_to_every_citizen():
    assert not rules("[We protect the right of every citizen of the town to speak when he likes].")
