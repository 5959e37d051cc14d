"""What is sent arrives, and what cannot be sent is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rostrum_core.codec import decode, encode
from rostrum_core.errors import TaskError

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_plain_values_arrive_as_they_were(value):
    assert decode(encode({"value": value}))["value"] == value


@given(arrays.arrays(np.float32, arrays.array_shapes(min_side=0), elements=st.floats(-1e9, 1e9, width=32)))
def test_arrays_arrive_bit_for_bit(array):
    found = decode(encode(array))
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert found.tobytes() == array.tobytes()


def test_an_array_of_another_byte_order_arrives_with_its_values():
    assert decode(encode(np.array([1, 2], ">i4"))).tolist() == [1, 2]


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        np.array([np.nan], np.float32),
        np.array(["a"]),
        np.float32(1),
        {1},
        b"x",
        object(),
    ],
)
def test_what_has_no_form_is_refused(value):
    with pytest.raises(TaskError):
        encode({"value": value})


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"{",
        b"\xff",
        json.dumps({"__array__": "<f4", "shape": [2], "base64": "AAAA"}).encode(),
        json.dumps({"__array__": "O", "shape": [1], "base64": "AAAA"}).encode(),
        json.dumps({"__array__": "<f4"}).encode(),
        b"[" * 100_000,
    ],
)
def test_a_damaged_message_is_a_task_error(message):
    with pytest.raises(TaskError):
        decode(message)
