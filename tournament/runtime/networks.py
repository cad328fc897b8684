"""Maps an address to its network, for limits by address. No Django: the web server imports it before Django."""

from ipaddress import IPv6Address, IPv6Network


def network_of(address: str) -> str:
    """Returns an IPv4 address unchanged, and the /64 of an IPv6 address, which belongs to one household."""
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((parsed, 64), strict=False).network_address)
