"""Which ways to work a target allows an experiment, whatever the rights of the login."""

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.foundation.texts import _
from app.services.target.target_spec import is_lab_of_this_process


def why_not_guided(family: ExperimentFamily, target: str) -> str:
    """Return why a client's DBA cannot make the changes of this experiment there, "" where one can."""
    if family.not_guided:
        return family.not_guided
    if is_lab_of_this_process(target):
        return _("this lab runs inside the program, and no DBA can reach it to run a script")
    return ""


def refuse_not_guided(family: ExperimentFamily, target: str) -> None:
    """Raise BadInput where a client's DBA cannot make the changes of this experiment there."""
    if reason := why_not_guided(family, target):
        raise BadInput(
            _("{family} cannot run guided here: {reason}; run it hands-on, or observe").format(
                family=family.family_id, reason=reason
            )
        )
