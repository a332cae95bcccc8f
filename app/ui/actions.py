"""The menu bar: every action of the window with its mnemonic and shortcut."""

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from app.flows.run.resume_view import why_not_go_on
from app.flows.shell.shell_view import can_show_runs, footer, step_lines
from app.flows.shell.wizard import STEPS, Step, Wizard, step_text
from app.foundation.texts import _
from app.ui.widgets.rich_text import plain_tip


class WindowActions:
    """The actions, for the window to connect and enable.

    Attributes:
        steps: go to a step of the wizard.
    """

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        session = self._menu(_("Sess&ion"), "menu.session")
        self.new_session = self._add(session, "new_session", _("&New session"), "Ctrl+N")
        self.open_session = self._add(session, "open_session", _("&Open session file…"), "Ctrl+O")
        self.new_client = self._add(session, "new_client", _("New &client file…"), "Ctrl+Shift+N")
        self.import_file = self._add(session, "import_file", _("&Import measurements…"), "Ctrl+I")
        self.resume = self._add(session, "resume", _("R&esume run…"), "Ctrl+G")
        session.addSeparator()
        self.open_bundle = self._add(session, "open_bundle", _("Open &bundle…"))
        self.export_bundle = self._add(session, "export_bundle", _("&Export bundle…"))
        session.addSeparator()
        self.settings = self._add(session, "settings", _("Se&ttings…"), "Ctrl+,")
        session.addSeparator()
        self.quit = self._add(session, "quit", _("&Quit"), "Ctrl+Q")
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        go = self._menu(_("&Go"), "menu.go")
        self.start_page = self._add(go, "start_page", _("&Start page"), "Alt+Home")
        self.runs = self._add(go, "runs", _("All &runs of the session file"), "Ctrl+R")
        self.client = self._add(go, "client", _("Client &file of the session"), "Ctrl+Shift+E")
        self.compare = self._add(go, "compare", _("&Compare…"), "Ctrl+Shift+K")
        self.statements = self._add(go, "statements", _("State&ments sent…"), "Ctrl+L")
        self.palette = self._add(go, "palette", _("Go &to a name…"), "Ctrl+K")
        go.addSeparator()
        self.back = self._add(go, "back", _("&Back"), "Alt+Left")
        self.next = self._add(go, "next", _("Ne&xt"), "Alt+Right", "Ctrl+Return")
        go.addSeparator()
        self.steps: dict[Step, QAction] = {
            step: self._add(go, f"step_{step}", f"&{number}  {step_text(step).title}", f"Ctrl+{number}")
            for number, step in enumerate(STEPS, 1)
        }
        about = self._menu(_("&Help"), "menu.help")
        self.help = self._add(about, "help", _("&Help on this page"), "F1")
        self.keys = self._add(about, "keys", _("&Keys…"), "Shift+F1")
        self.doctor = self._add(about, "doctor", _("&Doctor…"))
        self.about = self._add(about, "about", _("&About Replitune"))
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def _menu(self, title: str, name: str) -> QMenu:
        menu = self._window.menuBar().addMenu(title)
        menu.setObjectName(name)
        menu.setToolTipsVisible(True)
        return menu

    def _add(self, menu: QMenu, name: str, text: str, *shortcuts: str) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(f"action.{name}")
        action.setShortcuts([QKeySequence(shortcut) for shortcut in shortcuts])
        menu.addAction(action)
        return action

    def refresh(self, wizard: Wizard, *, running: bool, has_session: bool, in_wizard: bool) -> None:
        """Enable the actions possible now; a disabled one says why.

        Args:
            has_session: whether the wizard shows a session.
            in_wizard: whether the wizard is what the window shows.
        """
        busy = _("A run is in progress; stop it first.") if running else ""
        for action in (self.new_session, self.open_session, self.new_client, self.import_file, self.open_bundle):
            _allow(action, not running, busy)
        shown = footer(wizard, running=running)
        lacking = why_not_go_on(wizard, running=running)
        _allow(self.resume, not lacking, lacking)
        _allow(self.back, has_session and (not in_wizard or shown.can_go_back), "")
        _allow(self.next, in_wizard and shown.can_go_on, shown.sentence)
        _allow(self.runs, can_show_runs(wizard, running=running), _("This session has no run yet."))
        _allow(self.statements, can_show_runs(wizard, running=running), _("This session has no run yet."))
        has_file = wizard.choices.engagement is not None or can_show_runs(wizard, running=running)
        for action in (self.client, self.compare, self.export_bundle):
            _allow(action, has_file, _("This session has no run yet."))
        for line in step_lines(wizard, running=running):
            _allow(self.steps[line.step], has_session and not line.reason, line.reason or _("There is no session yet."))


def _allow(action: QAction, allowed: bool, reason: str) -> None:
    action.setEnabled(allowed)
    action.setToolTip(plain_tip("" if allowed else reason))
