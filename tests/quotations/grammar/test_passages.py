"""Parsed paragraphs."""

from hypothesis import given
from hypothesis import strategies as st

from quotations.grammar.passages import Passage


@given(
    st.text(st.sampled_from("ab.\u00a0 \n\x1c\u2028"), max_size=12), st.integers(0, 12), st.integers(0, 12)
)
def test_words_of_a_range_are_counted_as_str_split_separates_them(text, start, length):
    start, end = min(start, len(text)), min(start + length, len(text))
    assert Passage(text).count_words(start, end) == len(text[start:end].split())
