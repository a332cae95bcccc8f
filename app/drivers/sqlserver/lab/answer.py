"""How a simulated server answers one statement."""

from collections.abc import Callable, Mapping

from app.domain.declared_change import EXPECTED
from app.domain.setting import Value
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell

Parameters = Mapping[str, Value]

Result = list[tuple[Cell, ...]]

Answer = Callable[[Place, Parameters], Result]


def meets(values: Parameters, value_now: Value) -> bool:
    """Tell whether what stands there is what a statement that compares expects; one that names nothing takes any."""
    expected = values.get(EXPECTED)
    return expected is None or expected == value_now
