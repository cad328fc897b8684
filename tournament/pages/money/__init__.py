"""Pages of money: the fees of a tournament and the cash desk of an event."""
