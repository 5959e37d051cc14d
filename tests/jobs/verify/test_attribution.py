"""Test who is said to have said a quotation, where a name stands on both sides of it."""

import pytest

from jobs.verify.attribution import find_attribution, make_name_test
from jobs.verify.drafts import find_quotes
from jobs.verify.speakers import is_role, is_same_person
from rostrum_core.types import Draft

is_president = make_name_test(
    ["John F. Kennedy", "Ronald Reagan", "Barack Obama", "Donald Trump", "Joe Biden", "Kamala Harris"]
)


@pytest.mark.parametrize(
    ("before", "after", "speaker"),
    [
        ("Reagan told Gorbachev: ", " Lincoln said that “so it is”.", "Reagan"),
        ("Reagan said, ", " Lincoln said “so it is”.", "Reagan"),
        ("Reagan told the crowd that ", " Lincoln said “so it is”.", "Reagan"),
        ("Reagan told the crowd, ", " Lincoln said so, too.", "Reagan"),
        ("It was a famous line. ", " Lincoln said that “so it is”.", None),
        ("It was a famous line. ", " Lincoln said that day.", "Lincoln"),
        ("It was a famous line. ", " Lincoln said.", "Lincoln"),
        ("What Trump said was ", ", Pelosi said.", "Pelosi"),
        ("Roosevelt said “so it is”, and King said ", ".", "King"),
        ("Roosevelt spoke first. ", ", King said.", "King"),
        ("Roosevelt spoke first. ", ", said Martin Luther King Jr.", "Martin Luther King Jr"),
        ("It is so, according to Kennedy: ", "", "Kennedy"),
        ("He turned to Kennedy: ", ", Nixon said.", "Nixon"),
        ("His predecessor, Barack Obama, had told Chicago that ", "", "Barack Obama"),
        ("", " – Franklin D. Roosevelt", "Franklin D. Roosevelt"),
        ("Reagan (1987): ", "", "Reagan"),
        ("Kennedy said “Ask what you can do”. He added: ", "", "Kennedy"),
        ("Fans of Lincoln know that he said, ", "", "Lincoln"),
        ("Secretary of State John Kerry said, ", "", "Secretary of State John Kerry"),
        ("Kennedy met the King. The King said ", ".", "Kennedy"),
        ("Kennedy’s line about the poor — ", " — is heard less.", "Kennedy"),
        ("Kennedy's speech in Michigan said that ", "", "Kennedy"),
        ("In Obama's words, ", "", "Obama"),
        ("“I have never been a quitter,” Nixon said; Carter, five years on, said ", "", "Carter"),
        ("Reagan told reporters that Lincoln had said ", "", "Lincoln"),
        ("Donald Trump came. Joe Biden said he had asked Trump: ", "", "Joe Biden"),
        ("George H. W. Bush, on Jan. 16, 1991: ", "", "George H. W. Bush"),
        ("Biden's was about unity: ", "", "Biden"),
        ("Obama's own verdict on it, in May 2011, was sober: ", "", "Obama"),
        ("* Nixon said no\n* Lincoln at Gettysburg: ", "\n* Ford said so", "Lincoln"),
        ("", " (President Trump, Jan. 30, 2018)", "President Trump"),
        ("", " - Ronald Reagan at the Brandenburg Gate, 12 June 1987", "Ronald Reagan"),
        ("", ", Cardona quoted Harris as saying.", "Harris"),
        ("FDR's best known line is ", "", "FDR"),
        ("Kennedy, 56 years earlier to the day: ", "", "Kennedy"),
        ("Biden, asked about Trump: ", "", "Biden"),
        ("Even Nixon, no friend of Kennedy, called it ", "", "Nixon"),
        ("As Reagan liked to say, ", "", "Reagan"),
        ("Sen. Bernie Sanders (I-Vt.) said ", "", "Sen. Bernie Sanders"),
        ("", ", as President Kennedy said in 1963.", "President Kennedy"),
        ("President Obama's 2010 State of the Union: ", "", "President Obama"),
    ],
)
def test_the_nearest_words_that_lead_to_a_quotation_say_whose_it_is(before, after, speaker) -> None:
    assert find_attribution(before, after, is_known=is_president).speaker == speaker


SEVERAL = """\
"Ask not," Kennedy said. "Ask what you can do." Johnson, speaking to Congress, said "we shall overcome."

“Four score and seven years ago,” Lincoln began, “our fathers came.” Churchill once called it "a curtain".

According to Roosevelt, it was "a date of infamy." "Yesterday," he said, "Japan attacked us." Bush answered
"I can hear you!" Clinton said "I did not." "Nothing more," said Ford.

"Tear it down!" Reagan said. "Let us go!" Nixon told reporters that "nothing was wrong".
"""
SPEAKERS = (
    "Kennedy Kennedy Johnson Lincoln Churchill Roosevelt Roosevelt Bush Clinton Ford Reagan Reagan Nixon"
)


@pytest.mark.parametrize(
    ("before", "after", "speaker"),
    [
        ("Trump’s lawyer said, ", "", None),
        ("A spokesman for Biden said, ", "", None),
        ("The wife of President Reagan said, ", "", None),
        ("According to Obama's aides, ", "", None),
        ("", ", Biden’s spokesman said.", None),
        ("", ", said a spokesman for Biden.", None),
        ("", ", said Biden spokesman Andrew Bates.", "Andrew Bates"),
        ("", ", Biden spokesman Andrew Bates said.", "Andrew Bates"),
        ("Biden’s spokesman, Andrew Bates, said: ", "", "Andrew Bates"),
        ("", ", writes Kennedy biographer Robert Dallek.", "Robert Dallek"),
        ("Kennedy spoke. A spokesman for the president said ", "", None),
        ("Kennedy spoke. The president's lawyer said ", "", None),
        ("Obama campaign officials said ", "", None),
        ("Kennedy spoke. ", ", according to the president.", "Kennedy"),
        ("Kennedy spoke. In a speech to the nation the president said ", "", "Kennedy"),
        ("Kennedy told aides that ", "", "Kennedy"),
        ("Kennedy spoke. The president told supporters ", "", "Kennedy"),
    ],
)
def test_an_aide_is_not_the_person_he_speaks_for(before, after, speaker) -> None:
    assert find_attribution(before, after, is_known=is_president).speaker == speaker


@pytest.mark.parametrize(
    ("before", "after", "speaker"),
    [
        ("Reagan won. In Berlin in 1987 the same president demanded: ", "", "Reagan"),
        ("Reagan won. The new president told the crowd, ", "", "Reagan"),
        ("Obama came. ", ", the President told them.", "Obama"),
        ("Obama won. The Illinois senator said, ", "", "Obama"),
        ("The Illinois senator said, ", "", None),
        ("AI: ", "", None),
        ("* Claim: ", "", None),
        ("Obama came. The Republican leader, Mitch McConnell, called it ", "", "Mitch McConnell"),
        ("ANALYSIS. Trump said ", "", "Trump"),
        ("Obama came. Asked about it, the president was terse: ", "", "Obama"),
        ("Some say Kennedy was naive. He was mocking them: ", "", "Kennedy"),
        ("Obama spoke. The sign read: ", "", None),
        ("Obama spoke. One banner said: ", "", None),
        ("Reagan said no.\n* Claim: ", " (FDR, 1933)", "FDR"),
        ("", "\n— President Carter, July 15, 1979", "President Carter"),
        ("Kennedy kam. Er sagte: ", "", "Kennedy"),
        ("Harris came. The secretary, she said, had shown ", "", "Harris"),
        ("Harris came. The former California attorney general said, ", "", "Harris"),
    ],
)
def test_a_role_a_place_and_a_topic_are_no_names(before, after, speaker) -> None:
    assert find_attribution(before, after, is_known=is_president).speaker == speaker


def test_a_speaker_who_quotes_somebody_says_the_words() -> None:
    attribution = find_attribution("Mr. Reagan, 69, also quoted Churchill: ", "")
    assert (attribution.speaker, attribution.others) == ("Mr. Reagan", ("Churchill",))
    assert attribution.is_relayed
    praised = find_attribution("Roosevelt praised the man ", ", Nixon said.")
    assert (praised.speaker, praised.others, praised.is_relayed) == ("Nixon", ("Roosevelt",), True)
    quoted = find_attribution("Biden spoke. Critics quoted him as saying: ", "", is_known=is_president)
    assert quoted.speaker == "Biden"
    assert find_attribution("Progressives had urged him to ", ", Biden said.").speaker == "Biden"


def test_a_pronoun_may_mean_whoever_is_named_before() -> None:
    before = "Trump spoke. Four years before, Obama had. "
    attribution = find_attribution(before, ", he told reporters.", is_known=is_president)
    assert (attribution.speaker, attribution.others) == ("Obama", ("Trump",))


@pytest.mark.parametrize(
    "before",
    [
        "The housing debate\n\nPeople met in the hall. ",
        "Housing was the theme of the day. ",
        "It was late. The Council met, and the Mayor came. ",
        "It was late, and the Council met. ",
        "1. Buses are to run later.\n2. Roads are to be built.\n- Bridges are to be mended. ",
        "Housing\n\nIt was late. ",
        "Council debates Water rights\n\nIt was late. ",
        "Is there a Right to Water?\n\nIt was late. ",
        "It was late.\n\nWhat the Talk of Water did\n\nIt rained. ",
        '"Water is all we have." It was late. ',
        "“Water is all we have.\n\n“Rain is rare.” It was late. ",
    ],
)
def test_a_capital_that_opens_a_sentence_or_stands_in_a_heading_makes_no_name(before) -> None:
    attribution = find_attribution(before, ", he said.")
    assert (attribution.speaker, attribution.others) == (None, ())


@pytest.mark.parametrize(
    ("before", "speaker"),
    [
        ("Peter Kovacs met the mayor. ", "Peter Kovacs"),
        ("Mr. Kovacs met the mayor. ", "Mr. Kovacs"),
        ("But Kovacs met the mayor. ", "Kovacs"),
        ("It was late when Kovacs met the mayor. ", "Kovacs"),
        ("“We go,” Kovacs told the mayor. ", "Kovacs"),
        ('"We go," Kovacs told the mayor. ', "Kovacs"),
        ("Peter Kovacs met Ann Lee. Kovacs was late. ", "Kovacs"),
        ("Budget\n\nPeter Kovacs met the mayor.\n\nIt was late. ", "Peter Kovacs"),
        ("Peter Kovacs met the mayor. People came. ", "Peter Kovacs"),
        ("“Who are we?” asked Peter Kovacs. Why, “all of us!”\n\nIt was late. ", "Peter Kovacs"),
        ("People met Peter Kovacs and\ncame late.\n\nHousing is dear. ", "Peter Kovacs"),
    ],
)
def test_a_person_whom_the_archive_lacks_may_be_the_one_of_a_pronoun(before, speaker) -> None:
    assert find_attribution(before, ", he said.").speaker == speaker


def test_a_known_person_counts_at_the_start_of_a_sentence_and_in_a_title() -> None:
    for before in ("Biden met the mayor. ", "Biden in Ohio\n\nPeople met. "):
        assert find_attribution(before, ", he said.", is_known=is_president).speaker == "Biden"


def test_a_word_that_may_be_a_name_is_only_another_person_who_may_be_meant() -> None:
    attribution = find_attribution("Peter Kovacs met the mayor. Stone came late. ", ", he said.")
    assert (attribution.speaker, attribution.others) == ("Peter Kovacs", ("Stone",))


@pytest.mark.parametrize(
    ("before", "after", "said_on"),
    [
        ("", ", he said of the law that expired in 2004.", None),
        ("Shootings, Biden said, ", " after the ban lapsed in 2004.", None),
        ("He said that in 2009 ", "", None),
        ("", ", Obama said of the war that Bush began in 2003.", None),
        ("When he spoke in 2009, Obama said: ", "", "2009"),
        ("In a letter that was published in May 2016, Cruz wrote ", "", "2016-05"),
        ("After the crash of 2008, in the spring of 2009, Obama said: ", "", "2009"),
        ("On Thursday, June 2, 2022, Biden said ", "", "2022-06-02"),
        ("On 26 June 1963 Kennedy said ", "", "1963-06-26"),
        ("", " (FDR, 1933)", "1933"),
        ("", " (President Trump, Jan. 30, 2018)", "2018-01-30"),
    ],
)
def test_the_day_of_another_event_is_not_that_of_the_saying(before, after, said_on) -> None:
    assert find_attribution(before, after).said_on == said_on


def test_each_of_several_quotations_has_its_own_speaker() -> None:
    speakers = [str(row.speaker) for row in find_quotes(Draft(left=SEVERAL))]
    assert speakers == SPEAKERS.split()


def test_a_day_in_the_next_sentence_is_not_that_of_the_quotation() -> None:
    after = " Johnson, speaking in 1965, said “so it is”."
    assert find_attribution("Kennedy said ", after, ends_sentence=True).said_on is None
    assert find_attribution("", " Johnson said in 1965.", ends_sentence=True).said_on == "1965"


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("King", "Martin Luther King, Jr.", True),
        ("King", "Martin Luther King Jr.", True),
        ("Sen. Angus King", "King", True),
        ("Steve King", "Angus King", False),
        ("Martin Luther King", "Martin Luther", False),
        ("John Kerry, Secretary of State", "Kerry", True),
        ("Judge Smith", "Mary Smith", True),
    ],
)
def test_a_surname_may_be_a_title(name, other, same) -> None:
    assert is_same_person(name, other) == same


def test_a_title_alone_is_a_role() -> None:
    assert is_role("The Judge")
    assert is_role("THE KING")
    assert not is_role("Angus King")


def test_two_sentences_with_an_attribution_each_are_two_quotations() -> None:
    text = "“Democracy has prevailed,” Biden said; “democracy is fragile,” he said also."
    assert [row.parts for row in find_quotes(Draft(left=text))] == [
        ("Democracy has prevailed,",),
        ("democracy is fragile,",),
    ]
    text = "“I never quit,” Nixon said; Carter, five years on, said “it is a crisis.”"
    assert [row.speaker for row in find_quotes(Draft(left=text))] == ["Nixon", "Carter"]
    text = "“It is our policy,” Washington wrote; “so far as we are at liberty.”"
    assert len(find_quotes(Draft(left=text))) == 1
