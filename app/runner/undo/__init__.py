"""Making changes so that they can always be undone: the journal first, then the server.

`changer` makes and undoes the changes of a run, `restore` undoes what a journal lists: it stops the processes concerned
and undoes each entry in its turn (`attempts`), looks in which run of its process each value is in effect (`processes`),
and has the journal say what became of it (`outcomes`).

A restore goes on whatever fails: a value that cannot be restored, a journal that cannot be written, or a mistake of the
program keeps nothing else from being undone. An entry is closed by the value in effect: one that counts from a
process's start keeps in which run it was planned and undone (`Change.may_run_on`, `ServerChanges.run_of`), and stays
open while the process runs on with it. A process that was asked to stop is not taken for running again before another
session of it is seen; one that cannot be started again is not stopped; one that somebody stopped or started since stays
so and is told (`Change.left_as`).
"""

from app.runner.undo.attempts import UNDO_ATTEMPTS, UNDO_RETRY_PAUSE_S
from app.runner.undo.changer import SafeChanger
from app.runner.undo.restore import INTERRUPTED, restore_entries

__all__ = ["INTERRUPTED", "UNDO_ATTEMPTS", "UNDO_RETRY_PAUSE_S", "SafeChanger", "restore_entries"]
