"""A DBA's query window on the lab: runs a T-SQL script batch by batch, doing what the guards and statements say.

The lab runs no other statements than the catalogue's, so each batch is told by its text, with the values it declares.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import only_at_server
from app.drivers.sqlserver.session import Place
from app.systems.availability_groups.server.guards import only_at_primary

_USE: Final = re.compile(r"USE \[(?P<database>(?:[^\]]|\]\])*)\];")
_DECLARED: Final = re.compile(r"(?m)^DECLARE @(?P<name>\w+) [\w()]+ = (?P<value>.*);\n")
_SERVER: Final = re.compile(r"IF NOT EXISTS .*?AND N'(?P<name>(?:[^']|'')*)' COLLATE .*?END;\n", re.DOTALL)
_PRIMARY: Final = re.compile(r"IF NOT EXISTS .*?groups\.name = N'(?P<name>(?:[^']|'')*)' .*?END;\n", re.DOTALL)
_WAITING: Final = "DECLARE @waited_s int = 0;\nWHILE "


@dataclass
class QueryWindow:
    """A connection to one server.

    Attributes:
        here: the server it leads to.
        run: runs a named statement at a place.
        primary_of: tells which server holds the primary replica of a group.
        ran: names of the statements that were run. skipped: batches that a guard ended.
    """

    here: str
    run: Callable[[str, Place, Mapping[str, Value]], object]
    primary_of: Callable[[str], str]
    ran: list[str] = field(default_factory=list)
    skipped: int = 0

    def run_script(self, script: str) -> None:
        """Run every batch; fails on one that has no guard, or does nothing known."""
        database = "master"
        for part in re.split(r"(?m)^GO(?: \d+)?\n", script):
            batch = re.sub(r"(?m)^--.*\n?", "", part).strip()
            use = _USE.fullmatch(batch)
            if use is not None:
                database = use["database"].replace("]]", "]")
            elif batch:
                self._batch(database, batch + "\n")

    def _batch(self, database: str, batch: str) -> None:
        body, is_here = self._guarded(batch)
        if not is_here:
            self.skipped += 1
        elif not body.startswith(_WAITING):
            given = {match["name"]: match["value"] for match in _DECLARED.finditer(body) if match["value"] != "NULL"}
            declared = {name: _value(text) for name, text in given.items()}
            text = _DECLARED.sub("", body).strip()
            (statement,) = [s for s in catalogue().values() if _bare(s.body) == text]
            self.ran.append(statement.name)
            self.run(statement.name, Place(self.here, database), declared)

    def _guarded(self, batch: str) -> tuple[str, bool]:
        server, primary = _SERVER.match(batch), _PRIMARY.match(batch)
        if primary is not None and "availability_groups" in primary.group():
            name = primary["name"].replace("''", "'")
            assert primary.group() == only_at_primary(name), batch
            return batch[primary.end() :], self.primary_of(name) == self.here
        assert server is not None, f"no guard: {batch}"
        name = server["name"].replace("''", "'")
        assert server.group() == only_at_server(name), batch
        return batch[server.end() :], name.casefold() == self.here.casefold()


def _bare(body: str) -> str:
    return re.sub(r"(?m)^--.*\n?", "", body).strip()


def _value(text: str) -> Value:
    if text.startswith("N'"):
        return text[2:-1].replace("''", "'")
    return float(text) if "." in text else int(text)
