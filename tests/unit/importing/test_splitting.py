"""Which experiments a set of settings contains."""

from functools import partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.settings_slices import MOST_SETTINGS, Slice, slices_of
from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.services.explain.importing import ImportedExperiment, experiments
from tests.unit.importing.files import FAMILIES, REPEATABLE, calls_made


def settings(*points: tuple[int, int]) -> list[Setting]:
    """Return settings of CommitBatchSize and SubscriptionStreams."""
    return [Setting.of(CommitBatchSize=size, SubscriptionStreams=streams) for size, streams in points]


def shown(chosen: tuple[Slice, ...]) -> list[tuple[tuple[str, ...], str, int]]:
    """Return factors, fixed values and number of settings of each slice."""
    return [(entry.factors, entry.fixed.label(), len(entry.settings)) for entry in chosen]


STAR = [(size, 1) for size in (100, 150, 200, 250, 500, 1000)] + [(100, streams) for streams in (2, 4, 8, 16)]
DEFAULTS = Setting.of(CommitBatchSize=100, SubscriptionStreams=1)


def test_one_parameter_gives_one_line() -> None:
    """A sweep of one parameter is one experiment, whatever else is constant."""
    assert shown(slices_of(settings((100, 1), (200, 1), (500, 1)))) == [
        (("CommitBatchSize",), "SubscriptionStreams 1", 3)
    ]


def test_a_star_gives_a_line_for_each_arm_and_its_centre_belongs_to_both() -> None:
    """Two sweeps through one setting are two experiments of one factor."""
    chosen = slices_of(settings(*STAR))
    assert shown(chosen) == [
        (("CommitBatchSize",), "SubscriptionStreams 1", 6),
        (("SubscriptionStreams",), "CommitBatchSize 100", 5),
    ]
    assert all(DEFAULTS in entry.settings for entry in chosen)


def test_a_full_grid_is_one_joint_experiment() -> None:
    """All combinations of two parameters are judged together."""
    assert shown(slices_of(settings(*product((100, 200, 500), (1, 8))))) == [
        (("CommitBatchSize", "SubscriptionStreams"), "", 6)
    ]


def test_a_grid_with_a_gap_is_one_experiment() -> None:
    """Lines would compare with three settings, of which nobody has more than one in effect."""
    points = settings((100, 1), (200, 1), (500, 1), (100, 8), (200, 8))
    assert shown(slices_of(points, DEFAULTS)) == [(("CommitBatchSize", "SubscriptionStreams"), "", 5)]


def test_lines_apart_are_one_experiment() -> None:
    """No setting is in both, so neither reference is in effect beside the other."""
    points = settings((100, 1), (200, 1), (500, 8), (1000, 8))
    assert shown(slices_of(points, DEFAULTS)) == [(("CommitBatchSize", "SubscriptionStreams"), "", 4)]


def test_lines_of_more_settings_than_can_be_compared_stay_apart() -> None:
    """Each can be judged, all of them together cannot: a grid of 27 times 40 with most of its last row missing."""
    points = settings(*[(100 + size, streams) for size in range(27) for streams in range(1, 41)][:-27])
    chosen = slices_of(points, DEFAULTS)
    assert len(points) > MOST_SETTINGS
    assert len(chosen) > 1
    assert max(len(entry.settings) for entry in chosen) <= MOST_SETTINGS
    assert {each for entry in chosen for each in entry.settings} == set(points)


def test_a_full_grid_and_a_sweep_of_a_third_parameter_are_two_experiments() -> None:
    """A sweep through one setting of a grid does not break up the grid."""
    grid = [
        Setting.of(CommitBatchSize=size, SubscriptionStreams=streams, PacketSize=4096)
        for size, streams in product((100, 200), (1, 8))
    ]
    sweep = [Setting.of(CommitBatchSize=100, SubscriptionStreams=1, PacketSize=packet) for packet in (8192, 16384)]
    assert shown(slices_of(grid + sweep)) == [
        (("CommitBatchSize", "SubscriptionStreams"), "PacketSize 4096", 4),
        (("PacketSize",), "CommitBatchSize 100, SubscriptionStreams 1", 3),
    ]


@pytest.mark.parametrize("points", [[], [(100, 1)], [(100, 1), (200, 8)]])
def test_settings_without_neighbours_are_in_no_experiment(points: list[tuple[int, int]]) -> None:
    """Nothing, one setting, or two that differ in both parameters cannot be compared."""
    assert slices_of(settings(*points)) == ()


@pytest.mark.parametrize("others", [[], [(-1, -1)]])
def test_the_work_grows_with_the_number_of_settings_only(others: list[tuple[int, int]]) -> None:
    """Ten times as many settings on one line take ten times as many calls, beside one without a neighbour as well."""
    small, large = (settings(*((size, 1) for size in range(count)), *others) for count in (300, 3_000))
    assert calls_made(partial(slices_of, large))[0] <= 12 * calls_made(partial(slices_of, small))[0]


POINTS = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(1, 4)] * width), min_size=1, max_size=20, unique=True)
)
NAMES = ("A", "B", "C")


def as_settings(points: list[tuple[int, ...]]) -> list[Setting]:
    """Return one setting for each tuple of values."""
    return [Setting(tuple(zip(NAMES, point, strict=False))) for point in points]


def differs_in_one(one: Setting, other: Setting) -> bool:
    """Return whether two settings differ in exactly one parameter."""
    return sum(one[name] != other[name] for name in one) == 1


@REPEATABLE
@given(POINTS)
def test_every_slice_is_a_whole_comparable_set(points: list[tuple[int, ...]]) -> None:
    """In each slice the factors vary and all else is constant; of several all combinations are there, and none is
    missing."""
    given_settings = as_settings(points)
    chosen = slices_of(given_settings)
    for entry in chosen:
        for name in entry.factors:
            assert len({setting[name] for setting in entry.settings}) > 1
        assert set(entry.factors) | set(entry.fixed) == set(given_settings[0])
        assert len(chosen) == 1 or entry.is_complete
        same = {s for s in given_settings if all(s[name] == value for name, value in entry.fixed.items())}
        assert set(entry.settings) <= same
        assert not entry.is_complete or set(entry.settings) == same


@REPEATABLE
@given(POINTS)
def test_some_setting_is_in_every_slice(points: list[tuple[int, ...]]) -> None:
    """Else there are references of which only one can be in effect."""
    chosen = slices_of(as_settings(points))
    assert not chosen or set(chosen[0].settings).intersection(*(entry.settings for entry in chosen))


@REPEATABLE
@given(POINTS)
def test_exactly_the_settings_with_a_neighbour_are_covered(points: list[tuple[int, ...]]) -> None:
    """A setting is in some slice if and only if another one differs from it in one parameter."""
    given_settings = as_settings(points)
    covered = {setting for entry in slices_of(given_settings) for setting in entry.settings}
    assert covered == {s for s in given_settings if any(differs_in_one(s, other) for other in given_settings)}


@REPEATABLE
@given(POINTS)
def test_each_slice_adds_a_setting(points: list[tuple[int, ...]]) -> None:
    """No slice only repeats what those before it hold, so there is not one comparison more than needed."""
    seen: set[Setting] = set()
    for entry in slices_of(as_settings(points)):
        assert not seen.issuperset(entry.settings)
        seen.update(entry.settings)


@REPEATABLE
@given(POINTS, st.data())
def test_order_and_repeats_do_not_matter(points: list[tuple[int, ...]], data: st.DataObject) -> None:
    """The same settings give the same slices in any order."""
    given_settings = as_settings(points)
    shuffled = data.draw(st.permutations(given_settings))
    assert slices_of(given_settings) == slices_of([*shuffled, *shuffled])


@REPEATABLE
@given(st.lists(st.sets(st.integers(1, 9), min_size=1, max_size=4), min_size=1, max_size=3))
def test_a_full_grid_is_always_exactly_one_experiment(levels: list[set[int]]) -> None:
    """Whatever its size, a full grid is one slice over the parameters that vary."""
    chosen = slices_of(as_settings(list(product(*levels))))
    varied = tuple(name for name, values in zip(NAMES, levels, strict=False) if len(values) > 1)
    assert [entry.factors for entry in chosen] == ([varied] if varied else [])


def measured(setting: Setting, value: float, **other: str) -> Measurement:
    """Return one run time of the Distribution Agent."""
    conditions = Setting.from_mapping({"scenario": other.get("scenario", "drained")})
    metric = other.get("metric", "run_time")
    unit = "s" if metric == "run_time" else "commands/s"
    return Measurement("distribution_agent", f"r{value:g}", 1, metric, value, unit, setting, conditions)


def by_factor(found: tuple[ImportedExperiment, ...]) -> list[tuple[str, str, int]]:
    """Return factor, conditions and number of measurements of each experiment."""
    return [(entry.factor, entry.conditions.label(), len(entry.measurements)) for entry in found]


def test_measurements_carry_the_factors_only_and_fixed_parameters_become_conditions() -> None:
    """The arms of a star become experiments whose measurements differ in one parameter under equal conditions."""
    given_ones = [measured(setting, 100.0 + at) for at, setting in enumerate(settings(*STAR))]
    found = experiments(given_ones, FAMILIES)
    assert by_factor(found) == [
        ("CommitBatchSize", "SubscriptionStreams 1, scenario drained", 6),
        ("SubscriptionStreams", "CommitBatchSize 100, scenario drained", 5),
    ]
    assert found[0].measurements[0].setting == Setting.of(CommitBatchSize=100)
    assert found[1].measurements[0].setting == Setting.of(SubscriptionStreams=1)
    assert found[0].measurements[0].trial_id == found[1].measurements[0].trial_id == "r100"
    for entry in found:
        assert {m.conditions for m in entry.measurements} == {entry.conditions}


def test_metrics_and_conditions_are_never_mixed() -> None:
    """Each metric and each set of conditions is an experiment of its own, with all repeats of its settings."""
    pair = settings((100, 1), (100, 8))
    given_ones = [
        measured(setting, float(at), scenario=scenario, metric=metric)
        for at, (scenario, metric, setting) in enumerate(
            product(("drained", "continuous"), ("run_time", "throughput"), pair * 3), start=1
        )
    ]
    found = experiments(given_ones)
    assert [(entry.metric, entry.unit, str(entry.conditions["scenario"])) for entry in found] == [
        ("run_time", "s", "drained"),
        ("throughput", "commands/s", "drained"),
        ("run_time", "s", "continuous"),
        ("throughput", "commands/s", "continuous"),
    ]
    assert [len(entry.measurements) for entry in found] == [6, 6, 6, 6]


def test_settings_that_name_other_parameters_are_not_compared() -> None:
    """A parameter that is not given is unknown, not default: such settings form experiments of their own."""
    both = settings((100, 1), (100, 8))
    single = [Setting.of(CommitBatchSize=100), Setting.of(CommitBatchSize=200)]
    found = experiments([measured(setting, 1.0 + at) for at, setting in enumerate(both + single)])
    assert [(entry.factor, len(entry.measurements)) for entry in found] == [
        ("SubscriptionStreams", 2),
        ("CommitBatchSize", 2),
    ]


def test_a_joint_experiment_names_its_factors_together() -> None:
    """A grid keeps both parameters in its settings."""
    grid = settings(*product((100, 200), (1, 8)))
    found = experiments([measured(setting, 1.0 + at) for at, setting in enumerate(grid)])
    assert by_factor(found) == [("CommitBatchSize × SubscriptionStreams", "scenario drained", 4)]
    assert [m.setting for m in found[0].measurements] == grid
