"""Format positions in a recording, for display and for links."""

from __future__ import annotations


def format_clock(time_s: float) -> str:
    """Format seconds into a recording as hours, minutes and whole seconds.

    >>> format_clock(723.9), format_clock(36_000)
    ('0:12:03', '10:00:00')
    """
    minutes, seconds = divmod(int(time_s), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


def link_moment(url: str, time_s: float) -> str:
    """Return a URL that opens a recording at a time.

    A URL that already has a fragment is returned unchanged.

    Source: W3C Media Fragments URI 1.0, temporal dimension in normal play time.

    >>> link_moment("https://example.org/a?v=1", 723.9), link_moment("https://example.org/a#part", 723.9)
    ('https://example.org/a?v=1#t=723', 'https://example.org/a#part')
    """
    return url if "#" in url else f"{url}#t={int(time_s)}"
