"""Finds the addresses of this computer in its network, and checks which of them it listens at.

Standard library only. Sends nothing to other computers.
"""

import fcntl
import ipaddress
import socket
import struct
import sys
from contextlib import closing, suppress

# Connecting a datagram socket sends nothing, but makes the system choose an outgoing interface and its address.
TEST_ADDRESS = ("192.0.2.1", 9)
SIOCGIFADDR = {"linux": 0x8915, "darwin": 0xC0206921}.get(sys.platform)
VIRTUAL_INTERFACES = ("docker", "br-", "veth", "virbr", "cni", "flannel", "tun", "tailscale", "wg")
CONNECT_TIMEOUT_SECONDS = 0.3


def network_addresses() -> list[str]:
    """Returns this computer's addresses in its network, the most likely first; empty without a network."""
    addresses = dict.fromkeys([*_outgoing_address(), *_interface_addresses()])
    return [address for address in addresses if _is_for_phones(address)]


def is_this_computer(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback or address in network_addresses()
    except ValueError:
        return False


def listens_at(address: str, port: int) -> bool:
    """True if this computer answers at its own address and port. A firewall may still block other computers."""
    try:
        with closing(socket.create_connection((address, port), timeout=CONNECT_TIMEOUT_SECONDS)):
            return True
    except OSError:
        return False


def _outgoing_address() -> list[str]:
    with suppress(OSError), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        probe.connect(TEST_ADDRESS)
        return [str(probe.getsockname()[0])]
    return []


def _interface_addresses() -> list[str]:
    """Returns the address of each interface. A laptop that is itself the hot spot has no outgoing address."""
    names = [name for _, name in socket.if_nameindex() if not name.startswith(VIRTUAL_INTERFACES)]
    return [address for name in names if (address := _interface_address(name))]


def _interface_address(name: str) -> str:
    if SIOCGIFADDR is None:
        return ""
    with suppress(OSError), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        answer = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("32s", name.encode()[:15]))
        return socket.inet_ntoa(answer[20:24])
    return ""


def _is_for_phones(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local)
