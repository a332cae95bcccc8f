"""The installer for Windows: what it deletes, waits for, puts on the path and asks of the system."""

import re
from configparser import ConfigParser

from app.foundation.installer_mark import MUTEX, installer_waits
from app.foundation.paths import program_root

TEXT = (program_root() / "packaging" / "windows.iss").read_text(encoding="utf-8")


def _section(name: str) -> str:
    match = re.search(rf"(?ms)^\[{name}\]\n(.*?)(?=^\[|\Z)", TEXT)
    assert match is not None, name
    return match[1]


def _setup() -> dict[str, str]:
    lines = [line for line in _section("Setup").splitlines() if line and line[0] not in "#;"]
    parser = ConfigParser(interpolation=None)
    parser.read_string("[Setup]\n" + "\n".join(lines))
    return dict(parser["Setup"])


class Kernel:
    """Windows' kernel32, as far as mutexes go."""

    def __init__(self) -> None:
        self.held: dict[int, str] = {}

    def CreateMutexW(self, _security: None, is_owner: bool, name: str) -> int:
        """Make a named mutex."""
        assert not is_owner  # a thread that owns one must let it go itself
        self.held[7] = name
        return 7

    def CloseHandle(self, handle: int) -> int:
        """Let it go."""
        del self.held[handle]
        return 1


def test_setup_waits_while_servers_are_changed() -> None:
    """It asks for the mutex that is held meanwhile, and only then."""
    kernel = Kernel()
    with installer_waits(kernel):
        assert kernel.held == {7: _setup()["appmutex"]} == {7: MUTEX}
    assert kernel.held == {}


def test_what_a_version_no_longer_has_is_deleted() -> None:
    """The bundle's own folder goes before the new one is copied; rule packs of before would be loaded."""
    assert 'Name: "{app}\\_internal"' in _section("InstallDelete")


def test_it_is_for_one_user_on_a_system_that_runs_it() -> None:
    """No administrator, Windows 10 1809 or later, publisher and version, and the command on the path of that user."""
    setup = _setup()
    assert setup["privilegesrequired"] == "lowest"
    assert setup["minversion"] == "10.0.17763"
    assert setup["apppublisher"] == "Replitune"
    assert setup["appversion"] == "{#Version}"
    assert setup["changesenvironment"] == "yes"
    assert 'ValueName: "Path"; ValueData: "{code:PathWithProgram}"; Check: IsMissingOnPath' in _section("Registry")


def test_setup_and_uninstaller_are_signed_where_a_certificate_is_given() -> None:
    """Inno Setup signs the uninstaller itself, which stands in no file before it runs."""
    assert re.search(r"(?m)^#ifdef Sign\nSignTool=replitune\nSignedUninstaller=yes\n#endif$", _section("Setup"))
