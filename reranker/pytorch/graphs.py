"""The three graphs of the models as torch modules, under the names that their weights are kept by.

What is exported to ONNX and what the engine torch runs is the same code. Heads compute in float32, whatever
the trunk's numbers are: in bfloat16 neighbouring logits would be the same.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.models.wordpieces import PARAGRAPH_POSITION
from reranker.pytorch.trunk import Trunk, bias_of, mean_direction

QUERY_KIND, PARAGRAPH_KIND = 0, 1


class EncoderGraph(nn.Module):
    """words (b, n, width), mask (b, n) -> vectors (b, width) of length 1."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk

    def forward(self, words: Tensor, mask: Tensor) -> tuple[Tensor]:
        """Mean of the last hidden states over the real tokens, normalised."""
        hidden, _ = self.trunk(self.trunk.embed(words, 0, 0), bias_of(mask))
        return (mean_direction(hidden, mask),)


class PrefixGraph(nn.Module):
    """words (1, p, width) of one draft -> keys, values, and the draft's direction.

    Keys and values are (layers, heads, p, width / heads); the direction is the mean hidden state, (1, width),
    of length 1.
    """

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk

    def forward(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Every layer's keys and values, stacked, and the draft's direction."""
        hidden, kept = self.trunk(self.trunk.embed(words, 0, QUERY_KIND), None)
        draft = F.normalize(hidden.float().mean(1), dim=-1)
        return torch.cat([k for k, _ in kept]), torch.cat([v for _, v in kept]), draft


class ParagraphGraph(nn.Module):
    """words (b, n, width), mask (b, n), what a draft's prefix gave -> scores (b,), edges (b, n, 2)."""

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.score, self.edges = nn.Linear(trunk.shape.width, 1), nn.Linear(trunk.shape.width, 2)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(
        self, words: Tensor, mask: Tensor, keys: Tensor, values: Tensor, draft: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Scores and edge logits; the caller leaves out those of [CLS], [SEP] and padding."""
        x = self.trunk.embed(words, PARAGRAPH_POSITION, PARAGRAPH_KIND)
        bias = bias_of(mask)
        for i, layer in enumerate(self.trunk.layers):
            x = layer.after(x, bias, (keys[i], values[i]))
        hidden = x.float()
        similar = (mean_direction(hidden, mask) * draft).sum(-1)
        return self.score(hidden[:, 0])[:, 0] + self.scale * similar, self.edges(hidden)
