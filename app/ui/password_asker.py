"""Asking for a password in the window, on behalf of whatever thread needs it."""

import threading

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.domain.errors import BadInput
from app.flows.target.target_form import keep_password_text
from app.foundation.secret import Secret
from app.foundation.texts import _
from app.services.target.credentials import Credentials
from app.services.target.target_spec import parse_server
from app.ui.theme import GRID_PX
from app.ui.widgets.rich_text import PlainLabel


class _Question:
    """One password asked for, and the answer once there is one."""

    def __init__(self, login: str, *, can_keep: bool) -> None:
        self.login = login
        self.can_keep = can_keep
        self.password: Secret | None = None
        self.is_kept = False
        self.answered = threading.Event()


class PasswordAsker(QObject):
    """Lives on the main thread; `ask` is called on others and waits for the person.

    Signals:
        asked: a question; any thread may emit it.
    """

    asked = Signal(object)

    def __init__(self, credentials: Credentials, window: QWidget) -> None:
        super().__init__(window)
        self._credentials = credentials
        self._window = window
        self._open: list[_Question] = []
        self._is_closed = False
        self.asked.connect(self._on_asked, Qt.ConnectionType.QueuedConnection)
        credentials.ask_with(self.ask)

    def ask(self, login: str) -> Secret | None:
        """Return the password of a login, None where nobody can be asked; never on the main thread.

        Raises:
            BadInput: the person gave up.
        """
        if self._is_closed or QThread.currentThread() is self.thread():
            return None
        question = _Question(login, can_keep=self._credentials.can_keep())
        self.asked.emit(question)
        question.answered.wait()
        if question.password is None:
            raise BadInput(_("no password was given for {login}: nothing was connected").format(login=login))
        if question.is_kept:
            self._credentials.remember(parse_server(login), question.password, is_kept=True)
        return question.password

    @Slot(object)
    def _on_asked(self, question: _Question) -> None:
        if self._is_closed:
            question.answered.set()
            return
        self._open.append(question)
        dialog = PasswordDialog(question.login, self._window, can_keep=question.can_keep)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def answer(result: int) -> None:
            if result == QDialog.DialogCode.Accepted:
                question.password, question.is_kept = dialog.password, dialog.is_kept
            self._open.remove(question)
            question.answered.set()

        dialog.finished.connect(answer)
        dialog.open()
        dialog.activateWindow()

    def close(self) -> None:
        """Ask nobody any more; who waits gets no password."""
        self._is_closed = True
        self._credentials.ask_with(_ask_nobody)
        for question in self._open:
            question.answered.set()


def _ask_nobody(_login: str) -> Secret | None:
    return None


class PasswordDialog(QDialog):
    """Asks for one password."""

    def __init__(self, login: str, parent: QWidget, *, can_keep: bool) -> None:
        super().__init__(parent)
        self.setObjectName("password")
        self.setWindowTitle(_("Password"))
        label = PlainLabel(_("&Password of {login}").format(login=login))
        label.setWordWrap(True)
        self._edit = QLineEdit()
        self._edit.setObjectName("password.edit")
        self._edit.setAccessibleName(_("Password of {login}").format(login=login))
        self._edit.setEchoMode(QLineEdit.EchoMode.Password)
        label.setBuddy(self._edit)
        self._show = QCheckBox(_("S&how it"))
        self._show.setObjectName("password.show_check")
        self._show.setAccessibleName(_("Show the password"))
        self._keep = QCheckBox(keep_password_text(can_keep=can_keep))
        self._keep.setObjectName("password.keep_check")
        self._keep.setAccessibleName(keep_password_text(can_keep=can_keep).replace("&", ""))
        self._keep.setEnabled(can_keep)
        self._use = QPushButton(_("&Connect"))
        self._use.setObjectName("password.connect_button")
        self._use.setAccessibleName(_("Connect with this password"))
        self._use.setDefault(True)
        self._use.setEnabled(False)
        give_up = QPushButton(_("C&ancel"))
        give_up.setObjectName("password.cancel_button")
        give_up.setAccessibleName(_("Do not connect"))
        give_up.setAutoDefault(False)  # else Return would give up: Connect cannot be the default while it is disabled
        buttons = QDialogButtonBox(self)
        buttons.addButton(self._use, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(give_up, QDialogButtonBox.ButtonRole.RejectRole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(GRID_PX)
        for widget in (label, self._edit, self._show, self._keep, buttons):
            layout.addWidget(widget)
        self.setMinimumWidth(50 * GRID_PX)
        self._edit.setFocus(Qt.FocusReason.PopupFocusReason)
        self._edit.textChanged.connect(self._on_text_changed)
        self._show.toggled.connect(self._on_show_toggled)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)

    @property
    def password(self) -> Secret:
        """Return the entered password."""
        return Secret(self._edit.text())

    @property
    def is_kept(self) -> bool:
        """Whether it is to be kept in the keyring."""
        return self._keep.isChecked()

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self._use.setEnabled(bool(text))

    @Slot(bool)
    def _on_show_toggled(self, is_shown: bool) -> None:
        self._edit.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
