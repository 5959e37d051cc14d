"""Long work goes on in its folder only as what it was begun as."""

import pytest

from rostrum_core.errors import BadInput
from training.run_settings import claim

MADE_OF = {"recipe": {"layers": 6, "rate": 1e-4}, "data": "a hash"}


def test_the_same_work_goes_on_and_other_work_is_refused_by_what_differs(tmp_path):
    path = tmp_path / "run" / "run.json"
    claim(path, MADE_OF)
    claim(path, MADE_OF)
    with pytest.raises(BadInput, match=r"holds work of another recipe\.rate: name another folder"):
        claim(path, {**MADE_OF, "recipe": {"layers": 6, "rate": 2e-4}})
    with pytest.raises(BadInput, match="of another base, data"):
        claim(path, {"recipe": MADE_OF["recipe"], "base": "b"})


def test_a_claim_that_cannot_be_read_is_no_claim_to_go_on_from(tmp_path):
    path = tmp_path / "run.json"
    path.write_text("{")
    with pytest.raises(BadInput, match="cannot be read"):
        claim(path, MADE_OF)
