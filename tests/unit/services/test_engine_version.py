"""Rules for some versions only: the version is found wherever a session or a file tells it."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.advice import Pack, load_packs
from app.domain.family import Evidence, Site
from app.domain.session import SessionRecord
from app.domain.setting import Setting
from app.foundation.paths import resource_path, rules_root
from app.services.explain.advising import Advisor
from app.services.explain.imported_session import read_session
from app.systems.oracle_streams.pipeline import OracleDatabase, StreamsTopology
from app.systems.oracle_streams.site import StreamsSite
from tests.contract.families.lab_runs import FAMILIES
from tests.kinds import KINDS
from tests.unit.flows.sites import site
from tests.unit.runner.commit_runs import commit_plan, run_in_memory
from tests.unit.runner.groups import topology

GROUPS_2016 = resource_path("published", "availability-groups-2016.csv")


def for_versions(folder: Path, limits: str) -> tuple[Pack, ...]:
    """Return the rules about synchronous commit, bound to some versions of SQL Server."""
    text = (rules_root() / "commit_mode" / "penalty.yaml").read_text(encoding="utf-8")
    (folder / "commit_mode").mkdir()
    bound = text.replace("applies_to: {engine: sqlserver,", f"applies_to: {{engine: sqlserver, versions: {limits},")
    (folder / "commit_mode" / "penalty.yaml").write_text(bound, encoding="utf-8")
    return load_packs((folder,), tuple(FAMILIES), KINDS, shared=(rules_root(),))


@pytest.mark.parametrize(("version", "speaks"), [("13.0.5026.0", True), ("12.0.6024.0", False)])
def test_a_session_tells_the_version_of_its_primary(tmp_path: Path, version: str, speaks: bool) -> None:
    """Rules from 13.0 on speak about a run on SQL Server 2016 and are silent about one on 2014."""
    packs = for_versions(tmp_path, "{from: '13.0'}")
    run = run_in_memory(commit_plan(blocks=3), topology(version=version), noise_cv=0.01)
    said = Advisor(FAMILIES, packs).advise(run.session())
    assert bool(said.findings) is speaks
    assert not [entry for entry in said.not_evaluated if "version" in entry.because]


def without_environment(session: SessionRecord) -> SessionRecord:
    """Return a session whose servers nobody wrote down."""
    return replace(session, environments=())


def test_a_session_without_its_servers_says_which_versions_are_meant(tmp_path: Path) -> None:
    """Nothing is guessed: every such rule is listed with the versions it holds for."""
    packs = for_versions(tmp_path, "{from: '13.0', to: '16'}")
    session = without_environment(run_in_memory(commit_plan(blocks=3), noise_cv=0.01).session())
    said = Advisor(FAMILIES, packs).advise(session)
    assert said.findings == ()
    assert {entry.because for entry in said.not_evaluated} == {
        "not evaluated: it holds for versions 13.0 to 16, and the server's version is not known"
    }


def test_a_file_may_state_the_version_by_its_name(tmp_path: Path) -> None:
    """Of the published tables of 2014 and 2016, rules from 13.0 on speak about those of 2016 only."""
    packs = for_versions(tmp_path, "{from: '13.0'}")
    session = read_session(GROUPS_2016, FAMILIES, 0.05)
    every = Advisor(FAMILIES, for_versions(_made(tmp_path / "all"), "{from: '11.0'}")).advise(session)
    said = Advisor(FAMILIES, packs).advise(session)
    assert 0 < len(said.findings) < len(every.findings)
    assert not [entry for entry in said.not_evaluated if "version" in entry.because]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _piece(read: Site) -> Evidence:
    """Return evidence of nothing but what was read."""
    return Evidence("any", Setting(), None, read, (), (), (), (), 0.05, None)


def test_agents_have_the_version_of_their_distributor() -> None:
    """The replication agents run there, whatever the Publisher and the Subscribers are."""
    found = site("log_reader")
    servers = tuple(replace(s, version=f"{s.role}.0") for s in found.topology.servers)
    odd = replace(found, topology=replace(found.topology, servers=servers))
    assert FAMILIES["log_reader"].system.engine_version(_piece(odd)) == "Distributor.0"


def test_a_pipeline_has_the_version_of_its_destination() -> None:
    """There it is applied; a file states it by number, for Oracle has no names for versions."""
    databases = tuple(
        OracleDatabase(role, role, version, "", version, 4, 512.0)
        for role, version in (("Source", "11.2.0.4.0"), ("Destination", "12.1.0.2.0"))
    )
    pipeline = StreamsSite(parameters={}, topology=StreamsTopology(databases, (), (), (), 0, 0))
    system = FAMILIES["streams_apply"].system
    assert system.engine_version(_piece(pipeline)) == "12.1.0.2.0"
    stated = replace(_piece(pipeline), site=None, conditions=Setting.of(server_version="11.2"))
    assert system.engine_version(stated) == "11.2"
