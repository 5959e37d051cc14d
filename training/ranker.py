"""Train the ranker: a cross-encoder with a query prefix and two heads, for a paragraph's score and its span.

Training starts from the lowest layers of the trained encoder. A paragraph's score is the scaled similarity of
the mean hidden states of draft and paragraph, plus the output of the head at [CLS], which starts at 0. So the
ranker starts near the encoder's quality, and adds what attention between draft and paragraph can learn.

Source: "Context-Based Quotation Recommendation" (ICWSM 2021), for training on a quoted paragraph among other
paragraphs that are sampled uniformly.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.models.wordpieces import PARAGRAPH_POSITION, Ids, WordPieces
from reranker.pytorch.graphs import PARAGRAPH_KIND, QUERY_KIND
from reranker.pytorch.trunk import KeysValues, Shape, Trunk, average_direction, build_bias
from training.encoder import Encoder, back, pad_texts, plan_epochs, plan_passes
from training.groups import Group, GroupData
from training.loop import Log, Plan, load_finished, read_tensors, run_phase
from training.losses import LOSSES, compute_distillation, compute_shared_norm
from training.negatives import compute_hardness
from training.news_groups import NewsGroups
from training.recipe import RankerRecipe
from training.teacher import Teacher

TOKENS_PER_PASS = 1024  # of a CPU: a step takes two cores 3.7 s; 5.1 with 3,072
FIRST_SCALE = 10.0  # of the cosine; the encoder was trained with 20


class Ranker(nn.Module):
    """Score paragraphs and their possible spans (quoted words) for drafts; each draft is read only once."""

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

    def encode_prefix(self, queries: Sequence[Ids]) -> tuple[list[KeysValues], Tensor, Tensor]:
        """Encode drafts: return keys and values of every layer, a mask that is false for padding, and
        directions (b, width).

        Keys and values are (b, heads, longest, width / heads) each. A direction is the mean hidden state of a
        draft, scaled to length 1.
        """
        ids, mask = pad_texts(queries, self.words.device)
        hidden, kept = self.trunk(self.trunk.embed(self.words[ids], 0, QUERY_KIND), build_bias(mask))
        return kept, mask, average_direction(hidden, mask)

    def score_paragraphs(
        self, paragraphs: Sequence[Ids], prefix: list[KeysValues], prefix_mask: Tensor, drafts: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Score b paragraphs for their drafts: return scores (b,), edge logits (b, n, 2) and mask (b, n).

        Edge logits rate each token as start and as end of the quoted words. The mask is false for padding.
        `prefix`, `prefix_mask` and `drafts` are the results of `encode_prefix`, with a row for each
        paragraph.
        """
        ids, mask = pad_texts(paragraphs, self.words.device)
        x = self.trunk.embed(self.words[ids], PARAGRAPH_POSITION, PARAGRAPH_KIND)
        hidden, _ = self.trunk(x, build_bias(torch.cat([prefix_mask, mask], 1)), prefix)
        similar = (average_direction(hidden, mask) * drafts).sum(-1)
        scores = self.score(hidden[:, 0])[:, 0].float() + self.scale * similar
        return scores, self.edges(hidden).float(), mask

    def forward(self, groups: Sequence[Group]) -> tuple[Tensor, Tensor]:
        """Score the paragraphs of groups (a draft and paragraphs each): return scores (groups, size) and edge
        logits (groups, size, longest, 2).

        Edge logits rate each token as start and as end of the quoted words; they are -inf at special tokens
        and padding.
        """
        kept, prefix_mask, drafts = self.encode_prefix([g.query for g in groups])
        size = len(groups[0].paragraphs)
        texts = [p for g in groups for p in g.paragraphs]
        longest = max(len(t) for t in texts)
        cuts = plan_passes([len(t) for t in texts], TOKENS_PER_PASS, self.words.device)
        scores, edges = [], []
        for rows in cuts:
            owners = torch.tensor([row // size for row in rows], device=self.words.device)
            own = [(k[owners], v[owners]) for k, v in kept]
            part, logits, mask = self.score_paragraphs(
                [texts[r] for r in rows], own, prefix_mask[owners], drafts[owners]
            )
            logits = mask_outside(logits, mask)
            scores.append(part)
            edges.append(F.pad(logits, (0, 0, 0, longest - logits.shape[1]), value=float("-inf")))
        shape, order = (len(groups), size), back(cuts, self.words.device)
        return torch.cat(scores)[order].view(shape), torch.cat(edges)[order].view(*shape, longest, 2)


def mask_outside(logits: Tensor, mask: Tensor) -> Tensor:
    """Return the logits of a span's start and end, (b, n, 2), with -inf at [CLS], [SEP] and padding."""
    allowed = mask.clone()
    allowed[:, 0] = False
    allowed[torch.arange(len(mask), device=mask.device), mask.sum(1) - 1] = False
    return logits.masked_fill(~allowed[..., None], float("-inf"))


def group_loss(model: Ranker, groups: Sequence[Group], recipe: RankerRecipe) -> Tensor:
    """Return the loss to train a ranker: the loss of the scores, plus `span_weight` times the loss of the
    spans.

    Groups without a known span have no loss of the spans. With a teacher, the loss of the scores is mixed
    with the distance from the teacher's scores, whose weight in the mix is `teacher_share` (0 to 1).
    """
    scores, edges = model(groups)
    loss = LOSSES[recipe.loss](scores)
    if recipe.teacher_share:
        taught = torch.tensor([group.taught for group in groups], device=scores.device)
        loss = torch.lerp(loss, compute_distillation(scores, taught), recipe.teacher_share)
    aligned_groups = [i for i, group in enumerate(groups) if group.start >= 0]
    if aligned_groups and recipe.span_weight:
        places = [(groups[i].start, groups[i].end) for i in aligned_groups]
        loss = loss + recipe.span_weight * compute_shared_norm(edges[aligned_groups], places)
    return loss


def train(
    data: Path,
    base: Path,
    out: Path,
    recipe: RankerRecipe,
    encoder_layers: int,
    log: Log,
    device: str = "cpu",
    teacher: Teacher | None = None,
) -> None:
    """Train the ranker, starting from the encoder `encoder-pairs.safetensors` in `out`.

    The ranker is written to `out` as `ranker-pairs.safetensors`.

    Raises:
        BadInput: if the pairs do not fill a batch.
        ModelError: if the encoder is missing.
    """
    pieces = WordPieces(base / "tokenizer.json")
    encoder = Encoder(base, encoder_layers, pieces.body_start)
    encoder.load_state_dict(read_tensors(out / "encoder-pairs.safetensors"))
    torch.manual_seed(recipe.seed)
    model = Ranker(encoder, recipe.layers, recipe.dropout).to(device)
    if load_finished("ranker-pairs", model, out):
        return
    if not load_finished("ranker-news", model, out):
        train_on_news(model, NewsGroups(data, pieces, recipe.news_rows, recipe.seed), out, recipe, log)
    aligned = GroupData(data, "train", pieces)
    order = plan_epochs(len(aligned.rows), recipe.epochs, recipe.batch, recipe.seed)
    with torch.no_grad():
        hard = compute_hardness(recipe.negatives_kind, aligned, encoder.to(device).eval())

    def compute_loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        groups = [
            aligned.group(aligned.rows[i], recipe.negatives, chance, hard[i] if hard else None, teacher)
            for i in order[step]
        ]
        return group_loss(model, groups, recipe)

    plan = Plan(len(order), recipe.rate, recipe.lora_rank, recipe.seed)
    run_phase("ranker-pairs", model, compute_loss, plan, out, log)


def train_on_news(model: Ranker, news: NewsGroups, out: Path, recipe: RankerRecipe, log: Log) -> None:
    """Train the ranker on paragraphs composed of news quotations; without any, nothing is trained."""
    order = plan_epochs(len(news.rows), 1, recipe.batch, recipe.seed) if news.rows else []
    recipe = replace(recipe, teacher_share=0.0)  # no teacher has scored these composed paragraphs

    def compute_loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        groups = [news.group(news.rows[i], recipe.news_negatives, chance) for i in order[step]]
        return group_loss(model, groups, recipe)

    plan = Plan(len(order), recipe.rate, recipe.lora_rank, recipe.seed)
    run_phase("ranker-news", model, compute_loss, plan, out, log)
