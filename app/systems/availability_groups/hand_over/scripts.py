"""Recommended trace flags of availability groups: which servers, and the statements that set and clear them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, common_files
from app.domain.session import Environment, SessionRecord
from app.drivers.sqlserver.hands import given
from app.drivers.sqlserver.scripts import (
    literal,
    message_literal,
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
_CONDITION: Final = _(
    "Only if the workload resembles the shapes that gained: remove the two dashes at the start of "
    "each line below, up to GO."
)


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
    """Return what is to be set where: at every replica, because each may become primary; each server once."""
    made: dict[tuple[str, str], GroupChange] = {}
    for recommendation in sorted(recommendations, key=lambda one: one.finding.priority):
        for environment, server in _servers(recommendation.finding, session):
            key = (environment.target if environment else "", server)
            read = kept_groups(environment) if environment else None
            flags = read.trace_flags if read else ()
            was_on = (server, _COMPRESS_SYNCHRONOUS) in flags
            made.setdefault(key, GroupChange(recommendation, key[0], server, _COMPRESS_SYNCHRONOUS, was_on))
    return tuple(made.values())


class GroupScripts:
    """Writes one batch for each server; on another server than its own it ends with an error and changes nothing."""

    def files(self) -> ScriptFiles:
        """Return the files every hand-over has."""
        return common_files()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a recommendation is carried out by a trace flag of availability groups."""
        return finding.parameter == COMPRESSION and finding.to_value == "on"

    def values_in_effect(self, _finding: Finding, _session: SessionRecord) -> tuple[str, ...]:
        """Return nothing: what was in effect of compression is part of what was measured."""
        return ()

    def servers(self, recommendations: Sequence[Recommendation], session: SessionRecord) -> tuple[str, ...]:
        """Return the replicas that get a trace flag."""
        return tuple(dict.fromkeys(change.server for change in plan_group_changes(recommendations, session)))

    def write(
        self,
        recommendations: Sequence[Recommendation],
        session: SessionRecord,
        first: int,
        *,
        is_rollback: bool,
        server: str,
    ) -> ScriptPart | None:
        """Return a batch for each server, in reverse order where it is a rollback."""
        planned = plan_group_changes(recommendations, session)
        changes = [change for change in planned if change.server == server]
        if not changes:
            return None
        batches = tuple(_batch(number, change, is_rollback) for number, change in enumerate(changes, start=first))
        is_placed = all(change.server for change in changes)
        where = _(
            "Run each batch with a trace flag at the server it names, as sysadmin: the flag acts on every "
            "availability group of the instance."
        )
        files = self.files().at(server)
        how, ahead, behind = whole_script(files.rollback if is_rollback else files.apply)
        return ScriptPart(
            blocks=batches[::-1] if is_rollback else batches,
            count=len(batches),
            where=(how, where),
            preamble=ahead,
            ending=behind,
            common_checks=(
                _("Every batch may be run twice."),
                *((_("It stops on any server but its own."),) if is_placed else ()),
            ),
        )


def _batch(number: int, change: GroupChange, is_rollback: bool) -> str:
    where = change.server or _("every replica of the group")
    set_on = _("trace flag {flag} on").format(flag=change.flag)
    title = _("undo of {change}").format(change=set_on) if is_rollback else set_on
    lines = [comment(f"{number}. {where}: {title}")]
    if change.server:
        lines.append(_guard(change.server))
    if is_rollback and change.was_on:
        lines.append(comment(_("Trace flag {flag} was set before: it stays.").format(flag=change.flag)))
        return "\n".join([*lines, "GO"])
    [call] = DECLARED.written({"server": change.server, "flag": change.flag}, not is_rollback)
    checked = _("Checked only: this is the right server, and the flag is as shown above; nothing was changed.")
    acting = [
        *lines[1:],
        _status(change.flag),
        unless_check_only(checked).rstrip(),
        with_values(call.statement, given(call)).strip(),
        _status(change.flag),
    ]
    text = (
        _("Remove -T{flag} from the start-up parameters of the service as well (SQL Server Configuration Manager).")
        if is_rollback
        else _(
            "This holds until the next restart. To make it permanent, add -T{flag} to the start-up "
            "parameters of the service (SQL Server Configuration Manager) at every replica."
        )
    )
    lines = [lines[0], comment(text.format(flag=change.flag))]
    # The advice holds for some workloads only: whoever reads it decides, and an unread script changes nothing.
    said = _("Batch {number} is done only where the two dashes before each of its lines were taken away.")
    told = f"PRINT {message_literal(said.format(number=number))};"
    lines += acting if is_rollback else [comment(_CONDITION), *_commented(acting), told]
    return "\n".join([*lines, "GO"])


def _status(flag: int) -> str:
    """Return the statement that shows whether a trace flag is set, before and after."""
    return f"DBCC TRACESTATUS ({flag}, -1) WITH NO_INFOMSGS;"


def _commented(parts: Sequence[str]) -> list[str]:
    return [f"-- {line}".rstrip() for part in parts for line in part.splitlines()]


def _guard(server: str) -> str:
    message = _("this is not {name}: nothing was changed by this batch").format(name=server)
    return (
        f"IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> {literal(server)}\n"
        f"    THROW 50000, {message_literal(message)}, 1;"
    )


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
                    servers += [(environment, replica.server) for replica in group.replicas]
    return list(dict.fromkeys(servers, None)) or [(None, "")]
