"""Read the body of a form before a place is taken: who waits for the client to leave reads no body."""

from __future__ import annotations

from fastapi import Depends, Request


async def load_form(request: Request) -> None:
    """Read the form of a request, which keeps it."""
    await request.form()


FormBody = Depends(load_form)
"""Stands before `RankingPlace` among the dependencies of a route."""
