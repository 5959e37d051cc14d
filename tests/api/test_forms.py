"""The bodies of requests: null is a field left out, in every form alike, and what is needed is needed."""

import pytest
from pydantic import ValidationError

from rostrum.api.routes.drafts import FilterForm, RecommendForm
from rostrum.api.routes.jobs import RefreshForm
from rostrum.api.routes.rerank.cohere import CohereForm
from rostrum.api.routes.rerank.hits import HitsForm
from rostrum.api.routes.rerank.tei import TeiForm
from rostrum.api.routes.search import SearchForm

from .conftest import MOON

FORMS = {
    RecommendForm: (),
    SearchForm: (),
    FilterForm: (),
    RefreshForm: (),
    CohereForm: ("query", "documents"),
    HitsForm: ("query", "documents"),
    TeiForm: ("query", "texts"),
}
NEEDED = {"query": "moon", "documents": ["a"], "texts": ["a"]}


@pytest.mark.parametrize(("form", "needed"), FORMS.items())
def test_null_is_as_good_as_nothing_in_every_field_that_may_be_left_out(form, needed) -> None:
    fields = {name: NEEDED[name] for name in needed}
    nulls = dict.fromkeys(form.model_fields.keys() - set(needed))
    assert form.model_validate(fields | nulls) == form.model_validate(fields)


@pytest.mark.parametrize(
    ("form", "name"), [(form, name) for form, needed in FORMS.items() for name in needed]
)
def test_null_is_no_value_of_a_field_that_is_needed(form, name) -> None:
    fields = {each: NEEDED[each] for each in FORMS[form]}
    with pytest.raises(ValidationError) as refused:
        form.model_validate(fields | {name: None})
    assert [error["loc"] for error in refused.value.errors()] == [(name,)]


def test_the_document_of_the_service_says_where_null_is_taken(client) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    for form, needed in FORMS.items():
        fields = schemas[form.__name__]["properties"]
        nullable = {name for name, field in fields.items() if {"type": "null"} in field.get("anyOf", ())}
        assert nullable == fields.keys() - set(needed)
    assert schemas["SearchForm"]["properties"]["limit"]["description"].endswith("Default: 10")


def test_nulls_are_answered_as_what_was_left_out_is(client) -> None:
    nulls = dict.fromkeys(("right", "filter", "limit", "offset", "candidates", "timeout_ms"))
    answers = [
        client.post("/v1/search", json=MOON | fields)
        for fields in ({}, nulls, {"filter": {"speakers": None}})
    ]
    assert [each.status_code for each in answers] == [200] * 3
    assert len({each.headers["etag"] for each in answers}) == 1


def test_an_unknown_field_is_unknown_though_it_is_null(client) -> None:
    answer = client.post("/v1/search", json=MOON | {"limt": None})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "limt")


def test_null_in_place_of_documents_leaves_texts_to_be_reranked(client) -> None:
    answer = client.post("/rerank", json={"query": "moon", "texts": ["The moon."], "documents": None})
    assert [each["index"] for each in answer.json()] == [0]
