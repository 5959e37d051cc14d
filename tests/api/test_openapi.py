"""The OpenAPI document against the service: examples are answered, and chance finds no fault."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from rostrum.api.descriptions import FIELDS
from rostrum.api.edge.keys import KeyScope, add_key
from rostrum.api.openapi import list_operations

SECONDS = "30"
SETTINGS = Path(__file__).with_name("schemathesis.toml")
FAST = {"candidates": "2", "timeout_s": "280", "api_requests_per_minute": "0"}


@pytest.mark.slow
def test_what_is_sent_by_chance_finds_no_fault_and_breaks_no_promise(
    served, sample_archive, tmp_path
) -> None:
    own = shutil.copytree(sample_archive, tmp_path / "archive")
    key = add_key(tmp_path / "keys.json", "chance", KeyScope.ADMIN)
    process = served("--archive", own, api_keys=str(tmp_path / "keys.json"), **FAST)
    program = Path(sys.executable).with_name("schemathesis")
    options = ["--max-time", SECONDS, "--max-examples", "50", "--seed", "1", "--continue-on-failure"]
    options += ["--phases", "examples,coverage,fuzzing", "-H", f"Authorization: Bearer {key}"]
    ran = subprocess.run(
        [program, "--config-file", SETTINGS, "--no-color", "run", f"{process.url}/openapi.json", *options],
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.api.json_lines"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-10_000:] + ran.stderr[-2_000:]
    assert httpx2.get(f"{process.url}/health").status_code == 200
    assert key not in process.read_output()


def test_every_example_of_the_document_is_answered(served, sample_archive, tmp_path) -> None:
    own = shutil.copytree(sample_archive, tmp_path / "archive")
    process = served("--archive", own, **FAST)
    count = 0
    with httpx2.Client(base_url=process.url, timeout=300) as client:
        document = client.get("/openapi.json").json()
        document["paths"].pop("/v1/jobs")  # has a worker in test_jobs.py
        published = client.get("/ready").json()["generation"]
        for path, of_path in document["paths"].items():
            for method, operation in of_path.items():
                for kind, example in examples(document, operation):
                    if "generation" in example:
                        example = example | {"generation": published}
                    body = {"json": example} if kind == "application/json" else {"content": example}
                    address = path.replace("{name}", published)
                    answer = client.request(method, address, headers={"Content-Type": kind}, **body)
                    assert answer.is_success, f"{method} {path}: {answer.text}"
                    count += 1
    assert count >= 5


def examples(document: dict, operation: dict):
    """The examples of an operation's body, each with its media type."""
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        found = [body["example"]] if "example" in body else []
        for schema in body["schema"].get("oneOf", [body["schema"]]):
            named = schema.get("$ref", "").rpartition("/")[2]
            found += document["components"]["schemas"].get(named, schema).get("examples", [])
        assert found, f"{operation['operationId']} has no example"
        yield from ((kind, example) for example in found)


@pytest.fixture(scope="module")
def document(client) -> dict:
    return client.get("/openapi.json").json()


def list_undescribed(document: dict) -> list[str]:
    """Return the fields and parameters that have no description."""
    schemas = document["components"]["schemas"].items()
    fields = [
        f"{schema}.{name}"
        for schema, about in schemas
        for name, field in about.get("properties", {}).items()
        if not field.get("description")
    ]
    parameters = [
        f"{operation['operationId']}({parameter['name']})"
        for methods in document["paths"].values()
        for operation in methods.values()
        for parameter in operation.get("parameters", ())
        if not parameter.get("description")
    ]
    return fields + parameters


def test_every_field_and_parameter_is_described_and_no_description_is_left_over(document) -> None:
    assert list_undescribed(document) == []
    schemas = document["components"]["schemas"]
    fields = {f"{schema}.{name}" for schema, about in schemas.items() for name in about.get("properties", ())}
    parameters = {each["name"] for op in list_operations(document) for each in op.get("parameters", ())}
    names = {field.partition(".")[2] for field in fields} | parameters
    assert sorted(FIELDS.keys() - names) == []


def test_operations_have_short_names_of_their_own(document) -> None:
    names = [each["operationId"] for each in list_operations(document)]
    assert len(set(names)) == len(names)
    assert {"recommend", "search", "get_document", "rerank_v2"} <= set(names)
    assert max(map(len, names)) < 25


def test_what_may_be_left_out_has_no_default_that_generators_would_demand(document) -> None:
    forms = {name: about for name, about in document["components"]["schemas"].items() if "Form" in name}
    defaults = [
        f"{name}.{field}"
        for name, about in forms.items()
        for field, schema in about["properties"].items()
        if "default" in schema
    ]
    assert defaults == []
    assert forms["RecommendForm"].get("required", []) == []
    assert forms["CohereForm"]["required"] == ["query", "documents"]


def test_keys_are_optional_and_headers_are_declared(document) -> None:
    recommend = document["paths"]["/v1/recommend"]["post"]
    assert recommend["security"] == [{}, {"HTTPBearer": []}]
    assert "Retry-After" in recommend["responses"]["4XX"]["headers"]
    search = document["paths"]["/v1/search"]["get"]
    assert "ETag" in search["responses"]["200"]["headers"]
    assert document["servers"] == [{"url": "/", "description": "This service"}]
    since = document["components"]["schemas"]["FilterForm"]["properties"]["since"]
    [pattern] = [each["pattern"] for each in since["anyOf"] if "pattern" in each]
    assert re.fullmatch(pattern, "1962-09-12")
    assert not re.fullmatch(pattern, "0" * 100)
