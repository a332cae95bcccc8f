"""Values nobody should give, and each place of the command line that takes one: all values are tried at all places."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

VALUES: Final = {
    "minus one": "-1",
    "23 zeros": "1" + "0" * 23,
    "the smallest fraction": "1e-320",
    "no number": "nan",
    "two folders up": "../../x",
    "nothing": "",
    "a space": " ",
    "a command of terminals": "a\x1b[2Jb",
    "5,000 letters": "x" * 5_000,
    "a byte that is no UTF-8": "\udcff",
    "two lines": "a\nb",
    "placeholders": "%s{0}%(x)s$HOME",
    "a drive and a stream": "C:\\x:y",
    "another digit": "٣",
}

# {x} is the value, {good} a session file, {plan} a plan, {none} a file that does not exist.
PLACES: Final = (
    ("run", "{x}", "--target", "lab"),
    ("run", "{plan}", "--target", "{x}"),
    ("run", "{plan}", "--target", "lab", "--dry-run", "--seed", "{x}"),
    ("run", "--resume", "--out", ".", "--session", "{x}"),
    ("demo", "--family", "{x}"),
    ("demo", "--family", "nix", "--seed", "{x}"),
    ("advise", "{x}"),
    ("advise", "{none}", "--noise-cv", "{x}"),
    ("discover", "--target", "{x}"),
    ("doctor", "--target", "{x}"),
    ("observe", "--target", "{x}"),
    ("observe", "--target", "lab", "--hours", "{x}"),
    ("target", "add", "{x}", "lab:nix"),
    ("target", "add", "name", "{x}"),
    ("target", "test", "{x}"),
    ("target", "remove", "{x}"),
    ("report", "{x}"),
    ("report", "{good}", "--session", "{x}", "--out", "r.md"),
    ("compare", "{good}", "{x}", "E1"),
    ("compare", "{good}", "E1", "{x}"),
    ("engagement", "list", "{x}"),
    ("engagement", "note", "{good}", "text", "--session", "{x}"),
    ("engagement", "note", "{good}", "text", "--run", "{x}"),
    ("engagement", "note", "{good}", "--remove", "{x}"),
    ("engagement", "search", "{good}", "{x}"),
    ("bundle", "export", "{x}", "--out", "b.zip"),
    ("bundle", "import", "{x}", "--out", "new"),
    ("restore", "--journal", "{x}"),
    ("undo", "{x}"),
    ("verify", "{x}", "--target", "lab"),
    ("verify", "{good}", "--target", "{x}"),
    ("verify", "{good}", "--target", "lab", "--since", "{x}"),
    ("undo", "0", "--journal", "{x}"),
    ("rules", "check", "{x}"),
    ("lab", "serve", "--port", "{x}", "--scenario", "nix"),
    ("lab", "serve", "--scenario", "{x}", "--port", "70000"),
    ("--language", "{x}", "rules", "check"),
)


@dataclass(frozen=True)
class Silly:
    """One value at one place."""

    place: tuple[str, ...]
    value: str

    def __str__(self) -> str:
        return f"{' '.join(self.place)} with {self.value}"

    def arguments(self, good: Path, plan: Path) -> list[str]:
        """Return what the program is given."""
        given = {"{x}": VALUES[self.value], "{good}": str(good), "{plan}": str(plan), "{none}": str(good) + "-none"}
        return [given.get(part, part) for part in self.place]


ALL: Final = tuple(Silly(place, value) for place in PLACES for value in VALUES)
