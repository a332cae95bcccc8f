"""A DBA who runs the scripts a guided run prints, with a driver of their own, as they stand.

The lab runs no other statements than the catalogue's, so each batch is told by its text and sent as that statement,
with the values the script itself declares.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.domain.events import HandRequested, RunEvent
from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import only_at_server
from tests.e2e.drivers import ODBC, run

_HEAD: Final = re.compile(r"-- .*\n-- Run at: (?P<server>.*)\nUSE \[(?P<database>(?:[^\]]|\]\])*)\];\n")
_DECLARED: Final = re.compile(r"DECLARE @(?P<name>\w+) [\w()]+ = (?P<value>.*);\n")
_PROFILE: Final = re.compile(r"\(SELECT .*agent_type = (?P<type>\d+) AND profile\.profile_name = (?P<name>N'.*')\)")
_SECOND: Final = "00:00:01.000"


@dataclass(frozen=True)
class Batch:
    """One batch of a script: where it runs, what it declares, and the rest of its text."""

    server: str
    database: str
    declared: Mapping[str, str]
    body: str


def batches_of(script: str) -> list[Batch]:
    """Take a script apart at its GOs; each part names the server and the database first."""
    found: list[Batch] = []
    for part in re.split(r"(?m)^GO\n", script):
        head = _HEAD.fullmatch(part)
        if head is not None:
            server, database = head["server"], head["database"].replace("]]", "]")
        elif part.strip():
            guard = only_at_server(server)
            assert part.startswith(guard), f"anything else would run at any server: {part}"
            rest = part.removeprefix(guard)
            declared = {match["name"]: match["value"] for match in _DECLARED.finditer(rest)}
            found.append(Batch(server, database, declared, _DECLARED.sub("", rest).strip()))
    return found


def printed_scripts(lines: Iterable[str]) -> Iterator[str]:
    """Give each script a guided run prints, as soon as all of it is on the terminal."""
    script: list[str] | None = None
    for line in lines:
        if line.startswith("Run this at "):
            script = []
        elif script is not None and line.startswith("    Waiting until the server shows it"):
            yield "".join(script)
            script = None
        elif script is not None:
            script.append(line)


class ScriptedDba:
    """Runs scripts on the lab's servers.

    Attributes:
        ran: names of the changing statements sent, in order.
    """

    def __init__(self, ports: Mapping[str, int]) -> None:
        self.ran: list[str] = []
        self._ports = ports
        self._connections: dict[tuple[str, str], Any] = {}
        self._by_body = {statement.body.strip(): statement for statement in catalogue().values()}

    def answer(self, event: RunEvent) -> None:
        """Run what a guided run asks for; for its observer."""
        if isinstance(event, HandRequested):
            self.run_script(event.script)

    def run_script(self, script: str) -> None:
        """Run every batch of a script; one that does nothing known fails."""
        batches = batches_of(script)
        assert batches, script
        for batch in batches:
            if "sp_stop_job" in batch.body:
                self._stop(batch)
            elif "sp_start_job" in batch.body:
                self._start(batch)
            else:
                statement = self._by_body[batch.body]
                values = {name: self._value(batch, text) for name, text in batch.declared.items() if text != "NULL"}
                self.send(batch.server, batch.database, statement.name, **values)

    def send(self, server: str, database: str, name: str, **values: Value) -> tuple[tuple[object, ...], ...]:
        """Run one statement of the catalogue and return its rows."""
        statement = catalogue()[name]
        key = (server, database)
        if key not in self._connections:
            self._connections[key] = ODBC.connect(self._ports[server], database)
        if statement.access is Access.CHANGE:
            self.ran.append(name)
        nullable = {parameter.name.removeprefix("@") for parameter in statement.parameters if parameter.nullable}
        given: list[Any] = [
            values.get(name) if name in nullable else values[name] for name in statement.parameter_names
        ]
        return run(self._connections[key], statement, given)

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections.values():
            connection.close()

    def _stop(self, batch: Batch) -> None:
        """IF it runs, stop it; WHILE it runs, wait a second."""
        job_id = self._value(batch, batch.declared["job_id"])
        if self._is_running(batch, job_id):
            self.send(batch.server, "msdb", "stop_job", job_id=job_id)
        while self._is_running(batch, job_id):
            self.send(batch.server, "master", "lab_wait", delay=_SECOND)

    def _start(self, batch: Batch) -> None:
        """IF it does not run, start it; its session begins a moment later."""
        job_id = self._value(batch, batch.declared["job_id"])
        if not self._is_running(batch, job_id):
            self.send(batch.server, "msdb", "start_job", job_id=job_id)

    def _is_running(self, batch: Batch, job_id: Value) -> bool:
        (row,) = self.send(batch.server, "msdb", "job_activity", job_id=job_id)
        return row[catalogue()["job_activity"].column_names.index("is_running")] == 1

    def _value(self, batch: Batch, text: str) -> Value:
        profile = _PROFILE.fullmatch(text)
        if profile is not None:
            name = self._value(batch, profile["name"])
            rows = self.send(
                batch.server, "distribution", "profile_by_name", agent_type=int(profile["type"]), profile_name=name
            )
            (found, *_more) = rows[0]
            assert isinstance(found, int)
            return found
        if text.startswith("N'"):
            return text[2:-1].replace("''", "'")
        return float(text) if "." in text else int(text)
