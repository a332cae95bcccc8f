"""The family `seeding`: backup and restore against direct seeding, compressed or not, with the cost of each."""

from collections.abc import Mapping
from typing import Final

from app.domain.facts import FactValue
from app.domain.family import Evidence, ExperimentFamily, FamilyOf
from app.domain.plan import Design, Plan
from app.domain.plot import PlotSpec
from app.domain.table import ResultTable
from app.foundation.texts import _
from app.systems.availability_groups.families.seeding import figures, measures, tables
from app.systems.availability_groups.families.seeding import plan as planning
from app.systems.availability_groups.families.seeding.arms import arms_of
from app.systems.availability_groups.families.seeding.contradictions import seeding_contradictions
from app.systems.availability_groups.families.seeding.demo import demo_runs
from app.systems.availability_groups.families.seeding.facts import seeding_facts
from app.systems.availability_groups.families.seeding.parameters import LOAD_FIELDS, PARAMETERS, SEEDING_METHOD
from app.systems.availability_groups.families.seeding.preflight import preflight_checks
from app.systems.availability_groups.readings import SEEDING_LIMITS
from app.systems.availability_groups.seeding_trial import SeedingObservation
from app.systems.availability_groups.site import GroupSite
from app.systems.availability_groups.subjects import AVAILABILITY_GROUPS, DATABASE_SEEDING, SEEDING
from app.systems.availability_groups.system import SYSTEM


class SeedingFamily(FamilyOf[SeedingObservation, GroupSite]):
    """Parameters, measures, the steps of a trial, and the use of the evidence; every method is pure."""

    family_id = "seeding"
    position = 2
    title = _("Availability group: the fastest way to seed a replica")
    question = _(
        "Which way does a database reach a new replica fastest, and what does it cost in CPU, disk and "
        "network? It seeds one database again and again: by backup and restore, directly, and directly "
        "compressed."
    )
    needs = frozenset({AVAILABILITY_GROUPS, DATABASE_SEEDING})
    system = SYSTEM
    subject = SEEDING
    not_guided = _("the backups and restores of each trial are what is measured; no DBA could keep pace")
    parameters = PARAMETERS
    load_title = _("What is seeded")
    load_fields = LOAD_FIELDS
    limit_fields = SEEDING_LIMITS
    metrics = measures.METRICS
    main_metrics = (measures.TOTAL_TIME,)
    stand_in_metrics = measures.STAND_INS
    compares_all = True

    demo_runs = staticmethod(demo_runs)
    preflight = staticmethod(preflight_checks)
    trial_steps = staticmethod(planning.trial_steps)
    estimate_trial_s = staticmethod(planning.estimate_trial_s)
    measure = staticmethod(measures.trial_measurements)
    failed_checks = staticmethod(measures.failures)
    contradictions = staticmethod(seeding_contradictions)

    def default_plan(self) -> Plan:
        """Return the three methods over a test database."""
        return self.plan_over(SEEDING_METHOD, design=Design(confirm_blocks=0, further_blocks=0))

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return the facts on one factor of this experiment."""
        return seeding_facts(arms_of(evidence), factor)

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return totals, steps, effects, the copy over time, processors and network, and trials in order."""
        return figures.plots_of(arms_of(evidence))

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return steps, totals and load of each method, in the form of the published table."""
        return tables.tables_of(arms_of(evidence))


FAMILY: Final[ExperimentFamily] = SeedingFamily()
