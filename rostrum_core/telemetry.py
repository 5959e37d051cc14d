"""Prevent dependencies from reporting on their users.

ONNX Runtime and OpenVINO send reports when they are imported: ONNX Runtime to Microsoft, OpenVINO to Intel
through Google Analytics. Both first write an id of the machine into the user's home.
"""

from __future__ import annotations

import os
import sys

SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
"""Environment variables that dependencies read when they are imported.

Source: Privacy.md of the package onnxruntime 1.31; huggingface_hub's page on environment variables.
"""

REPORTERS = ("openvino_telemetry",)
"""Packages whose only purpose is reporting. OpenVINO has no switch, but works without this package."""


def disable_telemetry() -> None:
    """Set the environment variables that disable reports.

    Call this before the first dependency is imported. Child processes inherit the environment, and call this
    again when they import one of our packages.
    """
    os.environ.update(SWITCHES)
    for name in REPORTERS:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # importing it raises an ImportError
