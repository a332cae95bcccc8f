"""Recommended trace flags of availability groups: which servers, and the statements that set and clear them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.finding import Finding
from app.domain.session import Environment, SessionRecord
from app.foundation.texts import _
from app.reporting.document.wording import change_of, is_change
from app.systems.availability_groups.site import kept_groups
from app.systems.transactional_replication.hand_over import tsql

COMPRESSION: Final = "log_stream_compression"
_COMPRESS_SYNCHRONOUS: Final = 9592


@dataclass(frozen=True)
class GroupChange:
    """One trace flag to be set at one server; `server` is "" where it is unknown.

    Attributes:
        was_on: it was set when the session began.
    """

    finding: Finding
    target: str
    server: str
    flag: int
    was_on: bool


def is_group_change(finding: Finding) -> bool:
    """Tell whether a recommendation is carried out by a trace flag of availability groups."""
    return is_change(finding) and finding.parameter == COMPRESSION and finding.to_value == "on"


def plan_group_changes(findings: Sequence[Finding], session: SessionRecord) -> tuple[GroupChange, ...]:
    """Return what is to be set where: at every replica, because each may become primary; each server once."""
    made: dict[tuple[str, str], GroupChange] = {}
    for finding in sorted(findings, key=lambda f: f.priority):
        if not is_group_change(finding):
            continue
        for environment, server in _servers(finding, session):
            key = (environment.target if environment else "", server)
            topology = kept_groups(environment) if environment else None
            flags = () if topology is None else topology.trace_flags
            was_on = (server, _COMPRESS_SYNCHRONOUS) in flags
            made.setdefault(key, GroupChange(finding, key[0], server, _COMPRESS_SYNCHRONOUS, was_on))
    return tuple(made.values())


def core_of(change: GroupChange) -> tuple[str, str]:
    """Return the statements at the heart of both scripts, without guards."""
    return (
        f"DBCC TRACEON ({change.flag}, -1);\n" + _("-- and -T{flag} as a start-up parameter").format(flag=change.flag),
        f"DBCC TRACEOFF ({change.flag}, -1);\n" + _("-- and -T{flag} taken out again").format(flag=change.flag),
    )


def places_to_run(switched: Sequence[GroupChange], *, has_agents: bool) -> list[str]:
    """Return where the batches of a script are to be run, one sentence for each kind of them."""
    sentences = []
    if has_agents:
        sentences.append(
            _("Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.")
        )
    if switched:
        sentences.append(
            _(
                "Run each batch with a trace flag at the server it names, as sysadmin: the flag acts on every "
                "availability group of the instance."
            )
        )
    return sentences


def group_script(changes: Sequence[GroupChange], first: int, *, is_rollback: bool) -> list[str]:
    """Return one batch for each server, numbered from `first` on; the last first where it is a rollback.

    A batch on another server than its own ends with an error and changes nothing, so the batches of several servers
    may be run as one script at each of them.
    """
    batches = [_batch(number, change, is_rollback) for number, change in enumerate(changes, start=first)]
    return batches[::-1] if is_rollback else batches


def _batch(number: int, change: GroupChange, is_rollback: bool) -> str:
    where = change.server or _("every replica of the group")
    lines = [tsql.comment(f"{number}. {where}: {change_of(change.finding)}")]
    if change.server:
        lines.append(_guard(change.server))
    if is_rollback and change.was_on:
        lines.append(tsql.comment(_("Trace flag {flag} was set before: it stays.").format(flag=change.flag)))
        return "\n".join([*lines, "GO"])
    word = "TRACEOFF" if is_rollback else "TRACEON"
    lines.append(f"DBCC {word} ({change.flag}, -1);")
    text = (
        _("Take -T{flag} out of the start-up parameters of the service as well (SQL Server Configuration Manager).")
        if is_rollback
        else _(
            "This holds until the next restart. For good: -T{flag} among the start-up parameters of the service (SQL "
            "Server Configuration Manager), at every replica."
        )
    )
    return "\n".join([*lines, tsql.comment(text.format(flag=change.flag)), "GO"])


def _guard(server: str) -> str:
    message = _("this is not {name}: nothing was changed by this batch").format(name=server)
    return (
        f"IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> {tsql.literal(server)}\n"
        f"    THROW 50000, {tsql.literal(message)}, 1;"
    )


def _servers(finding: Finding, session: SessionRecord) -> list[tuple[Environment | None, str]]:
    """Return every replica of the groups the finding's trials ran in; one unknown server where none is known."""
    evidence = set(finding.evidence)
    runs = [run for run in session.runs if run.plan.family == finding.family]
    behind = [run for run in runs if evidence & {trial.trial_id for trial in run.trials}] or runs
    found: list[tuple[Environment | None, str]] = []
    for run in behind:
        for environment in session.environments:
            topology = kept_groups(environment)
            if environment.target != run.target or topology is None:
                continue
            named = {str(run.plan.load.get(key, "")) for key in ("database", "sync_database")} - {""}
            for group in topology.groups:
                if named & set(group.database_names()):
                    found += [(environment, replica.server) for replica in group.replicas]
    return list(dict.fromkeys(found, None)) or [(None, "")]
