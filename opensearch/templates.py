"""Install the index templates from which OpenSearch creates the indices of each new generation.

They are the JSON files in `mappings`, completed with the prefix, number of shards and vector engine of this
installation.
"""

from __future__ import annotations

from dataclasses import dataclass

from opensearch.mappings import load_mapping
from opensearch.server import Server
from rostrum_core.errors import BadInput
from rostrum_core.settings import Settings

ENGINES = ("lucene", "faiss", "exact")


@dataclass(frozen=True, slots=True)
class Layout:
    """Set the layout of the indices of new generations: the vector engine and the number of shards.

    `engine` finds the nearest vectors: "lucene" by graphs in float32; "faiss" by graphs in fp16, which need
    native libraries; "exact" by comparing all vectors.

    Raises:
        BadInput: the engine does not exist, or there is no shard.
    """

    engine: str = Settings.opensearch_engine
    shards: int = Settings.opensearch_shards

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise BadInput(f"no engine {self.engine!r}: there are {', '.join(ENGINES)}", field="engine")
        if self.shards < 1:
            raise BadInput("an index has at least one shard", field="shards")


def install(server: Server, layout: Layout) -> None:
    """Install the templates of both indices (paragraphs, documents), and a third template that both share.

    Their names begin with the connection's prefix. They apply only to indices whose numbers of six digits
    follow: an archive "documents" has indices such as `rostrum-documents-documents-000001`.
    """
    prefix = server.connection.prefix
    shared = load_mapping("analysis")
    shared["template"]["settings"]["index"]["number_of_shards"] = layout.shards
    server.call("PUT", f"/_component_template/{prefix}analysis", shared)
    for kind in ("paragraphs", "documents"):
        template = load_mapping(kind)
        template["index_patterns"] = [f"{prefix}{kind}-0*"]
        template["composed_of"] = [f"{prefix}analysis"]
        if kind == "paragraphs" and layout.engine == "exact":
            template["template"]["settings"]["index"]["knn.advanced.approximate_threshold"] = -1
        server.call("PUT", f"/_index_template/{prefix}{kind}", template)


def map_vectors(server: Server, index: str, layout: Layout, width: int | None) -> None:
    """Add the field for vectors of this width to an index of paragraphs."""
    vectors = load_mapping("vectors-lucene" if layout.engine == "lucene" else "vectors-faiss")
    vectors["properties"]["embedding"]["dimension"] = width
    server.call("PUT", f"/{index}/_mapping", vectors)
