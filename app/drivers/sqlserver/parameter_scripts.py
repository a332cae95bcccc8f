"""Scripts of recommended values of declared parameters: a batch that acts at its own server only, and checks first."""

from collections.abc import Callable, Mapping, Sequence

from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, ScriptWriter
from app.domain.session import Environment, SessionRecord
from app.drivers.sqlserver.executor import given
from app.drivers.sqlserver.parameters import DeclaredParameters, TunedServer
from app.drivers.sqlserver.scripts import (
    batch_files,
    came_to_its_end,
    how_to_run,
    identifier,
    only_at_server,
    unless_check_only,
    whole_script,
    with_values,
)
from app.foundation.script_text import comment
from app.foundation.texts import _


class ParameterScripts(ScriptWriter):
    """Writes a script for each parameter at each server that was measured.

    Args:
        kept: returns what a session kept of a server.
    """

    def __init__(self, declared: DeclaredParameters, kept: Callable[[Environment], TunedServer | None]) -> None:
        self._declared = declared
        self._kept = kept

    def files(self) -> ScriptFiles:
        """Return the files every hand-over has, run by sqlcmd."""
        return batch_files()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding is about one of the parameters."""
        return finding.parameter in self._declared.changes

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values of a parameter that were in effect, each once."""
        return tuple(dict.fromkeys(str(found.value_of(finding.parameter)) for found in self._found(session)))

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return every server that was measured."""
        names = tuple(found.server.name for found in self._found(session))
        return {one.finding: names for one in every if names}

    def write(
        self,
        chosen: Sequence[Recommendation],
        every: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return a batch for each parameter at one server, in reverse order where it is a rollback."""
        found = [one for one in self._found(session) if one.server.name == files.server]
        names = {one.finding.parameter: one.new for one in (reversed(chosen) if is_rollback else chosen)}
        values = [
            (name, str(one.value_of(name)) if is_rollback else new) for one in found for name, new in names.items()
        ]
        ahead, behind = whole_script(len(values))
        return ScriptPart(
            tuple(self._batch(n, files.server, name, value) for n, (name, value) in enumerate(values, start=1)),
            where=(how_to_run(files.rollback if is_rollback else files.apply, files.server),),
            checks=(_("It stops on any server but its own."),),
            preamble=ahead,
            ending=behind,
        )

    def _batch(self, number: int, server: str, name: str, value: str) -> str:
        calls = self._declared.calls(server, name, value)
        checked = _("Checked only: this is the right server; nothing was changed.")
        return "\n".join(
            (
                comment(f"{number}. {server}: {name} {value}"),
                f"USE {identifier(calls[0].at.database)};\nGO",
                only_at_server(server).rstrip(),
                unless_check_only(checked, number).rstrip(),
                *(with_values(call.statement, given(call)).strip() for call in calls),
                came_to_its_end(number) + "GO",
            )
        )

    def _found(self, session: SessionRecord) -> list[TunedServer]:
        found = (self._kept(environment) for environment in session.environments)
        return list({one.server.name: one for one in found if one is not None}.values())
