"""The language check names each kind of fault, and lets good names pass."""

from tools.check_language import find_faults

FAULTY = '''
def words(told):
    """What a text says."""
    found = told
    return found


class Box:
    """Hold things."""

    def _kept(self):
        return [each for each in ()]
'''
SOUND = '''
def split_words(text):
    """Split a text."""
    return text.split()


class Box:
    """Hold things."""

    @property
    def size(self):
        return 1

    @classmethod
    def from_text(cls, text):
        return cls()

    def _keep(self, row):
        self.row = row
'''


def list_faults(tmp_path, source):
    path = tmp_path / "module.py"
    path.write_text(source)
    return [fault.rpartition(".py:")[2] for fault in find_faults(path)]


def test_each_kind_of_fault_is_named_with_its_line(tmp_path):
    assert list_faults(tmp_path, FAULTY) == [
        "2: words does not begin with a verb",
        "2: the parameter told names nothing: say what it is",
        "2: a docstring begins with 'what': begin with a verb",
        "4: found names nothing: say what it is",
        "11: _kept does not begin with a verb",
        "12: each names nothing: say what it is",
    ]


def test_verbs_properties_and_constructors_pass(tmp_path):
    assert list_faults(tmp_path, SOUND) == []
