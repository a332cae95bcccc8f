"""Prints the round trip that the program measures to the Subscriber of a target: median, shortest, longest, in ms.

Run by check.py with Python for Windows; `round_trips.py TARGET`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.bootstrap import build_program
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.site import read_agent_site

opened = build_program().parts.open_target(sys.argv[1], 1, lambda _record: None)
try:
    measured = read_agent_site(opened, AgentKind.DISTRIBUTION).round_trip
finally:
    opened.close()
if measured is None:
    raise SystemExit("the link was not measured")
sys.stdout.write(f"{measured.median_ms:.3f} {measured.shortest_ms:.3f} {measured.longest_ms:.3f}\n")
