"""Publications, rollbacks and removals at the same time leave one generation published."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from opensearch.generations import Generations
from rostrum_core.errors import StoreError

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


@pytest.fixture
def before(monkeypatch):
    """Has something done once before the next call of a method of `Generations`."""

    def act(name, doing):
        method = getattr(Generations, name)

        def intercepted(self, *arguments):
            monkeypatch.undo()
            doing()
            return method(self, *arguments)

        monkeypatch.setattr(Generations, name, intercepted)

    return act


def published(store):
    return [each.name for each in store.generations() if each.published]


def test_a_rollback_in_the_midst_of_a_publication_leaves_one_generation(open_store, entry, publish, before):
    writer, operator = open_store(), open_store()
    first = publish(writer, entry("a", ["spoken one"]))
    publish(writer, entry("a", ["spoken two"]))
    third = writer.begin(**HASHES).name
    writer.add(third, [entry("a", ["spoken three"])])
    before("show", lambda: operator.rollback(first))
    writer.publish(third)
    assert published(operator) == [third]
    assert operator.count() == (1, 1)


def test_what_was_just_rolled_back_to_is_not_removed(open_store, entry, publish, before):
    pruner, operator = open_store(), open_store()
    first = publish(pruner, entry("a", ["spoken one"]))
    second = publish(pruner, entry("a", ["spoken two"]))
    with ThreadPoolExecutor(1) as aside:
        rolling = []

        def roll_back():
            rolling.append(aside.submit(operator.rollback, first))
            with pytest.raises(TimeoutError):
                rolling[0].result(0.5)

        before("remove", roll_back)
        assert pruner.prune(1) == [first]
        with pytest.raises(StoreError, match=f"there is no generation {first}"):
            rolling[0].result()
    assert published(operator) == [second]
    assert operator.count() == (1, 1)
