"""Prints where veraPDF's validator stands: in .verapdf/ of the checkout, fetched from Maven Central where it is not."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
JAR = HERE.parents[1] / ".verapdf" / "greenfield-apps-1.28.2.jar"
SHA256 = "687d4d8bcfec48c9f7e931cf78ed061f1eeccfba55d4cdc000ba9b4d8aa46ce6"
ATTEMPTS = 3


def main() -> int:
    """Fetch it where it is missing, and print its path."""
    if not JAR.exists():
        maven = shutil.which("mvn")  # on Windows mvn.cmd, which is started by its whole name only
        if maven is None or shutil.which("java") is None:
            sys.stderr.write("veraPDF's validator needs java and mvn: install a Java runtime and Maven\n")
            return 1
        JAR.parent.mkdir(exist_ok=True)
        if not any(fetch(maven, attempt) for attempt in range(ATTEMPTS)):
            sys.stderr.write(f"what Maven fetches is not {JAR.name} with the SHA-256 {SHA256}\n")
            return 1
    sys.stdout.write(f"{JAR}\n")
    return 0


def fetch(maven: str, attempt: int) -> bool:
    """Fetch the jar and return whether it is what it should be; only then it stands in its place, and whole.

    Args:
        maven: the program's path.
        attempt: from the second on Maven's own store is passed by, which may hold what came damaged before.
    """
    with tempfile.TemporaryDirectory(dir=JAR.parent) as folder:
        command = [maven, "--batch-mode", "--quiet", "--strict-checksums", "--file", str(HERE / "pom.xml"),
                   "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]  # fmt: skip
        if attempt > 0:
            command.append(f"-Dmaven.repo.local={folder}/store")
        subprocess.run(command, check=False, stdout=sys.stderr)
        fetched = Path(folder) / JAR.name
        if not fetched.exists() or hashlib.sha256(fetched.read_bytes()).hexdigest() != SHA256:
            return False
        os.replace(fetched, JAR)
        return True


if __name__ == "__main__":
    sys.exit(main())
