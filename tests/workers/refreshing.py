"""A command line whose refresh worker encodes for nothing and takes its time, and whose locks run out."""

import time

import numpy as np

from rostrum_core.types import Encoding, Tokens

VISIBILITY_S = 3  # in place of half a minute
PAUSE_S = 0.05  # for each batch, so that kills fall into the midst of a run


def encode(self, texts):
    """Encodings that depend on the texts alone."""
    time.sleep(PAUSE_S)
    found = []
    for text in texts:
        ids = np.frombuffer(text.encode("utf-8"), np.uint8)[:64].astype(np.int32)
        vector = np.random.default_rng(len(text)).standard_normal(16).astype(np.float32)
        found.append(Encoding(Tokens(ids, ids, ids), vector / np.linalg.norm(vector)))
    return found


if __name__ == "__main__":
    from archive import encoding_batch, service
    from opensearch import store
    from rostrum.cli import main
    from workers import app

    service.Service._encode = encode
    encoding_batch.BATCH_CHARACTERS = 20_000
    store.OpenSearchStore.__init__.__kwdefaults__["lock_s"] = 2.0
    app.VISIBILITY_S, app.RESTORE_S = VISIBILITY_S, 1
    main()
