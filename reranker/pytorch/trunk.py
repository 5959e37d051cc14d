"""Define BERT with a query prefix as a plain torch module: the transformer layers of encoder and ranker.

These layers are called the trunk. A paragraph's tokens attend to themselves and, in the ranker, to the keys
and values of the query (the draft). These keys and values are computed once per draft, because query tokens
attend only to the query.

Source: "Investigating the Effects of Sparse Attention on Cross-Encoders" (ECIR 2024), query tokens masked
from the paragraph; BERT's layer as in "BERT" (NAACL 2019), post-norm, exact GELU.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

KeysValues = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Shape:
    """Hold the sizes of a trunk, the transformer layers of a model.

    `width` must be a multiple of `heads`.
    """

    layers: int
    width: int = 384
    heads: int = 12
    inner: int = 1536
    positions: int = 512


class Layer(nn.Module):
    """Apply one transformer layer to hidden states of b texts of n tokens: (b, n, width) -> (b, n, width).

    The attention has `heads` heads.
    """

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, dropout
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.mix = nn.Linear(shape.width, shape.width)
        self.mix_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.grow = nn.Linear(shape.width, shape.inner)
        self.shrink = nn.Linear(shape.inner, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)

    def forward(self, x: Tensor, bias: Tensor | None, prefix: KeysValues | None) -> tuple[Tensor, KeysValues]:
        """Return the hidden states for the next layer, and this layer's keys and values.

        `bias` is added to attention scores and broadcasts to (b, heads, n, p + n). `prefix` has the keys and
        values of p tokens that the text's tokens also attend to, (b, heads, p, size) each.
        """
        query, key, value = self.project(x)
        own = (key, value)
        if prefix is not None:
            key, value = torch.cat([prefix[0], key], 2), torch.cat([prefix[1], value], 2)
        return self.mix_in(x, attend(query, key, value, bias)), own

    def run_after(self, x: Tensor, bias: Tensor, prefix: KeysValues) -> Tensor:
        """Return the hidden states for the next layer, for b texts that share one prefix.

        `prefix` has the keys and values of the p tokens of the prefix, (heads, p, size) each. `bias` is added
        to attention scores and broadcasts to (b, heads, n, n).
        """
        query, key, value = self.project(x)
        return self.mix_in(x, attend_after(query, key, value, bias, prefix))

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values of hidden states (b, n, width).

        Each of the three is (b, heads, n, width / heads).
        """
        b, n, width = x.shape
        query, key, value = (
            project(x).view(b, n, self.heads, width // self.heads).transpose(1, 2)
            for project in (self.query, self.key, self.value)
        )
        return query, key, value

    def mix_in(self, x: Tensor, attended: Tensor) -> Tensor:
        """Add the attention output to the hidden states `x`, and return the hidden states for the next layer.

        The attention output is (b, heads, n, width / heads). The layer's feed-forward part is computed here,
        too.
        """
        mixed = self.mix(attended.transpose(1, 2).reshape(x.shape))
        x = self.mix_norm(x + F.dropout(mixed, self.dropout, self.training))
        inner = self.shrink(F.gelu(self.grow(x)))
        out: Tensor = self.norm(x + F.dropout(inner, self.dropout, self.training))
        return out


def attend(query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None) -> Tensor:
    """Compute scaled dot-product attention over (b, heads, n, width / heads).

    On a CPU, torch's fused kernel is not used: it is 1.4-2.6 times slower here, forward and backward
    together, in bf16 (torch 2.15). This form also exports to ONNX unchanged.
    """
    if is_fused(query):
        return F.scaled_dot_product_attention(query, key, value, None if bias is None else bias.to(query))
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
    if bias is not None:
        scores = scores + bias
    return torch.softmax(scores, -1).to(value.dtype) @ value


def attend_after(query: Tensor, key: Tensor, value: Tensor, bias: Tensor, prefix: KeysValues) -> Tensor:
    """Compute the attention of `attend` for b texts that follow the same prefix, such as a draft.

    `prefix` has the prefix's keys and values, (heads, p, width / heads) each. They are not copied for each
    text: scores over the prefix and over the text's own tokens are concatenated before the softmax. Only for
    the fused kernel are they copied, because copies cost less than separate kernels.
    """
    keys, values = (tensor.to(value.dtype) for tensor in prefix)
    if is_fused(query):
        key, value = repeat_before(keys, key), repeat_before(values, value)
        return attend(query, key, value, F.pad(bias, (keys.shape[1], 0)))
    query = query * query.shape[-1] ** -0.5
    scores = torch.cat([query @ keys.transpose(-1, -2), query @ key.transpose(-1, -2) + bias], -1)
    shares = torch.softmax(scores, -1).to(value.dtype)
    of_prefix, of_own = shares.split([keys.shape[1], key.shape[2]], -1)
    return of_prefix @ values + of_own @ value


def is_fused(query: Tensor) -> bool:
    """Return whether attention uses torch's fused kernel: on a GPU in bfloat16, outside training.

    In float32 that kernel may compute products with reduced precision.
    """
    return query.is_cuda and query.dtype == torch.bfloat16 and torch.is_inference_mode_enabled()


def repeat_before(prefix: Tensor, own: Tensor) -> Tensor:
    """Put the keys (or values) of a shared prefix before those of each text of a batch.

    prefix (heads, p, size), own (b, heads, n, size) -> (b, heads, p + n, size).
    """
    return torch.cat([prefix.expand(len(own), *prefix.shape), own], 2)


class Trunk(nn.Module):
    """Add position and type embeddings to word embeddings, and run the transformer layers."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.types = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))

    def embed(self, words: Tensor, first_position: int, kind: int) -> Tensor:
        """Add position and type embeddings to word embeddings (b, n, width), as the input of the first layer.

        Positions count from `first_position`; `kind` is the row of the type embeddings. From here on the
        trunk computes in the precision of its own weights.
        """
        positions = self.positions.weight[first_position : first_position + words.shape[1]]
        out: Tensor = self.norm(words.to(positions.dtype) + positions + self.types.weight[kind])
        return out

    def forward(
        self, x: Tensor, bias: Tensor | None, prefixes: list[KeysValues] | None = None
    ) -> tuple[Tensor, list[KeysValues]]:
        """Return the hidden states (b, n, width) after the last layer, and each layer's keys and values.

        `prefixes` has the keys and values of a prefix for each layer. See `Layer.forward`.
        """
        kept = []
        for i, layer in enumerate(self.layers):
            x, own = layer(x, bias, prefixes[i] if prefixes else None)
            kept.append(own)
        return x, kept


def average_direction(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of hidden states (b, n, width) over the real tokens, normalised: float32 (b, width)."""
    real = mask[..., None].float()
    return F.normalize((hidden.float() * real).sum(1) / real.sum(1), dim=-1)


def build_bias(mask: Tensor) -> Tensor:
    """Return the values to add to attention scores, (b, 1, 1, n): 0 for real tokens, -10,000 for padding.

    `mask`, bool (b, n), is true for real tokens.
    """
    return torch.where(mask, 0.0, -1e4)[:, None, None, :]
