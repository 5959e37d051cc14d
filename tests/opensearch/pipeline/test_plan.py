"""What an operator may choose, and what is registered for it."""

import json
import re

import pytest

from opensearch.pipeline.plan import Plan, trusted
from rostrum_core.errors import BadInput


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        ({"address": "10.0.0.1:8000"}, "address"),
        ({"address": "ftp://10.0.0.1"}, "address"),
        ({"address": "http://10.0.0.1:80x"}, "address"),
        ({"address": "http://[::1:9200"}, "address"),
        ({"address": "http://user:word@10.0.0.1"}, "address"),
        ({"address": "http://:word@10.0.0.1"}, "address"),
        ({"address": "http://10.0.0.1/?a=b"}, "address"),
        ({"pipeline": "Rostrum"}, "pipeline"),
        ({"pipeline": "a/b"}, "pipeline"),
        ({"pipeline": "_all"}, "pipeline"),
        ({"pipeline": "*"}, "pipeline"),
        ({"text_field": ""}, "text_field"),
        ({"text_field": "a,b"}, "text_field"),
        ({"id_field": "$.x"}, "id_field"),
    ],
)
def test_what_cannot_be_is_refused_with_its_name(choice, field) -> None:
    with pytest.raises(BadInput) as caught:
        Plan(**choice)
    assert caught.value.field == field


def test_an_address_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(BadInput, match="has a host or a port that cannot be read") as caught:
        Plan(address="http://user:se#cret@10.0.0.1:8000")
    assert "se" not in str(caught.value).replace("service", "")


def test_a_slash_at_the_end_of_the_address_does_not_matter() -> None:
    url = "https://quotes.example.org/rostrum/v1/rerank/opensearch"
    assert Plan(address="https://quotes.example.org/rostrum/").url == url
    assert Plan(address="https://quotes.example.org/rostrum").url == url


def test_the_cluster_trusts_the_route_and_no_address_like_it() -> None:
    pattern = Plan(address="http://10.0.0.1:8000").pattern
    assert re.fullmatch(pattern, "http://10.0.0.1:8000/v1/rerank/opensearch")
    for other in ("http://10x0.0.1:8000/v1/rerank/opensearch", "http://10.0.0.1:8000/v1/rerank/opensearch/x"):
        assert not re.fullmatch(pattern, other)
    assert trusted("http://a-b.c") == r"^http://a\-b\.c$"


@pytest.mark.parametrize(
    ("host", "private"),
    [("127.0.0.1", True), ("[::1]", True), ("10.1.2.3", True), ("rerank", True), ("8.8.8.8", False)],
)
def test_private_addresses_are_allowed_only_where_the_address_may_be_one(host, private) -> None:
    assert Plan(address=f"http://{host}:8000").may_be_private is private


def test_the_connector_waits_as_told_and_tells_our_service_so() -> None:
    body = Plan(timeout_s=3, connect_timeout_s=2).connector("{}", keyed=False)
    assert body["client_config"] == {"connection_timeout": 2, "read_timeout": 3, "max_retry_times": 0}
    [action] = body["actions"]
    asked = action["request_body"].replace("${parameters.documents}", '["a"]')
    assert json.loads(asked) == {"query": "${parameters.query}", "documents": ["a"], "timeout_ms": 3000}
    assert "Authorization" not in action["headers"]


def test_a_key_is_named_in_the_header_and_never_written() -> None:
    [action] = Plan().connector("{}", keyed=True)["actions"]
    assert action["headers"]["Authorization"] == "Bearer ${credential.key}"


def test_the_pipeline_reads_the_fields_that_were_named() -> None:
    body = Plan(text_field="body", id_field="meta.id", oversample=7).search_pipeline("m")
    assert body["request_processors"] == [{"oversample": {"sample_factor": 7}}]
    [mapping] = body["response_processors"][0]["ml_inference"]["input_map"]
    query = "$._request.ext.ml_inference.query_text"
    assert mapping == {"documents": "body", "ids": "meta.id", "query": query}
    assert body["response_processors"][0]["ml_inference"]["model_id"] == "m"


def test_a_failure_of_ours_fails_no_search() -> None:
    inference, rerank, _ = Plan().search_pipeline("m")["response_processors"]
    assert inference["ml_inference"]["ignore_failure"] is True
    assert rerank["rerank"]["ignore_failure"] is True
