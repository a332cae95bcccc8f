"""The page that asks for the experiment, without a window: the cards and what choosing one keeps."""

import copy
from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.bootstrap import build_program
from app.domain.family import ExperimentFamily
from app.domain.system import System
from app.flows.plan.experiment_view import choose_card, family_cards
from app.flows.shell.wizard import Choices, Step, choose_plan, keep_reading, why_not_leave
from app.services.look.reading import TargetReading, read_target
from tests.labs import SYSTEMS
from tests.unit.flows.subjects import GROUPS, STREAMS, choices_at

_IMPOSSIBLE = (("wan_delivery", "needs a measurement of the link, which this target does not offer"),)


@pytest.fixture(scope="module")
def families() -> Mapping[str, ExperimentFamily]:
    """The families that ship."""
    return build_program().families


@pytest.fixture(scope="module")
def reading(families: Mapping[str, ExperimentFamily]) -> TargetReading:
    """What is read from the lab."""
    return read_target("lab", families, build_program().parts.open_target)


def _read(reading: TargetReading) -> Choices:
    return keep_reading(Choices(target="lab"), reading.discovery, reading.sites, reading.impossible)


def test_there_is_a_card_for_every_family_in_the_order_commands_flow(
    families: Mapping[str, ExperimentFamily], reading: TargetReading
) -> None:
    """The Log Reader Agent comes before what the Distribution Agent does."""
    cards = family_cards(families, _read(reading))
    assert {card.family for card in cards} == set(families)
    assert cards[0].family == "log_reader"
    possible = {card.family for card in cards if card.is_possible}
    assert {"log_reader", "distribution_agent", "wan_delivery"} <= possible


def test_a_card_says_what_is_needed_and_what_is_there(
    families: Mapping[str, ExperimentFamily], reading: TargetReading
) -> None:
    """Needs are told with how many agents were found."""
    by_id = {card.family: card for card in family_cards(families, _read(reading))}
    assert by_id["log_reader"].needs == (
        "Needs a Log Reader Agent that may be stopped and started (found here: 3) "
        "and a test workload written at the Publisher."
    )
    assert "link from Distributor to Subscriber" in by_id["wan_delivery"].needs
    assert "ReadBatchSize" in by_id["log_reader"].varies
    assert by_id["log_reader"].question in by_id["log_reader"].spoken


def test_a_family_with_one_parameter_names_it_alone(families: Mapping[str, ExperimentFamily]) -> None:
    """A list of one needs no "and"."""
    family = copy.copy(families["log_reader"])
    family.parameters = family.parameters[:1]
    (card,) = family_cards({"log_reader": family}, Choices())
    assert card.varies == "Tries values of ReadBatchSize."


def test_before_reading_nothing_is_said_about_what_was_found(families: Mapping[str, ExperimentFamily]) -> None:
    """A number that is not known is left out."""
    assert all("found here" not in card.needs for card in family_cards(families, Choices()))


def test_an_impossible_family_says_why(families: Mapping[str, ExperimentFamily]) -> None:
    """It stays in sight, cannot be chosen, and names the reason first."""
    choices = Choices(target="lab", impossible=_IMPOSSIBLE)
    card = next(card for card in family_cards(families, choices) if card.family == "wan_delivery")
    assert not card.is_possible
    assert card.impossible == ("Not possible here: needs a measurement of the link, which this target does not offer.")
    assert card.spoken.startswith("Not possible here")
    assert choose_card(choices, choices, "wan_delivery") is choices


def test_a_target_without_agents_makes_every_family_impossible(
    families: Mapping[str, ExperimentFamily], reading: TargetReading
) -> None:
    """All cards can be impossible; the step then cannot be left."""
    impossible = tuple((family, "no agents") for family in families)
    choices = keep_reading(Choices(target="lab", family="log_reader"), reading.discovery, (), impossible)
    assert not any(card.is_possible for card in family_cards(families, choices))
    assert choices.family == ""
    assert why_not_leave(Step.TOPOLOGY, choices)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_every_need_has_words(system: System) -> None:
    """No name of ours is shown to a person."""
    assert system.capabilities
    for capability, words in system.capabilities.items():
        assert capability not in words


def test_another_family_drops_the_plan_and_going_back_brings_it_again(
    families: Mapping[str, ExperimentFamily], reading: TargetReading
) -> None:
    """Moving through the cards does not cost the plan made before."""
    chosen = choose_card(_read(reading), _read(reading), "log_reader")
    entered = choose_plan(chosen, families["log_reader"].default_plan())
    moved = choose_card(entered, entered, "distribution_agent")
    assert (moved.family, moved.plan) == ("distribution_agent", None)
    assert choose_card(entered, moved, "log_reader") is entered


def test_a_family_that_is_not_possible_on_the_target_is_dropped_with_its_plan(
    families: Mapping[str, ExperimentFamily], reading: TargetReading
) -> None:
    """A family chosen for an older target does not survive a reading that forbids it."""
    plan = families["wan_delivery"].default_plan()
    before = Choices(target="lab", family="wan_delivery", plan=plan)
    after = keep_reading(before, reading.discovery, reading.sites, _IMPOSSIBLE)
    assert (after.family, after.plan, after.impossible) == ("", None, _IMPOSSIBLE)
    kept = keep_reading(replace(before, family="log_reader"), reading.discovery, reading.sites, _IMPOSSIBLE)
    assert (kept.family, kept.plan) == ("log_reader", plan)


def test_what_is_possible_here_comes_first(families: Mapping[str, ExperimentFamily]) -> None:
    """On a pipeline the one that fits it leads; the others say why they do not."""
    cards = family_cards(families, choices_at(STREAMS))
    assert cards[0].family == "streams_apply"
    assert cards[0].needs.endswith("(found here: STREAMS_CAPTURE → STREAMS_APPLY).")
    assert all(not card.is_possible for card in cards[1:])
    assert all("does not offer" in card.impossible for card in cards[1:])


def test_groups_are_named_where_they_were_found(families: Mapping[str, ExperimentFamily]) -> None:
    """A family whose parameters are all words compares them; one with numbers tries values."""
    by_id = {card.family: card for card in family_cards(families, choices_at(GROUPS))}
    assert "(found here: AG_ASYNC, AG_SYNC)" in by_id["commit_mode"].needs
    varies = "Tries values of availability_mode, log_stream_compression and group_commit_time."
    assert by_id["commit_mode"].varies == varies
    assert by_id["seeding"].varies.startswith("Tries values of seeding_method")
