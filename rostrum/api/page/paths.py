"""List the paths of pages that take forms."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from fastapi.routing import APIRoute


def list_form_paths(pages: Iterable[ModuleType]) -> list[str]:
    """Return the paths that take a form by POST, as `BodyLimits` names them: without a slash at the end."""
    routes = [route for page in pages for route in page.router.routes if isinstance(route, APIRoute)]
    return [route.path.rstrip("/") for route in routes if "POST" in (route.methods or ())]
