"""Train the evidence model, which finds sentences that support a claim, and the stance of a text to a claim.

The model reads the claim once, as a prefix that all paragraphs share, as the ranker reads a draft. A
sentence's score is computed from the mean of its tokens. The losses are pairwise and listwise over the
sentences of a document. The three stances (supports, contradicts, neutral) are trained at the same time.
Source of the task and of the pairwise loss: "Why did they cite that?" (thesis, 2018).
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.models.evidence import STANCES
from reranker.models.wordpieces import PARAGRAPH_POSITION, Ids
from reranker.pytorch.engine import read_module
from reranker.pytorch.graphs import PARAGRAPH_KIND, QUERY_KIND, EvidenceGraph
from reranker.pytorch.trunk import KeysValues, average_direction, build_bias
from training.adapter_files import compute_factors, convert_to_half
from training.job_data import CLAIM_SETS, SPLITS, STANCE_SETS
from training.job_recipe import read_job_recipe
from training.job_training import make_parser, pack_ids, pad, print_point, read_words
from training.loop import Log, Plan, mix_precision, run_phase
from training.token_rows import load_arrays

MOST_POSITIVE = 3  # chunks with evidence in a group
EVALUATION_CHUNKS = 256  # in one pass


@dataclass(frozen=True)
class EvidenceRecipe:
    """Set the hyper-parameters of the evidence model's training.

    A step has `groups` claims and `stance_batch` texts with a stance. Each claim comes with `chunks` chunks
    of documents (sentences in sequence, together at most 200 tokens). Of these, `foreign_chunks` are from
    other documents. The loss is the listwise loss, plus `pairwise_weight` times the pairwise loss, plus
    `stance_weight` times the cross-entropy of the stances. For some claims, a machine chose the supporting
    sentences. Each epoch uses the share `citations_share` of these claims.
    """

    epochs: int = 5
    groups: int = 16
    chunks: int = 8
    rate: float = 7e-4
    pairwise_weight: float = 1.0
    stance_weight: float = 0.5
    stance_batch: int = 48
    citations_share: float = 0.3
    foreign_chunks: int = 1
    dropout: float = 0.1
    lora_rank: int = 16
    seed: int = 7


class EvidenceData:
    """Read claims, chunks of documents, and texts with stances from a file of `training.evidence_data`."""

    def __init__(self, path: Path) -> None:
        texts, arrays = load_arrays(path)
        self.chunks, self.claims = texts["chunks"], texts["claims"]
        self.stance_texts, self.stance_claims = texts["stance.texts"], texts["stance.claims"]
        self.stance: NDArray[np.int32] = arrays["stance"]
        self.claim: NDArray[np.int32] = arrays["claim"]
        self.cls, self.sep = (int(item) for item in arrays["special"])
        self.spans: list[list[tuple[int, int]]] = [[] for _ in range(len(self.chunks))]
        self.numbers: list[list[int]] = [[] for _ in range(len(self.chunks))]
        for number, (chunk, start, end) in enumerate(arrays["sentence"].tolist()):
            self.spans[chunk].append((start + 1, end + 1))  # after [CLS]
            self.numbers[chunk].append(number)
        self.positive: dict[int, set[int]] = defaultdict(set)
        for claim, sentence in arrays["positive"].tolist():
            self.positive[claim].add(sentence)
        self.of_document: dict[int, list[int]] = defaultdict(list)
        for chunk, document in enumerate(arrays["chunk_document"].tolist()):
            self.of_document[document].append(chunk)
        training = self.claim[self.claim[:, 2] == SPLITS.index("train"), 0]
        self.trained = [
            chunk for document in sorted(set(training.tolist())) for chunk in self.of_document[document]
        ]

    def select_rows(self, kind: str, split: str) -> list[int]:
        """Return the indices of the claims of a set, such as "scifact", and a split, such as "dev"."""
        wanted = (self.claim[:, 1] == CLAIM_SETS.index(kind)) & (self.claim[:, 2] == SPLITS.index(split))
        return np.flatnonzero(wanted).tolist()

    def select_stance_rows(self, kinds: Sequence[str], split: str) -> list[int]:
        """Return the indices of texts with a stance, by data sets (`kinds`: "scifact") and split ("dev")."""
        wanted = np.isin(self.stance[:, 1], [STANCE_SETS.index(kind) for kind in kinds])
        return np.flatnonzero(wanted & (self.stance[:, 2] == SPLITS.index(split))).tolist()

    def pack(self, ids: Ids) -> Ids:
        """Return the token ids of a text as `[CLS] ids [SEP]`."""
        return pack_ids(self.cls, ids, self.sep)

    def is_evidence(self, claim: int, chunk: int) -> list[bool]:
        """Return for each sentence of a chunk whether it supports the claim."""
        return [number in self.positive[claim] for number in self.numbers[chunk]]

    def draw_chunks(self, claim: int, count: int, foreign: int, chance: random.Random) -> list[int]:
        """Sample `count` chunks (several sentences of a document each) for a claim, and return their indices.

        First come chunks of the claim's document: at most `MOST_POSITIVE` with evidence, then others. The
        last `foreign` chunks, or more if the document is short, are sampled from all training documents.
        """
        own = self.of_document[int(self.claim[claim, 0])]
        having = [chunk for chunk in own if any(self.is_evidence(claim, chunk))]
        chosen = chance.sample(having, min(MOST_POSITIVE, len(having)))
        others = [chunk for chunk in own if chunk not in having]
        chosen += chance.sample(others, max(0, min(count - foreign - len(chosen), len(others))))
        return chosen + chance.choices(self.trained, k=count - len(chosen))


class EvidenceModel(nn.Module):
    """Combine the ranker's trunk (its transformer layers) with two heads: sentences' scores and stances."""

    def __init__(self, models: Path, dropout: float) -> None:
        super().__init__()
        base = read_module(models / "paragraph.onnx")
        for layer in base.trunk.layers:
            layer.dropout = dropout
        self.graph = EvidenceGraph(base.trunk)
        nn.init.zeros_(self.graph.score.weight)
        self.graph.scale.data.copy_(base.scale.data)
        self.register_buffer("words", read_words(models), persistent=False)

    def encode_prefix(self, claims: Sequence[Ids]) -> tuple[list[KeysValues], Tensor, Tensor]:
        """Encode n claims as prefixes; return (keys and values, mask, directions).

        The keys and values are those of all layers. The mask (n, tokens) is false for padding. The directions
        (n, width) are the claims' mean hidden states, scaled to length 1.
        """
        ids, mask = pad(claims, self.words.device)
        hidden, kept = self.graph.trunk(
            self.graph.trunk.embed(self.words[ids], 0, QUERY_KIND), build_bias(mask)
        )
        return kept, mask, average_direction(hidden, mask)

    def forward(
        self,
        claims: Sequence[Ids],
        owners: Sequence[int],
        texts: Sequence[Ids],
        spans: Sequence[Sequence[tuple[int, int]]],
    ) -> tuple[Tensor, Tensor]:
        """Score the sentences of texts for claims: return scores (texts, s) and stance logits (texts, s, 3).

        s is the number of sentences of the text with the most sentences. `owners` has the index of each
        text's claim, `spans` the token ranges of the texts' sentences.
        """
        kept, prefix_mask, directions = self.encode_prefix(claims)
        device = self.words.device
        at = torch.tensor(owners, device=device)
        ids, mask = pad(texts, device)
        trunk = self.graph.trunk
        x = trunk.embed(self.words[ids], PARAGRAPH_POSITION, PARAGRAPH_KIND)
        prefixes = [(keys[at], values[at]) for keys, values in kept]
        hidden, _ = trunk(x, build_bias(torch.cat([prefix_mask[at], mask], 1)), prefixes)
        members = torch.from_numpy(mark_members(spans, ids.shape[1])).to(device)
        scores, stances = self.graph.judge(hidden, members, directions[at])
        return scores.float(), stances.float()


def mark_members(spans: Sequence[Sequence[tuple[int, int]]], width: int) -> NDArray[np.float32]:
    """Mark the tokens of each sentence with 1 and all others with 0: return float32 (texts, s, width).

    `spans` has the half-open token ranges of the sentences of each text. s is the number of sentences of the
    text with the most sentences.

    >>> mark_members([[(1, 3)]], 4).tolist()
    [[[0.0, 1.0, 1.0, 0.0]]]
    """
    most = max(1, *(len(item) for item in spans))
    result = np.zeros((len(spans), most, width), np.float32)
    for text, item in enumerate(spans):
        for at, (start, end) in enumerate(item):
            result[text, at, start:end] = 1
    return result


def compute_ranking_loss(scores: Tensor, evidence: Tensor, real: Tensor, pairwise_weight: float) -> Tensor:
    """Return the listwise loss plus the weighted pairwise loss, averaged over claims.

    All arrays are (claims, sentences): `evidence` is true for sentences that support the claim, `real` for
    sentences that are not padding. Listwise: -log p of each supporting sentence, in a softmax over that
    sentence and all sentences that do not support the claim. Pairwise: the logistic loss of the difference
    between the scores of a supporting and another sentence, as RankNet (ICML 2005).
    """
    others = scores.masked_fill(evidence | ~real, float("-inf"))
    rest = torch.logsumexp(others, 1, keepdim=True)
    listwise = torch.logaddexp(scores, rest) - scores
    differences = scores[:, None] - scores[:, :, None]  # (claims, supporting, other): other - supporting
    pairs = evidence[:, :, None] & (real & ~evidence)[:, None]
    pairwise = (F.softplus(differences) * pairs).sum((1, 2)) / pairs.sum((1, 2)).clamp(min=1)
    count = evidence.sum(1).clamp(min=1)
    return ((listwise.masked_fill(~evidence, 0).sum(1) / count) + pairwise_weight * pairwise).mean()


def group_loss(
    model: EvidenceModel,
    data: EvidenceData,
    claims: Sequence[int],
    recipe: EvidenceRecipe,
    chance: random.Random,
) -> Tensor:
    """Return the ranking loss for some claims, on sentences that are sampled for each claim.

    The sentences come in chunks: several sentences of a document each.
    """
    chunks = [data.draw_chunks(claim, recipe.chunks, recipe.foreign_chunks, chance) for claim in claims]
    flat = [chunk for item in chunks for chunk in item]
    owners = [at for at, item in enumerate(chunks) for _ in item]
    texts = [data.pack(data.chunks[chunk]) for chunk in flat]
    scores, _ = model(data.claims.take(claims), owners, texts, [data.spans[chunk] for chunk in flat])
    most = scores.shape[1]
    evidence, real = np.zeros((len(flat), most), bool), np.zeros((len(flat), most), bool)
    for row, (owner, chunk) in enumerate(zip(owners, flat, strict=True)):
        marks = data.is_evidence(claims[owner], chunk)
        evidence[row, : len(marks)], real[row, : len(marks)] = marks, True
    shape = (len(claims), -1)
    on_device = [torch.from_numpy(item).to(scores.device).view(shape) for item in (evidence, real)]
    return compute_ranking_loss(scores.view(shape), on_device[0], on_device[1], recipe.pairwise_weight)


def compute_stance_logits(model: EvidenceModel, data: EvidenceData, rows: Sequence[int]) -> Tensor:
    """Return the logits (rows, 3) of the stance of each text to its claim.

    The model reads each text as if it were one sentence.
    """
    texts = [data.pack(ids) for ids in data.stance_texts.take(rows)]
    spans = [[(1, len(ids) - 1)] for ids in texts]
    return model(data.stance_claims.take(rows), range(len(rows)), texts, spans)[1][:, 0]


def cut_steps(data: EvidenceData, recipe: EvidenceRecipe) -> list[list[int]]:
    """Return the claims of every training step.

    Each epoch has all claims labelled by people, and a sample of the claims labelled by a machine.
    """
    chance = random.Random(recipe.seed)
    sure = [claim for kind in ("debater", "scifact", "motions") for claim in data.select_rows(kind, "train")]
    unsure = data.select_rows("citations", "train")
    steps: list[list[int]] = []
    for _ in range(recipe.epochs):
        order = sure + chance.sample(unsure, int(recipe.citations_share * len(unsure)))
        chance.shuffle(order)
        steps += [order[at : at + recipe.groups] for at in range(0, len(order), recipe.groups)]
    return steps


def train(
    data: EvidenceData,
    model: EvidenceModel,
    recipe: EvidenceRecipe,
    out: Path,
    log: Log,
    steps: int | None = None,
) -> None:
    """Train the model to score sentences and to classify stances; write the trained weights to `out`.

    Both tasks are trained together, in the same steps, at most `steps` of them.
    """
    order = cut_steps(data, recipe)[:steps]
    people = data.select_stance_rows(("scifact", "citations"), "train")
    planted = data.select_stance_rows(("planted",), "train")
    labels = data.stance[:, 0]
    kinds = [[row for row in people if labels[row] == label] for label in range(len(STANCES))]

    def compute_loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        total = group_loss(model, data, order[step], recipe, chance)
        if recipe.stance_weight:
            third = (
                recipe.stance_batch // 6
            )  # half of the batch are people's labels, with equal shares of the stances
            rows = [row for kind in kinds for row in chance.choices(kind, k=third)]
            rows += chance.choices(planted or people, k=recipe.stance_batch - len(rows))
            target = torch.tensor(labels[rows], device=total.device).long()
            total = total + recipe.stance_weight * F.cross_entropy(
                compute_stance_logits(model, data, rows), target
            )
        return total

    run_phase(
        "evidence-one",
        model,
        compute_loss,
        Plan(len(order), recipe.rate, recipe.lora_rank, recipe.seed),
        out,
        log,
    )


@torch.no_grad()
def score_document(
    model: EvidenceModel, data: EvidenceData, claim: int
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the scores of all sentences of a claim's document, and a mask that is true for the evidence."""
    chunks = data.of_document[int(data.claim[claim, 0])]
    scores, evidence = [], []
    for at in range(0, len(chunks), EVALUATION_CHUNKS):
        batch = chunks[at : at + EVALUATION_CHUNKS]
        texts = [data.pack(data.chunks[chunk]) for chunk in batch]
        with mix_precision(model.words.device.type):
            result, _ = model(
                [data.claims[claim]], [0] * len(batch), texts, [data.spans[chunk] for chunk in batch]
            )
        rows = result.cpu().numpy()
        for chunk, row in zip(batch, rows, strict=True):
            scores += row[: len(data.spans[chunk])].tolist()
            evidence += data.is_evidence(claim, chunk)
    return np.array(scores, np.float32), np.array(evidence, bool)


def judge_ranking(scores: NDArray[np.float32], evidence: NDArray[np.bool_]) -> dict[str, float]:
    """Return figures on the ranking of one claim's sentences; `evidence` is true for supporting sentences.

    "pairwise" is the share of pairs (supporting sentence, other sentence) in which the supporting sentence
    has the higher score; a tie counts half. "mrr" is the reciprocal rank of the first supporting sentence.
    "p@1" and "p@3" are precisions. "r@5" is 1 if a supporting sentence is among the first five, else 0.
    "ndcg@10" is nDCG.

    In the example, the supporting sentence has the score 2, the others have 1 and 3.

    >>> judge_ranking(np.array([2.0, 1.0, 3.0], np.float32), np.array([True, False, False]))["pairwise"]
    0.5
    """
    order = np.argsort(-scores, kind="stable")
    hits = evidence[order]
    gain = 1 / np.log2(2 + np.arange(len(hits)))
    ideal = gain[: min(10, int(hits.sum()))].sum()
    differences = scores[evidence][:, None] - scores[~evidence][None]
    above = (differences > 0) + 0.5 * (differences == 0)  # a tie counts half
    return {
        "pairwise": float(above.mean()) if above.size else 1.0,
        "mrr": float(1 / (1 + np.flatnonzero(hits)[0])),
        "p@1": float(hits[0]),
        "p@3": float(hits[:3].mean()),
        "r@5": float(hits[:5].any()),
        "ndcg@10": float((gain[:10] * hits[:10]).sum() / ideal),
    }


def evaluate_ranking(
    model: EvidenceModel, data: EvidenceData, kind: str, split: str, limit: int | None
) -> dict[str, Any]:
    """Measure how the model ranks sentences for the claims of a set ("scifact") and a split ("dev").

    Return the mean of each figure of `judge_ranking` over the claims. Also return two figures of each single
    claim: its pairwise accuracy and its reciprocal rank.
    """
    model.eval()
    rows = [
        judge_ranking(*score_document(model, data, claim)) for claim in data.select_rows(kind, split)[:limit]
    ]
    if not rows:
        return {"n": 0}
    means = {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}
    item = {f"{name} of each": [round(row[name], 4) for row in rows] for name in ("pairwise", "mrr")}
    return {"n": len(rows), **means, **item}


@torch.no_grad()
def evaluate_stance(
    model: EvidenceModel, data: EvidenceData, kind: str, split: str, limit: int | None
) -> dict[str, Any]:
    """Measure how well the model predicts the stances of a set ("scifact") and a split ("dev").

    Return the figures of `summarise_stances`, and the probabilities and labels of all rows.
    """
    model.eval()
    rows = data.select_stance_rows((kind,), split)[:limit]
    shares: list[list[float]] = []
    for at in range(0, len(rows), 128):
        with mix_precision(model.words.device.type):
            logits = compute_stance_logits(model, data, rows[at : at + 128])
        shares += logits.softmax(-1).cpu().numpy().round(4).tolist()
    labels = data.stance[rows, 0]
    return {
        "n": len(rows),
        **summarise_stances(np.array(shares), labels),
        "shares": shares,
        "labels": labels.tolist(),
    }


def summarise_stances(shares: NDArray[np.float64], labels: NDArray[np.int32]) -> dict[str, float]:
    """Compare predicted stances with the labels: return macro-F1 and accuracy, and macro-F1 of a baseline.

    `shares` has the probabilities of the stances, (rows, 3); the most likely stance is the prediction. The
    baseline always chooses the most common stance.
    """
    common = np.bincount(labels, minlength=len(STANCES)).argmax()
    guess = shares.argmax(1)
    return {
        "macro-f1": round(compute_macro_f1(guess, labels), 4),
        "accuracy": round(float((guess == labels).mean()), 4),
        "majority macro-f1": round(compute_macro_f1(np.full_like(labels, common), labels), 4),
    }


def compute_macro_f1(guess: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the mean F1 of the labels that occur in `labels`; `guess` are the predicted labels.

    >>> round(compute_macro_f1(np.array([0, 0, 1]), np.array([0, 1, 1])), 3)
    0.667
    """
    result = []
    for label in np.unique(labels):
        hit = ((guess == label) & (labels == label)).sum()
        result.append(2 * hit / max(1, (guess == label).sum() + (labels == label).sum()))
    return float(np.mean(result))


def evaluate(model: EvidenceModel, data: EvidenceData, limit: int | None = None) -> dict[str, Any]:
    """Return the model's figures for every set and split in the data, such as "scifact dev"."""
    figures: dict[str, Any] = {}
    for split in ("dev", "test"):
        for kind in ("debater", "scifact", "wice", "wice with context"):
            if data.select_rows(kind, split):
                figures[f"{kind} {split}"] = evaluate_ranking(model, data, kind, split, limit)
        for kind in ("scifact", "citations"):
            if data.select_stance_rows((kind,), split):
                figures[f"stance {kind} {split}"] = evaluate_stance(model, data, kind, split, limit)
    return figures


def save(model: EvidenceModel, models: Path, recipe: EvidenceRecipe, out: Path) -> None:
    """Write the trained weights to `evidence.safetensors`, in fp16.

    The file has the heads. Of the trunk, it has only the changes of the matrices, as low-rank factors.
    """
    base = read_module(models / "paragraph.onnx").trunk
    factors = compute_factors(base, model.graph.trunk, recipe.lora_rank or 32)
    tensors = {f"trunk.{name}": value for name, value in factors.items()}
    tensors |= {
        name: value for name, value in model.graph.state_dict().items() if not name.startswith("trunk.")
    }
    save_file(convert_to_half(tensors), out / "evidence.safetensors")


def main() -> None:
    """Read the command line, train, evaluate and save."""
    parser = make_parser(__doc__, "evidence")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="further files to evaluate on")
    options = parser.parse_args()
    recipe = read_job_recipe(EvidenceRecipe, options.recipe, options.set)
    options.out.mkdir(parents=True, exist_ok=True)
    data, further = EvidenceData(options.data), [EvidenceData(path) for path in options.also]
    torch.manual_seed(recipe.seed)
    model = EvidenceModel(options.models, recipe.dropout).to(options.device)
    figures: dict[str, Any] = {"recipe": asdict(recipe)}
    for name in ("untrained", "trained"):
        if name == "trained":
            train(data, model, recipe, options.out, print_point, options.steps)
        figures[name] = evaluate(model, data, options.steps)
        for item in further:
            figures[name] |= evaluate(model, item, options.steps)
    (options.out / "evidence.json").write_text(json.dumps(figures, indent=1), "utf-8")
    save(model, options.models, recipe, options.out)


if __name__ == "__main__":
    main()
