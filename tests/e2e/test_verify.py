"""Days later: what a session promised and what came, by the history of the server that keeps its setting."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.bootstrap import build_program, load_families
from app.domain.change import Keep
from app.domain.system import system_of
from app.domain.target import Target
from tests.e2e.program import call
from tests.labs import ignore
from tests.prove.kept_on_purpose import SUBJECTS, ConfirmedRun, let_a_backlog_gather, run_to_confirm
from tests.prove.killing import ServerState, lab_server, read_state
from tests.writers import incident


@pytest.fixture(scope="module")
def confirmed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfirmedRun]:
    """A run that confirmed eight streams, on a server whose other applications are silent, so that hours pass fast."""
    folder = tmp_path_factory.mktemp("verified")
    with lab_server(quiet_incident(folder)) as target:
        yield run_to_confirm(folder, target)


def quiet_incident(folder: Path) -> Path:
    """Write a scenario of an incident at one application, while the others are silent."""
    scenario = incident(folder, outage_h=0.5)
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(text[: text.index("[[client_writers]]\npairs = [2]")], encoding="utf-8")
    return scenario


def opened(run: ConfirmedRun) -> Target:
    """Open its server beside it."""
    return build_program().parts.open_target(run.target, 1, ignore)


def time_there(run: ConfirmedRun) -> datetime:
    """Return the time of day at its server."""
    target = opened(run)
    now = target.clock.now_utc()
    target.close()
    return now


def test_what_came_is_held_against_what_was_promised(confirmed: ConfirmedRun) -> None:
    """Put back, it is not in effect; just kept, nothing can be told; after a backlog it came as promised."""
    run, session = confirmed, confirmed.place.session_file
    put_back = call("verify", session, "--target", run.target)
    assert (put_back.code, put_back.err) == (0, "")
    assert "not in effect: SubscriptionStreams is 1, not 8" in put_back.out

    run.keep(Keep.FOR_GOOD)
    kept: ServerState = read_state(run.target)
    at_once = call("verify", session, "--target", run.target)
    assert "open: nothing to compare yet" in at_once.out
    assert "0 of them tell it, and 2 are needed" in at_once.out

    let_a_backlog_gather(run.target, 6, 6)
    later = call("verify", session, "--target", run.target)
    assert "as promised:" in later.out
    assert "nothing was changed" in later.out
    assert len(later.out.splitlines()) < 30, "half a page"
    (one,) = call("verify", session, "--target", run.target, "--json").json()["verified"]
    assert (one["outcome"], one["values"][0]["in_effect"], one["changed"]) == ("as_promised", True, [])
    assert one["after"]["values"] >= 2
    assert one["came"]["interval"][0] > 1
    assert one["forecast"]["came_true"] is True
    assert read_state(run.target) == kept, "reads only"

    since = time_there(run) - timedelta(hours=1)
    short = call("verify", session, "--target", run.target, "--since", f"{since:%Y-%m-%d %H:%M}+00:00", "--json").json()
    assert short["verified"][0]["outcome"] == "open"


@pytest.mark.prove
def test_what_clean_up_took_is_told_by_the_sessions_file(tmp_path: Path) -> None:
    """Hours before the run, which the run read for its report: later they stand in the session's file alone."""
    scenario = quiet_incident(tmp_path)
    scenario.write_text(scenario.read_text(encoding="utf-8") + "\n[clean_up]\nkept_h = 12.0\n", encoding="utf-8")
    with lab_server(scenario) as target:
        let_a_backlog_gather(target, 8, 4)
        run = run_to_confirm(tmp_path, target)
        run.keep(Keep.FOR_GOOD)
        ask = ("verify", run.place.session_file, "--target", target)
        (at_once,) = call(*ask, "--json").json()["verified"]
        assert at_once["before"]["values"] >= 2
        assert at_once["before_hours_from_file"] == 0

        assert call("lab", "pass", "--target", target, "--hours", "10").code == 0  # at night little is written
        let_a_backlog_gather(target, 8, 5)
        later = call(*ask)
        (one,) = call(*ask, "--json").json()["verified"]
        assert one["before"] == at_once["before"], "as if the server still kept it"
        assert one["before_hours_from_file"] == one["before"]["hours"]
        assert (one["after"]["values"] >= 2, one["outcome"]) == (True, "as_promised")
        assert "before, from the session's file, read on 20" in later.out
        assert one["trials"] is None, "hours of the client's own stand before windows of the experiment"
        assert one["forecast"]["came_true"] is None
        assert "the history no longer reaches back to it" in later.out


def test_another_place_or_time_is_refused_in_a_sentence(confirmed: ConfirmedRun) -> None:
    """A lab begun anew, a moment before the session, what is no moment, and measurements from elsewhere."""
    session = confirmed.place.session_file
    anew = call("verify", session, "--target", "lab:lan")
    assert (anew.code, "Traceback" in anew.err) == (2, False)
    early = call("verify", session, "--target", confirmed.target, "--since", "2020-01-01")
    assert early.code == 2
    assert "lies outside the time from" in early.err
    wrong = call("verify", session, "--target", confirmed.target, "--since", "yesterday")
    assert wrong.code == 2
    assert '"yesterday" is no date and time' in wrong.err


def test_the_time_of_a_served_lab_passes_when_it_is_told_to(confirmed: ConfirmedRun) -> None:
    """So that days later can be rehearsed; only a served lab's time can."""
    before = time_there(confirmed)
    assert call("lab", "pass", "--target", confirmed.target, "--hours", "2").code == 0
    assert time_there(confirmed) - before >= timedelta(hours=2)
    refused = call("lab", "pass", "--target", "lab:lan")
    assert refused.code == 2
    assert "lab@127.0.0.1:PORT" in refused.err


@pytest.mark.parametrize("family_id", sorted(load_families()))
def test_each_family_says_what_history_its_servers_keep(family_id: str) -> None:
    """Agents have rows by the hour; of the others a sentence says why nothing is held against what was promised."""
    family = load_families()[family_id]
    told = system_of(family).no_history(family.subject)
    assert re.search(r"keeps? no (history|rows)|and no history", told)
    assert told[0].islower(), "it stands within a sentence"
    assert not told.endswith(".")


@pytest.mark.prove
@pytest.mark.parametrize("family_id", sorted(set(SUBJECTS) - {"distribution_agent", "commit_mode"}))
def test_a_subject_without_a_history_has_its_value_told(family_id: str, tmp_path: Path) -> None:
    """Kept, it is in effect, and it is said plainly that no history tells what it brought, and what would.

    A commit mode is kept by the client's own choice: no change is recommended that could be verified.
    """
    subject = SUBJECTS[family_id]
    with lab_server(subject.site(tmp_path)) as target:
        run = run_to_confirm(tmp_path, target, subject)
        run.keep(Keep.FOR_GOOD)
        kept = subject.read(target)
        said = call("verify", run.place.session_file, "--target", target)
        assert (said.code, said.err) == (0, "")
        assert "open" in said.out
        assert "no history" in said.out
        assert "run the same plan again and compare" in said.out
        assert subject.read(target) == kept, "reads only"
