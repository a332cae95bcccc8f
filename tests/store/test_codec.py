"""The JSON of stored dataclasses."""

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.plan import Design, Factor, Limits, Plan, Scenario, Stop, WorkloadSpec
from app.domain.session import Environment
from app.domain.setting import Setting, Value
from app.foundation.codec import CodecError, dump_json, load_json, utc_text, utc_time
from tests.store.sample import ENVIRONMENT, PLAN

NUMBERS = st.floats(allow_nan=False)
VALUES: st.SearchStrategy[Value] = st.one_of(st.integers(), NUMBERS, st.text())
SETTINGS = st.dictionaries(st.text(min_size=1), VALUES, max_size=4).map(Setting.from_mapping)
PLANS = st.builds(
    Plan,
    family=st.text(),
    factors=st.lists(st.builds(Factor, st.text(), st.lists(VALUES).map(tuple))).map(tuple),
    baseline=SETTINGS,
    workload=st.builds(
        WorkloadSpec,
        st.tuples(NUMBERS, NUMBERS),
        st.integers(),
        st.sampled_from(Scenario),
        NUMBERS,
        st.none() | NUMBERS,
        st.integers(),
    ),
    design=st.builds(
        Design, st.sampled_from(Stop), st.integers(), st.integers(), NUMBERS, st.integers(), st.none() | NUMBERS
    ),
    limits=st.builds(
        Limits,
        st.none() | NUMBERS,
        st.none() | st.integers(),
        st.none() | NUMBERS,
        st.none() | NUMBERS,
        st.none() | NUMBERS,
        NUMBERS,
    ),
)


@settings(deadline=None)
@given(PLANS)
def test_any_plan_comes_back_exactly(plan: Plan) -> None:
    """A plan read back equals the one stored, to the type of each value."""
    again = load_json(Plan, dump_json(plan))
    assert again == plan
    assert repr(again) == repr(plan)


def test_a_whole_environment_comes_back() -> None:
    """A topology with agents, parameters and readings survives the round trip."""
    assert load_json(Environment, dump_json(ENVIRONMENT)) == ENVIRONMENT
    assert load_json(Environment, dump_json(Environment("x", None))) == Environment("x", None)


def test_not_a_number_comes_back() -> None:
    """NaN, for which JSON has no word, is kept."""
    again = load_json(Setting, dump_json(Setting.of(latency=math.nan)))
    assert math.isnan(float(again["latency"]))


def test_a_missing_field_takes_its_default_and_an_unknown_one_is_refused() -> None:
    """A type may grow; what nobody knows is not silently dropped."""
    text = dump_json(PLAN)
    shorter = load_json(Plan, '{"family":"log_reader","factors":[],"baseline":{"values_by_name":[]}}')
    assert shorter.design == Design()
    with pytest.raises(CodecError, match="colour"):
        load_json(Plan, text[:-1] + ',"colour":1}')


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (Plan, "{"),
        (Plan, "[]"),
        (Plan, '{"family":"x"}'),
        (Plan, '{"family":5,"factors":[],"baseline":{}}'),
        (Design, '{"stop":"never"}'),
        (Limits, '{"latency_s":"soon"}'),
        (Limits, '{"latency_s":{"float":"12"}}'),
        (WorkloadSpec, '{"commands_per_transaction":[1,2,3]}'),
        (datetime, '"yesterday"'),
        (datetime, '"2026-01-01T00:00:00"'),
    ],
)
def test_text_that_does_not_fit_is_refused(hint: type, text: str) -> None:
    """A damaged column is reported, whatever is wrong with it."""
    with pytest.raises(CodecError):
        load_json(hint, text)


def test_times_are_stored_in_utc_to_the_microsecond() -> None:
    """A time of another zone is the same moment afterwards; one without a zone is refused."""
    summer = datetime(2026, 7, 1, 12, 0, 0, 1, tzinfo=timezone(timedelta(hours=2)))
    assert utc_text(summer) == "2026-07-01T10:00:00.000001+00:00"
    assert utc_time(utc_text(summer)) == summer
    assert utc_time(utc_text(summer)).tzinfo == UTC
    with pytest.raises(ValueError, match="no time zone"):
        utc_text(datetime(2026, 7, 1))  # noqa: DTZ001 - the mistake itself


def test_what_cannot_come_back_is_not_stored() -> None:
    """A list or a set is refused while writing, not while reading years later."""
    with pytest.raises(TypeError, match="list"):
        dump_json([1])
    with pytest.raises(TypeError):
        load_json(list[int], "[1]")
