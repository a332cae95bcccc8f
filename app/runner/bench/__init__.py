"""Does with declared readings what every trial does with them, whichever system they are of."""
