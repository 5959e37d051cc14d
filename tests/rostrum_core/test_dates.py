"""Dates as people write them."""

import pytest

from rostrum_core.dates import get_first_day, get_last_day
from rostrum_core.errors import BadInput


@pytest.mark.parametrize("reader", [get_first_day, get_last_day])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "196",
        "1962-13",
        "1962-00",
        "1962-00-01",
        "1962-09-00",
        "1962-9",
        "1962-02-30",
        "12.9.1962",
        "1962-09-12-1",
        "since",
        "0000",
        "１９６２",
    ],
)
def test_what_is_no_date_is_refused(reader: object, text: str) -> None:
    assert callable(reader)
    with pytest.raises(BadInput, match="not a date"):
        reader(text)
