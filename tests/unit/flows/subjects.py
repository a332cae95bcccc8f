"""What was read from the labs beside that of the replication agents: made once, never changed."""

from functools import cache

from app.domain.family import Site
from app.domain.system import site_key
from app.flows.plan.plan_form import PlanForm, plan_form
from app.flows.shell.wizard import Choices, keep_reading
from app.services.look.reading import TargetReading, read_target
from app.systems.availability_groups.site import GroupSite
from app.systems.oracle_streams.site import StreamsSite
from tests.unit.flows.sites import family, program

GROUPS = "lab:ag-2016"
SEEDING = "lab:ag-seeding"
STREAMS = "lab:streams-2009"


@cache
def reading_of(target: str) -> TargetReading:
    """Return what was read from a lab."""
    return read_target(target, program().families, program().parts.open_target)


def choices_at(target: str) -> Choices:
    """Return the choices of a person who has read a lab."""
    read = reading_of(target)
    return keep_reading(Choices(target=target), read.discovery, read.sites, read.impossible)


def site_of(family_id: str, target: str) -> Site:
    """Return what a family needs to know of a lab."""
    return dict(reading_of(target).sites)[site_key(family(family_id))]


def group_site() -> GroupSite:
    """Return the site of two groups."""
    found = site_of("commit_mode", GROUPS)
    assert isinstance(found, GroupSite)
    return found


def streams_site() -> StreamsSite:
    """Return the site of a pipeline."""
    found = site_of("streams_apply", STREAMS)
    assert isinstance(found, StreamsSite)
    return found


def form_of(family_id: str, target: str) -> PlanForm:
    """Return the form a person begins with on a lab."""
    return plan_form(family(family_id), site_of(family_id, target))
