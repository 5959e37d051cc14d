"""The sample of docstrings that somebody reads who has not seen the code."""

import pytest

from tools.sample_docstrings import draw_docstrings, read_docstrings

MODULE = '''"""Say what it is for."""


class Speech:
    """Hold a speech."""

    def print(self):
        """Print it.

        Twice.
        """


async def undocumented():
    pass
'''


def test_every_docstring_is_read_with_its_place(tmp_path):
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "inner" / "module.py").write_text(MODULE, "utf-8")
    read = [(one.path.as_posix(), one.line, one.signature, one.text) for one in read_docstrings(package)]
    assert read == [
        ("package/inner/module.py", 1, "module", "Say what it is for."),
        ("package/inner/module.py", 4, "class Speech", "Hold a speech."),
        ("package/inner/module.py", 7, "print(self)", "Print it.\n\nTwice."),
    ]


@pytest.mark.slow
def test_the_same_seed_draws_the_same_docstrings():
    drawn = draw_docstrings(3, 12)
    assert drawn == draw_docstrings(3, 12) != draw_docstrings(4, 12)
    assert len(set(drawn)) == 12
