"""A training that was stopped goes on as if it had not been."""

import resource
from contextlib import contextmanager, suppress

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402

from rostrum_core.errors import ModelError  # noqa: E402
from training import loop  # noqa: E402
from training.loop import Plan, run_phase  # noqa: E402

PLAN = Plan(steps=12, rate=0.05)


def model():
    torch.manual_seed(1)
    return torch.nn.Linear(3, 1)


def loss_for(net, stop_at=None):
    def loss(step):
        if step == stop_at:
            raise KeyboardInterrupt
        inputs = torch.randn(8, 3, generator=torch.Generator().manual_seed(step))
        return (net(inputs).float() - inputs.sum(1, keepdim=True)).pow(2).mean()

    return loss


def test_a_stopped_phase_ends_with_the_weights_of_one_that_was_not(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    whole, first, second = model(), model(), model()
    run_phase("a", whole, loss_for(whole), PLAN, tmp_path / "whole", print)
    with pytest.raises(KeyboardInterrupt):
        run_phase("a", first, loss_for(first, 7), PLAN, tmp_path / "parts", print, checkpoint_s=0)
    run_phase("a", second, loss_for(second), PLAN, tmp_path / "parts", print)
    for wanted, found in zip(whole.parameters(), second.parameters(), strict=True):
        torch.testing.assert_close(wanted, found, rtol=0, atol=0)
    assert [p.name for p in (tmp_path / "parts").iterdir()] == ["a.safetensors"]


def test_what_dropout_draws_is_up_to_the_seed_and_the_step(tmp_path):
    def drawn(name, seed, stop_at=None):
        net, found = model(), {}

        def loss(step):
            if step == stop_at:
                raise KeyboardInterrupt
            found[step] = torch.rand(4).tolist()
            return net(torch.ones(1, 3)).sum()

        (tmp_path / name).mkdir(exist_ok=True)
        with suppress(KeyboardInterrupt):
            run_phase("a", net, loss, Plan(4, 0.01, seed=seed), tmp_path / name, print, checkpoint_s=0)
        return found

    one, other = drawn("one", 7), drawn("other", 8)
    assert all(one[step] != other[step] for step in range(4))
    assert len({tuple(each) for each in one.values()}) == 4
    assert drawn("parts", 7, stop_at=2) | drawn("parts", 7) == one


def test_training_lowers_the_loss(tmp_path):
    net, points = model(), []
    before = loss_for(net)(99).item()
    run_phase("a", net, loss_for(net), Plan(steps=60, rate=0.1), tmp_path, points.append)
    assert loss_for(net)(99).item() < before / 2
    assert [(point.phase, point.step, point.of) for point in points] == [("a", n, 60) for n in (0, 50, 59)]
    assert points[-1].loss < points[0].loss


@pytest.mark.parametrize(("has", "dtype"), [(True, torch.bfloat16), (False, torch.float32)])
def test_products_are_in_bfloat16_where_the_device_multiplies_it(tmp_path, monkeypatch, has, dtype):
    monkeypatch.setattr(loop, "has_bfloat16", lambda _: has)
    net, found = model(), []

    def loss(_):
        found.append(net(torch.ones(1, 3)))
        return found[-1].float().sum()

    run_phase("a", net, loss, PLAN, tmp_path, print)
    assert {each.dtype for each in found} == {dtype}
    assert net.weight.dtype == torch.float32


def test_a_training_that_diverges_stops_and_leaves_no_weights(tmp_path):
    net = model()
    with pytest.raises(ModelError, match="a: the loss is nan at step 0: lower the rate"):
        run_phase("a", net, lambda _: net(torch.full((1, 3), float("nan"))).sum(), PLAN, tmp_path, print)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad_step", [5, PLAN.steps - 1])
def test_a_gradient_that_is_no_number_never_reaches_the_weights(tmp_path, bad_step):
    net = model()

    def loss(step):
        value = net(torch.ones(1, 3)).sum().float().pow(2)
        return value + (value - value.detach()).abs().sqrt() if step == bad_step else value  # infinite slope

    with pytest.raises(ModelError, match=f"a: the gradient's norm is (nan|inf) at step {bad_step}"):
        run_phase("a", net, loss, PLAN, tmp_path, print, checkpoint_s=0)
    assert net.weight.isfinite().all()
    kept = load_file(tmp_path / "a.part.safetensors")
    assert all(value.isfinite().all() for value in kept.values())


def test_the_learning_curve_goes_on_where_it_was(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    whole, parts = [], []
    net, first, second = model(), model(), model()
    plan = Plan(steps=60, rate=0.05)
    run_phase("a", net, loss_for(net), plan, tmp_path / "whole", whole.append)
    with pytest.raises(KeyboardInterrupt):
        run_phase("a", first, loss_for(first, 40), plan, tmp_path / "parts", parts.append, checkpoint_s=0)
    run_phase("a", second, loss_for(second), plan, tmp_path / "parts", parts.append)
    assert [(point.step, point.loss) for point in parts] == [(point.step, point.loss) for point in whole]


def test_a_finished_phase_is_loaded_and_not_run(tmp_path):
    net = model()
    run_phase("a", net, loss_for(net), PLAN, tmp_path, print)
    again = model()
    run_phase("a", again, loss_for(again, stop_at=0), PLAN, tmp_path, print)
    torch.testing.assert_close(load_file(tmp_path / "a.safetensors")["weight"], again.weight.detach())


@pytest.mark.parametrize("name", ["a.safetensors", "a.part.safetensors"])
def test_a_damaged_checkpoint_is_a_model_error(tmp_path, name):
    (tmp_path / name).write_bytes(b"x" * 100)
    with pytest.raises(ModelError, match=name):
        run_phase("a", model(), loss_for(model()), PLAN, tmp_path, print)


@contextmanager
def files_of_at_most(size_bytes):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_weights_that_cannot_be_written_are_a_model_error(tmp_path):
    net = model()
    with files_of_at_most(100), pytest.raises(ModelError, match=r"a.*cannot be written: .*too large"):
        run_phase("a", net, loss_for(net), PLAN, tmp_path, lambda _: None)
    assert not (tmp_path / "a.safetensors").exists()


def test_a_checkpoint_of_another_plan_is_not_gone_on_with(tmp_path):
    net = model()
    with pytest.raises(KeyboardInterrupt):
        run_phase("a", net, loss_for(net, 5), PLAN, tmp_path, print, checkpoint_s=0)
    with pytest.raises(ModelError, match="another plan"):
        run_phase("a", net, loss_for(net), Plan(steps=13, rate=0.05), tmp_path, print)


def test_a_checkpoint_of_another_model_is_a_model_error(tmp_path):
    run_phase("a", model(), loss_for(model()), Plan(steps=0, rate=1), tmp_path, print)
    with pytest.raises(ModelError):
        run_phase("a", torch.nn.Linear(4, 1), loss_for(model()), PLAN, tmp_path, print)
