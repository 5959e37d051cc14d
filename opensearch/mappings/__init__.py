"""Read templates and mappings from JSON files that can also be sent with curl; see `load_mapping`.

curl -X PUT $URL/_component_template/rostrum-analysis -H "$JSON" -d @opensearch/mappings/analysis.json
curl -X PUT $URL/_index_template/rostrum-paragraphs   -H "$JSON" -d @opensearch/mappings/paragraphs.json
curl -X PUT $URL/_index_template/rostrum-documents    -H "$JSON" -d @opensearch/mappings/documents.json
curl -X PUT $URL/rostrum-paragraphs-000001/_mapping   -H "$JSON" -d @opensearch/mappings/vectors-faiss.json
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def load_mapping(name: str) -> dict[str, Any]:
    """Return the content of `NAME.json` in this folder as a new object, safe to change.

    >>> load_mapping("documents")["index_patterns"]
    ['rostrum-documents-0*']
    """
    content: dict[str, Any] = json.loads((files(__name__) / f"{name}.json").read_text("utf-8"))
    return content
