"""Measures, parameters, choices and conditions in the words of servers, tools and people."""

from pathlib import Path

import pytest

from app.domain.condition import Condition
from app.domain.measurement import Metric
from app.domain.setting import Parameter, Setting, Value
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import FamilyColumns, read_measurements
from app.services.explain.importing.columns import KnownColumns
from app.services.explain.importing.headings import Headings
from tests.labs import FAMILIES
from tests.rows import every_row

COLUMNS = accepted_columns(FAMILIES)
METRICS = [
    (family, metric, word)
    for family in COLUMNS.values()
    for metric in family.judged_by
    for word in (metric.name, *metric.called)
]
PARAMETERS = [
    (family, parameter, word)
    for family in COLUMNS.values()
    for parameter in family.parameters
    for word in (parameter.name, *parameter.called)
]
CHOICES = [
    (family, parameter, choice, word)
    for family in COLUMNS.values()
    for parameter in family.parameters
    for choice, words in zip(parameter.choices, parameter.choices_called, strict=False)
    for word in (choice, choice.upper(), *words)
]


def _two(parameter: Parameter) -> tuple[Value, Value]:
    first, second, *_more = dict.fromkeys((parameter.default, *parameter.levels))
    return first, second


def _read(
    folder: Path, family: FamilyColumns, heading: str, cells: tuple[Value, ...], metric: Metric, word: str
) -> list[tuple[str, Setting]]:
    """Return measure and setting of each value of a file with one parameter, in somebody's words."""
    path = folder / "words.csv"
    rows = [f'{family.family},"{word}",{10 + n},{metric.unit},"{cell}"' for n, cell in enumerate(cells)]
    path.write_text("\n".join((f'family,metric,value,unit,"{heading}"', *rows)), encoding="utf-8")
    return [(m.metric, m.setting) for m in read_measurements(path, COLUMNS).measurements]


@every_row(("family", "metric", "word"), METRICS, ids=[f"{f.family}-{word}" for f, _m, word in METRICS])
def test_a_measure_is_known_by_each_of_its_names(
    family: FamilyColumns, metric: Metric, word: str, tmp_path: Path
) -> None:
    """ "cmds/sec" is the throughput of an agent, "tps" of a commit mode."""
    parameter = family.parameters[0]
    found = _read(tmp_path, family, parameter.name, _two(parameter), metric, word)
    assert [name for name, _setting in found] == [metric.name] * 2


@every_row(("family", "parameter", "word"), PARAMETERS, ids=[f"{f.family}-{word}" for f, _p, word in PARAMETERS])
def test_a_parameter_is_known_by_each_of_its_names(
    family: FamilyColumns, parameter: Parameter, word: str, tmp_path: Path
) -> None:
    """ "Backup files" are the stripes of a backup."""
    levels = _two(parameter)
    found = _read(tmp_path, family, word, levels, family.metrics[0], family.metrics[0].name)
    assert [setting[parameter.name] for _metric, setting in found] == list(levels)


@every_row(
    ("family", "parameter", "choice", "word"), CHOICES, ids=[f"{f.family}-{word}" for f, _p, _c, word in CHOICES]
)
def test_a_choice_is_known_by_each_of_its_names(
    family: FamilyColumns, parameter: Parameter, choice: str, word: str, tmp_path: Path
) -> None:
    """SYNCHRONOUS_COMMIT is what sys.availability_replicas says for "sync"."""
    other = next(one for one in parameter.choices if one != choice)
    found = _read(tmp_path, family, parameter.name, (word, other), family.metrics[0], family.metrics[0].name)
    assert [setting[parameter.name] for _metric, setting in found] == [choice, other]


@pytest.mark.parametrize("word", ["NOPM", "TPS", "TPM", "Batch Requests/sec", "cmds/sec"])
def test_a_measure_may_be_written_as_its_own_unit(word: str, tmp_path: Path) -> None:
    """HammerDB prints "NOPM" for the measure and means its unit as well."""
    family = COLUMNS["distribution_agent" if word.startswith("cmds") else "commit_mode"]
    parameter = family.parameters[0]
    path = tmp_path / "units.csv"
    rows = [f"{family.family},{word},{10 + n},{word},{level}" for n, level in enumerate(_two(parameter))]
    path.write_text("\n".join((f"family,metric,value,unit,{parameter.name}", *rows)), encoding="utf-8")
    read = read_measurements(path, COLUMNS).measurements
    assert [m.value for m in read] == [10, 11]
    assert read[0].unit == next(metric.unit for metric in family.judged_by if metric.name == read[0].metric)


def test_headings_of_modes_and_throughputs_tell_measure_and_mode(tmp_path: Path) -> None:
    """ "async TPS" beside "sync TPS" are two modes, at as many clients as the row says."""
    path = tmp_path / "arms.csv"
    path.write_text("clients,ASYNCHRONOUS_COMMIT TPS,SYNCHRONOUS_COMMIT TPS\n1,2026,1926\n2,3537,3366\n")
    read = read_measurements(path, COLUMNS).measurements
    assert {(m.setting["availability_mode"], m.conditions["concurrency"], m.value) for m in read} == {
        ("async", 1, 2026),
        ("sync", 1, 1926),
        ("async", 2, 3537),
        ("sync", 2, 3366),
    }
    assert {m.metric for m in read} == {"transaction_rate"}


def test_the_history_of_an_agent_tells_rate_and_latency(tmp_path: Path) -> None:
    """Columns of MSdistribution_history beside the parameter that somebody wrote down with them."""
    path = tmp_path / "history.csv"
    path.write_text("SubscriptionStreams,delivery_rate,delivery_latency\n1,2001.5,901\n4,2601.2,1901\n")
    read = read_measurements(path, COLUMNS).measurements
    assert {(m.metric, m.unit, m.value) for m in read} == {
        ("throughput", "commands/s", 2001.5),
        ("throughput", "commands/s", 2601.2),
        ("latency", "ms", 901),
        ("latency", "ms", 1901),
    }


def test_a_name_that_two_families_spell_otherwise_is_each_ones_own() -> None:
    """PollingInterval of the Log Reader Agent, pollinginterval of CDC; `source` says where a value is from."""
    parameter = {
        name: Parameter(name, "s", 5, 1, None, (1, 5), "", "") for name in ("pollinginterval", "PollingInterval")
    }
    known = KnownColumns(
        {name: FamilyColumns(name, (), (one,), (Condition("source"),)) for name, one in parameter.items()}
    )
    assert [known.name_of(name) for name in parameter] == list(parameter)
    assert "source" not in known.conditions


@pytest.mark.parametrize("word", ["time", "Duration", "Backup", "value", "result", "mean"])
def test_a_word_of_everyday_is_no_parameter_that_ends_with_it(word: str) -> None:
    """A column "time" is a time, whatever parameter's name ends so."""
    assert Headings(COLUMNS).parameter_called(word) == ""
