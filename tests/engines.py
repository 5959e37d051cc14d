"""The engine of services and workers that tests start in processes of their own."""

QUICK = {"engine": "onnxruntime"}
"""Settings with which a process starts with two thirds of the work: OpenVINO compiles the models first."""
