"""Read the body of a form before a place is taken: who waits for the client to leave reads no body."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import Depends, Request


async def load_form(request: Request) -> AsyncIterator[None]:
    """Read the form of a request, which keeps it until its response is sent, and its files no longer."""
    async with request.form():
        yield


FormBody = Depends(load_form)
"""Stands before `RankingPlace` among the dependencies of a route."""
