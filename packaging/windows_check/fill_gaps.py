"""Prepares Python for Windows so that it runs under Wine: what is missing in the archive and in Wine itself.

`fill_gaps.py unpack JAR FOLDER`, `requirements PACKAGING OUT`, `libraries SYSTEM` (after Wine has made its own).
"""

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

INSIDE_JAR: Final = "org/bytedeco/cpython/windows-x86_64/"
NOT_WANTED: Final = frozenset({"pip", "setuptools", "pkg_resources", "_distutils_hack", "test"})
"""In its library; setuptools comes with the wheels, in the version of the lists."""
WINDOWS: Final = {
    "sys_platform": "win32",
    "platform_system": "Windows",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "python_version": "3.11",
    "python_full_version": "3.11.3",
}
NOT_RUN: Final = frozenset({"mypy", "ruff", "scipy-stubs", "sqlfluff", "sqlglot", "import-linter", "grimp"})
"""What only `make check` runs, and the parsers of two dialects: nothing of it is tried on Windows here."""
LISTS: Final = ("requirements.txt", "requirements-test.txt", "requirements-package.txt")

# Qt asks for these of Windows' ICU. ucnv_open says with error 4 that it has no converter; the others are never reached.
ICU: Final = (
    "ucnv_open", "UCNV_TO_U_CALLBACK_SUBSTITUTE", "UCNV_FROM_U_CALLBACK_SUBSTITUTE", "ucnv_close", "ucnv_reset",
    "ucnv_getMaxCharSize", "ucnv_getName", "ucnv_getToUCallBack", "ucnv_getFromUCallBack", "ucnv_setToUCallBack",
    "ucnv_setFromUCallBack", "ucnv_fromUnicode", "ucnv_toUnicode", "ucnv_countAvailable", "ucnv_getAvailableName",
    "ucnv_cbToUWriteUChars", "ucnv_cbFromUWriteUChars", "ucnv_toUCountPending", "ucnv_fromUCountPending",
    "ucnv_getStandardName",
)  # fmt: skip

# Functions of complex numbers that numpy asks for and Wine only names: x86-64, in Microsoft's calling convention.
# A float complex comes in rcx, a double complex by its address in rcx; conjf flips the sign of the upper half.
COMPLEX: Final = {
    "crealf": "660f6ec1c3",
    "cimagf": "48c1e920660f6ec1c3",
    "creal": "f20f1001c3",
    "cimag": "f20f104108c3",
    "conjf": "48b800000000000000804831c8c3",
}
RETURN: Final = 0xC3


def unpack(jar: str, folder: str) -> None:
    """Unpack the archive as an installed Python is laid out."""
    target = Path(folder)
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            inside = name.removeprefix(INSIDE_JAR)
            if inside == name or name.endswith("/"):
                continue
            top, _, below = inside.partition("/")
            if top == "lib" and below.split("/")[0].split("-")[0] in NOT_WANTED:
                continue
            path = target / (f"Lib/{below}" if top == "lib" else inside)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))


def requirements(packaging: str, out: str) -> None:
    """Write the lists of packages as one that holds for Windows; pip would judge their markers for this system."""
    from pip._vendor.packaging.markers import Marker

    blocks: dict[str, str] = {}
    for name in LISTS:
        text = (Path(packaging) / name).read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
        for block in "\n".join(lines).replace("\\\n", "").splitlines():
            requirement, *hashes = block.split("--hash=")
            wanted, _, marker = requirement.partition(";")
            if wanted.partition("==")[0].strip() in NOT_RUN:
                continue
            if block.strip() and (not marker.strip() or Marker(marker.strip()).evaluate(WINDOWS)):
                blocks[wanted.strip()] = " ".join((wanted.strip(), *(f"--hash={part.strip()}" for part in hashes)))
    Path(out).write_text("\n".join(blocks.values()) + "\n", encoding="utf-8")


def libraries(system: str) -> None:
    """Put python3.dll and icuuc.dll beside Python, and what Wine lacks into its ucrtbase.dll."""
    root = Path(system)
    sys.path.insert(0, str(root / "python" / "Lib" / "site-packages"))
    import pefile

    exports = _exports(pefile.PE(str(root / "python" / "python311.dll")))
    _link(root, "python3", "".join(f" {name} = python311.{name}\n" for name in sorted(exports)), "")
    _link(root, "icuuc", "".join(f" {name}\n" for name in ICU), "".join(map(_nothing, ICU)))
    places = [root / "root/.wine/drive_c/windows/system32", *(root / "usr/lib").rglob("x86_64-windows")]
    for path in (place / "ucrtbase.dll" for place in places):
        if path.is_file():
            _fill_complex(path, pefile.PE)


def _nothing(name: str) -> str:
    says_no = "movl $4,(%rdx)\n" if name == "ucnv_open" else ""
    return f".globl {name}\n{name}:\n{says_no}xorl %eax,%eax\nret\n"


def _link(root: Path, name: str, exports: str, code: str) -> None:
    folder = root / "tmp" / "link"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.def").write_text(f"LIBRARY {name}.dll\nEXPORTS\n{exports}", encoding="ascii")
    (folder / f"{name}.s").write_text(f".text\n{code}", encoding="ascii")
    tool = "x86_64-w64-mingw32-"
    _inside(root, f"{tool}as", f"/tmp/link/{name}.s", "-o", f"/tmp/link/{name}.o")
    inputs = (f"/tmp/link/{name}.def", f"/tmp/link/{name}.o", "-o", f"/python/{name}.dll")
    _inside(root, f"{tool}ld", "--shared", "--entry=0", *inputs)


def _inside(root: Path, *command: str) -> None:
    subprocess.run(["chroot", str(root), *command], check=True)


def _exports(image: Any) -> dict[str, int]:
    return {one.name.decode(): one.address for one in image.DIRECTORY_ENTRY_EXPORT.symbols if one.name}


def _fill_complex(path: Path, read: Callable[[str], Any]) -> None:
    """Write the functions over the stubs that stand in their place."""
    image = read(str(path))
    content, exports = bytearray(path.read_bytes()), _exports(image)
    addresses = sorted(set(exports.values()))
    for name, code in ((name, bytes.fromhex(text)) for name, text in COMPLEX.items()):
        if name not in exports:
            continue
        address = exports[name]
        room = next((after for after in addresses if after > address), address + len(code)) - address
        at = image.get_offset_from_rva(address)
        if room < len(code):
            raise SystemExit(f"windows-check: {path} has no room for {name}")
        if content[at] != RETURN:
            content[at : at + len(code)] = code
    image.close()
    path.write_bytes(content)


if __name__ == "__main__":
    steps: dict[str, Callable[..., None]] = {"unpack": unpack, "requirements": requirements, "libraries": libraries}
    steps[sys.argv[1]](*sys.argv[2:])
