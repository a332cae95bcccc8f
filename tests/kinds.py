"""What the facts of every system of the program mean, for rule packs in tests."""

from typing import Final

from app.bootstrap import load_systems
from app.domain.facts import FactKinds
from app.domain.system import fact_kinds

KINDS: Final[FactKinds] = fact_kinds(load_systems().values())
