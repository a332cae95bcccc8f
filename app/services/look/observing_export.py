"""What a look at a server's history gave, written to a file of its own."""

import csv
import io
from pathlib import Path

from app.domain.errors import BadInput
from app.foundation.files import write_atomically
from app.foundation.texts import _
from app.systems.transactional_replication.observed import ReplicationObservation

_COLUMNS = (
    "agent",
    "kind",
    "hour_utc",
    "transactions",
    "commands",
    "busy_s",
    "latency_ms",
    "worst_latency_ms",
    "problems",
)


def write_observation(seen: ReplicationObservation, out: Path) -> int:
    """Write every agent hour by hour as CSV; return how many rows.

    Raises:
        BadInput: the file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    rows = [
        (
            agent.agent.name,
            str(hour.kind),
            hour.hour_utc.isoformat(),
            hour.transactions,
            hour.commands,
            f"{hour.busy_s:g}",
            "" if hour.latency_ms is None else f"{hour.latency_ms:g}",
            "" if hour.worst_latency_ms is None else f"{hour.worst_latency_ms:g}",
            hour.problems,
        )
        for agent in seen.agents
        for hour in agent.hours
    ]
    writer.writerows(rows)
    try:
        write_atomically(out, text.getvalue().encode("utf-8"))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another file").format(path=out, why=error.strerror)
        ) from error
    return len(rows)
