"""Train the encoder, so that a draft and the paragraph quoted next get similar vectors.

All phases use a softmax over the batch (InfoNCE). The first phases need no aligned transcripts: they use a
text and the text that follows (`training.unaligned`). The last phase uses aligned pairs (draft -> paragraph),
with other paragraphs of the same transcript as negatives.
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

from evaluation.data import DOCUMENTS
from evaluation.pairs import read_pairs, read_transcripts
from reranker.models import batches as batching
from reranker.models.word_table import WordTable, quantise
from reranker.models.wordpieces import PARAGRAPH_TOKENS, Ids, WordPieces
from reranker.pytorch.trunk import average_direction, build_bias
from rostrum_core.errors import BadInput
from rostrum_core.types import Draft
from training.bert import load_bert
from training.loop import Log, Plan, load_finished, run_phase
from training.negatives import Floats, compute_hardness, select_hardest
from training.recipe import EncoderRecipe
from training.unaligned import Couple, batch_news, batch_speeches

TEMPERATURE = 0.05
TOKENS_PER_PASS = 4096  # of a CPU
CPU = torch.device("cpu")


class Encoder(nn.Module):
    """Encode token ids as vectors of length 1: the mean of the last hidden states, without padding."""

    def __init__(self, base: Path, layers: int, body_start: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.trunk, words = load_bert(base, layers, dropout)
        table = quantise(words.float().numpy())
        self.register_buffer(
            "words", torch.from_numpy(table.lookup(np.arange(len(words), dtype=np.int32))), persistent=False
        )
        self.body_start_id = body_start
        self.body_start = nn.Parameter(self.words[body_start].clone())

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word embeddings of `ids`.

        Only one of them is trained: that of the special token between a draft's title and its text.
        """
        return torch.where((ids == self.body_start_id)[..., None], self.body_start, self.words[ids])

    def forward(self, texts: Sequence[Ids]) -> Tensor:
        """Return a vector for each text, (n, width), in the order of `texts`, which are packed token ids.

        Texts of similar length run together in one batch.
        """
        cuts = plan_passes([len(ids) for ids in texts], TOKENS_PER_PASS, self.words.device)
        return torch.cat([self._pass([texts[i] for i in cut]) for cut in cuts])[back(cuts, self.words.device)]

    def _pass(self, texts: list[Ids]) -> Tensor:
        ids, mask = pad_texts(texts, self.words.device)
        hidden, _ = self.trunk(self.trunk.embed(self.embed(ids), 0, 0), build_bias(mask))
        return average_direction(hidden, mask)


def make_word_table(encoder: Encoder) -> WordTable:
    """Return the word embeddings of a trained encoder.

    The special token between a draft's title and its text was trained; all other embeddings are those of the
    base model.
    """
    table = encoder.words.clone()
    table[encoder.body_start_id] = encoder.body_start.detach()
    return quantise(table.cpu().numpy())


def plan_passes(lengths: Sequence[int], budget: int, device: torch.device) -> list[list[int]]:
    """Split texts into batches of similar length; return the indices of the texts in each batch.

    `lengths` has the number of tokens of each text. On a CPU, a batch has at most `budget` tokens; on a GPU,
    the limit is higher.
    """
    return batching.split_batches(lengths, budget if device.type == "cpu" else batching.GPU_BATCH_TOKENS)


def back(cuts: Sequence[Sequence[int]], device: torch.device) -> Tensor:
    """Return the indices, (n,), that put the results of n texts in order after the texts ran in batches.

    `cuts` has the indices of the texts in each batch, as `plan_passes` returns them. In the example, the
    result of text 0 comes last, at index 2.

    >>> back([[1, 2], [0]], CPU).tolist()
    [2, 0, 1]
    """
    return torch.argsort(torch.tensor([i for cut in cuts for i in cut], device=device))


def pad_texts(texts: Sequence[Ids], device: torch.device = CPU) -> tuple[Tensor, Tensor]:
    """Pad the token ids of b texts with 0; return ids (b, longest), and a mask that is false for padding."""
    ids, mask = batching.pad_batch(texts)
    return torch.from_numpy(ids).long().to(device), torch.from_numpy(mask).to(device)


def compute_contrast(queries: Tensor, paragraphs: Tensor, same: Tensor) -> Tensor:
    """Compute the contrastive loss InfoNCE of vectors; paragraph i is the positive of query i.

    Where `same` (queries, paragraphs) is true, the paragraph is not used as a negative of the query.
    """
    scores = queries @ paragraphs.T / TEMPERATURE
    positives = torch.arange(len(queries), device=queries.device)
    return F.cross_entropy(scores.masked_fill(same.to(queries.device), float("-inf")), positives)


@dataclass(frozen=True)
class PairRow:
    """Hold a draft and the place of one paragraph that it quotes: transcript `document`, ordinal `ordinal`.

    `query` is the draft as token ids. `quoted` has the ordinals of all paragraphs that the draft's quote
    covers.
    """

    draft: Draft
    query: Ids
    document: str
    ordinal: int
    quoted: tuple[int, ...]


class PairData:
    """Hold aligned pairs (a draft and the place of its quote) with the paragraphs of the quoted transcripts.

    Paragraphs are token ids, `[CLS] ids [SEP]`, cut to the model's length.
    """

    def __init__(self, data: Path, split: str, pieces: WordPieces) -> None:
        self.documents = read_transcripts(data / DOCUMENTS)
        self.pairs = read_pairs(data / f"pairs-{split}.jsonl.gz", self.documents)
        self.paragraphs = {
            document: [
                pieces.pack(p.cut(0, PARAGRAPH_TOKENS))
                for p in pieces.tokenise(list(self.documents[document].paragraphs))
            ]
            for document in sorted({pair.document for pair in self.pairs})
        }
        self.rows = [
            PairRow(
                pair.draft,
                pieces.tokenise_query(pair.title, pair.left),
                pair.document,
                part.ordinal,
                tuple(p.ordinal for p in pair.parts),
            )
            for pair in self.pairs
            for part in pair.parts
        ]

    def pack(self, document: str) -> list[Ids]:
        """Return the paragraphs of a transcript as token ids, `[CLS] ids [SEP]` each."""
        return self.paragraphs[document]


def choose_other_paragraph(
    row: PairRow, count: int, chance: random.Random, hard: Floats | None = None
) -> int:
    """Sample a paragraph of a row's transcript as a negative, and return its ordinal.

    `count` is the number of the transcript's paragraphs. `hard` has the hardness of each paragraph (see
    `training.negatives`). Without `hard`, sample from all paragraphs; the sample may be a quoted paragraph by
    chance. With `hard`, sample from the hardest paragraphs that are not quoted; if all are quoted, return the
    row's own paragraph.
    """
    if hard is None:
        return chance.randrange(count)
    others = [ordinal for ordinal in range(count) if ordinal not in row.quoted]
    return chance.choice(select_hardest(others, hard, 1) or [row.ordinal])


def compute_pair_loss(
    model: Encoder,
    batch: Sequence[PairRow],
    data: PairData,
    chance: random.Random,
    hard: Sequence[Floats] | None = None,
) -> Tensor:
    """Compute the contrastive loss of a batch of drafts and quoted paragraphs.

    Each row of the batch has a draft and a paragraph that the draft quotes. Another paragraph of the same
    transcript is added for each row (see `choose_other_paragraph`). The negatives of a draft are all other
    paragraphs of the batch, except those that the draft quotes as well. `hard` has, for each row, the
    hardness of its transcript's paragraphs (see `training.negatives`).
    """
    positives = [(row.document, row.ordinal) for row in batch]
    harder: Sequence[Floats | None] = hard or [None] * len(batch)
    others = [
        (row.document, choose_other_paragraph(row, len(data.paragraphs[row.document]), chance, negatives))
        for row, negatives in zip(batch, harder, strict=True)
    ]
    places = positives + others
    vectors = model([row.query for row in batch] + [data.paragraphs[d][o] for d, o in places])
    same = torch.tensor(
        [
            [j != i and d == row.document and o in row.quoted for j, (d, o) in enumerate(places)]
            for i, row in enumerate(batch)
        ]
    )
    return compute_contrast(vectors[: len(batch)], vectors[len(batch) :], same)


def train(data: Path, base: Path, out: Path, recipe: EncoderRecipe, log: Log, device: str = "cpu") -> None:
    """Train the encoder in all phases, and write it to `out` as `encoder-pairs.safetensors`.

    Raises:
        BadInput: the pairs do not fill a batch. Or the recipe has `speech_rows`, but no speech is older than
            every speech that dev (the development set) quotes.
    """
    pieces = WordPieces(base / "tokenizer.json")
    model = Encoder(base, recipe.layers, pieces.body_start).to(device)
    if load_finished("encoder-pairs", model, out):
        return
    if not load_finished("encoder-news", model, out):
        if recipe.speech_rows:
            speeches = batch_speeches(data, pieces, recipe)
            train_on_couples("encoder-speeches", model, speeches, out, recipe, log)
        train_on_couples("encoder-news", model, batch_news(data, pieces, recipe), out, recipe, log)
    train_on_pairs(model, PairData(data, "train", pieces), out, recipe, log)


def train_on_couples(
    name: str, model: Encoder, batches: list[list[Couple]], out: Path, recipe: EncoderRecipe, log: Log
) -> None:
    """Train the encoder to find, among the texts of a batch, the one that follows a given draft.

    Without batches, nothing is trained.
    """

    def compute_loss(step: int) -> Tensor:
        drafts, quotes = zip(*batches[step], strict=True)
        vectors = model([*drafts, *quotes])
        n = len(drafts)
        return compute_contrast(vectors[:n], vectors[n:], torch.zeros(n, n, dtype=torch.bool))

    run_phase(name, model, compute_loss, _plan(len(batches), recipe.news_rate, recipe), out, log)


def train_on_pairs(model: Encoder, aligned: PairData, out: Path, recipe: EncoderRecipe, log: Log) -> None:
    """Train the encoder to find the paragraph that a draft quotes.

    It learns to prefer this paragraph to others, also to others of the same speech.
    """
    order = plan_epochs(len(aligned.rows), recipe.pair_epochs, recipe.pair_batch, recipe.seed)
    with torch.no_grad():
        hard = compute_hardness(
            recipe.negatives_kind, aligned, model
        )  # the earlier phases have already trained it

    def compute_loss(step: int) -> Tensor:
        chance, rows = random.Random(f"{recipe.seed} {step}"), order[step]
        negatives = hard and [hard[i] for i in rows]
        return compute_pair_loss(model, [aligned.rows[i] for i in rows], aligned, chance, negatives)

    run_phase("encoder-pairs", model, compute_loss, _plan(len(order), recipe.pair_rate, recipe), out, log)


def _plan(steps: int, rate: float, recipe: EncoderRecipe) -> Plan:
    return Plan(steps, rate, recipe.lora_rank, recipe.seed)


def check_batch(count: int, batch: int, name: str) -> None:
    """Raise `BadInput` unless `count` quoted paragraphs fill a batch.

    The batch size is `batch`; `name` is the name of this setting in the recipe, for the message.
    """
    if count < batch:
        raise BadInput(f"{count} quoted paragraphs to train on do not fill a batch of {batch}: lower {name}")


def plan_epochs(count: int, times: int, batch: int, seed: int) -> list[list[int]]:
    """Return batches of the indices 0 to `count` - 1 for `times` epochs; each epoch has its own random order.

    The last batch of an epoch is dropped if it is incomplete.

    Raises:
        BadInput: if not even one batch can be filled.

    >>> sorted(sum(plan_epochs(4, 1, 2, 0), []))
    [0, 1, 2, 3]
    """
    check_batch(count, batch, "the batch")
    chance = random.Random(seed)
    batches = []
    for _ in range(times):
        order = list(range(count))
        chance.shuffle(order)
        batches += [order[i : i + batch] for i in range(0, count - batch + 1, batch)]
    return batches
