"""Look up word embeddings on torch's device."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reranker.models.word_table import WordTable
from reranker.pytorch.device import report_lost_device


class DeviceWords:
    """Keep a copy of a `WordTable` on torch's device, so that only token ids are transferred to the device.

    Embeddings equal those of `WordTable.lookup` bit for bit. Threads may share an object of this class.
    """

    def __init__(self, table: WordTable, device: str) -> None:
        self._device = device
        with report_lost_device():
            self._rows, self._scales = (
                torch.from_numpy(array).to(device) for array in (table.rows, table.scales)
            )

    @property
    def width(self) -> int:
        """Return the length of an embedding."""
        return int(self._rows.shape[1])

    def lookup(self, ids: NDArray[np.int32]) -> Tensor:
        """Return embeddings of token ids of any shape: float32, the ids' shape with the width appended."""
        with torch.inference_mode(), report_lost_device():
            at = torch.tensor(ids, device=self._device)  # a copy: ids of a message cannot be written to
            return self._rows[at].float() * self._scales[at][..., None]
