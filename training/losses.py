"""Compute losses to train a ranker on groups of paragraphs; the first of each group is the quoted one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F


def compute_listwise(scores: Tensor) -> Tensor:
    """Return the mean over groups of -log p of the quoted paragraph, in a softmax over its group.

    `scores` is (groups, size), with the quoted paragraph first.

    Source: ListNet (ICML 2007) with one relevant paragraph, as in "Context-Based Quotation Recommendation"
    (ICWSM 2021).
    """
    return F.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long, device=scores.device))


def compute_pairwise(scores: Tensor) -> Tensor:
    """Return the mean over all pairs (quoted paragraph, other paragraph of the group) of -log p.

    p is the probability that the quoted paragraph ranks above the other paragraph: the logistic function of
    the difference between their scores. `scores` is (groups, size), with the quoted paragraph first.

    Source: RankNet (ICML 2005).
    """
    return F.softplus(scores[:, 1:] - scores[:, :1]).mean()


def compute_pointwise(scores: Tensor) -> Tensor:
    """Return the binary cross-entropy of "quoted or not" for each paragraph alone, as in monoBERT.

    `scores` (groups, size) are log odds that a paragraph is quoted. The first paragraph of each group is the
    quoted one.
    """
    quoted = torch.zeros_like(scores)
    quoted[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, quoted)


LOSSES: dict[str, Callable[[Tensor], Tensor]] = {
    "listwise": compute_listwise,
    "pairwise": compute_pairwise,
    "pointwise": compute_pointwise,
}


def compute_distillation(scores: Tensor, taught: Tensor) -> Tensor:
    """Return how far a ranker's scores are from a teacher's: the Kullback-Leibler divergence between the
    softmax of `scores` and the softmax of `taught`.

    `taught` are the teacher's scores. Both arrays are (groups, size).

    Source: "Distilling the Knowledge in a Neural Network" (2015), over the paragraphs of a group.
    """
    return F.kl_div(scores.log_softmax(-1), taught.log_softmax(-1), log_target=True, reduction="batchmean")


def compute_shared_norm(edges: Tensor, places: Sequence[tuple[int, int]]) -> Tensor:
    """Return the loss of the predicted spans: the mean of -log p(start) and -log p(end) of the quotes.

    Both probabilities are from a softmax over all tokens of all paragraphs of a group. `edges` (groups, size,
    n, 2) are the logits of start and end, -inf at special tokens and padding. `places` has the first and last
    token of each group's quote, which is in the first paragraph.

    Source: "Simple and Effective Multi-Paragraph Reading Comprehension" (ACL 2018).
    """
    flat = edges.flatten(1, 2)
    starts, ends = torch.tensor(places, device=flat.device).unbind(1)
    return (F.cross_entropy(flat[..., 0], starts) + F.cross_entropy(flat[..., 1], ends)) / 2
