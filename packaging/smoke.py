"""Proves a bundle: the frozen program in an empty environment, without Python, does what the program does.

Run by `make package` after PyInstaller; prints one line for each proof and fails at the first that does not hold.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUNDLE = ROOT / "dist" / "replitune"
MOST_UNPACKED_MB = 400
MOST_COMPRESSED_MB = 125
DEMO_LIMIT_S = 90.0
PLAN = """
family = "log_reader"
[factors]
ReadBatchSize = [100, 500]
[workload]
commands = 8000
[design]
blocks = 2
confirm_blocks = 1
"""


def program() -> str:
    """Return the path of the frozen program."""
    return str(BUNDLE / ("replitune.exe" if sys.platform == "win32" else "replitune"))


def empty_environment(home: Path) -> dict[str, str]:
    """Return an environment that knows no Python, no virtual environment and no path to one."""
    kept = {name: os.environ[name] for name in ("SystemRoot", "TEMP") if name in os.environ}
    # Windows is asked for the user's own folders, whatever the environment says; platformdirs is told others by these.
    own = {f"WIN_PD_OVERRIDE_{folder}": str(home) for folder in ("LOCAL_APPDATA", "APPDATA", "PERSONAL")}
    return {
        **kept,
        **own,
        "HOME": str(home),
        "USERPROFILE": str(home),
        "APPDATA": str(home),
        "LOCALAPPDATA": str(home),
        "LANG": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
        "PATH": "/nonexistent",
    }


def run(home: Path, *arguments: str, limit_s: float = 60.0, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run the frozen program; fails with what it said where it does not end well."""
    ran = subprocess.run(
        [program(), *arguments],
        env={**empty_environment(home), **extra},
        cwd=home,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=limit_s,
        check=False,
    )
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)} ended with {ran.returncode}: {ran.stderr.strip()}")
    return ran


def prove_version(home: Path) -> str:
    """The version answers, and how long that takes."""
    said = run(home, "--version").stdout.strip()
    began = time.monotonic()
    run(home, "--version")
    return f"{said}, in {time.monotonic() - began:.2f} s"


def prove_parts(home: Path) -> str:
    """Families, engines and rule packs are those of the checkout, exactly; every driver is there."""
    found = json.loads(run(home, "doctor", "--json").stdout)
    packs = [path for path in (ROOT / "advisor_rules").glob("*/*.yaml") if path.parent.name != "common"]
    expected = {
        "families": sorted(path.parent.name for path in (ROOT / "app" / "systems").glob("*/families/*/__init__.py")),
        "targets": sorted(path.parent.name for path in (ROOT / "app" / "drivers").glob("*/__init__.py")),
        "rules": sorted(f"{path.parent.name}/{path.stem}" for path in packs),
    }
    seen = {**found, "rules": sorted(name for name, _count in found["rules"])}
    for name, ids in expected.items():
        if seen[name] != ids:
            raise SystemExit(f"the bundle has {name} {seen[name]}, the checkout {ids}")
    drivers = {part["part_id"] for part in found["parts"] if part["kind"] == "driver" and part["is_there"]}
    wanted = {"pyodbc", "mssql-python", "oracledb"}
    if importlib.util.find_spec("cx_Oracle") is not None:  # built from source where the Python allows it
        wanted.add("cx_Oracle")
    if not wanted <= drivers:
        raise SystemExit(f"the bundle has only the drivers {sorted(drivers)}, not {sorted(wanted - drivers)}")
    return f"{len(expected['families'])} families, {len(expected['rules'])} packs, drivers {sorted(drivers)}"


def prove_demo(home: Path) -> str:
    """A demo ends with a PDF, scripts and a session file, in about the time of the program that is not frozen."""
    began = time.monotonic()
    run(home, "demo", "--out", str(home / "demo"), limit_s=DEMO_LIMIT_S)
    frozen_s = time.monotonic() - began
    wanted = ("report.pdf", "apply-*.sql", "undo-*.sql", "rollback.sql")
    missing = [name for name in wanted if not any((home / "demo").glob(name))]
    if missing:
        raise SystemExit(f"the demo left no {', '.join(missing)}")
    if not (home / "demo" / "report.pdf").read_bytes().startswith(b"%PDF-"):
        raise SystemExit("the demo's report is no PDF")
    began = time.monotonic()
    beside = [sys.executable, "-m", "app", "demo", "--out", str(home / "beside")]
    subprocess.run(beside, cwd=ROOT, env=empty_environment(home), capture_output=True, check=True)
    return f"{frozen_s:.1f} s, {frozen_s / (time.monotonic() - began):.2f} of the program that is not frozen"


def prove_reports(home: Path) -> str:
    """The frozen program's reports in both languages conform to PDF/A-3a and PDF/UA-1, as veraPDF judges."""
    session, reports = home / "demo" / "session.replitune", (home / "en.pdf", home / "de.pdf")
    for report in reports:
        run(home, "--language", report.stem, "report", str(session), "--out", str(report))
    if shutil.which("java") is None or shutil.which("mvn") is None:
        return "written in both languages; not judged, as veraPDF needs java and mvn"
    prepare = [sys.executable, str(ROOT / "packaging" / "verapdf" / "prepare.py")]
    validator = subprocess.run(prepare, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    start = ["java", "-Djava.awt.headless=true", "-cp", validator, "org.verapdf.apps.GreenfieldCliWrapper"]
    for flavour in ("3a", "ua1"):
        judged = subprocess.run(
            [*start, "--flavour", flavour, "--format", "text", *map(str, reports)], capture_output=True, text=True
        )
        if judged.stdout.count("PASS ") != len(reports):
            raise SystemExit(f"veraPDF finds fault as {flavour}: {judged.stdout}{judged.stderr}")
    return "English and German conform to PDF/A-3a and PDF/UA-1"


def prove_office(home: Path) -> str:
    """The forms to edit, to show and to plan with are written by what the bundle holds, and open as what they are."""
    session = home / "demo" / "session.replitune"
    inside = {"docx": "word/document.xml", "pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
    for form, part in inside.items():
        written = home / f"report.{form}"
        run(home, "report", str(session), "--out", str(written))
        with zipfile.ZipFile(written) as document:
            if part not in document.namelist():
                raise SystemExit(f"{written.name} holds no {part}")
    calendar = home / "steps.ics"
    run(home, "report", str(session), "--out", str(calendar))
    if not calendar.read_bytes().startswith(b"BEGIN:VCALENDAR"):
        raise SystemExit("steps.ics is no calendar")
    return f"{', '.join(inside)} and ics written"


def prove_window(home: Path) -> str:
    """The window opens and stays open until it is ended."""
    with subprocess.Popen([program()], env=empty_environment(home), stderr=subprocess.PIPE) as window:
        try:
            window.wait(timeout=6.0)
        except subprocess.TimeoutExpired:
            window.terminate()
            return "still open after 6 s"
        raise SystemExit(f"the window ended by itself: {window.stderr.read().decode() if window.stderr else ''}")


def prove_wire(home: Path) -> str:
    """A session over TDS with a real driver, both ends frozen: discovered, measured, put back, reported."""
    served = subprocess.Popen(
        [program(), "lab", "serve"], env=empty_environment(home), stdout=subprocess.PIPE, text=True
    )
    try:
        assert served.stdout is not None
        target = served.stdout.readline().strip()
        found = run(home, "discover", "--target", target, "--json")
        plan = home / "plan.toml"
        plan.write_text(PLAN, encoding="utf-8")
        run(home, "run", str(plan), "--target", target, "--out", str(home / "wire"), limit_s=180.0)
        if not (home / "wire" / "report.pdf").read_bytes().startswith(b"%PDF-"):
            raise SystemExit("the session over TDS left no report")
        if json.loads(run(home, "discover", "--target", target, "--json").stdout) != json.loads(found.stdout):
            raise SystemExit("the session over TDS left the servers changed")
        return f"{len(json.loads(found.stdout)['agents'])} agents found, one session measured, everything put back"
    finally:
        served.kill()
        served.wait()


def prove_size(_home: Path) -> str:
    """The bundle is not larger than it may be."""
    size_mb = sum(path.stat().st_size for path in BUNDLE.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6
    if size_mb > MOST_UNPACKED_MB:
        raise SystemExit(f"the bundle has {size_mb:.0f} MB unpacked; it may have {MOST_UNPACKED_MB}")
    if shutil.which("tar") is None or shutil.which("xz") is None:
        return f"{size_mb:.0f} MB unpacked"
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "replitune.tar.xz"
        subprocess.run(
            ["tar", "-C", str(BUNDLE.parent), "-cJf", str(archive), "replitune"],
            env={**os.environ, "XZ_OPT": "-6 -T2"},
            check=True,
        )
        compressed_mb = archive.stat().st_size / 1e6
    if compressed_mb > MOST_COMPRESSED_MB:
        raise SystemExit(f"the bundle has {compressed_mb:.0f} MB compressed; it may have {MOST_COMPRESSED_MB}")
    return f"{size_mb:.0f} MB unpacked, {compressed_mb:.0f} MB compressed"


def main() -> int:
    """Prove one thing after the other."""
    with tempfile.TemporaryDirectory() as folder:
        proofs = (
            prove_version,
            prove_size,
            prove_parts,
            prove_demo,
            prove_reports,
            prove_office,
            prove_wire,
            prove_window,
        )
        for prove in proofs:
            sys.stdout.write(f"{prove.__name__.removeprefix('prove_')}: {prove(Path(folder))}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
