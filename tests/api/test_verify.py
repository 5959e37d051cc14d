"""`/v1/verify`, and `/v2/check` as LanguageTool's clients ask it."""

import json

import pytest

ASK = "John F. Kennedy said: “Ask what your country can do for you, ask what you can do for your country.”"
EXACT = "ask not what your country can do for you—ask what you can do for your country"


def test_a_dropped_not_in_a_draft_is_altered(client) -> None:
    response = client.post("/v1/verify", json={"title": "Oaths", "left": ASK})
    assert response.status_code == 200, response.text
    [check] = response.json()["checks"]
    assert (check["verdict"], check["places"][0]["document"]) == ("altered", "1961-01-20-inaugural-address")
    assert check["differences"][0] == {
        "kind": "dropped",
        "quote": "",
        "source": "not",
        "meaning": ["negation"],
        "reason": None,
    }
    assert check["row"]["speaker"] == "John F. Kennedy"
    assert response.json()["counts"]["altered"] == 1


def test_quotes_are_checked_in_their_order(client) -> None:
    quotes = [
        {"id": "a", "quote": "The only thing we have to fear is fear itself", "speaker": "Lincoln"},
        {"id": "b", "quote": "The only thing we have to fear is fear itself", "speaker": "Roosevelt"},
        {"id": "c", "quote": "to fear"},
    ]
    checks = client.post("/v1/verify", json={"quotes": quotes}).json()["checks"]
    assert [(check["row"]["id"], check["verdict"]) for check in checks] == [
        ("a", "said_by_another"),
        ("b", "verbatim"),
        ("c", "cannot_be_checked"),
    ]


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({}, "quotes"),
        ({"left": ASK, "quotes": [{"quote": "One two three four"}]}, "quotes"),
        ({"quotes": [{"quote": " "}]}, "quote"),
        ({"quotes": [{"quote": "One two three four", "date": "soon"}]}, "date"),
    ],
)
def test_what_cannot_be_checked_is_refused_by_its_field(client, form, field) -> None:
    response = client.post("/v1/verify", json=form)
    assert response.status_code == 422 or response.status_code == 400
    assert response.json()["error"]["field"] == field


def check(client, **fields: str) -> dict:
    response = client.post("/v2/check", data=fields)
    assert response.status_code == 200, response.text
    return response.json()


def test_language_tool_underlines_an_altered_quotation_and_suggests_the_words(client) -> None:
    answer = check(client, text=ASK, language="en-US")
    [match] = answer["matches"]
    marked = ASK[match["offset"] : match["offset"] + match["length"]]
    assert marked == "Ask what your country can do for you, ask what you can do for your country."
    assert match["replacements"] == [{"value": EXACT}]
    assert match["rule"]["id"] == "ROSTRUM_ALTERED"
    assert "not" in match["message"]


def test_language_tool_counts_utf_16_code_units(client) -> None:
    plain, shifted = check(client, text=ASK), check(client, text=f"🚀 {ASK}")
    assert shifted["matches"][0]["offset"] == plain["matches"][0]["offset"] + 3


def test_language_tool_reads_annotated_text(client) -> None:
    head, tail = ASK.split("“")
    annotation = [{"text": head}, {"markup": "<q>", "interpretAs": "“"}, {"text": tail}]
    [match] = check(client, data=json.dumps({"annotation": annotation}))["matches"]
    sent = f"{head}<q>{tail}"
    assert sent[match["offset"] : match["offset"] + match["length"]].startswith("Ask what your country")


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ([{"text": "“"}, {"markup": "<b>"}], [{"markup": "</b>"}, {"text": "”"}]),
        (
            [{"markup": f"<q class='{'x' * 900}'>", "interpretAs": "“"}],
            [{"markup": "</q>", "interpretAs": "”"}],
        ),
        ([{"markup": f"<style>{'x' * 900}</style>"}, {"text": "“"}, {"markup": "<i>🚀"}], [{"text": "”"}]),
    ],
    ids=["bold", "long-tag", "long-style"],
)
def test_a_replacement_leaves_the_markup_around_the_quotation_as_it_is(client, opening, closing) -> None:
    head, words = ASK.removesuffix("”").split("“")
    words = words.removesuffix(".")
    pieces = [{"text": head}, *opening, {"text": words}, *closing, {"text": " So he said."}]
    [match] = check(client, data=json.dumps({"annotation": pieces}))["matches"]
    sent = "".join(piece.get("text") or piece["markup"] for piece in pieces).encode("utf-16-le")
    start, end = 2 * match["offset"], 2 * (match["offset"] + match["length"])
    assert sent[start:end].decode("utf-16-le") == words


def test_a_quotation_may_end_with_the_interpretation_of_markup(client) -> None:
    words = ASK.removesuffix(".”").split("“")[1]
    pieces = [{"text": f"John F. Kennedy said: “{words}"}, {"markup": "&#46;", "interpretAs": "."}]
    [match] = check(client, data=json.dumps({"annotation": [*pieces, {"text": "” So."}]}))["matches"]
    sent = f"John F. Kennedy said: “{words}&#46;” So."
    assert sent[match["offset"] : match["offset"] + match["length"]] == f"{words}&#46;"


def test_a_verbatim_quotation_is_not_underlined(client) -> None:
    assert check(client, text=f"Kennedy said: “{EXACT}.”")["matches"] == []


def test_language_tool_says_which_languages_it_knows(client) -> None:
    assert {"name": "English (US)", "code": "en", "longCode": "en-US"} in client.get("/v2/languages").json()
