"""What reports and scripts say of a system: its folder's `hand_over` exports it as `HAND_OVER`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from app.domain.finding import Finding
from app.domain.session import Environment, SessionRecord
from app.domain.setting import Value
from app.domain.system import System, in_order
from app.foundation.texts import _
from app.reporting.render.blocks import Block


@dataclass(frozen=True)
class ConditionWords:
    """How a condition of measurements is told.

    Attributes:
        text: with `{value}` for its value. one: the text for a value of 1, where that is another.
        short: the text beside a finding, "" where it is not told there.
        values: words for values that are words.
        usual: the value that is told nowhere; usual_in_short: the one not told beside a finding; None for none.
        is_link: it tells the place a finding holds at, as well as the name of the target does.
        goes_without_saying: it is not told beside a finding where experiment and link are.
    """

    name: str
    text: str
    one: str = ""
    short: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    usual: Value | None = None
    usual_in_short: Value | None = None
    is_link: bool = False
    goes_without_saying: bool = False


@dataclass(frozen=True)
class ScriptFiles:
    """A script with the one that takes it back; systems whose scripts the same tool runs share them.

    Attributes:
        apply, rollback: names of the files.
        purpose, rollback_purpose: what each does, one sentence.
        applies, takes_back: the same in a few words.
        has_mark: the files begin with a byte order mark, by which the tool that runs them knows their encoding.
    """

    apply: str
    rollback: str
    purpose: str
    rollback_purpose: str
    applies: str
    takes_back: str
    has_mark: bool = True


COMMON_FILES: Final = ScriptFiles(
    "apply.sql",
    "rollback.sql",
    _("Sets the recommended values."),
    _("Takes apply.sql back."),
    applies=_("sets the values"),
    takes_back=_("takes everything back"),
)
"""The files every hand-over has, whether or not something is to be set."""


class TellsChanges(Protocol):
    """How values in effect stand to what was measured; `document.in_effect.InEffect` of a session."""

    def note(self, finding: Finding) -> str:
        """Return it as a sentence, "" where the baseline was in effect or nothing is known."""
        ...

    def change(self, finding: Finding) -> str:
        """Return a change as it is carried out, from the value in effect."""
        ...


class SystemParts(Protocol):
    """What generic reporting asks of a system.

    Attributes:
        conditions: how its conditions are told, in the order they are told beside a finding.
        order_of_trials: how its trials are ordered where a winner is picked, and what is done before each.
        files: the script files its recommendations are written to.
    """

    conditions: tuple[ConditionWords, ...]
    order_of_trials: str
    files: ScriptFiles

    def environment_blocks(self, environment: Environment) -> list[Block]:
        """Return what was read of it on one target, [] where there is nothing."""
        ...

    def shared_blocks(self, environments: Sequence[Environment]) -> list[Block]:
        """Return what is told once for all targets of a session, after what was read on each."""
        ...

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values of a finding's parameter in effect where it was measured, each once; () where unknown."""
        ...

    def takes(self, finding: Finding) -> bool:
        """Tell whether a recommended change is one of its parameters that a script sets."""
        ...

    def core(self, finding: Finding, session: SessionRecord) -> tuple[str, str]:
        """Return the statements at the heart of both scripts, without guards, of a finding it takes."""
        ...

    def script(
        self, findings: Sequence[Finding], session: SessionRecord, tells: TellsChanges, *, is_rollback: bool
    ) -> str:
        """Return the script, "" where nothing is to be set; asked of a system with files of its own only."""
        ...


def parts_of(system: System) -> SystemParts:
    """Return what reports and scripts say of a system."""
    parts: SystemParts = system.load_hand_over()
    return parts


class _OfSystem(Protocol):
    @property
    def system(self) -> Any: ...


def systems_behind(families: Iterable[_OfSystem]) -> tuple[System, ...]:
    """Return the systems of families, in order."""
    return in_order({family.system.system_id: family.system for family in families}.values())
