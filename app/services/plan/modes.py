"""Which ways to work a target allows an experiment, whatever the rights of the login."""

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
