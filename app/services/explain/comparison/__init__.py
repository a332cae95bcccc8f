"""Runs and sessions beside each other, and beside published numbers: described, never judged as an experiment."""

from app.services.explain.comparison.published import PublishedComparison, PublishedRow, compare_published
from app.services.explain.comparison.runs import RunComparison, SessionComparison, compare_runs

__all__ = [
    "PublishedComparison",
    "PublishedRow",
    "RunComparison",
    "SessionComparison",
    "compare_published",
    "compare_runs",
]
