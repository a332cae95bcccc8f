"""Further confirming blocks of a complete run: when they are offered, and how the wizard then begins."""

from app.domain.errors import BadInput
from app.domain.session import SessionRecord
from app.flows.run.resume_view import resumed_wizard
from app.flows.shell.wizard import Choices, Wizard
from app.flows.words import counted
from app.foundation.texts import _
from app.services.program import Program
from app.services.run.extending import extension_of, find_to_extend
from app.services.run.resuming import refuse_open_changes


def blocks_left(session: SessionRecord, program: Program) -> int:
    """Return how many confirming blocks the last run of a session may still add, 0 for none."""
    if not session.runs:
        return 0
    run = session.runs[-1]
    return extension_of(run, program.families.get(run.plan.family)).blocks_left


def blocks_line(count: int) -> str:
    """Return the purpose of further blocks, in one sentence."""
    return counted(
        count,
        _("The confirmation left it open; 1 more block may settle it."),
        _("The confirmation left it open; up to {count} more blocks may settle it."),
    )


def read_extension(choices: Choices, program: Program) -> Wizard:
    """Return the wizard that adds confirming blocks to the run of the session at hand; for a worker thread.

    Raises:
        StoreError: the session file cannot be used.
        BadInput: the run cannot be extended, or something is still changed on a server.
    """
    place = choices.place
    if place is None:
        raise BadInput(_("There is no session yet; run the experiment first."))
    session_id = None if choices.run_end is None else choices.run_end.session_id
    earlier = find_to_extend(place, dict(program.families), session_id or None)
    refuse_open_changes(program.parts.journal_path)
    return resumed_wizard(earlier.run, earlier.session_id, place, earlier.least_confirm_blocks)
