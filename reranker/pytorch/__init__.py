"""Define the models as torch modules, for export to ONNX and for the torch engine."""
