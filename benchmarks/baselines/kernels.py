"""Define K-NRM and Conv-KNRM: soft counts of a paragraph's words or n-grams similar to the draft's.

Sources: "End-to-End Neural Ad-hoc Ranking with Kernel Pooling" (SIGIR 2017), "Convolutional Neural Networks
for Soft-Matching N-Grams in Ad-hoc Search" (WSDM 2018). There are eleven kernels as there. The score is
linear, whereas theirs is its tanh, which would bound the listwise softmax and does not change the order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import product

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.models.batches import split_batches
from reranker.models.wordpieces import Ids
from training.encoder import pad_texts
from training.groups import Group

COMPUTED_BY = "2"
"""Version of the models' computation. Increment it after a change: 2 reads no padding."""

MEANS = (1.0, 0.9, 0.7, 0.5, 0.3, 0.1, -0.1, -0.3, -0.5, -0.7, -0.9)
WIDTHS = (0.001, *[0.1] * 10)  # the first kernel counts exact matches
LEAST = 1e-10
LOG_SCALE = 0.01  # of the authors' code: keeps the features near 1
FILTERS = 128
LONGEST_NGRAM = 3
TOKENS_PER_PASS = 2048


def pool(similar: Tensor, query_mask: Tensor, paragraph_mask: Tensor) -> Tensor:
    """Compute kernel features (b, kernels) of cosines (b, m, n) between m words of drafts and n of
    paragraphs.

    Kernel k is the sum over the draft's words of log(sum over the paragraph's of exp(-(cosine - mean_k)^2 /
    (2 width_k^2))), scaled.
    """
    features = []
    for mean, width in zip(MEANS, WIDTHS, strict=True):
        near = torch.exp(-((similar - mean) ** 2) / (2 * width**2)) * paragraph_mask[:, None]
        counts = torch.log(near.sum(2).clamp(min=LEAST)) * query_mask
        features.append(LOG_SCALE * counts.sum(1))
    return torch.stack(features, 1)


class KernelRanker(nn.Module, ABC):
    """Share word vectors, trained further, and a weight for each kernel feature between both models."""

    def __init__(self, vectors: Tensor, features: int) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors.clone(), freeze=False)
        self.score = nn.Linear(features, 1)

    @abstractmethod
    def compute_features(
        self, queries: Tensor, query_mask: Tensor, paragraphs: Tensor, mask: Tensor
    ) -> Tensor:
        """Compute kernel features of ids (b, m) and (b, n)."""

    def forward(self, groups: Sequence[Group]) -> Tensor:
        """Compute scores (groups, size) in float32: bf16 cannot separate an exact match from a near one."""
        size = len(groups[0].paragraphs)
        couples = [(group.query, paragraph) for group in groups for paragraph in group.paragraphs]
        cuts = split_batches([len(paragraph) for _, paragraph in couples], TOKENS_PER_PASS)
        order = torch.tensor([i for cut in cuts for i in cut])
        with torch.autocast("cpu", enabled=False):
            scores = torch.cat([self._pass([couples[i] for i in cut]) for cut in cuts])
        return scores[torch.argsort(order)].view(len(groups), size)

    def _pass(self, couples: Sequence[tuple[Ids, Ids]]) -> Tensor:
        queries, paragraphs = zip(*couples, strict=True)
        scores: Tensor = self.score(self.compute_features(*pad_texts(queries), *pad_texts(paragraphs)))[:, 0]
        return scores


class KNRM(KernelRanker):
    """Compare words with words."""

    def __init__(self, vectors: Tensor) -> None:
        super().__init__(vectors, len(MEANS))

    def compute_features(
        self, queries: Tensor, query_mask: Tensor, paragraphs: Tensor, mask: Tensor
    ) -> Tensor:
        """Compute kernel features (b, kernels)."""
        ours, theirs = (F.normalize(self.words(ids), dim=-1) for ids in (queries, paragraphs))
        return pool(ours @ theirs.transpose(1, 2), query_mask, mask)


class ConvKNRM(KernelRanker):
    """Compare words, pairs and triples of words, each with each."""

    def __init__(self, vectors: Tensor) -> None:
        super().__init__(vectors, len(MEANS) * LONGEST_NGRAM**2)
        self.ngrams = nn.ModuleList(
            nn.Conv1d(vectors.shape[1], FILTERS, length) for length in range(1, LONGEST_NGRAM + 1)
        )

    def compute_features(
        self, queries: Tensor, query_mask: Tensor, paragraphs: Tensor, mask: Tensor
    ) -> Tensor:
        """Compute kernel features (b, 9 * kernels)."""
        ours, theirs = self._compute_ngrams(queries, query_mask), self._compute_ngrams(paragraphs, mask)
        return torch.cat([pool(a @ b.transpose(1, 2), query_mask, mask) for a, b in product(ours, theirs)], 1)

    def _compute_ngrams(self, ids: Tensor, mask: Tensor) -> list[Tensor]:
        """Compute unit vectors (b, n, filters) of the n-grams of each length that begin at each word.

        After the last word of a text there are zeros, independent of the other texts of its pass.
        """
        x = (self.words(ids) * mask[..., None]).transpose(1, 2)
        convolved = [F.relu(layer(F.pad(x, (0, length)))) for length, layer in enumerate(self.ngrams)]
        return [F.normalize(output.transpose(1, 2), dim=-1) for output in convolved]
