"""The lab behind Oracle's statements: answers exactly those of the catalogue, from the simulation."""
