"""What reports and scripts say of a turnstile: the SystemParts port."""

from collections.abc import Sequence
from typing import Final

from app.domain.finding import Finding
from app.domain.session import Environment, SessionRecord
from app.reporting.document.wording import is_change, plain
from app.reporting.render.blocks import Block, Column, Heading, Table
from app.reporting.system_parts import ConditionWords, ScriptFiles, TellsChanges

from ..server import setting_scripts
from ..site import KNOBS, Turnstile, kept_turnstile

_FAMILY: Final = "turnstile_gates"


class TurnstileParts:
    """Settings of a turnstile in a hand-over."""

    conditions: tuple[ConditionWords, ...] = (ConditionWords("people", "{value} people"),)
    order_of_trials: str = "Settings are run in blocks, each in an order of its own."
    files: ScriptFiles = ScriptFiles(
        "apply_turnstile.sql",
        "rollback_turnstile.sql",
        "Sets the recommended values of the turnstile.",
        "Takes apply_turnstile.sql back.",
        applies="sets the turnstile",
        takes_back="takes it back",
    )

    def environment_blocks(self, environment: Environment) -> list[Block]:
        """Return the settings that were in effect."""
        found = kept_turnstile(environment)
        if found is None:
            return []
        rows = tuple((setting.name, setting.value, setting.default) for setting in found.settings)
        columns = (Column("Setting"), Column("In effect", "right"), Column("Default", "right"))
        return [Heading(f"Turnstile at {found.server.name}", minor=True), Table(columns, rows, small=True)]

    def shared_blocks(self, environments: Sequence[Environment]) -> list[Block]:
        """Return nothing: what was read stands with each target."""
        return []

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values of a setting that were in effect, each once."""
        found = [turnstile.by_name.get(finding.parameter) for turnstile in _turnstiles(session)]
        return tuple(dict.fromkeys(setting.value for setting in found if setting is not None))

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding changes a setting."""
        return finding.family == _FAMILY and is_change(finding) and finding.parameter in {k.name for k in KNOBS}

    def core(self, finding: Finding, session: SessionRecord) -> tuple[str, str]:
        """Return the scripts that set it and put it back."""
        return _scripts([finding], session, is_rollback=False), _scripts([finding], session, is_rollback=True)

    def script(
        self, findings: Sequence[Finding], session: SessionRecord, tells: TellsChanges, *, is_rollback: bool
    ) -> str:
        """Return the scripts of all findings; those that take back in reverse order."""
        own = [finding for finding in findings if self.takes(finding)]
        return _scripts(own[::-1] if is_rollback else own, session, is_rollback=is_rollback)


def _turnstiles(session: SessionRecord) -> list[Turnstile]:
    found = (kept_turnstile(environment) for environment in session.environments)
    return [turnstile for turnstile in found if turnstile is not None]


def _scripts(findings: Sequence[Finding], session: SessionRecord, *, is_rollback: bool) -> str:
    parts: list[str] = []
    for turnstile in _turnstiles(session):
        for finding in findings:
            before, name = turnstile.by_name[finding.parameter].value, finding.parameter
            value = before if is_rollback or finding.to_value is None else plain(finding.to_value)
            parts.append(setting_scripts(f"{name} {value}", turnstile.server.name, name, value))
    return "\n".join(parts)


HAND_OVER: Final = TurnstileParts()
