"""Scripts that read the state of an Oracle database before and after a change, run on the lab: they change nothing."""

from functools import cache

from app.drivers.oracle.session import End
from tests.contract.oracle.lab_bench import Bench, make_bench
from tests.contract.oracle.sqlplus import SqlPlus, tool_at
from tests.contract.oracle.test_apply_scripts import CHANGED, EVERY, run, scripts, session
from tests.report.scripts import look_scripts
from tests.unit.reporting.test_streams import finding


@cache
def looks() -> tuple[tuple[str, str], ...]:
    """Return the scripts that read ahead of each decision and after it."""
    made = [finding(name, old, new, number) for number, (name, old, new) in enumerate(CHANGED, start=2)]
    texts = look_scripts(made, session(), is_oracle=True)
    return tuple(zip(texts[::2], texts[1::2], strict=True))


def looked(bench: Bench, script: str, here: str = "") -> SqlPlus:
    """Return a tool that ran the blocks of a script,"""
    untouched = bench.snapshot()
    tool = tool_at(bench.server, End.DESTINATION, here=here)
    tool.run_script(script)
    assert (tool.ran, bench.snapshot()) == ([], untouched)
    return tool


def test_the_value_is_shown_before_and_held_against_the_decision_afterwards() -> None:
    """Before the change the second script ends with an error, after it with 0."""
    bench = make_bench()
    for number in EVERY:
        (name, _old, new), (before, after) = CHANGED[number], looks()[number]
        tool = looked(bench, before)
        assert (tool.code, tool.error) == (0, "")
        assert tool.printed[0].startswith(f"before: {name} = ")
        assert "reads differently than it was set" in looked(bench, after).error
        assert run(bench, scripts()[number][0]).code == 0
        tool = looked(bench, after)
        assert (tool.code, tool.error, tool.printed[0]) == (0, "", f"after: {name} = {new}")


def test_at_another_database_it_ends_with_an_error() -> None:
    """Its values are those of one."""
    for script in looks()[0]:
        tool = looked(make_bench(), script, here="OTHER.EXAMPLE")
        assert (tool.code, tool.printed) == (1, [])
