"""Runs the program for Windows under Wine and prints a table of what holds; `check.py FOLDER`, called by inside.sh.

The servers are the lab's, served over TDS by the program of this system: what the program for Windows left there is
read by another than itself.
"""

import functools
import json
import os
import re
import select
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LINKS_MS: Final = (0.5, 2.0, 8.0, 20.0, 40.0)
BESIDE_AT_MS: Final = 1.0
"""The link at which it is measured what a statement takes beside it; one of 0 ms lets the lab answer without a wait."""
OFF_SHARE: Final = 0.1
OFF_MS: Final = 0.3
FEWEST_COLOURS: Final = 50
"""A window that was drawn has more; an empty one has a handful."""
CHANGES_BEFORE_KILL: Final = 6
"""By then a profile of the run is assigned to an agent, which another program can read."""
POLL_S: Final = 0.02
LIMIT_S: Final = 300.0
FREEZE_LIMIT_S: Final = 600.0
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
QUICK_TESTS: Final = (
    "tests/store",
    "tests/unit/foundation",
    "tests/unit/cli",
    "tests/unit/services",
    "tests/unit/flows",
)
LOCKED_ELSEWHERE: Final = (
    "tests/store/test_annotations.py::test_a_second_writer_is_told_who_has_the_file",
    "tests/store/test_annotations.py::test_a_lock_without_a_name_is_still_a_lock",
    "tests/store/test_crash.py::test_a_file_being_written_is_refused_to_a_second_writer_until_the_first_dies",
    "tests/unit/services/test_engagement.py::test_a_file_open_elsewhere_is_read_and_not_written",
    "tests/unit/services/test_running_mark.py::test_only_a_living_process_counts",
    "tests/unit/flows/test_engagement_view.py::test_a_closed_file_takes_no_note",
)
"""These lock a file twice; Wine refuses the second lock with error 0 where Windows says 13."""
NOT_SHOWN: Final = (
    "connections of pyodbc (Wine's ODBC manager crashes)",
    "Windows authentication, named instances, named pipes",
    "files locked by another program, as Windows locks them",
    "closing the console, log-off, shutdown, sleep",
    "scaling of 125 to 175 %, high contrast, screen readers",
    "paths longer than 260 characters, network folders",
    "the installer, signatures, Credential Manager",
)


class Failed(Exception):
    """Something does not hold under Wine; the message says what."""


@dataclass(frozen=True)
class Windows:
    """The program for Windows, as it is called under Wine.

    Attributes:
        folder: where everything for it stands, `build/windows`.
    """

    folder: Path

    @property
    def checkout(self) -> Path:
        """The copy of the checkout that it works in."""
        return self.folder / "checkout"

    def command(self, *words: str, **environment: str) -> list[str]:
        """Return the command of this system that starts a program of Windows in the copy of the checkout."""
        settings = {"QT_QPA_PLATFORM": "offscreen", "REPLITUNE_LANGUAGE": "en", **environment}
        names = [f"{name}={value}" for name, value in settings.items() if value]
        start = 'cd /checkout && exec env "$@"'
        return ["chroot", str(self.folder / "system"), "sh", "-c", start, "sh", *names, "wine", *words]

    def python(self, *words: str, limit_s: float = LIMIT_S, **environment: str) -> str:
        """Run Python for Windows; return what it printed.

        Raises:
            Failed: it ended with another code than 0.
        """
        return self.run("/python/python.exe", *words, limit_s=limit_s, **environment)

    def run(self, *words: str, limit_s: float = LIMIT_S, **environment: str) -> str:
        """Run a program of Windows; return what it printed.

        Raises:
            Failed: it ended with another code than 0, or not in time.
        """
        try:
            ended = subprocess.run(
                self.command(*words, **environment),
                input="",
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limit_s,
            )
        except subprocess.TimeoutExpired as slow:
            raise Failed(f"{' '.join(words)} has not ended after {limit_s:.0f} s") from slow
        if ended.returncode:
            last = (ended.stderr.strip() or ended.stdout.strip()).splitlines()[-3:]
            raise Failed(f"{' '.join(words)} ended with {ended.returncode}: {' / '.join(last)}")
        return ended.stdout

    def start(self, *words: str, **environment: str) -> "subprocess.Popen[str]":
        """Start a program of Windows and leave it running."""
        quiet = subprocess.DEVNULL
        command = self.command(*words, **environment)
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, text=True)


def here(*words: str) -> str:
    """Run the program of this system; return what it printed."""
    return subprocess.run(
        [sys.executable, "-m", "app", *words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


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


def version(windows: Windows) -> str:
    """The version answers."""
    return windows.python("-m", "app", "--version").strip()


def rules(windows: Windows) -> str:
    """Every rule pack is read."""
    return windows.python("-m", "app", "rules", "check").strip().splitlines()[-1]


def registry(windows: Windows) -> str:
    """Drivers listed for 64 bits are found in the registry, one for 32 bits alone is told as that."""
    key = r"HKLM\SOFTWARE\ODBC\ODBCINST.INI\ODBC Drivers"
    listed = {64: "ODBC Driver 18 for SQL Server", 32: "ODBC Driver 17 for SQL Server"}
    for bits, name in listed.items():
        windows.run("reg", "add", key, "/v", name, "/t", "REG_SZ", "/d", "Installed", "/f", f"/reg:{bits}")
    try:
        parts = json.loads(windows.python("-m", "app", "doctor", "--json"))["parts"]
    finally:  # a driver that is found would be taken for what follows
        for bits, name in listed.items():
            windows.run("reg", "delete", key, "/v", name, "/f", f"/reg:{bits}")
    found = {part["title"]: part["is_there"] for part in parts if part["part_id"].startswith("odbc:")}
    if found != {listed[64]: True, listed[32]: False}:
        raise Failed(f"found are {found}")
    return f"{listed[64]} is found, {listed[32]} is told to be of 32 bits only"


def advise(windows: Windows) -> str:
    """Published measurements lead to a report."""
    windows.python("-m", "app", "advise", "resources/published/replication-agents-2018.csv", "--out", "check/advise")
    return report_in(windows.checkout / "check" / "advise")


def demo(windows: Windows) -> str:
    """A whole session on the lab ends with scripts and a report."""
    windows.python("-m", "app", "demo", "--family", "wan_delivery", "--out", "check/demo")
    return report_in(windows.checkout / "check" / "demo")


def report_in(folder: Path) -> str:
    """Return what a folder of results holds; fails where there is no report."""
    report = folder / "report.pdf"
    if not report.is_file() or not report.read_bytes().startswith(b"%PDF-"):
        raise Failed(f"there is no report in {folder.name}")
    return f"{report.stat().st_size // 1024} kB PDF, {len(list(folder.glob('*.sql')))} scripts"


def round_trips(windows: Windows) -> str:
    """The round trip of links that are known is measured within 10 % and 0.3 ms of their own.

    What waiting takes beside its own time (Wine's sockets, this machine's scheduler) shows by bytes that are echoed
    after the same time to the same program; what a statement takes beyond that (the driver, Wine's threads, the lab)
    shows at a link that is not judged. Both are taken off, and told. Judged is the shortest of many, which other
    programs disturb least; the program tells the median of five, which stands behind it.
    """
    with ExitStack() as serving:
        port = serving.enter_context(echo_server())
        links = [
            f"{link_ms:g}={serving.enter_context(served_link(windows, link_ms))}"
            for link_ms in (BESIDE_AT_MS, *LINKS_MS)
        ]
        printed = windows.python(
            "packaging/windows_check/round_trips.py", str(port), *links, REPLITUNE_PASSWORD="lab", limit_s=2 * LIMIT_S
        )
    told = {float(link_ms): probes for link_ms, probes in json.loads(printed).items()}
    beside_ms = {link_ms: probes["statement"] - probes["echo"] for link_ms, probes in told.items()}
    measured_ms = {link_ms: link_ms + beside_ms[link_ms] - beside_ms[BESIDE_AT_MS] for link_ms in LINKS_MS}
    lines = "; ".join(
        f"{link_ms:g}: {measured_ms[link_ms]:.2f} ({told[link_ms]['statement']:.2f}, bytes alone "
        f"{told[link_ms]['echo']:.2f}, the program's median {told[link_ms]['median']:.2f})"
        for link_ms in LINKS_MS
    )
    said = f"{beside_ms[BESIDE_AT_MS]:.2f} ms for a statement beside the link; {lines}"
    if any(abs(ms - link_ms) > OFF_SHARE * link_ms + OFF_MS for link_ms, ms in measured_ms.items()):
        raise Failed(said)
    return said


@contextmanager
def served_link(windows: Windows, link_ms: float) -> Iterator[str]:
    """Serve a lab with a link of so long, in real time; give its address."""
    scenario = windows.folder / f"link-{link_ms:g}.toml"
    lan = (ROOT / "resources" / "lab" / "lan.toml").read_text(encoding="utf-8")
    scenario.write_text(re.sub(r"(?m)^rtt_ms = \S+", f"rtt_ms = {link_ms}", lan), encoding="utf-8")
    with served_lab("--scenario", str(scenario), "--speed", "1") as (_key, address):
        yield address


@contextmanager
def echo_server() -> Iterator[int]:
    """Answer eight bytes, a number of milliseconds, with one byte after so long; give the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_echo, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]


def _echo(listener: socket.socket) -> None:
    with suppress(OSError):
        peer, _address = listener.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with peer:
            while asked := peer.recv(8):
                # as the lab waits, which looks for a client that breaks off
                select.select((peer,), (), (), struct.unpack("<d", asked)[0] / 1000.0)
                peer.sendall(b".")


def killed_and_restored(windows: Windows, *, is_restored_here: bool) -> str:
    """A run over TDS that is killed leaves changes, and they are put back, as another program reads."""
    out = windows.checkout / "check" / ("restored-here" if is_restored_here else "restored")
    out.mkdir(parents=True)
    (out / "plan.toml").write_text(PLAN, encoding="utf-8")
    name, journal = out.relative_to(windows.checkout).as_posix(), out / "undo.journal"
    with served_lab() as (key, _address):
        before = here("discover", "--target", key, "--json")
        windows.python("-m", "app", "discover", "--target", key, "--json")
        words = (
            "run",
            f"{name}/plan.toml",
            "--target",
            key,
            "--out",
            f"{name}/run",
            "--journal",
            f"{name}/undo.journal",
        )
        kill_once_changed(windows.start("/python/python.exe", "-m", "app", *words), journal)
        if here("discover", "--target", key, "--json") == before:
            raise Failed("the run was killed before it had changed anything")
        if is_restored_here:
            said = here("restore", "--journal", str(journal))
        else:
            said = windows.python("-m", "app", "restore", "--journal", f"{name}/undo.journal")
        if here("discover", "--target", key, "--json") != before:
            raise Failed("the servers are not as they were before the run")
    return f"{said.strip().splitlines()[-1]}; the servers are as before"


def kill_once_changed(run: "subprocess.Popen[str]", journal: Path) -> None:
    """Kill a run as soon as its journal says that servers are changed."""
    until_s = time.monotonic() + LIMIT_S
    try:
        while changes_in(journal) < CHANGES_BEFORE_KILL:
            if run.poll() is not None or time.monotonic() > until_s:
                raise Failed(f"the run changed nothing; it ended with {run.poll()}")
            time.sleep(POLL_S)
    finally:
        run.kill()
        run.wait()


def changes_in(journal: Path) -> int:
    """Return how many changes stand by an undo journal that another program writes to; 0 while it cannot be read."""
    if not journal.is_file():
        return 0
    # Wine's locks are none of this system: the file is read as it is, and may be in mid-write.
    try:
        with closing(sqlite3.connect(f"file:{journal}?immutable=1", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM entry WHERE state = 'applied'").fetchone()[0])
    except sqlite3.Error:
        return 0


def window(windows: Windows) -> str:
    """The window opens and is drawn."""
    return picture_of(windows, "window.png", "/python/python.exe", "-m", "app")


def picture_of(windows: Windows, name: str, *words: str) -> str:
    """Start a window, take its picture, end it; fails where nothing is drawn."""
    system = ["chroot", str(windows.folder / "system")]
    shown = windows.start(*words, QT_QPA_PLATFORM="")
    try:
        colours, until_s = 0, time.monotonic() + LIMIT_S / 5
        while colours < FEWEST_COLOURS:
            if shown.poll() is not None or time.monotonic() > until_s:
                raise Failed(f"no window was drawn; the program ended with {shown.poll()}")
            time.sleep(1.0)
            taken = subprocess.run(
                [*system, "sh", "-c", f"import -window root /checkout/{name} && identify -format %k /checkout/{name}"],
                capture_output=True, text=True,
            )  # fmt: skip
            colours = int(taken.stdout) if taken.stdout.isdigit() else 0
    finally:
        shown.kill()
        shown.wait()
    picture = windows.folder / name
    picture.write_bytes((windows.checkout / name).read_bytes())
    return f"{colours} colours, picture in {picture.relative_to(ROOT)}"


def quick_tests(windows: Windows) -> str:
    """The quick tests pass on Windows, but for those that lock a file twice."""
    words: tuple[str, ...] = (
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "worksteal",
        "-p",
        "no:cacheprovider",
        "-m",
        "not prove and not bench",
        *QUICK_TESTS,
    )
    words += tuple(f"--deselect={test}" for test in LOCKED_ELSEWHERE)
    log = windows.folder / "tests.log"
    with log.open("w", encoding="utf-8") as out:
        command = windows.command("/python/python.exe", *words)
        ended = subprocess.run(command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, check=False)
    last = (log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["nothing was printed"])[-1]
    if ended.returncode:
        raise Failed(f"{last.strip('= ')}; {log.relative_to(ROOT)} says which")
    return last.strip("= ")


def freeze(windows: Windows) -> str:
    """PyInstaller makes both programs."""
    # The archive that Python for Windows comes in has no text of its licence.
    texts = [sys.executable, str(windows.checkout / "packaging" / "licences.py")]
    subprocess.run(texts, cwd=windows.checkout, env={**os.environ, "PYTHONPATH": str(windows.checkout)}, check=True)
    for name in ("version_info", "icons"):
        windows.python(f"packaging/{name}.py", PYTHONPATH="Z:/checkout")
    windows.python(
        "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--distpath", "dist",
        "--workpath", "check/pyinstaller", "packaging/replitune.spec", limit_s=FREEZE_LIMIT_S,
    )  # fmt: skip
    bundle = windows.checkout / "dist" / "replitune"
    size_mb = sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file()) / 1e6
    return f"{size_mb:.0f} MB"


def frozen_program(windows: Windows) -> str:
    """The frozen program for the console knows its version and parts, and measures on the lab."""
    program = "/checkout/dist/replitune/replitune.exe"
    said = windows.run(program, "--version").strip()
    families = json.loads(windows.run(program, "doctor", "--json"))["families"]
    windows.run(program, "demo", "--out", "check/frozen")
    return f"{said}, {len(families)} families, {report_in(windows.checkout / 'check' / 'frozen')}"


def frozen_window(windows: Windows) -> str:
    """The frozen program without a console shows its window."""
    return picture_of(windows, "frozen-window.png", "/checkout/dist/replitune/replitune-window.exe")


Proof = Callable[[Windows], str]
PROOFS: Final[tuple[tuple[str, Proof], ...]] = (
    ("version", version),
    ("round trips", round_trips),
    ("rules check", rules),
    ("drivers in the registry", registry),
    ("advise", advise),
    ("demo", demo),
    ("run over TDS, killed, restored", functools.partial(killed_and_restored, is_restored_here=False)),
    ("… restored on this system", functools.partial(killed_and_restored, is_restored_here=True)),
    ("window", window),
    ("quick tests", quick_tests),
    ("freeze", freeze),
    ("frozen program", frozen_program),
    ("frozen window", frozen_window),
)


def main(folder: Path, wanted: list[str]) -> int:
    """Show one thing after the other; return 1 where one does not hold."""
    windows, is_whole = Windows(folder), True
    os.environ["REPLITUNE_LANGUAGE"] = "en"
    for title, prove in PROOFS:
        if wanted and title not in wanted:
            continue
        began_s = time.monotonic()
        try:
            verdict, said = "holds", prove(windows)
        except Failed as failed:
            verdict, said, is_whole = "FAILS", str(failed), False
        sys.stdout.write(f"{title:32}{verdict:7}{time.monotonic() - began_s:6.1f} s  {said}\n")
        sys.stdout.flush()
    sys.stdout.write("Wine cannot show:\n" + "".join(f"  {line}\n" for line in NOT_SHOWN))
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
