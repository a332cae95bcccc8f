"""A DBA's sqlcmd on the lab: runs `rollback.sql` batch by batch, doing what the guards and statements say.

The lab runs no other statements than the catalogue's, so each batch is told by its text, with the values it declares.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.declared_change import EXPECTED, IS_EXPECTED
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.scripts import (
    came_to_its_end,
    count_of_ended,
    make_room_for_ended,
    only_at_server,
    setting_up,
)
from app.drivers.sqlserver.session import Place
from app.systems.availability_groups.server.guards import only_at_primary
from app.systems.transactional_replication.server.job_scripts import start_script, stop_script
from tests.contract.sqlcmd import SWITCHED_ON, BatchError, Options, run

_TEXT: Final = r"N'(?:[^']|'')*'"
_DECLARED: Final = re.compile(r"(?m)^DECLARE @(?P<name>\w+) [\w()]+ = (?P<value>.*);\n")
_SERVER: Final = re.compile(r"IF NOT EXISTS .*?AND N'(?P<name>(?:[^']|'')*)' COLLATE .*?END;\n", re.DOTALL)
_PRIMARY: Final = re.compile(r"IF NOT EXISTS .*?groups\.name = N'(?P<name>(?:[^']|'')*)' .*?END;\n", re.DOTALL)
_LEAVES: Final = re.compile(r"    INSERT INTO #replitune_ended \(batch\) VALUES \(-(?P<batch>\d+)\);\n")
_CHECKS: Final = re.compile(
    rf"IF NOT \(N'(?P<apply>\w+)' = N'yes'\)\nBEGIN\n    PRINT (?P<said>{_TEXT});\n"
    r"    INSERT INTO #replitune_ended \(batch\) VALUES \(\d+\);\n    RETURN;\nEND;\n"
)
_AT: Final = re.compile(
    r"DECLARE @at nvarchar\(300\) = N'(?:\[(?P<database>(?:[^\]]|\]\])*)\]\.)?sys\.sp_executesql';\n"
)
_UNDO: Final = re.compile(rf"DECLARE @undo nvarchar\(max\) = (?P<text>{_TEXT});\n")
_WAITING: Final = "DECLARE @waited_s int = 0;\nWHILE "
_PLAIN: Final = "EXEC @at @undo;\n"
_COMPARED: Final = re.compile(
    r"DECLARE @met int, @was_set [\w()]+ = (?P<set>.*);\nDECLARE @former [\w()]+ = (?P<former>.*);\n"
    r"EXEC @at @undo, (?P<with>N'@expected [\w()]+, @met int OUTPUT'), @expected = @was_set, @met = @met OUTPUT;\n"
    r"IF @met = 0\n    EXEC @at @undo, (?P=with), @expected = @former, @met = @met OUTPUT;\n"
    r"(?P<gone>IF @met = 0\n    EXEC @at @undo, (?P=with), @expected = N'', @met = @met OUTPUT;\n)?"
    rf"IF @met = 0\n    THROW 50000, (?P<message>{_TEXT}), 127;\n"
)
_PROFILE: Final = re.compile(
    r"\(SELECT profile\.profile_id FROM msdb\.dbo\.MSagent_profiles AS profile "
    rf"WHERE profile\.agent_type = (?P<type>\d+) AND profile\.profile_name = (?P<name>{_TEXT})\)"
)
_ENDED: Final = re.compile(
    r"IF \(SELECT COUNT\(DISTINCT ABS\(ended\.batch\)\) FROM #replitune_ended AS ended\) <> (?P<count>\d+)\n"
    rf"    THROW 50000, {_TEXT}, 127;\n"
    r"IF NOT EXISTS \(SELECT 1 FROM #replitune_ended AS ended WHERE ended\.batch > 0\)\n"
    rf"    THROW 50000, (?P<none>{_TEXT}), 127;\n"
    rf"IF N'(?P<apply>\w+)' = N'yes'\n    PRINT (?P<done>{_TEXT});\nELSE\n    PRINT (?P<checked>{_TEXT});\n"
)
APPLYING_IT: Final = ("\n:setvar Apply no\n", "\n:setvar Apply yes\n")

Run = Callable[[str, Place, Mapping[str, Value]], Sequence[Sequence[object]]]


@dataclass
class QueryWindow:
    """A connection to one server.

    Attributes:
        here: the server it leads to.
        run: runs a named statement at a place.
        primary_of: tells which server holds the primary replica of a group.
        options: how sqlcmd, or another tool, is started.
        profile_of: returns a profile's id by agent type and name, None where there is none.
        ran: names of the statements that were run. skipped: batches that a guard ended.
        printed: what it said. errors: what failed. code: what sqlcmd left with.
    """

    here: str
    run: Run
    primary_of: Callable[[str], str] = lambda _group: ""
    options: Options = field(default_factory=Options)
    profile_of: Callable[[int, str], int | None] = lambda _type, _name: None
    ran: list[str] = field(default_factory=list)
    skipped: int = 0
    printed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    code: int = 0
    _ended: set[int] = field(default_factory=set)
    _is_off: bool = False

    def run_script(self, script: str, *, applies: bool = True) -> None:
        """Run a script, with its one line edited where it is to undo; fails on a batch that does nothing known."""
        assert script.count(APPLYING_IT[0]) == 1
        self.code, self.errors = run(script.replace(*APPLYING_IT) if applies else script, self._sent, self.options)

    def _sent(self, text: str) -> None:
        batch = re.sub(r"(?m)^--.*\n?|^\n", "", text)
        if batch == SWITCHED_ON:
            self._is_off = False
        if batch == SWITCHED_ON or self._is_off or not batch:
            return
        try:
            self._batch(batch)
        except SqlError as error:
            raise BatchError(str(error)) from error

    def _batch(self, batch: str) -> None:
        switched, _go, chosen = (
            setting_up().partition(f":setvar SqlcmdMode on\nGO\n{SWITCHED_ON}GO\n")[2].partition("GO\n")
        )
        if batch == switched.replace("$(SqlcmdMode)", "on"):
            return
        if batch == switched:
            self._is_off = True
            raise BatchError("SQLCMD mode is off", state=127)
        if (asked := re.match(r"IF N'(\w+)' NOT IN", batch)) is not None:
            assert batch == chosen.replace("$(Apply)", asked[1]) + make_room_for_ended()
            if asked[1] not in ("no", "yes"):
                raise BatchError("neither no nor yes", state=127)
            return
        if (ended := _ENDED.fullmatch(batch)) is not None:
            self._end(ended)
            return
        body, is_here = self._guarded(batch)
        if not is_here:
            return
        check = _CHECKS.match(body)
        assert check is not None, f"it does not ask whether it is to undo: {body}"
        number = int(re.findall(r"VALUES \((\d+)\)", body)[-1])
        assert body.endswith(came_to_its_end(number))
        if check["apply"] == "yes":
            self._execute(body[check.end() :].removesuffix(came_to_its_end(number)))
        else:
            self.printed.append(_plain(check["said"]))
        self._ended.add(number)

    def _end(self, ended: re.Match[str]) -> None:
        assert ended.group().startswith(count_of_ended(int(ended["count"])))
        if {abs(number) for number in self._ended} != set(range(1, int(ended["count"]) + 1)):
            raise BatchError("not every batch came to its end: see above", state=127)
        if not any(number > 0 for number in self._ended):
            raise BatchError(_plain(ended["none"]), state=127)
        self.printed.append(_plain(ended["done"] if ended["apply"] == "yes" else ended["checked"]))

    def _guarded(self, batch: str) -> tuple[str, bool]:
        leaves = _LEAVES.search(batch)
        assert leaves is not None, f"no guard that says that it skipped: {batch}"
        server, primary = _SERVER.match(batch), _PRIMARY.match(batch)
        if primary is not None and "availability_groups" in primary.group():
            name, guard = primary["name"].replace("''", "'"), primary.group()
            assert guard.replace(leaves.group(), "") == only_at_primary(name), batch
            is_here = self.primary_of(name) == self.here
        else:
            assert server is not None, f"no guard: {batch}"
            name, guard = server["name"].replace("''", "'"), server.group()
            assert guard.replace(leaves.group(), "") == only_at_server(name), batch
            is_here = name.casefold() == self.here.casefold()
        if not is_here:
            self.skipped += 1
            self._ended.add(-int(leaves["batch"]))
        return batch[len(guard) :], is_here

    def _execute(self, text: str) -> None:
        at = _AT.match(text)
        assert at is not None, text
        undo = _UNDO.match(text, at.end())
        assert undo is not None, text
        database, body = (at["database"] or "").replace("]]", "]"), _plain(undo["text"])
        rest = text[undo.end() :]
        if rest == _PLAIN:
            self._statement(database, body, {})
            return
        compared = _COMPARED.fullmatch(rest)
        assert compared is not None, rest
        body = body.removesuffix("SET @met = @is_expected;\n")
        values = [self._value(compared[name]) for name in ("set", "former")]
        values += [""] if compared["gone"] else []
        if not any(self._statement(database, body, {EXPECTED: value}) for value in values):
            raise BatchError(_plain(compared["message"]), state=127)

    def _statement(self, database: str, body: str, given: Mapping[str, Value | None]) -> bool:
        """Run what a body says; return whether it did not meet another value."""
        declared = {match["name"]: match["value"] for match in _DECLARED.finditer(body) if match["value"] != "NULL"}
        values: dict[str, Value] = {}
        for name, value in {**{name: self._value(text) for name, text in declared.items()}, **given}.items():
            if value is not None:
                values[name] = value
        text = re.sub(r"(?m)^--.*\n?", "", _DECLARED.sub("", body)).strip()
        if body.startswith(_WAITING):
            return True
        found = [s for s in catalogue().values() if _bare(s.body) == text]
        if not found:
            self._job(str(values["job_id"]), body)
            return True
        (statement,) = found
        self.ran.append(statement.name)
        rows = self.run(statement.name, Place(self.here, database), values)
        names = statement.column_names
        return IS_EXPECTED not in names or rows[0][names.index(IS_EXPECTED)] != 0

    def _job(self, job_id: str, body: str) -> None:
        """Stop or start an agent's job, as it is not yet; its guard stands ahead of what is executed."""
        made = (("stop_job", stop_script("", "", job_id)), ("start_job", start_script("", "", job_id)))
        [name] = [name for name, script in made if _bare(script).endswith(f"{body.rstrip()}\nGO")]
        job = {"job_id": job_id}
        [row] = self.run("job_activity", Place(self.here, "msdb"), job)
        is_running = row[catalogue()["job_activity"].column_names.index("is_running")] == 1
        if is_running and name == "stop_job":
            self._hold_startable(job_id, body)
        if is_running is (name == "stop_job"):
            self.ran.append(name)
            self.run(name, Place(self.here, "msdb"), job)

    def _hold_startable(self, job_id: str, body: str) -> None:
        """Stop where a guard of the script says that the job, once stopped, could not be started again."""
        columns = catalogue()["job_starts"].column_names
        named = [dict(zip(columns, row, strict=True)) for row in self.run("job_starts", Place(self.here, "msdb"), {})]
        guards = re.findall(rf"AND start\.(\w+) = 0\)\n    THROW 50000, ({_TEXT}), 127;", body)
        for start in named:
            for column, message in guards:
                if start["job_id"] == job_id and start[column] == 0:
                    raise BatchError(_plain(message), state=127)

    def _value(self, text: str) -> Value | None:
        if (looked_up := re.fullmatch(r"ISNULL\((?P<value>\(.*\)), -1\)", text)) is not None:
            found = self._value(looked_up["value"])
            return -1 if found is None else found
        named = _PROFILE.fullmatch(text)
        if named is not None:
            return self.profile_of(int(named["type"]), _plain(named["name"]))
        if text.startswith("N'"):
            return _plain(text)
        return float(text) if "." in text else int(text)


def _bare(body: str) -> str:
    return re.sub(r"(?m)^--.*\n?", "", body).strip()


def _plain(text: str) -> str:
    return text[2:-1].replace("''", "'")
