"""Test which names of authors mean the same person."""

import pytest

from jobs.famous.authors import is_same_author, may_be_same_author


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Shakespeare", "William Shakespeare"),
        ("Shakespeare, William", "William Shakespeare"),
        ("Julius Caesar", "Gaius Julius Caesar"),
        ("García Márquez", "Gabriel García Márquez"),
        ("Beauvoir", "Simone de Beauvoir"),
        ("Carl Clausewitz", "Carl von Clausewitz"),
        ("Jean Jacques Rousseau", "Jean-Jacques Rousseau"),
        ("John Kennedy", "John F. Kennedy"),
        ("John Fitzgerald Kennedy", "John F. Kennedy"),
        ("T. S. Eliot", "Thomas Stearns Eliot"),
        ("JRR Tolkien", "JRR Tolkien"),
        ("J.R.R. Tolkien", "John Ronald Reuel Tolkien"),
        ("Bill Clinton", "William J. Clinton"),
        ("Martin Luther King", "Martin Luther King Jr."),
        ("Pope", "Alexander Pope"),
        ("Lord Byron", "George Gordon Byron"),
        ("Tennyson", "Alfred, Lord Tennyson"),
        ("Friedrich Engels", "Karl Marx and Friedrich Engels"),
        ("Roosevelt, Franklin D. (Franklin Delano), 1882-1945", "Franklin D. Roosevelt"),
    ],
)
def test_a_shorter_form_of_a_name_is_the_same_author(name, other):
    assert is_same_author(name, other)
    assert is_same_author(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("John Adams", "John Quincy Adams"),
        ("Martin Luther", "Martin Luther King Jr."),
        ("Franklin", "Franklin D. Roosevelt"),
        ("Mary Wollstonecraft", "Mary Wollstonecraft Shelley"),
        ("George W. Bush", "George H. W. Bush"),
        ("Seneca", "Seneca the Younger"),
        ("Percy Shelley", "Percy Bysshe Shelley"),
    ],
)
def test_a_name_that_lacks_a_middle_name_or_a_surname_is_doubtful(name, other):
    for one, another in ((name, other), (other, name)):
        assert not is_same_author(one, another)
        assert may_be_same_author(one, another)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Robert Burns", "Robert Browning"),
        ("Franklin D. Roosevelt", "Theodore Roosevelt"),
        ("John Adams", "Samuel Adams"),
        ("Pliny the Elder", "Pliny the Younger"),
        ("", "Plato"),
    ],
)
def test_other_surnames_or_first_names_are_other_authors(name, other):
    for one, another in ((name, other), (other, name)):
        assert not may_be_same_author(one, another)


def test_a_father_is_not_his_son_of_the_same_name():
    assert not may_be_same_author("Oliver Wendell Holmes Sr.", "Oliver Wendell Holmes Jr.")
    assert is_same_author("Oliver Wendell Holmes", "Oliver Wendell Holmes Jr.")
