"""Targets kept under a name, and their passwords, as the page of the target uses them."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.domain.errors import ReplituneError
from app.flows.target.target_form import TargetForm, form_password, form_server, form_target
from app.foundation.texts import _
from app.services.preferences import forget_target, remember_target
from app.services.target.saved_targets import SavedTarget
from app.services.target.target_spec import is_lab, with_option
from app.ui.desk import Desk


class TargetKeeper(QObject):
    """Adds, removes and lists; a keyring may take its time, so it is told in the background.

    Signals:
        keyring_known: whether this computer has a keyring.
        failed: one sentence on what could not be kept or read.
    """

    keyring_known = Signal(bool)
    failed = Signal(str)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._targets = desk.program.parts.saved_targets
        self._credentials = desk.program.parts.credentials

    def list(self) -> tuple[tuple[str, str], ...]:
        """Return names and targets, those read last first; none where their file cannot be used, which is told."""
        places = {target: place for place, target in enumerate(self.recent)}
        try:
            kept = sorted(self._targets.list(), key=lambda one: places.get(one.target, len(places)))
            return tuple((one.name, one.shown) for one in kept)
        except ReplituneError as error:
            self.failed.emit(str(error))
            return ()

    def remember_read(self, target: str) -> None:
        """Have a server stand first among its kind from now on, saved or not; of labs only a saved one."""
        if not is_lab(target) or any(target == kept for _name, kept in self.list()):
            self._desk.prefer(remember_target(self._desk.preferences, target))

    def forget(self, target: str) -> None:
        """Take a server nobody saved off those connected to before, and its password out of the keyring."""
        self._desk.prefer(forget_target(self._desk.preferences, target))
        self._forget_unused(target)

    @property
    def recent(self) -> tuple[str, ...]:
        """Targets that were read last, newest first."""
        return self._desk.preferences.recent_targets

    def add(self, name: str, target: str, instead_of: str = "") -> bool:
        """Keep a target, in place of the one of another name where that is given; tell whether it was kept."""
        try:
            self._targets.add(name, target, instead_of)
        except ReplituneError as error:
            self.failed.emit(str(error))
            return False
        return True

    def say(self, target: str, option: str, value: str) -> str:
        """Return the target with an option said; where it is saved, it is kept like that."""
        said = with_option(target, option, value)
        for name in [name for name, kept in self.list() if kept == target]:
            self.add(name, said, instead_of=name)
        return said

    def add_form(self, name: str, form: TargetForm, *, keeps_password: bool, instead_of: str = "") -> bool:
        """Keep the target of a form, and its password where the person wants that; tell whether it was kept."""
        before = dict(self.list()).get(instead_of, "")
        if not self.add(name, form_target(form), instead_of):
            return False
        self._forget_unused(before)
        self.use_password(form, is_kept=keeps_password)
        return True

    def remove(self, name: str, target: str) -> bool:
        """Take a target off the list, and its password out of the keyring where no other target uses it."""
        try:
            self._targets.remove(name)
        except ReplituneError as error:
            self.failed.emit(str(error))
            return False
        self._forget_unused(target)
        return True

    def _forget_unused(self, target: str) -> None:
        """Take the password of a target that is gone out of the keyring where no other target uses it."""
        server = SavedTarget("", target).url
        others = (SavedTarget(*other).url for other in self.list())
        if server is not None and server.login not in {other.login for other in others if other is not None}:
            forget = partial(self._credentials.forget, server)
            self._desk.tasks.query(self, forget, _nothing_more, self._desk.trouble.emit)

    def use_password(self, form: TargetForm, *, is_kept: bool) -> None:
        """Use the password entered from now on, as long as the program runs; in the keyring only where `is_kept`."""
        server, password = form_server(form), form_password(form)
        if server is None or password is None:
            return
        self._credentials.remember(server, password, is_kept=False)
        if is_kept:
            keep = partial(self._credentials.remember, server, password, is_kept=True)
            self._desk.tasks.query(self, keep, self._on_password_kept, self._desk.trouble.emit)

    def ask_keyring(self) -> None:
        """Find out whether this computer has a keyring."""
        self._desk.tasks.query(self, self._credentials.can_keep, self.keyring_known.emit, self._desk.trouble.emit)

    def _on_password_kept(self, is_kept: bool) -> None:
        if not is_kept:
            self.failed.emit(_("The keyring did not accept the password; you will be asked for it again next time."))


def _nothing_more(_answer: None) -> None:
    """A password that is gone from the keyring needs no word."""
