"""Trains the ranker: one cross-encoder with a query prefix and two heads, a paragraph's score and its span.

It starts from the trained encoder's lowest layers and from its way of judging: a paragraph's score is the
similarity of the mean hidden states of draft and paragraph, scaled, plus what the head reads at [CLS],
which is nothing at first. So training begins near the encoder's quality and learns what only attention
between draft and paragraph can tell.

Source: "Context-Based Quotation Recommendation" (ICWSM 2021): listwise softmax over the positive and
uniform negatives; shared-normalisation span loss, the softmax over all tokens of positive and negatives.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.batches import batches
from reranker.pytorch.graphs import PARAGRAPH_KIND, QUERY_KIND
from reranker.pytorch.trunk import KeysValues, Shape, Trunk, bias_of
from reranker.wordpieces import PARAGRAPH_POSITION, PARAGRAPH_TOKENS, WordPieces
from rostrum.core.types import Draft, Tokens
from rostrum.training.data import DOCUMENTS
from rostrum.training.encoder import Encoder, Ids, epochs, padded
from rostrum.training.loop import Log, Plan, finished, run_phase, tensors_of
from rostrum.training.negatives import Floats, hardest, hardness
from rostrum.training.pairs import pairs, transcripts
from rostrum.training.recipe import RankerRecipe

TOKENS_PER_PASS = 3072
FIRST_SCALE = 10.0  # of the cosine; the encoder was trained with 20


@dataclass(frozen=True)
class Group:
    """A draft and packed paragraphs; the first was quoted, at pieces `start` to `end` (inclusive) of it.

    `start` is -1 where the span is not known.
    """

    query: Ids
    paragraphs: tuple[Ids, ...]
    start: int = -1
    end: int = -1


class Ranker(nn.Module):
    """Scores and span logits of paragraphs, given drafts whose keys and values are computed once."""

    def __init__(self, encoder: Encoder, layers: int, dropout: float) -> None:
        super().__init__()
        shape = encoder.trunk.shape
        self.trunk = Trunk(Shape(layers, shape.width, shape.heads, shape.inner, shape.positions), dropout)
        kept = {n: v for n, v in encoder.trunk.state_dict().items() if n in self.trunk.state_dict()}
        self.trunk.load_state_dict(kept)
        self.score = nn.Linear(shape.width, 1)
        nn.init.zeros_(self.score.weight)
        self.scale = nn.Parameter(torch.tensor(FIRST_SCALE))
        self.edges = nn.Linear(shape.width, 2)
        self.register_buffer("words", encoder.words.clone(), persistent=False)
        self.words[encoder.body_start_id] = encoder.body_start.detach()

    def prefix(self, queries: Sequence[Ids]) -> tuple[list[KeysValues], Tensor, Tensor]:
        """Keys and values of every layer, each (b, heads, longest, width / heads), the mask, and (b, width).

        The last are the drafts' mean hidden states, of length 1.
        """
        ids, mask = padded(queries, self.words.device)
        hidden, kept = self.trunk(self.trunk.embed(self.words[ids], 0, QUERY_KIND), bias_of(mask))
        return kept, mask, mean_direction(hidden, mask)

    def paragraphs(
        self, paragraphs: Sequence[Ids], prefix: list[KeysValues], prefix_mask: Tensor, drafts: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Scores (b,), edge logits (b, n, 2) and mask (b, n); prefix and drafts have a row for each."""
        ids, mask = padded(paragraphs, self.words.device)
        x = self.trunk.embed(self.words[ids], PARAGRAPH_POSITION, PARAGRAPH_KIND)
        hidden, _ = self.trunk(x, bias_of(torch.cat([prefix_mask, mask], 1)), prefix)
        similar = (mean_direction(hidden, mask) * drafts).sum(-1)
        scores = self.score(hidden[:, 0])[:, 0].float() + self.scale * similar
        return scores, self.edges(hidden).float(), mask

    def forward(self, groups: Sequence[Group]) -> tuple[Tensor, Tensor]:
        """Scores (groups, size) and edge logits (groups, size, longest, 2), -inf outside the pieces."""
        kept, prefix_mask, drafts = self.prefix([g.query for g in groups])
        size = len(groups[0].paragraphs)
        texts = [p for g in groups for p in g.paragraphs]
        longest = max(len(t) for t in texts)
        scores, edges = [torch.empty(0)] * len(texts), [torch.empty(0)] * len(texts)
        for rows in batches([len(t) for t in texts], TOKENS_PER_PASS):
            owners = torch.tensor([row // size for row in rows], device=self.words.device)
            own = [(k[owners], v[owners]) for k, v in kept]
            some, logits, mask = self.paragraphs(
                [texts[r] for r in rows], own, prefix_mask[owners], drafts[owners]
            )
            logits = inside(logits, mask)
            logits = F.pad(logits, (0, 0, 0, longest - logits.shape[1]), value=float("-inf"))
            for i, row in enumerate(rows):
                scores[row], edges[row] = some[i], logits[i]
        shape = (len(groups), size)
        return torch.stack(scores).view(shape), torch.stack(edges).view(*shape, longest, 2)


def mean_direction(hidden: Tensor, mask: Tensor) -> Tensor:
    """Mean of the hidden states (b, n, width) over the real tokens, of length 1: float32 (b, width)."""
    real = mask[..., None].float()
    return F.normalize((hidden.float() * real).sum(1) / real.sum(1), dim=-1)


def inside(logits: Tensor, mask: Tensor) -> Tensor:
    """Edge logits (b, n, 2) with -inf at [CLS], [SEP] and padding."""
    allowed = mask.clone()
    allowed[:, 0] = False
    allowed[torch.arange(len(mask), device=mask.device), mask.sum(1) - 1] = False
    return logits.masked_fill(~allowed[..., None], float("-inf"))


def group_loss(model: Ranker, groups: Sequence[Group], span_weight: float) -> Tensor:
    """Listwise softmax of the quoted paragraph, plus the shared-norm span loss where spans are known."""
    scores, edges = model(groups)
    device = scores.device
    loss = F.cross_entropy(scores, torch.zeros(len(groups), dtype=torch.long, device=device))
    known = [i for i, g in enumerate(groups) if g.start >= 0]
    if known and span_weight:
        flat = edges[known].flatten(1, 2)
        starts = torch.tensor([groups[i].start for i in known], device=device)
        ends = torch.tensor([groups[i].end for i in known], device=device)
        span = F.cross_entropy(flat[..., 0], starts) + F.cross_entropy(flat[..., 1], ends)
        loss = loss + span_weight * span / 2
    return loss


@dataclass(frozen=True)
class Quoted:
    """A draft and the quoted characters of one paragraph."""

    draft: Draft
    query: Ids
    document: str
    ordinal: int
    others: tuple[int, ...]
    start_char: int
    end_char: int


class GroupData:
    """Aligned pairs as groups: a paragraph's window is cut around the quote where it is overlong."""

    def __init__(self, data: Path, split: str, pieces: WordPieces) -> None:
        self.documents = transcripts(data / DOCUMENTS)
        found = pairs(data / f"pairs-{split}.jsonl.gz", self.documents)
        self.wordpieces = pieces
        self.tokens = {
            document: pieces.pieces(list(self.documents[document].paragraphs))
            for document in sorted({pair.document for pair in found})
        }
        self.rows = [
            Quoted(
                pair.draft,
                pieces.query(pair.title, pair.left),
                pair.document,
                part.ordinal,
                tuple({p.ordinal for p in pair.parts}),
                part.start_char,
                part.end_char,
            )
            for pair in found
            for part in pair.parts
        ]

    def group(self, row: Quoted, negatives: int, chance: random.Random, hard: Floats | None = None) -> Group:
        """The row's group, with random other paragraphs of the transcript (again, where there are few).

        `hard` (n,) tells how hard each paragraph is; they are drawn from the hardest then.
        """
        tokens = self.tokens[row.document]
        known = [i for i in range(len(tokens)) if i not in row.others] or [row.ordinal]
        others = hardest(known, hard, negatives)
        picked = (
            chance.sample(others, negatives)
            if len(others) >= negatives
            else chance.choices(others, k=negatives)
        )
        window, start, end = labelled(tokens[row.ordinal], row.start_char, row.end_char)
        texts = [window, *(tokens[i].cut(0, PARAGRAPH_TOKENS) for i in picked)]
        return Group(row.query, tuple(self.wordpieces.packed(t) for t in texts), start, end)


def labelled(tokens: Tokens, start_char: int, end_char: int) -> tuple[Tokens, int, int]:
    """A window of the paragraph with the quote in it, and the first and last piece of the quote, packed.

    The pieces are -1 where no piece of the window touches the quote.
    """
    touching = np.flatnonzero((tokens.ends > start_char) & (tokens.starts < end_char))
    if not len(touching):
        return tokens.cut(0, PARAGRAPH_TOKENS), -1, -1
    first, last = int(touching[0]), int(touching[-1])
    begin = max(0, min(first, len(tokens) - PARAGRAPH_TOKENS))
    window = tokens.cut(begin, begin + PARAGRAPH_TOKENS)
    return window, 1 + first - begin, 1 + min(last - begin, len(window) - 1)


def train(
    data: Path,
    base: Path,
    out: Path,
    recipe: RankerRecipe,
    encoder_layers: int,
    log: Log,
    device: str = "cpu",
) -> None:
    """The ranker; needs `encoder-pairs.safetensors` in `out` and leaves `ranker-pairs.safetensors` there.

    Raises:
        BadInput: the pairs do not fill a batch.
        ModelError: the encoder is not there.
    """
    pieces = WordPieces(base / "tokenizer.json")
    encoder = Encoder(base, encoder_layers, pieces.body_start)
    encoder.load_state_dict(tensors_of(out / "encoder-pairs.safetensors"))
    torch.manual_seed(recipe.seed)
    model = Ranker(encoder, recipe.layers, recipe.dropout).to(device)
    if finished("ranker-pairs", model, out):
        return
    aligned = GroupData(data, "train", pieces)
    order = epochs(len(aligned.rows), recipe.epochs, recipe.batch, recipe.seed)
    hard = hardness(recipe.negatives_kind, aligned, encoder.to(device).eval())

    def loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        groups = [
            aligned.group(aligned.rows[i], recipe.negatives, chance, hard[i] if hard else None)
            for i in order[step]
        ]
        return group_loss(model, groups, recipe.span_weight)

    run_phase("ranker-pairs", model, loss, Plan(len(order), recipe.rate), out, log)
