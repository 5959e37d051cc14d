"""Test lists of well-known quotes as they are read from files, and kept on disk."""

import numpy as np
import pytest

from jobs.famous.encoding import Vectors
from jobs.famous.list_file import read_list, write_list
from jobs.famous.quote_list import QuoteList, read_quote_list
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import FamousQuote


@pytest.mark.parametrize("mark", "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
def test_a_saved_list_is_read_again_whatever_separators_its_quotes_have(tmp_path, mark) -> None:
    quotes = (FamousQuote(f"a{mark}b", f"We came.{mark}We planted."), FamousQuote("2", "We watered."))
    vectors = np.eye(2, dtype=np.float32)
    write_list(tmp_path / "own", QuoteList("own", quotes, Vectors(vectors, vectors)), {})
    assert read_list(tmp_path / "own", {}).quotes == quotes


def test_the_header_of_a_table_may_be_in_upper_case(tmp_path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("Text, AUTHOR ,Year\nAlways do right.,Mark Twain,1901\n", "utf-8")
    [quote] = read_quote_list(path)
    assert (quote.text, quote.author, quote.year) == ("Always do right.", "Mark Twain", 1901)


def test_a_quotation_mark_left_open_is_bad_input_that_names_file_and_row(tmp_path) -> None:
    path = tmp_path / "list.csv"
    rows = '"Always do right, Twain\n' + "a b c d e f g h,Kennedy\n" * 10_000
    path.write_text(f"text,author\nWell begun is half done.,Aristotle\n{rows}", "utf-8")
    with pytest.raises(BadInput, match=r"list\.csv, row 2: .*is a quotation mark left open\?"):
        read_quote_list(path)


def test_a_quote_of_invisible_characters_is_missing(tmp_path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text('{"text": "We came."}\n{"text": "\\u200b\\ufeff"}\n', "utf-8")
    with pytest.raises(BadInput, match="row 2: text is missing"):
        read_quote_list(path)


def test_there_is_no_year_0_but_there_are_years_before_christ(tmp_path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("text,year\nThe die is cast.,-49\nWell begun is half done.,\n", "utf-8")
    assert [quote.year for quote in read_quote_list(path)] == [-49, None]
    path.write_text("text,year\nThe die is cast.,0\n", "utf-8")
    with pytest.raises(BadInput, match="row 1: there was no year 0"):
        read_quote_list(path)


def test_a_value_after_the_last_column_is_measured_too(tmp_path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"text\nWell begun.,{'a' * 131_073}\n", "utf-8")
    with pytest.raises(BadInput, match="row 1: a value of more than 131,072 characters"):
        read_quote_list(path)
