"""The parts of a system that is no more than servers with parameters in effect."""

from typing import Any

from app.domain.server import differs
from app.foundation.texts import _
from app.reporting.blocks import Block, Heading
from app.reporting.printed import printed
from app.reporting.system_parts import SystemParts
from app.reporting.tables.parameters import in_effect_table
from app.reporting.tables.servers import servers_table


class FoundParts(SystemParts):
    """Its blocks are its servers, and the parameters varied or not at their defaults."""

    def found_blocks(self, found: Any, varied: frozenset[str], /) -> list[Block]:
        """Return servers and parameters."""
        blocks: list[Block] = [Heading(_("Servers"), minor=True), printed(servers_table(self.system.servers_of(found)))]
        for owner, own in self.system.in_effect(found).items():
            told = [parameter for parameter in own if parameter.name in varied or differs(parameter)]
            blocks += [Heading(owner, minor=True), printed(in_effect_table(told))]
        return blocks
