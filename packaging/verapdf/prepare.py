"""Prints where veraPDF's validator stands: in .verapdf/ of the checkout, fetched from Maven Central where it is not."""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / ".verapdf"
PATTERN = "greenfield-apps-*.jar"


def main() -> int:
    """Fetch it where it is missing, and print its path."""
    if not any(FOLDER.glob(PATTERN)):
        maven = shutil.which("mvn")  # on Windows mvn.cmd, which is started by its whole name only
        if maven is None or shutil.which("java") is None:
            sys.stderr.write("veraPDF's validator needs java and mvn: install a Java runtime and Maven\n")
            return 1
        fetch = ("dependency:copy-dependencies", f"-DoutputDirectory={FOLDER}")
        subprocess.run([maven, "--batch-mode", "--quiet", "--file", str(HERE / "pom.xml"), *fetch], check=True)
    sys.stdout.write(f"{next(FOLDER.glob(PATTERN))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
