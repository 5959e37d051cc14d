"""The files of a folder of models, by name.

`tokenizer.json`, `words.safetensors` (the word table), `encoder.safetensors` and `ranker.safetensors` (fp16),
the graphs `encoder.onnx`, `prefix.onnx` and `paragraph.onnx` (no weights in them), `fusion.json`, and
`manifest.json`, which names the others with their SHA-256.
"""

MANIFEST = "manifest.json"
TOKENIZER = "tokenizer.json"
WORDS = "words.safetensors"
FUSION = "fusion.json"
GRAPHS = {
    "encoder": "encoder.safetensors",
    "prefix": "ranker.safetensors",
    "paragraph": "ranker.safetensors",
}
"""The weights of each graph."""

INPUTS = {
    "encoder": ("words", "mask"),
    "prefix": ("words",),
    "paragraph": ("words", "mask", "keys", "values", "draft"),
}
ENCODER_FILES = (WORDS, "encoder.safetensors", "encoder.onnx")
RANKER_FILES = (WORDS, "ranker.safetensors", "prefix.onnx", "paragraph.onnx")
FILES = (TOKENIZER, WORDS, FUSION, *dict.fromkeys(GRAPHS.values()), *(f"{g}.onnx" for g in GRAPHS))
"""All that a manifest names."""
