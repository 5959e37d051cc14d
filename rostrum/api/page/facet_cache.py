"""Cache the facets of the archive, such as its speakers and years, which forms offer as choices.

The facets are counted again when another generation (version of the archive) is published.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from archive.service import Service
from rostrum.api.routes.generations import get_published_name
from rostrum.api.routes.selection import Facets, tally_facets

_KEPT: WeakKeyDictionary[Service, Facets] = WeakKeyDictionary()
"""Facets of each service's published generation. Two threads may compute them at the same time."""


def read_facets(service: Service) -> Facets:
    """Return the speakers, collections, languages and years of the published archive, with their counts.

    All are empty if nothing is published.

    Raises:
        StoreError: the archive cannot be read.
    """
    generation = get_published_name(service.store)
    kept = _KEPT.get(service)
    if kept is None or kept.generation != generation:
        kept = tally_facets(service.store.documents() if generation else (), generation)
        _KEPT[service] = kept
    return kept
