"""Somebody sets a value between the reading and the sending of a set: the block itself leaves it, and it is told."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from app.domain.change import Change
from app.domain.declared_change import EXPECTED
from app.domain.errors import ChangedByOthers, ChangedMeanwhile
from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.systems.oracle_streams.lab_server.state import MEGABYTE
from tests.contract.oracle.lab_bench import Bench, change_everything, make_bench

COMPARING: Final = {name for name, one in catalogue().items() if any(bind.name == EXPECTED for bind in one.binds)}
OTHER_VALUES: Final[Mapping[str, Callable[[Mapping[str, BindValue]], BindValue]]] = {
    "value": lambda given: None if given["parameter_name"] == "_DYNAMIC_STMTS" else "3",
    "days": lambda _given: 365.0,
    "latency_s": lambda _given: 60.0,
    "size_bytes": lambda _given: 6 * 1024 * MEGABYTE,
}


class Between:
    """Comes ahead of the first comparing statement of one change, and sets another value by the same."""

    def __init__(self, bench: Bench, is_its_turn: Callable[[], bool]) -> None:
        self.bench = bench
        self.met = ""
        self.left: object = None
        self._is_its_turn = is_its_turn
        self._send = bench.transport.send
        vars(bench.transport)["send"] = self.send  # stands in front of it

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Set another value ahead of a comparing statement, once, then send what was to be sent."""
        if not self.met and self._is_its_turn() and EXPECTED in binds:
            self.met = statement.name
            others = {name: other(binds) for name, other in OTHER_VALUES.items() if name in binds}
            self.bench.server.run(statement, end, {**binds, **others, EXPECTED: None})
            self.left = self.bench.snapshot()
        return self._send(statement, end, binds)


def all_changes() -> tuple[Bench, list[Change]]:
    """Return a lab where every change a session can make was made, and those changes."""
    bench, made = make_bench(), list[Change]()
    change_everything(bench, made)
    return bench, made


def test_every_change_of_a_value_compares() -> None:
    """What sets a value that a DBA may set as well compares it; objects of the program's own need not."""
    own = {"create_load_table", "prepare_load_table", "set_load_instantiation"}
    setting = {name for name in catalogue() if name.startswith("set_")} | {"trace_on"}
    assert setting - own == COMPARING


@pytest.mark.parametrize("is_undo", [False, True], ids=["made", "put back"])
def test_what_somebody_set_between_reading_and_setting_stays(is_undo: bool) -> None:
    """Every block that compares is met by somebody who comes a moment before it; their value stands and is told."""
    met = {_disturb(number, is_undo=is_undo) for number in range(len(all_changes()[1]))} - {""}
    # a trace that was begun is ended, whoever asked for it as well
    assert met == COMPARING - ({"trace_on"} if is_undo else set())


def _disturb(number: int, *, is_undo: bool) -> str:
    """Have somebody come at one change; return the statement they met, "" where none compares."""
    if is_undo:
        bench, made = all_changes()
        between = Between(bench, lambda: True)
        said = _said(lambda: bench.target.changes.undo(made[number]))
    else:
        bench, made = make_bench(), []
        between = Between(bench, lambda: len(made) == number + 1)
        said = _said(lambda: change_everything(bench, made))
    if between.met:
        assert said is not None, made[number].subject
        assert "somebody else" in str(said)
        assert isinstance(said, ChangedMeanwhile) is not is_undo
        assert bench.snapshot() == between.left, made[number].subject
    return between.met


def _said(work: Callable[[], object]) -> ChangedByOthers | None:
    try:
        work()
    except ChangedByOthers as said:
        return said
    return None
