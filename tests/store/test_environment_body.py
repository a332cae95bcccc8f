"""Environments in session files: those of released versions, of systems that are not there, and damaged ones."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import StoreError
from app.domain.session import Environment
from app.foundation.codec import CodecError
from app.store import create_session_file, open_for_reading
from app.store.environment_body import body_of, environment_from
from app.systems.availability_groups.site import kept_groups
from app.systems.oracle_streams.site import kept_streams
from app.systems.transactional_replication.site import Replication, kept_replication, kept_texts
from app.systems.transactional_replication.topology import SubscriberObjects
from tests.store.sample import AGENTS, ENVIRONMENT, FILES, TOPOLOGY, make_record


def test_an_environment_is_one_flat_object() -> None:
    """What a system read stands beside the target, as that system wrote it, nothing between."""
    body = body_of(ENVIRONMENT)
    assert body.startswith('{"target":"lab:lan","facts":[["rtt_ms","0.4","ms"]],"topology":{"distribution_db":')
    assert list(json.loads(body)) == ["target", "facts", "topology", "agents"]
    assert '"dbo.Größe"' in body
    assert body == json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":"))


def test_a_whole_environment_comes_back() -> None:
    """A topology with agents, parameters and readings survives the round trip; so does one with nothing read."""
    assert environment_from(body_of(ENVIRONMENT)) == ENVIRONMENT
    read = Replication(TOPOLOGY, AGENTS, SubscriberObjects(1, 2, 3, 4), 0.4, 2.0)
    assert kept_replication(environment_from(body_of(replace(ENVIRONMENT, kept=kept_texts(read))))) == read
    assert environment_from(body_of(Environment("x"))) == Environment("x")


def test_a_body_of_a_released_version_is_opened() -> None:
    """It named every key, those of other systems as null: they are not there, the others are what they were."""
    kept = dict(ENVIRONMENT.kept)
    released = (
        f'{{"target":"lab:lan","topology":{kept["topology"]},"agents":{kept["agents"]},"facts":[["rtt_ms","0.4","ms"]],'
        '"subscriber_objects":null,"rtt_ms":null,"network_kbps":null,"groups":null,"streams":null}'
    )
    assert environment_from(released) == ENVIRONMENT


def test_the_environment_of_a_released_file_is_opened() -> None:
    """Its Distributor is known, and nothing of other systems."""
    with open_for_reading(FILES / "v1-measured.replitune") as reader:
        environments = reader.read_session().environments
    for environment in environments:
        read = kept_replication(environment)
        assert read is not None
        assert read.topology.servers
        assert len(read.agents) == len(read.topology.agents)
        assert kept_groups(environment) is None
        assert kept_streams(environment) is None
        assert "null" not in dict(environment.kept).values()


def test_what_no_system_here_knows_is_kept() -> None:
    """A file of a program with one more system loses nothing when this one writes it."""
    body = '{"target":"t","facts":[],"pipes":{"name":"Größe","share":1e-05,"none":null,"most":{"float":"inf"}}}'
    assert body_of(environment_from(body)) == body


@pytest.mark.parametrize(
    "body",
    [
        "", "{", "[]", "null", "{}", '{"target":null}', '{"target":5}', '{"target":"t","facts":[["a","b"]]}',
        '{"target":"t","facts":{}}', '{"target":"t","size":NaN}', '{"target":"t","size":1e999}',
        '{"target":"t","deep":' + "[" * 100_000,
    ],
)  # fmt: skip
def test_a_damaged_body_is_told(body: str) -> None:
    """Whatever is wrong with it, the file is said to be damaged."""
    with pytest.raises(CodecError):
        environment_from(body)


@pytest.mark.parametrize("old", ["v1-measured.replitune"])
def test_a_copy_of_a_released_session_has_its_fingerprint(tmp_path: Path, old: str) -> None:
    """A report handed over before still belongs to the session in a client's file."""
    with open_for_reading(FILES / old) as reader, create_session_file(tmp_path / "client.replitune") as store:
        record = reader.read_session()
        store.add_session(record, as_stored=reader.read_stored_texts())
        with store.reader() as copy:
            assert copy.session_hash() == reader.session_hash()
            assert copy.read_session() == record


def test_what_a_system_cannot_open_is_told_when_the_session_is_read(tmp_path: Path) -> None:
    """Who asks for it hears that the file is damaged, not an error of some system later."""
    path = tmp_path / "damaged.replitune"
    environment = replace(ENVIRONMENT, kept=(("topology", '{"servers":5}'),))
    with create_session_file(path) as store:
        store.add_session(replace(make_record(), environments=(environment,)))
    with open_for_reading(path) as reader:
        assert reader.read_session().environments == (environment,)
        with pytest.raises(StoreError, match="damaged"):
            reader.read_session(opening=[kept_replication])
