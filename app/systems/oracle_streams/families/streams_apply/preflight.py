"""Checks before the apply process is stopped and rows are sent through the pipeline."""

from collections.abc import Iterator
from typing import Final

from app.analysis.most_trials import most_trials
from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.domain.setting import Value
from app.domain.units import convert
from app.domain.work_source import WorkSource, work_source_of
from app.foundation.texts import _
from app.systems.oracle_streams.families.streams_apply.load import CONFIRM_HIDDEN, YES
from app.systems.oracle_streams.families.streams_apply.parameters import (
    COMMIT_SERIALIZATION,
    LATENCY,
    PARALLELISM,
    PARAMETERS,
    SGA_SIZE,
    TXN_LCR_SPILL_THRESHOLD,
)
from app.systems.oracle_streams.families.streams_apply.plan import load_of, table_size_mb
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsPath, StreamsProcess
from app.systems.oracle_streams.readings import DESTINATION_AGE
from app.systems.oracle_streams.server.documented import risk_of
from app.systems.oracle_streams.site import StreamsSite

# Memory of one message in the Streams pool at most: the published tests held 300,000 in half of 4 GB.
ROUGH_BYTES_PER_MESSAGE: Final = 7_000.0
# Limit of the Streams health check scripts (12.1) for the pool in use.
POOL_LIMIT_SHARE: Final = 0.95
# A latency the health check scripts warn of.
WORST_LATENCY_S: Final = 60
# Rule of thumb of the manual for the pool, MiB (it says MB): for each server of capture and apply, and each queue.
_CAPTURE_MIB, _APPLY_MIB, _QUEUE_MIB = 10, 1, 10
# COMMIT_SERIALIZATION = DEPENDENT_TRANSACTIONS came with 11.2; before, NONE means the same.
_DEPENDENT_SINCE: Final = (11, 2)


def preflight_checks(plan: Plan, site: StreamsSite) -> tuple[PreflightCheck, ...]:
    """Return the checks of this family, in the order a person reads them."""
    path = _path(plan, site)
    if path is None:
        return ()
    checks = [
        *_processes(path, site),
        _own_work(plan, site),
        _errors(site),
        _long_transactions(plan, site),
        _hidden(plan),
        _serialization(plan, site),
        _pool(plan, site),
        _pool_for_servers(plan, site),
        _table(plan),
        _latency(plan, path, site),
        _not_shown(plan, site),
        _sga(plan),
        _warnings(site),
    ]
    return tuple(check for check in checks if check is not None)


def _path(plan: Plan, site: StreamsSite) -> StreamsPath | None:
    name = plan.load.get("path", "")
    named = [path for path in site.topology.paths if name in (path.name, path.apply)]
    return next(iter(named or site.topology.paths), None)


def _processes(path: StreamsPath, site: StreamsSite) -> Iterator[PreflightCheck]:
    """Refuse a pipeline of which a process does not run: messages would pile up, and nothing be measured."""
    for component, name, title in (
        (StreamsComponent.CAPTURE, path.capture, _("Capture {name} is enabled")),
        (StreamsComponent.PROPAGATION, path.propagation, _("Propagation {name} is enabled")),
        (StreamsComponent.APPLY, path.apply, _("Apply {name} is enabled")),
    ):
        process = site.topology.process(component, name) if name else None
        if process is not None:
            yield PreflightCheck(
                title=title.format(name=name),
                passed=process.status == "ENABLED",
                remedy=_refusal(process),
                blocking=True,
            )


def _refusal(process: StreamsProcess) -> str:
    text = _("It is {status}: fix what stopped it and start it before you tune anything.").format(status=process.status)
    return text if not process.error else f"{text[:-1]} ({process.error.rstrip('.')})."


def _errors(site: StreamsSite) -> PreflightCheck:
    return PreflightCheck(
        title=_("The error queue is empty"),
        passed=site.topology.apply_errors == 0,
        remedy=_(
            "{count} transactions are in DBA_APPLY_ERROR: execute or delete them first; failed transactions "
            "make an apply process look faster than it is."
        ).format(count=site.topology.apply_errors),
        blocking=True,
    )


def _long_transactions(plan: Plan, site: StreamsSite) -> PreflightCheck:
    if work_source_of(plan.load) is WorkSource.OWN_BACKLOG:
        return PreflightCheck(
            title=_("No large transaction is under way"),
            passed=site.topology.long_transactions == 0,
            remedy=_(
                "{count} in the pipeline began more than ten minutes ago, as all do behind a backlog; a large one that "
                "is under way when the apply process stops is rolled back and applied again, at the cost of its window."
            ).format(count=site.topology.long_transactions),
        )
    return PreflightCheck(
        title=_("No transaction has been open for more than ten minutes"),
        passed=site.topology.long_transactions == 0,
        remedy=_(
            "{count} are open at the source (V$STREAMS_TRANSACTION): stopping the apply process rolls back "
            "what it has of them and reads it again. Wait until they end."
        ).format(count=site.topology.long_transactions),
        blocking=True,
    )


def _own_work(plan: Plan, site: StreamsSite) -> PreflightCheck | None:
    """Return the check that there is work to measure the apply process on, None where rows are written."""
    source = work_source_of(plan.load)
    if source is WorkSource.TEST_TABLE:
        return None
    if source is WorkSource.HELD:
        return _held(plan, site)
    waiting = site.waiting
    title = _("{messages:,} messages wait in the queues; nothing is written")
    if waiting is not None and waiting.is_more:
        title = _("{messages:,} messages wait in the queues, and more in the redo log; nothing is written")
    return PreflightCheck(
        title=title.format(messages=0 if waiting is None else waiting.messages),
        passed=waiting is not None and waiting.messages > 0,
        remedy=_('Nothing waits for the apply process: name source = "held" in [workload], or another path.'),
        blocking=True,
    )


def _held(plan: Plan, site: StreamsSite) -> PreflightCheck:
    """Return the check that the apply process may be held as long as is agreed, and no longer already."""
    waiting, most_s = site.waiting, plan.limits.get(DESTINATION_AGE.name)
    if waiting is not None and most_s is not None and waiting.is_older_than(most_s):
        return PreflightCheck(
            title=_("The data at the destination is younger than it may become"),
            passed=False,
            remedy=_('It is older already, as a backlog waits: name source = "own_backlog" in [workload].'),
            blocking=True,
        )
    return PreflightCheck(
        title=_("How old the data at the destination may become is agreed"),
        passed=most_s is not None,
        remedy=_("Name data_age_s in [limits], seconds: the apply process is held for no longer."),
        blocking=True,
    )


def _hidden(plan: Plan) -> PreflightCheck | None:
    hidden = [factor.name for factor in plan.factors if factor.name.startswith("_")]
    if not hidden:
        return None
    risks = "; ".join(f"{name}: {risk_of(name)}" for name in hidden if risk_of(name))
    return PreflightCheck(
        title=_("Setting hidden parameters was confirmed ({names})").format(names=", ".join(hidden)),
        passed=plan.load.get(CONFIRM_HIDDEN) == YES,
        remedy=_(
            "Oracle supports hidden parameters only on its own advice ({risks}). Say yes to confirm_hidden in "
            "[workload] if you want them set for this experiment."
        ).format(risks=risks),
        blocking=True,
    )


def _serialization(plan: Plan, site: StreamsSite) -> PreflightCheck | None:
    levels = _levels(plan, COMMIT_SERIALIZATION.name)
    version = next((d.version for d in site.topology.databases if d.role == "Destination"), "")
    numbers = tuple(int(part) for part in version.split(".") if part.isdigit())
    if "DEPENDENT_TRANSACTIONS" not in levels or not numbers:
        return None
    return PreflightCheck(
        title=_("This release knows COMMIT_SERIALIZATION = DEPENDENT_TRANSACTIONS"),
        passed=numbers >= _DEPENDENT_SINCE,
        remedy=_("Before 11.2 it is spelled NONE; give that as the value for {version}.").format(version=version),
        blocking=True,
    )


def _pool(plan: Plan, site: StreamsSite) -> PreflightCheck | None:
    """Compare a trial's memory, at most, with the smaller of the two pools."""
    pools = [d.streams_pool_mib for d in site.topology.databases if d.streams_pool_mib > 0]
    if not pools or work_source_of(plan.load).is_own_work:
        return None
    load = load_of(plan)
    threshold = max((int(v) for v in _levels(plan, TXN_LCR_SPILL_THRESHOLD.name)), default=load.rows)
    held = min(load.rows, max(load.rows_per_commit if load.rows_per_commit <= threshold else threshold, 30_000))
    needed_mib, free_mib = convert(held * ROUGH_BYTES_PER_MESSAGE, "bytes", "MiB"), min(pools) * POOL_LIMIT_SHARE
    return PreflightCheck(
        title=_("The Streams pools hold what a trial keeps in memory (at most about {needed:,.0f} MiB)").format(
            needed=needed_mib
        ),
        passed=needed_mib <= free_mib,
        remedy=_(
            "The smaller pool has {pool:,.0f} MiB: messages would spill because memory is short, and that "
            "would then be measured. Raise streams_pool_size, or use a smaller transaction."
        ).format(pool=min(pools)),
    )


def _pool_for_servers(plan: Plan, site: StreamsSite) -> PreflightCheck | None:
    """Apply the manual's rule of thumb for the size of the pool to the most servers the plan asks for."""
    pools = [d.streams_pool_mib for d in site.topology.databases if d.streams_pool_mib > 0]
    servers = max((int(v) for v in _levels(plan, PARALLELISM.name)), default=0)
    if not pools or not servers:
        return None
    needed_mib = _CAPTURE_MIB + servers * _APPLY_MIB + 2 * _QUEUE_MIB
    return PreflightCheck(
        title=_("The Streams pools are large enough for {servers} apply servers").format(servers=servers),
        passed=min(pools) >= needed_mib,
        remedy=_("The manual's rule asks for about {needed} MiB; the smaller pool has {pool:,.0f} MiB.").format(
            needed=needed_mib, pool=min(pools)
        ),
    )


def _table(plan: Plan) -> PreflightCheck | None:
    if work_source_of(plan.load).is_own_work:
        return None
    trials = most_trials(plan, PARAMETERS, compares_all=False)
    return PreflightCheck(
        title=_("The default tablespaces of the test schema have room (about {size:,.0f} MB at each database)").format(
            size=table_size_mb(plan, trials)
        ),
        passed=True,
        remedy=_("The test table grows with every trial that inserts, and is dropped at the end."),
    )


def _latency(plan: Plan, path: StreamsPath, site: StreamsSite) -> PreflightCheck | None:
    latency = site.parameters.get(LATENCY.name)
    if latency is None or not path.propagation or LATENCY.name in {f.name for f in plan.factors}:
        return None
    seconds = float(latency.value) if latency.value.replace(".", "", 1).isdigit() else 0.0
    return PreflightCheck(
        title=_("The propagation sends without a long wait (LATENCY below 60 s)"),
        passed=seconds < WORST_LATENCY_S,
        remedy=_("LATENCY is {seconds:g} s, which adds to every trial; the health check wants 5 s or less.").format(
            seconds=seconds
        ),
    )


def _not_shown(plan: Plan, site: StreamsSite) -> PreflightCheck | None:
    """Say where the value in effect is not known: a hidden parameter nobody has set is in no view."""
    hidden = [factor.name for factor in plan.factors if factor.name.startswith("_")]
    unknown = [name for name in hidden if name not in site.parameters or not site.parameters[name].value]
    if not unknown:
        return None
    return PreflightCheck(
        title=_("The value in effect of {names} is shown").format(names=", ".join(unknown)),
        passed=False,
        remedy=_(
            "Nobody has set it, and the views do not show it; its default is not documented. Each trial sets "
            "a value, and at the end NULL restores the default."
        ),
    )


def _sga(plan: Plan) -> PreflightCheck | None:
    if SGA_SIZE.name not in {factor.name for factor in plan.factors}:
        return None
    return PreflightCheck(
        title=_("The capture process may be restarted, and once more after the run"),
        passed=False,
        remedy=_(
            "_SGA_SIZE takes effect when the capture starts, so each trial restarts it by changing its "
            "PARALLELISM and back. At the end the old value is set again, and the capture restarted in the "
            "same way, so that it is in effect."
        ),
    )


def _warnings(site: StreamsSite) -> PreflightCheck | None:
    if not site.topology.warnings:
        return None
    return PreflightCheck(
        title=_("The health check's limits are kept"),
        passed=False,
        remedy=" ".join(f"{warning.rstrip('.')}." for warning in site.topology.warnings),
    )


def _levels(plan: Plan, name: str) -> list[Value]:
    levels = [level for factor in plan.factors if factor.name == name for level in factor.levels]
    return [*levels, *([plan.baseline[name]] if name in plan.baseline else [])]
