"""Compute the measures of rankings defined by trec_eval, with ir-measures.

Source: mean average precision and accuracy at k of "Context-Based Quotation Recommendation" (ICWSM 2021) are
trec_eval's `map` and `success`; the mean reciprocal rank is its `recip_rank`.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from rostrum_core.extras import install_command

try:
    import ir_measures
    from ir_measures import AP, RR, Success
except ImportError as error:
    raise ImportError(f"{error}; an evaluation needs more: {install_command('evaluation')}") from error

DEPTHS = (1, 3, 5)
Measures = dict[str, list[float]]


def measure_rankings(
    rankings: Sequence[Sequence[Hashable]],
    relevant: Sequence[Collection[Hashable]],
    depths: Sequence[int] = DEPTHS,
) -> Measures:
    """Compute `map`, `mrr` and, for each depth k, `acc@k`: a value from 0 to 1 for each ranking, in order.

    `relevant` has the relevant items of each ranking. `acc@k` is 1 if any relevant item is among the first k.
    A relevant item that is not ranked counts as missed. A ranking without items scores 0.

    >>> measure_rankings([["a", "b", "c"]], [{"b"}], depths=[1, 2])
    {'map': [0.5], 'mrr': [0.5], 'acc@1': [0.0], 'acc@2': [1.0]}
    """
    names = {AP: "map", RR: "mrr", **{Success @ k: f"acc@{k}" for k in depths}}
    judgements = {str(i): {str(item): 1 for item in items} for i, items in enumerate(relevant)}
    run = {
        str(i): {str(item): -float(place) for place, item in enumerate(ranking)}
        for i, ranking in enumerate(rankings)
    }
    measures: Measures = {name: [0.0] * len(rankings) for name in names.values()}
    for value in ir_measures.iter_calc(list(names), judgements, run):
        measures[names[value.measure]][int(value.query_id)] = float(value.value)
    return measures
