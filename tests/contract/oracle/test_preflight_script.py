"""The script a DBA runs at Oracle databases before a visit: run by SQL*Plus, read back as the doctor's answer."""

import re
from functools import cache

import pytest

from app.bootstrap import load_families, load_systems
from app.domain.errors import BadInput
from app.domain.rights import Mode
from app.domain.statement import Access, StatementRecord
from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.preflight import PREFLIGHT
from app.drivers.oracle.session import End
from app.services.look.doctor import TargetHealth, grant_script, target_health
from app.services.target.assembling import assemble
from tests.contract.oracle.sqlplus import tool_at
from tests.labs import build_lab, open_lab

SITES = ("streams-12c", "streams-2009")
FEW = frozenset({("role", "SELECT_CATALOG_ROLE"), ("system", "CREATE SESSION")})


@cache
def script() -> str:
    """Return the script for every system."""
    asked = [system.asked_unseen for system in load_systems().values() if system.engine == PREFLIGHT.engine]
    return PREFLIGHT.script(asked, "preflight.sql")


@cache
def printed(site: str, end: End, rights: frozenset[tuple[str, str]] | None = None) -> str:
    """Return what it prints at a database of a lab."""
    tool = tool_at(build_lab(site), end, rights=rights)
    tool.run_script(script())
    assert (tool.code, tool.errors, tool.ran) == (0, [], [])
    return "\n".join(tool.printed)


def both(site: str) -> str:
    """Return what it prints at both databases, the destination first."""
    return "\n".join(printed(site, end) for end in reversed(End))


def seen_from(text: str) -> TargetHealth:
    """Return what the doctor makes of a text."""
    target = assemble(PREFLIGHT.answers(text, "answer.txt"), load_systems())
    return target_health(target.key, load_families(), lambda *_given: target)


def seen(site: str, records: list[StatementRecord]) -> TargetHealth:
    """Return what the doctor sees over a connection."""
    return target_health("lab", load_families(), lambda *_given: open_lab(site, on_statement=records.append))


def ways(health: TargetHealth) -> tuple[str, frozenset[Mode]]:
    """Return why the experiment is not possible, and the ways to work; guided work has no lab in this process."""
    [one] = [one for one in health.experiments if one.family == "streams_apply"]
    return one.impossible, frozenset(one.modes) - {Mode.GUIDED}


@pytest.mark.parametrize("site", SITES)
def test_what_was_printed_is_answered_as_connections_answer(site: str) -> None:
    """Whichever database comes first: the same rights, topology and warnings, and nothing that was not asked."""
    there, told = seen(site, []), seen_from(both(site))
    assert ways(told) == ways(there)
    assert told.rights == there.rights
    assert told.discovery.by_system == there.discovery.by_system != ()
    assert told.discovery.unread == there.discovery.unread == ()


@pytest.mark.parametrize("site", SITES)
def test_it_asks_all_that_the_doctor_asks_and_only_reads(site: str) -> None:
    """What takes the name of a process is asked for each that there is."""
    records: list[StatementRecord] = []
    seen(site, records)
    asked = set(re.findall(r'#ask statement="(\w+)"', printed(site, End.SOURCE)))
    assert {one.name for one in records} <= asked
    assert all(catalogue()[name].access is Access.READ for name in asked)


def test_a_statement_that_fails_tells_its_number_and_the_script_goes_on() -> None:
    """A release without a view refuses the statement as a text of its own; the next ones are answered."""
    lines = printed("streams-12c", End.SOURCE).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith('#ask statement="sample_goldengate"'))
    assert lines[at + 1].startswith('#failed text="ORA-00942: table or view does not exist" #')
    assert lines[at + 2].startswith("#ask ")


def test_a_login_with_few_rights_gets_the_script_that_grants_the_rest() -> None:
    """Each missing right is told at its database."""
    told = seen_from("\n".join(printed("streams-12c", end, FEW) for end in End))
    assert "GRANT EXECUTE ON DBMS_AQADM TO STRMADMIN;" in grant_script(told)
    assert {right.server for right in told.grants(Mode.HANDS_ON)} == {"SRC.EXAMPLE.COM", "DST.EXAMPLE.COM"}


def test_a_refused_statement_is_told_by_its_name() -> None:
    """As it would be over a connection: what it needs, and which it is."""
    lines = printed("streams-12c", End.SOURCE).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith('#ask statement="captures" '))
    last = next(at for at in range(first, len(lines)) if lines[at].startswith("#done "))
    refused = '#failed text="ORA-01031: insufficient privileges" '
    lines[first + 1 : last + 1] = [f"{refused}#{len(refused)}"]
    told = seen_from("\n".join((*lines, printed("streams-12c", End.DESTINATION))))
    assert any("captures" in sentence and "SELECT_CATALOG_ROLE" in sentence for sentence in told.discovery.unread)
    assert told.rights.login == "STRMADMIN"


@pytest.mark.parametrize("end", End)
def test_of_one_database_alone_the_other_end_is_told_as_not_asked(end: End) -> None:
    """It is not taken for both ends of the pipeline."""
    told = seen_from(printed("streams-12c", end))
    assert any("was not asked at the" in sentence for sentence in told.rights.unread)
    assert told.rights.login == "STRMADMIN"


def _without(text: str, kind: str) -> str:
    lines = text.splitlines()
    lines.pop(next(at for at, line in enumerate(lines) if line.startswith(kind)))
    return "\n".join(lines)


def test_what_was_cut_or_edited_is_refused_in_one_sentence() -> None:
    """A line less of any kind, one that was shortened, wrapped or edited, or an end that is missing."""
    whole = both("streams-12c")
    kinds = ("#begin", "#ask", "#of", "#row", "#done", "#failed", "#end")
    spoiled = {
        **{kind: _without(whole, kind) for kind in kinds},
        "half": whole[: len(whole) // 2],
        "edited": whole.replace("SRC.EXAMPLE.COM", "SOURCE", 1),
        "wrapped": whole.replace(" name=", "\nname=", 1),
    }
    for name, text in spoiled.items():
        with pytest.raises(BadInput, match=r"answer\.txt was cut or edited: run the script again"):
            pytest.fail(f"{name} was read: {PREFLIGHT.answers(text, 'answer.txt').key}")


def test_another_text_and_a_third_database_are_refused() -> None:
    """Of SQL Server, of nothing, and of two pipelines."""
    for text in ("", "Connected.", '#ask statement="agents" server="DIST1" #'):
        with pytest.raises(BadInput, match=r"answer\.txt (was cut or edited|does not hold)"):
            PREFLIGHT.answers(text, "answer.txt")
    begin, end = '#begin database="{}" ', '#end statements="0" '
    more = "\n".join(f"{line}#{len(line)}" for name in "ABC" for line in (begin.format(name), end))
    with pytest.raises(BadInput, match="holds answers of 3 databases"):
        PREFLIGHT.answers(more, "answer.txt")


def test_the_later_answer_of_a_database_counts_and_other_lines_do_not_matter() -> None:
    """A script that was run again appends to the same file; SQL*Plus and the DBA may say something between."""
    twice = "\n".join(("SQL> @preflight", printed("streams-12c", End.SOURCE, FEW), both("streams-12c"), ""))
    assert seen_from(twice).rights == seen_from(both("streams-12c")).rights


def test_sqlplus_takes_every_line_as_it_stands() -> None:
    """None is too long for it, begins with a sign it acts upon, or ends with that of a line that goes on."""
    lines = script().splitlines()
    assert max(map(len, lines)) < 2_499
    assert not [line for line in lines if line.lstrip().startswith(("#", "@", "!", "."))]
    assert not [line for line in lines if line.endswith("-")]
    assert {line for line in lines if line.startswith("/")} == {"/"}
    assert script().isascii()
    literals = re.findall(r"EXECUTE IMMEDIATE ('(?:[^']|'')*');", script())
    assert len(literals) == script().count("#ask")
    assert max(map(len, literals)) < 32_767
