"""The rules the program ships, read once for all tests of a process."""

from typing import Final

from app.advice import Pack, Rule, load_packs
from app.foundation.paths import rules_root
from app.services.explain.advising import Advisor
from tests.kinds import KINDS
from tests.labs import FAMILIES

PACKS: Final[tuple[Pack, ...]] = load_packs((rules_root(),), tuple(FAMILIES), KINDS)
RULES: Final[tuple[Rule, ...]] = tuple(rule for pack in PACKS for rule in pack.rules)
ADVISOR: Final = Advisor(FAMILIES, PACKS)
