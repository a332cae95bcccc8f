"""The lab's servers, served over TDS by the program of this system, and a plan for a short run on them."""

import atexit
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from under_wine import ROOT, Windows

PLAN: Final = """
family = "log_reader"
[factors]
ReadBatchSize = [100, 500]
[workload]
commands = 8000
[design]
blocks = 2
confirm_blocks = 1
"""


@contextmanager
def served_lab(*options: str) -> Iterator[tuple[str, str]]:
    """Serve a lab by the program of this system; give its key for the lab's time, and its address for real time."""
    command = [sys.executable, "-m", "app", "lab", *options, "serve"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            key = server.stdout.readline().strip()
            address = next(line.split()[0] for line in server.stdout if line.startswith("sqlserver://"))
            yield key, address
        finally:
            server.kill()


@functools.cache
def lab_of_all() -> str:
    """Serve a lab until the check ends; give its key. Who uses it leaves it as it was, and one does after the other."""
    serving = ExitStack()
    atexit.register(serving.close)
    key, _address = serving.enter_context(served_lab())
    return key


@contextmanager
def served_link(windows: Windows, link_ms: float) -> Iterator[str]:
    """Serve a lab with a link of so long, in real time; give its address."""
    scenario = windows.folder / f"link-{link_ms:g}.toml"
    lan = (ROOT / "resources" / "lab" / "lan.toml").read_text(encoding="utf-8")
    scenario.write_text(re.sub(r"(?m)^rtt_ms = \S+", f"rtt_ms = {link_ms}", lan), encoding="utf-8")
    with served_lab("--scenario", str(scenario), "--speed", "1") as (_key, address):
        yield address
