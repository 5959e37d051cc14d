"""Tables say which models they are of, where those that are shipped are others."""

from benchmarks.render import of_other_models
from reranker.weights import read_manifest
from rostrum.service.shipped import shipped

SHIPPED = read_manifest(shipped("models"))
OURS = {"models": {"name": SHIPPED.name, "encoder": SHIPPED.encoder, "ranker": SHIPPED.ranker}}


def test_a_result_of_the_shipped_models_or_of_none_needs_no_word():
    assert of_other_models([OURS, {"n": 3}], SHIPPED) == []


def test_a_result_of_other_models_names_them():
    other = {"models": {**OURS["models"], "name": "rostrum-0", "ranker": "0123456789abcdef"}}
    (told,) = of_other_models([OURS, other], SHIPPED)
    assert told == f"Measured with the models rostrum-0; those that are shipped are {SHIPPED.name}."
