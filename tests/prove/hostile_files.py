"""Files nobody should be given, and the places where a command reads one: every file is tried at every place."""

import os
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.store import create_session_file
from tests.report.sample import full_session

MANY: Final = 30_000_000
DEEP: Final = 50_000
Make = Callable[[Path], object]


def _writes(content: bytes) -> Make:
    return lambda path: path.write_bytes(content)


def _links(target: str) -> Make:
    return lambda path: path.symlink_to(target)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3_000_000_000)


def _archive(path: Path) -> None:
    """Write an archive of 2 GB that packs to 2 MB."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("manifest.json", "w") as part:
        for _index in range(200):
            part.write(bytes(1_000_000))


def _picture(path: Path) -> None:
    """Write a PNG of 30,000 × 30,000 points, all black."""
    packer = zlib.compressobj(1)
    rows = b"".join(packer.compress(bytes(3_751)) for _row in range(30_000)) + packer.flush()
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)


_ENTITIES: Final = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
_ALIASES: Final = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 9}]\n" for n in range(1, 12))
_WRITES_ANY: Final = "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;"


def _session(change: Callable[[sqlite3.Connection], object]) -> Make:
    """Return what makes a session file of its own and changes it past all that the program checks when it writes."""

    def make(path: Path) -> None:
        made = path.with_name(f"{path.name}.replitune")
        with create_session_file(made) as store:
            store.add_session(full_session())
        connection = sqlite3.connect(made, isolation_level=None)
        connection.executescript(_WRITES_ANY)
        change(connection)
        connection.close()
        made.rename(path)

    return make


def _all_numbers(kind: str, value: str) -> Callable[[sqlite3.Connection], None]:
    """Return what sets every number of a kind that is no key to a value."""

    def change(connection: sqlite3.Connection) -> None:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for _at, column, declared, *_rest in connection.execute(f"PRAGMA table_info({table})").fetchall():
                if declared == kind and not column.endswith(("_key", "_id")):
                    with suppress(sqlite3.IntegrityError):  # the numbers of one run or trial differ from each other
                        connection.execute(f"UPDATE {table} SET {column} = {value}")

    return change


_ROWS: Final = "family,run,block,metric,value,unit,SubscriptionStreams\n"

_DEVICES: Final[Mapping[str, Make]] = (
    {}
    if os.name == "nt"
    else {
        "endless zeros": _links("/dev/zero"),
        "endless noise": _links("/dev/urandom"),
        "memory of the reader": _links("/proc/self/mem"),
        "a pipe nobody writes to": os.mkfifo,
    }
)

FILES: Final[Mapping[str, Make]] = {
    **_DEVICES,
    "a link to itself": lambda path: path.symlink_to(path),
    "a folder": Path.mkdir,
    "nothing": _writes(b""),
    "3 GB of zeros": _sparse,
    "30 MB of spaces": _writes(b" " * MANY),
    "30 MB in one line": _writes(b"a" * MANY),
    "30 MB of lines": _writes(b"a: 1\n" * (MANY // 5)),
    "30 MB of pairs": _writes(b"a: 1, b: 2\n" * (MANY // 11)),
    "30 MB of rows": _writes(b"SubscriptionStreams,s\n" + b"1,2\n" * (MANY // 4)),
    "30 MB of columns of blanks": _writes(b"a  1\n" * (MANY // 5)),
    "every byte": _writes(bytes(range(256)) * 64),
    "UTF-16": _writes("family = 1\n".encode("utf-16")),
    "deep lists": _writes(b"[" * DEEP + b"]" * DEEP),
    "deep objects": _writes(b'{"measurements":' * DEEP + b"1" + b"}" * DEEP),
    "deep tables": _writes(b"family = " + b"[" * DEEP + b"]" * DEEP),
    "a key of many parts": _writes(b"family" + b".a" * DEEP + b" = 1\n"),
    "deep indentation": _writes("".join(" " * n + "rules:\n" for n in range(3_000)).encode()),
    "deep elements": _writes(
        b'<svg xmlns="http://www.w3.org/2000/svg">' + b"<g>" * 100_000 + b"</g>" * 100_000 + b"</svg>"
    ),
    "entities of entities": _writes(
        f'<!DOCTYPE svg [<!ENTITY e0 "xxxxxxxxxx">{_ENTITIES}]><svg xmlns="http://www.w3.org/2000/svg">'
        "<text>&e11;</text></svg>".encode()
    ),
    "aliases of aliases": _writes(_ALIASES.encode()),
    "numbers too large": _writes(b'{"measurements": [{"run": ' + b"9" * 100_000 + b', "value": 1e400}]}'),
    "a whole number of 20,000 digits": _writes(b'family = "log_reader"\nfactors = 0x' + b"f" * 20_000 + b"\n"),
    "a row at both ends of what a number can be": _writes(
        f"{_ROWS}distribution_agent,-1,1,run_time,1e308,s,1\ndistribution_agent,{10**23},1,run_time,1e-320,s,8\n".encode()
    ),
    "an archive that unfolds": _archive,
    "a title of 300 MB": _session(lambda c: c.execute("UPDATE session SET title = printf('%.*c', 300000000, 'x')")),
    "a session with a column that is worked out": _session(
        lambda c: c.execute("ALTER TABLE session ADD COLUMN more TEXT AS (printf('%.*c', 15000000, 'x'))")
    ),
    "numbers of a session at -1": _session(_all_numbers("INTEGER", "-1")),
    "numbers of a session at their end": _session(_all_numbers("INTEGER", str(2**63 - 1))),
    "decimals of a session at 1e308": _session(_all_numbers("REAL", "1e308")),
    "decimals of a session at 1e-320": _session(_all_numbers("REAL", "1e-320")),
    "a database in name only": _writes(b"SQLite format 3\x00" + b"\x10\x00\x02\x02\x00\x40\x20\x20" + b"\xff" * 8_168),
    "a picture of 900 million points": _picture,
    "a text that doubles": _writes(b'#let s = "aaaaaaaaaaaaaaaa"\n#for n in range(40) { s = s + s }\n#s.len()\n'),
    "a call without an end": _writes(b"#let f(n) = f(n + 1) + f(n + 2)\n#f(0)\n"),
    "a package from elsewhere": _writes(b'#import "@preview/cetz:0.3.0"\n'),
    "a style that fetches": _writes(
        b"@im\\70ort 'https://example.org/x.css'; body { background: url(//example.org/x) }"
    ),
}


@dataclass(frozen=True)
class Place:
    """Where a command reads a file.

    Attributes:
        name: of the file below the case's own folder.
        arguments: of the program; "{file}" is the file, "{up}" the folder it lies in, "{good}" a session file,
            "{out}" a folder for results.
    """

    name: str
    arguments: tuple[str, ...]


def _place(name: str, arguments: str) -> Place:
    return Place(name, tuple(arguments.split()))


PLACES: Final[Mapping[str, Place]] = {
    "measurements": _place("in.csv", "advise {file} --json"),
    "measurements as JSON": _place("in.json", "advise {file} --out {out}/advice"),
    "a plan": _place("plan.toml", "run {file} --target lab --dry-run --out {out}/run"),
    "a scenario": _place("scenario.toml", "discover --target lab:{file}"),
    "a served scenario": _place("scenario.toml", "lab serve --scenario {file}"),
    "a session to report": _place("x.replitune", "report {file} --out {out}/x.pdf"),
    "a session to list": _place("x.replitune", "engagement list {file}"),
    "a session to write a note in": _place("x.replitune", "engagement note {file} text"),
    "a session to add": _place("x.replitune", "engagement add {good} {file}"),
    "a session to compare": _place("x.replitune", "compare {file} E1 E2"),
    "a session to pack": _place("x.replitune", "bundle export {file} --out {out}/x.zip"),
    "a bundle": _place("x.zip", "bundle import {file} --out {out}/unpacked"),
    "a rule pack": _place("rules/log_reader/pack.yaml", "rules check {up}/.."),
    "cases of a rule pack": _place("rules/log_reader/pack.yaml", "rules test {up}/.."),
    "a logo in PDF": _place("logo.svg", "report {good} --logo {file} --out {out}/x.pdf"),
    "a logo in HTML": _place("logo.png", "report {good} --logo {file} --out {out}/x.html"),
    "a template": _place("template/brand.typ", "report {good} --template {up} --out {out}/x.pdf"),
    "another file of a template": _place("template/other.bin", "report {good} --template {up} --out {out}/x.pdf"),
    "a style sheet": _place("template/brand.css", "report {good} --template {up} --out {out}/x.html"),
    "a journal": _place("undo.journal", "restore --journal {file}"),
    "saved targets": _place("home/replitune/targets.json", "target list"),
    "a journal to go on with": _place("undo.journal", "doctor --journal {file}"),
    "a run to resume": _place("run/session.replitune", "run --resume --target lab --out {up}"),
}

# Arguments that are silly without any file.
ARGUMENTS: Final = tuple(
    line.split()
    for line in """
    discover --target ../../x
    discover --target lab:../../x
    discover --target lab:/dev/zero
    discover --target lab:{long}
    discover --target {long}
    observe --target lab --hours 100000000000000000000000
    observe --target lab --watch -1
    target add ../../x lab
    target add {long} lab
    target add x ../../x
    target remove ../../x
    target test ../../x
    run {plan} --target lab --seed 100000000000000000000000 --dry-run
    run {plan} --target lab --seed -1 --dry-run
    run {plan} --target ../../x --dry-run
    run --resume --target lab --session ../../x --out {out}
    run --resume --target lab --session 100000000000000000000000 --out {out}
    run /dev/zero --target lab
    run /dev/full --target lab
    run {plan} --target lab --out /dev/zero
    run {plan} --target lab --out /dev/full/x
    run {plan} --target lab --journal /dev/zero --out {out}/run
    advise {rows} --noise-cv 1e308 --json
    advise {rows} --noise-cv 1e-320 --json
    advise {rows} --noise-cv -1 --json
    advise {rows} --noise-cv nan --json
    advise {rows} --out /dev/null
    compare {good} -1 E1
    compare {good} E-1 E100000000000000000000000
    compare {good} E1 100000000000000000000000
    compare {good} ../../x E1
    compare {good} {long} E1
    compare {good} ../../x --published
    engagement note {good} --remove -1
    engagement note {good} --remove 100000000000000000000000
    engagement note {good} --run -1 text
    engagement note {good} --run E100000000000000000000000 text
    engagement note {good} --session ../../x text
    engagement note {good} {long}
    engagement tag {good} ../../x
    engagement tag {good} {long}
    engagement search {good} ../../x
    engagement search {good} {long}
    engagement add {good} {good}
    report {good} --session 100000000000000000000000 --out {out}/x.pdf
    report {good} --session ../../x --out {out}/x.pdf
    report {good} --client {long} --consultant {long} --out {out}/x.pdf
    report {good} --out /dev/zero
    report {good} --out /dev/full
    report {good} --out {out}/{long}.pdf
    report {good} --template /dev --out {out}/x.pdf
    report {good} --template /proc/self/fd --out {out}/x.pdf
    report {good} --template /dev/zero --out {out}/x.html
    report {good} --logo ../../x --out {out}/x.html
    bundle export {good} --out {out}/x.zip --hide {long}
    bundle export {good} --out /dev/full
    bundle import {good} --out {out}/x
    bundle import /dev/zero --out {out}/x
    restore --script /dev/full
    restore --journal ../../x
    rules check ../../x
    rules check /dev
    rules test /proc/self/fd
    lab serve --port -1
    lab serve --port 100000000000000000000000
    lab serve --speed 1e308 --port -1
    lab serve --speed 1e-320 --port -1
    lab serve --scenario ../../x
    demo --family ../../x
    demo --seed 100000000000000000000000 --family ../../x
    demo --out /dev/zero --family log_reader
    doctor --target ../../x
    doctor --journal /dev/zero
    """.strip().splitlines()
)
