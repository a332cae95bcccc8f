"""The three ways to work, as choices at Preflight: which are possible here, and what each means."""

from dataclasses import dataclass

from app.domain.family import ExperimentFamily
from app.domain.rights import Mode
from app.domain.setting import Subject
from app.flows.wizard import Choices
from app.foundation.texts import _
from app.services.target_spec import is_lab_of_this_process


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
        Mode.OBSERVE: _("Reads only: what the server's own history tells, without an experiment."),
        Mode.GUIDED: _("Replitune shows each change as a script; your DBA runs it; Replitune waits and reads it back."),
        Mode.HANDS_ON: _("Replitune makes each change itself, after your consent to the list below."),
    }[mode]


def _why_not(mode: Mode, choices: Choices, family: ExperimentFamily) -> str:
    if mode is Mode.OBSERVE:
        return "" if can_observe(choices) else _("Not possible here: there is no history of replication agents.")
    if mode is Mode.HANDS_ON:
        return ""
    if family.subject in (Subject.SEEDING, Subject.STREAMS):
        return _(
            "Not possible here: this experiment starts and stops by itself what it measures; a DBA could not keep pace."
        )
    if is_lab_of_this_process(choices.target):
        return _("Not possible here: this lab lives inside the program, and no DBA can reach it to run a script.")
    return ""


def can_observe(choices: Choices) -> bool:
    """Tell whether the target has replication agents, whose history tells something."""
    return choices.discovery is not None and bool(choices.discovery.topology.agents)
