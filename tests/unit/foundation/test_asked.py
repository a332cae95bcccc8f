"""The server whose answer is awaited, told by the threads that ask."""

import threading

from app.foundation.asked import Asked


def test_the_first_server_that_still_owes_an_answer_is_named() -> None:
    """A clock that is asked within a statement is part of it; another thread's question stands behind."""
    asked = Asked()
    with asked.asking("DIST1"):
        with asked.asking("the clock of DIST1"):
            assert asked.server == "DIST1"

        def ask() -> None:
            with asked.asking("SUB1"):
                seen.append(asked.server)

        seen: list[str] = []
        other = threading.Thread(target=ask)
        other.start()
        other.join()
        assert seen == ["DIST1"]
    assert asked.server == ""
