"""Recommended trace flags of availability groups: which servers, and the statements that set and clear them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, ScriptWriter
from app.domain.session import Environment, SessionRecord
from app.drivers.sqlserver.executor import given
from app.drivers.sqlserver.scripts import (
    batch_files,
    came_to_its_end,
    how_to_run,
    literal,
    only_for_target,
    stop,
    unless_check_only,
    whole_script,
    with_values,
)
from app.foundation.script_text import comment
from app.foundation.texts import _
from app.systems.availability_groups.server.trace_flags import DECLARED
from app.systems.availability_groups.site import kept_groups

COMPRESSION: Final = "log_stream_compression"
_COMPRESS_SYNCHRONOUS: Final = 9592
_ANY: Final = _("Write the name of the server for ? in the line below, as SERVERPROPERTY('ServerName') shows it.")
_CONDITION: Final = _("Only if the workload resembles the shapes that gained.")


@dataclass(frozen=True)
class GroupChange:
    """One trace flag to be set at one server; `server` is "" where it is unknown.

    Attributes:
        was_on: it was set when the session began.
    """

    recommendation: Recommendation
    target: str
    server: str
    flag: int
    was_on: bool


def plan_group_changes(recommendations: Sequence[Recommendation], session: SessionRecord) -> tuple[GroupChange, ...]:
    """Return the flags to set at every replica, because each may become primary; each server once."""
    made: dict[tuple[str, str], GroupChange] = {}
    for recommendation in sorted(recommendations, key=lambda one: one.finding.priority):
        for environment, server in _servers(recommendation.finding, session):
            key = (environment.target if environment else "", server)
            read = kept_groups(environment) if environment else None
            flags = read.trace_flags if read else ()
            was_on = (server, _COMPRESS_SYNCHRONOUS) in flags
            made.setdefault(key, GroupChange(recommendation, key[0], server, _COMPRESS_SYNCHRONOUS, was_on))
    return tuple(made.values())


class GroupScripts(ScriptWriter):
    """Writes one batch for each server; on another server than its own it ends with an error and changes nothing."""

    def files(self) -> ScriptFiles:
        """Return the files every hand-over has, run by sqlcmd."""
        return batch_files()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a recommendation is carried out by a trace flag of availability groups."""
        return finding.parameter == COMPRESSION and finding.to_value == "on"

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return the replicas that get a trace flag."""
        return {
            one.finding: tuple(dict.fromkeys(change.server for change in plan_group_changes([one], session)))
            for one in every
        }

    def write(
        self,
        chosen: Recommendation,
        _every: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return a batch for each target that has the server."""
        changes = [change for change in plan_group_changes([chosen], session) if change.server == files.server]
        targets = tuple(change.target for change in changes)
        has_choice = len(_targets_with(files.server, session)) > 1
        where = _(
            "Run it at the server it names, as sysadmin: the flag acts on every availability group of the instance."
        )
        ahead, behind = whole_script(len(changes), targets if has_choice else ())
        template = () if files.server else (f'{comment(_ANY)}\n:setvar Server "?"\n',)
        return ScriptPart(
            blocks=tuple(
                _batch(number, change, is_rollback=is_rollback, is_chosen=has_choice)
                for number, change in enumerate(changes, start=1)
            ),
            where=(how_to_run(files.rollback if is_rollback else files.apply, files.server), where),
            preamble=(*ahead, *template),
            ending=behind,
            checks=(_("Every batch may be run twice."), _("It stops on any server but its own.")),
        )


def _batch(number: int, change: GroupChange, *, is_rollback: bool, is_chosen: bool) -> str:
    where = change.server or _("every replica of the group")
    set_on = _("trace flag {flag} on").format(flag=change.flag)
    title = _("undo of {change}").format(change=set_on) if is_rollback else set_on
    lines = [comment(f"{number}. {where}: {title}")]
    if is_chosen:
        lines.append(only_for_target(number, change.target).rstrip())
    lines.append(_guard(change.server))
    if is_rollback and change.was_on:
        kept = _("Trace flag {flag} was set before: it stays.").format(flag=change.flag)
        return "\n".join([*lines, f"PRINT {literal(kept)};", came_to_its_end(number) + "GO"])
    [call] = DECLARED.written({"server": change.server, "flag": change.flag}, not is_rollback)
    checked = _("Checked only: this is the right server, and the flag is as shown above; nothing was changed.")
    text = (
        _("Remove -T{flag} from the start-up parameters of the service as well (SQL Server Configuration Manager).")
        if is_rollback
        else _(
            "This holds until the next restart. To make it permanent, add -T{flag} to the start-up "
            "parameters of the service (SQL Server Configuration Manager) at every replica."
        )
    )
    said = [comment(text.format(flag=change.flag)), *([] if is_rollback else [comment(_CONDITION)])]
    acting = [
        _status(change.flag),
        unless_check_only(checked, number).rstrip(),
        with_values(call.statement, given(call)).strip(),
        _status(change.flag),
        came_to_its_end(number) + "GO",
    ]
    return "\n".join([lines[0], *said, *lines[1:], *acting])


def _status(flag: int) -> str:
    """Return the statement that shows whether a trace flag is set, before and after."""
    return f"DBCC TRACESTATUS ({flag}, -1) WITH NO_INFOMSGS;"


def _guard(server: str) -> str:
    name = literal(server) if server else "N'$(Server)'"
    message = _("this is not {name}: nothing was changed by this batch").format(name=server or "the server chosen")
    return f"IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> {name}\n    {stop(message)}"


def _targets_with(server: str, session: SessionRecord) -> list[str]:
    """Return the targets measured that have a replica of this name; names may be the same at several."""
    read = ((environment.target, kept_groups(environment)) for environment in session.environments)
    return [
        target
        for target, found in read
        if found and any(replica.server == server for group in found.groups for replica in group.replicas)
    ]


def _servers(finding: Finding, session: SessionRecord) -> list[tuple[Environment | None, str]]:
    """Return every replica of the groups the finding's trials ran in; one unknown server where none is known."""
    servers: list[tuple[Environment | None, str]] = []
    for run in session.runs_behind(finding):
        for environment in session.environments:
            read = kept_groups(environment)
            if environment.target != run.target or read is None:
                continue
            named = {str(run.plan.load.get(key, "")) for key in ("database", "sync_database")} - {""}
            for group in read.groups:
                if named & set(group.database_names()):
                    servers += [(environment, r.server) for r in group.replicas if not r.left_alone]
    return list(dict.fromkeys(servers, None)) or [(None, "")]
