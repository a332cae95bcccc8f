"""What the program knows of parameters is what the facts say; values are spelled as the server takes them."""

import re
from typing import Any

import pytest

from app.domain.errors import BadInput
from app.domain.setting import Value
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.oracle_streams.server.documented import PARAMETERS, DocumentedParameter, ValueKind, documented
from app.systems.oracle_streams.server.values import check_gate, size_bytes, size_text, spelled
from app.systems.oracle_streams.server.versions import release_of, support_warnings
from tests.facts.oracle import documented_parameters

COMPONENTS = {"server": StreamsComponent.DESTINATION_DATABASE}


def fact_of(parameter: DocumentedParameter) -> dict[str, Any]:
    """Return the fact about a parameter; a renamed one's is that of its former name."""
    name = "_CMPKEY_ONLY" if parameter.name == "COMPARE_KEY_ONLY" else parameter.server_name
    (found,) = [
        fact
        for fact in documented_parameters()
        if fact["name"] == name
        and (COMPONENTS.get(fact["component"]) or StreamsComponent(fact["component"])) is parameter.component
    ]
    return found


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda parameter: parameter.name)
def test_parameters_are_those_of_the_facts(parameter: DocumentedParameter) -> None:
    """Defaults, limits and hidden names stand in the facts; every hidden parameter names its risk."""
    fact = fact_of(parameter)
    values = {
        re.split(r"[ (]", str(default["value"]))[0] for default in fact["default"] if default["value"] is not None
    }
    assert {value for _since, value in parameter.defaults if value} <= values
    if parameter.low is not None and re.fullmatch(r"\d+", str(fact["min"])):
        assert parameter.low == int(fact["min"])
    assert parameter.is_hidden == parameter.server_name.startswith("_")
    assert bool(parameter.risk) or not parameter.is_hidden
    releases = [since for since, _value in parameter.defaults]
    assert releases == sorted(releases, reverse=True)


def test_default_depends_on_the_release() -> None:
    """10.2 and 11.2 have other defaults; where none is known, none is claimed."""
    parallelism = documented("PARALLELISM")
    assert parallelism is not None
    assert [parallelism.default_in(release) for release in ((10, 2), (11, 1), (11, 2, 0, 4), (19,))] == [
        *("1", "", "4", "4")
    ]
    dynamic = documented("_dynamic_stmts")
    assert dynamic is not None
    assert dynamic.default_in((11, 2)) == ""


def test_other_spellings() -> None:
    """Names are found in any letters, and with their component in front."""
    assert documented("parallelism") is documented("APPLY_PARALLELISM")
    assert documented("propagation_latency") is documented("LATENCY")
    assert documented("STREAMS_POOL_SIZE") is documented("streams_pool_size")
    assert documented("nothing") is None


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("PARALLELISM", 8, "8"),
        ("PARALLELISM", 8.0, "8"),
        ("PARALLELISM", "8", "8"),
        ("TXN_LCR_SPILL_THRESHOLD", "infinite", "INFINITE"),
        ("TXN_LCR_SPILL_THRESHOLD", 100_000, "100000"),
        ("_DYNAMIC_STMTS", True, "Y"),
        ("_DYNAMIC_STMTS", "n", "N"),
        ("COMMIT_SERIALIZATION", "full", "FULL"),
        ("CHECKPOINT_RETENTION_TIME", 0.25, "0.25"),
        ("LATENCY", 1, "1"),
        ("streams_pool_size", "4G", str(4 * 1024**3)),
        ("streams_pool_size", 1048576, "1048576"),
    ],
)
def test_values_are_spelled_as_the_server_takes_them(name: str, value: Value, text: str) -> None:
    """Flags, modes, numbers, INFINITE and sizes."""
    parameter = documented(name)
    assert parameter is not None
    assert spelled(parameter, value) == text


@pytest.mark.parametrize("value", [True, "nan", "inf", "", "4.5", -1])
def test_what_is_no_whole_number_is_refused(value: Value) -> None:
    """A flag, a fraction, an endless or missing number is no parallelism."""
    parameter = documented("PARALLELISM")
    assert parameter is not None
    with pytest.raises(BadInput):
        spelled(parameter, value)


def test_sizes_read_as_they_are_written() -> None:
    """A size is written in the largest unit that keeps it whole."""
    for text in ("4G", "4097M", "5K", "7", "0"):
        assert size_text(size_bytes("streams_pool_size", text)) == text


def test_gates_by_release() -> None:
    """A parameter that came later, or went, is refused with the release."""
    buffer, compare = documented("_TXN_BUFFER_SIZE"), documented("COMPARE_KEY_ONLY")
    assert buffer is not None
    assert compare is not None
    check_gate(buffer, release_of("11.2.0.1.0"), "SRC")
    with pytest.raises(BadInput, match=r"no effect from 11\.2\.0\.2 on"):
        check_gate(buffer, release_of("11.2.0.2.0"), "SRC")
    check_gate(compare, release_of("11.2.0.2.0"), "SRC")
    with pytest.raises(BadInput, match=r"came with 11\.2\.0\.2"):
        check_gate(compare, release_of("11.2.0.1.0"), "SRC")


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("9.2.0.8.0", "from 10.2 on"),
        ("10.2.0.4.0", ""),
        ("11.2.0.4.0", ""),
        ("12.1.0.2.0", "deprecated"),
        ("19.0", "removed Streams in 19c"),
    ],
)
def test_support_is_told(version: str, words: str) -> None:
    """Deprecation from 12.1, the end in 19c, and releases before all facts have a sentence."""
    warnings = support_warnings({"SRC": version, "DST": version})
    assert len(warnings) == bool(words), "both databases in one sentence"
    assert all(words in told and f"SRC ({version}), DST ({version}): " in told for told in warnings)


def test_value_kinds_are_all_used() -> None:
    """Every kind of value belongs to some parameter."""
    assert {parameter.kind for parameter in PARAMETERS} == set(ValueKind)
