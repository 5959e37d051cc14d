"""The models as torch modules: exported to ONNX, and run as they are where the engine is torch."""
