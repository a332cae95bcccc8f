"""A folder of further systems, laid out as the program's own; found through REPLITUNE_SYSTEMS."""
