"""Scripts of a hand-over and of guided mode on the served lab, by clients that are not this program's."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import pytest

from app.domain.events import HandRequested, RunEvent, RunStatus
from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.e2e.program import call
from tests.e2e.test_wire_guided import run_guided
from tests.forked import start_python
from tests.prove.killing import write_plan
from tests.prove.own_clients import CLIENTS, FreeTds, Tool

pytestmark = pytest.mark.prove

# Of each family, the lab it is shown on and the servers its scripts are for, with one that they are not for.
SITES: Final = {
    "log_reader": ("lan", ("DIST1",), "PUB1"),
    "distribution_agent": ("lan", ("DIST1",), "SUB1"),
    "commit_mode": ("ag-2016", ("SQLNODE1", "SQLNODE2"), ""),
    "cdc_capture": ("capture", ("CDC1",), "CDC2"),  # at the other replica its database lets nobody in
}
OF_EVERY_CLIENT: Final = ("log_reader", "commit_mode")  # FreeTDS runs all scripts, the others those of two systems
_SERVER: Final = re.compile(r"(?P<name>\S+) \(.*\) at 127\.0\.0\.1,(?P<port>\d+)")


@cache
def scripts_of(family: str) -> Mapping[str, str]:
    """Return every script of a demonstration by its file name."""
    folder = Path(mkdtemp(prefix="replitune-scripts-"))
    assert call("demo", "--family", family, "--out", str(folder / "out")).code == 0
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "out").glob("*.sql"))}


@contextmanager
def served(scenario: str) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Serve a lab as a user does; yield its target and the port of each server."""
    with start_python("-m", "app", "lab", "serve", "--scenario", scenario) as process:
        try:
            assert process.stdout is not None
            key, ports = process.stdout.readline().strip(), {}
            for line in process.stdout:
                if (found := _SERVER.match(line)) is None:
                    break
                ports[found["name"]] = int(found["port"])
            yield key, ports
        finally:
            process.kill()


def parameters_at(key: str) -> object:
    """Return the parameters, settings and options that the program itself finds in effect."""
    text = call("discover", "--target", key, "--json")
    assert text.code == 0, text.err
    found = text.json()
    return {part: found[part] for part in ("agents", "groups", "captures")}


APPLIED: Final = (":setvar Apply no", ":setvar Apply yes")
UNKNOWN: Final = (":setvar Apply no", ":setvar Apply perhaps")


def chosen(script: str, scenario: str) -> tuple[tuple[str, str], ...] | None:
    """Return the edit that names the target of a script that wants it, None where it is for another lab."""
    named = re.search(r"instead of \? in the line below: ([^,\s]+?)(?:,|\.)\s", script)
    if named is None:
        return ()
    is_for = named[1].removeprefix("lab").removeprefix(":") or "lan"
    return ((':setvar Target "?"', f':setvar Target "{named[1]}"'),) if is_for == scenario else None


@pytest.mark.parametrize(
    ("client", "family"),
    [(client, family) for family in SITES for client in CLIENTS if client == "freetds" or family in OF_EVERY_CLIENT],
)
def test_scripts_of_a_hand_over_do_on_the_lab_what_they_say(client: str, family: str) -> None:
    """Checked, applied, applied again, undone; at another server and with nothing chosen: codes and the state."""
    scenario, servers, other = SITES[family]
    scripts = scripts_of(family)
    done = 0
    with served(scenario) as (key, ports), Tool(client, ports) as tool:
        before = parameters_at(key)
        for name, apply in scripts.items():
            server, target = name.removesuffix(".sql").rpartition("-")[2], chosen(apply, scenario)
            if not name.startswith("apply-") or server not in servers or target is None:
                continue
            undo, elsewhere = scripts[name.replace("apply", "undo")], other or _another(servers, server)
            for script in (apply, undo):
                assert (tool.run(script, server, *target), tool.errors) == (0, [])
                assert tool.run(script, elsewhere, APPLIED, *target) == 1
                assert tool.run(script, server, UNKNOWN, *target) == 1
                assert "neither no nor yes" in tool.errors[-1]
                if target:
                    assert tool.run(script, server, APPLIED) == 1
                    assert "no target of this script is chosen" in tool.errors[-1]
            before_it, after_it = (scripts[name.replace("apply", kind)] for kind in ("before", "verify"))
            assert (tool.run(before_it, server), tool.errors) == (0, [])
            assert tool.run(after_it, server) == 1
            assert "reads differently than it was set" in tool.errors[-1]
            assert parameters_at(key) == before
            assert (tool.run(apply, server, APPLIED, *target), tool.errors) == (0, [])
            assert (tool.run(after_it, server), tool.errors) == (0, [])
            applied = parameters_at(key)
            assert applied != before
            assert (tool.run(apply, server, APPLIED, *target), tool.errors) == (0, [])
            assert parameters_at(key) == applied
            for _time in range(2):
                assert (tool.run(undo, server, APPLIED, *target), tool.errors) == (0, [])
            assert parameters_at(key) == before
            done += 1
    assert done


def _another(servers: tuple[str, ...], than: str) -> str:
    return next(one for one in servers if one != than)


@pytest.mark.parametrize(
    ("client", "family"),
    [*((client, "log_reader") for client in CLIENTS), ("freetds", "distribution_agent")],
)
def test_guided_mode_is_rehearsed_with_a_tool_of_the_dba(tmp_path: Path, client: str, family: str) -> None:
    """Each printed script, sent batch by batch by the DBA's own client, does what the run waits for."""
    asked: list[str] = []
    with posed_lab(Pose()) as lab, Tool(client, lab.ports) as tool:

        def observe(event: RunEvent) -> None:
            if isinstance(event, HandRequested):
                asked.append(event.script)
                assert (tool.run(event.script, "DIST1"), tool.errors) == (0, [])

        before = lab.ask(PosedLab.truth)
        outcome = run_guided(write_plan(tmp_path, family), lab, tmp_path / "out", observe)
        assert lab.ask(PosedLab.truth) == before
    assert outcome.status is RunStatus.SUCCEEDED, outcome
    assert len(asked) > 2


@pytest.mark.parametrize(
    ("scenario", "server", "family"), [("lan", "DIST1", "log_reader"), ("ag-2016", "SQLNODE1", "commit_mode")]
)
def test_what_a_dba_sends_back_before_a_visit_is_answered(
    tmp_path: Path, scenario: str, server: str, family: str
) -> None:
    """The script is written, run at the served lab over FreeTDS, its messages kept in a file, and that is read."""
    script, answer = tmp_path / "preflight.sql", tmp_path / "answer.txt"
    assert call("doctor", "--script", str(script)).code == 0
    with served(scenario) as (key, ports):
        client = FreeTds(ports[server])
        printed = [line for batch in batches_of(script) for line in client.messages(batch)]
        client.close()
        there = call("doctor", "--json", "--target", key).json()["target"]
    answer.write_text("\n".join(printed), encoding="utf-8")
    told = call("doctor", "--json", "--from", str(answer)).json()["target"]
    assert told["login"] == there["login"] == "replitune"
    assert ways(told, family) == ways(there, family) != []
    assert not any("Invalid object name" in sentence for sentence in told["unread"])


def batches_of(script: Path) -> list[str]:
    """Return the batches of a script, as a tool sends them."""
    parts = re.split(r"(?m)^GO\s*$", script.read_text(encoding="utf-8-sig"))
    return [part for part in parts if part.strip()]


def ways(target: Mapping[str, Any], family: str) -> list[str]:
    """Return the ways to work that an experiment has on a target."""
    return next(one["modes"] for one in target["experiments"] if one["family"] == family)
