"""What reports and scripts say of a turnstile: the SystemParts port."""

from typing import Final

from app.drivers.sqlserver.parameter_scripts import ParameterScripts
from app.reporting.found_parts import FoundParts
from app.reporting.system_parts import ConditionWords
from app.systems.turnstile.settings import TURNSTILE
from app.systems.turnstile.system import SYSTEM


class TurnstileParts(FoundParts):
    """Settings of a turnstile in a hand-over."""

    system = SYSTEM
    conditions = (ConditionWords("people", "{value} people"),)
    order_of_trials = "Settings are run in blocks, each in an order of its own."
    writer = ParameterScripts(TURNSTILE, SYSTEM.keeps.of)


HAND_OVER: Final = TurnstileParts()
