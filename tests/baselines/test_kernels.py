"""K-NRM and Conv-KNRM by the formulas of their papers."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("gensim")

from benchmarks.baselines.kernel_rankers import KernelSystem, Recipe, train  # noqa: E402
from benchmarks.baselines.kernels import KNRM, LOG_SCALE, MEANS, ConvKNRM, pool  # noqa: E402
from benchmarks.baselines.word_vectors import WIDTH, train_vectors  # noqa: E402
from evaluation.pairs import read_pairs, read_transcripts  # noqa: E402
from training.groups import Group, GroupData  # noqa: E402

VECTORS = torch.randn(40, 6, generator=torch.Generator().manual_seed(3))


def ids(*numbers):
    return np.array(numbers, np.int32)


def test_a_kernel_counts_the_words_whose_cosine_is_near_its_mean():
    # One word of the draft against cosines 1 and 0.9. Kernel 1.0 (width 0.001) counts the first alone: log 1.
    # Kernel 0.9 (width 0.1) counts exp(-0.1^2 / 0.02) + 1.
    found = pool(torch.tensor([[[1.0, 0.9]]]), torch.ones(1, 1), torch.ones(1, 2))[0]
    assert found.shape == (len(MEANS),)
    assert found[0].item() == pytest.approx(0.0, abs=1e-6)
    assert found[1].item() == pytest.approx(LOG_SCALE * np.log(np.exp(-0.5) + 1), abs=1e-6)


def test_logarithms_are_summed_over_the_words_of_the_draft_and_a_missing_word_costs():
    # Both words of the draft stand at 1 to one word: log 1 twice. A third that nothing is near: log 1e-10.
    similar = torch.tensor([[[1.0], [1.0], [-0.9]]])
    found = pool(similar, torch.ones(1, 3), torch.ones(1, 1))[0]
    assert found[0].item() == pytest.approx(LOG_SCALE * np.log(1e-10), rel=1e-5)


@pytest.mark.parametrize("length", [4, 8, 16])
@pytest.mark.parametrize("kind", [KNRM, ConvKNRM])
def test_what_is_padding_counts_for_nothing(kind, length):
    torch.manual_seed(0)
    model = kind(VECTORS).eval()
    query, short = ids(1, 5, 7, 2), ids(1, *range(3, length + 1), 2)
    with torch.no_grad():
        alone = model([Group(query, (short,))])
        beside = model([Group(query, (short, ids(1, *range(10, 30), 2)))])
    assert beside[0, 0].item() == pytest.approx(alone[0, 0].item(), abs=1e-6)


def test_an_ngram_is_read_with_the_words_behind_it():
    model = ConvKNRM(VECTORS)
    real = torch.ones(1, 4)
    one, two, three = model._compute_ngrams(torch.tensor([[4, 5, 6, 7]]), real)
    again = model._compute_ngrams(torch.tensor([[4, 5, 6, 8]]), real)
    same = [
        (a[0] - b[0]).abs().amax(-1).lt(1e-6).tolist() for a, b in zip((one, two, three), again, strict=True)
    ]
    assert same == [[True, True, True, False], [True, True, False, False], [True, False, False, False]]


def test_pieces_that_stand_in_like_company_get_like_vectors(models):
    pieces = models.wordpieces
    texts = [f"the {animal} ran home" for animal in ("dog", "cat")] * 40 + ["we cut the budget"] * 40
    vectors = train_vectors(texts, pieces, 30522, seed=7, min_count=1)
    assert vectors.shape == (30522, WIDTH)
    dog, cat, budget = (vectors[pieces.tokenise([word])[0].ids[0]] for word in ("dog", "cat", "budget"))
    unit = [v / np.linalg.norm(v) for v in (dog, cat, budget)]
    assert unit[0] @ unit[1] > unit[0] @ unit[2]


@pytest.mark.parametrize("name", ["k-nrm", "conv-knrm"])
def test_training_ranks_the_quoted_paragraphs_first(name, models, data, tmp_path):
    vectors = torch.randn(30522, 8, generator=torch.Generator().manual_seed(1))
    aligned = GroupData(data, "train", models.wordpieces)
    recipe = Recipe(negatives=2, batch=2, epochs=40, rate=0.03)
    system = KernelSystem(train(name, vectors, aligned, tmp_path, recipe, lambda _: None), models.wordpieces)
    speeches = read_transcripts(data / "documents.jsonl.gz")
    for pair in read_pairs(data / "pairs-train.jsonl.gz", speeches):
        (row,) = system(speeches[pair.document], [pair])
        assert row.scores.shape == (len(speeches[pair.document].paragraphs),)
        assert row.scores.argmax() == 1
