"""What reports and scripts say of a turnstile: the SystemParts port."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.decision import ChangeEffort
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, ScriptWriter
from app.domain.session import Environment, SessionRecord
from app.reporting.blocks import Block, Heading
from app.reporting.printed import printed
from app.reporting.system_parts import ConditionWords

from ..server import setting_script
from ..site import PARAMETERS, Turnstile, kept_turnstile
from ..tables import settings_table

_FAMILY: Final = "turnstile_gates"


class TurnstileScripts:
    """Writes one script for each setting of each turnstile."""

    def files(self) -> ScriptFiles:
        """Return files of its own: no tool for databases runs them."""
        return ScriptFiles(
            "apply_turnstile.sql",
            "rollback_turnstile.sql",
            "Sets the recommended values of the turnstile.",
            "Takes apply_turnstile.sql back.",
            applies="sets the turnstile",
            takes_back="takes it back",
        )

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding is about a setting."""
        return finding.family == _FAMILY and finding.parameter in {k.name for k in PARAMETERS}

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values of a setting that were in effect, each once."""
        found = [turnstile.by_name.get(finding.parameter) for turnstile in _turnstiles(session)]
        return tuple(dict.fromkeys(setting.value for setting in found if setting is not None))

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return none by name: one script is for all."""
        return {one.finding: ("",) for one in every} if _turnstiles(session) else {}

    def write(
        self,
        chosen: Recommendation,
        _every: Sequence[Recommendation],
        session: SessionRecord,
        _files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return the scripts of one recommendation, for all turnstiles."""
        return ScriptPart(tuple(_scripts(chosen, session, is_rollback=is_rollback)))


class TurnstileParts:
    """Settings of a turnstile in a hand-over."""

    conditions: tuple[ConditionWords, ...] = (ConditionWords("people", "{value} people"),)
    order_of_trials: str = "Settings are run in blocks, each in an order of its own."
    writer: ScriptWriter = TurnstileScripts()

    def change_effort(self, finding: Finding, session: SessionRecord) -> ChangeEffort:
        """Return what a setting asks for: nobody waits."""
        places = tuple(turnstile.server.name for turnstile in _turnstiles(session))
        return ChangeEffort(places, f"1 setting: {finding.parameter}", "None.", "The display shows the value.")

    def environment_blocks(self, environment: Environment, _varied: frozenset[str]) -> list[Block]:
        """Return the settings that were in effect."""
        found = kept_turnstile(environment)
        if found is None:
            return []
        return [Heading(f"Turnstile at {found.server.name}", minor=True), printed(settings_table(found.settings))]

    def shared_blocks(self, environments: Sequence[Environment], varied: frozenset[str]) -> list[Block]:
        """Return nothing: what was read stands with each target."""
        return []


def _turnstiles(session: SessionRecord) -> list[Turnstile]:
    found = (kept_turnstile(environment) for environment in session.environments)
    return [turnstile for turnstile in found if turnstile is not None]


def _scripts(recommendation: Recommendation, session: SessionRecord, *, is_rollback: bool) -> list[str]:
    texts: list[str] = []
    name = recommendation.finding.parameter
    for turnstile in _turnstiles(session):
        value = turnstile.by_name[name].value if is_rollback else recommendation.new
        texts.append(setting_script(f"{name} {value}", turnstile.server.name, name, value))
    return texts


HAND_OVER: Final = TurnstileParts()
