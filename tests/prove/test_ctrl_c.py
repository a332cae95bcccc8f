"""Ctrl+C, and again, while any module is being imported: the program ends in a sentence, and never in the middle."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.program import ROOT, run_alone
from tests.prove.shares import Share

COMMAND = ("rules", "check")
_INTERRUPTED = (130, "replitune: interrupted\n")
_TOO_LATE = (0, "")

# Ran by Python before the program: tells what is imported, and interrupts in the middle of one import.
_STRIKING = """
import os, signal, sys, threading

class Striking:
    def find_spec(self, name, path=None, target=None):
        if "replitune_main" not in seen and name == "app.foundation.language":
            seen.add("replitune_main")
        elif "replitune_main" in seen:
            imported = os.environ.get("STRIKE_LIST")
            if imported:
                with open(imported, "a") as list_of:
                    list_of.write(name + "\\n")
            if name == os.environ.get("STRIKE_AT"):
                os.kill(os.getpid(), signal.SIGINT)
                os.kill(os.getpid(), signal.SIGINT)
        return None

seen = set()
sys.meta_path.insert(0, Striking())
"""


def _environment(folder: Path, **more: str) -> dict[str, str]:
    (folder / "sitecustomize.py").write_text(_STRIKING)
    return {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), **more}


def test_an_import_is_finished_first_and_a_second_ctrl_c_changes_nothing(tmp_path: Path) -> None:
    """The module that is being imported is whole when the program hears of it, once."""
    (tmp_path / "slow_library.py").write_text(
        "import os, signal\nfor _ in range(3): os.kill(os.getpid(), signal.SIGINT)\nis_whole = True\n"
    )
    program = (
        "import os, signal, threading\n"
        "from app.foundation.ctrl_c import take_ctrl_c\n"
        "take_ctrl_c()\n"
        "try:\n"
        "    import slow_library\n"
        "    threading.Event().wait()\n"
        "except KeyboardInterrupt:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('interrupted', slow_library.is_whole)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "interrupted True\n", "")


@pytest.mark.prove
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="os.kill with SIGINT ends a process of Windows at once")
def test_ctrl_c_twice_in_any_import_ends_the_program_in_a_sentence(tmp_path: Path, share: Share) -> None:
    """Exit code 130 and one line, or done before it was heard, at every fortieth module the command line loads."""
    listed = tmp_path / "imported"
    ended = run_alone(*COMMAND, environment=_environment(tmp_path, STRIKE_LIST=str(listed)))
    assert ended.code == 0, ended
    modules = list(dict.fromkeys(listed.read_text().split()))
    cases = share.of(modules[::40], str)
    interrupted, wrong = 0, []
    for module in cases:
        ended = run_alone(*COMMAND, environment=_environment(tmp_path, STRIKE_AT=module))
        interrupted += (ended.code, ended.err) == _INTERRUPTED
        if (ended.code, ended.err) not in (_INTERRUPTED, _TOO_LATE):
            wrong.append((module, ended.code, ended.err[-300:]))
    print(
        f"Ctrl+C twice in an import, {share}: {len(cases)} of {len(modules)} modules, {interrupted} interrupted, "
        f"{len(wrong)} ended otherwise than interrupted or whole"
    )
    assert wrong == []
    assert interrupted
