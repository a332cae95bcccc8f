"""Which variants of the statements a database gets: by release, by product, and by what its dictionary lists."""

import re
from collections.abc import Mapping

import pytest

from app.domain.errors import BadInput, PermissionDenied, Unsupported
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.session import End, RecordingSession
from app.foundation.rows import Cell
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_path
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsComponent, Technology
from tests.contract.oracle.lab_bench import CheckingTransport, make_bench
from tests.labs import oracle_over

Rows = tuple[tuple[Cell, ...], ...]


class OtherProduct(CheckingTransport):
    """Databases of another release, whose processes belong to another product, over the same simulation."""

    def __init__(self, version: str, purpose: str = "", suffix: str = "") -> None:
        scenario = load_scenario(scenario_path("streams-2009"))
        both = {
            side: getattr(scenario, side).model_copy(update={"version": version}) for side in ("source", "destination")
        }
        super().__init__(LabOracle(scenario.model_copy(update=both), noise=False))
        self.lab = self._server
        if suffix:
            # it answers for another product's views, which are there
            self.lab.missing_for = lambda _statement, _end: ""  # type: ignore[method-assign, assignment]  # a posed lab
        self._purpose = purpose
        self._suffix = suffix

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
        """Answer a product's variant with what Streams' would say."""
        if statement.name == "purposes" and self._purpose:
            self.calls[f"purposes at {end}"] += 1
            return tuple(
                (component, name, self._purpose) for component, name, _purpose in super().send(statement, end, binds)
            )
        if self._suffix and statement.name.endswith(self._suffix):
            self.calls[f"{statement.name} at {end}"] += 1
            plain = statement.name.removesuffix(self._suffix)
            same = "sample_streams" if plain == "sample" else plain
            assert catalogue()[same].columns == statement.columns
            return super().send(catalogue()[same], end, binds)
        return super().send(statement, end, binds)


def target_over(transport: OtherProduct, records: list[StatementRecord]) -> Target:
    """Return a target over it, its processes past their start."""
    clock = LabClock(transport.lab)
    clock.sleep(60)
    return oracle_over(transport, clock, records.append)


def names_sent(records: list[StatementRecord]) -> set[str]:
    """Return the names of the statements sent."""
    return {record.name for record in records}


@pytest.mark.parametrize(
    ("version", "sample", "asks_purpose"),
    [
        ("10.2.0.4.0", "sample_streams_before_11_2", False),
        ("11.1.0.7.0", "sample_streams_before_11_2", False),
        ("11.2.0.4.0", "sample_streams", True),
        ("12.1.0.2.0", "sample_streams", True),
        ("18.0.0.0.0", "sample_streams", True),
    ],
)
def test_release_decides_the_sample(version: str, sample: str, asks_purpose: bool) -> None:
    """Streams pool statistics and purposes are asked for where the dictionary lists them, else the lab refuses them."""
    records: list[StatementRecord] = []
    target = target_over(OtherProduct(version), records)
    topology = streams_port(target).discover()
    streams_port(target).sample(topology.paths[0])
    names = names_sent(records)
    assert sample in names
    assert ("purposes" in names) is asks_purpose
    assert ("combined_captures" in names) is (version >= "11")
    assert {name for name in names if name.startswith("sample_")} == {sample}


@pytest.mark.parametrize(
    ("version", "statement", "code"),
    [
        ("10.2.0.4.0", "sample_streams", "ORA-00942"),
        ("10.2.0.4.0", "purposes", "ORA-00904"),
        ("10.2.0.4.0", "combined_captures", "ORA-00904"),
        ("11.1.0.7.0", "purposes", "ORA-00904"),
        ("19.3.0.0.0", "sample_streams", "ORA-00942"),
        ("19.3.0.0.0", "capture_health", "ORA-00942"),
        ("19.3.0.0.0", "transactions", "ORA-00942"),
    ],
)
def test_a_lab_has_the_catalogue_of_its_release(version: str, statement: str, code: str) -> None:
    """A view or column that came later, or is gone, is refused as a database refuses it."""
    with pytest.raises(OracleError, match=code):
        OtherProduct(version).send(catalogue()[statement], End.SOURCE, {})


def test_streams_is_gone_in_19c_and_what_is_left_is_told() -> None:
    """Discovery says so and goes on; nothing of Streams is sampled; XStream's parameters are changed and put back."""
    removed = r"removed Streams in 19c; what can be tuned there are the apply parameters of GoldenGate and XStream"
    streams = streams_port(target_over(OtherProduct("19.3.0.0.0"), []))
    topology = streams.discover()
    assert re.search(removed, " ".join(topology.warnings))
    with pytest.raises(Unsupported, match=removed):
        streams.sample(topology.paths[0])
    target = target_over(OtherProduct("19.3.0.0.0", "XStream In", "_xstream"), [])
    path = streams_port(target).discover().paths[0]
    streams_port(target).sample(path)
    (change,) = streams_port(target).plan_parameter(path, "PARALLELISM", 4)
    target.changes.apply(change)
    target.changes.undo(change)


@pytest.mark.parametrize(
    ("purpose", "technology", "suffix"),
    [("GoldenGate Apply", Technology.GOLDENGATE, "_goldengate"), ("XStream In", Technology.XSTREAM, "_xstream")],
)
def test_successors_are_read_from_their_own_views(purpose: str, technology: Technology, suffix: str) -> None:
    """Processes of a successor are told by their purpose; their sample, status and sessions come from its views."""
    records: list[StatementRecord] = []
    target = target_over(OtherProduct("12.1.0.2.0", purpose, suffix), records)
    topology = streams_port(target).discover()
    (path,) = topology.paths
    assert path.propagation == ""
    assert {p.technology for p in topology.processes if p.component is not StreamsComponent.PROPAGATION} == {technology}
    streams_port(target).sample(path)
    streams_port(target).stop_apply(path)
    streams_port(target).start_apply(path)
    streams_port(target).plan_trace(path)
    names = names_sent(records)
    assert {f"sample{suffix}", f"apply_status{suffix}", f"apply_sessions{suffix}"} <= names
    assert not {"sample_streams", "apply_status", "apply_sessions"} & names


def test_goldengate_parameters_are_not_set_behind_its_back() -> None:
    """GoldenGate writes its own values at its next start, so the change is refused with the place to make it."""
    target = target_over(OtherProduct("12.1.0.2.0", "GoldenGate Apply", "_goldengate"), [])
    path = streams_port(target).discover().paths[0]
    with pytest.raises(BadInput, match="INTEGRATEDPARAMS"):
        streams_port(target).plan_parameter(path, "PARALLELISM", 4)


def test_xstream_parameter_says_whose_it_is() -> None:
    """A parameter of XStream is changed like one of Streams, and consent says that it is XStream's."""
    target = target_over(OtherProduct("12.1.0.2.0", "XStream In", "_xstream"), [])
    path = streams_port(target).discover().paths[0]
    (change,) = streams_port(target).plan_parameter(path, "PARALLELISM", 4)
    assert "belongs to XStream" in change.needs_consent
    target.changes.apply(change)
    target.changes.undo(change)


def test_gates_follow_the_release_that_is_there() -> None:
    """A parameter that lost its effect is refused on the release that is there, with that release's successor open."""
    target = target_over(OtherProduct("11.2.0.4.0"), [])
    path = streams_port(target).discover().paths[0]
    with pytest.raises(BadInput, match=r"no effect from 11\.2\.0\.2"):
        streams_port(target).plan_parameter(path, "_TXN_BUFFER_SIZE", 4)


def test_login_that_sees_nothing_is_told_what_to_grant() -> None:
    """A login without the catalogue role sees no view, which is told before any statement fails."""

    class Blind(OtherProduct):
        """Lists no views."""

        def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
            """Answer as to a login without rights."""
            return () if statement.name == "dictionary_columns" else super().send(statement, end, binds)

    records: list[StatementRecord] = []
    target = target_over(Blind("10.2.0.4.0"), records)
    with pytest.raises(PermissionDenied, match="SELECT_CATALOG_ROLE"):
        streams_port(target).discover()
    assert [record.name for record in records] == ["dictionary_columns"]


def test_session_holds_its_callers_to_the_catalogue() -> None:
    """A statement that is not there, another end, a missing bind and a NULL that is none are faults of the program."""
    bench = make_bench()
    session: RecordingSession = bench.session
    for name, end, binds in (
        ("no_such", End.SOURCE, {}),
        ("propagations", End.DESTINATION, {}),
        ("capture_retention", End.SOURCE, {}),
        ("capture_retention", End.SOURCE, {"capture_name": None}),
        ("captures", End.SOURCE, {"capture_name": "A"}),
    ):
        with pytest.raises(ValueError):
            session.run(name, end, **binds)
    assert not [record for record in bench.records if record.name in ("propagations", "capture_retention")]
