"""A DBA's SQL*Plus on the lab: runs a script of recommended Oracle values block by block, as each form of it says."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.session import End
from tests.contract.oracle.lab_bench import Bench
from tests.contract.oracle.script_runs import flat, statement_of

_TEXT: Final = r"'(?:[^']|'')*'"
_SAID: Final = rf" DBMS_OUTPUT\.PUT_LINE\(a => (?P<said>{_TEXT})\); RETURN; END IF; "
_STOPPED: Final = rf" RAISE_APPLICATION_ERROR\(-20010, (?P<said>{_TEXT})\); END IF; "
_AT_ERRORS: Final = ("WHENEVER SQLERROR EXIT FAILURE ROLLBACK", "WHENEVER OSERROR EXIT FAILURE ROLLBACK")
_SETTINGS: Final = (*_AT_ERRORS, "SET DEFINE OFF", "SET DEFINE ON", "SET SERVEROUTPUT ON", "VARIABLE apply VARCHAR2(3)")
_ANSWER: Final = re.compile(r"&(\w+)")


class _Return(Exception):
    """The block ends here."""


@dataclass
class SqlPlus:
    """A connection to one of the lab's databases.

    Attributes:
        rights: kinds and names of what the login holds.
        here: the database's global name, "" for its own.
        defines: what DEFINE, or an answer, says of a variable.
        ran: names of the changing statements that were run. printed: what the blocks said.
        error: what ended the tool, "" for nothing; nothing behind it is read. code: what it left with.
    """

    bench: Bench
    end: End
    rights: frozenset[tuple[str, str]] = frozenset({("role", "DBA")})
    here: str = ""
    defines: Mapping[str, str] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    error: str = ""
    code: int | None = None
    _apply: str = ""
    _reading: str | None = None

    def run_script(self, script: str) -> None:
        """Run every block up to the first error; fails on a line or block of no form that is emitted."""
        exits = substitutes = False
        for part in re.split(r"(?m)^/\n", script):
            lines = [line for line in part.splitlines() if line and not line.startswith("--")]
            while lines and not lines[0].startswith(("DECLARE", "BEGIN")):
                line = lines.pop(0)
                if line == "EXIT SUCCESS":
                    self.code = 0
                    return
                mode = re.fullmatch(r"EXECUTE :apply := '(\w*)'", line)
                assert mode or line in _SETTINGS, line
                self._apply = mode[1] if mode else self._apply
                exits = exits or line == _AT_ERRORS[0]
                substitutes = line == "SET DEFINE ON" if line.startswith("SET DEFINE") else substitutes
            text = flat("\n".join(lines))
            try:
                self._block(_ANSWER.sub(lambda asked: self.defines[asked[1]], text) if substitutes else text)
            except OracleError as error:
                self.error = str(error)
                assert exits, "it would go on"
                self.code = 1
                return

    def _block(self, text: str) -> None:
        while text:
            form = next(((match, act) for pattern, act in _FORMS if (match := pattern.match(text))), None)
            if form is None:
                call, _end, text = text.partition("; ")
                self._change(f"{call};")
                continue
            match, act = form
            try:
                act(self, match)
            except _Return:
                return
            text = text[match.end() :]

    def _change(self, call: str) -> None:
        statement, binds = statement_of(f"BEGIN {call} END;")
        self.ran.append(statement.name)
        self.bench.server.run(statement, self.end, binds)

    # What each form does.

    def _holds(self, match: re.Match[str]) -> None:
        wanted = set(re.findall(r"\('(\w+)', '([^']+)'\)", match["wanted"]))
        if not wanted & self.rights:
            self.printed += [_plain(text) for text in re.findall(rf"=> ({_TEXT})", match["printed"])]
            self._stop(match)

    def _at(self, match: re.Match[str]) -> None:
        here = self.here or self.bench.server.state.database(self.end).database_name
        wanted = _plain(match["database"]) or match["instead"]
        if here != wanted:
            self._stop(match)

    def _read(self, match: re.Match[str]) -> None:
        name = "apply_parameter" if "dba_apply_parameters" in match["query"] else "capture_parameter"
        binds = {"process_name": match["process"], "parameter_name": match["parameter"]}
        body = catalogue()[name].body
        assert flat(re.sub(r":(\w+)", lambda bind: f"'{binds[bind[1]]}'", body)) == match["query"], match["query"]
        [(value, *_others)] = self.bench.server.run(catalogue()[name], self.end, binds)
        self._reading = None if value is None else str(value)

    def _same(self, match: re.Match[str]) -> None:
        if self._reading is not None and self._reading not in re.findall(r"'([^']*)'", match["allowed"]):
            self._stop(match)

    def _tell(self, match: re.Match[str]) -> None:
        self.printed.append(_plain(match["said"]) + (self._reading or "not shown"))

    def _check_only(self, match: re.Match[str]) -> None:
        if self._apply != "yes":
            self._say(match)

    def _chosen(self, match: re.Match[str]) -> None:
        if self._apply not in ("no", "yes"):
            self._stop(match)

    def _end(self, match: re.Match[str]) -> None:
        self.printed.append(_plain(match["done"] if self._apply == "yes" else match["checked"]))

    def _pass(self, _match: re.Match[str]) -> None:
        """Go on: the form does nothing by itself."""

    def _stop(self, match: re.Match[str]) -> None:
        raise OracleError.of_text(f"ORA-20010: {_plain(match['said'])}")

    def _say(self, match: re.Match[str]) -> None:
        self.printed.append(_plain(match["said"]))
        raise _Return


def _plain(text: str) -> str:
    return text[1:-1].replace("''", "'")


_RIGHTS: Final = re.escape(flat(catalogue()["privileges"].body))
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[SqlPlus, re.Match[str]], None]], ...]] = tuple(
    (re.compile(pattern), act)
    for pattern, act in (
        (
            rf"DECLARE held NUMBER; BEGIN SELECT COUNT\(\*\) INTO held FROM \( {_RIGHTS} \) owned "
            r"WHERE \(owned\.kind, owned\.name\) IN \((?P<wanted>.*?\))\); IF held = 0 THEN (?P<printed>.*?)"
            rf"RAISE_APPLICATION_ERROR\(-20010, (?P<said>{_TEXT})\); END IF; END;",
            SqlPlus._holds,
        ),
        (rf"BEGIN IF NVL\(:apply, 'neither'\) NOT IN \('no', 'yes'\) THEN{_STOPPED}END;$", SqlPlus._chosen),
        (r"DECLARE here global_name\.global_name%TYPE; found VARCHAR2\(4000\); BEGIN ", SqlPlus._pass),
        (
            r"SELECT naming\.global_name INTO here FROM global_name naming; "
            rf"IF here <> (?:NVL\()?(?P<database>{_TEXT})(?:, '(?P<instead>\w+)'\))? THEN{_STOPPED}",
            SqlPlus._at,
        ),
        (
            r"SELECT MAX\(shown\.value\) INTO found FROM \( "
            r"(?P<query>SELECT .*?_name = '(?P<process>\w+)' AND shown\.parameter = '(?P<parameter>\w+)') \) shown; ",
            SqlPlus._read,
        ),
        (rf"IF found IS NOT NULL AND found NOT IN \((?P<allowed>[^)]*)\) THEN{_STOPPED}", SqlPlus._same),
        (rf"DBMS_OUTPUT\.PUT_LINE\(a => (?P<said>{_TEXT}) \|\| NVL\(found, 'not shown'\)\); ", SqlPlus._tell),
        (rf"IF NOT \(:apply = 'yes'\) THEN{_SAID}", SqlPlus._check_only),
        (r"END;$", SqlPlus._pass),
        (
            rf"BEGIN IF :apply = 'yes' THEN DBMS_OUTPUT\.PUT_LINE\(a => (?P<done>{_TEXT})\); "
            rf"ELSE DBMS_OUTPUT\.PUT_LINE\(a => (?P<checked>{_TEXT})\); END IF; END;$",
            SqlPlus._end,
        ),
    )
)
