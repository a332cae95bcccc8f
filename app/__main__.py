"""Entry point: `python -m app …` and `replitune …` are the same program; without arguments it is the window."""

import os
import sys

from app.foundation.version import VERSION

# A connection that is being closed has so long to be so; one that hangs is left.
_CLOSING_S = 3.0


def main(arguments: list[str] | None = None) -> int:
    """Run the program and return its exit code; `--help` lists them.

    Ctrl+C ends the program that was started in a sentence, wherever it strikes; one that is called is left its own. A
    driver that still hangs ends with the program that was started; one that is called returns to its caller.
    """
    given = sys.argv[1:] if arguments is None else arguments
    _give_streams()
    if given == ["--version"]:  # answered before anything is loaded: scripts ask for it all the time
        sys.stdout.write(f"replitune {VERSION}\n")
        return 0
    if arguments is not None:
        return _run(given)
    from app.foundation.ctrl_c import leave_ctrl_c, take_ctrl_c

    take_ctrl_c()
    try:
        return _ended(_run(given))
    except KeyboardInterrupt:  # before the command line that tells it was loaded, or after
        return _ended(_interrupted())
    finally:
        leave_ctrl_c()


def _interrupted() -> int:
    from contextlib import suppress

    with suppress(OSError):  # nobody reads it any more
        sys.stderr.write("replitune: interrupted\n")
    return 130


def _run(given: list[str]) -> int:
    if len(given) == 2 and given[0] == "--typeset":
        # started by this program for itself: nothing else is loaded, so that it starts at once
        from pathlib import Path

        from app.foundation.typesetting import serve

        return serve(Path(given[1]))
    if given in (["--experiments"], ["--hand-over"]):  # by this program for itself, too
        from app.bootstrap import run_beside

        return run_beside(given[0])
    from app.foundation.language import VARIABLE, is_known, take_language

    language, given = take_language(given)
    if language and not is_known(language):
        shown = "".join(char if char.isprintable() else "?" for char in language[:80])
        sys.stderr.write(f'replitune: "{shown}" is no language of this program; it speaks en and de\n')
        return 2
    if language:
        # texts are made while modules are imported: the language stands before the first of them is
        os.environ[VARIABLE] = language
    from app.bootstrap import run_command_line, run_window

    return run_command_line(given) if given else run_window()


def _ended(code: int) -> int:
    """Return the exit code, or end at once where a driver still hangs in a call that was given up.

    Everything is put back and written by then. Python would unload the driver under its hanging thread, which can abort
    the process or wait for minutes: daemon threads that come back while the interpreter ends are ended in the middle of
    a driver's C++ frames (https://docs.python.org/3/c-api/init.html#c.PyEval_RestoreThread).
    """
    from app.foundation.worker import has_left_threads

    if has_left_threads(_CLOSING_S):
        from contextlib import suppress

        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it any more
                if stream is not None:
                    stream.flush()
        os._exit(code)
    return code


def _give_streams() -> None:
    """Let a program without a console write to nowhere: Windows gives a windowed one no standard streams."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as the program


if __name__ == "__main__":
    sys.exit(main())
