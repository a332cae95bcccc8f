"""The pipeline a plan is about, and its readings."""

import re
from dataclasses import replace
from typing import Final

from app.domain.errors import BadInput
from app.domain.family import Site, site_as
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.server import EffectiveParameter
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsParameter, StreamsPath, StreamsTopology
from app.systems.oracle_streams.site import StreamsSite

PATH: Final = "path"

# The largest number a parameter of a process takes (DBMS_APPLY_ADM.SET_PARAMETER); INFINITE is written for more, and a
# number stands for it in plans.
LARGEST: Final = 4_294_967_295
_SIZE: Final = re.compile(r"(?P<digits>\d+)(?P<unit>[KMG])", re.IGNORECASE)
_FACTORS: Final = {"K": 1024, "M": 1024**2, "G": 1024**3}


def streams_site(site: Site) -> StreamsSite:
    """Return the site as that of a Streams pipeline; raises ValueError for any other."""
    return site_as(StreamsSite, site)


def choose_path(plan: Plan, topology: StreamsTopology) -> StreamsPath:
    """Return the path a plan names, or the only one there is.

    Raises:
        BadInput: there is no such path, or there are several and the plan names none.
    """
    wanted = str(plan.load.get(PATH, ""))
    names = "; ".join(path.name for path in topology.paths) or _("none")
    if not wanted:
        if len(topology.paths) == 1:
            return topology.paths[0]
        raise BadInput(
            _("there are several Streams paths; name one, or its apply process, as path in [workload]: {names}").format(
                names=names
            )
        )
    named = [path for path in topology.paths if wanted in (path.name, path.apply)]
    if len(named) == 1:
        return named[0]
    if named:
        raise BadInput(
            _("several paths end in the apply process {name}; name one of them as path: {names}").format(
                name=wanted, names=names
            )
        )
    raise BadInput(_("there is no Streams path {name}; there are: {names}").format(name=wanted, names=names))


def complete_names(plan: Plan, site: Site) -> Plan:
    """Return the plan with the name of the path it left open."""
    path = choose_path(plan, streams_site(site).topology)
    return replace(plan, load=Load.from_mapping({**plan.load, PATH: path.name}))


def site_of_path(site: StreamsSite, path: StreamsPath) -> StreamsSite:
    """Return the site with the parameters of one path, each as a plan writes it."""
    of_path = [parameter for parameter in site.topology.parameters if _belongs(parameter, path)]
    return replace(site, parameters={p.effective.name: _as_planned(p.effective) for p in of_path})


def _belongs(parameter: StreamsParameter, path: StreamsPath) -> bool:
    names = {
        StreamsComponent.CAPTURE: path.capture,
        StreamsComponent.PROPAGATION: path.propagation,
        StreamsComponent.APPLY: path.apply,
    }
    return parameter.component not in names or parameter.process == names[parameter.component]


def _as_planned(effective: EffectiveParameter) -> EffectiveParameter:
    """Return a parameter whose value is a whole number wherever it stands for one: 4G in bytes, INFINITE."""
    value = effective.value.strip()
    size = _SIZE.fullmatch(value)
    if size is not None:
        value = str(int(size["digits"]) * _FACTORS[size["unit"].upper()])
    elif value.upper() == "INFINITE":
        value = str(LARGEST)
    return replace(effective, value=value)
