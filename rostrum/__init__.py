"""Rostrum finds the quote a writer needs: ranked paragraphs with the words worth quoting marked.

    import rostrum

    with rostrum.open("archive") as archive:
        archive.index(["speeches/"])
        answer = archive.recommend("The president asked the nation to look up:")
        for recommendation in answer.recommendations:
            print(recommendation.document.speaker, recommendation.paragraph.text)

`rostrum.open` takes the folder of an archive or the address of a Rostrum service. Without an argument, it
opens the archive that the settings name. The types of the answers are in `rostrum.types`; every error is a
`RostrumError`.
"""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from rostrum_core.errors import RostrumError
from rostrum_core.telemetry import disable_telemetry
from rostrum_core.types import Draft, Filter

if TYPE_CHECKING:
    from rostrum.library import Archive

disable_telemetry()

try:
    __version__ = version("rostrum-quotes")
except PackageNotFoundError:  # a checkout that nobody installed
    __version__ = "0+unknown"

__all__ = ["Draft", "Filter", "RostrumError", "__version__", "open"]


def open(place: str | os.PathLike[str] | None = None, *, key: str | None = None) -> Archive:
    """Open an archive: a folder, a service at an `http://` or `https://` address, or by default what the
    settings name.

    A folder that does not exist yet is created by the first `index`. `key` is the service's key, if it asks
    for one.

    Raises:
        BadInput: a setting or the address is invalid, or a key was passed without an address.
        ModelError: the models are missing or damaged.
        StoreError: the folder or the cluster cannot be used.
    """
    from rostrum.library import open_archive

    return open_archive(place, key)
