"""Prints the round trips the program measures to the Subscribers of targets, and beside each those of bare bytes.

Run by check.py with Python for Windows: `round_trips.py ECHO_PORT LINK_MS=TARGET …`. Prints JSON, for each link its
`median` as the program tells it, and the shortest of all probes of statements and of the echo, in ms.
"""

import json
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.bootstrap import build_program
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.site import read_agent_site

ROUNDS: Final = 20
ECHOES: Final = 5
"""As many as the program sends statements in a round."""


def main(port: str, links: list[str]) -> int:
    """Measure one link after the other, statements and echo in turns: what disturbs the one disturbs the other."""
    parts, told = build_program().parts, {}
    with socket.create_connection(("127.0.0.1", int(port))) as echo:
        echo.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for link_ms, _equals, address in (link.partition("=") for link in links):
            target = parts.open_target(address, 1, lambda _record: None)
            try:
                site = read_agent_site(target, AgentKind.DISTRIBUTION)
                agent = site.topology.under_test(AgentKind.DISTRIBUTION)[0]
                network, statements, echoes = agent_ports(target).network, [], []
                for _round in range(ROUNDS):
                    statements.append(network.read_round_trip(agent).shortest_ms)
                    echoes += [echo_ms(echo, float(link_ms)) for _echo in range(ECHOES)]
            finally:
                target.close()
            if site.round_trip is None:
                raise SystemExit("the link was not measured")
            told[link_ms] = {
                "median": site.round_trip.median_ms,
                "statement": min(statements),
                "echo": min(echoes),
            }
    sys.stdout.write(json.dumps(told))
    return 0


def echo_ms(echo: socket.socket, delay_ms: float) -> float:
    """Return how long an answer takes that the other end holds back for so long."""
    began_s = time.perf_counter()
    echo.sendall(struct.pack("<d", delay_ms))
    echo.recv(1)
    return (time.perf_counter() - began_s) * 1000.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
