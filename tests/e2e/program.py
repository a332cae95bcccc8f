"""The program as a person uses it: called in this process, or started as one of its own."""

import contextlib
import io
import json
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from app.__main__ import main
from app.foundation.paths import resource_path
from tests.forked import start_python
from tests.patience import PATIENCE_S

ROOT: Final = Path(__file__).resolve().parents[2]

SMALL_PLAN: Final = """
family = "distribution_agent"
[factors]
SubscriptionStreams = [1, 8]
[workload]
commands = 8000
[design]
blocks = 2
confirm_blocks = 1
"""


@dataclass(frozen=True)
class Ended:
    """How a call of the program ended, and what it said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return standard output as the one JSON document it must be."""
        return json.loads(self.out)


def call(*arguments: object) -> Ended:
    """Run the program in this process."""
    assert not {"en", "de"} & set(arguments[1:2]), "the language of a process stays: run it alone"
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as leaving:  # argparse leaves so after --help and after wrong use
            code = leaving.code if isinstance(leaving.code, int) else 1
    return Ended(code, out.getvalue(), err.getvalue())


def spawn(
    *arguments: object, environment: Mapping[str, str] | None = None, to: IO[str] | None = None
) -> subprocess.Popen[str]:
    """Start the program in a process of its own; all it says goes to a file where one is given."""
    return start_python("-m", "app", *map(str, arguments), environment=environment, to=to)


def interrupt(process: subprocess.Popen[str]) -> None:
    """Press Ctrl+C; on Windows Ctrl+Break, which alone can be meant for one process."""
    process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))


def run_alone(*arguments: object, environment: Mapping[str, str] | None = None) -> Ended:
    """Run the program in a process of its own, to its end."""
    with spawn(*arguments, environment=environment) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
        return Ended(process.returncode, out, err)


def run_in_turn(*calls: Sequence[object]) -> list[Ended]:
    """Run the program several times, one after the other, in one process of its own, which loads it once."""
    with start_python("-c", _IN_TURN, json.dumps([[*map(str, call)] for call in calls])) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, err
    return [Ended(**ended) for ended in json.loads(out)]


_IN_TURN: Final = """
import json, sys
from dataclasses import asdict
from tests.e2e.program import call
print(json.dumps([asdict(call(*arguments)) for arguments in json.loads(sys.argv[1])]))
"""


@contextmanager
def served_lab(*arguments: object) -> Iterator[str]:
    """Serve a lab in a process of its own and give its key."""
    with spawn("lab", "serve", *arguments) as process:
        try:
            assert process.stdout is not None
            key = process.stdout.readline().strip()
            assert key.startswith("lab@127.0.0.1:"), key
            yield key
        finally:
            process.kill()


def write(path: Path, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def scenario_with(path: Path, faults: Sequence[tuple[str, int, str]]) -> Path:
    """Write the default scenario with faults: (statement, which call of it, what goes wrong)."""
    text = resource_path("lab", "lan.toml").read_text(encoding="utf-8")
    listed = "".join(
        f'\n[[faults]]\nstatement = "{name}"\ncall = {number}\nkind = "{kind}"\n' for name, number, kind in faults
    )
    return write(path, text + listed)


def assert_one_sentence(ended: Ended, code: int = 2) -> None:
    """Check that a mistake was told in one sentence, and nothing else was said."""
    assert ended.code == code, ended
    assert ended.err.startswith("replitune: "), ended
    assert ended.err.count("\n") == 1, ended
    assert ended.err.endswith("\n"), ended
    assert len(ended.err) > len("replitune: ") + 20, ended
    assert "Traceback" not in ended.err
    assert ended.out == "", ended
