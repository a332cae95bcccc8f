"""Change Data Capture in reports and scripts: the SystemParts port."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.decision import ChangeEffort, Level, Prerequisite
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, ScriptWriter
from app.domain.session import SessionRecord
from app.domain.setting import Setting
from app.domain.work_source import WorkSource
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.executor import given
from app.drivers.sqlserver.scripts import (
    batch_files,
    came_to_its_end,
    how_to_run,
    identifier,
    is_server,
    literal,
    look_part,
    only_at_server,
    rows_of,
    stop,
    unless_check_only,
    whole_script,
    with_values,
)
from app.foundation.script_text import comment
from app.foundation.texts import _
from app.reporting.blocks import Block, Heading, Paragraph
from app.reporting.printed import printed
from app.reporting.system_parts import ConditionWords, SystemParts
from app.reporting.tables.servers import servers_table
from app.systems.change_data_capture.changes import VALUES_DECLARED, with_setting
from app.systems.change_data_capture.readings import CaptureJob, CaptureTopology
from app.systems.change_data_capture.subjects import DATABASE, PARAMETERS, POLLING, WORK_CONDITION
from app.systems.change_data_capture.system import SYSTEM
from app.systems.change_data_capture.views import databases_table, jobs_table

_NAMES: Final = frozenset(parameter.name for parameter in PARAMETERS)


class CaptureScripts(ScriptWriter):
    """Writes a batch for each job that was measured, at every replica: each has values of its own in its msdb."""

    def files(self) -> ScriptFiles:
        """Return the files every hand-over has, run by sqlcmd."""
        return batch_files().with_looks()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding is about one of the three values."""
        return finding.parameter in _NAMES

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values of a parameter that were in effect, each once."""
        found = (
            p.value for job in jobs_behind(finding, session) for p in job.parameters if p.name == finding.parameter
        )
        return tuple(dict.fromkeys(found))

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return the servers with a job of a database that was measured."""
        found = {
            one.finding: tuple(dict.fromkeys(job.server for job in jobs_behind(one.finding, session))) for one in every
        }
        return {finding: servers for finding, servers in found.items() if servers}

    def write(
        self,
        chosen: Sequence[Recommendation],
        every: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return the batches for one server; all values of a job go in one call."""
        setting = Setting.from_mapping({one.finding.parameter: int(one.new) for one in chosen})
        jobs = [j for j in jobs_behind(chosen[0].finding, session) if j.server == files.server and j.values is not None]
        ahead, behind = whole_script(len(jobs))
        return ScriptPart(
            tuple(_batch(n, job, setting, is_rollback=is_rollback) for n, job in enumerate(jobs, start=1)),
            where=(
                how_to_run(files.rollback if is_rollback else files.apply, files.server),
                *_after_a_failover(jobs, session),
            ),
            checks=(_("It stops on any server but its own."), _("Every batch may be run twice.")),
            preamble=ahead,
            ending=behind,
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
        """Return a batch for each job at one server, and one with its newest sessions where its log is scanned."""
        setting = Setting.from_mapping({one.finding.parameter: int(one.new) for one in chosen})
        jobs = [j for j in jobs_behind(chosen[0].finding, session) if j.server == files.server and j.values is not None]
        guard = _stop_elsewhere(files.server)
        batches = [_look(job, guard, setting, is_after=is_after) for job in jobs]
        batches += [_newest_sessions(job, guard) for job in jobs if job.is_running]
        return look_part(files.verify if is_after else files.before, files.server, guard, batches, expected)


def jobs_behind(finding: Finding, session: SessionRecord) -> list[CaptureJob]:
    """Return the jobs, at every replica, of the databases that a finding's trials measured."""
    found: dict[tuple[str, str], CaptureJob] = {}
    for run in session.runs_behind(finding):
        for environment in session.environments:
            topology = SYSTEM.kept(environment) if environment.target == run.target else None
            for job in () if topology is None else topology.jobs:
                if job.database == run.plan.load.get(DATABASE.name):
                    found[job.server, job.database] = job
    return list(found.values())


def _after_a_failover(jobs: Sequence[CaptureJob], session: SessionRecord) -> tuple[str, ...]:
    """Return when a script can run whose databases are secondary copies at its server: nobody may write to one, and
    one that is not readable lets nobody in (error 976)."""
    topologies = [found for found in map(SYSTEM.kept, session.environments) if found is not None]
    secondary = sorted({j.database for j in jobs if any(found.is_secondary(j) for found in topologies)})
    if not secondary:
        return ()
    return (
        _(
            "Run it after a failover to {server}, once it has the primary copy of {databases}: a secondary copy that "
            "is not readable lets nobody in, and the script would stop there with error 976 and change nothing."
        ).format(server=jobs[0].server, databases=", ".join(secondary)),
    )


def _batch(number: int, job: CaptureJob, setting: Setting, *, is_rollback: bool) -> str:
    assert job.values is not None
    value = with_setting(job.values, Setting.from_mapping({}) if is_rollback else setting)
    [call] = VALUES_DECLARED.written({"server": job.server, "database": job.database}, value)
    title = f"{number}. {job.server}, {job.database}: {', '.join(f'{name} {v}' for name, v in setting.items())}"
    checked = _("Checked only: this is the right server; nothing was changed.")
    gone = _("{server} has no capture job for {database} any more").format(server=job.server, database=job.database)
    return "\n".join(
        (
            comment(_("{title} (taken back)").format(title=title) if is_rollback else title),
            f"USE {identifier(job.database)};\nGO",
            only_at_server(job.server).rstrip(),
            unless_check_only(checked, number).rstrip(),
            with_values(call.statement, given(call)).strip(),
            f"IF @is_expected = 0\n    {stop(gone)}",
            comment(_("Values count from the next start of the job: it is restarted where it runs.")),
            f"IF {_running()}\nBEGIN\n{_body('stop_capture_job')}\n{_body('start_capture_job')}\nEND;",
            came_to_its_end(number) + "GO",
        )
    )


def _stop_elsewhere(server: str) -> str:
    message = _("this is not {name}: nothing was changed by this batch").format(name=server)
    return f"IF NOT {is_server(server)}\n    {stop(message)}\n"


def _look(job: CaptureJob, guard: str, wanted: Setting, *, is_after: bool) -> str:
    """Return a batch that shows the values of a job, and stops afterwards where those wanted are others."""
    values = {one.name: one.value for one in job.parameters if one.name in wanted}
    told = ", ".join(f"{name} {value}" for name, value in (wanted if is_after else values).items())
    of_job = f"jobs.database_name = {literal(job.database)}"
    shown = (
        "SELECT jobs.database_name, jobs.job_name, jobs.is_enabled, jobs.is_running, jobs.maxtrans, jobs.maxscans,\n"
        "       jobs.is_continuous, jobs.pollinginterval_s\n"
        f"FROM @jobs AS jobs\nWHERE {of_job};\n"
    )
    column = {parameter.name: parameter.name for parameter in PARAMETERS} | {POLLING.name: "pollinginterval_s"}
    asked = "".join(f" AND jobs.{column[name]} = {value}" for name, value in wanted.items())
    reads = _("{name} reads differently than it was set").format(name=", ".join(wanted))
    unless = f"IF NOT EXISTS (SELECT 1 FROM @jobs AS jobs WHERE {of_job}{asked})\n    {stop(reads)}\n"
    title = comment(f"{job.server}, {job.database}: {told}")
    return f"{title}\n{guard}{rows_of('capture_jobs', {}, '@jobs')}{shown}{unless if is_after else ''}GO"


def _newest_sessions(job: CaptureJob, guard: str) -> str:
    """Return batches that read what the job did last; at a replica that is not readable its database lets nobody in."""
    title = comment(_("The newest sessions of the log scan, with the latency of each"))
    read = with_values("capture_sessions", {"after_session": 0}).strip()
    return f"USE {identifier(job.database)};\nGO\n{title}\n{guard}{read}\nGO"


def _body(statement: str) -> str:
    """Return a statement as a part of a batch."""
    return textwrap.indent(catalogue()[statement].body.strip().removeprefix("SET NOCOUNT ON;\n"), "    ")


def _running() -> str:
    """Return the condition that the job runs, as the statement that starts it asks."""
    return _body("start_capture_job").partition("IF NOT ")[2].partition("\n        EXEC")[0]


class CaptureParts(SystemParts):
    """Capture jobs in a hand-over."""

    system = SYSTEM
    conditions = (
        ConditionWords(
            WORK_CONDITION,
            "{value}",
            short="{value}",
            values={
                str(WorkSource.OWN_BACKLOG): _("the log that waited"),
                str(WorkSource.HELD): _("a backlog that was let gather"),
                str(WorkSource.OWN_TRAFFIC): _("the traffic as it was"),
            },
        ),
    )
    order_of_trials = _(
        "Settings are run in an order drawn anew; the capture job stands while single scans are made, and confirming "
        "trials run the job itself."
    )
    writer = CaptureScripts()

    def change_effort(self, finding: Finding, session: SessionRecord) -> ChangeEffort:
        """Return effort, interruption, check and levels of a change of the job's values."""
        jobs = jobs_behind(finding, session)
        return ChangeEffort(
            places=tuple(f"{job.server} ({job.database})" for job in jobs),
            effort=_("1 setting of the capture job, at each replica by itself"),
            interruption=_("The job is restarted: changes are captured some seconds later, and none is lost."),
            check=_("sys.sp_cdc_help_jobs shows the value; the latency of new sessions falls."),
            effort_level=Level.LOW,
            risk_level=Level.LOW,
            prerequisites=(
                Prerequisite(
                    _("Whoever reads the change tables looks at an interval of their own, which comes on top."),
                    step=_("Ask the readers of the change tables how often they look"),
                    seen=_("Their interval is known"),
                ),
            ),
        )

    def found_blocks(self, topology: CaptureTopology, _varied: frozenset[str], /) -> list[Block]:
        """Return server, databases, and jobs."""
        blocks: list[Block] = [Heading(_("Servers"), minor=True), printed(servers_table(topology.servers))]
        blocks += [Heading(_("Captured databases"), minor=True), printed(databases_table(topology))]
        blocks += [Heading(_("Capture jobs"), minor=True), printed(jobs_table(topology))]
        for server, why in topology.unreachable:
            blocks.append(Paragraph(_("{server} could not be asked: {why}.").format(server=server, why=why)))
        return blocks


HAND_OVER: Final = CaptureParts()
