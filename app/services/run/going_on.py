"""A run that goes on: one that did not complete, or a complete one that confirms further."""

from dataclasses import dataclass

from app.domain.session import RunRecord


@dataclass(frozen=True)
class GoingOn:
    """The last run of a session.

    Attributes:
        run: with the plan it goes on with; its trials are kept.
        least_confirm_blocks: confirming blocks there are to be at least, 0 for what the plan says.
    """

    session_id: str
    run: RunRecord
    least_confirm_blocks: int = 0
