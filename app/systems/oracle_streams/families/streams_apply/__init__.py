"""The family `streams_apply`: parameters of Oracle Streams under many small and single very large transactions."""

from collections.abc import Mapping
from typing import Final

from app.analysis.claim import claim_of
from app.analysis.compared_family import ComparedFamily
from app.analysis.own_backlog import backlog_uncounted
from app.domain.facts import FactValue
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Metric
from app.domain.plan import Plan
from app.domain.table import ResultTable
from app.domain.work_source import work_source_of
from app.foundation.texts import _
from app.systems.oracle_streams.families.streams_apply import plan as planning
from app.systems.oracle_streams.families.streams_apply.contradictions import streams_contradictions
from app.systems.oracle_streams.families.streams_apply.demo import demo_runs
from app.systems.oracle_streams.families.streams_apply.facts import streams_facts
from app.systems.oracle_streams.families.streams_apply.figures import streams_plots, streams_tables
from app.systems.oracle_streams.families.streams_apply.load import LOAD_FIELDS
from app.systems.oracle_streams.families.streams_apply.measures import failures, measurements_of
from app.systems.oracle_streams.families.streams_apply.parameters import PARAMETERS, TXN_LCR_SPILL_THRESHOLD
from app.systems.oracle_streams.families.streams_apply.preflight import preflight_checks
from app.systems.oracle_streams.metrics import MESSAGE_RATE, RUN_TIME, STREAMS_LATENCY, STREAMS_METRICS
from app.systems.oracle_streams.readings import STREAMS_LIMITS
from app.systems.oracle_streams.rig.trial import StreamsObservation
from app.systems.oracle_streams.site import StreamsSite
from app.systems.oracle_streams.subjects import ORACLE_STREAMS, STREAMS
from app.systems.oracle_streams.system import SYSTEM


class StreamsApplyFamily(ComparedFamily[StreamsObservation, StreamsSite]):
    """Parameters, measures, the steps of a trial, and the use of the evidence; every method is pure."""

    family_id = "streams_apply"
    position = 1
    title = _("Oracle Streams: spill threshold, apply servers and the queue between the databases")
    question = _(
        "Where does the pipeline wait, and what do the parameters of apply and capture change? It measures "
        "every stage: on rows in many small transactions or a single very large one until all are applied, or on "
        "the backlog that waits."
    )
    needs = frozenset({ORACLE_STREAMS})
    system = SYSTEM
    subject = STREAMS
    parameters = PARAMETERS
    load_title = _("Rows written at the source")
    load_fields = LOAD_FIELDS
    limit_fields = STREAMS_LIMITS
    metrics = STREAMS_METRICS
    main_metrics = (RUN_TIME, MESSAGE_RATE)
    stand_in_metrics = (STREAMS_LATENCY,)
    backlog_uncounted = _(
        "No view counts what waits in the redo log in front of the capture, so no end of the backlog is forecast."
    )

    demo_runs = staticmethod(demo_runs)
    preflight = staticmethod(preflight_checks)
    trial_steps = staticmethod(planning.trial_steps)
    keep_steps = staticmethod(planning.keep_steps)
    rest_steps = staticmethod(planning.rest_steps)
    estimate_trial_s = staticmethod(planning.estimate_trial_s)
    measure = staticmethod(measurements_of)
    failed_checks = staticmethod(failures)
    contradictions = staticmethod(streams_contradictions)
    own_plots = staticmethod(streams_plots)

    def main_metric(self, plan: Plan) -> Metric:
        """Return run time for rows that are written, the rate of messages on the client's own work."""
        return MESSAGE_RATE if work_source_of(plan.load).is_own_work else RUN_TIME

    def default_plan(self) -> Plan:
        """Return the spill threshold below and above one transaction of 300,000 updates."""
        return self.plan_over(TXN_LCR_SPILL_THRESHOLD)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return the facts on one factor of this experiment."""
        return streams_facts(self, evidence, factor)

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return pauses, spills and redo by setting."""
        return streams_tables(evidence, claim_of(self, evidence), backlog_uncounted(self, evidence.plan))


FAMILY: Final[ExperimentFamily] = StreamsApplyFamily()
