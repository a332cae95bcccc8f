"""Reports of unexpected errors: complete, and without secrets."""

import logging
from pathlib import Path

import pytest

from app.flows.shell.error_report import RecentLog, error_headline, make_report, without_secrets


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("Driver=x;UID=sa;PWD=hunter2;Encrypt=yes", "Driver=x;UID=sa;PWD=***;Encrypt=yes"),
        ("password = 'a b c', next", "password = ***, next"),
        ("Password: {with;braces}; x", "Password: ***; x"),
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
