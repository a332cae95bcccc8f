"""The families and what was read from the lab: made once, never changed."""

from functools import cache

from app.bootstrap import build_program
from app.domain.family import ExperimentFamily
from app.domain.plan import Plan
from app.domain.system import site_key
from app.flows.shell.wizard import Choices, choose_family, choose_plan, choose_target, keep_reading
from app.services.look.reading import TargetReading, read_target
from app.services.program import Program
from app.systems.transactional_replication.site import AgentSite

LAB = "lab"


@cache
def program() -> Program:
    """Return the real program; nothing in these tests runs it."""
    return build_program()


def family(family_id: str) -> ExperimentFamily:
    """Return one of the real families."""
    return program().families[family_id]


@cache
def reading() -> TargetReading:
    """Return what was read from the lab."""
    return read_target(LAB, program().families, program().parts.open_target)


def site(family_id: str) -> AgentSite:
    """Return what a family needs to know of the lab."""
    found = dict(reading().sites)[site_key(family(family_id))]
    assert isinstance(found, AgentSite)
    return found


def choices(plan: Plan) -> Choices:
    """Return the choices of a person who came as far as the plan, on the lab."""
    read = keep_reading(choose_target(Choices(), LAB), reading().discovery, reading().sites)
    return choose_plan(choose_family(read, plan.family), plan)
