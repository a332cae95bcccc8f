"""The URL of an Oracle database, and the one made of a form's fields; pure.

`oracle://user@host:1521/service`, `oracle://user@host:1521?sid=ORCL`, `oracle://user@ALIAS?tns_admin=FOLDER`,
`oracle://proxy[schema]@host/service`. The database of a target is the source of the pipeline; option `destination`
names the other one: a whole URL of its own (percent-encoded), or the name of a saved target.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from app.domain.connection import LONGEST_LIMIT_S, ServerUrl
from app.domain.errors import BadInput
from app.drivers.oracle.settings import (
    DEFAULT_PORT,
    DEFAULT_TCPS_PORT,
    PLAIN,
    DriverChoice,
    HostPort,
    OracleSettings,
    SignIn,
)
from app.foundation.texts import _

ENGINE_ID: Final = "oracle"
DESTINATION_OPTION: Final = "destination"
# Every lab has this login, its password printed with its address: nothing but the simulation is behind it.
LAB_USER: Final = "replitune"
LAB_PASSWORD: Final = "lab"
_YES: Final = frozenset({"yes", "true", "1", "on"})
_NO: Final = frozenset({"no", "false", "0", "off", ""})
_LAST_PORT: Final = 65_535
# A user of these names has SYSDBA rights anyway.
_ADMINISTRATORS: Final = frozenset({"sys"})


def destination_of(url: ServerUrl) -> str:
    """Return the target that is the pipeline's destination as the URL names it; "" where one database is both ends.

    It is a URL or the name of a saved target; the caller resolves it and hands it to `open_server`.
    """
    return dict(url.options).get(DESTINATION_OPTION, "")


def with_destination(url: ServerUrl, destination: str) -> ServerUrl:
    """Return the URL of a source with its destination named in it, or without one for ""."""
    kept = tuple((name, value) for name, value in url.options if name != DESTINATION_OPTION)
    return replace(url, options=(*kept, (DESTINATION_OPTION, destination)) if destination else kept)


def needs_password(url: ServerUrl) -> bool:
    """Tell whether signing in takes a password; raises BadInput as `read_settings` does."""
    return read_settings(url).sign_in is SignIn.PASSWORD


def read_settings(url: ServerUrl) -> OracleSettings:
    """Return the settings in the URL of an Oracle database.

    Raises:
        BadInput: an option is unknown or has no such value, options exclude each other, or SYSDBA is needed and was
            not asked for.
    """
    options = {name: value for name, value in url.options if name != DESTINATION_OPTION}
    for name in options:
        if name not in _OPTIONS:
            raise BadInput(
                _('{target}: there is no option "{name}"; there are {known}').format(
                    target=url.login, name=name, known=", ".join(sorted((*_OPTIONS, DESTINATION_OPTION)))
                )
            )
    values: dict[str, object] = {}
    for name, text in options.items():
        attribute, read = _OPTIONS[name]
        try:
            values[attribute] = read(text)
        except ValueError as error:
            raise BadInput(f"{url.login}: {name}: {error}") from error
    more = values.pop("more_addresses", ())
    user, schema = _user_of(url)
    settings = replace(
        OracleSettings(user=user, schema=schema, service=url.path),
        **values,  # type: ignore[arg-type]  # each value is of the type its reader returns
    )
    if "protocol" not in options and settings.wallet:
        settings = replace(settings, is_encrypted=True)
    assert isinstance(more, tuple)
    settings = _with_address(url, settings, more)
    _check(url, settings)
    return settings


def _user_of(url: ServerUrl) -> tuple[str, str]:
    user, bracket, rest = url.user.partition("[")
    if not bracket:
        return user, ""
    schema, closing, after = rest.partition("]")
    if not (user and schema and closing) or after:
        raise BadInput(_("{target}: write a proxy user as user[schema]").format(target=url.login))
    return user, schema


def _with_address(url: ServerUrl, settings: OracleSettings, more: tuple[str, ...]) -> OracleSettings:
    """Tell an alias of tnsnames.ora, which has neither port nor service, from the address of a listener."""
    if url.instance:
        raise BadInput(
            _("{target}: Oracle has no instances behind a backslash; give /service").format(target=url.login)
        )
    if not settings.service and not settings.sid:
        if url.port is not None or more:
            raise BadInput(
                _("{target}: say which database, as /service behind the port or as ?sid=").format(target=url.login)
            )
        return replace(settings, alias=url.host)
    port = DEFAULT_TCPS_PORT if settings.is_encrypted else DEFAULT_PORT
    first = HostPort(url.host, url.port or port)
    return replace(settings, addresses=(first, *(_listener(url, text, first.port) for text in more)))


def _listener(url: ServerUrl, text: str, port: int) -> HostPort:
    host, colon, given = text.rpartition(":") if text.count(":") == 1 else (text.strip("[]"), "", "")
    if colon and (not given.isdigit() or not 0 < int(given) <= _LAST_PORT):
        raise BadInput(_("{target}: addresses: each is host:port, with commas between them").format(target=url.login))
    if not PLAIN.fullmatch(host):
        raise BadInput(_("{target}: addresses: each is host:port, with commas between them").format(target=url.login))
    return HostPort(host, int(given) if colon else port)


def _check(url: ServerUrl, settings: OracleSettings) -> None:
    """Refuse values with which no database could be reached, or that a descriptor could read otherwise."""
    for problem, is_so in (
        (_("give /service or ?sid=, not both"), bool(settings.service and settings.sid)),
        (_("external sign-in uses the account of this computer; leave out the user"), _is_crowded(settings)),
        (_("write oracle://user@..., or sign_in=external"), _is_nobody(settings)),
        (
            _("external sign-in needs an Oracle Client library; use driver=thick, and ?client= for its folder"),
            settings.sign_in is SignIn.EXTERNAL and settings.driver is DriverChoice.THIN,
        ),
        (
            _(
                "{user} works as SYSDBA only; use an account with the privileges doctor names, or write "
                "oracle://{login}@host/service?as=sysdba"
            ).format(user=settings.user.upper(), login=settings.user),
            settings.user.lower() in _ADMINISTRATORS and not settings.is_sysdba,
        ),
        (_("wallet= and certificate_dn= belong to protocol=tcps"), _has_loose_encryption(settings)),
        (_("tns_admin= and ports belong to different ways; give an alias alone"), bool(settings.alias and url.path)),
    ):
        if is_so:
            raise BadInput(f"{url.login}: {problem}")
    parts = (("host", url.host), ("service", settings.service), ("sid", settings.sid), ("wallet", settings.wallet))
    for name, text in parts:
        if text and not PLAIN.fullmatch(text):
            raise BadInput(_("{target}: {name} holds a character no address has").format(target=url.login, name=name))
    if '"' in settings.certificate_dn or ")" in settings.certificate_dn or "(" in settings.certificate_dn:
        raise BadInput(_("{target}: certificate_dn holds a quote or a bracket").format(target=url.login))


def _is_crowded(settings: OracleSettings) -> bool:
    return settings.sign_in is SignIn.EXTERNAL and bool(settings.user)


def _is_nobody(settings: OracleSettings) -> bool:
    return settings.sign_in is SignIn.PASSWORD and not settings.user


def _has_loose_encryption(settings: OracleSettings) -> bool:
    return bool(settings.certificate_dn) and not settings.is_encrypted and not settings.alias


def _read_yes(text: str) -> bool:
    if text.lower() in _YES | _NO:
        return text.lower() in _YES
    raise ValueError(_("write yes or no"))


def _read_text(text: str) -> str:
    if not text:
        raise ValueError(_("it is empty"))
    return text


def _read_protocol(text: str) -> bool:
    if text.lower() in ("tcp", "tcps"):
        return text.lower() == "tcps"
    raise ValueError(_("write tcp or tcps"))


def _read_sign_in(text: str) -> SignIn:
    try:
        return SignIn(text.lower())
    except ValueError as error:
        raise ValueError(_("write password or external")) from error


def _read_sysdba(text: str) -> bool:
    if text.lower() == "sysdba":
        return True
    raise ValueError(_("write sysdba, or leave it out"))


def _read_driver(text: str) -> DriverChoice:
    for choice in DriverChoice:
        if choice.value.lower() == text.lower():
            return choice
    raise ValueError(_("write thin, thick or cx_Oracle"))


def _read_limit(text: str) -> int:
    if text.isdigit() and 0 < int(text) <= LONGEST_LIMIT_S:
        return int(text)
    raise ValueError(_("write whole seconds from 1 to {longest}").format(longest=LONGEST_LIMIT_S))


def _read_list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _read_schema(text: str) -> str:
    return _read_text(text).upper()


_OPTIONS: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    "sid": ("sid", _read_text),
    "tns_admin": ("tns_admin", _read_text),
    "addresses": ("more_addresses", _read_list),
    "protocol": ("is_encrypted", _read_protocol),
    "wallet": ("wallet", _read_text),
    "certificate_dn": ("certificate_dn", _read_text),
    "trust": ("trusts_certificate", _read_yes),
    "sign_in": ("sign_in", _read_sign_in),
    "as": ("is_sysdba", _read_sysdba),
    "driver": ("driver", _read_driver),
    "client": ("client", _read_text),
    "load_schema": ("load_schema", _read_schema),
    "login_timeout": ("login_limit_s", _read_limit),
    "statement_timeout": ("statement_limit_s", _read_limit),
}
