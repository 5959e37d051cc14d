"""A worker whose GPU fails gives its part back and ends; nothing is computed on the CPU in its place."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

torch = pytest.importorskip("torch")

from reranker.pytorch.device import report_lost_device  # noqa: E402
from rostrum_core.errors import ModelError  # noqa: E402
from tools.worker_process import WorkerProcess  # noqa: E402
from workers.app import make_app  # noqa: E402
from workers.runner.celery_runner import CeleryRunner  # noqa: E402

LONG_S = 200.0
LOSING = ("-m", "tests.reranker.pytorch.losing")


@pytest.mark.parametrize(
    "error",
    [
        torch.AcceleratorError("CUDA error: device lost"),
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx(...)`"),
    ],
    ids=["lost", "full", "library"],
)
def test_error_of_torch_about_a_lost_gpu_is_a_model_error(error):
    with (
        pytest.raises(ModelError, match="the device cannot be used any longer: CUDA"),
        report_lost_device(),
    ):
        raise error


def test_an_error_of_what_is_computed_stays_what_it_is():
    with pytest.raises(RuntimeError, match="must match"), report_lost_device():
        torch.zeros(2) + torch.zeros(3)


def test_a_worker_that_loses_its_gpu_leaves_and_its_part_goes_to_another(
    redis_server, models, tmp_path, monkeypatch
):
    lost = tmp_path / "lost"
    monkeypatch.setenv("LOST_GPU", str(lost))
    url = redis_server.take_unused()

    def start(name):
        settings = {"engine": "torch"}
        return WorkerProcess(url, tmp_path / name, program=LOSING, settings=settings).wait_ready()

    first = start("first")
    lost.touch()
    with ThreadPoolExecutor(1) as aside:
        runner = CeleryRunner(make_app(url), "cpu", models.hashes)
        called = aside.submit(runner.run, "encode", [{"texts": ["We choose the moon."]}], timeout_s=LONG_S)
        assert first.process.wait(LONG_S) == 1
        lost.unlink()
        second = start("second")
        assert called.result()[0]["vectors"].shape == (1, 384)
    second.process.send_signal(signal.SIGTERM)
    assert second.process.wait(LONG_S) == 0
    output = first.read_output()
    assert "no more work is taken: the device cannot be used any longer: CUDA error: unspecified" in output
    assert "the models cannot be run here any longer" in output


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_worker_for_a_gpu_that_is_not_there_does_not_start(redis_server, tmp_path):
    log = tmp_path / "log"
    worker = WorkerProcess(redis_server.take_unused(), log, "--device", "cuda")
    assert worker.process.wait(LONG_S) == 1
    assert "torch finds no GPU here for ROSTRUM_DEVICE=cuda" in log.read_text()
    assert "ready" not in log.read_text()
