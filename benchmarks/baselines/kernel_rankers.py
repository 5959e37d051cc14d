"""Train K-NRM or Conv-KNRM with the listwise loss of the paper's ranker, and make its run.

    python -m benchmarks.baselines.kernel_rankers k-nrm --data DATA --base BERT_FOLDER --out OUT --runs RUNS

Only the tokenizer of the BERT folder is used; word vectors are word2vec's. An interrupted training resumes
from its last checkpoint.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from benchmarks.baselines.kernels import COMPUTED_BY, KNRM, ConvKNRM, KernelRanker
from benchmarks.baselines.runs import RunRow, hash_training_files, make, make_parser
from benchmarks.baselines.training_text import hash_spoken_files, list_spoken
from benchmarks.baselines.word_vectors import train_vectors
from evaluation.pairs import Pair
from quotations.text.transcript import Transcript
from reranker.models.weights import hash_file
from reranker.models.wordpieces import PARAGRAPH_TOKENS, WordPieces
from rostrum_core.whole_files import replace_file
from training.encoder import plan_epochs
from training.groups import Group, GroupData
from training.loop import Log, Plan, run_phase
from training.run_settings import claim

SYSTEMS = {"k-nrm": KNRM, "conv-knrm": ConvKNRM}


@dataclass(frozen=True)
class Recipe:
    """Set the data and length of a training. `negatives` are sampled uniformly from the transcript."""

    negatives: int = 4
    batch: int = 32
    epochs: int = 3
    rate: float = 1e-3
    seed: int = 7


def load_vectors(data: Path, base: Path, out: Path, seed: int) -> Tensor:
    """Return word vectors; compute them once and save them in `out` for both models."""
    path = out / f"word2vec@{seed}.safetensors"
    claim(
        path.with_suffix(".json"),
        {"tokenizer": hash_file(base / "tokenizer.json"), **hash_spoken_files(data)},
    )
    if not path.exists():
        vocabulary = Tokenizer.from_file(str(base / "tokenizer.json")).get_vocab_size()
        pieces = WordPieces(base / "tokenizer.json")
        trained_vectors = train_vectors(list_spoken(data), pieces, vocabulary, seed)
        with replace_file(path) as part:
            save_file({"vectors": trained_vectors}, part)
    return torch.from_numpy(load_file(path)["vectors"])


def train(
    name: str, vectors: Tensor, aligned: GroupData, out: Path, recipe: Recipe, log: Log
) -> KernelRanker:
    """Train the model of that name; write its checkpoints to `out`."""
    torch.manual_seed(recipe.seed)
    model = SYSTEMS[name](vectors)
    order = plan_epochs(len(aligned.rows), recipe.epochs, recipe.batch, recipe.seed)

    def compute_loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        scores = model([aligned.group(aligned.rows[i], recipe.negatives, chance) for i in order[step]])
        return F.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))

    run_phase(
        f"{name}@{recipe.seed}",
        model,
        compute_loss,
        Plan(len(order), recipe.rate, seed=recipe.seed),
        out,
        log,
    )
    return model


class KernelSystem:
    """Score with a trained model; of an overlong paragraph it reads the same part as the encoder."""

    def __init__(self, model: KernelRanker, pieces: WordPieces) -> None:
        self.model, self.pieces = model, pieces

    @torch.no_grad()
    def __call__(self, transcript: Transcript, drafts: Sequence[Pair]) -> Iterator[RunRow]:
        """Yield a row for each draft."""
        tokens = self.pieces.tokenise(list(transcript.paragraphs))
        paragraphs = tuple(self.pieces.pack(pieces.cut(0, PARAGRAPH_TOKENS)) for pieces in tokens)
        for pair in drafts:
            (scores,) = self.model([Group(self.pieces.tokenise_query(pair.title, pair.left), paragraphs)])
            yield RunRow(pair, scores.double().numpy())


def main() -> None:
    """Run the command line of the script."""
    arguments = make_parser(__doc__)
    arguments.add_argument("system", choices=list(SYSTEMS))
    arguments.add_argument("--base", type=Path, required=True, help="BERT folder, for its tokenizer")
    arguments.add_argument("--out", type=Path, required=True, help="folder of checkpoints")
    arguments.add_argument("--seed", type=int, default=Recipe.seed)
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    pieces = WordPieces(options.base / "tokenizer.json")
    vectors = load_vectors(options.data, options.base, options.out, options.seed)
    aligned = GroupData(options.data, "train", pieces)
    recipe = Recipe(seed=options.seed)
    made_of = {
        "recipe": asdict(recipe),
        "tokenizer": hash_file(options.base / "tokenizer.json"),
        "computed_by": COMPUTED_BY,
        **hash_spoken_files(options.data),
        **hash_training_files(options.data),
    }
    claim(options.out / f"{options.system}@{options.seed}.json", made_of)
    model = train(options.system, vectors, aligned, options.out, recipe, print)
    make(options, options.system, KernelSystem(model.eval(), pieces), made_of, options.seed)


if __name__ == "__main__":
    main()
