"""One folder for each database engine: named statements, capability adapters, error map, and a lab that answers."""
