"""A DBA's sqlcmd on the lab: runs a script of recommended values batch by batch, doing what each form of it says.

The lab runs no other statements than the catalogue's. Every piece of a batch must be a form that is emitted, told by
its whole text; what is none fails, so nothing in a script goes unread.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.session import Place
from app.systems.transactional_replication.hand_over.sql import JOB_ID
from app.systems.transactional_replication.server.job_scripts import restart_if_running
from tests.contract.sqlcmd import SWITCHED_ON, BatchError, Options, run
from tests.contract.targets.checking import Bench
from tests.contract.targets.group_checking import GroupBench

_TEXT: Final = r"N'(?:[^']|'')*'"
_THROW: Final = rf"\n    THROW 50000, (?P<message>{_TEXT}), 127;\n"
_SAID: Final = rf"\nBEGIN\n    PRINT (?P<said>{_TEXT});\n    RETURN;\nEND;\n"
_ENDED: Final = r"INSERT INTO #replitune_ended \(batch\) VALUES \((?P<batch>\d+)\);\n"
_ENDS: Final = rf"\nBEGIN\n    PRINT (?P<said>{_TEXT});\n    {_ENDED}    RETURN;\nEND;\n"
_COUNTED: Final = r"\nBEGIN\n    UPDATE #replitune_agent SET done = (?P<done>\d+);\n    RETURN;\nEND;\n"
_PROFILE_ID: Final = (
    r"\(SELECT profile\.profile_id FROM msdb\.dbo\.MSagent_profiles AS profile "
    rf"WHERE profile\.agent_type = (?P<type>\d) AND profile\.profile_name = (?P<name>{_TEXT})\)"
)
_FORMER: Final = rf"former\.profile_id = (?P<id>\d+) AND former\.parameter_name = (?P<former>{_TEXT})"
_OWN: Final = (
    r"SELECT own\.value FROM msdb\.dbo\.MSagent_parameters AS own\n"
    rf" +WHERE own\.profile_id = @agent_profile_id AND own\.parameter_name = (?P<own>{_TEXT})"
)
_STEP: Final = r"SELECT step\.value FROM @step_(?P<step>\d+) AS step"
_DECLARED: Final = re.compile(r"DECLARE @(?P<name>\w+) [\w()]+ = (?P<value>.*);\n")


class _Return(Exception):
    """The batch ends here."""


def _thrown(message: str) -> BatchError:
    """Return what ends a batch with an error of the script's own."""
    return BatchError(message, state=127)


@dataclass(frozen=True)
class _Agent:
    """An agent as the Distributor has it."""

    name: str
    agent_id: int
    profile_id: int
    job_id: str
    publisher_db: str


@dataclass
class Sqlcmd:
    """A connection with `sqlcmd -b`.

    Attributes:
        here: the server it leads to.
        options: how sqlcmd, or another tool, is started.
        ran: names of the changing statements that were run. printed: what PRINT said. shown: moment, parameter, value.
        error: what ended a batch, "" for nothing. code: what sqlcmd left with.
    """

    bench: Bench | GroupBench
    here: str
    is_sysadmin: bool = True
    options: Options = field(default_factory=Options)
    ran: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    shown: list[tuple[str, str, str | None]] = field(default_factory=list)
    error: str = ""
    code: int = 0
    _is_off: bool = False
    _ended: list[int] = field(default_factory=list)
    _checked: dict[str, Value] | None = None
    _batch_values: dict[str, Value] = field(default_factory=dict)
    _steps: dict[str, tuple[str | None, int]] = field(default_factory=dict)
    _starts: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    _database: str = "master"

    def run_script(self, script: str) -> None:
        """Run a script as the tool does."""
        self.code, errors = run(script, self._sent, self.options)
        self.error = errors[-1] if errors else ""

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
        self._batch_values, self._steps = {}, {}
        while batch.strip():
            form = next(((match, act) for pattern, act in _FORMS if (match := pattern.match(batch))), None)
            if form is None:
                batch = self._statement(batch)
                continue
            match, act = form
            try:
                act(self, match)
            except _Return:
                return
            batch = batch[match.end() :]

    def _statement(self, batch: str) -> str:
        """Run the catalogued statement a batch goes on with, its values declared ahead; return what stands behind."""
        values: dict[str, Value] = {}
        while match := _DECLARED.match(batch):
            if match["value"] != "NULL":
                values[match["name"]] = self._value(match["value"])
            batch = batch[match.end() :]
        for statement in catalogue().values():
            body = re.sub(r"(?m)^--.*\n?", "", statement.body).strip() + "\n"
            names = {parameter.name.removeprefix("@") for parameter in statement.parameters}
            if batch.startswith(body) and values.keys() <= names:
                self._run(statement.name, values)
                return batch[len(body) :]
        raise AssertionError(f"no form that is emitted: {batch[:400]}")

    def _run(self, name: str, values: Mapping[str, Value]) -> None:
        if catalogue()[name].access is Access.CHANGE:
            known = ("msdb", "distribution") if isinstance(self.bench, Bench) else ("master",)
            assert self._database in known, f"{name} in {self._database}"
            self.ran.append(name)
        self.bench.server.run(name, Place(self.here, self._database), values)

    def _value(self, text: str) -> Value:
        """Return what an expression of a script is: a literal, or a look-up of a known form."""
        held = re.fullmatch(r"\(SELECT checked\.(\w+) FROM #replitune_agent AS checked\)", text)
        if held is not None:
            assert self._checked is not None
            return self._checked[held[1]]
        named = re.fullmatch(_PROFILE_ID, text)
        if named is not None:
            profile = self._agents.server.state.profiles.find(int(named["type"]), _plain(named["name"]))
            assert profile is not None
            return profile.profile_id
        former = re.fullmatch(
            rf"\(SELECT former\.value FROM msdb\.dbo\.MSagent_parameters AS former WHERE {_FORMER}\)", text
        )
        if former is not None:
            value = self._former(former)
            assert value is not None
            return value
        return _plain(text) if text.startswith("N'") else int(text)

    @property
    def _agents(self) -> Bench:
        assert isinstance(self.bench, Bench)
        return self.bench

    def _former(self, match: re.Match[str]) -> str | None:
        profile = self._agents.server.state.profiles.get(int(match["id"]))
        assert profile is not None
        return profile.values.get(_plain(match["former"]))

    def agent(self, name: str) -> "_Agent | None":
        """Return an agent of the Distributor by name, with the profile it has now."""
        held = self._agents.server.state
        return next(
            (
                _Agent(agent.name, agent.agent_id, held.profile_ids[agent.job_id], agent.job_id, pair.publisher_db)
                for pair in held.site.pairs
                for agent in (pair.log_reader, pair.distribution)
                if agent.name == name
            ),
            None,
        )

    def profile_value(self, parameter: str) -> str | None:
        """Return what the profile of the batch's agent gives a parameter, its name as a literal."""
        profile = self._agents.server.state.profiles.get(int(str(self._batch_values["agent_profile_id"])))
        return profile.values.get(_plain(parameter)) if profile is not None else None

    def read(self, match: re.Match[str]) -> str | None:
        """Return what a reading of a profile or step in a form finds."""
        return self._steps[match["step"]][0] if match["step"] else self.profile_value(match["own"])

    # What each form does.

    def _mode(self, match: re.Match[str]) -> None:
        if match["mode"] != "on":
            self._is_off = True
            raise _thrown(_plain(match["message"]))

    def _one_of(self, match: re.Match[str]) -> None:
        if match["given"] not in _plains(match["allowed"]):
            raise _thrown(_plain(match["message"]))

    def _make_room(self, _match: re.Match[str]) -> None:
        self._ended = []

    def _end_batch(self, match: re.Match[str]) -> None:
        self._ended.append(int(match["batch"]))

    def _for_target(self, match: re.Match[str]) -> None:
        if match["given"] != _plain(match["target"]):
            self._end_batch(match)
            self._say(match)

    def _former_names(self, match: re.Match[str]) -> None:
        if (self._former(match) is None) is bool(match["not"]):
            self._leave_step(match)

    def _other_is_there(self, match: re.Match[str]) -> None:
        profile = self._agents.server.state.profiles.find(int(match["type"]), _plain(match["name"]))
        texts = _plains(match["pairs"])
        pairs = zip(texts[::2], texts[1::2], strict=True)
        if profile is not None and any(profile.values.get(name) == value for name, value in pairs):
            self._leave_step(match)

    def _leave_step(self, match: re.Match[str]) -> None:
        self._done(match)
        raise _Return

    def _flag_shown(self, match: re.Match[str]) -> None:
        self.printed.append(f"trace flag {match['flag']}")

    def _printed(self, match: re.Match[str]) -> None:
        self.printed.append(_plain(match["said"]))

    def _right(self, match: re.Match[str]) -> None:
        if not self.is_sysadmin:
            self.printed.append("ALTER SERVER ROLE sysadmin ADD MEMBER [DOMAIN\\dba];")
            raise _thrown(_plain(match["message"]))

    def _server(self, match: re.Match[str]) -> None:
        if self.here != _plain(match["server"]):
            raise _thrown(_plain(match["message"]))

    def _forget(self, _match: re.Match[str]) -> None:
        self._checked = {}

    def _find(self, match: re.Match[str]) -> None:
        agent = self.agent(_plain(match["agent"]))
        if agent is None or agent.publisher_db != _plain(match["published"]):
            raise _thrown(f"agent {_plain(match['agent'])} was not found in this distribution database")
        self._batch_values |= {
            "agent_name": agent.name,
            "agent_id": agent.agent_id,
            "agent_profile_id": agent.profile_id,
            "job_id": agent.job_id,
            "own_profile": _plain(match["profile"]),
        }

    def _former_there(self, match: re.Match[str]) -> None:
        profile = self._agents.server.state.profiles.get(int(match["id"]))
        if profile is None or profile.agent_type != int(match["type"]):
            raise _thrown(_plain(match["message"]))

    def _same_profile(self, match: re.Match[str]) -> None:
        profile = self._agents.server.state.profiles.get(int(str(self._batch_values["agent_profile_id"])))
        is_own = profile is not None and profile.name == self._batch_values["own_profile"]
        if self._batch_values["agent_profile_id"] != int(match["id"]) and not is_own:
            raise _thrown(_plain(match["message"]))

    def _same_value(self, match: re.Match[str]) -> None:
        value = self.profile_value(match["parameter"])
        if str(self._batch_values["agent_profile_id"]) == match["old"]:
            return
        if value is not None and value not in _plains(match["allowed"]):
            raise _thrown(_plain(match["message"]))

    def _read_starts(self, match: re.Match[str]) -> None:
        statement = catalogue()["job_starts"]
        assert match["body"].replace("''", "'") == re.sub(r"(?m)^--.*\n?", "", statement.body.strip())
        rows = self.bench.server.run("job_starts", Place(self.here, "msdb"), {})
        named = [dict(zip(statement.column_names, row, strict=True)) for row in rows]
        self._starts = {str(row["job_id"]): row for row in named}

    def _can_start(self, match: re.Match[str]) -> None:
        start = self._starts.get(str(self._batch_values["job_id"]), {})
        if start.get(match["column"]) == 0:
            raise _thrown(_plain(match["message"]))

    def _read_step(self, match: re.Match[str]) -> None:
        assert match["body"].replace("''", "'") == re.sub(
            r"(?m)^--.*\n?", "", catalogue()["job_step_token"].body.strip()
        )
        values = {"job_id": str(self._batch_values["job_id"]), "parameter": _plain(match["parameter"])}
        rows = self.bench.server.run("job_step_token", Place(self.here, "msdb"), values)
        assert rows, "the lab's jobs have a step of their agent"
        self._steps[match["step"]] = (None if rows[0][1] is None else str(rows[0][1]), int(str(rows[0][2])))

    def _one_step(self, match: re.Match[str]) -> None:
        assert match["step"] in self._steps

    def _named_once(self, match: re.Match[str]) -> None:
        value, occurrences = self._steps[match["step"]]
        if occurrences > 1 or (occurrences == 1 and value is None):
            raise _thrown(_plain(match["message"]))

    def _same_step(self, match: re.Match[str]) -> None:
        if (self._steps[match["step"]][0] or "") not in _plains(match["allowed"]):
            raise _thrown(_plain(match["message"]))

    def _before(self, match: re.Match[str]) -> None:
        self.shown.append(("before", _plain(match["parameter"]), self.read(match)))

    def _check_only(self, match: re.Match[str]) -> None:
        if match["apply"] != "yes":
            self._end_batch(match)
            self._say(match)

    def _keep(self, _match: re.Match[str]) -> None:
        values = self._batch_values
        kept = {name: values[name] for name in ("agent_name", "agent_id", "job_id")}
        self._checked = {**kept, "profile_id": values["agent_profile_id"], "done": 0}

    def _after_all(self, match: re.Match[str]) -> None:
        checked = self._checked or {}
        if (checked.get("agent_name"), checked.get("done")) != (_plain(match["agent"]), int(match["done"])):
            self._say(match)

    def _use(self, match: re.Match[str]) -> None:
        self._database = match["database"]

    def _done(self, match: re.Match[str]) -> None:
        assert self._checked
        self._checked["done"] = int(match["done"])

    def _restart(self, match: re.Match[str]) -> None:
        assert self._checked
        job = {"job_id": self._checked["job_id"]}
        [(_name, _enabled, is_running, _since)] = self.bench.server.run("job_activity", Place(self.here, "msdb"), job)
        if is_running:
            self._run("stop_job", job)
            self.bench.target.clock.sleep(30)
            self._run("start_job", job)
        elif otherwise := re.search(rf"ELSE\n    PRINT (?P<said>{_TEXT});", match.group()):
            self.printed.append(_plain(otherwise["said"]))

    def _look(self, match: re.Match[str]) -> None:
        agent = self.agent(_plain(match["agent"]))
        assert agent is not None
        self._batch_values |= {"agent_profile_id": agent.profile_id, "job_id": agent.job_id}

    def _now(self, match: re.Match[str]) -> None:
        self._batch_values[match["value"]] = self.read(match) or ""

    def _after(self, match: re.Match[str]) -> None:
        self.shown.append(("after", _plain(match["parameter"]), str(self._batch_values[match["value"]])))

    def _required(self, match: re.Match[str]) -> None:
        if self._batch_values[match["value"]] != _plain(match["wanted"]):
            raise _thrown(_plain(match["message"]))

    def _end(self, match: re.Match[str]) -> None:
        if len(self._ended) != int(match["count"]):
            raise _thrown(_plain(match["message"]))
        self.printed.append(_plain(match["done"] if match["apply"] == "yes" else match["checked"]))

    def _say(self, match: re.Match[str]) -> None:
        self.printed.append(_plain(match["said"]))
        raise _Return


def _plain(text: str) -> str:
    return text[2:-1].replace("''", "'")


def _plains(texts: str) -> list[str]:
    return [_plain(text) for text in re.findall(_TEXT, texts)]


_RESTART: Final = re.sub(r"(?m)^--.*\n?", "", restart_if_running(JOB_ID))
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[Sqlcmd, re.Match[str]], None]], ...]] = tuple(
    (re.compile(pattern), act)
    for pattern, act in (
        (
            rf"IF N'(?P<mode>[^']*)' <> N'on'\nBEGIN\n    RAISERROR\((?P<message>{_TEXT}), 16, 127\);\n"
            r"    SET NOEXEC ON;\nEND;\n",
            Sqlcmd._mode,
        ),
        (rf"IF N'(?P<given>[^']*)' NOT IN \((?P<allowed>[^)]*)\){_THROW}", Sqlcmd._one_of),
        (
            r"IF OBJECT_ID\(N'tempdb\.\.#replitune_ended'\) IS NOT NULL\n    DROP TABLE #replitune_ended;\n"
            r"CREATE TABLE #replitune_ended \(batch int\);\n",
            Sqlcmd._make_room,
        ),
        (_ENDED, Sqlcmd._end_batch),
        (rf"IF N'(?P<given>[^']*)' <> (?P<target>{_TEXT}){_ENDS}", Sqlcmd._for_target),
        (r"DBCC TRACESTATUS \((?P<flag>\d+), -1\) WITH NO_INFOMSGS;\n", Sqlcmd._flag_shown),
        (rf"PRINT (?P<said>{_TEXT});\n", Sqlcmd._printed),
        (
            r"IF (?P<not>NOT )?EXISTS \(SELECT 1 FROM msdb\.dbo\.MSagent_parameters AS former\n"
            rf" +WHERE {_FORMER}\){_COUNTED}",
            Sqlcmd._former_names,
        ),
        (
            r"IF EXISTS \(SELECT 1 FROM msdb\.dbo\.MSagent_parameters AS own\n"
            rf" +WHERE own\.profile_id = {_PROFILE_ID}\n +AND \((?P<pairs>[^;]*?)\)\){_COUNTED}",
            Sqlcmd._other_is_there,
        ),
        (
            r"IF ISNULL\(IS_SRVROLEMEMBER\(N'sysadmin'\), 0\) <> 1\nBEGIN\n"
            r"    PRINT CONCAT\(N'ALTER SERVER ROLE sysadmin ADD MEMBER ', QUOTENAME\(SUSER_SNAME\(\)\), N';'\);"
            rf"{_THROW}END;\n",
            Sqlcmd._right,
        ),
        (
            r"IF CONVERT\(nvarchar\(128\), SERVERPROPERTY\(N'ServerName'\)\) <> " + rf"(?P<server>{_TEXT}){_THROW}",
            Sqlcmd._server,
        ),
        (
            r"IF OBJECT_ID\(N'tempdb\.\.#replitune_agent'\) IS NOT NULL\n    DROP TABLE #replitune_agent;\n"
            r"CREATE TABLE #replitune_agent \([^()]*\([^()]*\)[^()]*\);\n",
            Sqlcmd._forget,
        ),
        (
            r"SET NOCOUNT ON;\nSET XACT_ABORT ON;\n"
            rf"DECLARE @agent_name nvarchar\(256\) = (?P<agent>{_TEXT});\n"
            rf"DECLARE @own_profile sysname = (?P<profile>{_TEXT});\n"
            r"DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar\(400\);\n"
            r"SELECT @agent_id = agent\.id, @agent_profile_id = agent\.profile_id,\n"
            r" +@job_id = CONVERT\(uniqueidentifier, agent\.job_id\)\n"
            r"FROM \[distribution\]\.dbo\.MS\w+_agents AS agent\n"
            rf"WHERE agent\.name = @agent_name AND agent\.publisher_db = (?P<published>{_TEXT});\n"
            r"IF @agent_id IS NULL\nBEGIN\n    SET @message = [^;]*;\n    THROW 50000, @message, 127;\nEND;\n",
            Sqlcmd._find,
        ),
        (
            r"IF NOT EXISTS \(SELECT 1 FROM msdb\.dbo\.MSagent_profiles AS profile\n"
            r" +WHERE profile\.profile_id = (?P<id>\d+) AND profile\.agent_type = (?P<type>\d)\)" + _THROW,
            Sqlcmd._former_there,
        ),
        (
            r"IF @agent_profile_id <> (?P<id>\d+)\n"
            r"   AND NOT EXISTS \(SELECT 1 FROM msdb\.dbo\.MSagent_profiles AS profile\n"
            r" +WHERE profile\.profile_id = @agent_profile_id AND profile\.profile_name = @own_profile\)" + _THROW,
            Sqlcmd._same_profile,
        ),
        (
            r"IF EXISTS \(SELECT 1 FROM msdb\.dbo\.MSagent_parameters AS own\n"
            rf" +WHERE own\.profile_id = @agent_profile_id(?: AND own\.profile_id <> (?P<old>\d+))?"
            rf" AND own\.parameter_name = (?P<parameter>{_TEXT})\n"
            rf" +AND own\.value NOT IN \((?P<allowed>[^)]*)\)\){_THROW}",
            Sqlcmd._same_value,
        ),
        (
            r"DECLARE @step_(?P<step>\d+) table \([^\n]*\);\nINSERT INTO @step_(?P=step) \([^\n]*\)\n"
            r"EXEC sys\.sp_executesql @stmt = N'(?P<body>(?:[^']|'')*)',\n    @params = N'[^']*', @job_id = @job_id, "
            rf"@parameter = (?P<parameter>{_TEXT});\n",
            Sqlcmd._read_step,
        ),
        (
            r"DECLARE @starts table \([^\n]*\);\nINSERT INTO @starts \([^\n]*\)\n"
            r"EXEC sys\.sp_executesql @stmt = N'(?P<body>(?:[^']|'')*)';\n",
            Sqlcmd._read_starts,
        ),
        (
            r"IF EXISTS \(SELECT 1 FROM @starts AS start\n"
            rf" +WHERE start\.job_id = CONVERT\(nvarchar\(36\), @job_id\) AND start\.(?P<column>\w+) = 0\){_THROW}",
            Sqlcmd._can_start,
        ),
        (rf"IF NOT EXISTS \(SELECT 1 FROM @step_(?P<step>\d+) AS step\){_THROW}", Sqlcmd._one_step),
        (
            r"IF EXISTS \(SELECT 1 FROM @step_(?P<step>\d+) AS step\n"
            rf" +WHERE step\.occurrences > 1 OR \(step\.occurrences = 1 AND step\.value IS NULL\)\){_THROW}",
            Sqlcmd._named_once,
        ),
        (
            r"IF EXISTS \(SELECT 1 FROM @step_(?P<step>\d+) AS step "
            rf"WHERE ISNULL\(step\.value, N''\) NOT IN \((?P<allowed>[^)]*)\)\){_THROW}",
            Sqlcmd._same_step,
        ),
        (
            rf"SELECT N'before' AS moment, @agent_name AS agent, (?P<parameter>{_TEXT}) AS parameter,\n"
            rf" +\((?:{_STEP}|{_OWN})\) AS value;\n",
            Sqlcmd._before,
        ),
        (rf"IF NOT \(N'(?P<apply>[^']*)' = N'yes'\){_ENDS}", Sqlcmd._check_only),
        (
            r"INSERT INTO #replitune_agent \(agent_name, agent_id, profile_id, job_id, done\)\n"
            r"VALUES \(@agent_name, @agent_id, @agent_profile_id, @job_id, 0\);\n",
            Sqlcmd._keep,
        ),
        (
            r"IF NOT EXISTS \(SELECT 1 FROM #replitune_agent AS checked\n"
            rf" +WHERE checked\.agent_name = (?P<agent>{_TEXT}) AND checked\.done = (?P<done>\d+)\){_SAID}",
            Sqlcmd._after_all,
        ),
        (r"USE \[(?P<database>\w+)\];\n", Sqlcmd._use),
        (r"UPDATE #replitune_agent SET done = (?P<done>\d+);\n", Sqlcmd._done),
        (re.escape(_RESTART), Sqlcmd._restart),
        (
            rf"DECLARE @agent_name nvarchar\(256\) = (?P<agent>{_TEXT});\n"
            r"DECLARE @job_id uniqueidentifier = \(SELECT checked\.job_id FROM #replitune_agent AS checked\);\n"
            r"DECLARE @agent_profile_id int = \(SELECT agent\.profile_id\n"
            r"    FROM \[distribution\]\.dbo\.MS\w+_agents AS agent WHERE agent\.id = "
            r"\(SELECT checked\.agent_id FROM #replitune_agent AS checked\)\);\n",
            Sqlcmd._look,
        ),
        (
            rf"DECLARE @(?P<value>value_\d+) nvarchar\(255\) = ISNULL\(\((?:{_STEP}|{_OWN})\), N''\);\n",
            Sqlcmd._now,
        ),
        (
            rf"SELECT N'after' AS moment, @agent_name AS agent, (?P<parameter>{_TEXT}) AS parameter,\n"
            rf" +@(?P<value>value_\d+) AS value, (?:{_TEXT}|NULL) AS expected;\n",
            Sqlcmd._after,
        ),
        (rf"IF @(?P<value>value_\d+) <> (?P<wanted>{_TEXT}){_THROW}", Sqlcmd._required),
        (
            r"IF \(SELECT COUNT\(DISTINCT ABS\(ended\.batch\)\) FROM #replitune_ended AS ended\) <> "
            rf"(?P<count>\d+){_THROW}"
            rf"IF N'(?P<apply>[^']*)' = N'yes'\n    PRINT (?P<done>{_TEXT});\nELSE\n    PRINT (?P<checked>{_TEXT});\n",
            Sqlcmd._end,
        ),
    )
)
