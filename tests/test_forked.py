"""Forked programs are what started ones are: arguments, streams, environment, ends, and whose children they are."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.foundation.paths import MORE_SYSTEMS
from tests.abilities import forks
from tests.dying import is_killed
from tests.forked import _Forked, start_python
from tests.patience import PATIENCE_S

TELLING = """
import os, sys
print(sys.argv[1:], os.environ["GIVEN"], os.getppid(), sys.stdin.read())
print("for whom it concerns", file=sys.stderr)
raise SystemExit(7)
"""

TOY = Path(__file__).with_name("toy") / "app"

pytestmark = [forks, pytest.mark.skipif(sys.platform != "linux", reason="programs are forked on Linux alone")]


def test_it_says_and_ends_as_a_started_one() -> None:
    """Its parent is who asked for it."""
    with start_python("-c", TELLING, "one", "two", environment={"GIVEN": "é"}, stdin=subprocess.PIPE) as process:
        assert isinstance(process, _Forked)
        out, err = process.communicate("typed", timeout=PATIENCE_S)
    assert (out, err) == (f"['one', 'two'] é {os.getpid()} typed\n", "for whom it concerns\n")
    assert process.returncode == 7


def test_a_mistake_is_a_traceback_and_code_1() -> None:
    """As Python ends."""
    with start_python("-c", "1 / 0") as process:
        _out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert err.endswith("ZeroDivisionError: division by zero\n")


def test_it_is_interrupted_and_killed_alone() -> None:
    """The process all are forked from goes on."""
    # Some shells have what they start ignore an interruption. A wait without end would begin after one that comes just
    # before it, and never hear of it.
    handled = "import signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    waiting = handled + "print('there', flush=True)\nwhile True: time.sleep(0.01)"
    for number in (signal.SIGINT, signal.SIGKILL):
        with start_python("-c", waiting) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "there\n"
            process.send_signal(number)
            _out, err = process.communicate(timeout=PATIENCE_S)
        assert err.endswith("KeyboardInterrupt\n") if number == signal.SIGINT else is_killed(process.returncode)


@pytest.mark.parametrize("name", ["PYTHONIOENCODING", "REPLITUNE_LANGUAGE"])
def test_what_is_read_at_a_start_is_started(name: str) -> None:
    """A fork would not read it any more."""
    with start_python("-c", "pass", environment={name: "utf-8"}) as process:
        assert not isinstance(process, _Forked)
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0


def test_further_systems_are_loaded_before() -> None:
    """A program that has them is forked from one that has them, and one without them is not."""
    asked = "import sys; print([name for name in sys.modules if 'turnstile' in name] != [])"
    for more, is_there in ((str(TOY), "True\n"), ("", "False\n")):
        with start_python("-c", asked, environment={MORE_SYSTEMS: more}) as process:
            assert isinstance(process, _Forked)
            out, _err = process.communicate(timeout=PATIENCE_S)
        assert out == is_there


def test_what_is_read_later_is_heeded() -> None:
    """The keyring's backend is chosen once it is loaded, and stacks are told where that is asked for."""
    asked = "import faulthandler, keyring; print(faulthandler.is_enabled(), type(keyring.get_keyring()).__module__)"
    backend = "keyring.backends.null"
    for stacks in ("", "1"):
        given = {"PYTHON_KEYRING_BACKEND": f"{backend}.Keyring", "PYTHONFAULTHANDLER": stacks}
        with start_python("-c", asked, environment=given) as process:
            assert isinstance(process, _Forked)
            out, _err = process.communicate(timeout=PATIENCE_S)
        assert out == f"{bool(stacks)} {backend}\n"
