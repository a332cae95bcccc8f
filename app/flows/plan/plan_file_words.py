"""Messages after a plan file was read or written."""

from collections.abc import Mapping
from pathlib import Path

from app.domain.family import ExperimentFamily
from app.domain.plan import Plan
from app.foundation.texts import _


def is_other_family(plan: Plan, family: ExperimentFamily) -> bool:
    """Tell whether a plan answers another question than the one chosen."""
    return plan.family != family.family_id


def loaded_sentence(path: Path, plan: Plan, family: ExperimentFamily, families: Mapping[str, ExperimentFamily]) -> str:
    """Return the message after a plan file was read."""
    if is_other_family(plan, family):
        return _("{file} is a plan for “{title}”; choose that experiment first.").format(
            file=path.name, title=families[plan.family].title
        )
    return _("{file} is loaded.").format(file=path.name)


def saved_sentence(path: Path) -> str:
    """Return the message after a plan file was written."""
    return _("Saved as {file}.").format(file=path.name)
