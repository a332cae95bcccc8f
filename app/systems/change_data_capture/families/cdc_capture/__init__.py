"""The family `cdc_capture`: how much the capture job reads at a time, and how long it waits in between."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.analysis.by_setting import by_setting_tables
from app.analysis.claim import Claim, claim_of
from app.analysis.compared_family import ComparedFamily
from app.analysis.figures import held_text, plot_id, sampled_line, used_trials
from app.analysis.measuring import as_measurement
from app.analysis.own_backlog import backlog_uncounted
from app.domain.condition import Condition
from app.domain.facts import FactValue
from app.domain.family import DemoRun, Evidence, ExperimentFamily, PreflightCheck
from app.domain.limits import DATA_AGE
from app.domain.measurement import Better, Measurement, Metric
from app.domain.metrics import THROUGHPUT
from app.domain.plan import Design, Plan, TrialSpec
from app.domain.plot import PlotSpec
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.table import ResultTable
from app.domain.work_source import WorkSource, work_source_of
from app.foundation.texts import _
from app.model.reading import measured
from app.systems.change_data_capture.readings import LIMITS, LOG_HELD, LOG_STREAM, LOG_USED, CaptureJob, CaptureSample
from app.systems.change_data_capture.rest import WaitForRest
from app.systems.change_data_capture.site import CaptureSite
from app.systems.change_data_capture.steps import HoldJob, SetValues, StartJob
from app.systems.change_data_capture.subjects import (
    CAPABILITIES,
    CAPTURE,
    DATABASE,
    LOAD,
    MAXSCANS,
    MAXTRANS,
    PARAMETERS,
    WINDOW,
    WORK,
    WORK_CONDITION,
)
from app.systems.change_data_capture.system import SYSTEM
from app.systems.change_data_capture.trial import CaptureSeen, MeasureCapture

LATENCY: Final = Metric(
    "capture_latency",
    "s",
    Better.LOWER,
    _("Time from commit to capture"),
    short=_("Latency"),
    called=("latency", "latenz"),
)
SCAN_TIME: Final = Metric("scan_time", "ms", Better.LOWER, _("Time of one scan"))
SCAN_SHARE: Final = Metric("scan_share", "share", Better.LOWER, _("Time spent scanning"))
FULL_SCANS: Final = Metric("full_scans", "share", Better.LOWER, _("Scans cut short by maxtrans"))
TRANSACTIONS: Final = Metric("transaction_rate", "transactions/s", Better.HIGHER, _("Transactions captured"))
CPU: Final = Metric("server_cpu", "share", Better.LOWER, _("Processor use of the server"))

_SWITCH_S: Final = 15.0


class CdcCapture(ComparedFamily[CaptureSeen, CaptureSite]):
    """The values of the capture job are varied; every method is pure."""

    family_id = "cdc_capture"
    position = 1
    title = _("Change Data Capture: how much the capture job reads at a time")
    question = _(
        "Which maxtrans, maxscans and pollinginterval capture changes soonest? It reads the client's own log with each "
        "setting in turn, by single scans or by the job itself, and writes no rows; a mark, an extended property, "
        "stands in the database during the run."
    )
    needs = frozenset(CAPABILITIES)
    system = SYSTEM
    subject = CAPTURE
    not_guided = _("scans follow each other within seconds and are what is measured; no DBA could keep pace")
    parameters = PARAMETERS
    conditions = (Condition(WORK_CONDITION, choices=WORK.choices),)
    load_title = _("Work to capture")
    load_fields = LOAD
    limit_fields = LIMITS
    metrics = (THROUGHPUT, LATENCY, TRANSACTIONS, SCAN_TIME, SCAN_SHARE, FULL_SCANS, CPU, LOG_HELD)
    main_metrics = (THROUGHPUT, LATENCY)
    backlog_uncounted = _("No view counts what waits in the log, so no end of the backlog is forecast.")

    def main_metric(self, plan: Plan) -> Metric:
        """Return throughput where a backlog waits, else latency: traffic shows no capacity."""
        return THROUGHPUT if work_source_of(plan.load).shows_capacity else LATENCY

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return scan by scan over a log that waits."""
        design = Design(blocks=2, seed=seed, most_pairs=3)
        return (DemoRun("lab:capture", self.plan_over(MAXTRANS, design=design)),)

    def preflight(self, plan: Plan, site: CaptureSite) -> tuple[PreflightCheck, ...]:
        """Return the checks before the job is stopped and started."""
        name = plan.load.text(DATABASE.name)
        job = site.topology.job_of(name) or next(iter(site.topology.jobs), None)
        return () if job is None else (*_job_checks(job), *_source_checks(plan), *_site_checks(plan, site, job))

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        source = work_source_of(plan.load)
        return (
            HoldJob(is_gathering=source is WorkSource.HELD),
            SetValues(setting, is_for_confirming=source is WorkSource.OWN_BACKLOG),
            MeasureCapture(source, setting, plan.load.number(WINDOW.name)),
        )

    def keep_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps after which the job itself works with a setting: all four values in one call."""
        return (HoldJob(is_gathering=False), SetValues(setting, is_for_confirming=False), StartJob())

    def rest_steps(self, plan: Plan) -> tuple[Step, ...]:
        """Return the steps that wait until the log is captured; () for traffic that shows no capacity."""
        return (WaitForRest(),) if work_source_of(plan.load).shows_capacity else ()

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        is_held = work_source_of(plan.load) is WorkSource.HELD
        return plan.load.number(WINDOW.name) + _SWITCH_S + (plan.limits.get(DATA_AGE.name, 0.0) if is_held else 0.0)

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: CaptureSeen, site: CaptureSite
    ) -> tuple[Measurement, ...]:
        """Return the measures of one trial; those that could not be taken are absent."""
        conditions = Setting.from_mapping({WORK_CONDITION: str(work_source_of(plan.load))})
        seen, seconds = observation, observation.seconds
        filled = measured(CaptureSample, [[[reading] for reading in seen.readings]])
        values = {
            THROUGHPUT: seen.commands / seconds if seconds > 0 and seen.commands else None,
            LATENCY: seen.latency_s,
            TRANSACTIONS: seen.transactions / seconds if seconds > 0 and seen.transactions else None,
            SCAN_TIME: None if seen.scan_s is None else seen.scan_s * 1000.0,
            SCAN_SHARE: seen.scan_share,
            FULL_SCANS: seen.full_share,
            CPU: seen.cpu_share,
            LOG_HELD: None if (rise := filled.get(LOG_HELD)) is None else max(0.0, rise),
        }
        return tuple(
            as_measurement(plan, spec, m, value, conditions) for m, value in values.items() if value is not None
        )

    def failed_checks(self, plan: Plan, spec: TrialSpec, observation: CaptureSeen) -> tuple[str, ...]:
        """Return why a trial is not used."""
        return (observation.problem,) if observation.problem else ()

    def may_forecast(self, plan: Plan | None, conditions: Setting) -> bool:
        """Tell whether a measured rate is the capture's own: a backlog was in front of it."""
        source = str(work_source_of(plan.load)) if plan is not None else str(conditions.get(WORK_CONDITION, ""))
        return source in (WorkSource.OWN_BACKLOG, WorkSource.HELD)

    def own_facts(self, evidence: Evidence, claim: Claim | None, factor: str) -> Mapping[str, FactValue]:
        """Return where the work came from, and the bound that baseline and best values set."""
        facts: dict[str, FactValue] = {}
        if (source := evidence.conditions.get(WORK_CONDITION)) is not None:
            facts["work_source"] = str(source)
        if claim is not None and isinstance(evidence.site, CaptureSite):
            in_effect = {name: p.value for name, p in evidence.site.parameters.items()}
            for name, setting in (("best_bound_per_s", claim.best), ("baseline_bound_per_s", claim.baseline)):
                if (bound := _bound_per_s({**in_effect, **dict(setting)})) is not None:
                    facts[name] = bound
        return facts

    def own_plots(self, evidence: Evidence, claim: Claim | None) -> Sequence[PlotSpec]:
        """Return how full the log was over time, in one trial each of baseline and best."""
        trials = {trial.setting: trial for trial in reversed(used_trials(evidence))}
        shown = () if claim is None else tuple(dict.fromkeys((claim.baseline, claim.best)))
        lines = (
            sampled_line(setting.text(), trials.get(setting), LOG_STREAM, emphasised=n > 0)
            for n, setting in enumerate(shown)
        )
        series = tuple(line for line in lines if line is not None)
        if not series:
            return ()
        alt = _("Used share of the log over one trial each of {settings}.")
        return (
            PlotSpec(
                plot_id=plot_id(evidence, "over-time"),
                title=_("Log used over time{held}").format(held=held_text(evidence)),
                alt=alt.format(settings=_(" and ").join(line.label for line in series)),
                x_label=_("Time since measuring began (s)"),
                y_label=_("Used share of the log"),
                series=series,
            ),
        )

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return every measure by setting: the explanation of the result, and its cost."""
        note = _("They explain the result; a claim rests on the comparisons alone.")
        note = f"{note} {backlog_uncounted(self, evidence.plan)}".strip()
        return by_setting_tables(evidence, claim_of(self, evidence), self.metrics, note)


def _bound_per_s(values: Mapping[str, object]) -> float | None:
    """Return maxtrans × maxscans in each polling interval, None where one is not known or there is no interval."""
    found = [str(values.get(parameter.name, "")) for parameter in PARAMETERS]
    if not all(text.isdigit() for text in found):
        return None
    maxtrans, maxscans, polling = map(int, found)
    return maxtrans * maxscans / polling if polling else None


def _job_checks(job: CaptureJob) -> tuple[PreflightCheck, ...]:
    title = _("The capture job of {database} runs").format(database=job.database)
    remedy = _("It stands: find out why, or start it; a trial would start a job that somebody meant to stand.")
    known = _("Its four values are known")
    return (
        PreflightCheck(title, job.is_running, remedy, blocking=True),
        PreflightCheck(
            _("The Agent may start it by itself"),
            job.is_enabled is not False,
            _(
                "It is disabled and somebody started it: the run starts it again after each stop, and at the end; "
                "after a restart of the Agent it stands until somebody does."
            ),
        ),
        PreflightCheck(
            known,
            job.values is not None,
            _("msdb holds no value; make the job with sys.sp_cdc_add_job."),
            blocking=True,
        ),
        PreflightCheck(
            _("It goes on by itself (continuous is 1)"),
            job.is_continuous is not False,
            _("It ends after one round and waits for its schedule; continuous is never changed by a run."),
            blocking=True,
        ),
        PreflightCheck(
            _("Its step is the vendor's own"),
            job.is_standard is True,
            _("It runs a step of the client's own, which its values may not reach: observe it only.")
            if job.is_standard is False
            else _("This login may not read job steps: look yourself whether it runs sys.sp_MScdc_capture_job alone."),
            blocking=job.is_standard is False,
        ),
    )


def _source_checks(plan: Plan) -> tuple[PreflightCheck, ...]:
    source = work_source_of(plan.load)
    if source is WorkSource.OWN_BACKLOG:
        return ()
    if source is WorkSource.HELD:
        return (
            PreflightCheck(
                _("How old the captured data may become is agreed"),
                plan.limits.get(DATA_AGE.name) is not None,
                _("Name data_age_s in [limits], seconds: the job is held for no longer."),
                blocking=True,
            ),
        )
    names = {factor.name for factor in plan.factors} & {MAXTRANS.name, MAXSCANS.name}
    remedy = _("The job captures all that arrives, so {names} make a difference only where scans are full.")
    if not names:
        remedy = _("The job keeps up with what arrives, so how much it could capture does not show.")
    return (
        PreflightCheck(_("Latency is compared, not capacity"), False, remedy.format(names=", ".join(sorted(names)))),
    )


def _site_checks(plan: Plan, site: CaptureSite, job: CaptureJob) -> tuple[PreflightCheck, ...]:
    database, most = site.topology.database(job.database), plan.limits.get(LOG_USED.name)
    checks = []
    if site.log_used_share is not None:
        checks.append(
            PreflightCheck(
                _("The log has room while the job stands ({share:.0%} used)").format(share=site.log_used_share),
                most is None or site.log_used_share < most,
                _("A log that is full cannot be freed, as capturing writes log itself: make room first."),
                blocking=True,
            )
        )
    if database is not None and database.has_adr:
        remedy = _("With both, the log is truncated less: watch it, and keep transactions short.")
        checks.append(PreflightCheck(_("Accelerated database recovery is off"), False, remedy))
    if differing := site.topology.differing(job.database):
        remedy = _("{servers}: a value set here is gone after a failover; set it there, too.")
        servers = ", ".join(other.server for other in differing)
        checks.append(
            PreflightCheck(_("The job has the same values at every replica"), False, remedy.format(servers=servers))
        )
    if site.newest_error:
        checks.append(PreflightCheck(_("The log scan met no error lately"), False, f"{site.newest_error}."))
    return tuple(checks)


FAMILY: Final[ExperimentFamily] = CdcCapture()
