"""How a simulated server answers one statement."""

from collections.abc import Callable, Mapping

from app.domain.setting import Value
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell

Parameters = Mapping[str, Value]

Result = list[tuple[Cell, ...]]

Answer = Callable[[Place, Parameters], Result]
