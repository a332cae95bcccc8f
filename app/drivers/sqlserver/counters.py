"""Types of performance counters, as `sys.dm_os_performance_counters` tells them (`cntr_type`).

Source: MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/\
sys-dm-os-performance-counters-transact-sql.md.
"""

from typing import Final

TOTAL: Final = 272_696_576
"""A running total, of which a rate is the growth between two readings: PERF_COUNTER_BULK_COUNT."""

RAW: Final = 65_792
"""The value as it stands, a rate already where the counter is called one: PERF_COUNTER_LARGE_RAWCOUNT."""
