"""Recommendations as scripts a DBA runs without this program, and the port to the systems that write them.

Whoever writes a script knows the parameter: a report joins the parts that each system's `ScriptWriter` makes, and knows
none of their languages. As handed over a script only checks; one edited line applies it, and it ends with code 0 only
where every batch came to its end.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.foundation.texts import _

_LONGEST_NAME: Final = 128
_LONGEST_ALIAS: Final = 60
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_DIGEST: Final = 6


def own_name(of: str) -> str:
    """Return the name of an object that a script creates beside the client's own, cut to 128 characters.

    That is the limit of SQL Server's sysname, the shortest of the servers known.
    """
    return f"Replitune advice {of}"[:_LONGEST_NAME]


@dataclass(frozen=True)
class Recommendation:
    """A finding that recommends another value, with the report's words for it.

    Attributes:
        new: the recommended value as it is typed.
        change: the change as it is carried out, from the value in effect.
        note: how the value in effect stands to what was measured, "" where that is the baseline or is not known.
        conditions: what it was measured under, in short, "" where nothing is known.
    """

    finding: Finding
    new: str
    change: str
    note: str = ""
    conditions: str = ""


@dataclass(frozen=True)
class ScriptFiles:
    """A script with the one that takes it back; systems whose scripts the same tool runs share them.

    Attributes:
        apply, rollback: names of the files.
        purpose, rollback_purpose: what each does, one sentence.
        applies, takes_back: the same in a few words.
        between: what stands between two parts of a script.
        server: whose they are, "" where it is not known.
        decision: number of the decision they carry out, 0 for none.
        has_mark: names beyond ASCII are told by a byte order mark, by which the tool that runs them knows the encoding.
        command: the command line that runs one, with `{server}` and `{file}` in it, "" where there is none.
        switch: the line that is edited to apply, which holds "no" for "yes"; "" where it applies as it is.
        before, verify: names of the scripts that read the state to be noted ahead of the change, and held against
            it afterwards; "" where there are none.
    """

    apply: str
    rollback: str
    purpose: str
    rollback_purpose: str
    applies: str
    takes_back: str
    between: str = "\n"
    has_mark: bool = True
    server: str = ""
    decision: int = 0
    command: str = ""
    switch: str = ""
    before: str = ""
    verify: str = ""

    def with_looks(self) -> "ScriptFiles":
        """Return the files with a script that reads the state before, and one afterwards."""
        before, verify = (self.apply.replace("apply", name, 1) for name in ("before", "verify"))
        return replace(self, before=before, verify=verify)

    def without_looks(self) -> "ScriptFiles":
        """Return the files without these."""
        return replace(self, before="", verify="")

    def of(self, decision: int) -> "ScriptFiles":
        """Return the files for one decision, by its number: a change is made, and taken back, without any other."""
        return replace(self.ending(f"-{decision}"), decision=decision)

    def at(self, server: str) -> "ScriptFiles":
        """Return the files for one server, with a safe alias of its name in theirs; the same for an unknown one."""
        return replace(self.ending(f"-{_alias_of(server)}"), server=server) if server else self

    def ending(self, end: str) -> "ScriptFiles":
        """Return the files whose names end so before ".sql", with descriptions to match."""
        apply, rollback, before, verify = (
            name.replace(".sql", f"{end}.sql") for name in (self.apply, self.rollback, self.before, self.verify)
        )
        purpose, takes_back = (text.replace(self.apply, apply) for text in (self.rollback_purpose, self.takes_back))
        return replace(
            self,
            apply=apply,
            rollback=rollback,
            rollback_purpose=purpose,
            takes_back=takes_back,
            before=before,
            verify=verify,
        )

    def command_for(self, name: str) -> str:
        """Return the command line that runs one of the files, its name alone where there is none."""
        return (self.command or "{file}").format(server=self.server or "<server>", file=name)

    @property
    def told(self) -> dict[str, str]:
        """Return the names of the files with a short description of each, in the order they are run."""
        read = {self.before: _("reads the state before"), self.verify: _("reads the state afterwards")}
        done = {self.apply: self.applies, self.rollback: self.takes_back}
        names = (self.before, self.apply, self.verify, self.rollback)
        return {name: (read | done)[name] for name in names if name}


def _alias_of(server: str) -> str:
    """Return a name as a part of a file's, which no other server has: the script of one would replace another's.

    An instance stands behind two underscores, `DIST1__SALES`. What else is replaced or cut is told apart by a digest.
    """
    spelled = server.replace("\\", "__", 1)
    alias = _UNSAFE.sub("_", spelled).strip("_.")[:_LONGEST_ALIAS]
    if alias == spelled and "__" not in server:
        return alias
    return f"{alias}-{hashlib.sha256(server.encode()).hexdigest()[:_DIGEST]}".lstrip("-")


@dataclass(frozen=True)
class ScriptPart:
    """A system's part of a script; blocks are finished texts in the order they are run.

    Attributes:
        where: how and where they are to be run and by whom, one sentence each.
        checks: what a block checks before it changes something; no more than it does.
        notes: what else is to be known before, one sentence each.
        preamble: what stands ahead of all blocks.
        ending: what stands behind all blocks, and says whether all came to their end.
    """

    blocks: tuple[str, ...]
    where: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    preamble: tuple[str, ...] = ()
    ending: tuple[str, ...] = ()


class ScriptWriter(Protocol):
    """Writes the recommendations for one system's parameters: how each is set, checked and undone."""

    def files(self) -> ScriptFiles:
        """Return which files its parts stand in."""
        ...

    def takes(self, finding: Finding) -> bool:
        """Tell whether a recommended change is one of this system's parameters that a script sets."""
        ...

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values of a finding's parameter in effect where it was measured, each once; () where unknown."""
        return ()

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return the servers that get each value, each once; "" stands for one that is not known.

        Args:
            every: all recommendations it takes.
        """
        ...

    def write(
        self,
        chosen: Sequence[Recommendation],
        every: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return the blocks that carry out recommendations of one decision at one server, or undo them and leave the
        others.

        Args:
            chosen: what is changed together there.
            every: all recommendations it takes, the chosen ones among them.
            files: at one of the servers of these.
        """
        ...

    def look(
        self,
        chosen: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        expected: Sequence[str],
        *,
        is_after: bool,
    ) -> ScriptPart:
        """Return the blocks that read the state of one decision's places at one known server; none where none is known.

        Args:
            expected: what was measured of the state, one sentence each.
            is_after: the change is made: it ends with an error where a value is another one.
        """
        return ScriptPart(())


def common_files() -> ScriptFiles:
    """Return the files every hand-over has, whether or not something is to be set."""
    return ScriptFiles(
        "apply.sql",
        "undo.sql",
        _("Sets the recommended values."),
        _("Undoes apply.sql."),
        applies=_("sets the values"),
        takes_back=_("undoes apply.sql"),
    )
