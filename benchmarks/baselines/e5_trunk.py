"""Define the encoder of multilingual-e5-small as a torch module that can be trained.

Linear layers read the concatenated tokens of all texts, without padding; only attention needs padding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, scaled_dot_product_attention

from benchmarks.baselines.e5_file import unpack_blocks

DROPOUT = 0.1
EPSILON = 1e-12


class Layer(nn.Module):
    """Apply one layer of BERT to (tokens, width), with layer norms after the residual sums."""

    def __init__(self, width: int, inner: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.joint, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.first, self.last = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm, self.final = nn.LayerNorm(width, EPSILON), nn.LayerNorm(width, EPSILON)

    def forward(self, tokens: Tensor, places: Tensor, mask: Tensor) -> Tensor:
        """Return the next hidden states of the tokens.

        `places` (tokens,) are the tokens' positions in the padded batch; `mask` (texts, 1, 1, length) is true
        for tokens.
        """
        share = DROPOUT if self.training else 0.0
        texts, length = mask.shape[0], mask.shape[-1]
        joint = self.joint(tokens)
        padded = joint.new_zeros(texts * length, joint.shape[1]).index_copy(0, places, joint)
        queries, keys, values = padded.view(texts, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind()
        mixed = scaled_dot_product_attention(queries, keys, values, attn_mask=mask, dropout_p=share)
        mixed = mixed.transpose(1, 2).reshape(texts * length, -1).index_select(0, places)
        tokens = self.norm(tokens + dropout(self.out(mixed), share))
        return self.final(tokens + dropout(self.last(gelu(self.first(tokens))), share))


class Trunk(nn.Module):
    """Encode texts, given as token ids, as the mean of their last hidden states, not normalised."""

    def __init__(self, shape: tuple[int, int, int, int], words: int, positions: int) -> None:
        super().__init__()
        width, layers, heads, inner = shape
        self.words, self.positions = nn.Embedding(words, width), nn.Embedding(positions, width)
        self.norm = nn.LayerNorm(width, EPSILON)
        self.layers = nn.ModuleList(Layer(width, inner, heads) for _ in range(layers))

    def forward(self, ids: Tensor, lengths: Tensor, longest: int) -> Tensor:
        """Return vectors (texts, width) of texts; `ids` are their concatenated tokens."""
        texts = len(lengths)
        owners = torch.repeat_interleave(
            torch.arange(texts, device=ids.device), lengths, output_size=len(ids)
        )
        starts = lengths.cumsum(0) - lengths
        within = torch.arange(len(ids), device=ids.device) - starts[owners]
        mask = torch.arange(longest, device=ids.device) < lengths[:, None]
        tokens = self.norm(self.words(ids) + self.positions(within))
        tokens = dropout(tokens, DROPOUT if self.training else 0.0)
        for layer in self.layers:
            tokens = layer(tokens, owners * longest + within, mask[:, None, None])
        sums = torch.zeros(texts, tokens.shape[1], device=ids.device).index_add(0, owners, tokens.float())
        return sums / lengths[:, None]


def build_trunk(shape: Sequence[int], stored: Mapping[str, NDArray[np.uint8]]) -> Trunk:
    """Build the trunk from the tensors of a packed file, which may have only some of the words and
    positions.
    """
    width, layers, heads, inner = (int(number) for number in shape)

    def unpack(name: str, columns: int = width) -> Tensor:
        return torch.from_numpy(unpack_blocks(stored[name], columns))

    def read(name: str) -> Tensor:
        return torch.from_numpy(stored[name].copy().view(np.float32))

    words = unpack("emb.word")
    positions = read("emb.pos").view(-1, width) + read("emb.type")[:width]
    state = {
        "words.weight": words, "positions.weight": positions,
        "norm.weight": read("emb.ln.w"), "norm.bias": read("emb.ln.b"),
    }  # fmt: skip
    for at in range(layers):
        here, there = f"l{at}.", f"layers.{at}."
        state[there + "joint.weight"] = torch.cat([unpack(f"{here}{part}.w") for part in "qkv"])
        state[there + "joint.bias"] = torch.cat([read(f"{here}{part}.b") for part in "qkv"])
        for ours, theirs, columns in (("out", "ao", width), ("first", "fi", width), ("last", "fo", inner)):
            state[f"{there}{ours}.weight"] = unpack(f"{here}{theirs}.w", columns)
            state[f"{there}{ours}.bias"] = read(f"{here}{theirs}.b")
        for ours, theirs in (("norm", "aln"), ("final", "oln")):
            state[f"{there}{ours}.weight"] = read(f"{here}{theirs}.w")
            state[f"{there}{ours}.bias"] = read(f"{here}{theirs}.b")
    trunk = Trunk((width, layers, heads, inner), len(words), len(positions))
    trunk.load_state_dict(state)
    return trunk
