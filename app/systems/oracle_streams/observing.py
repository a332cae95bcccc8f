"""Observe mode on Oracle Streams: the views of both databases, with nothing changed and no load written."""

from collections.abc import Mapping
from typing import Final

from app.advice import evaluate
from app.domain.errors import BadInput
from app.domain.facts import FactValue
from app.domain.family import Evidence
from app.domain.finding import Finding
from app.domain.setting import Setting
from app.domain.target import Target
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.services.look.experiment_costs import experiment_costs
from app.services.look.looking import Looking
from app.services.look.parts import Parts
from app.systems.oracle_streams.analysis.watched import observed_path
from app.systems.oracle_streams.observed import StreamsObservation
from app.systems.oracle_streams.offer import streams_port, watched
from app.systems.oracle_streams.pipeline import StreamsTopology
from app.systems.oracle_streams.site import StreamsSite
from app.systems.oracle_streams.subjects import SYSTEM_ID

# States are seen only at a reading, and a reading is one round trip to each database: never more than one a second.
_SHORTEST_TICK_S: Final = 1.0
_MOST_READINGS: Final = 60


def observe_streams(target: Target, looking: Looking) -> StreamsObservation:
    """Discover, and read every path for some seconds; only statements marked as reading are sent.

    Each path is read at most once a second.

    Raises:
        BadInput: there is neither a capture nor an apply.
        TargetError: it cannot be read.
    """
    advisor, cost, watch_s = looking.advisor, looking.cost, looking.watch_s
    topology = streams_port(target).discover()
    if not topology.processes:
        raise BadInput(
            _("{target} has neither a capture nor an apply process to observe; check both connections").format(
                target=target.key
            )
        )
    parts = Parts()
    tick_s = max(_SHORTEST_TICK_S, watch_s / _MOST_READINGS)
    readings = looking.watch(target, watched(target, topology), tick_s, parts)
    return StreamsObservation(
        target=target.key,
        taken=max((taken[-1].at for taken in readings.values()), default=target.clock.now_utc()),
        watch_s=watch_s,
        topology=topology,
        paths=tuple(observed_path(path, topology, taken) for path, taken in readings.items()),
        findings=_findings(target, topology, advisor),
        costs=experiment_costs(advisor.families, target, SYSTEM_ID),
        limits=_limits(topology, watch_s) if readings else (),
        statements=cost.statements,
        statement_ms=cost.statement_ms,
        unread=tuple(dict.fromkeys(parts.unread)),
    )


def _findings(target: Target, topology: StreamsTopology, advisor: Advisor) -> tuple[Finding, ...]:
    """Return the rules' findings that need nothing but the topology."""
    finding_by_id: dict[str, Finding] = {}
    site = StreamsSite(parameters={p.effective.name: p.effective for p in topology.parameters}, topology=topology)
    for family in advisor.families.values():
        if family.system.system_id != SYSTEM_ID:
            continue
        nothing = Evidence(
            family=family.family_id,
            conditions=Setting.from_mapping({}),
            plan=None,
            site=site,
            measurements=(),
            comparisons=(),
            forecasts=(),
            trials=(),
            minimum_effect=0.0,
            noise_cv=None,
        )
        facts: Mapping[str, FactValue] = family.facts(nothing, "")
        looked = (_("what was read of {target}").format(target=target.key),)
        made, _missing = evaluate(advisor.packs, target.engine, family.family_id, facts, looked)
        finding_by_id.update({finding.rule: finding for finding in made})
    return tuple(sorted(finding_by_id.values(), key=lambda finding: finding.priority))


def _limits(topology: StreamsTopology, watch_s: float) -> tuple[str, ...]:
    """Return the limits of these figures.

    Sources: Oracle Database Reference, V$STREAMS_CAPTURE (STATE, OPTIMIZATION) and DBA_APPLY_PROGRESS.
    """
    sentences = [
        _(
            "These views keep no history: the figures are those of {seconds:g} s; a busier hour, or one very "
            "large transaction, may show others."
        ).format(seconds=watch_s),
        _("Shares of a state are shares of the readings; a state shorter than a second is easily missed."),
        _("A capture paused for flow control waits for what is behind it: tune the slow stage, not the capture."),
        _("Redo is that of the whole database, whoever wrote it."),
    ]
    if len({database.name for database in topology.databases}) > 1:
        sentences.append(_("Times from one database to the other carry the difference of their clocks."))
    if any(path.is_combined for path in topology.paths):
        sentences.append(_("Where capture and apply are combined, the counters of queues and propagation stay at 0."))
    return tuple(sentences)
