"""Scripts of decisions on agents, run on the lab as sqlcmd runs them: what they change, and when nothing."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.contract.sqlcmd import Options
from tests.contract.targets.checking import Bench, make_bench
from tests.contract.targets.script_client import APPLYING_IT, ScriptClient
from tests.report.sample import full_advice
from tests.report.scripts import apply_scripts, rollback_scripts

CHANGED: Final = (("SubscriptionStreams", 1, 8), ("CommitBatchSize", 100, 1000), ("CommitBatchThreshold", 1000, 2000))
STANDS: Final = "The agent did not run and was not started: what was set counts from its next start."
GOES_ON: Final = Options(aborts=False, heeds=False)


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


@cache
def scripts() -> tuple[tuple[str, str], ...]:
    """Return both scripts of each decision, in their order."""
    pairs = zip(apply_scripts(findings(), session()), rollback_scripts(findings(), session()), strict=True)
    found = tuple(pairs)
    assert len(found) == len(CHANGED)
    return found


EVERY: Final = range(len(CHANGED))


def state(bench: Bench) -> dict[str, Any]:
    """Return what scripts may change on the lab's Distributor."""
    held = bench.server.state
    used = {job: held.profiles.get(profile) for job, profile in held.profile_ids.items()}
    return {
        "steps": dict(held.steps),
        "used": {job: (profile.name, dict(profile.values)) for job, profile in used.items() if profile is not None},
        "own": [profile.name for profile in held.profiles.own()],
    }


def sqlcmd(bench: Bench, **other: Any) -> ScriptClient:
    """Return a connection to the bench's Distributor."""
    return ScriptClient(bench, **{"here": bench.server.own_server, **other})


def run(bench: Bench, script: str, *, applies: bool = True, **other: Any) -> ScriptClient:
    """Run a script over a connection of its own, with its one line edited where it is to apply."""
    assert script.count(APPLYING_IT[0]) == 1
    window = sqlcmd(bench, **other)
    window.run_script(script.replace(*APPLYING_IT) if applies else script)
    return window


def outcome(window: ScriptClient) -> tuple[int, str, str]:
    """Return the exit code, the error and the first word of the last line that a script printed."""
    return window.code, window.error, window.printed[-1].split()[0] if window.printed else ""


@pytest.mark.parametrize("number", EVERY)
def test_as_it_is_handed_over_it_changes_nothing_and_shows_the_value(number: int) -> None:
    """What is found is shown, and the last line says that nothing was changed."""
    bench = make_bench()
    untouched = state(bench)
    for script in scripts()[number]:
        window = run(bench, script, applies=False)
        assert (window.ran, outcome(window)) == ([], (0, "", "Checked"))
        assert {moment for moment, _parameter, _value in window.shown} == {"before"}
        assert {parameter for _moment, parameter, _value in window.shown} == {CHANGED[number][0]}
    assert state(bench) == untouched


@pytest.mark.parametrize(
    "options",
    [
        Options(variables={"Apply": "yes", "CheckOnly": "no"}),
        Options(environment={"APPLY": "yes", "CHECKONLY": "no"}),
        Options(variables={"Apply": "yes"}, aborts=False),
        Options(variables={"Apply": "yes"}, heeds=False),
    ],
    ids=["-v", "environment", "-v without -b", "a tool that goes on"],
)
def test_no_variable_from_outside_applies_a_script(options: Options) -> None:
    """Only who edits the file changes something."""
    bench = make_bench()
    untouched = state(bench)
    for pair in scripts():
        for script in pair:
            window = run(bench, script, applies=False, options=options)
            assert (window.ran, outcome(window)) == ([], (0, "", "Checked"))
    assert state(bench) == untouched


@pytest.mark.parametrize("number", EVERY)
def test_a_decision_is_applied_and_taken_back_without_the_others(number: int) -> None:
    """Twice each: only its own value changes, the value before and after is shown, and the code says that it holds."""
    bench, (apply, back) = make_bench(), scripts()[number]
    untouched, (name, old, new) = state(bench), CHANGED[number]
    first = run(bench, apply)
    assert outcome(first) == (0, "", "Done.")
    assert [(moment, parameter) for moment, parameter, _value in first.shown] == [("before", name), ("after", name)]
    assert first.shown[-1][2] == str(new)
    assert changed_values(bench) == {name: str(new)}
    applied = state(bench)
    assert (outcome(run(bench, apply)), state(bench)) == ((0, "", "Done."), applied)
    for _time in range(2):
        taken_back = run(bench, back)
        assert (outcome(taken_back), state(bench)) == ((0, "", "Done."), untouched)
        assert ("after", name, first.shown[0][2] or "") in taken_back.shown
        assert first.shown[0][2] in (None, str(old))


@pytest.mark.parametrize("first", EVERY)
@pytest.mark.parametrize("last", EVERY)
def test_one_is_taken_back_and_the_others_stay(first: int, last: int) -> None:
    """All are applied, then taken back in some order: each time only that one goes, and at the end nothing is left."""
    bench = make_bench()
    untouched = state(bench)
    for apply, _back in scripts():
        assert outcome(run(bench, apply)) == (0, "", "Done.")
    left = {name: str(new) for name, _old, new in CHANGED}
    assert changed_values(bench) == left
    order = sorted(EVERY, key=lambda number: (number != first, number == last, number))
    for number in order:
        assert outcome(run(bench, scripts()[number][1])) == (0, "", "Done.")
        del left[CHANGED[number][0]]
        assert changed_values(bench) == left
    assert state(bench) == untouched


def changed_values(bench: Bench) -> dict[str, str]:
    """Return what the agent under test has otherwise than at the beginning, by parameter."""
    fresh = make_bench()
    return {name: value for name, value in values_of(bench).items() if values_of(fresh)[name] != value}


def values_of(bench: Bench) -> dict[str, str]:
    """Return what the agent under test has: its profile's values, and the token of its job step."""
    agent, held = bench.own_server(), bench.server.state
    profile = held.profiles.get(held.profile_ids[agent.job_id])
    assert profile is not None
    step = held.steps[agent.job_id].partition("-SubscriptionStreams ")[2].split(" ")[0]
    return {**{name.removeprefix("-"): value for name, value in profile.values.items()}, "SubscriptionStreams": step}


@pytest.mark.parametrize("options", [Options(), Options(aborts=False), GOES_ON], ids=["-b", "as it is", "goes on"])
def test_at_another_server_nothing_is_run(options: Options) -> None:
    """Neither script, whether or not the tool stops at the first error; where there is a code, it says so."""
    bench = make_bench()
    untouched = state(bench)
    for script in scripts()[0]:
        for applies in (True, False):
            window = run(bench, script, applies=applies, here="STRANGER", options=options)
            assert (window.ran, bool(window.code)) == ([], options.heeds)
            assert "this is not Distributor" in window.error or "not every batch" in window.error
            assert not any(said.startswith(("Done", "Checked")) for said in window.printed)
    assert state(bench) == untouched


def test_without_the_right_nothing_is_run_and_the_grant_is_printed() -> None:
    """What an administrator would run stands in the output."""
    bench = make_bench()
    untouched = state(bench)
    for script in scripts()[0]:
        window = run(bench, script, is_sysadmin=False)
        assert (window.ran, window.printed) == ([], ["ALTER SERVER ROLE sysadmin ADD MEMBER [monitor];"])
        assert "not sysadmin" in window.error
        assert window.code != 0
    assert state(bench) == untouched


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (Options(has_commands=False), "SQLCMD mode is off"),
        (Options(substitutes=False), "SQLCMD mode is off"),
        (Options(substitutes=False, aborts=False), "SQLCMD mode is off"),
    ],
    ids=["query window", "-x", "-x without -b"],
)
def test_where_nobody_reads_sqlcmds_variables_nothing_is_run(options: Options, word: str) -> None:
    """An error says so, also to a batch file."""
    bench = make_bench()
    for script in scripts()[0]:
        window = run(bench, script, options=options)
        assert window.ran == []
        assert word in window.error
        assert bool(window.code) is options.has_commands


def test_the_same_window_runs_it_once_sqlcmd_mode_is_on() -> None:
    """As the error says: what kept its batches from being executed does not stay with the connection."""
    for script in scripts()[0]:
        window = run(make_bench(), script, applies=False, options=Options(has_commands=False))
        window.options = Options()
        window.run_script(script)
        assert (window.code, window.ran) == (0, [])
        assert window.printed[-1].startswith("Checked only")


@pytest.mark.parametrize("word", ["ja", "y", "on", "1"])
def test_what_is_neither_yes_nor_no_is_an_error(word: str) -> None:
    """A mistyped answer neither checks nor applies."""
    bench = make_bench()
    for script in scripts()[0]:
        window = sqlcmd(bench)
        window.run_script(script.replace(APPLYING_IT[0], f"\n:setvar Apply {word}\n"))
        assert (window.code, window.ran, window.printed) == (1, [], [])
        assert "neither no nor yes" in window.error


@pytest.mark.parametrize(
    "number", [number for number, (name, *_values) in enumerate(CHANGED) if name.startswith("Commit")]
)
def test_where_the_former_profile_is_gone_nothing_is_run(number: int) -> None:
    """It could not be given back: no value is taken back halfway, and none is set that cannot be."""
    apply, back = scripts()[number]
    for script, ahead in ((apply, None), (back, apply)):
        bench = make_bench()
        if ahead is not None:
            assert outcome(run(bench, ahead)) == (0, "", "Done.")
        profiles = bench.server.state.profiles
        profiles.drop(profiles.default_ids[AGENT_TYPES[AgentKind.DISTRIBUTION]])
        as_found = state(bench)
        for applies in (True, False):
            window = run(bench, script, applies=applies)
            assert (window.ran, window.code) == ([], 1)
            assert "no longer there" in window.error
        assert state(bench) == as_found


@pytest.mark.parametrize("number", EVERY)
@pytest.mark.parametrize("lost", ["ownerless", "without_credential", "without_subsystem"])
def test_an_agent_that_could_not_be_started_again_is_not_stopped(number: int, lost: str) -> None:
    """Who owned its job when it was measured may be gone when a script is run: neither script touches the agent."""
    apply, back = scripts()[number]
    for script, ahead in ((apply, None), (back, apply)):
        bench = make_bench()
        if ahead is not None:
            assert outcome(run(bench, ahead)) == (0, "", "Done.")
        held = bench.server.state
        getattr(held, lost).update(agent.job_id for agent in held.site.agents)
        as_found = state(bench)
        for applies in (False, True):
            window = run(bench, script, applies=applies)
            assert (window.ran, window.code) == ([], 1)
            assert "could not be started again: nothing was changed" in window.error
        assert state(bench) == as_found
        assert all(held.agent_state(agent).running for agent in held.site.agents)


def two_targets() -> tuple[tuple[str, str], ...]:
    """Return the scripts of a session that measured one Distributor as two targets."""
    one = session()
    again = replace(one.environments[0], target="second")
    runs = (*one.runs, *(replace(run, run_id=f"{run.run_id}b", target="second") for run in one.runs))
    both = replace(one, environments=(*one.environments, again), runs=runs)
    made = [replace(finding, evidence=()) for finding in findings()[:1]]
    return tuple(zip(apply_scripts(made, both), rollback_scripts(made, both), strict=True))


@pytest.mark.parametrize("applies", [True, False])
@pytest.mark.parametrize("target", ["?", "", "secnod", "second."])
def test_no_target_or_a_mistyped_one_is_an_error(target: str, applies: bool) -> None:
    """Where one Distributor was measured as two targets, one must be chosen."""
    bench = make_bench()
    untouched = state(bench)
    for pair in two_targets():
        for script in pair:
            window = run(bench, script.replace('Target "?"', f'Target "{target}"'), applies=applies)
            assert (window.code, window.ran, window.printed) == (1, [], [])
            assert "no target of this script is chosen" in window.error
            left_out = run(bench, script.replace(':setvar Target "?"\n', ""), applies=applies)
            assert (left_out.code, left_out.ran) == (1, [])
    assert state(bench) == untouched


@pytest.mark.parametrize("target", ["second", "Second "])
def test_the_target_chosen_is_the_only_one_changed(target: str) -> None:
    """The batches of the other say that they are skipped; case and blanks behind are nothing to the server."""
    bench = make_bench()
    for pair in two_targets():
        for script in pair:
            window = run(bench, script.replace('Target "?"', f'Target "{target}"'))
            assert outcome(window) == (0, "", "Done.")
            assert any("skipped: it is for target" in said for said in window.printed)
            assert window.ran.count("start_job") == 1


APPLYING: Final = (
    "add_profile", "copy_profile_parameters", "set_profile_parameter", "assign_profile", "set_job_step_token",
    "stop_job", "start_job",
)  # fmt: skip
TAKING_BACK: Final = (
    "set_profile_parameter", "set_job_step_token", "assign_profile", "drop_profile", "stop_job", "start_job",
)  # fmt: skip


def concerned(failing: str) -> tuple[str, str]:
    """Return the scripts of the first decision that sends a statement."""
    return scripts()[0 if failing == "set_job_step_token" else 1]


@pytest.mark.parametrize("options", [Options(), GOES_ON], ids=["on error exit", "no exit"])
@pytest.mark.parametrize("failing", APPLYING)
def test_an_error_in_the_middle_stops_the_rest_and_it_can_be_run_again(failing: str, options: Options) -> None:
    """Nothing behind the failed statement is run, also by a tool that goes on; the next run completes it."""
    apply, back = concerned(failing)
    bench = make_bench(faults=(Fault(failing, 1, FaultKind.PERMISSION_DENIED),))
    untouched = state(bench)
    broken = run(bench, apply, options=options)
    assert broken.ran[-1] == failing
    assert broken.ran.count(failing) == 1
    assert broken.error
    assert bool(broken.code) is options.heeds
    assert not any(said.startswith("Done") for said in broken.printed)
    again = run(bench, apply)
    if failing == "start_job":  # the agent stands; its job is started by a person, as the error and the next run say
        assert (outcome(again), again.printed.count(STANDS)) == ((0, "", "Done."), 1)
        return
    assert STANDS not in again.printed
    assert outcome(again) == (0, "", "Done.")
    assert run(bench, back).error == ""
    assert state(bench) == untouched


@pytest.mark.parametrize("failing", TAKING_BACK)
def test_a_way_back_that_broke_is_run_again(failing: str) -> None:
    """Wherever it failed, nothing behind it was run, and the next time it gets there."""
    apply, back = concerned(failing)
    calls = 1 if failing == "drop_profile" else 2
    bench = make_bench(faults=(Fault(failing, calls, FaultKind.PERMISSION_DENIED),))
    untouched = state(bench)
    assert run(bench, apply).error == ""
    broken = run(bench, back, options=GOES_ON)
    assert broken.ran[-1] == failing
    assert broken.error
    assert run(bench, back).error == ""
    assert state(bench) == untouched


@pytest.mark.parametrize("spoil", ["step", "profile", "value"])
def test_what_somebody_changed_since_is_left_alone(spoil: str) -> None:
    """Another value in the job step, another profile, another value in its own one: it stops before it changes it."""
    apply, back = scripts()[0 if spoil == "step" else 1]
    for script in (apply, back):
        bench = make_bench()
        assert run(bench, apply).error == ""
        agent, held = bench.own_server(), bench.server.state
        if spoil == "step":
            held.steps[agent.job_id] = held.steps[agent.job_id].replace(
                "-SubscriptionStreams 8", "-SubscriptionStreams 3"
            )
        elif spoil == "profile":
            verbose = held.profiles.find(3, "Verbose history agent profile.")
            assert verbose is not None
            held.profile_ids[agent.job_id] = verbose.profile_id
        else:
            own = held.profiles.get(held.profile_ids[agent.job_id])
            assert own is not None
            own.values["-CommitBatchSize"] = "700"
        spoiled = state(bench)
        window = run(bench, script, options=GOES_ON)
        assert window.ran == []
        assert window.error
        assert state(bench) == spoiled
        assert run(bench, script).code == 1


def test_a_line_that_is_no_form_is_refused_with_its_line() -> None:
    """The lab reads everything: a statement that no script prints is an error that says where it stands."""
    apply, _back = scripts()[0]
    window = run(make_bench(), apply.replace("GO\n", "PRINT N'here';\nEXEC sp_who;\nGO\n", 1))
    assert (window.code, window.ran) == (1, [])
    assert "Could not find stored procedure 'sp_who'" in window.error
    window = run(make_bench(), apply.replace("GO\n", "GRANT CONTROL SERVER TO [dba];\nGO\n", 1))
    assert (window.code, window.ran, window.printed) == (1, [], [])
    assert "The lab does not know this: GRANT" in window.error
