"""`/v1/famous`: the shipped list, a list of one's own, filters, and what is refused."""

import pytest

from rostrum_core.famous_quotes import AttributionStatus, FamousQuote

DIVIDED = "The two parties will not speak, and brother is set against brother. As it is written,"
OWN = (
    FamousQuote(
        "house", "A house divided against itself cannot stand.", "Abraham Lincoln", tradition="American"
    ),
    FamousQuote(
        "gold", "All that glisters is not gold.", "William Shakespeare", status=AttributionStatus.VERIFIED
    ),
)


def ask(client, **form):
    return client.post("/v1/famous", json={"left": DIVIDED} | form)


@pytest.fixture(scope="module")
def own_list(service):
    service.lists.index("proverbs", OWN)
    return "proverbs"


def test_the_fitting_quote_of_the_shipped_list_comes_with_its_source(client) -> None:
    response = ask(client, filter={"authors": ["lincoln"]}, limit=1)
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["list"] == "famous"
    assert answer["listed"] >= 200
    assert {"famous", "encoder", "tokenizer"} == set(answer["models"])
    [best] = answer["quotes"]
    assert best["rank"] == 1
    assert best["quote"] == {
        "id": "lincoln-a-house-divided-against-itself",
        "text": "A house divided against itself cannot stand.",
        "author": "Abraham Lincoln",
        "work": "House Divided speech",
        "year": 1858,
        "tradition": "American",
        "themes": "division, unity, quarrel in a party, house, nation",
        "status": "attributed",
        "provenance": "Springfield, 16 June 1858",
        "document": None,
        "paragraph": None,
    }


def test_a_verified_line_links_to_its_paragraph(client) -> None:
    form = {
        "filter": {"statuses": ["verified"], "authors": ["Reagan"]},
        "left": "At the Brandenburg Gate he said:",
    }
    quotes = [row["quote"] for row in ask(client, **form).json()["quotes"]]
    [wall] = [quote for quote in quotes if quote["text"] == "Mr. Gorbachev, tear down this wall!"]
    speech = client.get(f"/v1/documents/{wall['document']}").json()
    assert wall["text"] in speech["paragraphs"][wall["paragraph"]]["text"]


def test_a_list_of_ones_own_is_used_by_its_name(client, own_list) -> None:
    answer = ask(client, list=own_list).json()
    assert (answer["list"], answer["listed"]) == ("proverbs", 2)
    assert [row["quote"]["id"] for row in answer["quotes"]] == ["house", "gold"]
    assert client.get("/v1/famous/lists").json() == {"lists": ["famous", "proverbs"]}


def test_a_list_that_is_indexed_again_is_read_again(client, service) -> None:
    service.lists.index("changing", OWN)
    assert ask(client, list="changing").json()["listed"] == 2
    service.lists.index("changing", OWN[:1])
    assert ask(client, list="changing").json()["listed"] == 1


def test_a_gap_in_one_text_is_the_same_as_two_sides(client, own_list) -> None:
    one = ask(client, list=own_list, left=f"{DIVIDED} [quote] So it was.").json()["quotes"]
    two = ask(client, list=own_list, right="So it was.").json()["quotes"]
    assert one == two


@pytest.mark.parametrize(
    ("chosen", "ids"),
    [
        ({"traditions": ["american"]}, ["house"]),
        ({"statuses": ["verified"]}, ["gold"]),
        ({"least_words": 7}, ["house"]),
        ({"most_words": 6, "authors": ["Lincoln"]}, []),
    ],
)
def test_filters_choose_quotes(client, own_list, chosen, ids) -> None:
    quotes = ask(client, list=own_list, filter=chosen).json()["quotes"]
    assert [row["quote"]["id"] for row in quotes] == ids


@pytest.mark.parametrize(
    ("form", "status", "field"),
    [
        ({"left": " "}, 422, "left"),
        ({"list": "absent"}, 422, "list"),
        ({"list": "../keys"}, 422, "list"),
        ({"limit": 0}, 422, "limit"),
        ({"filter": {"statuses": ["sure"]}}, 422, "filter.statuses.0"),
        ({"filter": {"author": "Lincoln"}}, 422, "filter.author"),
        ({"draft": DIVIDED}, 422, "draft"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_its_field(client, form, status, field) -> None:
    response = ask(client, **form)
    assert (response.status_code, response.json()["error"].get("field")) == (status, field), response.text


def test_a_request_without_enough_time_is_told_so(client) -> None:
    response = ask(client, timeout_ms=1)
    assert response.status_code == 504
    assert response.json()["error"]["field"] == "timeout_ms"
