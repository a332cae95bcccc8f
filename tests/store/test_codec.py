"""The JSON of stored dataclasses."""

import math
import subprocess
import sys
from dataclasses import dataclass, make_dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.limits import Limits
from app.domain.load import Load
from app.domain.plan import Design, Factor, Plan, Stop
from app.domain.session import Environment
from app.domain.setting import Setting, Value
from app.foundation.codec import CodecError, dump_json, load_json, utc_text, utc_time
from app.foundation.paths import program_root
from app.systems.transactional_replication.load import Scenario, WorkloadSpec
from tests.store.sample import PLAN

NUMBERS = st.floats(allow_nan=False)
VALUES: st.SearchStrategy[Value] = st.one_of(st.integers(), NUMBERS, st.text())
SETTINGS = st.dictionaries(st.text(min_size=1), VALUES, max_size=4).map(Setting.from_mapping)
PLANS = st.builds(
    Plan,
    family=st.text(),
    factors=st.lists(st.builds(Factor, st.text(), st.lists(VALUES).map(tuple))).map(tuple),
    baseline=SETTINGS,
    load=st.builds(
        WorkloadSpec,
        st.tuples(NUMBERS, NUMBERS),
        st.integers(),
        st.sampled_from(Scenario),
        NUMBERS,
        st.none() | NUMBERS,
        st.integers(),
    ).map(WorkloadSpec.to_load),
    design=st.builds(
        Design,
        st.sampled_from(Stop),
        st.integers(),
        st.integers(),
        st.integers(),
        NUMBERS,
        st.integers(),
        st.none() | NUMBERS,
    ),
    limits=st.builds(
        Limits.of, latency_s=st.none() | NUMBERS, pending_commands=st.none() | st.integers(), trial_duration_s=NUMBERS
    ),
)


@settings(deadline=None)
@given(PLANS)
def test_any_plan_comes_back_exactly(plan: Plan) -> None:
    """A plan read back equals the one stored, to the type of each value."""
    again = load_json(Plan, dump_json(plan))
    assert again == plan
    assert repr(again) == repr(plan)


TIMES = st.datetimes(timezones=st.sampled_from((UTC, timezone(timedelta(hours=-7), "MST")))).map(
    lambda at: at.replace(fold=0)
)
"""Points in time; a fold says nothing where a zone's offset is fixed, and no text of ISO 8601 has one."""
STORED: tuple[Any, ...] = (Environment, Setting, tuple[str, ...], tuple[tuple[str, Value], ...], datetime, Scenario)
"""What stands in the columns of session files and journals beside plans, and single values of those kinds."""


@settings(deadline=None)
@given(st.data(), st.sampled_from(STORED))
def test_whatever_is_stored_comes_back_exactly(data: st.DataObject, hint: Any) -> None:
    """Made from the types alone, so that a field added tomorrow is in it; numbers keep their type, NaN too."""
    value = data.draw(TIMES if hint is datetime else st.from_type(hint))
    text = dump_json(value)
    again = load_json(hint, text)
    assert dump_json(again) == text
    assert repr(again) == repr(value.astimezone(UTC) if hint is datetime else value)


@dataclass(frozen=True)
class Reading:
    """One of everything a text is made of."""

    name: str
    mode: Scenario
    at: datetime
    next_at: datetime | None
    share: float
    whole_s: float
    most_s: float | None
    is_on: bool
    values: tuple[Value, ...] = ()
    part: Setting | None = None


READING = Reading(
    'Größe\n→ "x"',
    Scenario.DRAINED,
    datetime(2026, 7, 1, 12, 0, tzinfo=timezone(timedelta(hours=2))),
    None,
    0.00001,
    60,
    math.inf,
    True,
    (1, 1.0, 1e16, -math.inf, "1"),
    Setting.of(PacketSize=4096),
)
READING_TEXT = (
    '{"name":"Größe\\n→ \\"x\\"","mode":"drained","at":"2026-07-01T10:00:00+00:00","next_at":null,"share":1e-05,'
    '"whole_s":60,"most_s":{"float":"inf"},"is_on":true,"values":[1,1.0,1e+16,{"float":"-inf"},"1"],'
    '"part":{"values_by_name":[["PacketSize",4096]]}}'
)


def test_the_text_is_this_to_the_byte() -> None:
    """Fields in their order, nothing between them, letters as they are, numbers as Python writes them."""
    assert dump_json(READING) == READING_TEXT
    assert repr(load_json(Reading, READING_TEXT)) == repr(replace(READING, at=READING.at.astimezone(UTC)))


def test_a_type_may_be_made_while_the_program_runs() -> None:
    """A field may be of a type that only its plug-in knows."""
    site = make_dataclass("Site", [("name", str), ("sizes_mb", tuple[float, ...], ())], frozen=True)
    assert load_json(site, dump_json(site("A", (1, 2.5)))) == site("A", (1, 2.5))
    with pytest.raises(CodecError, match="colour"):
        load_json(site, '{"name":"A","colour":1}')


def test_a_bit_of_a_server_stays_where_a_number_belongs() -> None:
    """Drivers give true for a bit column; a file that holds one opens as it always did."""
    assert repr(load_json(Setting, '{"values_by_name":[["x",true]]}')) == repr(Setting.of(x=True))
    limits = load_json(Limits, '{"values_by_name":[["latency_s",true],["pending_commands",false]]}')
    assert limits == Limits.of(latency_s=1, pending_commands=0)


def test_only_who_reads_a_file_waits_for_pydantic() -> None:
    """It takes longer to import than a short command has."""
    asked = "import sys, app.store, app.cli.main; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], cwd=program_root(), capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


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
        (Limits, '{"values_by_name":[["latency_s","soon"]]}'),
        (Limits, '{"values_by_name":[["latency_s",{"float":"12"}]]}'),
        (WorkloadSpec, '{"commands_per_transaction":[1,2,3]}'),
        (Load, '{"values_by_name":[["commands",null]]}'),
        (datetime, '"yesterday"'),
        (datetime, '"2026-01-01T00:00:00"'),
        (datetime, "1767225600"),
        (Limits, '{"latency_s":"5"}'),
        (Limits, '{"pending_commands":5.0}'),
        (Limits, '{"latency_s":{"float":"inf","unit":"s"}}'),
        (Setting, '{"values_by_name":[["x",null]]}'),
        (Setting, '{"values_by_name":[["x"]]}'),
        (Setting, "[" * 100_000),
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
    with pytest.raises(TypeError, match="ordinary"):
        load_json(type("ordinary", (), {}), "{}")
