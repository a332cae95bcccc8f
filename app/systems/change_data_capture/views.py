"""Change Data Capture as the window and the command line show it: the SystemViews port."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.setting import EMPTY_SETTING, Parameter
from app.domain.view import TableContent
from app.domain.work_source import SOURCE, WorkSource
from app.flows.suggested import Suggestion
from app.flows.system_views import Content, SystemViews, watched_content, watched_page
from app.flows.target.observed_parts import cost_lines, finding_lines, limit_lines, unread_lines
from app.foundation.durations import duration
from app.foundation.texts import _
from app.model.shown import table_of
from app.reporting.render.terminal import table_lines
from app.reporting.tables.servers import servers_table
from app.services.plan.dry_run import DryRun
from app.systems.change_data_capture.observing import CaptureObservation, ObservedCapture
from app.systems.change_data_capture.picture import captures_picture, database_at
from app.systems.change_data_capture.readings import CapturedDatabase, CaptureJob, CaptureTopology
from app.systems.change_data_capture.scans import Limit
from app.systems.change_data_capture.subjects import DATABASE, MAXSCANS, MAXTRANS, POLLING
from app.systems.change_data_capture.system import SYSTEM


def databases_table(topology: CaptureTopology) -> TableContent:
    """Return the databases whose changes are captured or streamed."""
    return table_of(CapturedDatabase, topology.databases, lambda one: one.name)


def jobs_table(topology: CaptureTopology) -> TableContent:
    """Return the capture job of each database at each replica, with its values."""
    return table_of(CaptureJob, topology.jobs, lambda job: f"{job.server}/{job.database}")


def capture_lines(observation: CaptureObservation, *, with_tables: bool = True) -> list[str]:
    """Return the observations as lines.

    Args:
        with_tables: limits, jobs and costs, too, which window and report show as tables of their own.
    """
    words = _("{target}, log scans watched for {seconds:g} s")
    lines = [words.format(target=observation.target, seconds=observation.watch_s)]
    for seen in observation.databases:
        lines += ["", *_seen_lines(seen)]
    for database in observation.topology.databases:
        lines += _differing_lines(observation.topology, database)
    if with_tables:
        lines += ["", *table_lines(table_of(ObservedCapture, observation.databases, lambda seen: seen.database))]
        lines += ["", *table_lines(jobs_table(observation.topology))]
    lines += [*finding_lines(observation.findings, observation.unread), *limit_lines(observation.limits)]
    costs = cost_lines(observation.costs) if with_tables else []
    return [*lines, *costs, *unread_lines(observation.unread)]


def _seen_lines(seen: ObservedCapture) -> list[str]:
    lines = [f"{seen.database}: {seen.limit_text}."]
    if seen.latency_s is not None:
        words = _("  On average a change is captured {time} after its commit (the newest {scans} scans).")
        lines.append(words.format(time=duration(seen.latency_s), scans=seen.scans))
    if seen.scan_share is not None and seen.full_share is not None:
        words = _("  The job scans {scanning:.0%} of the time; maxtrans cuts {full:.0%} of its scans short.")
        lines.append(words.format(scanning=seen.scan_share, full=seen.full_share))
    if seen.log_reuse_wait:
        lines.append(_("  Log reuse waits for {what}.").format(what=seen.log_reuse_wait))
    if seen.newest_error:
        lines.append(_("  Newest error of the log scan: {text}.").format(text=seen.newest_error.rstrip(".")))
    if seen.programs:
        told = ", ".join(f"{one.program or _('without a name')} ({one.connections})" for one in seen.programs)
        lines.append(_("  Programs connected to it, its readers among them: {programs}.").format(programs=told))
    return lines


def _differing_lines(topology: CaptureTopology, database: CapturedDatabase) -> list[str]:
    words = _("{database}: its job has other values at {server} than here; they count after a failover.")
    return [words.format(database=database.name, server=job.server) for job in topology.differing(database.name)]


class CaptureViews(SystemViews):
    """The views of one instance with captured databases."""

    system = SYSTEM
    look_lines = staticmethod(capture_lines)
    picture = staticmethod(captures_picture)
    json_key = "captures"
    pages = (watched_page(_("&Captures")),)
    entry = _("Instance")
    opened_at = _("For Change Data Capture: the instance that holds the captured database.")
    observing = _("Of Change Data Capture it watches for a while how the capture jobs read the log.")

    def not_asked(self, topology: CaptureTopology) -> tuple[str, ...]:
        """Return one sentence for each replica that could not be asked."""
        return tuple(
            _("{server} did not answer: {why}").format(server=server, why=why) for server, why in topology.unreachable
        )

    def discovered_lines(self, topology: CaptureTopology) -> list[str]:
        """Return server, databases, and the job of each at every replica."""
        lines = [_("Servers:"), *table_lines(servers_table(topology.servers))]
        lines += ["", _("Databases:"), *table_lines(databases_table(topology))]
        lines += ["", _("Capture jobs, each in the msdb of its server:"), *table_lines(jobs_table(topology))]
        for database in topology.databases:
            lines += _differing_lines(topology, database)
            if database.streams:
                words = _("{database} is read by {streams}, too, which is observed only.")
                lines.append(words.format(database=database.name, streams=" + ".join(database.streams)))
        return [*lines, *(f"  {server}: {why}" for server, why in topology.unreachable)]

    def subject_of(self, topology: CaptureTopology, key: str) -> Mapping[str, str]:
        """Return the captured database a box stands for."""
        name = database_at(topology, key)
        return {DATABASE.name: name} if name else {}

    def look_content(self, observation: CaptureObservation) -> Mapping[str, Content]:
        """Return the databases with their limits, and all observations."""
        table = table_of(ObservedCapture, observation.databases, lambda seen: seen.database)
        return watched_content(table, capture_lines(observation, with_tables=False))

    def suggestions(
        self,
        _discovered: CaptureTopology,
        observation: CaptureObservation,
        families: Mapping[str, ExperimentFamily],
        _sites: Mapping[tuple[str, str], Site],
    ) -> Sequence[Suggestion]:
        """Return an experiment over the value that is the limit, for each database."""
        if "cdc_capture" not in families:
            return ()
        tuned = [seen for seen in observation.databases if seen.state == "running"]
        return [_suggestion(families["cdc_capture"], seen) for seen in tuned]

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return the effect of a run at the instance."""
        return _(
            "No data is written for a trial, and an extended property marks the database until all is undone. The "
            "capture job is stopped and started, so that changes are captured "
            "later, and the log holds them meanwhile; each of {n} changes is undone and checked."
        ).format(n=len(dry.changes))


def _suggestion(family: ExperimentFamily, seen: ObservedCapture) -> Suggestion:
    varied: tuple[Parameter, WorkSource] = {
        Limit.MAXTRANS: (MAXTRANS, WorkSource.OWN_BACKLOG),
        Limit.MAXSCANS: (MAXSCANS, WorkSource.HELD),
    }.get(seen.limit, (POLLING, WorkSource.OWN_TRAFFIC))
    parameter, source = varied
    plan = family.plan_over(parameter)
    made = replace(
        plan,
        baseline=EMPTY_SETTING,
        load=plan.load.but(**{DATABASE.name: seen.database, SOURCE: str(source)}),
        limits=plan.limits.but(data_age_s=300.0) if source is WorkSource.HELD else plan.limits,
    )
    return Suggestion(
        plan=made,
        title=_("{parameter} of the capture job").format(parameter=parameter.name),
        about=seen.database,
        because=f"{seen.limit_text[0].upper()}{seen.limit_text[1:]}.",
        expected=None,
        is_limiting=seen.limit in (Limit.MAXTRANS, Limit.MAXSCANS),
    )


VIEWS: Final = CaptureViews()
