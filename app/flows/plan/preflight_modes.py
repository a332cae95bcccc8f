"""The three ways to work, as choices at Preflight: which are possible here, and the meaning of each."""

from dataclasses import dataclass

from app.domain.family import ExperimentFamily
from app.domain.rights import Mode
from app.flows.shell.wizard import Choices
from app.flows.system_views import views_of
from app.foundation.texts import _
from app.services.plan.modes import why_not_guided


@dataclass(frozen=True)
class ModeLine:
    """One way to work.

    Attributes:
        sentence: what it means, or why it is not possible here.
    """

    mode: Mode
    title: str
    sentence: str
    is_possible: bool
    is_chosen: bool


def mode_lines(choices: Choices, family: ExperimentFamily) -> tuple[ModeLine, ...]:
    """Return the ways to work, from the one that does least to the server."""
    return tuple(_line(mode, choices, family) for mode in Mode)


def _line(mode: Mode, choices: Choices, family: ExperimentFamily) -> ModeLine:
    reason = _why_not(mode, choices, family)
    return ModeLine(mode, _title(mode), reason or _sentence(mode), not reason, mode is choices.mode)


def _title(mode: Mode) -> str:
    return {Mode.OBSERVE: _("Obser&ve"), Mode.GUIDED: _("Gui&ded"), Mode.HANDS_ON: _("Hands-&on")}[mode]


def _sentence(mode: Mode) -> str:
    return {
        Mode.OBSERVE: _("Read-only: what the servers already show, without an experiment."),
        Mode.GUIDED: _(
            "Replitune shows each change, or all of a window, as a script; your DBA runs it, in time that comes on "
            "top; Replitune waits and checks the value."
        ),
        Mode.HANDS_ON: _("Replitune makes each change itself, after your consent to the list below."),
    }[mode]


def _why_not(mode: Mode, choices: Choices, family: ExperimentFamily) -> str:
    if mode is Mode.OBSERVE and choices.resumes is not None:
        return _("Not possible here: the experiment has begun and must be finished first.")
    if mode is Mode.OBSERVE:
        return "" if can_observe(choices) else _("Not possible here: nothing that could be observed was found.")
    if mode is Mode.HANDS_ON:
        return ""
    reason = why_not_guided(family, choices.target)
    return _("Not possible here: {reason}.").format(reason=reason) if reason else ""


def can_observe(choices: Choices) -> bool:
    """Tell whether the target has something to look at without an experiment."""
    if choices.discovery is None:
        return False
    return any(views_of(system).can_be_observed(site) for system, site in choices.discovery.by_system)
