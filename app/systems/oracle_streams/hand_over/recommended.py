"""Recommended parameters of Oracle Streams: which process of which database, and its value before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.finding import Finding
from app.domain.hand_over import Recommendation
from app.domain.session import Environment, RunRecord, SessionRecord
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsPath, StreamsTopology
from app.systems.oracle_streams.server.documented import DocumentedParameter, ValueKind, documented
from app.systems.oracle_streams.site import kept_streams

FAMILY: Final = "streams_apply"
POOL: Final = "streams_pool_size"


@dataclass(frozen=True)
class StreamsChange:
    """One parameter of one process, or of one database.

    Attributes:
        target, database, process: "" where they are unknown.
        parameter: as the server calls it.
        current: the value when the session began, "" where the views did not show it.
        old: what puts it back: that value where somebody had set it, None for the default.
    """

    recommendation: Recommendation
    target: str
    database: str
    component: StreamsComponent
    process: str
    parameter: str
    current: str
    old: str | None
    new: str

    @property
    def is_known(self) -> bool:
        """Tell whether the database was read, so that the script is no template."""
        return bool(self.database)


def settable(finding: Finding) -> DocumentedParameter | None:
    """Return the parameter of a finding that a script sets, None where it is none of Oracle Streams or has no way back.

    Checkpoint retention and latency are left to a person: the first cannot be lowered, the second may be shared.
    """
    parameter = documented(finding.parameter) if finding.family == FAMILY else None
    if parameter is None or parameter.kind in (ValueKind.DAYS, ValueKind.SECONDS) or not parameter.is_changed:
        return None
    return parameter


def plan_streams_changes(
    recommendations: Sequence[Recommendation], session: SessionRecord
) -> tuple[StreamsChange, ...]:
    """Return the values to set, each parameter of a process or database once, by priority."""
    made: dict[tuple[str, str, str, str], StreamsChange] = {}
    for recommendation in sorted(recommendations, key=lambda one: one.finding.priority):
        parameter = settable(recommendation.finding)
        for change in _changes(recommendation, parameter, session) if parameter else ():
            made.setdefault((change.target, change.database, change.process, change.parameter), change)
    return tuple(made.values())


def streams_values(finding: Finding, session: SessionRecord) -> tuple[str, ...]:
    """Return the values of a finding's parameter in effect in the pipelines it is about, each once."""
    parameter = settable(finding)
    if parameter is None:
        return ()
    values = (
        change.current
        for environment, topology, path in _places(finding, session)
        for change in _at(Recommendation(finding, "", ""), parameter, environment, topology, path)
    )
    return tuple(dict.fromkeys(value for value in values if value))


def _changes(
    recommendation: Recommendation, parameter: DocumentedParameter, session: SessionRecord
) -> Iterator[StreamsChange]:
    places = list(_places(recommendation.finding, session))
    for environment, topology, path in places:
        yield from _at(recommendation, parameter, environment, topology, path)
    if not places:
        name, component = parameter.server_name, parameter.component
        yield StreamsChange(recommendation, "", "", component, "", name, "", None, recommendation.new)


def _at(
    recommendation: Recommendation,
    parameter: DocumentedParameter,
    environment: Environment,
    topology: StreamsTopology,
    path: StreamsPath,
) -> Iterator[StreamsChange]:
    is_pool = parameter.server_name == POOL
    wanted: tuple[StreamsComponent, ...] = (parameter.component,)
    if is_pool:
        wanted = (StreamsComponent.SOURCE_DATABASE, StreamsComponent.DESTINATION_DATABASE)
    for part in wanted:
        process = {StreamsComponent.CAPTURE: path.capture, StreamsComponent.APPLY: path.apply}.get(part, "")
        database = _database(topology, part)
        parameter_there = next(
            (
                p
                for p in topology.parameters
                if p.component is part and p.effective.name == parameter.name and (not process or p.process == process)
            ),
            None,
        )
        value = "" if parameter_there is None else parameter_there.effective.value
        yield StreamsChange(
            recommendation=recommendation,
            target=environment.target,
            database=database,
            component=part,
            process=process,
            parameter=parameter.server_name,
            current=value,
            old=value if is_pool or (parameter_there is not None and parameter_there.set_by_user) else None,
            new=recommendation.new,
        )


def _database(topology: StreamsTopology, component: StreamsComponent) -> str:
    role = "Source" if component in (StreamsComponent.CAPTURE, StreamsComponent.SOURCE_DATABASE) else "Destination"
    return next((d.name for d in topology.databases if d.role == role), "")


def _places(finding: Finding, session: SessionRecord) -> Iterator[tuple[Environment, StreamsTopology, StreamsPath]]:
    """Yield each pipeline the finding's trials ran in, once."""
    places: set[tuple[str, str]] = set()
    for run in session.runs_behind(finding):
        for environment in session.environments:
            topology, path = kept_streams(environment), _path(run, environment)
            if topology is not None and path is not None and (run.target, path.name) not in places:
                places.add((run.target, path.name))
                yield environment, topology, path


def _path(run: RunRecord, environment: Environment) -> StreamsPath | None:
    topology = kept_streams(environment)
    if environment.target != run.target or topology is None:
        return None
    name = run.plan.load.get("path", "")
    paths = topology.paths
    named = [path for path in paths if name in (path.name, path.apply)]
    return next(iter(named), paths[0] if len(paths) == 1 else None)  # of several none is guessed
