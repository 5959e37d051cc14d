"""A body of JSON is bounded in values and depth before anything is built from it."""

import json
import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.api.app import PARTS
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.json_body import StrictRoute, parse_json
from rostrum.api.edge.json_bounds import MOST_DEPTH, MOST_VALUES, JsonBounds, JsonLinesBounds

VALUES = st.recursive(
    st.none() | st.integers() | st.text('",[]{}\\a', max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text('"\\,[', max_size=3), inner, max_size=4)
    ),
    max_leaves=30,
)


def count(value: object) -> tuple[int, int]:
    """Values beyond the first of each container plus containers, and levels, by walking what is built."""
    if not isinstance(value, list | dict):
        return 0, 0
    inner = [count(item) for item in (value.values() if isinstance(value, dict) else value)]
    return 1 + max(0, len(value) - 1) + sum(n for n, _ in inner), 1 + max((d for _, d in inner), default=0)


@given(VALUES, st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_values_and_levels_are_those_of_the_parsed_text_however_it_is_cut(value: object, seed: int) -> None:
    text, cut, bounds, depth = json.dumps(value).encode(), random.Random(seed), JsonBounds(), 0
    while text:
        size = cut.randint(1, 7)
        bounds.feed(text[:size])
        depth = max(depth, bounds._depth)
        text = text[size:]
    values, levels = count(value)
    assert bounds._values == values
    assert (bounds._depth, bounds._in_string, bounds._carried) == (0, False, b"")
    assert depth <= levels


def refused(bounds: JsonBounds | JsonLinesBounds, *pieces: bytes) -> str:
    with pytest.raises(Refused) as found:
        feed_all(bounds, pieces)
    assert (found.value.status_code, found.value.code) == (413, "too_large")
    return str(found.value.detail)


def feed_all(bounds: JsonBounds | JsonLinesBounds, pieces: Sequence[bytes]) -> None:
    for piece in pieces:
        bounds.feed(piece)


@pytest.mark.parametrize("piece", [b"[],", b"{},", b"0,", b'"",', b'{"a":[]},'])
def test_a_body_of_empty_values_is_refused_after_so_many(piece: bytes) -> None:
    assert "values" in refused(JsonBounds(), b"[", *[piece * 10_000] * (MOST_VALUES // 10_000 + 1))


def test_a_body_that_is_nested_too_deeply_is_refused() -> None:
    JsonBounds().feed(b"[" * MOST_DEPTH)
    assert "levels" in refused(JsonBounds(), b"[" * (MOST_DEPTH + 1))
    assert "levels" in refused(JsonBounds(), *[b"[" * 60, b'{"a":' * 60])


def test_text_is_not_counted() -> None:
    bounds = JsonBounds()
    bounds.feed(json.dumps('a, [b] {c} \\ " ' * MOST_VALUES).encode())
    assert (bounds._values, bounds._depth) == (0, 0)


def test_each_line_of_json_lines_has_the_bounds_of_its_own() -> None:
    bounds = JsonLinesBounds()
    for _ in range(30):
        bounds.feed(b"[" + b"0," * 60_000 + b"0]\n")
    assert "values" in refused(bounds, b"[" + b"0," * 60_000, *[b"0," * 60_000] * 3)


def test_sixteen_mebibytes_are_counted_in_less_than_a_second() -> None:
    bounds, piece = JsonBounds(), b'"\\"' * 21_845
    began = time.process_time()
    for _ in range(256):
        bounds.feed(piece)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "[NaN]", "[Infinity]", "[-Infinity]", "[1e999]"])
def test_what_json_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(Refused) as found:
        parse_json(text.encode())
    assert found.value.status_code == 400


def test_every_route_with_a_body_of_json_reads_it_strictly() -> None:
    routes = [route for part in PARTS for route in part.router.routes]
    bodies = [route for route in routes if route.body_field is not None]
    assert len(bodies) >= 6
    assert [route.path for route in bodies if not isinstance(route, StrictRoute)] == []


@pytest.mark.parametrize(
    "fault", [b'"limit": 1, "limit": 2', b'"limit": NaN', b'"x": ' + b"[" * 200, b'"x": [' + b"[]," * 300_000]
)
@pytest.mark.parametrize("path", ["/v1/recommend", "/v1/rerank", "/rerank", "/v1/rerank/opensearch"])
def test_faults_of_json_are_answered_before_the_route_works(client, path: str, fault: bytes) -> None:
    body = b'{"query": "q", "documents": ["a"], ' + fault + b"}"
    answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 413), answer.text
    assert "message" in answer.text
