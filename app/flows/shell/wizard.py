"""The wizard's flow as plain data: seven steps, the conditions for leaving each, and choices kept when going back."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.measurement import TrialResult
from app.domain.plan import Plan
from app.domain.rights import Mode
from app.domain.system import site_key
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.services.workplace import SESSION_FILE_NAME, Workplace

if TYPE_CHECKING:  # these load the numeric libraries, which the first page does without
    from app.domain.family import ExperimentFamily, Site
    from app.services.look.discovering import Discovery
    from app.services.plan.dry_run import DryRun


class Step(StrEnum):
    """The steps, in order; ids are stable."""

    TARGET = "target"
    TOPOLOGY = "topology"
    PLAN = "plan"
    PREFLIGHT = "preflight"
    RUN = "run"
    FINDINGS = "findings"
    HAND_OVER = "hand_over"


STEPS = tuple(Step)

# A session opened from its file was measured before: only these steps have something to show.
_OF_OPENED = (Step.FINDINGS, Step.HAND_OVER)

# A run that goes on has its target and plan already: it is checked and agreed to again.
_OF_RESUMED = (Step.PREFLIGHT, Step.RUN, Step.FINDINGS, Step.HAND_OVER)


@dataclass(frozen=True)
class StepText:
    """The texts of a step's page.

    Attributes:
        title: its name, on the page and in the list of steps.
        next: what happens after it.
    """

    title: str
    next: str


def step_text(step: Step) -> StepText:
    """Return the texts of a step."""
    return {
        Step.TARGET: StepText(_("Connect"), _("Next: look at the site. Read-only.")),
        Step.TOPOLOGY: StepText(_("Site"), _("Next: plan the trials. Nothing is changed yet.")),
        Step.PLAN: StepText(_("Plan"), _("Next: check whether anything prevents the run. Nothing is changed yet.")),
        Step.PREFLIGHT: StepText(
            _("Check"),
            _("Next: the run. It changes servers; the undo of each change is saved first."),
        ),
        Step.RUN: StepText(_("Run"), _("Next: what the trials showed.")),
        Step.FINDINGS: StepText(_("Findings"), _("Next: the report and the scripts.")),
        Step.HAND_OVER: StepText(_("Hand-over"), _("Done.")),
    }[step]


@dataclass(frozen=True)
class RunEnd:
    """How the run of this wizard ended.

    Attributes:
        session_id, run_id: where it is kept.
        not_restored: one sentence for each change still open.
    """

    session_id: str
    run_id: str
    status: str
    reason: str
    not_restored: tuple[str, ...]


@dataclass(frozen=True)
class EarlierRun:
    """A run that ended before its time and is to go on, or a complete one that is to confirm further.

    Attributes:
        session_id, run_id: where it is kept.
        trials: those that ended by themselves, which are not repeated.
        least_confirm_blocks: confirming blocks there are to be at least.
    """

    session_id: str
    run_id: str
    trials: tuple[TrialResult, ...]
    least_confirm_blocks: int = 0


@dataclass(frozen=True)
class Found:
    """The run before, whose findings stay in reach while the next experiment is planned.

    Attributes:
        end: how it ended. folder, file_name, engagement: where it is kept, as of `Choices`.
    """

    end: RunEnd
    folder: Path | None
    file_name: str
    engagement: Path | None


@dataclass(frozen=True)
class Choices:
    """Everything chosen so far; later parts depend on earlier ones.

    Attributes:
        target: as given to `--target`, "" until chosen.
        is_entering: another target is being entered, so the chosen one is not what the person has in mind.
        discovery: what was read from it.
        sites: what an experiment on each subject needs to know, by system and subject.
        impossible: family id and one sentence why it cannot run on the target; families not named can.
        family: id of the experiment family.
        plan: complete and checked against the target.
        dry_run: what that plan would do.
        mode: how the experiment is worked on, chosen at Preflight.
        consented: servers ticked at Preflight.
        folder: where session file, report and scripts go.
        run_end: None until the run has ended.
        file_name: of the session file in that folder.
        opened: the session was opened from its file: what it found can be read and handed over, nothing is run.
        engagement: the client's file the session is kept in, None where it has a file of its own.
        resumes: the run that goes on, None for a new one.
        found: the run before, None where there was none.
        subject: names in a plan's load of what was chosen on the site's page, by the names of their fields.
    """

    target: str = ""
    is_entering: bool = False
    discovery: "Discovery | None" = None
    sites: "tuple[tuple[tuple[str, str], Site], ...]" = ()
    impossible: tuple[tuple[str, str], ...] = ()
    family: str = ""
    plan: Plan | None = None
    dry_run: "DryRun | None" = None
    mode: Mode = Mode.HANDS_ON
    consented: frozenset[str] = frozenset()
    folder: Path | None = None
    run_end: RunEnd | None = None
    file_name: str = SESSION_FILE_NAME
    opened: bool = False
    engagement: Path | None = None
    resumes: EarlierRun | None = None
    subject: tuple[tuple[str, str], ...] = ()
    found: Found | None = None

    @property
    def shows_found(self) -> bool:
        """Whether findings and hand-over are those of the run before, while another is planned."""
        return self.found is not None and self.run_end is None and not self.opened

    @property
    def as_found(self) -> "Choices":
        """The choices as the pages of findings and hand-over show them."""
        if self.found is None or not self.shows_found:
            return self
        found = self.found
        where = (found.folder, found.file_name, found.engagement)
        return replace(self, run_end=found.end, folder=where[0], file_name=where[1], engagement=where[2])

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that have something to show or to choose."""
        if self.opened:
            return _OF_OPENED
        return STEPS if self.resumes is None else _OF_RESUMED

    @property
    def place(self) -> Workplace | None:
        """Where session file, report and scripts are, None until a folder is chosen."""
        return None if self.folder is None else Workplace(self.folder, self.file_name, self.engagement)

    def site(self, family: "ExperimentFamily") -> "Site | None":
        """Return the site read for the subject of a family."""
        return dict(self.sites).get(site_key(family))


def _set_aside(choices: Choices) -> Choices:
    """Return the choices for another run; the findings of the one before stay in reach."""
    if choices.run_end is None:
        return choices
    found = Found(choices.run_end, choices.folder, choices.file_name, choices.engagement)
    return replace(choices, run_end=None, found=found)


def choose_target(choices: Choices, target: str) -> Choices:
    """Return the choices with a target; another one drops everything read from the old one, but keeps the family."""
    if target == choices.target:
        return choices
    return Choices(target=target, family=choices.family, folder=choices.folder, engagement=choices.engagement)


def keep_reading(
    choices: Choices,
    discovery: "Discovery",
    sites: "tuple[tuple[tuple[str, str], Site], ...]",
    impossible: tuple[tuple[str, str], ...] = (),
) -> Choices:
    """Return the choices with the target's reading; checks against an older reading are dropped.

    A family chosen earlier that is not possible on this target is dropped with its plan.
    """
    kept = choose_family(choices, "") if choices.family in dict(impossible) else choices
    return replace(kept, discovery=discovery, sites=sites, impossible=impossible, dry_run=None, consented=frozenset())


def choose_subject(choices: Choices, subject: tuple[tuple[str, str], ...]) -> Choices:
    """Return the choices with another thing to experiment on; a plan about the one before is dropped."""
    return choices if subject == choices.subject else replace(drop_plan(choices), subject=subject)


def choose_family(choices: Choices, family: str) -> Choices:
    """Return the choices with a family; another one drops the plan of the old one."""
    if family == choices.family:
        return choices
    kept = _set_aside(choices)
    return replace(kept, family=family, plan=None, dry_run=None, mode=Mode.HANDS_ON, consented=frozenset())


def choose_plan(choices: Choices, plan: Plan) -> Choices:
    """Return the choices with a plan; a changed one must be checked and consented to again."""
    if plan == choices.plan:
        return choices
    return replace(_set_aside(choices), plan=plan, dry_run=None, consented=frozenset())


def choose_experiment(choices: Choices, family: str, plan: Plan) -> Choices:
    """Return the choices with an experiment whose plan is filled in."""
    return choose_plan(choose_family(choices, family), plan)


def drop_plan(choices: Choices) -> Choices:
    """Return the choices without a plan: the contents of its form cannot be run."""
    return replace(_set_aside(choices), plan=None, dry_run=None, consented=frozenset())


def keep_dry_run(choices: Choices, dry_run: "DryRun") -> Choices:
    """Return the choices with the plan's dry run.

    Consent given to another list of changes, to fewer trials, or for a shorter time, as it was told, does not hold.
    """
    agreed = choices.dry_run
    holds = (
        agreed is not None
        and agreed.changes == dry_run.changes
        and agreed.most_trials >= dry_run.most_trials
        and (agreed.longest_s >= dry_run.longest_s or _told_alike(agreed.longest_s, dry_run.longest_s))
    )
    return replace(choices, dry_run=dry_run, consented=choices.consented if holds else frozenset())


def drop_dry_run(choices: Choices) -> Choices:
    """Return the choices after checks that could not be made: what earlier ones allowed does not hold."""
    return replace(choices, dry_run=None, consented=frozenset())


def _told_alike(agreed_s: float, longest_s: float) -> bool:
    return duration_text(agreed_s) == duration_text(longest_s)


def choose_mode(choices: Choices, mode: Mode) -> Choices:
    """Return the choices with a way to work; consent given for another one does not hold."""
    return choices if mode is choices.mode else replace(choices, mode=mode, consented=frozenset())


def consent(choices: Choices, servers: frozenset[str]) -> Choices:
    """Return the choices with the servers ticked."""
    return replace(choices, consented=servers)


def choose_folder(choices: Choices, folder: Path | None) -> Choices:
    """Return the choices with a folder for the results, None where the one named cannot be used."""
    return replace(choices, folder=folder)


def keep_run_end(choices: Choices, end: RunEnd) -> Choices:
    """Return the choices with how the run ended."""
    return replace(choices, run_end=end)


def begin_again(choices: Choices) -> Choices:
    """Return the choices for another start: consent holds for one, so all is checked and agreed to anew."""
    return replace(_set_aside(choices), dry_run=None, consented=frozenset())


def servers_to_consent(choices: Choices) -> tuple[str, ...]:
    """Return the servers the plan changes or writes to, each once, in topology order."""
    if choices.dry_run is None:
        return ()
    return tuple(dict.fromkeys(f"{server.role} {server.name}" for server in choices.dry_run.servers))


def why_not_leave(step: Step, choices: Choices, *, running: bool = False) -> str:
    """Return in one sentence the condition still missing for going forward, "" when none is."""
    if step is Step.PREFLIGHT:
        return _preflight_lacks(choices)
    if step is Step.TARGET and choices.is_entering:
        return _("Connect to the target you are entering, or discard it.")
    if step is Step.RUN and running:
        return _("The run is in progress; what it showed can be seen once it is complete.")
    made_and_missing = {
        Step.TARGET: (choices.target or None, _("Choose a target, save a new one, or try the lab.")),
        Step.TOPOLOGY: _site_and_missing(choices),
        Step.PLAN: (choices.plan, _("Complete the plan; see beside the fields what is missing.")),
        Step.RUN: (choices.run_end, _("Start the run; this page shows what happens until it ends.")),
    }
    made, missing = made_and_missing.get(step, (step, ""))
    return missing if made is None else ""


def _site_and_missing(choices: Choices) -> tuple[object | None, str]:
    if choices.discovery is None:
        return None, _("The target has not been read yet; this page says what it waits for.")
    return choices.family or None, _("Choose what to test: plan one of the experiments on the page.")


def _preflight_lacks(choices: Choices) -> str:
    if choices.mode is Mode.OBSERVE:
        return _("Observing runs no experiment: look at the history here, or choose another way to work.")
    if choices.dry_run is None:
        return _("The checks have not run yet.")
    failed = [check for check in choices.dry_run.checks if check.blocking and not check.passed]
    if failed:
        unmet = _("Check not met: {check}").format(check=failed[0].title)
        return f"{unmet}. {failed[0].remedy}".strip()
    missing = [server for server in servers_to_consent(choices) if server not in choices.consented]
    if missing:
        return _("Agree for each server to continue: {servers}").format(servers=", ".join(missing))
    if choices.folder is None:
        return _("Choose a folder for the results.")
    return ""


@dataclass(frozen=True)
class Wizard:
    """Where the wizard stands: a value, so that every branch can be tested without a window.

    Attributes:
        step: the step shown.
        choices: everything chosen so far.
    """

    step: Step = Step.TARGET
    choices: Choices = Choices()

    @property
    def shown_choices(self) -> Choices:
        """The choices as the page of the step shows them."""
        return self.choices.as_found if self.step in _OF_OPENED else self.choices

    def forward(self, *, running: bool = False) -> "Wizard":
        """Return the wizard at the next step; unchanged where something is missing or there is no next one.

        While a run goes on, whoever looks at the site is led back to it: nothing else is planned meanwhile.
        """
        if running and self.step is Step.TOPOLOGY:
            return replace(self, step=Step.RUN)
        if why_not_leave(self.step, self.choices, running=running) or self.step is STEPS[-1]:
            return self
        return replace(self, step=STEPS[STEPS.index(self.step) + 1])

    def back(self, *, running: bool = False) -> "Wizard":
        """Return the wizard at the step before; a run must end first, and the choices are kept."""
        steps = self.choices.steps
        if self.step is steps[0] or running:
            return self
        if self.step is Step.FINDINGS and self.choices.shows_found:  # back to what is being planned
            return replace(self, step=max(filter(self.can_reach, steps[: steps.index(Step.RUN)]), key=steps.index))
        return replace(self, step=steps[steps.index(self.step) - 1])

    def can_reach(self, step: Step, *, running: bool = False) -> bool:
        """Tell whether a step can be jumped to: nothing before it lacks anything."""
        steps = self.choices.steps
        if running:  # the site is looked at, whose page changes nothing then
            return step is Step.RUN or (step is Step.TOPOLOGY and step in steps and self.choices.discovery is not None)
        if self.choices.opened or step not in steps:
            return step in steps
        if step in _OF_OPENED and self.choices.shows_found:
            return True
        before = steps[: steps.index(step)]
        return not any(why_not_leave(earlier, self.choices) for earlier in before)

    def go_to(self, step: Step, *, running: bool = False) -> "Wizard":
        """Return the wizard at a step that can be reached; else unchanged."""
        return replace(self, step=step) if self.can_reach(step, running=running) else self

    def with_choices(self, choices: Choices) -> "Wizard":
        """Return the wizard with other choices, at the same step."""
        return replace(self, choices=choices)
