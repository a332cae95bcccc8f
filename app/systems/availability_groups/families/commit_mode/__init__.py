"""The family `commit_mode`: the price of synchronous commit by shape of the workload, and log stream compression."""

from collections.abc import Mapping
from typing import Final

from app.domain.facts import FactValue
from app.domain.family import Evidence, ExperimentFamily, FamilyOf
from app.domain.measurement import Metric
from app.domain.plan import Design, Plan
from app.domain.plot import PlotSpec
from app.domain.table import ResultTable
from app.domain.work_source import work_source_of
from app.foundation.texts import _
from app.systems.availability_groups.commit_trial import CommitObservation
from app.systems.availability_groups.families.commit_mode import figures
from app.systems.availability_groups.families.commit_mode import plan as planning
from app.systems.availability_groups.families.commit_mode.arms import arms_of
from app.systems.availability_groups.families.commit_mode.contradictions import commit_contradictions
from app.systems.availability_groups.families.commit_mode.demo import demo_runs
from app.systems.availability_groups.families.commit_mode.facts import commit_facts
from app.systems.availability_groups.families.commit_mode.keeping import in_effect, kept_risk
from app.systems.availability_groups.families.commit_mode.measures import failures, measurements_of
from app.systems.availability_groups.families.commit_mode.parameters import (
    AVAILABILITY_MODE,
    LOAD_FIELDS,
    LOG_STREAM_COMPRESSION,
    PARAMETERS,
    SWEPT,
)
from app.systems.availability_groups.families.commit_mode.preflight import preflight_checks
from app.systems.availability_groups.metrics import (
    COMMIT_STAND_INS,
    COMMIT_WAIT,
    SHAPE_METRICS,
    SHAPE_TIME,
    TRAFFIC_METRICS,
)
from app.systems.availability_groups.readings import COMMIT_LIMITS
from app.systems.availability_groups.site import GroupSite
from app.systems.availability_groups.subjects import AVAILABILITY_GROUPS, COMMIT
from app.systems.availability_groups.system import SYSTEM


class CommitModeFamily(FamilyOf[CommitObservation, GroupSite]):
    """Parameters, measures, the steps of a trial, and the use of the evidence; every method is pure."""

    family_id = "commit_mode"
    position = 1
    title = _("Availability group: what a synchronous commit costs")
    question = _(
        "How much longer do inserts take when they wait for a secondary replica, and would compressing "
        "the log stream win it back? It measures each mode in turn: the same rows in few large and many small "
        "inserts, or what the client's own applications commit."
    )
    needs = frozenset({AVAILABILITY_GROUPS})
    system = SYSTEM
    subject = COMMIT
    parameters = PARAMETERS
    load_title = _("Inserts at the primary")
    load_fields = LOAD_FIELDS
    limit_fields = COMMIT_LIMITS
    metrics = (*SHAPE_METRICS, *TRAFFIC_METRICS)
    main_metrics = (SHAPE_TIME, COMMIT_WAIT)
    stand_in_metrics = COMMIT_STAND_INS
    compares_all = True
    swept = SWEPT

    demo_runs = staticmethod(demo_runs)
    preflight = staticmethod(preflight_checks)
    trial_steps = staticmethod(planning.trial_steps)
    keep_steps = staticmethod(planning.keep_steps)
    in_effect = staticmethod(in_effect)
    kept_risk = staticmethod(kept_risk)
    estimate_trial_s = staticmethod(planning.estimate_trial_s)
    measure = staticmethod(measurements_of)
    failed_checks = staticmethod(failures)
    contradictions = staticmethod(commit_contradictions)

    def main_metric(self, plan: Plan) -> Metric:
        """Return the run time of a shape, the wait of a commit on the client's own load."""
        return COMMIT_WAIT if work_source_of(plan.load).is_own_work else SHAPE_TIME

    def default_plan(self) -> Plan:
        """Return asynchronous against synchronous, with and without compression, over four of the published shapes."""
        design = Design(confirm_blocks=0, further_blocks=0)
        return self.plan_over(AVAILABILITY_MODE, LOG_STREAM_COMPRESSION, design=design)

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return the facts on one factor of this experiment."""
        return commit_facts(arms_of(evidence), factor)

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return penalty and run time by shape, the effect of compression, waits, and trials in order."""
        return figures.plots_of(arms_of(evidence))

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return times, penalties and rates by shape, in the form of the published tables."""
        return figures.tables_of(arms_of(evidence))


FAMILY: Final[ExperimentFamily] = CommitModeFamily()
