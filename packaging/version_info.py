"""Writes build/version_info.txt, the version resource of the Windows program, from the one place the version stands."""

from pathlib import Path

from app.foundation.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = tuple(int(part) for part in (*VERSION.split("."), "0", "0")[:4])

TEXT = f"""VSVersionInfo(
  ffi=FixedFileInfo(filevers={NUMBERS}, prodvers={NUMBERS}, mask=0x3f, flags=0x0, OS=0x40004, fileType=0x1),
  kids=[
    StringFileInfo([StringTable('040904B0', [
      StringStruct('FileDescription', 'Replitune, replication tuning advisor'),
      StringStruct('FileVersion', '{VERSION}'),
      StringStruct('ProductName', 'Replitune'),
      StringStruct('ProductVersion', '{VERSION}'),
      StringStruct('OriginalFilename', 'replitune.exe')])]),
    VarFileInfo([VarStruct('Translation', [1033, 1200])])
  ]
)
"""

if __name__ == "__main__":
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "version_info.txt").write_text(TEXT, encoding="utf-8")
