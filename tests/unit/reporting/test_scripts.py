"""apply.sql and undo.sql."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.domain.hand_over import own_name
from app.domain.server import EffectiveParameter
from app.domain.session import SessionRecord
from app.domain.setting import Setting
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import batch_script, identifier, literal, rows_of
from app.foundation.script_text import comment
from app.systems.transactional_replication.site import AgentParameters
from tests.report.kept import replication_of, with_replication
from tests.report.sample import TARGET, full_advice, full_session, imported_request
from tests.report.scripts import apply_script, apply_scripts, rollback_script, rollback_scripts

_AT_WORK = re.compile(r"USE \[|FROM \[\w+\]\.dbo\.")


def _batches(script: str) -> list[str]:
    return [part for part in re.split(r"^GO$", script, flags=re.MULTILINE) if _AT_WORK.search(part)]


def _work_at(batch: str) -> int:
    """Return where a batch first touches a database."""
    match = _AT_WORK.search(batch)
    assert match is not None
    return match.start()


def _checks(script: str) -> list[str]:
    """Return the batches that check an agent before those behind them change it."""
    return [batch for batch in _batches(script) if "INSERT INTO #replitune_agent" in batch]


def test_profile_values_go_into_a_dedicated_profile() -> None:
    """A shared profile is never edited: the agent gets its own copy with the new value, then a restart."""
    findings = [full_advice().findings[0]]
    script = apply_script(findings, full_session())
    order = [
        "sp_add_agent_profile", "sp_drop_agent_parameter", "@parameter_name sysname = N'-ReadBatchSize'",
        "@parameter_value nvarchar(4000) = N'5000'", "sp_update_agent_profile", "sp_stop_job", "sp_start_job",
    ]  # fmt: skip
    places = [script.index(text) for text in order]
    assert places == sorted(places)
    assert "@default = 0" in script
    assert "N'CONTOPUB03-SalesLedger-1'" in script


def test_rollback_assigns_the_old_profile_and_drops_the_own_one() -> None:
    """The way back names the profile the agent had, then drops the dedicated one if nobody uses it."""
    script = rollback_script([full_advice().findings[0]], full_session())
    assert "DECLARE @agent_type int = 2;" in script
    assert "DECLARE @profile_id int = 1;" in script
    assert script.index("sp_update_agent_profile") < script.index("sp_drop_agent_profile") < script.index("sp_stop_job")


def test_streams_go_into_the_job_step_without_showing_it() -> None:
    """SubscriptionStreams is set on the job step, edited on the server: its text is never selected to the client."""
    script = apply_script([full_advice().findings[1]], full_session())
    assert "N'-SubscriptionStreams'" in script
    assert "sp_update_jobstep" in script
    assert "sp_add_agent_profile" not in script
    assert not re.search(r"SELECT\s+(step\.)?command|PRINT[^;]*@(command|flat|edited)", script)


def test_rollback_removes_a_step_value_that_was_not_there() -> None:
    """A parameter the step did not name is taken out again; one it named gets its former value."""
    finding = full_advice().findings[1]
    session = full_session()
    assert "DECLARE @value nvarchar(4000) = N'';" in rollback_script([finding], session)
    named = _with_step_value(session, "2")
    assert "DECLARE @value nvarchar(4000) = N'2';" in rollback_script([finding], named)


def test_a_step_somebody_changed_since_is_left_alone() -> None:
    """Apply and rollback know two values of the step, the former and the recommended; with another one they stop."""
    finding = full_advice().findings[1]
    named = _with_step_value(full_session(), "2")
    for make in (apply_script, rollback_script):
        script = make([finding], named)
        assert "ISNULL(step.value, N'') NOT IN (N'2', N'8')" in script
        assert script.index("ISNULL(step.value, N'') NOT IN") < script.index("sp_update_jobstep")


def _with_step_value(session: SessionRecord, value: str) -> SessionRecord:
    environment = session.environments[0]
    streams = EffectiveParameter("SubscriptionStreams", value, "job step", "1", 1, 64, "connections")
    agents = (AgentParameters(replication_of(environment).agents[1].agent, (streams,)),)
    return replace(session, environments=(with_replication(environment, agents=agents),))


def test_a_profile_value_somebody_changed_since_is_left_alone() -> None:
    """The batch stops before it copies the profile where it gives neither the value found nor the recommended one."""
    finding = full_advice().findings[0]
    session = full_session()
    environment = session.environments[0]
    size = EffectiveParameter(finding.parameter, "700", "profile", "500", 1, 10_000, "transactions")
    agents = (AgentParameters(replication_of(environment).agents[0].agent, (size,)),)
    script = apply_script([finding], replace(session, environments=(with_replication(environment, agents=agents),)))
    assert f"own.value NOT IN (N'700', N'{finding.to_value}')" in script
    assert script.index("own.value NOT IN") < script.index("sp_add_agent_profile")


def test_the_header_promises_no_check_that_is_not_made() -> None:
    """A template knows neither server nor value; a script that does nothing promises nothing."""
    template = imported_request()
    made = " ".join(apply_script(template.advice.findings, template.session).replace("--", "").split())
    assert "it checks neither its server nor the value in use" in made
    assert "another server" not in made
    known = " ".join(apply_script(full_advice().findings, full_session()).replace("--", "").split())
    assert "It stops on any server but its own." in known
    assert "agent, profile or value are not the ones" in known
    for make in (apply_script, rollback_script):
        assert "Every batch" not in make([], full_session())
        assert "Run at the Distributor" not in make([], full_session())


def test_a_lead_is_told_and_never_carried_out() -> None:
    """What only exploring trials suggest is a comment where nothing is set; the other decision is set as ever."""
    lead, confirmed = full_advice().findings[:2]
    others = tuple(fact for fact in lead.facts if fact[0] != "confirmed")
    lead = replace(lead, facts=(*others, ("confirmed", False, "")))
    assert apply_script([lead, confirmed], full_session()) == apply_script([confirmed], full_session())
    assert f"Not set: {lead.parameter}" in " ".join(apply_script([lead], full_session()).replace("--", "").split())


def test_each_decision_has_a_script_of_its_own() -> None:
    """Two recommendations for one agent are made one at a time: each restarts it once, and names no other value."""
    made, findings = apply_scripts(full_advice().findings, full_session()), full_advice().findings
    back = rollback_scripts(full_advice().findings, full_session())
    changed = {finding.parameter for finding in findings if finding.to_value is not None}
    assert len(made) == len(back) == len(changed) == 3
    for script in made:
        assert len(_checks(script)) == script.count("sp_start_job") == 1
    for script in (*made, *back):
        head = script[: script.index(":on error exit")]
        assert sum(f"{name} " in head.partition("* Decision")[2] for name in changed) == 1


def test_nothing_is_done_unless_all_before_it_was() -> None:
    """Only a check that went well lets the first statement of its agent run, and each statement the next."""
    for make in (apply_script, rollback_script):
        script = make(full_advice().findings, full_session())
        agent, done = "", 0
        for batch in _batches(script):
            if "INSERT INTO #replitune_agent" in batch:
                agent, done = batch.split("@agent_name nvarchar(256) = ")[1].split(";")[0], 0
                assert batch.index("THROW") < batch.index("INSERT INTO #replitune_agent")
                continue
            guard = f"WHERE checked.agent_name = {agent} AND checked.done = {done})"
            assert batch.index(guard) < batch.index("RETURN;") < _work_at(batch)
            assert ("AS expected;" in batch) is (f"UPDATE #replitune_agent SET done = {done + 1};" not in batch)
            done += 1
        assert script.count("DROP TABLE #replitune_agent;") == len(_checks(script)) == 3


def test_the_right_of_two_streams_is_asked_of_a_person_at_the_subscriber() -> None:
    """The script runs at the Distributor: the test, with the grant it prints, stands as comments, and only there."""
    finding = full_advice().findings[1]
    script = apply_script([finding], full_session())
    asked = script.index("--     PRINT N'GRANT VIEW SERVER STATE TO [<login>];';")
    assert asked < script.index("#replitune_agent")
    assert "GRANT" not in apply_script([replace(finding, from_value=8, to_value=1)], full_session())
    assert "GRANT" not in rollback_script([finding], full_session())


def test_rollback_undoes_agents_in_reverse_order() -> None:
    """What was changed last is taken back first."""
    advice, session = full_advice(), full_session()
    names = re.compile(r"@agent_name nvarchar\(256\) = (N'.*?');")
    forward = names.findall(apply_script(advice.findings, session))
    assert names.findall(rollback_script(advice.findings, session)) == forward[::-1]


def test_apply_stops_where_the_agent_has_another_profile_since() -> None:
    """The script refuses to overwrite what somebody changed after the measurements."""
    script = apply_script([full_advice().findings[0]], full_session())
    assert "IF @agent_profile_id <> 1" in script
    assert "THROW 50000" in script


@pytest.mark.parametrize("make", [apply_script, rollback_script])
def test_begin_and_end_are_balanced(make: object) -> None:
    """Every BEGIN has its END, every quote its partner."""
    assert callable(make)
    script = str(make(full_advice().findings, full_session()))
    code = re.sub(r"--[^\n]*", "", script)
    assert len(re.findall(r"\bBEGIN\b", code)) + len(re.findall(r"\bCASE\b", code)) == len(re.findall(r"\bEND\b", code))
    assert code.count("'") % 2 == 0
    assert code.count("(") == code.count(")")


def test_only_agents_that_were_measured_are_changed() -> None:
    """A Distributor may serve other publication databases, whose agents nobody measured."""
    session = full_session()
    environment = session.environments[0]
    topology = replication_of(environment).topology
    other = replace(topology.agents[0], agent_id=9, name="Other-9", publisher_db="Other")
    wider = with_replication(environment, topology=replace(topology, agents=(*topology.agents, other)))
    script = apply_script(full_advice().findings, replace(session, environments=(wider,)))
    assert "Other-9" not in script
    plan = replace(session.runs[0].plan, load=session.runs[0].plan.load.but(agent_pairs=2))
    runs = (replace(session.runs[0], plan=plan), session.runs[1])
    assert "Other-9" in apply_script(full_advice().findings, replace(session, environments=(wider,), runs=runs))


def test_every_batch_asks_for_server_and_publication_database_first() -> None:
    """An agent of the same name on another Distributor is not touched."""
    for make in (apply_script, rollback_script):
        for batch in _checks(make(full_advice().findings, full_session())):
            server = batch.index("SERVERPROPERTY(N'ServerName')) <> N'contodist07'")
            assert server < batch.index("[distribution].dbo.MS")
            assert "AND agent.publisher_db = N'SalesLedger'" in batch


def _two_targets() -> SessionRecord:
    """Return a session that measured the same installation as two targets, the second with the streams."""
    session = full_session()
    first = session.environments[0]
    runs = (session.runs[0], replace(session.runs[1], target="second"))
    return replace(session, environments=(first, replace(first, target="second")), runs=runs)


@pytest.mark.parametrize("make", [apply_scripts, rollback_scripts])
def test_of_several_targets_one_must_be_chosen(make: Callable[..., list[str]]) -> None:
    """Targets may share the names of servers and agents: a script asks also where it is for one of them only."""
    scripts = make(full_advice().findings, _two_targets())
    assert [re.findall(r"(?m)^:setvar Target (.*)$", script) for script in scripts] == [['"?"']] * 3
    for script, target in zip(scripts, ("second", TARGET, "second"), strict=True):
        [batch] = _checks(script)
        assert f"IF N'$(Target)' NOT IN ({literal(target)})" in script
        guard = f"IF N'$(Target)' <> {literal(target)}"
        assert batch.index(guard) < batch.index("RETURN;") < _work_at(batch)


def test_a_single_target_needs_no_choice() -> None:
    """Where there is no wrong target, nobody is asked."""
    assert "Target" not in apply_script(full_advice().findings, full_session())


def test_contradicting_recommendations_are_named_and_left_out() -> None:
    """One agent has one value: what another finding wants of it stands in a comment, not in a batch."""
    finding = full_advice().findings[1]
    other = replace(finding, to_value=4, priority=5, rule="distribution_agent.other")
    script = apply_script([finding, other], full_session())
    assert "DECLARE @value nvarchar(4000) = N'8';" in script
    assert "DECLARE @value nvarchar(4000) = N'4';" not in script
    said = " ".join(script.replace("--", "").split())
    assert "Not set: SubscriptionStreams 1 → 4" in said
    assert "Decision 1 is SubscriptionStreams 1 → 8." in said
    assert "N'4'" not in script, "no guard knows a value that was set aside"
    assert "Not set" not in rollback_script([finding, other], full_session())


def test_unknown_agents_of_two_links_are_two_agents() -> None:
    """Measurements from elsewhere under other conditions are about another agent, with a script of its own."""
    request = imported_request()
    finding = replace(request.advice.findings[0], parameter="SubscriptionStreams", from_value=1, to_value=8)
    slow = replace(finding, to_value=16, evidence=("slow-1",))
    measured = replace(
        request.session.imported[0], trial_id="slow-1", conditions=Setting.of(network_kbps=128, rtt_ms=300)
    )
    session = replace(request.session, imported=(*request.session.imported, measured))
    script = apply_script([finding, slow], session)
    assert script.count(':setvar DistributionAgent "name of the agent"') == 2
    assert "-- Agent of batch 1 (128 kbps, 300 ms round trip)" in script
    assert "DistributionAgentOldSubscriptionStreams for undo-2.sql" in script
    back = rollback_script([finding, slow], session)
    assert "DECLARE @value nvarchar(4000) = N'$(DistributionAgentOldSubscriptionStreams)';" in back
    assert "IF N'$(DistributionAgentOldSubscriptionStreams)' LIKE N'%[^0-9]%'" in back


def test_scripts_say_what_they_do_in_the_words_of_the_decision() -> None:
    """A batch that undoes says so, and the head of the other repeats what the report asks for."""
    finding = full_advice().findings[1]
    head = " ".join(apply_script([finding], full_session()).replace("\n--", "").split())
    assert "* Decision 1: SubscriptionStreams 8 instead of 1 (E2" in head
    assert finding.title not in head
    assert ": undo of SubscriptionStreams 1 → 8" in rollback_script([finding], full_session())


def test_a_new_profile_loses_what_the_old_one_lacked() -> None:
    """A profile is born with parameters of its own; each that the agent's profile lacks is dropped by name."""
    script = apply_script([full_advice().findings[0]], full_session())
    assert "EXEC sys.sp_drop_agent_parameter @profile_id = @profile_id, @parameter_name = @name;" in script


def test_unknown_agents_give_a_template() -> None:
    """For measurements made elsewhere the DBA fills in the agent; the script says so before anything else."""
    request = imported_request()
    script = apply_script(request.advice.findings, request.session)
    assert "TEMPLATE" in script
    assert ":setvar LogReaderAgent" in script
    assert "N'$(LogReaderAgent)'" in script
    assert "OldProfileId" in rollback_script(request.advice.findings, request.session)


def test_nothing_to_change_gives_a_script_that_says_so() -> None:
    """Without a recommended change the script holds comments only."""
    script = apply_script([full_advice().findings[2]], full_session())
    assert all(line.startswith("--") or not line for line in script.splitlines())
    assert "This script changes nothing" in script


def test_other_parameters_are_left_to_the_dba() -> None:
    """A recommendation that is no agent's parameter stands in the script as a comment."""
    finding = replace(full_advice().findings[0], parameter="availability_mode", from_value="SYNC", to_value="ASYNC")
    script = apply_script([finding], full_session())
    assert "-- By hand: availability_mode SYNC → ASYNC" in script
    assert "EXEC" not in script


@pytest.mark.parametrize("nasty", ["O'Brien]; DROP TABLE x--", "a\nGO\nEXEC evil", "$(Password)", "*/ x /*"])
def test_names_cannot_leave_their_place(nasty: str) -> None:
    """Quotes, brackets, line ends and sqlcmd variables in a name stay part of the name."""
    session = full_session()
    environment = session.environments[0]
    topology = replication_of(environment).topology
    agent = replace(topology.agents[0], name=nasty)
    named = replace(topology, agents=(agent,), distribution_db=nasty)
    parameters = (replace(replication_of(environment).agents[0], agent=nasty),)
    evil = replace(session, environments=(with_replication(environment, topology=named, agents=parameters),))
    finding = replace(full_advice().findings[0], task=nasty, rule=nasty)
    script = apply_script([finding], evil)
    assert literal(nasty) in script
    assert identifier(nasty) in script
    plain = apply_script([finding], session)
    assert script.splitlines().count("GO") == plain.splitlines().count("GO")
    assert not [line for line in script.splitlines() if line.startswith("EXEC evil")]
    assert "N'$(Password)'" not in script


def test_rows_that_may_hold_null_are_kept_where_null_may_stand() -> None:
    """A column of a table variable takes no NULL where its type is sysname and nothing is said."""
    for name, statement in catalogue().items():
        given = {parameter.name.removeprefix("@"): 1 for parameter in statement.parameters}
        if not statement.column_names:
            continue
        [declared] = re.findall(r"^DECLARE @found table \((.*)\);$", rows_of(name, given, "@found"), re.MULTILINE)
        kept = {column.split()[0] for column in re.split(r", (?![^(]*\))", declared) if column.endswith(" NULL")}
        assert kept == {column.name for column in statement.columns if column.nullable}, name


def test_literals_and_comments_are_closed() -> None:
    """A literal doubles its quotes and a comment never spans into code."""
    assert literal("O'Brien") == "N'O''Brien'"
    assert literal("$(x)") == "N'$' + N'(x)'"
    assert literal("a\nGO\nb") == "N'a' + NCHAR(10) + N'GO' + NCHAR(10) + N'b'"
    assert literal("a\x1bb\u202ec") == "N'a' + NCHAR(27) + N'b' + NCHAR(8238) + N'c'"
    assert identifier("a]b") == "[a]]b]"
    assert "$(" not in comment("$(Password)")
    assert "$(" not in batch_script("Set $(x)", "SQL$(x)", "Sales", "SELECT 1;")
    assert all(line.startswith("--") for line in comment("first\nsecond " + "word " * 60).splitlines())
    assert len(own_name("x" * 200)) == 128
