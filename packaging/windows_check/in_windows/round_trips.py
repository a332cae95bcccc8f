"""Prints the round trips the program measures to the Subscribers of targets, and beside each those of bare bytes.

Run by check.py with Python for Windows: `round_trips.py ECHO_PORT LINK_MS=TARGET …`. Prints JSON, for each link its
`median` as the program tells it, and the shortest of all probes of statements and of the echo, in ms.
"""

import json
import math
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.bootstrap import build_program
from app.domain.target import Target
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.site import read_agent_site

ROUNDS: Final = 10
"""Of a block: after each it is looked whether the shortest are still getting shorter."""
MOST_BLOCKS: Final = 12
STEADY_MS: Final = 0.05
ECHOES: Final = 5
"""As many as the program sends statements in a round."""


@dataclass
class Link:
    """A link and what was measured of it, ms.

    Attributes:
        read: sends statements to its Subscriber; returns the shortest.
    """

    link_ms: str
    read: Callable[[], float]
    median_ms: float
    statement_ms: float = math.inf
    echo_ms: float = math.inf


def main(port: str, named: list[str]) -> int:
    """Measure all links in turns, statements and echo: what disturbs the one disturbs the others."""
    parts = build_program().parts
    with ExitStack() as opened:
        echo = opened.enter_context(socket.create_connection(("127.0.0.1", int(port))))
        echo.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        links = []
        for link_ms, _equals, address in (link.partition("=") for link in named):
            target = parts.open_target(address, 1, lambda _record: None)
            opened.callback(target.close)
            links.append(link_of(link_ms, target))
        for _block in range(MOST_BLOCKS):
            before = [(link.statement_ms, link.echo_ms) for link in links]
            for _round in range(ROUNDS):
                for link in links:
                    link.statement_ms = min(link.statement_ms, link.read())
                    link.echo_ms = min(link.echo_ms, *(echo_ms(echo, float(link.link_ms)) for _echo in range(ECHOES)))
            if all(
                max(statement_ms - link.statement_ms, bare_ms - link.echo_ms) < STEADY_MS
                for link, (statement_ms, bare_ms) in zip(links, before, strict=True)
            ):
                break
    told = {
        link.link_ms: {"median": link.median_ms, "statement": link.statement_ms, "echo": link.echo_ms} for link in links
    }
    sys.stdout.write(json.dumps(told))
    return 0


def link_of(link_ms: str, target: Target) -> Link:
    """Return the link to a target's Subscriber, with the median the program itself tells."""
    site = read_agent_site(target, AgentKind.DISTRIBUTION)
    agent = site.topology.under_test(AgentKind.DISTRIBUTION)[0]
    network = agent_ports(target).network
    if site.round_trip is None:
        raise SystemExit("the link was not measured")
    return Link(link_ms, lambda: network.read_round_trip(agent).shortest_ms, site.round_trip.median_ms)


def echo_ms(echo: socket.socket, delay_ms: float) -> float:
    """Return how long an answer takes that the other end holds back for so long."""
    began_s = time.perf_counter()
    echo.sendall(struct.pack("<d", delay_ms))
    echo.recv(1)
    return (time.perf_counter() - began_s) * 1000.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
