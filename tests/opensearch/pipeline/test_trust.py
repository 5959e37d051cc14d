"""What is trusted is added to what was trusted, and taken away again without a trace."""

import pytest

from opensearch import Connection
from opensearch.pipeline.trust import (
    FACTORIES,
    HIGHLIGHTER,
    PRIVATE,
    TRUSTED,
    Change,
    Setting,
    invert_changes,
    list_needed,
    parse_settings,
    put_back,
    read,
    serialise_settings,
)
from opensearch.server import Server
from rostrum_core.errors import StoreError

OURS, OTHER = "^http://ours$", "^http://other$"
DEFAULT = {
    TRUSTED: Setting(["^https://openai$"], None, "persistent"),
    PRIVATE: Setting("false", None, "persistent"),
}


def settings(trusted=("^https://openai$",), private="false", *, is_set=True, scope="persistent"):
    return {
        TRUSTED: Setting(list(trusted), list(trusted) if is_set else None, scope),
        PRIVATE: Setting(private, private if is_set else None, scope),
    }


def after(now, changes):
    """The settings once the changes are made; what is set to its default is as DEFAULT says."""
    made = {
        each.name: DEFAULT[each.name] if each.value is None else Setting(each.value, each.value, each.scope)
        for each in changes
    }
    return {**now, **made}


def test_the_list_keeps_what_it_held() -> None:
    changes = list_needed(DEFAULT, OURS, private=True)
    assert [(each.name, each.value) for each in changes] == [
        (TRUSTED, ["^https://openai$", OURS]),
        (PRIVATE, "true"),
    ]


def test_what_is_set_already_is_not_changed() -> None:
    assert list_needed(settings([OURS], "true"), OURS, private=True) == []
    assert list_needed(settings([OURS]), OURS, private=False) == []


def test_a_setting_is_changed_where_the_operator_set_it() -> None:
    changes = list_needed(settings(scope="transient"), OURS, private=True)
    assert {each.scope for each in changes} == {"transient"}


@pytest.mark.parametrize("before", [DEFAULT, settings(), settings([OTHER], "true"), settings([OURS], "true")])
def test_the_last_installation_leaves_all_as_it_was(before) -> None:
    now = after(before, list_needed(before, OURS, private=True))
    assert after(now, put_back(now, before, OURS, last=True)) == before


def test_of_two_installations_the_first_to_go_leaves_the_other_what_it_needs() -> None:
    one = after(DEFAULT, list_needed(DEFAULT, OURS, private=True))
    both = after(one, list_needed(one, OTHER, private=True))
    left = after(both, put_back(both, DEFAULT, OURS, last=False))
    assert (left[TRUSTED].value, left[PRIVATE].value) == (["^https://openai$", OTHER], "true")
    assert after(left, put_back(left, DEFAULT, OTHER, last=True)) == DEFAULT


def test_what_another_installation_asks_too_stays_trusted() -> None:
    now = after(DEFAULT, list_needed(DEFAULT, OURS, private=True))
    assert put_back(now, DEFAULT, None, last=False) == []


def test_what_others_trusted_meanwhile_stays() -> None:
    now = settings(["^https://openai$", OURS, "^http://later$"], "true")
    [trusted, private] = put_back(now, DEFAULT, OURS, last=True)
    assert trusted.value == ["^https://openai$", "^http://later$"]
    assert private.value is None


def told_by_a_cluster(serve, settings):
    """What is read of a cluster that tells these settings."""
    answers = {"/": {"version": {"number": "3.6.0", "distribution": "opensearch"}}}

    def answer(request):
        if request.path.startswith("/_cluster/settings"):
            return 200, settings
        return 200, answers.get(request.path, [{"component": "opensearch-knn"}])

    return read(Server(Connection(serve(answer))))


def test_a_list_that_was_set_as_one_text_keeps_what_it_held(serve) -> None:
    text = f"{OTHER}, ^http://third$"
    is_set = {"persistent": {TRUSTED: text}, "transient": {}, "defaults": {PRIVATE: "false"}}
    now = told_by_a_cluster(serve, is_set)
    [change] = list_needed(now, OURS, private=False)
    assert change.value == [OTHER, "^http://third$", OURS]
    assert invert_changes([change], now)[0].value == text


def test_changes_are_undone_to_what_was_told() -> None:
    before = settings(["a"], "false")
    changes = list_needed(before, OURS, private=True)
    assert invert_changes(changes, before) == [
        Change(TRUSTED, "persistent", ["a"], "as it was"),
        Change(PRIVATE, "persistent", "false", "as it was"),
    ]


def test_settings_are_kept_as_they_are() -> None:
    assert parse_settings(serialise_settings(DEFAULT)) == DEFAULT


def test_a_cluster_that_knows_no_such_setting_is_told(serve) -> None:
    with pytest.raises(StoreError, match=rf"knows no setting {TRUSTED}: it lacks the plugin opensearch-ml"):
        told_by_a_cluster(serve, {"transient": {}, "persistent": {}, "defaults": {}})


def with_factories(*names, is_set=True):
    return {**settings(), FACTORIES: Setting(list(names), list(names) if is_set else None, "persistent")}


def test_only_a_highlighter_needs_its_factory_and_adds_it_to_others():
    now = with_factories("mmr")
    assert list_needed(now, "^https://openai$", private=False) == []
    [change] = list_needed(now, "^https://openai$", private=False, highlights=True)
    assert (change.name, change.value) == (FACTORIES, ["mmr", HIGHLIGHTER])
    for used in (("*",), (HIGHLIGHTER,)):
        assert list_needed(with_factories(*used), "^https://openai$", private=False, highlights=True) == []


@pytest.mark.parametrize(
    ("before", "now", "value"),
    [
        (with_factories(is_set=False), (HIGHLIGHTER,), [None]),
        (with_factories("mmr"), ("mmr", HIGHLIGHTER), [["mmr"]]),
        (with_factories(HIGHLIGHTER), (HIGHLIGHTER,), []),
        (settings(), (HIGHLIGHTER,), [None]),  # kept by an installation that knew no highlighter
    ],
)
def test_the_last_highlighter_leaves_the_factories_as_they_were(before, now, value):
    changes = put_back(with_factories(*now), before, None, last=False, last_highlighter=True)
    assert [change.value for change in changes if change.name == FACTORIES] == value
    assert put_back(with_factories(*now), before, None, last=False) == []
