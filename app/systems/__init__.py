"""The systems experiments can be made with, one folder each; imported by nothing but the composition root.

Systems of a folder beside the program's own (`foundation.paths.more_systems`) are found as if they stood here.
"""

from app.foundation.paths import systems_roots

__path__ = [*__path__, *(str(root) for root in systems_roots()[1:])]
