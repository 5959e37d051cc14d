"""A command line whose models lose their GPU, as torch tells it, once the file $LOST_GPU is there."""

import os
from pathlib import Path

import torch

from reranker.pytorch import trunk

TOLD = "CUDA error: unspecified launch failure\nCUDA kernel errors might be reported elsewhere."
attend = trunk.attend


def losing(*arguments):
    if Path(os.environ["LOST_GPU"]).exists():
        raise torch.AcceleratorError(TOLD)
    return attend(*arguments)


if __name__ == "__main__":
    from rostrum.cli import main

    trunk.attend = losing
    main()
