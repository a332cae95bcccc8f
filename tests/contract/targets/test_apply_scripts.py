"""`apply.sql` and `undo.sql` of agents, run batch by batch on the lab: what they change, and when nothing."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.drivers.sqlserver.lab.faults import Fault, FaultKind
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.contract.targets.apply_runs import Sqlcmd
from tests.contract.targets.checking import Bench, make_bench
from tests.report.sample import full_advice
from tests.report.scripts import apply_script, rollback_script

CHANGED: Final = (("SubscriptionStreams", 1, 8), ("CommitBatchSize", 100, 1000), ("CommitBatchThreshold", 1000, 2000))
CHECKING: Final = (":setvar CheckOnly no", ":setvar CheckOnly yes")


@cache
def session() -> SessionRecord:
    """Return a session that was run on a lab like the bench's."""
    family = FAMILIES["distribution_agent"]
    return run_on_lab(family, small_plan(family)).session()


def findings() -> Sequence[Finding]:
    """Return what changes one agent by its job step and by its profile."""
    sample = full_advice().findings[1]
    return [
        replace(sample, rule=f"r.{name}", parameter=name, from_value=old, to_value=new, evidence=(), priority=number)
        for number, (name, old, new) in enumerate(CHANGED, start=1)
    ]


def scripts() -> tuple[str, str]:
    """Return both scripts."""
    return apply_script(findings(), session()), rollback_script(findings(), session())


def state(bench: Bench) -> dict[str, Any]:
    """Return what scripts may change on the lab's Distributor."""
    held = bench.server.state
    used = {job: held.profiles.get(profile) for job, profile in held.profile_ids.items()}
    return {
        "steps": dict(held.steps),
        "used": {job: (profile.name, dict(profile.values)) for job, profile in used.items() if profile is not None},
        "own": [profile.name for profile in held.profiles.own()],
    }


def sqlcmd(bench: Bench, **other: Any) -> Sqlcmd:
    """Return a connection to the bench's Distributor."""
    return Sqlcmd(bench, **{"here": bench.server.own_server, **other})


def run(bench: Bench, script: str, **other: Any) -> Sqlcmd:
    """Run a script over a connection of its own."""
    window = sqlcmd(bench, **other)
    window.run_script(script)
    return window


def test_check_mode_changes_nothing_and_shows_the_values() -> None:
    """One variable at the top; what is found is shown, and the last line says that nothing was changed."""
    bench, (apply, back) = make_bench(), scripts()
    untouched = state(bench)
    for script in (apply, back):
        window = run(bench, script.replace(*CHECKING))
        assert (window.error, window.ran) == ("", [])
        assert window.printed[-1].startswith("Checked only: nothing was changed.")
        assert {moment for moment, _parameter, _value in window.shown} == {"before"}
        assert {parameter for _moment, parameter, _value in window.shown} == {name for name, _old, _new in CHANGED}
    assert state(bench) == untouched


def test_applied_twice_and_taken_back_twice_all_is_as_before() -> None:
    """The values before and after are shown; what was set holds; the second time changes nothing more."""
    bench, (apply, back) = make_bench(), scripts()
    untouched = state(bench)
    first = run(bench, apply)
    assert (first.error, first.printed) == (
        "",
        ["Done. What each batch did, or why it did nothing, is shown above."],
    )
    after = {parameter: value for moment, parameter, value in first.shown if moment == "after"}
    assert after == {name: str(new) for name, _old, new in CHANGED}
    before = {parameter: value for moment, parameter, value in first.shown if moment == "before"}
    assert before == {"SubscriptionStreams": None, "CommitBatchSize": "100", "CommitBatchThreshold": "1000"}
    applied = state(bench)
    assert applied != untouched
    assert run(bench, apply).error == ""
    assert state(bench) == applied
    for _time in range(2):
        taken_back = run(bench, back)
        assert (taken_back.error, state(bench)) == ("", untouched)
        assert {(name, value) for moment, name, value in taken_back.shown if moment == "after"} == {
            (name, value or "") for name, value in before.items()
        }


@pytest.mark.parametrize("heeds", [True, False])
def test_at_another_server_nothing_is_run(heeds: bool) -> None:
    """Neither script, whether or not the tool stops at the first error."""
    bench = make_bench()
    untouched = state(bench)
    for script in scripts():
        window = run(bench, script, here="STRANGER", heeds=heeds)
        assert window.ran == []
        assert "this is not Distributor" in window.error
    assert state(bench) == untouched


def test_without_the_right_nothing_is_run_and_the_grant_is_printed() -> None:
    """What an administrator would run stands in the output."""
    bench = make_bench()
    untouched = state(bench)
    for script in scripts():
        window = run(bench, script, is_sysadmin=False)
        assert (window.ran, window.printed) == ([], ["ALTER SERVER ROLE sysadmin ADD MEMBER [DOMAIN\\dba];"])
        assert "not sysadmin" in window.error
    assert state(bench) == untouched


APPLYING: Final = (
    "add_profile", "copy_profile_parameters", "set_profile_parameter", "assign_profile", "set_job_step_token",
    "stop_job", "start_job",
)  # fmt: skip
TAKING_BACK: Final = ("set_job_step_token", "assign_profile", "drop_profile", "stop_job", "start_job")


@pytest.mark.parametrize("heeds", [True, False], ids=["on error exit", "no exit"])
@pytest.mark.parametrize("failing", APPLYING)
def test_an_error_in_the_middle_stops_the_rest_and_it_can_be_run_again(failing: str, heeds: bool) -> None:
    """Nothing behind the failed statement is run, also by a tool that goes on; the next run completes it."""
    apply, back = scripts()
    bench = make_bench(faults=(Fault(failing, 1, FaultKind.PERMISSION_DENIED),))
    untouched = state(bench)
    broken = run(bench, apply, heeds=heeds)
    assert broken.ran[-1] == failing
    assert broken.ran.count(failing) == 1
    assert broken.error
    assert heeds is not any(said.startswith("Done") for said in broken.printed)
    if failing == "start_job":
        return  # the agent stands; its job is started by a person, as the error says
    again = run(bench, apply)
    assert again.error == ""
    assert run(bench, back).error == ""
    assert state(bench) == untouched


@pytest.mark.parametrize("failing", TAKING_BACK)
def test_a_way_back_that_broke_is_run_again(failing: str) -> None:
    """Wherever it failed, nothing behind it was run, and the next time it gets there."""
    apply, back = scripts()
    calls = 2 if failing in ("set_job_step_token", "assign_profile", "stop_job", "start_job") else 1
    bench = make_bench(faults=(Fault(failing, calls, FaultKind.PERMISSION_DENIED),))
    untouched = state(bench)
    assert run(bench, apply).error == ""
    broken = run(bench, back, heeds=False)
    assert broken.ran[-1] == failing
    assert broken.error
    assert run(bench, back).error == ""
    assert state(bench) == untouched


def test_what_somebody_changed_since_is_left_alone() -> None:
    """Another value in the job step, another profile: it stops before anything is changed."""
    apply, _back = scripts()
    for spoil in ("step", "profile"):
        bench = make_bench()
        agent = bench.own_server()
        held = bench.server.state
        if spoil == "step":
            held.steps[agent.job_id] += " -SubscriptionStreams 3"
        else:
            verbose = held.profiles.find(3, "Verbose history agent profile.")
            assert verbose is not None
            held.profile_ids[agent.job_id] = verbose.profile_id
        spoiled = state(bench)
        window = run(bench, apply, heeds=False)
        assert window.ran == []
        assert "since it was measured" in window.error or "than when it was measured" in window.error
        assert state(bench) == spoiled


def test_a_line_that_is_no_form_is_found() -> None:
    """The interpreter reads everything: a statement that is not emitted fails it."""
    apply, _back = scripts()
    with pytest.raises(AssertionError, match="no form"):
        run(make_bench(), apply.replace("GO\n", "EXEC sp_who;\nGO\n", 2))
