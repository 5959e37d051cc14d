"""Define the graphs of the models as torch modules, named like their stored weights.

ONNX export and the torch engine use the same code. Heads compute in float32 for any precision of the trunk,
because in bfloat16 neighbouring logits would be equal.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.models.evidence import STANCES
from reranker.models.wordpieces import PARAGRAPH_POSITION
from reranker.pytorch.trunk import Trunk, average_direction, build_bias

QUERY_KIND, PARAGRAPH_KIND = 0, 1


def run_layers(
    trunk: Trunk,
    x: Tensor,
    mask: Tensor,
    prefix: tuple[Tensor, Tensor],
    start: int = 0,
    stop: int | None = None,
) -> Tensor:
    """Run the layers from `start` up to `stop` of a trunk on paragraphs.

    Return hidden states (b, n, width). `prefix` has the draft's keys and values of all layers, (layers,
    heads, p, width / heads) each.
    """
    keys, values = prefix
    bias = build_bias(mask)
    for i, layer in list(enumerate(trunk.layers))[start:stop]:
        x = layer.run_after(x, bias, (keys[i], values[i]))
    return x


class EncoderGraph(nn.Module):
    """Encode b texts of n tokens: words (b, n, width), mask (b, n) -> vectors (b, width) of length 1.

    `words` are word embeddings.
    """

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk

    def forward(self, words: Tensor, mask: Tensor) -> tuple[Tensor]:
        """Return the mean of the last hidden states over the real tokens, normalised."""
        hidden, _ = self.trunk(self.trunk.embed(words, 0, 0), build_bias(mask))
        return (average_direction(hidden, mask),)


class ContextGraph(nn.Module):
    """Encode the text around a gap: words (b, n, width), mask (b, n), gap (b,) -> vectors (b, width).

    Source: "QuoteR: A Benchmark of Quote Recommendation for Writing" (ACL 2022), where the hidden state at
    the gap is the vector. Here it is added to the mean of all hidden states, so that before training the
    output equals the encoder's.
    """

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.at_gap = nn.Linear(trunk.shape.width, trunk.shape.width, bias=False)
        nn.init.zeros_(self.at_gap.weight)

    def forward(self, words: Tensor, mask: Tensor, gap: Tensor) -> tuple[Tensor]:
        """Return the mean of the hidden states plus the projected hidden state at the gap, normalised."""
        hidden, _ = self.trunk(self.trunk.embed(words, 0, 0), build_bias(mask))
        at_gap = torch.gather(hidden, 1, gap[:, None, None].expand(-1, 1, hidden.shape[-1]))[:, 0]
        return (F.normalize(average_direction(hidden, mask) + self.at_gap(at_gap.float()), dim=-1),)


class PrefixGraph(nn.Module):
    """Encode a draft as a prefix: words (1, p, width) -> keys, values, and the draft's direction.

    Keys and values are (layers, heads, p, width / heads). The direction is the mean hidden state, (1, width),
    of length 1.
    """

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk

    def forward(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the keys of all layers, the values of all layers, and the draft's direction."""
        hidden, kept = self.trunk(self.trunk.embed(words, 0, QUERY_KIND), None)
        draft = F.normalize(hidden.float().mean(1), dim=-1)
        return torch.cat([k for k, _ in kept]), torch.cat([v for _, v in kept]), draft


class ParagraphGraph(nn.Module):
    """Score paragraphs for a draft.

    words (b, n, width), mask (b, n), and the outputs of `PrefixGraph` -> scores (b,), edges (b, n, 2). The
    edges are the logits that the quote starts, and that it ends, at a token.
    """

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        self.trunk = trunk
        self.score, self.edges = nn.Linear(trunk.shape.width, 1), nn.Linear(trunk.shape.width, 2)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(
        self, words: Tensor, mask: Tensor, keys: Tensor, values: Tensor, draft: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the scores of paragraphs, and the edge logits (start and end of a quote) of their tokens.

        The caller ignores the edge logits of `[CLS]`, `[SEP]` and padding.
        """
        x = self.trunk.embed(words, PARAGRAPH_POSITION, PARAGRAPH_KIND)
        return self.judge(run_layers(self.trunk, x, mask, (keys, values)), mask, draft)

    def judge(self, x: Tensor, mask: Tensor, draft: Tensor) -> tuple[Tensor, Tensor]:
        """Compute the scores of paragraphs, and the edge logits (start and end of a quote) of their tokens.

        `x` has the hidden states of the last layer.
        """
        hidden = x.float()
        similar = (average_direction(hidden, mask) * draft).sum(-1)
        return self.score(hidden[:, 0])[:, 0] + self.scale * similar, self.edges(hidden)


class EarlyHead(nn.Module):
    """Estimate the ranker's score of paragraphs from the hidden states of a lower layer.

    The mean hidden state of the paragraph and the direction of the draft are projected to the width `size`
    and normalised. The score is their scaled cosine, plus the output of a small network. The network reads
    the hidden state at [CLS], the mean hidden state, and the product of the projections. `inner` is the
    network's width.
    """

    def __init__(self, width: int, size: int = 128, inner: int = 192) -> None:
        super().__init__()
        self.paragraph, self.draft = nn.Linear(width, size), nn.Linear(width, size)
        self.inner, self.out = nn.Linear(2 * width + size, inner), nn.Linear(inner, 1)
        self.scale = nn.Parameter(torch.tensor(10.0))

    def forward(self, first: Tensor, mean: Tensor, draft: Tensor) -> Tensor:
        """Return estimates (b,) of the scores that b paragraphs get from all layers.

        `first` has their hidden states at `[CLS]`, `mean` their mean hidden states, (b, width) each. `draft`
        is the draft's direction, its normalised mean hidden state.
        """
        paragraph = F.normalize(self.paragraph(mean), dim=-1)
        shared = paragraph * F.normalize(self.draft(draft), dim=-1)
        joined = torch.cat([first, mean, shared * shared.shape[-1] ** 0.5], -1)
        out: Tensor = self.scale * shared.sum(-1) + self.out(F.gelu(self.inner(joined)))[..., 0]
        return out


class LowerGraph(nn.Module):
    """Run the first `layers` layers of a ranker, and estimate the scores that all layers would give.

    words (b, n, width), mask (b, n), and the draft's prefix -> hidden (b, n, width), scores (b,).
    """

    def __init__(self, trunk: Trunk, layers: int, early: EarlyHead) -> None:
        super().__init__()
        self.trunk, self.layers, self.early = trunk, layers, early

    def forward(
        self, words: Tensor, mask: Tensor, keys: Tensor, values: Tensor, draft: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the hidden states of paragraphs, and estimates of their final scores.

        The hidden states are the input of `UpperGraph`.
        """
        x = self.trunk.embed(words, PARAGRAPH_POSITION, PARAGRAPH_KIND)
        hidden = run_layers(self.trunk, x, mask, (keys, values), stop=self.layers).float()
        real = mask[..., None].float()
        mean = (hidden * real).sum(1) / real.sum(1)
        return hidden, self.early(hidden[:, 0], mean, draft)


class UpperGraph(ParagraphGraph):
    """Run the layers above those of `LowerGraph`, and score b paragraphs of at most n WordPieces.

    Inputs are the hidden states that `LowerGraph` returns, (b, n, width), their mask (b, n), and the keys and
    values of the draft. Outputs are scores (b,), and edges (b, n, 2): for each WordPiece, logits that the
    best span begins and ends there. They are the same as those of `ParagraphGraph`, which runs all layers.
    """

    def __init__(self, trunk: Trunk, layers: int) -> None:
        super().__init__(trunk)
        self.layers = layers

    def forward(
        self, hidden: Tensor, mask: Tensor, keys: Tensor, values: Tensor, draft: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the scores and edge logits of the paragraphs whose hidden states are `hidden`."""
        x = hidden.to(self.trunk.positions.weight.dtype)
        x = run_layers(self.trunk, x, mask, (keys, values), start=self.layers)
        return self.judge(x, mask, draft)


class EvidenceGraph(nn.Module):
    """Score the sentences of paragraphs as evidence for a claim, and judge their stances.

    words (b, n, width), mask (b, n), sentences (b, s, n) and the claim's prefix -> scores (b, s) and stance
    logits (b, s, 3). `sentences` is 1 for the tokens of each sentence, else 0; rows of zeros are padding.
    """

    def __init__(self, trunk: Trunk) -> None:
        super().__init__()
        width = trunk.shape.width
        self.trunk = trunk
        self.score = nn.Linear(width, 1)
        self.stance = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, len(STANCES)))
        self.scale = nn.Parameter(torch.ones(()))

    def forward(
        self, words: Tensor, mask: Tensor, sentences: Tensor, keys: Tensor, values: Tensor, draft: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the scores (b, s) and stance logits (b, s, 3) of the sentences of b paragraphs.

        Paragraphs with fewer than s sentences are padded. The scores and logits of this padding have no
        meaning; the caller ignores them.
        """
        x = self.trunk.embed(words, PARAGRAPH_POSITION, PARAGRAPH_KIND)
        return self.judge(run_layers(self.trunk, x, mask, (keys, values)), sentences, draft)

    def judge(self, hidden: Tensor, sentences: Tensor, draft: Tensor) -> tuple[Tensor, Tensor]:
        """Compute the scores and stance logits of sentences from the hidden states of the last layer.

        `draft`, (1, width) or (b, width), is the claim's mean hidden state, scaled to length 1.
        """
        means = average_sentences(hidden, sentences)
        similar = (F.normalize(means, dim=-1) * draft[:, None]).sum(-1)
        return self.score(means)[..., 0] + self.scale * similar, self.stance(means)


class EvidenceLowerGraph(nn.Module):
    """Run the first `layers` layers on paragraphs, and estimate the final scores of their sentences.

    words (b, n, width), mask (b, n), sentences (b, s, n) and the claim's prefix -> hidden (b, n, width),
    scores (b, s).
    """

    def __init__(self, trunk: Trunk, layers: int, early: EarlyHead) -> None:
        super().__init__()
        self.trunk, self.layers, self.early = trunk, layers, early

    def forward(
        self, words: Tensor, mask: Tensor, sentences: Tensor, keys: Tensor, values: Tensor, draft: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the hidden states of paragraphs, and estimates of the final scores of their sentences.

        The hidden states are the input of `EvidenceUpperGraph`.
        """
        x = self.trunk.embed(words, PARAGRAPH_POSITION, PARAGRAPH_KIND)
        hidden = run_layers(self.trunk, x, mask, (keys, values), stop=self.layers).float()
        means = average_sentences(hidden, sentences)
        return hidden, self.early(hidden[:, :1].expand_as(means), means, draft[:, None])


class EvidenceUpperGraph(EvidenceGraph):
    """Run the layers after those of `EvidenceLowerGraph`, and score sentences as `EvidenceGraph` does.

    hidden (b, n, width), mask (b, n), sentences (b, s, n) and the claim's prefix (keys, values and direction)
    -> scores (b, s) and stance logits (b, s, 3).
    """

    def __init__(self, trunk: Trunk, layers: int) -> None:
        super().__init__(trunk)
        self.layers = layers

    def forward(
        self, hidden: Tensor, mask: Tensor, sentences: Tensor, keys: Tensor, values: Tensor, draft: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the scores and stance logits of sentences, from the hidden states of the lower layers."""
        x = hidden.to(self.trunk.positions.weight.dtype)
        x = run_layers(self.trunk, x, mask, (keys, values), start=self.layers)
        return self.judge(x, sentences, draft)


PAIR_FEATURES = 4  # u, v, |u - v| and u * v


class PairGraph(nn.Module):
    """Compare the vectors of b quotations with those of their sources.

    u (b, width), v (b, width) -> log odds (b,) that the meaning of a quotation differs from that of its
    source.

    Source: the classifier of "Detecting Contextomized Quotes in News Headlines by Contrastive Learning" (EACL
    Findings 2023), on (u, v, |u - v|, u * v).
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.judge = nn.Sequential(
            nn.Linear(PAIR_FEATURES * width, width // 2), nn.GELU(), nn.Linear(width // 2, 1)
        )

    def forward(self, quotes: Tensor, sources: Tensor) -> tuple[Tensor]:
        """Return the log odds that each quotation's meaning differs from its source's."""
        joined = torch.cat([quotes, sources, (quotes - sources).abs(), quotes * sources], -1)
        return (self.judge(joined * joined.shape[-1] ** 0.5 / 2)[:, 0],)


def average_sentences(hidden: Tensor, sentences: Tensor) -> Tensor:
    """Return the mean hidden state of each sentence, float32 (b, s, width).

    `sentences` (b, s, n) is 1 for the tokens of each sentence. A sentence without a token gets zeros.
    """
    counts = sentences.sum(-1, keepdim=True).clamp(min=1)
    return (sentences.float() @ hidden.float()) / counts
