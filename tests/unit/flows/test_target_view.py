"""The page that asks for the target, without a window: the list, the form, and what a test says."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.connection import ConnectionWay, ServerUrl
from app.domain.errors import BadInput, TargetError
from app.flows.shell.wizard import Choices
from app.flows.target.attempt_view import (
    NO_ATTEMPT,
    AttemptState,
    attempt_begun,
    attempt_cancelled,
    attempt_failed,
    attempt_nothing,
    attempt_reached,
    is_mistake,
)
from app.flows.target.target_form import (
    TargetForm,
    can_save,
    field_note,
    form_name,
    form_of,
    form_target,
    name_note,
    ways_of,
)
from app.flows.target.target_view import TargetGroup, choose_listed, find_listed, group_title, keep_test, listed_targets
from app.flows.words import counted, ended, sentence
from app.services.look.reading import TargetReading, read_target
from app.services.target.target_spec import parse_target
from app.services.target.targets_catalogue import list_connection_ways, list_lab_scenarios
from tests.labs import SYSTEMS

_WAYS = {way.way_id: way for way in list_connection_ways()}
_SERVER, _SCENARIO = _WAYS["lab_server"], _WAYS["lab_scenario"]
_SAVED = (("Office", "lab@127.0.0.1:4000"), ("Twin", "lab@127.0.0.1:4000"))


@pytest.fixture(scope="module")
def reading() -> TargetReading:
    """What is read from the lab."""
    program = build_program()
    return read_target("lab", program.families, program.parts.open_target)


def _form(way: ConnectionWay, text: str) -> TargetForm:
    return TargetForm(way).with_value(way.fields[0].name, text)


# What is listed


def test_servers_come_before_the_lab_and_sql_server_before_oracle() -> None:
    """The ways stand by their stated rank, whatever their engines' folders are called and in whatever order found."""
    ways = build_program().parts.connection_ways()
    expected = ["sqlserver", "oracle", "oracle_alias", "lab_server", "lab_scenario", "oracle_lab_server"]
    assert [way.way_id for way in list_connection_ways(ways)] == expected
    by_sqlserver_last = tuple(sorted(ways, key=lambda way: way.way_id == "sqlserver"))
    assert [way.way_id for way in list_connection_ways(by_sqlserver_last)] == expected


def test_a_form_asks_for_the_server_its_system_is_found_at() -> None:
    """SQL Server is asked for as Distributor, primary replica or instance, Oracle as source and destination."""
    ways = ways_of(SYSTEMS.values(), build_program().parts.connection_ways())
    asked = {way.title: next(each.label for each in way.fields if each.is_entry) for way in ways if way.engine}
    assert asked == {
        "A SQL Server: Distributor": "Distributor",
        "A SQL Server: Primary replica": "Primary replica",
        "A SQL Server: Instance": "Instance",
        "An Oracle database": "Source host",
        "An Oracle database, by TNS alias": "Source alias",
    }
    oracle = next(way for way in ways if way.title == "An Oracle database")
    assert "Destination" in {each.label for each in oracle.fields}


@pytest.mark.parametrize(
    "target",
    [
        "sqlserver://anna@dist1",
        "sqlserver://anna@dist1:1444?database=distribution&encrypt=strict",
        "sqlserver://dist1\\SALES?auth=windows&trust=yes",
        "sqlserver://app@dist1?auth=entra-service-principal",
        "oracle://strm@db1:1521/SRC?destination=oracle://strm@db2:1521/DST",
        "oracle://strm@db1?sid=SRC",
        "oracle://strm@src?destination=dst&tns_admin=/etc/oracle",
        "lab@127.0.0.1:4000",
        "lab@127.0.0.1:51521?engine=oracle",
    ],
)
def test_a_saved_target_fills_the_form_that_makes_it(target: str) -> None:
    """What was entered once can be changed: the form filled in makes the very same target."""
    ways = ways_of(SYSTEMS.values(), list_connection_ways(build_program().parts.connection_ways()))
    spec = parse_target(target)
    form = form_of(spec.text if isinstance(spec, ServerUrl) else target, ways, "Office")
    assert form is not None
    assert form_target(form) == (spec.text if isinstance(spec, ServerUrl) else target)
    assert form_name(form, ()) == "Office"


def test_the_lab_lists_first_the_scenario_a_newcomer_meets_and_then_the_default() -> None:
    """Every scenario that ships can be chosen, by a target the command line accepts."""
    scenarios = list_lab_scenarios(SYSTEMS.values())
    assert [scenario.target for scenario in scenarios[:2]] == ["lab:incident", "lab"]
    assert {"lan", "wan-512k"} <= {scenario.name for scenario in scenarios}
    for scenario in scenarios:
        parse_target(scenario.target)
        assert scenario.title


def test_a_damaged_scenario_is_listed_by_its_name(tmp_path: Path) -> None:
    """A file that cannot be used does not take the others with it."""
    (tmp_path / "broken.toml").write_text("name = ", encoding="utf-8")
    (tmp_path / "odd.toml").write_text('title = 5\nlink = 3\n[topology]\npairs = "x"\n', encoding="utf-8")
    scenarios = list_lab_scenarios(SYSTEMS.values(), tmp_path)
    assert [(s.name, s.title) for s in scenarios] == [("broken", ""), ("odd", "")]
    listed = listed_targets((), scenarios, SYSTEMS)
    assert [(entry.title, entry.detail) for entry in listed] == [("broken", "lab:broken"), ("odd", "lab:odd")]


def test_a_scenario_of_a_system_that_is_missing_is_not_listed() -> None:
    """What could not be opened is no choice."""
    (replication, *others) = SYSTEMS.items()
    assert replication[0] == "transactional_replication"
    listed = {entry.target for entry in listed_targets((), list_lab_scenarios(SYSTEMS.values()), dict(others))}
    assert not {"lab", "lab:wan-512k"} & listed
    assert {"lab:ag-2014", "lab:streams-2009"} <= listed


def test_saved_targets_come_first_and_only_they_can_be_removed() -> None:
    """What a person saved stands above the lab."""
    listed = listed_targets(_SAVED, list_lab_scenarios(SYSTEMS.values()), SYSTEMS)
    assert [entry.title for entry in listed[:2]] == ["Office", "Twin"]
    assert {entry.group for entry in listed if entry.can_be_removed} == {TargetGroup.SAVED}
    assert len({entry.key for entry in listed}) == len(listed)


def test_scenarios_are_described_in_units_a_person_reads() -> None:
    """Bandwidth and round trip stand beside the number of agents."""
    details = {
        entry.target: entry.detail for entry in listed_targets((), list_lab_scenarios(SYSTEMS.values()), SYSTEMS)
    }
    assert details["lab:wan-512k"] == "lab:wan-512k, 1 pair of agents, 512 kbit/s, 300 ms round trip"
    assert "3 pairs of agents" in details["lab"]
    assert "1 Gbit/s" in details["lab:wan-lan-1g"]
    (fast,) = (s for s in list_lab_scenarios(SYSTEMS.values()) if s.target == "lab")
    slower = replace(fast, content={**fast.content, "link": {"bandwidth_kbps": 10_000.0}})
    assert "10 Mbit/s" in listed_targets((), (slower,), SYSTEMS)[0].detail


def test_a_target_in_use_is_listed_even_where_nobody_saved_it() -> None:
    """A target given from elsewhere, or removed while in use, stays in sight."""
    listed = listed_targets((), list_lab_scenarios(SYSTEMS.values()), SYSTEMS, "lab@127.0.0.1:7")
    assert (listed[0].group, listed[0].target) == (TargetGroup.OTHER, "lab@127.0.0.1:7")
    assert not listed[0].can_be_removed
    assert listed[-1].group is TargetGroup.MORE_LABS
    assert sum(entry.group is TargetGroup.LAB for entry in listed) <= len(SYSTEMS) + 1  # few
    assert listed_targets((), list_lab_scenarios(SYSTEMS.values()), SYSTEMS, "lab") == listed_targets(
        (), list_lab_scenarios(SYSTEMS.values()), SYSTEMS
    )


def test_of_two_names_for_a_target_the_chosen_one_stays_chosen() -> None:
    """The entry is found by its key first, then by its target."""
    listed = listed_targets(_SAVED, (), SYSTEMS)
    assert find_listed(listed, "lab@127.0.0.1:4000", listed[1].key) == listed[1]
    assert find_listed(listed, "lab@127.0.0.1:4000") == listed[0]
    assert find_listed(listed, "lab") is None


@pytest.mark.parametrize("group", list(TargetGroup))
def test_every_group_has_a_heading(group: TargetGroup) -> None:
    """No group is shown without a word."""
    assert group_title(group)


# Choosing


def test_another_target_drops_what_was_read_and_going_back_brings_it_again(reading: TargetReading) -> None:
    """Moving through the list does not cost the reading of the target chosen before."""
    entered = keep_test(Choices(target="lab", family="log_reader"), "lab", reading)
    moved = choose_listed(entered, entered, "lab:wan-512k")
    assert (moved.target, moved.discovery, moved.family) == ("lab:wan-512k", None, "log_reader")
    assert choose_listed(entered, moved, "lab") is entered


def test_a_test_is_kept_for_its_own_target_only(reading: TargetReading) -> None:
    """What a test read is used at the next step, unless another target was chosen or it was read before."""
    chosen = Choices(target="lab")
    kept = keep_test(chosen, "lab", reading)
    assert kept.discovery == reading.discovery
    assert dict(kept.sites) == dict(reading.sites)
    assert keep_test(chosen, "lab:wan-512k", reading) is chosen
    assert keep_test(kept, "lab", reading) is kept


# The form


@pytest.mark.parametrize("text", ["0", "65536", "-1", "abc", "1.5", "１２", "9 9"])
def test_a_wrong_port_is_told_as_one_types(text: str) -> None:
    """The error stands beside the field, and the form makes no target."""
    note = field_note(_SERVER.fields[0], text)
    assert note.is_error
    assert "65535" in note.text
    assert form_target(_form(_SERVER, text)) == ""


def test_an_empty_field_shows_help_and_no_error() -> None:
    """Nobody is blamed for a field not filled yet."""
    note = field_note(_SERVER.fields[0], "  ")
    assert (note.is_error, note.text) == (False, _SERVER.fields[0].help)
    assert form_target(TargetForm(_SERVER)) == ""
    assert form_name(TargetForm(_SERVER), ()) == ""


def test_a_port_makes_a_target_with_a_suggested_name() -> None:
    """Blanks and leading zeros do not matter."""
    form = _form(_SERVER, " 04000 ")
    assert not field_note(_SERVER.fields[0], " 04000 ").is_error
    assert form_target(form) == "lab@127.0.0.1:4000"
    assert form_name(form, ()) == "Lab server 04000"
    parse_target(form_target(form))


def test_a_file_field_tells_what_is_wrong(tmp_path: Path) -> None:
    """A missing file, a folder and another kind of file are told apart."""
    other = tmp_path / "site.txt"
    other.write_text("x", encoding="utf-8")
    field = _SCENARIO.fields[0]
    notes = [field_note(field, str(path)).text for path in (tmp_path / "none.toml", tmp_path, other)]
    assert notes == ["There is no such file.", "This is a folder; choose a file in it.", "The file must end in .toml."]


def test_a_scenario_file_makes_a_target_that_can_be_opened_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path is saved as an absolute one, under the file's name."""
    (tmp_path / "My Site.TOML").write_text("x", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    form = _form(_SCENARIO, "My Site.TOML")
    assert form_target(form) == f"lab:{tmp_path / 'My Site.TOML'}"
    assert form_name(form, ()) == "My Site"


def test_a_taken_name_is_not_suggested_and_not_accepted() -> None:
    """Saving never replaces another target unseen."""
    form = _form(_SERVER, "4000")
    saved = (("Lab server 4000", "lab"), ("Lab server 4000 (2)", "lab"))
    assert form_name(form, saved) == "Lab server 4000 (3)"
    assert can_save(form, saved)
    taken = replace(form, name=" Lab server 4000 ")
    assert name_note(taken, saved).is_error
    assert not can_save(taken, saved)


def test_a_name_erased_is_asked_for() -> None:
    """An entered name replaces the suggestion, also when it is empty."""
    form = replace(_form(_SERVER, "4000"), name=" ")
    assert name_note(form, ()).is_error
    assert not can_save(form, ())
    assert can_save(replace(form, name="Office"), ())
    assert not name_note(_form(_SERVER, "4000"), ()).is_error


def test_another_way_asks_for_its_own_fields() -> None:
    """What was entered for one way makes no target of another."""
    form = _form(_SERVER, "4000").with_way(_SCENARIO)
    assert form.way is _SCENARIO
    assert form_target(form) == ""


# The test of a connection


def test_a_reached_target_is_told_with_what_was_found(reading: TargetReading) -> None:
    """Name, version and counts show at a glance that it is the right server."""
    attempt = attempt_reached(reading, SYSTEMS)
    assert attempt.state is AttemptState.REACHED
    assert attempt.text == (
        "Reached: Distributor DIST1, SQL Server 14.0.3456.2, Enterprise Edition (64-bit); 3 publications, 6 agents."
    )


def test_a_target_without_a_distributor_is_told_so(reading: TargetReading) -> None:
    """A server without replication is reached, too."""
    attempt = attempt_reached(replace(reading, discovery=replace(reading.discovery, by_system=())), SYSTEMS)
    assert "no Distributor" in attempt.text


def test_a_failure_is_told_as_a_sentence_with_the_servers_own_words() -> None:
    """The product's sentence comes first, the server's text below it."""
    attempt = attempt_failed(TargetError("no server answers", "Msg 53: named pipes"))
    assert (attempt.text, attempt.detail) == ("No server answers.", "Msg 53: named pipes")
    assert attempt_failed(BadInput("unknown target")).detail == ""


def test_a_mistake_of_the_program_is_told_apart() -> None:
    """Only what a person cannot mend makes a report."""
    assert is_mistake(KeyError("x"))
    assert not is_mistake(BadInput("x"))
    assert "mistake in this program" in attempt_failed(KeyError("x")).text


def test_waiting_and_giving_up_have_words() -> None:
    """Every state of an attempt says what it is."""
    assert attempt_begun("Office").text == "Reading Office …"
    assert attempt_begun("Office").state is AttemptState.GOING_ON
    assert attempt_cancelled().state is AttemptState.FAILED
    assert attempt_nothing("Nothing.").text == "Nothing."
    assert NO_ATTEMPT.text == ""


def test_words() -> None:
    """Counting and full stops follow one rule."""
    assert counted(1, "1 agent", "{count} agents") == "1 agent"
    assert counted(1_200, "1 agent", "{count} agents") == "1,200 agents"
    assert sentence(" no lab answers ") == "No lab answers."
    assert sentence("Really?") == "Really?"
    assert (sentence(""), ended("")) == ("", "")
