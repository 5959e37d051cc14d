"""Define the paper's BERT: draft and paragraph in one input with full attention, and two heads.

The input is `[CLS] title [body_start] context [SEP] paragraph [SEP]`. A paragraph's score is V . h_CLS, its
span's S . h_i + E . h_j. One module has both heads; its training loss makes it a paragraph ranker or a span
predictor. Word embeddings are those of the product, frozen except `[body_start]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from reranker.models.wordpieces import Ids
from reranker.pytorch.trunk import Trunk, build_bias
from training.encoder import Encoder, back, pad_texts, plan_passes
from training.groups import Group
from training.losses import compute_listwise, compute_shared_norm

TOKENS_PER_PASS = 1024  # of a CPU
KEPT_TOKENS = 40_000  # some 13 GB of activations, with six layers of width 384
OUTSIDE = -1e4


class FullAttention(nn.Module):
    """Compute scores and edge logits of packed drafts and paragraphs."""

    def __init__(self, base: Path, layers: int, body_start: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = Encoder(base, layers, body_start, dropout)
        width = self.encoder.trunk.shape.width
        self.score = nn.Linear(width, 1)
        self.edges = nn.Linear(width, 2)

    def forward(self, groups: Sequence[Group]) -> tuple[Tensor, Tensor]:
        """Return scores (groups, size) and edge logits (groups, size, longest, 2) of every packed token.

        `locate_packed` maps a piece to its position. A batch too large to keep its activations, such as 32
        groups of 13, recomputes them in the backward pass.
        """
        size = len(groups[0].paragraphs)
        texts = [(g.query, paragraph[1:]) for g in groups for paragraph in g.paragraphs]
        lengths = [len(query) + len(rest) for query, rest in texts]
        cuts = plan_passes(lengths, TOKENS_PER_PASS, self.score.weight.device)
        order = back(cuts, self.score.weight.device)
        again = sum(lengths) > KEPT_TOKENS
        run = partial(checkpoint, self._pass, use_reentrant=False) if again else self._pass
        passes = (run(*self._pack([texts[i] for i in cut])) for cut in cuts)
        scores, edges = zip(*passes, strict=True)
        longest = max(e.shape[1] for e in edges)
        wide = [F.pad(e, (0, 0, 0, longest - e.shape[1]), value=OUTSIDE) for e in edges]
        return (
            torch.cat(scores)[order].view(len(groups), size),
            torch.cat(wide)[order].view(len(groups), size, longest, 2),
        )

    def _pack(self, texts: Sequence[tuple[Ids, Ids]]) -> tuple[Tensor, Tensor, Tensor]:
        """Return ids, mask and kinds (b, longest) of drafts and paragraphs, on the model's device."""
        device = self.score.weight.device
        ids, mask = pad_texts([np.concatenate(text) for text in texts], device)
        of_query = torch.tensor([len(query) for query, _ in texts], device=device)[:, None]
        return ids, mask, (torch.arange(ids.shape[1], device=device) >= of_query).long()

    def _pass(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores and edge logits; all inputs are tensors, because `checkpoint` restores dropout by
        device.
        """
        hidden = compute_hidden_states(self.encoder.trunk, self.encoder.embed(ids), kinds, build_bias(mask))
        edges = self.edges(hidden).float().masked_fill(~mask[..., None], OUTSIDE)
        return self.score(hidden[:, 0])[:, 0].float(), edges


def compute_hidden_states(trunk: Trunk, words: Tensor, kinds: Tensor, bias: Tensor) -> Tensor:
    """Return hidden states (b, n, width) of the last layer; `kinds` (b, n) are 0 for the draft, then 1."""
    positions = trunk.positions.weight[: words.shape[1]]
    hidden, _ = trunk(trunk.norm(words + positions + trunk.types(kinds)), bias)
    return hidden


def locate_packed(group: Group, piece: int) -> int:
    """Return the position after the draft of piece `piece` of the group's `[CLS] paragraph [SEP]`."""
    return len(group.query) + piece - 1


def compute_ranker_loss(model: FullAttention, groups: Sequence[Group]) -> Tensor:
    """Compute the listwise softmax: -log p of the quoted paragraph among the group's."""
    return compute_listwise(model(groups)[0])


def compute_span_loss(model: FullAttention, groups: Sequence[Group]) -> Tensor:
    """Compute shared normalisation over all packed tokens of the group.

    For a group of only the quoted paragraph, it is the positive-only loss.
    """
    places = [(locate_packed(group, group.start), locate_packed(group, group.end)) for group in groups]
    return compute_shared_norm(model(groups)[1], places)
