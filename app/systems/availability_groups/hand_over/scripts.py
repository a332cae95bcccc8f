"""Recommended settings of availability groups, a trace flag or a server option: which servers, and the statements that
set and put them back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.declared_change import Call, Details
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, ScriptWriter
from app.domain.session import Environment, SessionRecord
from app.drivers.sqlserver.executor import At, given
from app.drivers.sqlserver.scripts import (
    batch_files,
    came_to_its_end,
    how_to_run,
    literal,
    look_part,
    only_for_target,
    stop,
    unless_check_only,
    whole_script,
    with_values,
)
from app.foundation.script_text import comment
from app.foundation.texts import _
from app.systems.availability_groups.commit_steps import COMPRESS_SYNCHRONOUS
from app.systems.availability_groups.groups import COMMIT_TIME, GroupTopology
from app.systems.availability_groups.server.options import DECLARED as OPTION_DECLARED
from app.systems.availability_groups.server.trace_flags import DECLARED as FLAG_DECLARED
from app.systems.availability_groups.site import kept_groups

COMPRESSION: Final = "log_stream_compression"
GROUP_COMMIT_TIME: Final = "group_commit_time"
_ON, _OFF = "on", "off"
_ANY: Final = _(
    "Write the name of the server instead of ? in the line below, as SERVERPROPERTY('ServerName') shows it."
)
_CONDITION: Final = _("Only if the workload resembles the shapes that gained.")


@dataclass(frozen=True)
class GroupChange:
    """One setting to be made at one server; `server` is "" where it is unknown.

    Attributes:
        original, new: values before and after.
        call: statement with the values that give it the one or the other.
        kept: said where the value was there before, and stays.
        said: what else a person does, for either.
        status: shows the value, before and after.
        look: the same for a script that only reads. is_other: condition behind it that the value is not the new one.
    """

    recommendation: Recommendation
    target: str
    server: str
    name: str
    original: str
    new: str
    call: Callable[[str], Call[At]]
    kept: str
    said: Mapping[str, Sequence[str]]
    status: str
    look: str
    is_other: str

    def title(self, value: str) -> str:
        """Return what the setting is given, for a person."""
        return f"{self.name} {value}"


def plan_group_changes(recommendations: Sequence[Recommendation], session: SessionRecord) -> tuple[GroupChange, ...]:
    """Return what to set at every replica, because each may become primary; each server once for a setting."""
    made: dict[tuple[str, str, str], GroupChange] = {}
    for recommendation in sorted(recommendations, key=lambda one: one.finding.priority):
        plan = _option_change if recommendation.finding.parameter == GROUP_COMMIT_TIME else _flag_change
        for environment, server in _servers(recommendation.finding, session):
            key = (environment.target if environment else "", server, recommendation.finding.parameter or "")
            read = kept_groups(environment) if environment else None
            made.setdefault(key, plan(recommendation, key[0], server, read))
    return tuple(made.values())


def _flag_change(recommendation: Recommendation, target: str, server: str, read: GroupTopology | None) -> GroupChange:
    was_on = (server, COMPRESS_SYNCHRONOUS) in (read.trace_flags if read else ())
    lasting = _(
        "This holds until the next restart. To make it permanent, add -T{flag} to the start-up "
        "parameters of the service (SQL Server Configuration Manager) at every replica."
    )
    gone = _("Remove -T{flag} from the start-up parameters of the service as well (SQL Server Configuration Manager).")
    details: Details = {"server": server, "flag": COMPRESS_SYNCHRONOUS}
    return GroupChange(
        recommendation,
        target,
        server,
        _("trace flag {flag}").format(flag=COMPRESS_SYNCHRONOUS),
        _ON if was_on else _OFF,
        _ON,
        lambda value: FLAG_DECLARED.written(details, value == _ON)[0],
        _("Trace flag {flag} was set before: it stays.").format(flag=COMPRESS_SYNCHRONOUS),
        {_ON: (lasting.format(flag=COMPRESS_SYNCHRONOUS), _CONDITION), _OFF: (gone.format(flag=COMPRESS_SYNCHRONOUS),)},
        f"DBCC TRACESTATUS ({COMPRESS_SYNCHRONOUS}, -1) WITH NO_INFOMSGS;",
        with_values("trace_flags", {}).strip(),
        "NOT EXISTS (SELECT 1 FROM @flags AS flags\n"
        f"               WHERE flags.flag = {COMPRESS_SYNCHRONOUS} AND flags.status = 1 AND flags.is_global = 1)",
    )


def _option_change(recommendation: Recommendation, target: str, server: str, read: GroupTopology | None) -> GroupChange:
    found = read.option(server, COMMIT_TIME) if read else None
    original = str(recommendation.finding.from_value) if found is None else str(found.value)
    status = f"SELECT name, value, value_in_use FROM sys.configurations WHERE name = {literal(COMMIT_TIME)};"
    details = {"server": server, "option": COMMIT_TIME}
    return GroupChange(
        recommendation,
        target,
        server,
        COMMIT_TIME,
        original,
        recommendation.new,
        lambda value: OPTION_DECLARED.written(details, int(value))[0],
        _("{option} was {value} before: it stays.").format(option=COMMIT_TIME, value=original),
        {},
        status,
        status,
        "NOT EXISTS (SELECT 1 FROM sys.configurations AS options\n"
        f"               WHERE options.name = {literal(COMMIT_TIME)} AND options.value_in_use = {recommendation.new})",
    )


class GroupScripts(ScriptWriter):
    """Writes one batch for each server; on another server than its own it ends with an error and changes nothing."""

    def files(self) -> ScriptFiles:
        """Return the files every hand-over has, run by sqlcmd."""
        return batch_files().with_looks()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a recommendation is carried out by a trace flag or a server option of availability groups."""
        return finding.parameter == GROUP_COMMIT_TIME or (finding.parameter == COMPRESSION and finding.to_value == "on")

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return the replicas that get a setting."""
        return {
            one.finding: tuple(dict.fromkeys(change.server for change in plan_group_changes([one], session)))
            for one in every
        }

    def write(
        self,
        chosen: Sequence[Recommendation],
        _every: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return a batch for each target that has the server."""
        changes = [change for change in plan_group_changes(chosen, session) if change.server == files.server]
        targets = tuple(change.target for change in changes)
        has_choice = len(_targets_with(files.server, session)) > 1
        where = _("Run it at the server it names, as sysadmin: it acts on every availability group of the instance.")
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

    def look(
        self,
        chosen: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        expected: Sequence[str],
        *,
        is_after: bool,
    ) -> ScriptPart:
        """Return a batch for each setting at a known server: its value, as a run reads it."""
        changes = [change for change in plan_group_changes(chosen, session) if change.server == files.server]
        guard = f"{_guard(files.server)}\n"
        batches = [_look(change, guard, is_after=is_after) for change in changes]
        return look_part(files.verify if is_after else files.before, files.server, guard, batches, expected)


def _look(change: GroupChange, guard: str, *, is_after: bool) -> str:
    """Return a batch that shows a value, and stops afterwards where it is another one that a query can compare."""
    title = comment(f"{change.server}: {change.title(change.new if is_after else change.original)}")
    unless = (
        f"IF {change.is_other}\n    {stop(_('{name} reads differently than it was set').format(name=change.name))}\n"
    )
    return f"{title}\n{guard}{change.look}\n{unless if is_after else ''}GO"


def _batch(number: int, change: GroupChange, *, is_rollback: bool, is_chosen: bool) -> str:
    where, made = change.server or _("every replica of the group"), change.title(change.new)
    title = _("undo of {change}").format(change=made) if is_rollback else made
    lines = [comment(f"{number}. {where}: {title}")]
    if is_chosen:
        lines.append(only_for_target(number, change.target).rstrip())
    lines.append(_guard(change.server))
    if is_rollback and change.original == change.new:
        return "\n".join([*lines, f"PRINT {literal(change.kept)};", came_to_its_end(number) + "GO"])
    value = change.original if is_rollback else change.new
    call = change.call(value)
    checked = _("Checked only: this is the right server, and the value is as shown above; nothing was changed.")
    acting = [
        change.status,
        unless_check_only(checked, number).rstrip(),
        with_values(call.statement, given(call)).strip(),
        change.status,
        came_to_its_end(number) + "GO",
    ]
    return "\n".join([lines[0], *map(comment, change.said.get(value, ())), *lines[1:], *acting])


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
