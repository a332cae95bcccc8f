"""Reports of unexpected errors: complete, and without secrets."""

import json
import logging
from pathlib import Path
from urllib.parse import quote

import pytest

from app.flows.shell.error_report import RecentLog, error_headline, make_report, without_secrets
from app.foundation.secret import Secret


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("Driver=x;UID=sa;PWD=hunter2;Encrypt=yes", "Driver=x;UID=sa;PWD=***;Encrypt=yes"),
        ("password = 'a b c', next", "password = ***, next"),
        ("Password: {with;braces}; x", "Password: ***; x"),
        ("UID=sa;PWD={a}}b;c};Encrypt=yes", "UID=sa;PWD=***;Encrypt=yes"),
        ("oracle://scott:tiger@host:1521/x", "oracle://scott:***@host:1521/x"),
        (
            "-Publisher [P] -PublisherPassword [s e c] -Distributor D",
            "-Publisher [P] -PublisherPassword *** -Distributor D",
        ),
        ("nothing secret here", "nothing secret here"),
    ],
)
def test_what_looks_like_a_password_is_hidden(text: str, safe: str) -> None:
    """Connection strings, URLs, assignments and agent command lines lose their passwords."""
    assert without_secrets(text) == safe


def test_the_home_folder_is_not_named() -> None:
    """A report does not tell who the person is."""
    assert without_secrets(f"File {Path.home()}/x.py") == "File ~/x.py"


def fail_twice() -> None:
    """Raise an error that has a cause."""
    try:
        raise KeyError("inner")
    except KeyError as inner:
        raise ValueError("outer") from inner


def test_a_report_has_versions_trace_and_log() -> None:
    """Version, where it happened with its cause, and what was logged before."""
    with pytest.raises(ValueError) as caught:
        fail_twice()
    report = make_report(caught.value, ["line one"], ["Qt 6"])
    assert "ValueError" in error_headline(caught.value)
    assert report.startswith("Replitune ")
    assert ", Qt 6, " in report
    assert report.index("KeyError: 'inner'") < report.index("ValueError: outer") < report.index("line one")
    assert "(nothing was logged)" in make_report(ValueError("x"), [])


def test_only_the_last_lines_of_the_log_are_kept() -> None:
    """Old lines make room for new ones; a line that cannot be formatted does no harm."""
    log = RecentLog(kept=2)
    logger = logging.Logger("test")
    logger.addHandler(log)
    for number in range(3):
        logger.info("line %d", number)
    assert [line.split()[-1] for line in log.lines()] == ["1", "2"]


def test_a_line_that_cannot_be_formatted_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong log call is reported by the logging module and breaks nothing."""
    monkeypatch.setattr(logging, "raiseExceptions", False)
    log = RecentLog()
    logger = logging.Logger("test")
    logger.addHandler(log)
    logger.info("%d", "not a number")
    assert log.lines() == ()


@pytest.mark.parametrize(
    "password",
    [
        "Hunter2Quagga",
        "a}b;c d",
        "}};Hunter2",
        "it's {mine}",
        'say "x"',
        "back\\slash",
        "ümlaut ß@/",
        "new\nline",
        "x7",
    ],
)
def test_a_password_in_use_is_masked_however_it_is_written(password: str) -> None:
    """The value itself is looked for, in every spelling, since no form tells where a password ends."""
    secret = Secret(password)
    forms = (
        password,
        f"DRIVER=x;UID=sa;PWD={{{password.replace('}', '}}')}}};Encrypt=yes",
        f"DRIVER=FreeTDS;PWD={{{password}}};SERVER=db1",
        repr({"pwd": password}),
        repr(f"PWD={{{password.replace('}', '}}')}}}"),
        json.dumps(["login", password]),
        f"sqlserver://sa:{quote(password)}@db1",
        f"IDENTIFIED BY '{password.replace(chr(39), chr(39) * 2)}'",
    )
    for form in forms:
        report = make_report(ValueError(form), [form])
        for part in (password, repr(password)[1:-1], json.dumps(password)[1:-1], password[-5:]):
            assert part not in report or len(password) < 4, (form, report)
        assert f" {password} " not in report
        assert "***" in report
    assert secret.reveal() == password


def test_a_secret_that_is_gone_masks_nothing() -> None:
    """Values are known as long as they are in use, and are kept nowhere else."""
    assert Secret.mask_known("abc Quagga7 abc") == "abc Quagga7 abc"
    kept = Secret("Quagga7")
    assert Secret.mask_known("abc Quagga7 abc") == "abc *** abc"
    del kept
    assert Secret.mask_known("abc Quagga7 abc") == "abc Quagga7 abc"


def test_the_password_of_a_lab_is_part_of_its_name_and_masks_nothing() -> None:
    """What a sentence tells to call next can be called as it stands."""
    kept = Secret("lab", is_public=True)
    assert Secret.mask_known("lab@127.0.0.1:1433 is not as found") == "lab@127.0.0.1:1433 is not as found"
    assert str(kept) == "***"
