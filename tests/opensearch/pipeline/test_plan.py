"""What an operator may choose, and what is registered for it."""

import json
import re

import pytest

from opensearch.pipeline.plan import Plan, build_trusted_pattern
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
        ({"text_field": "a..b"}, "text_field"),
        ({"text_field": "a."}, "text_field"),
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
    assert build_trusted_pattern("http://a-b.c") == r"^http://a\-b\.c$"


@pytest.mark.parametrize(
    ("host", "private"),
    [("127.0.0.1", True), ("[::1]", True), ("10.1.2.3", True), ("rerank", True), ("8.8.8.8", False)],
)
def test_private_addresses_are_allowed_only_where_the_address_may_be_one(host, private) -> None:
    assert Plan(address=f"http://{host}:8000").may_be_private is private


def test_the_connector_waits_as_told_and_tells_our_service_so() -> None:
    body = Plan(timeout_s=3, connect_timeout_s=2).build_connector("{}", keyed=False)
    assert body["client_config"] == {"connection_timeout": 2, "read_timeout": 3, "max_retry_times": 0}
    [action] = body["actions"]
    body = json.loads(action["request_body"])
    assert body["timeout_ms"] == 3000
    names = {"query": "query64", "documents": "documents64", "ids": "ids64"}
    assert body["encoded"] == {name: f"${{parameters.{value}}}" for name, value in names.items()}
    script = action["pre_process_function"]
    assert all(f"params.{name}.encodeBase64()" in script for name in names)
    assert all(f'"{value}"' in script for value in names.values())
    assert "Authorization" not in action["headers"]


def test_a_key_is_named_in_the_header_and_never_written() -> None:
    [action] = Plan().build_connector("{}", keyed=True)["actions"]
    assert action["headers"]["Authorization"] == "Bearer ${credential.key}"


def test_the_pipeline_reads_the_fields_that_were_named() -> None:
    inference = Plan(text_field="body", id_field="meta.id").search_pipeline("m")["response_processors"][0]
    [inputs] = inference["ml_inference"]["input_map"]
    assert inputs["documents"].endswith(")]['body']")
    assert inputs["ids"].endswith(")]['meta']['id']")
    assert inputs["query"].startswith("$._request.concat(")
    assert inference["ml_inference"]["model_id"] == "m"


def test_no_processor_changes_how_many_hits_a_search_returns() -> None:
    body = Plan().search_pipeline("m")
    assert "request_processors" not in body
    kinds = [next(iter(each)) for each in body["response_processors"]]
    assert kinds == ["ml_inference", "rerank"]


def test_a_failure_of_ours_fails_no_search() -> None:
    inference, rerank = Plan().search_pipeline("m")["response_processors"]
    assert inference["ml_inference"]["ignore_failure"] is True
    assert rerank["rerank"]["ignore_failure"] is True
