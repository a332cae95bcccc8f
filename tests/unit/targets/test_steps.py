"""Job steps in the lab follow the rules of the statements' T-SQL."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drivers.sqlserver.catalogue import catalogue
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab_server.steps import (
    find_tokens,
    masked,
    masked_hash,
    switches_of,
    with_token,
)
from app.systems.transactional_replication.server.documented import documented

NAME = "-SubscriptionStreams"
STEP = "-Subscriber [SUB1] -SubscriberPassword [a b -x]  -Continuous"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        (STEP, "8", f"{STEP} {NAME} 8"),
        (f"{STEP} {NAME} 8", "", STEP),
        (f"{STEP} {NAME} 8", "16", f"{STEP} {NAME} 16"),
        (f"-A 1\t{NAME}\r\n 8 -B", "4", f"-A 1\t{NAME}\r\n 4 -B"),
        (f"{NAME} 8 -B", "4", f"{NAME} 4 -B"),
        (f"-A {NAME.upper()} 8", "2", f"-A {NAME.upper()} 2"),
        (f"-A {NAME}X 8", "2", f"-A {NAME}X 8 {NAME} 2"),
        (STEP, "", STEP),
    ],
)
def test_one_token_is_changed(before: str, value: str, after: str) -> None:
    """Adding, replacing and removing touch the one token and leave every other character."""
    assert with_token(before, NAME, value) == after


@given(st.text(alphabet="-Ab1 \t\r\n[]", max_size=40), st.integers(0, 64), st.integers(0, 64))
def test_adding_and_removing_puts_back_the_text(step: str, first: int, second: int) -> None:
    """Whatever the step says, add, replace and remove end with the same text, and the mask never changes."""
    added = with_token(step, NAME, str(first))
    replaced = with_token(added, NAME, str(second))
    assert masked(added, NAME) == masked(replaced, NAME) == step
    assert [token.value for token in find_tokens(replaced, NAME)] == [str(second)]
    assert with_token(replaced, NAME, "") == step


def test_hash_is_that_of_hashbytes() -> None:
    """The hash is SHA2_256 over the UTF-16 text without the token, as HASHBYTES computes it for nvarchar."""
    expected = hashlib.sha256(STEP.encode("utf-16-le")).hexdigest().upper()
    assert masked_hash(f"{STEP} {NAME} 8", NAME) == masked_hash(STEP, NAME) == expected


def test_statement_lists_exactly_the_documented_parameters() -> None:
    """The names a job step is searched for are the numeric parameters of both agents."""
    listed = set(re.findall(r"N'-(\w+)'", catalogue()["job_step_tokens"].body.split("@others")[0]))
    known = {page.name for kind in AgentKind for page in documented(kind).values()}
    assert listed == known


@pytest.mark.parametrize(
    ("step", "names"),
    [
        ("-Continuous \N{EN DASH}SkipErrors 2601", ["-Continuous", "\N{EN DASH}SkipErrors"]),
        ("-continuous /SkipErrors 2601:2627", ["-continuous", "/SkipErrors"]),
        ("-Output /var/opt/mssql/agent.log -ReadBatchSize\t\r\n500", ["-Output", "-ReadBatchSize"]),
        (
            "-Publisher [-a b] -PROFILENAME 'my own' \N{MINUS SIGN}Continuous",
            ["-Publisher", "-PROFILENAME", "−Continuous"],
        ),
    ],
)
def test_a_switch_begins_with_whatever_somebody_typed(step: str, names: list[str]) -> None:
    """Another dash of a web page, the slash of another tool; a path is none, and tabs and line ends separate."""
    known = frozenset({"-skiperrors", "-continuous", "-output"})
    assert [switch.name for switch in switches_of(step, known)] == names
