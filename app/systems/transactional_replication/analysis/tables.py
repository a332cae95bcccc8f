"""Tables of a replication-agent experiment."""

from app.analysis.by_setting import by_setting_tables
from app.analysis.claim import claim_of
from app.domain.family import Evidence, ExperimentFamily
from app.domain.table import ResultTable
from app.foundation.texts import _


def agent_tables(family: ExperimentFamily, evidence: Evidence) -> tuple[ResultTable, ...]:
    """Return every measure by setting, latency legs apart."""
    note = _("They explain the result; a claim rests on the comparisons alone.")
    return by_setting_tables(evidence, claim_of(family, evidence), family.metrics, note)
