"""Texts at the lab's databases: what is known is done as Oracle does it, all else is refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.session import End
from tests.contract.oracle.lab_bench import make_bench
from tests.contract.oracle.sqlplus import LabDatabase

LAB = make_bench().server


def told(block: str) -> list[str]:
    """Carry out a block, and return what it says."""
    database = LabDatabase(LAB, End.DESTINATION)
    database.send(block, {})
    return database.fetched()


def rows(query: str) -> list[tuple[object, ...]]:
    """Return the rows of a query."""
    database = LabDatabase(LAB, End.DESTINATION)
    database.send(query, {})
    return list(database.rows)


@pytest.mark.parametrize(
    ("expression", "is_so"),
    [
        ("1", 1),
        ("2 + 3 * 2 - 1", 7),
        ("-2", -2),
        ("'a' || NULL || 'b''c' || 1", "ab'c1"),
        ("''", None),
        ("NVL('', 'x')", "x"),
        ("DECODE(NULL, NULL, 'same', 'other')", "same"),
        ("REPLACE('a&b', '&', '&amp;')", "a&amp;b"),
        ("CASE WHEN NULL = 1 THEN 'a' ELSE 'b' END", "b"),
        ("TO_NUMBER('12') / 8", 1.5),
        ("LTRIM('007', '0')", "7"),
        ("SUBSTR('abc', 2, 1)", "b"),
        ("USER", "REPLITUNE"),
    ],
)
def test_expressions_are_what_they_are_at_a_database(expression: str, is_so: object) -> None:
    """An empty text is NULL."""
    assert rows(f"SELECT {expression} AS value FROM dual") == [(is_so,)]


@pytest.mark.parametrize(
    ("condition", "is_so"),
    [
        ("'a' = 'A'", False),
        ("NULL = NULL", False),
        ("NOT (NULL = 1)", False),
        ("'' IS NULL AND 1 IS NOT NULL", True),
        ("NULL = 1 OR 1 = 1", True),
        ("'b' NOT IN ('a', NULL)", False),
        ("('a', 'b') IN (('x', 'y'), ('a', 'b'))", True),
        ("2 BETWEEN 1 AND 2 AND 3 NOT BETWEEN 1 AND 2", True),
        ("'10' > 9", True),
    ],
)
def test_conditions_hold_as_they_do_at_a_database(condition: str, is_so: bool) -> None:
    """NULL makes a comparison unknown, and what is unknown is not done."""
    block = f"BEGIN IF {condition} THEN DBMS_OUTPUT.PUT_LINE('yes'); ELSE DBMS_OUTPUT.PUT_LINE('no'); END IF; END;"
    assert told(block) == ["yes" if is_so else "no"]


def test_a_block_does_what_it_says() -> None:
    """Loops, rows, nested blocks, errors that are handled; a RETURN leaves the whole."""
    block = """
    DECLARE
        many NUMBER := 0;
        name VARCHAR2(30);
    BEGIN
        FOR found IN (SELECT process.apply_name, process.status FROM dba_apply process) LOOP
            DBMS_OUTPUT.PUT_LINE(a => found.apply_name || ' ' || found.status);
        END LOOP;
        WHILE many < 10 LOOP
            many := many + 1;
            EXIT WHEN many = 3;
        END LOOP;
        FOR at IN 1 .. 2 LOOP
            many := many + at;
        END LOOP;
        SELECT MAX(process.apply_name), COUNT(*) INTO name, many FROM dba_apply process WHERE many = 6;
        DBMS_OUTPUT.PUT_LINE(name || ' ' || many);
        BEGIN
            RAISE_APPLICATION_ERROR(-20010, 'own');
        EXCEPTION WHEN OTHERS THEN
            DBMS_OUTPUT.PUT_LINE(SQLCODE || ' ' || SUBSTR(SQLERRM, 1, 14));
        END;
        EXECUTE IMMEDIATE 'BEGIN DBMS_OUTPUT.PUT_LINE(''inner''); END;';
        RETURN;
        DBMS_OUTPUT.PUT_LINE('never');
    END;
    """
    assert told(block) == ["STREAMS_APPLY ENABLED", "STREAMS_APPLY 1", "-20010 ORA-20010: own", "inner"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "BEGIN\n    DBMS_OTHER.DO_IT(1);\nEND;",
            "ORA-06550: line 2, column 1:\nPLS-00201: identifier 'DBMS_OTHER.DO_IT'",
        ),
        ("BEGIN\n    nowhere := 1;\nEND;", "PLS-00201: identifier 'NOWHERE' must be declared"),
        ("BEGIN NULL;", "end-of-file"),
        ("BEGIN IF 1 = 1 THEN NULL; END;", "PLS-00103"),
        ("DELETE FROM dba_apply", "ORA-00900"),
        ("BEGIN\n    DELETE FROM dba_apply;\nEND;", "ORA-00900: invalid SQL statement; the lab does not know DELETE"),
        ("SELECT 1 FROM nothing", "ORA-00942"),
        ("BEGIN FOR a IN (SELECT 1 FROM nothing) LOOP NULL; END LOOP; END;", "PL/SQL: ORA-00942"),
        ("SELECT process.other FROM dba_apply process", 'ORA-00904: "PROCESS"."OTHER"'),
        ("SELECT 1 FROM dual;", "ORA-00933"),
        ("SELECT 'open FROM dual", "ORA-01756"),
        ("SELECT 1 /* open FROM dual", "ORA-01742"),
        ("SELECT 1 / 0 AS value FROM dual", "ORA-01476"),
        ("SELECT TO_NUMBER('x') AS value FROM dual", "ORA-01722"),
        ("DECLARE name VARCHAR2(1) := 'ab'; BEGIN NULL; END;", "ORA-06502"),
        (
            "DECLARE name VARCHAR2(9); BEGIN SELECT p.apply_name INTO name FROM dba_apply p WHERE 1 = 2; END;",
            "ORA-01403",
        ),
        ("BEGIN RAISE_APPLICATION_ERROR(-1, 'x'); END;", "ORA-21000"),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000 + " FROM dual", "ORA-00036"),
    ],
)
def test_what_is_not_known_is_refused(text: str, says: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(OracleError) as caught:
        told(text)
    assert says in str(caught.value)


SPOKEN = (
    "SELECT FROM WHERE AND OR NOT IN IS NULL BETWEEN ORDER BY DECLARE BEGIN END IF THEN ELSE ELSIF LOOP WHILE FOR EXIT "
    "WHEN RETURN RAISE INTO EXECUTE IMMEDIATE CASE EXCEPTION OTHERS RAISE_APPLICATION_ERROR DBMS_OUTPUT.PUT_LINE NVL "
    "MAX COUNT dual dba_apply process n NUMBER VARCHAR2 'a' 1 1.5 = <> < := => || + - * / ( ) , ; . .. :apply % TYPE"
)


@given(words=st.lists(st.sampled_from(SPOKEN.split()), max_size=25))
def test_whatever_is_sent_ends_or_is_an_error_of_the_database(words: list[str]) -> None:
    """Nothing else is raised."""
    with contextlib.suppress(OracleError):
        told(" ".join(["BEGIN", *words, "; END;"]))
    with contextlib.suppress(OracleError):
        rows(" ".join(words))
