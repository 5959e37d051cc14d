"""Export the types of Rostrum for code that builds on it."""

from rostrum_core.refresh_jobs import Report
from rostrum_core.types import (
    Answer,
    Candidate,
    Document,
    DocumentInfo,
    Draft,
    Encoding,
    Explanation,
    Filter,
    Generation,
    Mark,
    Paragraph,
    Recommendation,
    Scores,
    Span,
    Tokens,
)

__all__ = [
    "Answer",
    "Candidate",
    "Document",
    "DocumentInfo",
    "Draft",
    "Encoding",
    "Explanation",
    "Filter",
    "Generation",
    "Mark",
    "Paragraph",
    "Recommendation",
    "Report",
    "Scores",
    "Span",
    "Tokens",
]
