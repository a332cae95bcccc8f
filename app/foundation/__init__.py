"""Parts for the whole program without any knowledge of systems: paths, clock, ids, secrets, texts, discovery."""
