"""A login with exactly the rights that doctor prints works, and one that lacks one of them is told which."""

import pytest

from app.domain.rights import Mode, Right, Use
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.contract.families.lab_runs import FAMILIES
from tests.contract.families.logins import LOGIN, SCENARIOS, grant, new_lab, rights_of_plan, run_session, take_back
from tests.labs import families_of
from tests.logins import run_script

CASES = [(family, mode) for family in families_of(REPLICATION) for mode in (Mode.GUIDED, Mode.HANDS_ON)]
CASES += [(family, Mode.HANDS_ON) for family in families_of(GROUPS)]


def _names(sentence: str, right: Right) -> bool:
    """Tell whether a sentence names a right and its server; a refused statement lists all it needs."""
    what = right.title.partition(" in ")[0].rpartition(" on ")[2]
    return what in sentence and right.server in sentence


@pytest.mark.parametrize(("family", "mode"), CASES, ids=lambda value: getattr(value, "value", value))
def test_exactly_what_is_printed_is_enough(family: str, mode: Mode) -> None:
    """A new login that was given what doctor prints, and nothing else, runs a whole session and is told of no lack."""
    lab = new_lab(SCENARIOS.get(family))
    print(grant(lab, mode).printed)
    end = run_session(lab, FAMILIES[family], mode)
    assert (end.refusal, end.told, end.is_restored) == ("", "", True)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("family", "mode"),
    [case for case in CASES if case[0] != "wan_delivery"],
    ids=lambda value: getattr(value, "value", value),
)
def test_each_right_is_missed_by_name(family: str, mode: Mode) -> None:
    """Without a required right nothing is changed and it is named; without an optional one it is named and goes on.

    What the owner of a database may do anyway is not missed.
    """
    lab = new_lab(SCENARIOS.get(family))
    grant(lab, mode)
    use = Use(FAMILIES[family].subject, mode)
    needed = [right for right in rights_of_plan(lab, FAMILIES[family]).rights if use in right.uses | right.optional]
    assert len({use in right.uses for right in needed}) == (1 if family in SCENARIOS else 2)
    for right in needed:
        held, users = set(lab.doors.logins[LOGIN].held), set(lab.doors.logins[LOGIN].users)
        if right.title.startswith("SELECT") and any(
            one.right == "db_owner" and one.server == right.server and right.title.endswith(f" in {one.database}")
            for one in held
        ):
            continue
        take_back(lab, right)
        end = run_session(lab, FAMILIES[family], mode)
        assert _names(end.refusal if use in right.uses else end.told, right), (right, end)
        assert end.before_changes if use in right.uses else end.refusal == "", (right, end)
        lab.doors.logins[LOGIN].held, lab.doors.logins[LOGIN].users = held, users


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)
def test_what_was_given_is_taken_back(mode: Mode) -> None:
    """The second script leaves the login as it was."""
    lab = new_lab()
    for script in grant(lab, mode).taking_back:
        run_script(lab.doors, script)
    login = lab.doors.logins[LOGIN]
    assert (login.held, login.users) == (set(), set())
