"""Journeys that begin with a pasted connection string: to a trust decision, and to trouble named."""

import pytest
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLineEdit, QPushButton, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Step
from app.ui.desk import Desk
from app.ui.widgets.trouble_list import TroubleList
from tests.e2e.odd_sites import in_groups_of_its_own
from tests.e2e.posed_lab import Pose, posed_lab
from tests.e2e.program import served_lab as served_databases
from tests.labs import lab_file
from tests.prove.killing import lab_server
from tests.ui.conftest import Shown
from tests.ui.journey import WAYS, Traveller
from tests.ui.person import find


def paste_and_connect(traveller: Traveller, target: str) -> None:
    """Paste on Start what SQL Server Management Studio copies."""
    port = target.rpartition(":")[2]
    text = f"Data Source=127.0.0.1,{port};User ID=replitune;Password=lab;Encrypt=True;TrustServerCertificate=False"
    traveller.fill("start.paste_edit", text)
    traveller.press_button("start.paste_button")
    assert not find(traveller.window, QLineEdit, "start.paste_edit").text()


def texts_of(widget: QWidget) -> str:
    """Return every text in sight."""
    labels = [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]
    labels += [edit.toPlainText() for edit in widget.findChildren(QTextEdit) if edit.isVisible()]
    return "\n".join(labels)


def test_a_pasted_address_that_cannot_be_used_is_refused_in_a_sentence(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """The text stays, to be corrected; the sentence repeats nothing of it."""
    traveller = WAYS["mouse"].begin(desk, shown, qtbot)
    traveller.press_button("start.new_button")
    traveller.arrive(Step.TARGET)
    traveller.fill("target.paste_edit", "sqlcmd -U anna -P Hunter2Quagga")
    traveller.press_button("target.paste_button")
    told = texts_of(traveller.window)
    assert "This sqlcmd command names no server (-S)." in told
    assert "Hunter2Quagga" not in told


@pytest.mark.parametrize("way", ["mouse", pytest.param("keyboard", marks=pytest.mark.prove)])
def test_a_certificate_is_decided_on_by_its_fingerprint(desk: Desk, shown: Shown, qtbot: QtBot, way: str) -> None:
    """Its name, issuer, end and fingerprint stand on a sheet, in no word of a library or of the command line.

    Two presses lead to the site; the seven from there to a finding are those of the journey to the report.
    """
    with served_databases() as target:
        traveller = WAYS[way].begin(desk, shown, qtbot)
        paste_and_connect(traveller, target)
        card = find(traveller.window, QFrame, "topology.certificate_card")
        traveller.wait(card.isVisible)
        decided_by = QApplication.focusWidget()
        assert decided_by is not None
        assert decided_by.objectName() == "topology.trust_button"
        told = texts_of(traveller.window)
        assert "127.0.0.1" in told
        assert "Fingerprint (SHA-256)" in told
        assert any(len(line) == 95 and line.count(":") == 31 for line in told.splitlines())
        assert not [word for word in ("trust=yes", "SSL", "error:", "certificate verify") if word in told]
        traveller.press_button("topology.trust_button")
        traveller.arrive(Step.TOPOLOGY)
        traveller.wait(lambda: traveller.frame.wizard.choices.discovery is not None)
        assert traveller.presses == 2
        assert desk.program.parts.saved_targets.list() == ()
        assert "trust=yes" in traveller.frame.wizard.choices.target


@pytest.mark.prove
def test_trouble_is_named_as_soon_as_the_site_is_read(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Pasted, connected, trusted: the worst of the site is the first sentence on it, with no further reading."""
    with lab_server(lab_file("incident")) as target:
        traveller = WAYS["mouse"].begin(desk, shown, qtbot)
        paste_and_connect(traveller, target)
        traveller.press_button("topology.trust_button")
        traveller.wait(lambda: bool(traveller.window.findChildren(TroubleList)))
        troubles = find(traveller.window, TroubleList, "site.troubles")
        traveller.wait(lambda: "commands" in texts_of(troubles))


@pytest.mark.parametrize("way", ["mouse", pytest.param("keyboard", marks=pytest.mark.prove)])
def test_of_several_databases_one_is_clicked(desk: Desk, shown: Shown, qtbot: QtBot, way: str) -> None:
    """A Distributor that serves several has each offered by its name; one click connects to it."""
    with served_databases("--scenario", lab_file("on-site")) as target:
        traveller = WAYS[way].begin(desk, shown, qtbot)
        paste_and_connect(traveller, target)
        traveller.press_button("topology.trust_button")
        card = find(traveller.window, QFrame, "topology.choice_card")
        traveller.wait(card.isVisible)
        assert "DIST1 has several distribution databases." in texts_of(traveller.window)
        assert [b.text() for b in card.findChildren(QPushButton)] == ["Distribution Archiv", "distr_eu", "distribution"]
        traveller.press_button("topology.choice_3_button")
        traveller.wait(lambda: traveller.frame.wizard.choices.discovery is not None)
        assert not card.isVisible()
        assert "database=distribution" in traveller.frame.wizard.choices.target
        assert traveller.presses == 3


def test_of_several_databases_one_is_clicked_beside_what_is_read_without(
    desk: Desk, shown: Shown, qtbot: QtBot
) -> None:
    """A Distributor in groups of its own shows these at once, with the same names to click; then everything."""
    with posed_lab(Pose(scenario=lab_file("on-site"), adjust=in_groups_of_its_own)) as lab:
        traveller = WAYS["mouse"].begin(desk, shown, qtbot)
        paste_and_connect(traveller, lab.key())
        traveller.press_button("topology.trust_button")
        traveller.wait(lambda: traveller.frame.wizard.choices.discovery is not None)
        card = find(traveller.window, QFrame, "site.choice_card")
        assert card.isVisible()
        assert [b.text() for b in card.findChildren(QPushButton)] == ["Distribution Archiv", "distr_eu", "distribution"]
        told = texts_of(traveller.window)
        assert "Not everything could be read. DIST1 has several distribution databases." in told
        assert "database=NAME" not in told
        assert find(traveller.window, QPushButton, "site.experiments_button").isVisible(), "groups can be worked with"
        traveller.press_button("site.choice_3_button")
        traveller.wait(lambda: len(_systems_found(traveller)) == 2)
        assert not card.isVisible()
        assert "database=distribution" in traveller.frame.wizard.choices.target


def _systems_found(traveller: Traveller) -> list[str]:
    discovery = traveller.frame.wizard.choices.discovery
    return [] if discovery is None else [system.system_id for system, _found in discovery.by_system]
