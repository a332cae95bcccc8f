"""The cost of applying: the change, parameters, processors, ITL slots and noise that decide a message's time."""

from app.systems.oracle_streams.lab.durations import Durations
from app.systems.oracle_streams.lab.messages import Transaction
from app.systems.oracle_streams.lab.parameters import ParameterSet
from app.systems.oracle_streams.lab.scenario import ApplyConstants


class ApplyCosts:
    """Durations of the apply servers and the share of transactions that must wait for another.

    Attributes:
        initrans: transaction slots in each block of the applied table and its index.
    """

    def __init__(self, constants: ApplyConstants, parameters: ParameterSet, durations: Durations, cpus: int) -> None:
        self._constants = constants
        self._parameters = parameters
        self._durations = durations
        self._cpus = cpus
        self.initrans = constants.initrans

    def message_s(self, transaction: Transaction, executing: int) -> float:
        """Return the time to apply one message while so many servers execute.

        Updates with every column instead of the changed ones (_DYNAMIC_STMTS = N) and with a check of old values
        (_CMPKEY_ONLY = N) cost an assumed share more. More servers than processors share them; more than ITL slots
        wait for each other.
        """
        constants = self._constants
        share = 1.0
        if transaction.change == "update":
            if not self._parameters.flag("_DYNAMIC_STMTS", absent=False):
                share += constants.whole_row_update_share
            if not self._compares_keys_only():
                share += constants.old_value_check_share
        if executing > self._cpus:
            share *= executing / self._cpus
        if executing > self.initrans:
            share *= 1.0 + constants.itl_wait_share * (executing - self.initrans)
        factor = self._durations.factor(Durations.SERVER, transaction.workload)
        return constants.apply_us_per_lcr * 1e-6 * share * factor

    def dependent_share(self) -> float:
        """Return the share of transactions that depend on the one before, really or by a collision of hashes.

        Collisions fall as _HASH_TABLE_SIZE grows; their share at a million entries is assumed.
        """
        entries = self._parameters.started("_HASH_TABLE_SIZE", 1e6)
        constants = self._constants
        return min(1.0, constants.dependency_share + constants.collision_share_per_million_entries * 1e6 / entries)

    def _compares_keys_only(self) -> bool:
        flag = self._parameters.flag
        return flag("_CMPKEY_ONLY", absent=False) or flag("COMPARE_KEY_ONLY", absent=False)
