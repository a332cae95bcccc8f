"""The settings of a turnstile as a table, described once for window, report and terminal."""

from collections.abc import Sequence

from app.domain.server import EffectiveParameter, differs
from app.domain.view import TableContent
from app.reporting.tables.parameters import ParameterLine, parameters_table


def settings_table(settings: Sequence[EffectiveParameter]) -> TableContent:
    """Return the settings in effect."""
    return parameters_table([ParameterLine(s, s.origin, stands_out=differs(s)) for s in settings])
