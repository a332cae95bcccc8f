"""Recommended parameters of Oracle Streams: which process of which database, and its value before."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.finding import Finding
from app.domain.session import Environment, RunRecord, SessionRecord
from app.reporting.document.wording import is_change, plain
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsPath, StreamsTopology
from app.systems.oracle_streams.site import kept_streams

FAMILY: Final = "streams_apply"
POOL: Final = "streams_pool_size"

# Parameters by the name plans give them: whose they are, and what the server calls them.
_PARAMETERS: Final[Mapping[str, tuple[StreamsComponent, str]]] = {
    **{
        name: (StreamsComponent.APPLY, name)
        for name in (
            *("PARALLELISM", "TXN_LCR_SPILL_THRESHOLD", "COMMIT_SERIALIZATION", "_DYNAMIC_STMTS"),
            *("_TXN_BUFFER_SIZE", "_HASH_TABLE_SIZE", "_CMPKEY_ONLY"),
        )
    },
    "CAPTURE_PARALLELISM": (StreamsComponent.CAPTURE, "PARALLELISM"),
    "_SGA_SIZE": (StreamsComponent.CAPTURE, "_SGA_SIZE"),
    "_CHECKPOINT_FREQUENCY": (StreamsComponent.CAPTURE, "_CHECKPOINT_FREQUENCY"),
    POOL: (StreamsComponent.DESTINATION_DATABASE, POOL),
}


@dataclass(frozen=True)
class StreamsChange:
    """One parameter of one process, or of one database.

    Attributes:
        target, database, process: "" where they are unknown.
        parameter: as the server calls it.
        found: the value when the session began, "" where the views did not show it.
        old: what puts it back: that value where somebody had set it, None for the default.
    """

    finding: Finding
    target: str
    database: str
    component: StreamsComponent
    process: str
    parameter: str
    found: str
    old: str | None
    new: str

    @property
    def is_known(self) -> bool:
        """Tell whether the database was read, so that the script is no template."""
        return bool(self.database)


def is_streams_change(finding: Finding) -> bool:
    """Tell whether a recommendation is carried out by a script for an Oracle database."""
    return is_change(finding) and finding.family == FAMILY and finding.parameter in _PARAMETERS


def plan_streams_changes(findings: Sequence[Finding], session: SessionRecord) -> tuple[StreamsChange, ...]:
    """Return what is to be set where, each parameter of a process or database once, by priority."""
    made: dict[tuple[str, str, str, str], StreamsChange] = {}
    for finding in sorted(findings, key=lambda f: f.priority):
        if is_streams_change(finding):
            for change in _changes(finding, session):
                made.setdefault((change.target, change.database, change.process, change.parameter), change)
    return tuple(made.values())


def streams_values(finding: Finding, session: SessionRecord) -> tuple[str, ...]:
    """Return the values of a finding's parameter in effect in the pipelines it is about, each once."""
    if finding.parameter not in _PARAMETERS:
        return ()
    values = (
        change.found
        for environment, topology, path in _places(finding, session)
        for change in _at(finding, environment, topology, path)
    )
    return tuple(dict.fromkeys(value for value in values if value))


def _changes(finding: Finding, session: SessionRecord) -> Iterator[StreamsChange]:
    component, parameter = _PARAMETERS[finding.parameter]
    new = plain(finding.to_value) if finding.to_value is not None else ""
    places = list(_places(finding, session))
    for environment, topology, path in places:
        yield from _at(finding, environment, topology, path)
    if not places:
        yield StreamsChange(finding, "", "", component, "", parameter, "", None, new)


def _at(
    finding: Finding, environment: Environment, topology: StreamsTopology, path: StreamsPath
) -> Iterator[StreamsChange]:
    component, parameter = _PARAMETERS[finding.parameter]
    wanted: tuple[StreamsComponent, ...] = (component,)
    if parameter == POOL:
        wanted = (StreamsComponent.SOURCE_DATABASE, StreamsComponent.DESTINATION_DATABASE)
    for part in wanted:
        process = {StreamsComponent.CAPTURE: path.capture, StreamsComponent.APPLY: path.apply}.get(part, "")
        database = _database(topology, part)
        found = next(
            (
                p
                for p in topology.parameters
                if p.component is part
                and p.effective.name == finding.parameter
                and (not process or p.process == process)
            ),
            None,
        )
        value = "" if found is None else found.effective.value
        yield StreamsChange(
            finding=finding,
            target=environment.target,
            database=database,
            component=part,
            process=process,
            parameter=parameter,
            found=value,
            old=value if parameter == POOL or (found is not None and found.set_by_user) else None,
            new=plain(finding.to_value) if finding.to_value is not None else "",
        )


def _database(topology: StreamsTopology, component: StreamsComponent) -> str:
    role = "Source" if component in (StreamsComponent.CAPTURE, StreamsComponent.SOURCE_DATABASE) else "Destination"
    return next((d.name for d in topology.databases if d.role == role), "")


def _places(finding: Finding, session: SessionRecord) -> Iterator[tuple[Environment, StreamsTopology, StreamsPath]]:
    """Yield each pipeline the finding's trials ran in, once."""
    evidence = set(finding.evidence)
    runs = [run for run in session.runs if run.plan.family == finding.family]
    behind = [run for run in runs if evidence & {trial.trial_id for trial in run.trials}] or runs
    seen: set[tuple[str, str]] = set()
    for run in behind:
        for environment in session.environments:
            topology, path = kept_streams(environment), _path(run, environment)
            if topology is not None and path is not None and (run.target, path.name) not in seen:
                seen.add((run.target, path.name))
                yield environment, topology, path


def _path(run: RunRecord, environment: Environment) -> StreamsPath | None:
    topology = kept_streams(environment)
    if environment.target != run.target or topology is None:
        return None
    name = run.plan.load.get("path", "")
    paths = topology.paths
    return next((path for path in paths if name in (path.name, path.apply)), paths[0] if paths else None)
