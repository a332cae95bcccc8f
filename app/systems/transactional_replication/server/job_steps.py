"""The switches of an agent's job step: they beat whatever profile is assigned, so each is read where it stands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.errors import PermissionDenied
from app.drivers.sqlserver.session import Place, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.documented import documented
from app.systems.transactional_replication.topology import Agent

_OTHERS: Final = ("-ProfileName", "-DefinitionFile", "-Continuous")
_SKIPPED: Final = "-SkipErrors"
NOT_READ: Final = _("in a form that is not read")
"""What stands for errors that a step skips, and for values, that are not numbers."""
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,9}")  # what an agent makes of +10, 010 or 0x10 no page says
_NUMERIC: Final = frozenset(f"-{parameter.name}" for kind in AgentKind for parameter in documented(kind).values())


@dataclass(frozen=True)
class JobStep:
    """The parameters and switches in a job step, without its text.

    Attributes:
        values: of parameters that are numbers, and the errors it skips, by name with the leading dash; NOT_READ for
            what is no plain number.
        has_profile: whether it names a profile, which then wins over the assigned one.
        profile: the name of that, "" for none, and for one that is not there.
        has_definition_file: whether further switches stand in a file, which nobody reads here.
        is_continuous: whether the agent goes on once nothing waits.
        repeated: switches it names more than once; which one counts no page says.
        unclear: parameters whose value is no plain number, or stands in quotes; they are left as they are.
        unknown: how many switches this program does not know.
    """

    values: Mapping[str, str]
    has_profile: bool = False
    profile: str = ""
    has_definition_file: bool = False
    is_continuous: bool = True
    repeated: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    unknown: int = 0


def read_job_step(session: Session, agent: Agent) -> JobStep | None:
    """Read the step of an agent's job, None where its job runs elsewhere or has no such step."""
    if not agent.job_id:
        return None
    rows = session.run("job_step_tokens", Place(session.own_server, "msdb"), job_id=agent.job_id)
    return job_step_of(rows) if rows else None


def read_known_job_step(session: Session, agent: Agent) -> JobStep | None:
    """Read it, None also where this login may not."""
    try:
        return read_job_step(session, agent)
    except PermissionDenied:
        return None


def job_step_of(rows: "tuple[Row, ...] | list[Row]") -> JobStep:
    """Return the tokens of the rows of `job_step_tokens`."""
    found = {row.text("parameter_name"): row for row in rows}
    profile = found.get("-ProfileName")
    return JobStep(
        values=_values(found),
        has_profile=profile is not None,
        profile="" if profile is None else profile.text("value"),
        has_definition_file="-DefinitionFile" in found,
        is_continuous="-Continuous" in found,
        repeated=tuple(name.removeprefix("-") for name, row in found.items() if name and row.whole("occurrences") > 1),
        unclear=tuple(
            name.removeprefix("-")
            for name, row in found.items()
            if name in _NUMERIC and (row.whole("is_quoted") == 1 or not _NUMBER.fullmatch(row.text("value")))
        ),
        unknown=found[""].whole("occurrences") if "" in found else 0,
    )


def _values(found: Mapping[str, Row]) -> dict[str, str]:
    """Return the numbers by the name of their switch, and the errors a step skips, whatever their form."""
    told = {name: row.text("value") for name, row in found.items() if name and name not in _OTHERS}
    values = {name: value if _NUMBER.fullmatch(value) else NOT_READ for name, value in told.items() if name in _NUMERIC}
    if _SKIPPED in told:
        values[_SKIPPED] = told[_SKIPPED] or NOT_READ
    return values
