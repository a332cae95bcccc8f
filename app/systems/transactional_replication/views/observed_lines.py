"""What was observed of replication agents, as lines of text."""

from app.flows.target.observed_parts import cost_lines, finding_lines, unread_lines
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.systems.transactional_replication.observed import ReplicationObservation
from app.systems.transactional_replication.views.observed import agents_table, history_text, hours_table, waiting_line


def agent_lines(observation: ReplicationObservation) -> list[str]:
    """Return each agent with its hours, what waits, what the rules say, and what could not be read."""
    lines = [f"{observation.target}, {history_text(observation)}", *table_lines(agents_table(observation))]
    lines += ["", waiting_line(observation)]
    hours = table_lines(hours_table(observation))
    lines += ["", *hours] if hours else [_("No history in these hours.")]
    lines += [*finding_lines(observation.findings), *cost_lines(observation.costs)]
    lines += [
        _("Clock of {server}: {offset:+.2f} s against the Distributor").format(server=server, offset=offset)
        for server, offset in observation.clock_offsets
    ]
    return [*lines, *unread_lines(observation.unread)]
