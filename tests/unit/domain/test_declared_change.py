"""A declared change, on a server that is a dictionary."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from app.domain.change import Change
from app.domain.declared_change import (
    Call,
    Declaration,
    Declared,
    Details,
    Run,
    Scope,
    Words,
    changed_by_others,
    reads_otherwise,
)
from app.domain.errors import ChangedByOthers, ChangedMeanwhile, VerificationFailed
from app.foundation.clock import Clock
from app.foundation.rows import Columns, Row
from tests.unit.runner.memory import MemoryClock


@dataclass
class Bench:
    """An executor on a dictionary; a value may show some looks after it was set."""

    values: dict[str, int] = field(default_factory=lambda: {"limit": 5})
    sent: list[str] = field(default_factory=list)
    clock: Clock = field(default_factory=MemoryClock)
    looks_until_shown: int = 0
    _coming: dict[str, int] = field(default_factory=dict)

    def begin(self, *, is_apply: bool) -> Run[str]:
        """Return what looks and sets."""
        return self._run

    def script(self, title: str, call: Call[str], *, is_undo: bool) -> str:
        """Return a call in one line."""
        return f"{title}: {call.statement} {call.values['value']} at {call.at}{' again' if is_undo else ''}\n"

    def _run(self, call: Call[str]) -> Sequence[Row]:
        self.sent.append(call.statement)
        if call.statement == "set":
            self._coming[call.at] = int(call.values["value"] or 0)
        elif self.looks_until_shown:
            self.looks_until_shown -= 1
        if not self.looks_until_shown:
            self.values.update(self._coming)
            self._coming = {}
        index = Columns(("value",))
        return [Row(index, (self.values[call.at],))] if call.at in self.values else []


def _read(run: Run[str], details: Details) -> int | None:
    rows = run(Call("read", str(details["name"]), {}))
    return rows[0].whole("value") if rows else None


DECLARED = Declaration[str, int | None](
    kind="limit",
    scope=Scope.INSTANCE,
    read=_read,
    set=lambda _run, details, value: (Call("set", str(details["name"]), {"value": value}),),
    original=lambda details: int(details["original"]),
    new=lambda details: int(details["new"]),
    words=Words(
        subject=lambda details: f"{details['name']} of {details.get('server', '')}",
        shown=str,
        making=lambda subject, value: f"Set {subject} to {value}",
        undoing=lambda subject, value: f"Put back {subject} to {value}",
        unread=lambda change, found, wanted: reads_otherwise(change, str(found), str(wanted)),
        others=lambda change, found: changed_by_others(change, str(found)),
    ),
)
DETAILS = (("name", "limit"), ("original", 5), ("new", 9))


def planned(
    bench: Bench, declaration: Declaration[str, int | None] = DECLARED
) -> tuple[Declared[str, int | None], Change]:
    """Return the kind and a change of it."""
    declared = Declared(declaration, bench)
    return declared, declared.plan(DETAILS, {"server": "DIST1"})


def test_a_change_is_planned_with_both_scripts_and_keeps_its_details_only() -> None:
    """What only the words need is not kept for another process."""
    _declared, change = planned(Bench())
    assert (change.kind, change.subject, change.original, change.new) == ("limit", "limit of DIST1", "5", "9")
    assert change.details == DETAILS
    assert change.apply_sql == "Set limit of DIST1 to 9: set 9 at limit\n"
    assert change.undo_sql == "Put back limit of DIST1 to 5: set 5 at limit again\n"


def test_it_is_made_and_put_back_once() -> None:
    """An undo that finds the original sends nothing that changes."""
    bench = Bench()
    declared, change = planned(bench)
    declared.apply(change)
    assert declared.is_applied(change)
    assert not declared.is_undone(change)
    declared.undo(change)
    assert bench.values == {"limit": 5}
    bench.sent.clear()
    declared.undo(change)
    assert bench.sent == ["read"]


@pytest.mark.parametrize("found", [7, 9])
def test_a_change_is_sent_from_the_value_it_was_planned_from_only(found: int) -> None:
    """Another value, and be it the wanted one, was set by somebody else: nothing is sent."""
    bench = Bench()
    declared, change = planned(bench)
    bench.values["limit"] = found
    bench.sent.clear()
    with pytest.raises(ChangedMeanwhile, match=f'limit of DIST1 reads "{found}" instead of 5: somebody else'):
        declared.apply(change)
    assert bench.sent == ["read"]


def test_a_third_value_is_left_unless_there_is_none_to_lose() -> None:
    """Without a sentence on others the original is put back whatever is found."""
    bench = Bench()
    declared, change = planned(bench)
    bench.values["limit"] = 7
    with pytest.raises(ChangedByOthers, match='limit of DIST1 was changed to "7" by somebody else'):
        declared.undo(change)
    assert bench.values == {"limit": 7}
    careless = replace(DECLARED, words=replace(DECLARED.words, others=None))
    planned(bench, careless)[0].undo(change)
    assert bench.values == {"limit": 5}


def test_a_value_that_takes_time_is_waited_for() -> None:
    """Within the limit it is read again; without one it is a failure at once."""
    slow = Bench(looks_until_shown=3)
    declared, change = planned(slow, replace(DECLARED, limit_s=60.0))
    declared.apply(change)
    assert slow.values == {"limit": 9}
    at_once = Bench(looks_until_shown=3)
    declared, change = planned(at_once)
    with pytest.raises(VerificationFailed, match='limit of DIST1 reads "5" instead of "9"'):
        declared.apply(change)
    assert at_once.sent == ["read", "set", "read"]


def test_what_does_not_even_begin_is_not_waited_for() -> None:
    """Where the setting itself is not there, its effect will not come."""
    bench = Bench(looks_until_shown=99)
    declared, change = planned(bench, replace(DECLARED, limit_s=60.0, is_set=lambda found, wanted: found == wanted))
    with pytest.raises(VerificationFailed):
        declared.apply(change)
    assert bench.sent == ["read", "set", "read"]


def test_what_is_gone_counts_as_put_back_where_it_is_declared_so() -> None:
    """A value whose holder was dropped has no original to get."""
    bench = Bench()
    declared, change = planned(bench, replace(DECLARED, is_undone_if_gone=True))
    bench.values.clear()
    assert declared.is_undone(change)
    assert not declared.is_applied(change)
    declared.undo(change)
    assert "set" not in bench.sent
    assert not planned(bench)[0].is_undone(change)


def test_what_cannot_be_read_is_sent_again() -> None:
    """A right that no view shows is taken back whatever the value reads."""
    bench = Bench()
    declared, change = planned(bench, replace(DECLARED, is_blind=lambda _details: True))
    declared.undo(change)
    assert bench.sent == ["read", "set", "read"]


def test_a_complaint_follows_the_putting_back() -> None:
    """The original is back; that something else was changed meanwhile is told all the same."""
    bench = Bench()
    declared, change = planned(bench, replace(DECLARED, complaint=lambda _change, found: f"was {found}, and more"))
    declared.apply(change)
    with pytest.raises(VerificationFailed, match="was 9, and more"):
        declared.undo(change)
    assert bench.values == {"limit": 5}


def test_a_value_is_set_portion_by_portion_and_settles() -> None:
    """A call of several portions is sent so often; what follows by itself is waited for once the value shows."""
    bench, settled = Bench(), []
    portions = replace(
        DECLARED,
        set=lambda _run, details, value: (Call("set", str(details["name"]), {"value": value}, portions=3),),
        settle=lambda details: settled.append(details["name"]),
        verified=lambda before, found, _wanted: (before, found) == (5, 9),
    )
    declared, change = planned(bench, portions)
    declared.apply(change)
    assert bench.sent == ["read", "set", "set", "set", "read"]
    assert settled == ["limit"]
