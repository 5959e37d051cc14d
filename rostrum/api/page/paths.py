"""List the paths of the pages."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from fastapi.routing import APIRoute


def list_page_paths(pages: Iterable[ModuleType]) -> list[str]:
    """Return the paths of the pages."""
    return [route.path for route in _list_routes(pages)]


def list_form_paths(pages: Iterable[ModuleType]) -> list[str]:
    """Return the paths that accept a form by POST, in the form that `BodyLimits` needs: without a trailing
    slash.
    """
    return [route.path.rstrip("/") for route in _list_routes(pages) if "POST" in (route.methods or ())]


def _list_routes(pages: Iterable[ModuleType]) -> list[APIRoute]:
    return [route for page in pages for route in page.router.routes if isinstance(route, APIRoute)]
