"""What rankers are timed with: all systems are asked the same, in turns."""

from benchmarks.ranking_times import ranker_layers, ranking_by, requests, times


def test_a_request_is_a_draft_with_as_many_candidates_and_their_word_pieces(data, models):
    (asked,) = requests(data, 1, 4, seed=1, pieces=models.wordpieces)
    assert asked.draft.title.startswith("A speech of ")
    assert len(asked.texts) == len(set(asked.texts)) == len(asked.tokens) == 4


def test_each_system_has_its_turn_for_every_request(data, models):
    asked, heard = requests(data, 2, 3, seed=1, pieces=models.wordpieces), []
    systems = {name: lambda _, name=name: heard.append(name) for name in ("ours", "theirs", "a third")}
    found = times(systems, asked, rounds=2, reference="ours")
    assert heard[3:] == ["ours", "theirs", "a third"] * 4  # after one turn to warm up
    assert found["ours"]["ratio"] == 1.0
    assert set(found["theirs"]) == {"p50_ms", "least_ms", "ratio"}


def test_a_system_of_two_models_ranks_with_both(data, models):
    (asked,) = requests(data, 1, 3, seed=1, pieces=models.wordpieces)
    heard = []

    class Listening:
        def rank(self, query, texts, tokens):
            heard.append((list(query), texts))
            return models.ranker.rank(query, texts, tokens)

    ranking_by([Listening(), Listening()], models.wordpieces)(asked)
    assert heard == [(list(models.wordpieces.query(asked.draft.title, asked.draft.left)), asked.texts)] * 2


def test_the_layers_counted_are_those_the_ranker_was_trained_with(models):
    assert ranker_layers(models.manifest.folder) == models.manifest.told["recipe"]["ranker"]["layers"]
