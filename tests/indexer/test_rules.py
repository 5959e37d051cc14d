"""Files of rules: what they may say, how one extends another, and what is told where one is wrong."""

import pytest

from archive.shipped_files import locate_shipped
from indexer.rules import read_rules
from rostrum_core.errors import BadInput

ONE = '[[rule]]\nname = "one"\nwhere = "line"\npattern = "a"\n'


def rules(folder, *texts):
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"{number}.toml")
        paths[-1].write_text(text)
    return read_rules(paths)


def test_the_shipped_rules_are_read_and_have_names_of_their_own():
    text = locate_shipped("rules/boilerplate.toml").read_text()
    assert len(read_rules([locate_shipped("rules/boilerplate.toml")])) == text.count("[[rule]]")


def test_a_second_file_adds_rules_replaces_those_of_a_name_and_puts_some_off(tmp_path):
    first = ONE + ONE.replace("one", "two") + ONE.replace("one", "three")
    second = 'off = ["two"]\n' + ONE.replace('"a"', '"b"') + ONE.replace("one", "four")
    found = rules(tmp_path, first, second)
    assert [(rule.name, rule.pattern) for rule in found] == [("one", "b"), ("three", "a"), ("four", "a")]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rule", "0.toml"),
        ("[[rule]]\n", "rule 1: name is missing"),
        ("rule = 1", "expected"),
        ("rule = [1]", "rule 1: expected name, where and pattern"),
        ("rules = []", "rules"),
        ('off = ["x"]', "there is no rule 'x'"),
        ('off = "x"', "off is a list of names"),
        (ONE.replace("line", "middle"), "where is one of head, foot, line, within, page, beside-page"),
        (ONE + ONE.replace('"a"', '"a("'), "rule 2: 'a\\(' is not a pattern of RE2: missing \\)"),
        (ONE.replace('"a"', '"(?=a)"'), "not a pattern of RE2"),
        (ONE.replace('"a"', "'(a)\\1'"), "not a pattern of RE2"),
        (ONE.replace('"a"', '"((a{99}){99}){99}"'), "not a pattern of RE2"),
        (ONE + 'url = "("\n', "not a pattern of RE2"),
        (ONE.replace("line", "head") + "lines = 0\n", "lines is at least 1"),
        (ONE + "lines = 3\n", "only a rule for head or foot has lines"),
        (ONE + "lines = true\n", "lines is not a number"),
        (ONE + "url = 1\n", "url is not a text"),
        (ONE + 'speaker = "x"\n', "'speaker' is unknown"),
        (ONE + 'above = "x"\n', "only a rule for the head has above"),
        (ONE.replace("line", "page"), "has a group"),
        (ONE.replace('"a"', "'(?P<page>a)'"), "has a group"),
        (ONE.replace("line", "page").replace('"a"', "'(?P<page>[ivx]+)'"), "the group of a page is a number"),
    ],
)
def test_a_rule_that_is_none_is_told_with_its_file_and_number(tmp_path, text, complaint):
    with pytest.raises(BadInput, match=complaint):
        rules(tmp_path, text)


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "none.toml", tmp_path, tmp_path / "a.toml"):
        with pytest.raises(BadInput, match=str(path)):
            read_rules([path])


def test_a_broken_pattern_writes_nothing_to_standard_error(tmp_path, capfd):
    with pytest.raises(BadInput):
        rules(tmp_path, ONE.replace('"a"', '"("'))
    assert capfd.readouterr().err == ""
