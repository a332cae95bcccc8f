"""sqlcmd's own part of a script: its commands, its variables, what ends it, and the code it leaves with.

As https://learn.microsoft.com/en-us/sql/tools/sqlcmd/sqlcmd-utility has it: a `:setvar` wins over `-v`, and that over
the environment; a variable that is not set is a fatal error; -x leaves `$(name)` as it is; `-b` and `:on error exit`
end it at the first error, with code 1, and state 127 ends it without either.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

_SETVAR: Final = re.compile(r':setvar\s+(?P<name>\w+)(?:\s+(?:"(?P<quoted>.*)"|(?P<bare>\S+)))?', re.IGNORECASE)
_ON_ERROR: Final = re.compile(r":on error (?P<what>exit|ignore)", re.IGNORECASE)
_GO: Final = re.compile(r"GO(?:\s+(?P<times>\d+))?\s*", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"\$\((\w+)\)")

CODE_OF_ERROR: Final = 1
SWITCHED_ON: Final = "SET NOEXEC OFF;\n"
"""What ends, also where it came from another script, that a connection executes no batch but this."""


class BatchError(Exception):
    """The server ended a batch with an error."""

    def __init__(self, message: str, state: int = 1, number: int = 50000) -> None:
        super().__init__(message)
        self.state = state
        self.number = number


class _Fatal(Exception):
    """The script cannot be read on."""


@dataclass
class Options:
    """How a script is started.

    Attributes:
        variables: given by -v. environment: of the shell.
        aborts: -b. substitutes: without -x. has_commands: False in a query window without SQLCMD mode.
        heeds: False in a tool that goes on behind an error, whatever a script says.
    """

    variables: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    aborts: bool = True
    substitutes: bool = True
    has_commands: bool = True
    heeds: bool = True


def run(script: str, send: Callable[[str], None], options: Options) -> tuple[int, list[str]]:
    """Send each batch of a script; return the exit code and the errors met.

    Args:
        send: executes a batch; raises BatchError.
    """
    tool = _Sqlcmd(send, options)
    for line in [*script.splitlines(), "GO"]:
        if (code := tool.read(line)) is not None:
            return code, tool.errors
    return 0, tool.errors


class _Sqlcmd:
    """Reads a script line by line."""

    def __init__(self, send: Callable[[str], None], options: Options) -> None:
        self.errors: list[str] = []
        self._send, self._options = send, options
        self._variables = {
            name.casefold(): text for given in (options.environment, options.variables) for name, text in given.items()
        }
        self._exits = options.aborts
        self._batch: list[str] = []

    def read(self, line: str) -> int | None:
        """Read a line; return the code that the tool ends with, None where it goes on."""
        if self._options.has_commands and line.startswith(":"):
            self._command(line.strip())
            return None
        go = _GO.fullmatch(line)
        if go is None:
            try:
                self._batch.append(self._with_values(line))
            except _Fatal as error:
                self.errors.append(str(error))
                return CODE_OF_ERROR
            return None
        text, self._batch = "".join(f"{one}\n" for one in self._batch), []
        for _time in range(int(go["times"] or 1)) if text.strip() else ():
            if (code := self._executed(text)) is not None:
                return code
        return None

    def _command(self, line: str) -> None:
        setvar, on_error = _SETVAR.fullmatch(line), _ON_ERROR.fullmatch(line)
        if setvar is not None:
            text = setvar["bare"] if setvar["quoted"] is None else setvar["quoted"]
            self._variables.pop(setvar["name"].casefold(), None)
            if text is not None:
                self._variables[setvar["name"].casefold()] = text
        else:
            assert on_error is not None, f"no command of sqlcmd: {line}"
            self._exits = on_error["what"].casefold() == "exit"

    def _executed(self, text: str) -> int | None:
        try:
            if any(line.startswith(":") for line in text.splitlines()):
                raise BatchError("Incorrect syntax near ':'.", number=102)
            self._send(text)
        except BatchError as error:
            self.errors.append(str(error))
            if not self._options.heeds or not self._options.has_commands:
                return None
            if self._exits:
                return CODE_OF_ERROR
            return error.number if error.state == 127 else None
        return None

    def _with_values(self, line: str) -> str:
        is_read = self._options.has_commands and self._options.substitutes
        return _VARIABLE.sub(self._value, line) if is_read else line

    def _value(self, match: re.Match[str]) -> str:
        if match[1].casefold() not in self._variables:
            raise _Fatal(f"'{match[1]}' scripting variable not defined.")
        return self._variables[match[1].casefold()]
