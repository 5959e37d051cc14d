"""Low-rank adapters change a trunk by matrices of low rank, and leave its names as they were."""

import pytest

torch = pytest.importorskip("torch")

from reranker.pytorch.trunk import Shape, Trunk  # noqa: E402
from training.adapters import adapt_low_rank  # noqa: E402
from training.loop import Plan, run_phase  # noqa: E402

RANK = 2
PLAN = Plan(steps=6, rate=0.01, lora_rank=RANK)


class Model(torch.nn.Module):
    """A trunk with a head."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.trunk = Trunk(Shape(1, width=8, heads=2, inner=16, positions=4))
        self.head = torch.nn.Linear(8, 1)

    def forward(self, words):
        return self.head(self.trunk(self.trunk.embed(words, 0, 0), None)[0][:, 0])


def loss_of(model, stop_at=None):
    def loss(step):
        if step == stop_at:
            raise KeyboardInterrupt
        words = torch.randn(4, 3, 8, generator=torch.Generator().manual_seed(step))
        return (model(words).float() - words.sum((1, 2))[:, None]).pow(2).mean()

    return loss


@pytest.fixture
def trained(tmp_path):
    model = Model()
    run_phase("a", model, loss_of(model), PLAN, tmp_path, print)
    return model


def test_matrices_of_the_trunk_change_by_the_rank_and_nothing_else_of_it_changes(trained):
    before = Model().state_dict()
    assert trained.state_dict().keys() == before.keys()
    for name, value in trained.state_dict().items():
        change = value - before[name]
        if name.startswith("trunk.layers") and value.dim() == 2:
            assert torch.linalg.matrix_rank(change, rtol=1e-4).item() == RANK, name
        else:
            assert bool(change.any()) == name.startswith("head."), name
    assert all(each.requires_grad for each in trained.parameters())


def test_adapters_are_nothing_at_first():
    model = Model()
    before = model(torch.ones(1, 3, 8))
    with adapt_low_rank(model, RANK, seed=7):
        torch.testing.assert_close(model(torch.ones(1, 3, 8)), before)


def first_of(seed):
    """The adapters' A as they are drawn, matrix by matrix."""
    model = Model()
    with adapt_low_rank(model, RANK, seed):
        return [value.tolist() for name, value in model.state_dict().items() if name.endswith(".down")]


def test_every_matrix_and_every_seed_begins_with_adapters_of_its_own():
    drawn = first_of(7)
    assert first_of(7) == drawn
    assert len(drawn) > 1
    assert len({str(each) for each in drawn + first_of(8)}) == 2 * len(drawn)


def test_without_a_rank_everything_is_trained():
    model = Model()
    with adapt_low_rank(model, 0, seed=7):
        assert all(each.requires_grad for each in model.parameters())
        assert model.state_dict().keys() == Model().state_dict().keys()


def test_a_stopped_training_of_adapters_ends_with_the_weights_of_one_that_was_not(trained, tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    first, second = Model(), Model()
    with pytest.raises(KeyboardInterrupt):
        run_phase("a", first, loss_of(first, 4), PLAN, folder, print, checkpoint_s=0)
    run_phase("a", second, loss_of(second), PLAN, folder, print)
    for wanted, found in zip(trained.parameters(), second.parameters(), strict=True):
        torch.testing.assert_close(wanted, found, rtol=0, atol=0)
