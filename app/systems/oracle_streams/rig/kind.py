"""What a run knows of a Streams pipeline: its path, what would be changed, and the rig that does the trials."""

from collections.abc import Mapping
from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, Disturbed
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.rig import PREVIEW_OWNER, RigKind, RigParts, TrialCall
from app.domain.server import ServerInfo
from app.domain.step import Step
from app.domain.target import Target
from app.runner.bench.steps import changes_of_steps, do_steps
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.rig.path import choose_path, complete_names, site_of_path, streams_site
from app.systems.oracle_streams.rig.switches import ApplySwitch, ParameterSwitch
from app.systems.oracle_streams.rig.trial import Filled, TrialHands
from app.systems.oracle_streams.steps import (
    MakeTestTable,
    SetParameters,
    StopApply,
    StreamsObservation,
    TraceUpdates,
)


class StreamsRig:
    """Does trials of a Streams pipeline."""

    def __init__(self, parts: RigParts) -> None:
        self._parts = parts
        self._path = choose_path(parts.plan, streams_site(parts.site).topology)
        self._parameters = ParameterSwitch(parts, self._path)
        self._apply = ApplySwitch(parts, self._path)
        self._filled = Filled()
        self._refused: set[str] = set()
        self._ended_early: TrialHands | None = None

    def run_trial(self, call: TrialCall) -> StreamsObservation:
        """Do the steps in order and return what the measuring one showed."""
        if why := streams_port(self._parts.target).why_moved():
            raise Disturbed(why)
        hands = TrialHands(self._parts, self._path, self._parameters, self._apply, self._filled, call, self._refused)
        self._ended_early = hands
        try:
            observation = do_steps(call, self._parts.control, hands.do)
            self._ended_early = None
        finally:
            hands.skipped.tell(call.on_note)
        return observation

    def settle(self) -> None:
        """Let the rows of a trial that ended early be applied."""
        if self._ended_early is not None:
            self._ended_early.settle()
            self._ended_early = None

    def forget(self) -> None:
        """Start afresh after a restore: the test table is gone, too."""
        self._parameters.forget()
        self._apply.forget()
        self._filled.rows = 0


def planned_changes(plan: Plan, family: ExperimentFamily, site: Site, target: Target) -> tuple[Change, ...]:
    """Return the changes of every setting, each once, as seen from the present state."""
    path = choose_path(plan, streams_site(site).topology)
    return changes_of_steps(plan, family, lambda step: _changes_of(step, path, target))


def _changes_of(step: Step, path: StreamsPath, target: Target) -> list[Change]:
    streams = streams_port(target)
    match step:
        case MakeTestTable():
            return list(streams.plan_test_table(path, step.rows, PREVIEW_OWNER))
        case StopApply():
            return list(streams.plan_restart(path))
        case SetParameters():
            return [c for name, value in step.setting.items() for c in streams.plan_parameter(path, name, value)]
        case TraceUpdates():
            return list(streams.plan_trace(path))
    return []


def measured(plan: Plan, site: Site) -> tuple[str, ...]:
    """Return the path from capture to apply."""
    return (choose_path(plan, streams_site(site).topology).name,)


def servers_touched(_plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    """Return both databases of the pipeline, one where they are the same."""
    databases = {database.name: database for database in reversed(streams_site(site).topology.databases)}
    return tuple(
        ServerInfo(d.name, d.role, d.version, d.edition, d.cpu_count) for d in reversed(tuple(databases.values()))
    )


def complete_site(plan: Plan, site: Site, target: Target) -> Site:
    """Return the site with the parameters of the plan's path, once this release can be given every value.

    Raises:
        BadInput: there is no such path, or a value is outside the gates of this release, or could not be put back.
    """
    streams = streams_site(site)
    path = choose_path(plan, streams.topology)
    for factor in plan.factors:
        for level in factor.levels:
            streams_port(target).plan_parameter(path, factor.name, level)
    return site_of_path(streams, path)


def suggestions(site: Site) -> Mapping[str, tuple[str, ...]]:
    """Return the paths found at the target."""
    return {"path": tuple(path.name for path in streams_site(site).topology.paths)}


def site_of_plan(plan: Plan, site: Site) -> Site:
    """Return the site with the values in effect of the plan's path; as it is while the plan names none of several."""
    streams = streams_site(site)
    try:
        return site_of_path(streams, choose_path(plan, streams.topology))
    except BadInput:
        return site


STREAMS_RIG: Final = RigKind(
    StreamsRig,
    planned_changes,
    servers_touched,
    complete_site,
    complete_names,
    site_of_plan,
    suggestions,
    measured=measured,
)
