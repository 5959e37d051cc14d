"""The speeches and the matcher of the tests of `quotations`, for the tests of a whole run."""

from tests.quotations.conftest import matcher, speeches

__all__ = ["matcher", "speeches"]
