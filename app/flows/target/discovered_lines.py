"""Lines of text of what was discovered: servers, and parameters one below the other."""

from app.domain.server import EffectiveParameter, ServerInfo
from app.foundation.texts import _


def server_line(server: ServerInfo) -> str:
    """Return a server with its version, edition and processors."""
    return f"  {server.role}: {server.name}, {server.version}, {server.edition}, {server.cpu_count} CPUs"


def parameters_heading() -> str:
    """Return the heading over lines of parameters."""
    return parameter_line(_("parameter"), _("value"), _("origin"), _("default"), _("limits"))


def parameter_line(name: str, value: str, origin: str, default: str, limits: str) -> str:
    """Return a parameter with its columns below those of the heading."""
    return f"  {name:<24}{value:>12}  {origin:<14}{default:>12}  {limits}".rstrip()


def limits_text(parameter: EffectiveParameter) -> str:
    """Return the server's limits, an end left open where it states none, "" where it states neither."""
    ends = ["" if end is None else str(end) for end in (parameter.low, parameter.high)]
    return "…".join(ends) if any(ends) else ""
