"""Which network an address belongs to, for limits by address. Pure: the web server reads it before Django is loaded."""

from ipaddress import IPv6Address, IPv6Network


def network_of(address: str) -> str:
    """The address itself for IPv4; for IPv6 its /64, because one household has all addresses in it."""
    if ":" not in address:
        return address
    try:
        longer = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if longer.ipv4_mapped:
        return str(longer.ipv4_mapped)
    return str(IPv6Network((longer, 64), strict=False).network_address)
