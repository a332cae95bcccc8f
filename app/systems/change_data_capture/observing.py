"""A look at Change Data Capture without an experiment: which of a job's values is the limit, and what differs where."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Final

from app.advice import evaluate
from app.domain.cost import ExperimentCost
from app.domain.facts import FactValue
from app.domain.finding import Finding
from app.domain.naming import DatabaseName, Sentence, Word
from app.domain.target import Target
from app.foundation.texts import _
from app.model.shown import Shown
from app.services.explain.advising import Advisor
from app.services.look.experiment_costs import experiment_costs
from app.services.look.looking import Looking
from app.services.look.parts import Parts
from app.systems.change_data_capture.readings import (
    CapturedDatabase,
    CaptureJob,
    CaptureSample,
    CaptureTopology,
    Program,
    ScanSession,
)
from app.systems.change_data_capture.scans import Limit, Pace, limit_by_totals, limit_of, limit_words, pace_of
from app.systems.change_data_capture.server import CaptureServer
from app.systems.change_data_capture.subjects import SYSTEM_ID

_READINGS: Final = 6
_FAMILY: Final = "cdc_capture"
REPLICATION: Final = "REPLICATION"
"""log_reuse_wait_desc while the log scan holds the log: sys-databases-transact-sql.md."""


@dataclass(frozen=True)
class ObservedCapture:
    """The log scan of one database; a figure that the rows do not tell is None.

    Attributes:
        state: running, stopped, or missing where there is no job.
        scans: rows these figures are of.
        limit_text: the limit as a sentence. newest_error: "" for none.
    """

    database: Annotated[DatabaseName, Shown(_("Database"), width=1.4)]
    state: Annotated[Word, Shown(_("Capture job"), text=lambda word: _STATES[word])]
    limit: Annotated[Limit, Shown(_("Limit"), text=lambda limit: _LIMITS.get(limit, str(limit)), width=1.6)]
    limit_text: Sentence
    scans: int
    captured_rate: Annotated[float | None, Shown(_("Transactions each second"), decimals=1, width=1.2)]
    allowed_rate: Annotated[float | None, Shown(_("Values allow each second"), width=1.2)]
    full_share: Annotated[float | None, Shown(_("Full scans"), unit="%")]
    scan_share: Annotated[float | None, Shown(_("Scanning"), unit="%")]
    latency_s: Annotated[float | None, Shown(_("Latency"), decimals=1)]
    log_used_share: Annotated[float | None, Shown(_("Log used"), unit="%")]
    log_reuse_wait: Annotated[Word, Shown(_("Log waits for"), width=1.6)]
    newest_error: Sentence
    programs: tuple[Program, ...]


_STATES: Final = {"running": _("runs"), "stopped": _("stopped"), "missing": _("none")}
_LIMITS: Final = {Limit.NONE: _("none of them"), Limit.UNKNOWN: _("not told")}


@dataclass(frozen=True)
class CaptureObservation:
    """Everything one look at an instance with captured databases gives; nothing was changed."""

    target: str
    taken: datetime
    watch_s: float
    topology: CaptureTopology
    databases: tuple[ObservedCapture, ...]
    costs: tuple[ExperimentCost, ...]
    limits: tuple[str, ...]
    statements: int
    statement_ms: float
    unread: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def observe_captures(target: Target, looking: Looking) -> CaptureObservation | None:
    """Watch every database whose log is scanned here; only statements marked as reading are sent."""
    port: CaptureServer = target.ports(SYSTEM_ID)
    parts = Parts()
    topology = port.discover(lambda error: parts.unread.append(str(error)))
    if topology is None:
        return None
    parts.unread += [_("{server}: {why}").format(server=server, why=why) for server, why in topology.unreachable]
    here = topology.scanned_here()
    watched = {one.name: partial(port.sample, one.name) for one in here}
    samples = looking.watch(target, watched, looking.watch_s / _READINGS, parts)
    databases = tuple(_observed(port, topology, one, samples.get(one.name, ()), parts) for one in here)
    return CaptureObservation(
        target=target.key,
        taken=max((taken[-1].at for taken in samples.values()), default=target.clock.now_utc()),
        watch_s=looking.watch_s,
        topology=topology,
        databases=databases,
        costs=experiment_costs(looking.advisor.families, target, SYSTEM_ID),
        limits=tuple(_limits(topology)),
        statements=looking.cost.statements,
        statement_ms=looking.cost.statement_ms,
        unread=tuple(dict.fromkeys(parts.unread)),
        findings=_findings(target, looking.advisor, topology, databases),
    )


def _observed(
    port: CaptureServer,
    topology: CaptureTopology,
    database: CapturedDatabase,
    samples: Sequence[CaptureSample],
    parts: Parts,
) -> ObservedCapture:
    job = topology.job_of(database.name)
    nothing: tuple[ScanSession, ...] = ()
    rows = parts.read(lambda: port.sessions(database.name, 0), nothing)
    pace = pace_of(rows, None if job is None else job.maxtrans, None if job is None else job.pollinginterval_s)
    limit = _limit(job, pace, samples)
    return ObservedCapture(
        database=database.name,
        state="missing" if job is None else "running" if job.is_running else "stopped",
        limit=limit,
        limit_text=_why_untuned(database) if job is None else limit_words(limit, job),
        scans=pace.scans,
        captured_rate=_rate(samples) if _rate(samples) is not None else pace.transactions_per_s,
        allowed_rate=None if job is None else job.bound_per_s,
        full_share=pace.full_share,
        scan_share=pace.scan_share,
        latency_s=pace.latency_s,
        log_used_share=samples[-1].log_used_share if samples else None,
        log_reuse_wait=samples[-1].log_reuse_wait if samples else database.log_reuse_wait,
        newest_error=parts.read(lambda: port.newest_error(database.name), ""),
        programs=parts.read(lambda: port.programs(database.name), ()),
    )


def _limit(job: CaptureJob | None, pace: Pace, samples: Sequence[CaptureSample]) -> Limit:
    if job is None or not job.is_running:
        return Limit.UNKNOWN
    found = limit_of(pace, job)
    return limit_by_totals(samples[0], samples[-1], job) if found is Limit.UNKNOWN and samples else found


def _rate(samples: Sequence[CaptureSample]) -> float | None:
    """Return the transactions captured each second of the look, None where no total tells it or it was reset."""
    if len(samples) < 2 or samples[0].server_started_ms != samples[-1].server_started_ms:
        return None
    before, after = samples[0].transactions, samples[-1].transactions
    seconds = (samples[-1].at - samples[0].at).total_seconds()
    return None if before is None or after is None or seconds <= 0 else max(0.0, after - before) / seconds


def _why_untuned(database: CapturedDatabase) -> str:
    if database.is_published:
        return _("it is published, so the Log Reader Agent captures its changes: see the Log Reader Agent experiment")
    return _("it has no capture job here, or this login may not read it")


def _limits(topology: CaptureTopology) -> Iterator[str]:
    """Yield the limits of these figures.

    Source: change-data-capture-sys-dm-cdc-log-scan-sessions.md; replicate-track-change-data-capture-always-on.
    """
    yield _(
        "The figures are of the scans that sys.dm_cdc_log_scan_sessions still holds; a restart empties it, and scans "
        "that found nothing have no row."
    )
    yield _("Latency ends when a change is in its change table; how often its readers look there comes on top.")
    if any(one.is_primary is not None for one in topology.databases):
        yield _(
            "In a group, capture waits until every secondary has hardened the log: a slow one looks like a slow job."
        )
    if streaming := [one.name for one in topology.databases if one.streams]:
        yield _("Mirroring and event streaming of {names} set their pace themselves: they are observed only.").format(
            names=", ".join(streaming)
        )


def capture_facts(topology: CaptureTopology, seen: ObservedCapture) -> dict[str, FactValue]:
    """Return the facts of one database that a look tells the rules."""
    database = topology.database(seen.database)
    others = {job.server for job in topology.jobs if job.server != topology.connected_to}
    differing = {job.server for job in topology.differing(seen.database)}
    without = {s for s in others if not any((j.server, j.database) == (s, seen.database) for j in topology.jobs)}
    facts: dict[str, FactValue | None] = {
        "observed_capture": seen.database,
        "observed_capture_state": seen.state,
        "observed_capture_limit": str(seen.limit),
        "observed_capture_latency_s": seen.latency_s,
        "observed_capture_bound_per_s": seen.allowed_rate,
        "observed_capture_rate_per_s": seen.captured_rate,
        "observed_full_scans_percent": None if seen.full_share is None else seen.full_share * 100,
        "observed_replicas_differing": len(differing | without),
        "observed_log_wait": "replication" if seen.log_reuse_wait == REPLICATION else "other",
        "observed_with_adr": None if database is None else database.has_adr,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _findings(
    target: Target, advisor: Advisor, topology: CaptureTopology, databases: Sequence[ObservedCapture]
) -> tuple[Finding, ...]:
    packs = [pack for pack in advisor.packs if any("observed_capture" in rule.needs for rule in pack.rules)]
    evidence = (_("views of {server}").format(server=topology.connected_to),)
    made: list[Finding] = []
    for seen in databases:
        made += evaluate(packs, target.engine, _FAMILY, capture_facts(topology, seen), evidence)[0]
    return tuple(sorted(made, key=lambda finding: finding.priority))
