"""Tables of quality show what results say, marks of significance and all."""

from benchmarks.choice_tables import (
    following_table,
    layers_table,
    ranked_table,
    rankers_table,
    span_rules_table,
    training_choices_table,
)
from benchmarks.quality_tables import (
    ablation_table,
    draft_part_table,
    paper_models_table,
    paper_tests_table,
    ranking_table,
    span_table,
)

FIGURES = {"map": 40.0, "mrr": 41.0, "acc@1": 25.0, "acc@3": 45.0, "acc@5": 55.04}
SYSTEMS = ("bm25", "dense", "ranker", "fusion", "first_stage", "model")
QUALITY = {
    "models": {"name": "rostrum-9"},
    "split": "test",
    "n": 1600,
    "ranking": dict.fromkeys(SYSTEMS, FIGURES),
    "spans": {
        name: {"positive": {"em": 1.0, "f1": 2.0}, "top": {"em": 3.0, "f1": 4.0}}
        for name in ("full paragraph", "first sentence", "last sentence", "model")
    },
    "p_values": {
        "average_precision": {
            system: {"bm25": 0.001 if system == "model" else 0.5, "model": 0.02} for system in SYSTEMS
        },
        "span_em": {
            setting: {
                "model": {"full paragraph": 0.001},
                "full paragraph": {"model": 0.001},
                "first sentence": {"full paragraph": 0.001, "model": 0.5},
                "last sentence": {"full paragraph": 0.5, "model": 0.5},
            }
            for setting in ("positive", "top")
        },
        "span_f1": {
            setting: {
                "model": {"full paragraph": 0.2},
                "full paragraph": {"model": 0.2},
                "first sentence": {"full paragraph": 0.001, "model": 0.009},
                "last sentence": {"full paragraph": 0.01, "model": 0.01},
            }
            for setting in ("positive", "top")
        },
    },
}
BASELINES = {
    "models": {"name": "rostrum-9"},
    "ranking": {
        "bm25": {**FIGURES, "p_values": {}},
        "shared-norm-6-encoder": {**FIGURES, "p_values": {}},  # has a table of its own
        "tf-idf": {**FIGURES, "map": 12.0, "spread": {"map": 0.46}, "p_values": {"map": {"bm25": 0.001}}},
        "doc2vec": {**FIGURES, "map": 9.0, "p_values": {"map": {"bm25": 0.001, "model": 0.001}}},
    },
}


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:-2]]


def test_baselines_come_first_from_the_worst_on_and_ours_are_not_repeated():
    labels = [row[0] for row in rows(ranking_table(QUALITY, BASELINES))]
    assert labels[:3] == ["Doc2Vec", "TF-IDF", "BM25"]
    assert labels[-1] == "**Rostrum**"
    assert len(set(labels)) == len(labels) == 2 + len(SYSTEMS)


def test_marks_tell_what_differs_from_bm25_and_from_rostrum():
    found = {row[0]: row[1] for row in rows(ranking_table(QUALITY, BASELINES))}
    assert found["Doc2Vec"] == "9.0*†"
    assert found["TF-IDF"] == "12.0 ± 0.5*"
    assert found["**Rostrum**"] == "40.0*"
    assert found["encoder"] == "40.0"  # p 0.5 and 0.02


def test_spans_are_tested_in_both_settings():
    found = {row[0]: row[1:] for row in rows(span_table(QUALITY))}
    assert found["full paragraph"] == ["1.0†", "3.0†", "2.0", "4.0"]
    assert found["first sentence"] == ["1.0*", "3.0*", "2.0*†", "4.0*†"]
    assert found["last sentence"] == ["1.0", "3.0", "2.0", "4.0"]  # p 0.01 is not below it


def test_the_whole_draft_is_not_tested_against_itself():
    result = {
        "split": "dev",
        "n": 30,
        "ablations": {"full": {**FIGURES, "p": 1.0}, "no title": {**FIGURES, "map": 38.0, "p": 0.0123}},
    }
    found = rows(ablation_table(result))
    assert found[0] == ["full", "40.0", "41.0", "25.0", "45.0", "55.0", ""]
    assert found[1] == ["no title", "38.0", "41.0", "25.0", "45.0", "55.0", "0.012"]


def test_parts_of_a_draft_are_told_with_and_without():
    one = {"without": 36.38, "with": 44.58, "p": 0.0061}
    result = {"lead_in": {"n": 97, "bm25": one}, "right": {"n": 106, "bm25": one}, "archive": {"n": 5}}
    lines = draft_part_table(result).splitlines()
    assert lines[2].endswith(": BM25 | 97 | 36.4 | 44.6 | 0.006 |")
    assert len(lines) == 4


def test_how_many_paragraphs_are_ranked_is_told_with_what_it_costs():
    ranked = {"20": {"map": 41.88, "p": 0.0004, "ms": 412.3}, "all": {"map": 42.0, "p": 1.0}}
    machine = {"cores": 2}
    result = {"split": "dev", "n": 30, "ranked": ranked, "timed": "onnxruntime float32", "machine": machine}
    found = rows(ranked_table(result))
    assert found == [["20", "41.9", "< 0.001", "412 ms"], ["all", "42.0", "", ""]]


def test_one_pass_stands_beside_the_two_models():
    systems = {
        "one": {"p50_ms": 870.4, "least_ms": 850.0, "ratio": 1.0},
        "two": {"p50_ms": 6100.0, "least_ms": 6000.0, "ratio": 7.04},
    }
    result = {
        "systems": systems,
        "layers": 6,
        "candidates": 100,
        "threads": 2,
        "engine": "onnxruntime float32",
        "drafts": 5,
        "rounds": 3,
    }
    found = rows(rankers_table(result))
    assert found == [["one", "870 ms", "850 ms", "1.0"], ["two", "6,100 ms", "6,000 ms", "7.0"]]


def test_spans_of_the_papers_rule_are_not_tested_against_themselves():
    row = {"length": 0.0, "follows": False, "em": 10.0, "f1": 50.04, "words": 33.6}
    ours = {"length": 0.2, "follows": True, "em": 12.34, "f1": 49.96, "words": 22.5}
    tests = {"p_values": {"em": 0.0004, "f1": 0.25}}
    assert rows(
        span_rules_table({"n": 1051, "split": "dev", "rules": [{**row, **tests}, {**ours, **tests}]})
    ) == [
        ["0", "no", "10.0", "", "50.0", "", "34"],
        ["0.2", "yes", "12.3", "< 0.001", "50.0", "0.250", "22"],
    ]


def test_kinds_of_places_stand_with_what_was_counted_and_what_is_used():
    kinds = {"the next word": {"quotes": 478, "words": 14448, "lift": 6.66, "used": 6.7}}
    assert rows(following_table({"drafts": 2785, "split": "train", "kinds": kinds})) == [
        ["the next word", "478", "14,448", "6.7", "6.7"]
    ]


def test_fewer_layers_stand_beside_the_first_with_what_they_save():
    figures, p = (
        {"ranker": 37.26, "map": 43.0, "em": 23.3, "f1": 58.04},
        {"ranker": 1.0, "map": 1.0, "em": 1.0, "f1": 1.0},
    )
    compared = {
        "6": {"figures": figures, "p": p, "p50_ms": 870.4, "least_ms": 850.0, "ratio": 1.0},
        "3": {
            "figures": {**figures, "map": 42.04},
            "p": {**p, "map": 0.0004},
            "p50_ms": 435.1,
            "least_ms": 430.0,
            "ratio": 0.501,
        },
    }
    result = {
        "split": "dev",
        "n": 30,
        "candidates": 50,
        "timed": "onnxruntime float32",
        "machine": {"cores": 2},
        "compared": compared,
    }
    assert rows(layers_table(result)) == [
        ["6", "37.3", "", "43.0", "", "23.3", "", "58.0", "", "870 ms", "1.00"],
        ["3", "37.3", "1.000", "42.0", "< 0.001", "23.3", "1.000", "58.0", "1.000", "435 ms", "0.50"],
    ]


def test_trainings_stand_beside_the_first_of_them():
    choices = {
        "as it is": {"figures": {"map": 30.0, "em": 9.04}, "p": {"map": 1.0, "em": 1.0}},
        "otherwise": {"figures": {"map": 31.16, "em": 8.0}, "p": {"map": 0.0004, "em": 0.25}},
    }
    table = training_choices_table({"n": 1051, "split": "dev", "layers": 3, "choices": choices})
    assert table.splitlines()[0] == "| training | mAP | p | EM | p |"
    assert rows(table) == [
        ["as it is", "30.0", "", "9.0", ""],
        ["otherwise", "31.2", "< 0.001", "8.0", "0.250"],
    ]
    assert table.endswith("n = 1,051 drafts (dev), 3 layers; p against the first.")


def test_the_papers_models_stand_between_bm25_and_the_product_with_the_spans_that_they_cut():
    spans = {"em positive": 9.0, "em top": 1.0, "f1 positive": 40.0, "f1 top": 20.0}
    result = {
        "split": "test",
        "n": 400,
        "models": {"name": "ours-2"},
        "ranking": {
            "model": {**FIGURES, "p_values": {"map": {"bm25": 0.001}}},
            "bm25": {**FIGURES, "map": 30.0, "p_values": {"map": {"model": 0.001}}},
            "paragraph-6-encoder": {
                **FIGURES,
                "map": 35.0,
                "p_values": {"map": {"bm25": 0.02, "model": 0.02}},
            },
            "ranker": {
                **FIGURES,
                "map": 33.0,
                "p_values": {"map": {"bm25": 0.02, "model": 0.001}},
            },
        },
        "spans": {"model": {**spans, "p_values": {"f1 top": {"full paragraph": 0.5}}}},
    }
    found = rows(paper_models_table(result))
    assert [row[0] for row in found] == ["BM25", "ranker alone", "paragraph ranker", "**Rostrum**"]
    assert [row[1] for row in found] == ["30.0†", "33.0†", "35.0", "40.0*"]
    assert found[2][6:] == ["", "", "", ""]
    assert found[3][6:] == ["9.0", "1.0", "40.0", "20.0"]
    assert "±" not in paper_models_table(result)
    result["ranking"]["model"] = {**result["ranking"]["model"], "seeds": [7, 8], "spread": {"map": 0.46}}
    assert rows(paper_models_table(result))[3][1] == "40.0 ± 0.5*"
    assert "±: the mean of several seeds and their standard deviation." in paper_models_table(result)


def test_the_p_of_every_figure_that_was_tested_is_told():
    spans = {"em positive": 9.0, "em top": 1.0, "f1 positive": 40.0, "f1 top": 20.0}
    row = {**FIGURES, "p_values": {"map": {"bm25": 0.02, "model": 0.0004}}}
    result = {
        "ranking": {"model": row, "bm25": row, "good": row, "bad": {**row, "map": 9.0}},
        "spans": {"good": {**spans, "p_values": {"em top": {"full paragraph": 0.5, "model": 0.25}}}},
    }
    tests = [line.split(" | ") for line in paper_tests_table(result).splitlines()[2:]]
    assert tests == [["| bad", "< 0.001", "", "", "", " |"], ["| good", "< 0.001", "", "0.250", "", " |"]]
