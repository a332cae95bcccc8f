"""Labs that pose: each in a process of its own, with whatever a test needs it to be, or to go wrong.

The processes are forked from one that has loaded the program, so that a lab costs some hundredths of a second.
"""

import os
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from app.bootstrap import load_systems
from app.domain.setting import Value
from app.domain.statement import Access
from app.domain.system import answers_where_absent
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.faults import RequestHeld
from app.drivers.sqlserver.lab.named_objects import named_objects
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.wire import client_session, requests, server
from app.drivers.sqlserver.wire.channel import Channel
from app.drivers.sqlserver.wire.connection import Connection as WireConnection
from app.drivers.sqlserver.wire.shared_lab import SharedLab
from app.drivers.sqlserver.wire.tls import make_context
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.lab_server import LAB
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.lab_server.site import LabAgent
from app.systems.transactional_replication.server.documented import documented
from tests.abilities import processes
from tests.dying import HARDEST

# Sent by the clock of a simulated target only; no server ever gets them.
CLOCK_STATEMENTS: Final = frozenset({"lab_wait", "server_time"})

_CONTEXT: Final = processes()

# Made once, in the process that every lab and every program of the tests is forked from.
named_objects()
_load_site: Final = cache(LAB.load)
_load_site(scenario_path("lan"))
_ANSWERS_WHERE_ABSENT: Final = answers_where_absent(load_systems().values(), "sqlserver")
_SELF_SIGNED: Final = make_context(server.HOST)

T = TypeVar("T")


class Kind(StrEnum):
    """What goes wrong at one statement; "after" means that the server has run it by then."""

    LOST_BEFORE = "connection lost before"
    LOST_AFTER = "connection lost after"
    TIMEOUT_BEFORE = "timeout before"
    TIMEOUT_AFTER = "timeout after"
    LATE_LOST = "connection lost before, carried out late"
    LATE_TIMEOUT = "timeout before, carried out late"
    LATE_CANCELLED = "cancelled before, carried out late"
    PASSWORD = "connection lost before, and the password changed"
    DENIED = "permission denied"
    STAYS_DENIED = "permission denied for good"
    DEADLOCK = "deadlock"
    CANCELLED_BEFORE = "cancelled before"
    CANCELLED_AFTER = "cancelled after"
    KILLED_BEFORE = "program killed before"
    KILLED_AFTER = "program killed after"

    @property
    def comes_after(self) -> bool:
        """Whether the statement runs first."""
        return self.value.endswith(" after")

    @property
    def is_late(self) -> bool:
        """Whether the server runs it when nobody waits for it any more."""
        return self in (Kind.LATE_LOST, Kind.LATE_TIMEOUT, Kind.LATE_CANCELLED)

    @property
    def kills(self) -> bool:
        """Whether the program itself ends."""
        return self in (Kind.KILLED_BEFORE, Kind.KILLED_AFTER)

    @property
    def cancels(self) -> bool:
        """Whether somebody cancels the run while the statement lasts."""
        return self in (Kind.CANCELLED_BEFORE, Kind.CANCELLED_AFTER, Kind.LATE_CANCELLED)

    def error(self) -> SqlError:
        """Return what the lab then reports: nothing in time, or that; a killed program's connection breaks."""
        if self.cancels or self in (Kind.TIMEOUT_BEFORE, Kind.TIMEOUT_AFTER, Kind.LATE_TIMEOUT):
            return SqlError(-2, "Query timeout expired.", "HYT00")
        if self in (Kind.DENIED, Kind.STAYS_DENIED):
            return SqlError(229, "The EXECUTE permission was denied on the object.", "42000")
        if self is Kind.DEADLOCK:
            return SqlError(1205, "Transaction was deadlocked and has been chosen as the victim.", "40001")
        return SqlError(10054, "An existing connection was forcibly closed by the remote host.", "08S01")


@dataclass(frozen=True)
class Mishap:
    """Something that goes wrong at the n-th statement (from 1), those of a clock not counted.

    What is denied for good is so at each later call of that statement, too.

    Attributes:
        process_id: whom `KILLED` kinds kill.
    """

    at: int
    kind: Kind
    process_id: int = 0

    def is_due(self, calls: Sequence["Call"]) -> bool:
        """Tell whether it goes wrong at the newest of the statements so far."""
        if self.kind is Kind.STAYS_DENIED:
            return len(calls) >= self.at and calls[-1].name == calls[self.at - 1].name
        return len(calls) == self.at


@dataclass(frozen=True)
class Call:
    """A statement that reached the lab."""

    name: str
    server: str
    database: str
    access: Access


@dataclass(frozen=True)
class Truth:
    """Everything a session could leave changed, as the simulation itself has it.

    Attributes:
        profiles: type, name and values of each, by id.
        assigned: profile id by agent.
        steps: digest of the text of each agent's job step, by agent.
        running: by agent.
        started_with: what each agent last started with, by agent; of the agents that run.
        tokens: ids of the tracer tokens there are.
        disabled: ids of the jobs no schedule starts.
        elsewhere: statements that would have changed a replica no session was opened with.
    """

    profiles: Mapping[int, tuple[int, str, Mapping[str, str]]]
    assigned: Mapping[str, int]
    steps: Mapping[str, str]
    running: Mapping[str, bool]
    started_with: Mapping[str, Mapping[str, int]]
    tokens: frozenset[int]
    elsewhere: tuple[str, ...] = ()
    disabled: frozenset[str] = frozenset()


class PosedLab(LabSqlServer):
    """A lab that keeps what it was sent, and has things go wrong.

    Attributes:
        calls: every statement, those of a clock left out.
        texts: every text a client sent, also what drivers send by themselves.
        mishap: what is to go wrong, if anything.
        refused: logins with a wrong password, by server.
    """

    def __init__(self, scenario: Path, seed: int, noise: bool | None) -> None:
        constants, faults = _load_site(scenario)
        super().__init__(constants, seed, noise, faults)
        self.calls: list[Call] = []
        self.texts: list[str] = []
        self.mishap: Mishap | None = None
        self.refused: Counter[str] = Counter()
        self.before_call: Callable[[PosedLab, Call], None] | None = None
        self._started = {agent.job_id: self._effective(agent) for agent in self.state.site.agents}
        self._start = self.state.start
        self.state.start = self._start_watched  # type: ignore[method-assign]  # a slow start is posed

    def _start_watched(self, agent: LabAgent) -> None:
        self._started[agent.job_id] = self._effective(agent)
        self._start(agent)

    def _effective(self, agent: LabAgent) -> dict[str, int]:
        return {p.name: self.state.effective(agent, p.name) for p in documented(agent.kind).values()}

    def run(self, name: str, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, unless this is where something goes wrong."""
        if name in CLOCK_STATEMENTS:
            return super().run(name, place, parameters)
        call = Call(name, place.server, place.database, self._statements[name].access)
        if self.before_call is not None:
            self.before_call(self, call)
        self.calls.append(call)
        mishap = self.mishap
        if mishap is None or not mishap.is_due(self.calls):
            return super().run(name, place, parameters)
        if mishap.kind.comes_after:
            super().run(name, place, parameters)
        if mishap.kind is Kind.PASSWORD:
            client_session.PASSWORD = "another one"  # type: ignore[misc]  # a password that is changed is posed
        if mishap.kind.kills:
            os.kill(mishap.process_id, HARDEST)
        if mishap.kind.is_late:
            carry_out = partial(super().run, name, place, dict(parameters))
            raise RequestHeld(self.held.hold(place.server, carry_out), mishap.kind.error())
        raise mishap.kind.error()

    def settle(self, seconds: float) -> None:
        """Let time pass."""
        self.state.advance(seconds)
        self.held.catch_up()

    def sent(self) -> list[Call]:
        """Return the statements it was sent."""
        return self.calls

    def truth(self) -> Truth:
        """Return what stands where."""
        state = self.state
        running = {agent.name: state.agent_state(agent).running for agent in state.site.agents}
        return Truth(
            profiles={
                number: (profile.agent_type, profile.name, dict(profile.values))
                for number in range(1, 1_000)
                if (profile := state.profiles.get(number)) is not None
            },
            assigned={agent.name: state.profile_ids[agent.job_id] for agent in state.site.agents},
            steps={agent.name: state.steps[agent.job_id] for agent in state.site.agents},
            running=running,
            started_with={
                agent.name: self._started[agent.job_id] for agent in state.site.agents if running[agent.name]
            },
            tokens=frozenset(state.tokens),
            elsewhere=tuple(state.set_elsewhere),
            disabled=frozenset(state.disabled),
        )


def pose_replication(scenario: Path | None, seed: int, noise: bool | None) -> PosedLab:
    """Build a lab with replication agents."""
    return PosedLab(scenario or scenario_path("lan"), seed, noise)


@dataclass(frozen=True)
class Pose:
    """What a lab is to be.

    Attributes:
        scenario: file, None for the default one.
        speed: virtual seconds in a real one, None for time that passes by statements.
        password: of both logins.
        has_tls: whether it can encrypt at all.
        certificate: file with key and certificates to prove itself with, None for a new self-signed one.
        prepare: run in the lab's process before it is built.
        adjust: run in the lab's process once it is built.
        build: makes the lab of a scenario, a seed and whether there is noise.
        home: the server a client connects to.
        database: the distribution database a target names, "" where there is one only.
        leads_to: the server that an address of its own leads a new connection to, as a listener's or an alias does; ""
            while it leads nowhere. None where there is no such address.
    """

    scenario: Path | None = None
    seed: int = 1
    noise: bool | None = None
    speed: float | None = None
    password: str = "lab"
    has_tls: bool = True
    certificate: Path | None = None
    prepare: Callable[[], None] | None = None
    adjust: Callable[[PosedLab], None] | None = None
    build: Callable[[Path | None, int, bool | None], Any] = pose_replication
    home: str = "DIST1"
    database: str = ""
    leads_to: Callable[[Any], str] | None = None


_LOGIN_S: Final = 3
"""Drivers try a server without an address until it is over: who gives a statement a second gives that a few."""

ALIAS: Final = "an alias"
"""Where the port stands, among those of servers, of an address that leads now to one server, now to another."""


@dataclass(frozen=True)
class Posed:
    """A lab that is served.

    Attributes:
        ports: of each server, by name.
        home: the server a client connects to.
        database: the one a target names, "" for none.
        process_id: of the lab.
    """

    ports: Mapping[str, int]
    pipe: Connection
    home: str = "DIST1"
    database: str = ""
    process_id: int = 0

    @property
    def port(self) -> int:
        """The port of the server a client connects to."""
        return self.ports[self.home]

    def key(self, driver: str = "", limit_s: int = 0) -> str:
        """Return the target whose clock is the lab's own, reached through a driver."""
        options = [f"driver={driver}"] if driver else []
        options += [f"statement_timeout={limit_s}", f"login_timeout={max(limit_s, _LOGIN_S)}"] if limit_s else []
        options += [f"database={self.database}"] if self.database else []
        return f"lab@127.0.0.1:{self.port}" + (f"?{'&'.join(options)}" if options else "")

    def url(self, driver: str, *, user: str = "replitune", options: str = "trust=yes") -> str:
        """Return the target as a server of a client."""
        return f"sqlserver://{user}@127.0.0.1:{self.port}?driver={driver}" + (f"&{options}" if options else "")

    def ask(self, question: Callable[[Any], T]) -> T:
        """Return what a function finds, or does, in the lab's process, between two statements."""
        self.pipe.send(question)
        return cast("T", self.pipe.recv())


@contextmanager
def posed_lab(pose: Pose) -> Iterator[Posed]:
    """Serve a lab until the block ends."""
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(pose, there), daemon=True)
    process.start()
    there.close()
    try:
        yield Posed(here.recv(), here, pose.home, pose.database, process.pid or 0)
    finally:
        process.kill()
        process.join()
        here.close()


def start_process(target: Callable[..., None], *arguments: object) -> Any:
    """Start a process that has the program loaded, and return it."""
    process = _CONTEXT.Process(target=target, args=arguments, daemon=True)
    process.start()
    return process


def make_pipe() -> tuple[Connection, Connection]:
    """Return both ends of a pipe to a process."""
    here, there = _CONTEXT.Pipe()
    return here, there


def _serve(pose: Pose, pipe: Connection) -> None:
    """Serve a lab and answer questions about it until the other end of the pipe is closed."""
    if pose.prepare is not None:
        pose.prepare()
    client_session.PASSWORD = pose.password  # type: ignore[misc]  # a wrong password is posed
    lab = pose.build(pose.scenario, pose.seed, pose.noise)
    if pose.adjust is not None:
        pose.adjust(lab)
    if isinstance(lab, PosedLab):
        _record_texts(lab)
        _count_refusals(lab)
    shared = SharedLab(lab, pose.speed, _ANSWERS_WHERE_ABSENT)
    with server.open_ports(lab, 0) as listeners, socket.create_server((server.HOST, 0)) as alias:
        served = server.TdsServer(shared, listeners, _context(pose))
        threading.Thread(target=served.serve_forever, daemon=True).start()
        ports = {name: listener.getsockname()[1] for name, listener in listeners.items()}
        if pose.leads_to is not None:
            threading.Thread(target=_serve_alias, args=(pose, lab, shared, alias), daemon=True).start()
            ports[ALIAS] = alias.getsockname()[1]
        pipe.send(ports)
        try:
            while True:
                question = pipe.recv()
                with shared.turns.taken(lambda wait_s: None):
                    answer = question(lab)
                pipe.send(answer)
        except EOFError:
            os._exit(0)


def _serve_alias(pose: Pose, lab: Any, shared: SharedLab, alias: socket.socket) -> None:
    """Let each new connection reach the server the address leads to by then; it breaks once that is another one."""

    def leads_to() -> str:
        return "" if pose.leads_to is None else pose.leads_to(lab)

    class FollowingSession(client_session.ClientSession):
        """A connection made through the address."""

        @property
        def _instance_now(self) -> str:
            return super()._instance_now if leads_to() == self.server.name else "another one"

    def serve_client(peer: socket.socket) -> None:
        with peer:
            home = next((one for one in lab.state.site.servers if one.name == leads_to()), None)
            if home is None:
                return
            session = FollowingSession(shared, home)
            version = server.version_numbers(lab.product_version(home.name))
            try:
                WireConnection(Channel(peer), session, _context(pose), version).serve()
            finally:
                session.leave()

    while True:
        peer, _address = alias.accept()
        threading.Thread(target=serve_client, args=(peer,), daemon=True).start()


def _count_refusals(lab: PosedLab) -> None:
    """Count the failed logins after which a server locks an account."""
    log_in = client_session.ClientSession.log_in

    def counted(self: client_session.ClientSession, user: str, password: str, database: str) -> None:
        try:
            log_in(self, user, password, database)
        except SqlError as error:
            lab.refused[self.server.name] += error.number == 18456
            raise

    client_session.ClientSession.log_in = counted  # type: ignore[method-assign]  # only in the lab's own process


def _record_texts(lab: PosedLab) -> None:
    """Keep every text that reaches the server, as it came off the wire."""
    for name in ("recognise", "answer_of_driver"):
        asked = getattr(requests, name)

        def recorded(text: str, asked: Callable[[str], object] = asked) -> object:
            lab.texts.append(text)
            return asked(text)

        setattr(requests, name, recorded)


def _context(pose: Pose) -> ssl.SSLContext:
    if not pose.has_tls:
        return cast("ssl.SSLContext", None)  # a connection without one serves in clear only
    if pose.certificate is None:
        return _SELF_SIGNED
    context = make_context(server.HOST)
    context.load_cert_chain(pose.certificate)
    return context
