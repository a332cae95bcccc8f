"""No statement is idle: each is named by code that something outside leads to."""

import pytest

from app.drivers.oracle.catalogue import catalogue as oracle_catalogue
from app.drivers.sqlserver.catalogue import catalogue as sqlserver_catalogue
from app.systems.oracle_streams.pipeline import Technology
from app.systems.oracle_streams.server.views import variant
from tests.contract.statements.reach import DRIVERS, is_sent, pieces_of, reached, sent_by

VARIANTS = [variant("", technology) for technology in Technology if variant("", technology)]
CATALOGUES = {"oracle": oracle_catalogue(), "sqlserver": sqlserver_catalogue()}


def test_each_engine_is_looked_at() -> None:
    """Every engine there is has its catalogue here."""
    assert set(CATALOGUES) == {path.parent.name for path in DRIVERS.glob("*/catalogue.py")}


def _named_as(name: str) -> set[str]:
    """Return how code may name a statement: as it is, or without the ending for a technology, which is added."""
    return {name, *(name.removesuffix(ending) for ending in VARIANTS)}


@pytest.mark.prove
@pytest.mark.parametrize("engine", CATALOGUES)
def test_no_statement_is_idle(engine: str) -> None:
    """The program can send each statement of a catalogue."""
    sent = sent_by(engine)
    idle = {name for name in CATALOGUES[engine] if not any(is_sent(named, sent) for named in _named_as(name))}
    assert not idle


def test_what_only_names_itself_is_idle() -> None:
    """A method nobody names is not reached; a column read by a name is no statement."""
    used = """
class Adapter:
    def read(self):
        return self._own()[0].whole("column")

    def _own(self):
        return self._session.run("statement", f"set_{kind}")

    def forgotten(self):
        return self._session.run("idle")
"""
    engine, outside = DRIVERS / "any" / "adapter.py", DRIVERS.parent / "services" / "reading.py"
    pieces = [*pieces_of(engine, used), *pieces_of(outside, "def look(adapter):\n    return adapter.read()\n")]
    texts = {text for piece in reached(pieces) for text in piece.texts}
    assert is_sent("statement", texts)
    assert is_sent("set_value", texts)
    assert not is_sent("column", texts)
    assert not is_sent("idle", texts)
