"""The parts of a session file that can be compared, as a person chooses them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.flows.shell.start_view import local_time
from app.foundation.texts import _
from app.services.hand_over.engagement import Engagement

PUBLISHED: Final = "published"
"""Stands for the published numbers among the second sides."""


@dataclass(frozen=True)
class Comparable:
    """One thing that can be compared.

    Attributes:
        reference: as `compare_runs` takes it, or PUBLISHED.
        title: what a person calls it.
    """

    reference: str
    title: str


def comparables(engagement: Engagement) -> tuple[Comparable, ...]:
    """Return the sessions of a file, newest first, and below each its runs where it has several."""
    choices: list[Comparable] = []
    for session in engagement.sessions:
        header = session.overview.header
        day = local_time(header.created_utc)
        choices.append(Comparable(session.session_id, f"{day}  {header.title} ({session.session_id})"))
        if len(session.runs) > 1:
            runs = session.runs
            choices += [
                Comparable(
                    f"{session.session_id}/{run.run_id}",
                    f"{day}  {run.run_id}: {run.family}, {run.target} ({session.session_id})",
                )
                for run in runs
            ]
    return tuple(choices)


def _sides_of(references: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return the wanted sides that there are; one of them alone with the newest of another session, older one first."""
    # the only run of a session stands for it
    named = (ref if ref in references else ref.partition("/")[0] for ref in wanted)
    kept = list(dict.fromkeys(reference for reference in named if reference in references))
    if len(kept) == 1:
        kept += [ref for ref in references if ref.partition("/")[0] != kept[0].partition("/")[0]][:1]
        kept = sorted(kept, key=references.index, reverse=True)  # the file lists its newest session first
    return kept


def proposed(choices: Sequence[Comparable], wanted: Sequence[str]) -> tuple[str, str]:
    """Return the two sides shown at first: those wanted, else the two newest sessions, older one first.

    Args:
        wanted: references, older first; those that are no choice are left out.
    """
    references = [choice.reference for choice in choices]
    kept = _sides_of(references, wanted)
    if len(kept) > 1:
        return kept[0], kept[1]
    if kept:
        return kept[0], PUBLISHED
    sessions = [reference for reference in references if "/" not in reference]
    if len(sessions) > 1:
        return sessions[1], sessions[0]
    return (references[0] if references else ""), PUBLISHED


def why_not_comparable(first: str, second: str) -> str:
    """Return why two sides cannot be compared, "" where they can."""
    if not first:
        return _("The file holds no session yet.")
    return _("Choose two different sessions or runs.") if first == second else ""
