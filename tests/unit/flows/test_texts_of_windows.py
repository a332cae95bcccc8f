"""Figures and comparisons of runs in windows speak of windows, in both languages: axes, labels, notes and cells."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.unit.flows.texts_of_windows import texts

_TRIALS = re.compile(r"\btrials?\b|[Vv]ersuch", re.IGNORECASE)
_ROOT = Path(__file__).resolve().parents[3]


def told_in(language: str, folder: Path) -> dict[str, list[str]]:
    """Return the texts by figure; the language is chosen once for a process, so that German needs one of its own."""
    if language == "en":
        return texts(folder)
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.flows.texts_of_windows", str(folder)],
        check=True,
        capture_output=True,
        env={**os.environ, "REPLITUNE_LANGUAGE": language},
        cwd=_ROOT,
        timeout=PATIENCE_S,
    )
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            {
                "distribution_agent/SubscriptionStreams/by-setting": "each window",
                "distribution_agent/SubscriptionStreams/in-order": "Window",
                "distribution_agent/SubscriptionStreams/trials": "Throughput of every window",
                "run/effect": "After pair",
                "runs/by-setting": "E1: mean, lowest and highest window",
                "compare": "3 + 3 confirming windows",
            },
        ),
        (
            "de",
            {
                "distribution_agent/SubscriptionStreams/by-setting": "jedes Fenster",
                "distribution_agent/SubscriptionStreams/in-order": "Fenster",
                "distribution_agent/SubscriptionStreams/trials": "Durchsatz jedes Fensters",
                "run/effect": "Nach Paar",
                "runs/by-setting": "E1: Mittelwert, niedrigstes und höchstes Fenster",
                "compare": "3 + 3 Bestätigungsfenstern",
            },
        ),
    ],
)
def test_a_run_in_windows_is_told_of_windows(language: str, expected: dict[str, str], tmp_path: Path) -> None:
    """No axis, label or cell speaks of trials; those that name them name windows."""
    told = told_in(language, tmp_path)
    assert [(name, text) for name, shown in told.items() for text in shown if _TRIALS.search(text)] == []
    assert [text for name, text in expected.items() if text not in told[name]] == []
