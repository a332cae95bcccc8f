"""Whole sessions on a lab in this process, as a login that has what a script gives it and nothing else."""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import ReplituneError
from app.domain.events import RunStatus
from app.domain.family import ExperimentFamily
from app.domain.plan import Plan
from app.domain.rights import LoginRights, Mode, Right
from app.domain.system import system_of
from app.domain.target import Target
from app.drivers.sqlserver.lab.servers import LabClock
from app.runner.asking import HandDesk
from app.services.look.doctor import TargetHealth, grant_script, revoke_script, target_health
from app.services.plan.checking import prepare_run
from app.services.run.login_rights import read_lacking
from app.systems.availability_groups.lab_server.server import LabGroupServer
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, run_on_lab, small_plan
from tests.contract.families.test_guided import Dba, Watched
from tests.contract.families.watched_by_hand import by_hand_of
from tests.labs import build_lab, ignore, sqlserver_over
from tests.logins import LoginTransport, may_nothing, run_script

LOGIN: Final = "o'neil]consulting"
SCENARIOS: Final = {"commit_mode": "ag-2016", "seeding": "ag-seeding"}
"""Of families that have a lab of their own."""


@dataclass(frozen=True)
class Scripts:
    """What a DBA ran to let the login work, and in their order what takes it back."""

    printed: str
    taking_back: tuple[str, ...]


@dataclass(frozen=True)
class SessionEnd:
    """How a session ended.

    Attributes:
        refusal: the sentence, "" where it came to its end.
        before_changes: whether it was refused before anything was changed.
        told: what it said it goes on without.
        is_restored: whether the server is as it was.
    """

    refusal: str = ""
    before_changes: bool = False
    told: str = ""
    is_restored: bool = True


Lab = LabSqlServer | LabGroupServer


def new_lab(scenario: str | None = None) -> Lab:
    """Return a lab with a login that may sign in and do nothing else."""
    lab: Lab = build_lab(scenario)
    may_nothing(lab.doors, LOGIN)
    return lab


def target_of(lab: Lab, name: str = LOGIN) -> Target:
    """Return a target on a lab as a login; it is no lab to the program."""
    transport = LoginTransport(lab, lab.doors, name)
    system = REPLICATION if isinstance(lab, LabSqlServer) else GROUPS
    return sqlserver_over(transport, LabClock(lab), ignore, "server", "server", simulates=system)


def plan_of(family: ExperimentFamily) -> Plan:
    """Return the plan sessions run: with replication a steady load, so that tracer tokens are posted."""
    return small_plan(family, *((Scenario.CONTINUOUS,) if family.family_id in AGENT_FAMILIES else ()))


def doctor_of(lab: Lab) -> TargetHealth:
    """Return what doctor says of the login."""
    return target_health("server", FAMILIES, lambda _name, _seed, _sink: target_of(lab))


def grant(lab: Lab, mode: Mode) -> Scripts:
    """Have a DBA run what doctor prints until it prints nothing more; return what was run and what takes it back."""
    printed: list[str] = []
    taking_back: list[str] = []
    while script := grant_script(health := doctor_of(lab), mode):
        assert script not in printed, "doctor prints what has been given"
        taking_back.append(revoke_script(health, mode))
        run_script(lab.doors, script)
        printed.append(script)
    return Scripts("".join(printed), tuple(reversed(taking_back)))


def take_back(lab: Lab, right: Right) -> None:
    """Take one right from the login."""
    run_script(lab.doors, f"-- At {right.server}:\n{right.revoke}\n")


def rights_of_plan(lab: Lab, family: ExperimentFamily) -> LoginRights:
    """Return the login's rights where the plan of `run_session` works."""
    target = target_of(lab)
    prepared = prepare_run(plan_of(family), family, target, "plan")
    return system_of(family).rights_at(target, prepared.site, prepared.plan)


def run_session(lab: Lab, family: ExperimentFamily, mode: Mode) -> SessionEnd:
    """Run a small plan as the login, in guided mode with a DBA who may do everything."""
    told: list[str] = []
    changed: list[str] = []
    admin = target_of(lab, "replitune")

    def wrap(_target: Target) -> Target:
        target = target_of(lab)
        plan = plan_of(family)
        lacking = read_lacking(prepare_run(plan, family, target, "plan"), target, mode)
        lacking.refuse()
        told.append(lacking.sentence)
        changed.append("")
        if mode is Mode.HANDS_ON:
            return target
        dba, desk = Dba(admin), HandDesk(0.0)
        desk.attach(dba.run, lambda _request: None)
        return by_hand_of(family, target, desk, "DIST1", lambda changes: Watched(changes, dba))

    try:
        run = run_on_lab(family, plan_of(family), scenario=SCENARIOS.get(family.family_id, ""), wrap=wrap)
    except ReplituneError as error:
        return SessionEnd(str(error), before_changes=not changed)
    refusal = "" if run.end.status is RunStatus.SUCCEEDED else run.end.reason
    return SessionEnd(refusal, not run.journal.entries, told[0], is_restored=not run.end.not_restored)
