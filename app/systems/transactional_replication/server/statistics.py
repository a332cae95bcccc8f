"""The agents' own statistics: XML in the comments of their history (Microsoft KB2892631)."""

import re
from typing import Final

from app.systems.transactional_replication.topology import AgentStatistics

# Log Reader comments can be cut at 255 characters, so that the XML does not parse: read its leading part by pattern.
_STATS: Final = re.compile(
    r'<stats state="1"(?P<head>[^>]*)>\s*<reader(?P<reader>[^>]*)/>\s*<writer(?P<writer>[^>]*)/>'
)
_ATTRIBUTE: Final = re.compile(r'(\w+)="([0-9.]+)"')


def parse_statistics(comments: str) -> AgentStatistics | None:
    """Return the totals since the agent's start, None where the text holds no readable state 1."""
    match = _STATS.search(comments)
    if match is None:
        return None
    head, reader, writer = (_attributes(match[part]) for part in ("head", "reader", "writer"))
    return AgentStatistics(
        reader_fetch_s=reader.get("fetch", 0.0),
        reader_wait_s=reader.get("wait", 0.0),
        writer_write_s=writer.get("write", 0.0),
        writer_wait_s=writer.get("wait", 0.0),
        work_s=head.get("work", 0.0),
        idle_s=head.get("idle", 0.0),
    )


def _attributes(text: str) -> dict[str, float]:
    return {name: float(value) for name, value in _ATTRIBUTE.findall(text)}
