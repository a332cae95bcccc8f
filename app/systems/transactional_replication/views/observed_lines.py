"""Observations of replication agents, as lines of text."""

from app.flows.target.observed_parts import cost_lines
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.systems.transactional_replication.observed import ReplicationObservation
from app.systems.transactional_replication.views.observed import (
    agents_table,
    finding_lines_of,
    history_text,
    hours_table,
    waiting_line,
)


def agent_lines(observation: ReplicationObservation) -> list[str]:
    """Return each agent with its hours, its backlog, the rules' findings, and the readings that failed."""
    lines = [f"{observation.target}, {history_text(observation)}", *table_lines(agents_table(observation))]
    lines += ["", waiting_line(observation)]
    hours = table_lines(hours_table(observation))
    lines += ["", *hours] if hours else [_("No history in these hours.")]
    return [*lines, *finding_lines_of(observation), *cost_lines(observation.costs)]
