"""Another process holds the files of a run for a moment, again and again, as a virus scanner does."""

import json
from collections import Counter
from typing import Final

from journals import entries_in
from labs import PLAN
from under_wine import LIMIT_S, Failed, Windows

HOLDS: Final = 1_000
MOST_RUNS_HELD: Final = 20


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
            "packaging/windows_check/in_windows/hold_files.py",
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
