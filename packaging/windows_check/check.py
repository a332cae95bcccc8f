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
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

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
LIMIT_S: Final = 3_600.0
"""A guard against hanging for ever, never a verdict; on two quiet cores no row takes two minutes."""
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
HOLDS: Final = 1_000
MOST_RUNS_HELD: Final = 20
QUICK_TESTS: Final = (
    "tests/store",
    "tests/unit/foundation",
    "tests/unit/cli",
    "tests/unit/services",
    "tests/unit/flows",
)
NOT_UNDER_WINE: Final[dict[str, str]] = {}
"""Quick tests that Wine cannot do, each with its reason, which is printed."""
NOT_SHOWN: Final = (
    "connections of pyodbc (Wine's ODBC manager crashes)",
    "Windows authentication, named instances, named pipes",
    "what Windows ends by itself: after five seconds of a closed console, at shutdown; sleep",
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

    def python(self, *words: str, **environment: str) -> str:
        """Run Python for Windows; return what it printed.

        Raises:
            Failed: it ended with another code than 0.
        """
        return self.run("/python/python.exe", *words, **environment)

    def run(self, *words: str, **environment: str) -> str:
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
                timeout=LIMIT_S,
            )
        except subprocess.TimeoutExpired as slow:
            raise Failed(f"{' '.join(words)} has not ended after {LIMIT_S:.0f} s") from slow
        if ended.returncode:
            last = (ended.stderr.strip() or ended.stdout.strip()).splitlines()[-3:]
            raise Failed(f"{' '.join(words)} ended with {ended.returncode}: {' / '.join(last)}")
        return ended.stdout

    def start(self, *words: str, **environment: str) -> "subprocess.Popen[str]":
        """Start a program of Windows and leave it running; what it prints can be read."""
        command = self.command(*words, **environment)
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


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
        printed = windows.python("packaging/windows_check/round_trips.py", str(port), *links, REPLITUNE_PASSWORD="lab")
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


@contextmanager
def changed_and_put_back(windows: Windows, name: str) -> Iterator[tuple[Path, list[str]]]:
    """Give the journal and the words of a run over TDS; its servers must be as before once the block is left.

    Raises:
        Failed: they are not, or they were never changed.
    """
    out = windows.checkout / "check" / name
    out.mkdir(parents=True)
    (out / "plan.toml").write_text(PLAN, encoding="utf-8")
    journal, place = out / "undo.journal", out.relative_to(windows.checkout).as_posix()
    with served_lab() as (key, _address):
        before = here("discover", "--target", key, "--json")
        yield journal, ["--target", key, f"{place}/plan.toml", f"{place}/run", f"{place}/undo.journal"]
        if here("discover", "--target", key, "--json") != before:
            raise Failed("the servers are not as they were before the run")


def run_words(words: Sequence[str]) -> list[str]:
    """Return what the program is called with."""
    option, key, plan, out, journal = words
    return ["run", plan, option, key, "--out", out, "--journal", journal]


def killed_and_restored(windows: Windows, *, runs_here: bool = False, is_restored_here: bool = False) -> str:
    """A run over TDS that is killed leaves changes, and they are put back, as another program reads.

    Args:
        runs_here: the run is killed on this system, not on Windows.
        is_restored_here: this system puts back, not Windows.
    """
    with changed_and_put_back(windows, f"killed-{runs_here:d}{is_restored_here:d}") as (journal, words):
        if runs_here:
            command = [sys.executable, "-m", "app", *run_words(words)]
            quiet = subprocess.DEVNULL
            run = subprocess.Popen(command, cwd=windows.checkout, stdout=quiet, stderr=quiet, text=True)
        else:
            windows.python("-m", "app", "discover", *words[:2], "--json")
            run = windows.start("/python/python.exe", "-m", "app", *run_words(words))
        try:
            left = once_changed(run, journal)
        finally:
            run.kill()
            run.wait()
        if is_restored_here:
            said = here("restore", "--journal", str(journal))
        else:
            said = windows.python("-m", "app", "restore", "--journal", words[-1])
    return f"killed with {left} changes standing; {said.strip().splitlines()[-1]}; the servers are as before"


def console_closed(windows: Windows) -> str:
    """The console of a run is closed: Windows' thread calls the handler, and everything is put back before the end."""
    with changed_and_put_back(windows, "console") as (journal, words):
        asked = "packaging/windows_check/close_console.py"
        told, left = end_once_changed(windows.start("/python/python.exe", asked, *run_words(words)), journal)
    if changes_in(journal):
        raise Failed(f"the journal still names {changes_in(journal)} changes")
    return f"closed with {left} changes standing; the run ended with {told['code']}, the servers are as before"


def session_end(windows: Windows) -> str:
    """Windows asks a window in mid-run whether the session may end: refused, and everything is put back."""
    with changed_and_put_back(windows, "session-end") as (journal, words):
        _option, key, plan, out, _journal = words
        program = ("/python/python.exe", "packaging/windows_check/end_session.py")
        window = windows.start(*program, key, plan, out, words[-1], QT_QPA_PLATFORM="")
        told, left = end_once_changed(window, journal)
    if told != [False, True] or changes_in(journal):
        raise Failed(f"the session might end by {told}; the journal names {changes_in(journal)} changes")
    return f"asked with {left} changes standing: refused, allowed once they were put back; the servers are as before"


def end_once_changed(run: "subprocess.Popen[str]", journal: Path) -> tuple[Any, int]:
    """Write a line to a program once servers are changed; return what it prints at its end, and how many changes stood.

    Raises:
        Failed: it ended before, or never does.
    """
    try:
        left = once_changed(run, journal)
        printed, _nothing = run.communicate("\n", timeout=LIMIT_S)
        return json.loads(printed), left
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise Failed(f"the program did not end as it must: {error}") from error
    finally:
        run.kill()
        run.wait()


def once_changed(run: "subprocess.Popen[str]", journal: Path) -> int:
    """Wait until a run's journal says that servers are changed; return how many changes stand.

    Raises:
        Failed: the run ended before.
    """
    until_s = time.monotonic() + LIMIT_S
    while (standing := changes_in(journal)) < CHANGES_BEFORE_KILL:
        if run.poll() is not None or time.monotonic() > until_s:
            raise Failed(f"the run changed nothing; it ended with {run.poll()}")
        time.sleep(POLL_S)
    return standing


def held_files(windows: Windows) -> str:
    """Another process holds journal, session file and scripts 1,000 times: no run ends by it, no entry is lost."""
    out = windows.checkout / "check" / "held"
    out.mkdir(parents=True)
    (out / "plan.toml").write_text(PLAN, encoding="utf-8")
    words = ("-m", "app", "run", "check/held/plan.toml", "--target", "lab", "--seed", "3", "--json", "--out")
    free = json.loads(windows.python(*words, "check/held/free", "--journal", "check/held/free/undo.journal"))
    entries, held_alone, held_open = entries_in(out / "free" / "undo.journal"), Counter[str](), Counter[str]()
    for number in range(1, MOST_RUNS_HELD + 1):
        (out / f"{number}").mkdir()
        place = f"check/held/{number}"
        holder = windows.start(
            "/python/python.exe",
            "packaging/windows_check/hold_files.py",
            place,
            str(HOLDS - held_alone.total() - held_open.total()),
        )
        held = json.loads(windows.python(*words, place, "--journal", f"{place}/undo.journal"))
        told, _nothing = holder.communicate(timeout=LIMIT_S)
        for count, names in zip((held_alone, held_open), json.loads(told), strict=True):
            count.update(names)
        if held["comparisons"] != free["comparisons"] or entries_in(out / f"{number}" / "undo.journal") != entries:
            raise Failed("a run whose files are held says something else than another, or its journal lost entries")
        if held_alone.total() + held_open.total() >= HOLDS:
            return (
                f"held alone {dict(held_alone)}, against being replaced {dict(held_open)}, for 30 ms each, in {number} "
                f"runs: 0 ended, all {sum(entries.values())} entries in each journal, the same comparisons"
            )
    raise Failed(f"only {held_alone.total() + held_open.total()} holds in {MOST_RUNS_HELD} runs")


def entries_in(journal: Path) -> dict[str, int]:
    """Return how many entries of an undo journal stand in each state."""
    with closing(sqlite3.connect(journal)) as connection:
        return dict(connection.execute("SELECT state, count(*) FROM entry GROUP BY state").fetchall())


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
        colours, until_s = 0, time.monotonic() + LIMIT_S
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
    """The quick tests pass on Windows, but for those that Wine cannot do."""
    words = (
        "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider",
        "-m", "not prove and not bench", *QUICK_TESTS, *(f"--deselect={test}" for test in NOT_UNDER_WINE),
    )  # fmt: skip
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
        "--workpath", "check/pyinstaller", "packaging/replitune.spec",
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
    """The frozen program without a console says its version to nobody and shows its window."""
    windows.run("/checkout/dist/replitune/replitune-window.exe", "--version")
    return picture_of(windows, "frozen-window.png", "/checkout/dist/replitune/replitune-window.exe")


Proof = Callable[[Windows], str]
FIRST: Final[tuple[tuple[str, Proof], ...]] = (
    ("version", version),
    ("round trips", round_trips),
)
"""What is timed, before there is other work."""
FREEZE: Final = ("freeze", freeze)
MEANWHILE: Final[tuple[tuple[str, Proof], ...]] = (
    ("rules check", rules),
    ("drivers in the registry", registry),
    ("advise", advise),
    ("demo", demo),
    ("run over TDS, killed, restored", killed_and_restored),
    ("… restored on this system", functools.partial(killed_and_restored, is_restored_here=True)),
    ("… killed on this system", functools.partial(killed_and_restored, runs_here=True)),
    ("console closed in mid-run", console_closed),
    ("session ended in mid-run", session_end),
    ("files held by another process", held_files),
    ("window", window),
    ("quick tests", quick_tests),
)
"""What is shown while PyInstaller works, on the other core."""
AFTERWARDS: Final[tuple[tuple[str, Proof], ...]] = (
    ("frozen program", frozen_program),
    ("frozen window", frozen_window),
)


@dataclass(frozen=True)
class Row:
    """A line of the table: whether something holds, how long that took, what was seen."""

    title: str
    holds: bool
    took_s: float
    said: str


def judged(windows: Windows, title: str, prove: Proof) -> Row:
    """Show one thing, and print its line."""
    began_s = time.monotonic()
    try:
        holds, said = True, prove(windows)
    except Failed as failed:
        holds, said = False, str(failed)
    row = Row(title, holds, time.monotonic() - began_s, said)
    sys.stdout.write(f"{title:32}{'holds' if holds else 'FAILS':7}{row.took_s:6.1f} s  {said}\n")
    sys.stdout.flush()
    return row


def main(folder: Path, wanted: list[str]) -> int:
    """Show one thing after the other, all but those that are not wanted; return 1 where one does not hold."""
    windows = Windows(folder)
    os.environ["REPLITUNE_LANGUAGE"] = "en"

    def shown(*proofs: tuple[str, Proof]) -> list[Row]:
        return [judged(windows, title, prove) for title, prove in proofs if not wanted or title in wanted]

    rows = shown(*FIRST)
    with ThreadPoolExecutor(max_workers=1) as beside:
        freezing = beside.submit(shown, FREEZE)
        rows += shown(*MEANWHILE)
    rows += freezing.result() + shown(*AFTERWARDS)
    sys.stdout.write("Wine cannot show:\n" + "".join(f"  {line}\n" for line in NOT_SHOWN))
    sys.stdout.writelines(f"  {test}: {why}\n" for test, why in NOT_UNDER_WINE.items())
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
