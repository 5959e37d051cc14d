"""Groups, labels and losses of the ranker's training."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from reranker.models.wordpieces import WordPieces, split_windows  # noqa: E402
from rostrum_core.errors import BadInput, ModelError  # noqa: E402
from rostrum_core.types import Tokens  # noqa: E402
from tests.training.tiny import write_base  # noqa: E402
from training.encoder import Encoder, compute_contrast, pad_texts, plan_epochs  # noqa: E402
from training.groups import Group, label_tokens  # noqa: E402
from training.news_groups import NewsGroups, NewsRow  # noqa: E402
from training.ranker import Ranker, group_loss, mask_outside, train_on_news  # noqa: E402
from training.recipe import RankerRecipe  # noqa: E402


def pieces(count: int) -> Tokens:
    """Pieces of two characters each with a space between: piece i is characters 3i to 3i + 2."""
    at = np.arange(count, dtype=np.int32)
    return Tokens(at, at * 3, at * 3 + 2)


def test_a_label_is_the_first_and_last_piece_of_the_quote_behind_cls():
    window, start, end = label_tokens(pieces(10), 6, 14)  # pieces 2, 3 and 4; one is added for [CLS]
    assert (len(window), start, end) == (10, 3, 5)


def test_a_quote_late_in_an_overlong_paragraph_is_in_its_window():
    window, start, end = label_tokens(pieces(500), 3 * 450, 3 * 455 + 2)
    assert len(window) == 200
    assert window.ids[start - 1] == 450
    assert window.ids[end - 1] == 455


@pytest.mark.parametrize("first", [0, 30, 150, 195, 330, 480])
def test_an_overlong_paragraph_is_cut_for_training_as_it_is_cut_to_rank(first):
    window, start, end = label_tokens(pieces(500), 3 * first, 3 * (first + 9) + 2)  # ten pieces
    assert (int(window.ids[0]), len(window)) in [(start, stop - start) for start, stop in split_windows(500)]
    assert (window.ids[start - 1], window.ids[end - 1]) == (first, first + 9)


def test_a_quote_that_is_longer_than_a_window_ends_with_it():
    window, start, end = label_tokens(pieces(500), 0, 1499)
    assert (window.ids[start - 1], end) == (0, 200)


def test_a_quote_between_pieces_has_no_label():
    assert label_tokens(pieces(3), 2, 3)[1:] == (-1, -1)


def test_edges_outside_the_pieces_are_impossible():
    mask = torch.tensor([[True, True, True, False], [True, True, True, True]])
    found = mask_outside(torch.zeros(2, 4, 2), mask)[..., 0].isfinite()
    assert found.tolist() == [[False, True, False, False], [False, True, True, False]]


def test_the_contrastive_loss_is_the_softmax_of_the_positive():
    # scores of row 0: 1/0.05 = 20 and 0; of row 1: 0 and 20. Loss -log(e20 / (e20 + 1)) each.
    unit = torch.eye(2)
    same = torch.zeros(2, 2, dtype=torch.bool)
    assert compute_contrast(unit, unit, same).item() == pytest.approx(np.log1p(np.exp(-20)), abs=1e-6)
    # with the other column left out, the positive stands alone and the loss is 0
    assert compute_contrast(unit, 1 - unit, ~torch.eye(2, dtype=torch.bool)).item() == 0.0


def test_every_row_is_seen_once_in_an_epoch():
    batches = plan_epochs(10, 2, 5, seed=3)
    assert sorted(batches[0] + batches[1]) == sorted(batches[2] + batches[3]) == list(range(10))
    assert plan_epochs(10, 2, 5, seed=3) == batches


def test_padding_is_masked():
    ids, mask = pad_texts([np.array([5, 6], np.int32), np.array([7], np.int32)])
    assert ids.shape == mask.shape == (2, 8)
    assert ids[:, :2].tolist() == [[5, 6], [7, 0]]
    assert mask[:, :2].tolist() == [[True, True], [True, False]]
    assert not ids[:, 2:].any()
    assert not mask[:, 2:].any()


def test_fewer_rows_than_a_batch_are_told_before_anything_is_trained():
    with pytest.raises(BadInput, match="3 quoted paragraphs to train on do not fill a batch of 4"):
        plan_epochs(3, 1, 4, seed=0)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return write_base(tmp_path_factory.mktemp("tiny") / "base")


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_losses_are_computed_where_the_model_is(base, device):
    # "meta" tensors have a shape and no values; torch refuses to mix them with those of another device
    encoder = Encoder(base, 2, 1)
    ranker = Ranker(encoder, 1, 0.1).to(device)
    query, paragraph = np.array([101, 7, 1, 8, 102], np.int32), np.array([101, 9, 10, 102], np.int32)
    groups = [
        Group(query, (paragraph, query), 1, 2, taught=(1.0, 0.0)),
        Group(query, (query, paragraph), taught=(0.0, 1.0)),
    ]
    loss = group_loss(ranker, groups, RankerRecipe(teacher_share=0.5))
    assert loss.device.type == device
    vectors = encoder.to(device)([query, paragraph])
    loss = compute_contrast(vectors[:1], vectors[1:], torch.zeros(1, 1, dtype=torch.bool))
    assert (loss.device.type, vectors.shape) == (device, (2, 32))


def test_a_ranker_learns_from_news_quotations_and_from_none_nothing(base, tmp_path):
    torch.manual_seed(0)
    news = NewsGroups(tmp_path, WordPieces(base / "tokenizer.json"), 8, 0)
    small = {"layers": 1, "batch": 4, "negatives": 2, "news_rows": 8, "rate": 0.01}
    recipe, points = RankerRecipe(**small, teacher_share=0.5), []  # a teacher has its say with pairs alone
    ranker = Ranker(Encoder(base, 2, 1), 1, 0.0)
    before = ranker.edges.weight.clone()
    train_on_news(ranker, news, tmp_path, recipe, points.append)
    assert torch.equal(ranker.edges.weight, before)
    (tmp_path / "ranker-news.safetensors").unlink()
    news.rows = [NewsRow("Space", "He spoke.", "We choose the moon", ("Never again", "So it is"))] * 8
    news.strangers = ["A stranger said that"]
    train_on_news(ranker, news, tmp_path, recipe, points.append)
    assert not torch.equal(ranker.edges.weight, before)
    assert [(point.phase, point.of) for point in points] == [("ranker-news", 2)] * 2
    assert points[1].loss < points[0].loss
    assert (tmp_path / "ranker-news.safetensors").exists()


def test_a_news_quotation_has_as_many_paragraphs_beside_it_as_the_recipe_says(base, tmp_path):
    sizes = []

    class Counted(NewsGroups):
        def group(self, *given):
            made = super().group(*given)
            sizes.append(len(made.paragraphs))
            return made

    news = Counted(tmp_path, WordPieces(base / "tokenizer.json"), 4, 0)
    news.rows = [NewsRow("Space", "He spoke.", "We choose the moon", ("Never again", "So it is"))] * 4
    news.strangers = ["A stranger said that"]
    recipe = RankerRecipe(layers=1, batch=2, negatives=3, news_rows=4, news_negatives=1)
    train_on_news(Ranker(Encoder(base, 2, 1), 1, 0.0), news, tmp_path, recipe, lambda point: None)
    assert sizes == [2] * 4


def test_a_base_with_fewer_layers_is_a_model_error(base):
    with pytest.raises(ModelError, match="has 2 layers, not 3"):
        Encoder(base, 3, 1)
